# sub: rd = rs1 - rs2.
op sub
case subtracts
  7 4 -> 3
  4 7 -> -3
case wraps around at 2^32
  0 1 -> 0xffffffff
  0x80000000 1 -> 0x7fffffff
