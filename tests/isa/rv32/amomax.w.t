# amomax.w: memory = larger, signed; rd gets the old word; aq and rl change nothing.
op amomax.w
case compares signed
  5 7 -> 7
  5 -7 -> 5
  0x80000000 0x7fffffff -> 0x7fffffff
