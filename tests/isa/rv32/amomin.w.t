# amomin.w: memory = smaller, signed; rd gets the old word; aq and rl change nothing.
op amomin.w
case compares signed
  5 7 -> 5
  5 -7 -> -7
  0x80000000 0x7fffffff -> 0x80000000
