# andn: rd = rs1 & ~rs2.
op andn
case inverts the second operand
  0xff00ff00 0x0f0f0f0f -> 0xf000f000
