# cpop: number of ones.
op cpop
case counts the ones
  0 -> 0
  0xffffffff -> 32
  0x80000001 -> 2
  0x12345678 -> 13
