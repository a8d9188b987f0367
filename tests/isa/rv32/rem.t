# rem: rs1 modulo rs2, signed, sign of the dividend.
op rem
case has the sign of the dividend
  7 2 -> 1
  -7 2 -> -1
  7 -2 -> 1
  -7 -2 -> -1
case by zero gives the dividend
  7 0 -> 7
  0x80000000 0 -> 0x80000000
case the one overflow gives zero
  0x80000000 -1 -> 0
