# remu: rs1 modulo rs2, unsigned.
op remu
case remainder, unsigned
  7 2 -> 1
  0xffffffff 16 -> 15
  7 0xffffffff -> 7
case by zero gives the dividend
  7 0 -> 7
  0xffffffff 0 -> 0xffffffff
