# divu: rs1 / rs2, unsigned.
op divu
case divides unsigned
  7 2 -> 3
  0xffffffff 2 -> 0x7fffffff
  7 0xffffffff -> 0
  0x12345678 3 -> 0x6117228
case by zero gives 2^32 - 1
  7 0 -> 0xffffffff
  0 0 -> 0xffffffff
