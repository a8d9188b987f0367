# maxu: larger of the two, unsigned.
op maxu
case compares unsigned
  1 2 -> 2
  -1 1 -> -1
  0x80000000 0x7fffffff -> 0x80000000
