# or: rd = rs1 | rs2.
op or
case or
  0xff00ff00 0x0f0f0f0f -> 0xff0fff0f
