# min: smaller of the two, signed.
op min
case compares signed
  1 2 -> 1
  -1 1 -> -1
  0x80000000 0x7fffffff -> 0x80000000
