# slti: rd = rs1 < imm, signed.
op slti
case compares signed
  1 2 -> 1
  2 2 -> 0
  -1 0 -> 1
  0x80000000 2047 -> 1
  0x7fffffff -2048 -> 0
