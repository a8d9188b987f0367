# xori: rd = rs1 ^ sign-extended imm.
op xori
case exclusive or
  0xff00 0xf0 -> 0xfff0
case with -1 it inverts
  0x12345678 -1 -> 0xedcba987
