# amomaxu.w: memory = larger, unsigned; rd gets the old word; aq and rl change nothing.
op amomaxu.w
case compares unsigned
  5 7 -> 7
  5 -7 -> -7
  0x80000000 0x7fffffff -> 0x80000000
