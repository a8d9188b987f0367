# rori: rotates right by the immediate.
op rori
case rotates right
  3 1 -> 0x80000001
  0x12345678 8 -> 0x78123456
  0x12345678 0 -> 0x12345678
  0x12345678 31 -> 0x2468acf0
