# sll: rd = rs1 << (rs2 & 31).
op sll
case shifts left
  1 31 -> 0x80000000
  3 1 -> 6
case takes the low five bits of the count
  1 32 -> 1
  1 33 -> 2
  1 0xffffffff -> 0x80000000
