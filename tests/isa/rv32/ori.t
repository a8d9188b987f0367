# ori: rd = rs1 | sign-extended imm.
op ori
case or
  0xff00 0xf0 -> 0xfff0
case the immediate is sign-extended
  0x12345678 -2048 -> 0xfffffe78
