# andi: rd = rs1 & sign-extended imm.
op andi
case and
  0xff0 0xff -> 0xf0
case the immediate is sign-extended
  0x12345fff -2048 -> 0x12345800
