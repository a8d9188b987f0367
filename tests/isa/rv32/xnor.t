# xnor: rd = ~(rs1 ^ rs2).
op xnor
case inverts the result
  0xff00ff00 0x0f0f0f0f -> 0x0ff00ff0
