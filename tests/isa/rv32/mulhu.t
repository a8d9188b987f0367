# mulhu: high 32 bits of rs1 * rs2, both unsigned.
op mulhu
case high half, unsigned
  -1 -1 -> 0xfffffffe
  0x80000000 0x80000000 -> 0x40000000
  0x80000000 2 -> 1
  0xffffffff 1 -> 0
