# mulh: high 32 bits of rs1 * rs2, both signed.
op mulh
case high half, signed
  -1 -1 -> 0
  -1 1 -> 0xffffffff
  0x80000000 0x80000000 -> 0x40000000
  0x7fffffff 0x7fffffff -> 0x3fffffff
  0x80000000 0x7fffffff -> 0xc0000000
