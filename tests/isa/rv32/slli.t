# slli: rd = rs1 << shamt.
op slli
case shifts left
  1 0 -> 1
  1 31 -> 0x80000000
  0xffffffff 4 -> 0xfffffff0
