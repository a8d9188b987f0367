# sltiu: rd = rs1 < sign-extended imm, unsigned.
op sltiu
case compares unsigned
  1 2 -> 1
  2 2 -> 0
  0xffffffff 0 -> 0
case the immediate is sign-extended first
  5 -1 -> 1
  0xfffff7ff -2048 -> 1
  0xfffff800 -2048 -> 0
case with 1 it tests for zero
  0 1 -> 1
  7 1 -> 0
