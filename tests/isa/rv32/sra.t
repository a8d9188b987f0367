# sra: rd = rs1 >> (rs2 & 31), sign in.
op sra
case shifts right
  0x80000000 31 -> 0xffffffff
  0x40000000 30 -> 1
case takes the low five bits of the count
  0x80000000 32 -> 0x80000000
  0x80000000 33 -> 0xc0000000
