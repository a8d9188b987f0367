# clz: leading zeroes.
op clz
case counts from the top
  1 -> 31
  0x80000000 -> 0
  0x00ffffff -> 8
case of zero is 32
  0 -> 32
