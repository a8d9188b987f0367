# srli: rd = rs1 >> shamt, zeroes in.
op srli
case shifts right
  0x80000000 0 -> 0x80000000
  0x80000000 31 -> 1
  0xffffffff 4 -> 0x0fffffff
