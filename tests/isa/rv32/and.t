# and: rd = rs1 & rs2.
op and
case and
  0xff00ff00 0x0f0f0f0f -> 0x0f000f00
