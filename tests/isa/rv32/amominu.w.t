# amominu.w: memory = smaller, unsigned; rd gets the old word; aq and rl change nothing.
op amominu.w
case compares unsigned
  5 7 -> 5
  5 -7 -> 5
  0x80000000 0x7fffffff -> 0x7fffffff
