# ror: rotates right by rs2 & 31.
op ror
case rotates right
  3 1 -> 0x80000001
  0x12345678 8 -> 0x78123456
  0x12345678 0 -> 0x12345678
case takes the low five bits of the count
  0x12345678 40 -> 0x78123456
