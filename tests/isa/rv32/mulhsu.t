# mulhsu: high 32 bits of rs1 * rs2, rs1 signed, rs2 unsigned.
op mulhsu
case the second operand is unsigned
  -1 -1 -> 0xffffffff
  1 -1 -> 0
  0x80000000 0x80000000 -> 0xc0000000
  0x7fffffff 0xffffffff -> 0x7ffffffe
