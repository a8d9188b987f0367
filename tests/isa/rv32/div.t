# div: rs1 / rs2, signed, towards zero.
op div
case rounds towards zero
  7 2 -> 3
  -7 2 -> -3
  7 -2 -> -3
  -7 -2 -> 3
case by zero gives -1
  7 0 -> 0xffffffff
  0 0 -> 0xffffffff
  0x80000000 0 -> 0xffffffff
case the one overflow gives the dividend
  0x80000000 -1 -> 0x80000000
case by one
  0x80000000 1 -> 0x80000000
  5 1 -> 5
