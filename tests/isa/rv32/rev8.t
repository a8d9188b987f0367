# rev8: reverses the order of the bytes.
op rev8
case swaps bytes
  0x12345678 -> 0x78563412
  0xff -> 0xff000000
