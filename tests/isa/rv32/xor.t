# xor: rd = rs1 ^ rs2.
op xor
case exclusive or
  0xff00ff00 0x0f0f0f0f -> 0xf00ff00f
