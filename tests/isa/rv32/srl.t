# srl: rd = rs1 >> (rs2 & 31), zeroes in.
op srl
case shifts right
  0x80000000 31 -> 1
case takes the low five bits of the count
  0x80000000 32 -> 0x80000000
  0x80000000 63 -> 1
