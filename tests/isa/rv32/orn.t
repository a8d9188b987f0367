# orn: rd = rs1 | ~rs2.
op orn
case inverts the second operand
  0xff00ff00 0x0f0f0f0f -> 0xfff0fff0
