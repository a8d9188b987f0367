# slt: rd = rs1 < rs2, signed.
op slt
case compares signed
  1 2 -> 1
  2 1 -> 0
  2 2 -> 0
  0xffffffff 0 -> 1
  0x80000000 0x7fffffff -> 1
  0x7fffffff 0x80000000 -> 0
