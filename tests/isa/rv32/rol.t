# rol: rotates left by rs2 & 31.
op rol
case rotates left
  0x80000001 1 -> 3
  0x12345678 8 -> 0x34567812
  0x12345678 0 -> 0x12345678
case takes the low five bits of the count
  0x12345678 40 -> 0x34567812
