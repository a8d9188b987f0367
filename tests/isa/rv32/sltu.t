# sltu: rd = rs1 < rs2, unsigned.
op sltu
case compares unsigned
  1 2 -> 1
  2 1 -> 0
  2 2 -> 0
  0xffffffff 0 -> 0
  0x80000000 0x7fffffff -> 0
  0x7fffffff 0x80000000 -> 1
