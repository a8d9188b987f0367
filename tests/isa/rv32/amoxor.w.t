# amoxor.w: memory ^= rs2; rd gets the old word; aq and rl change nothing.
op amoxor.w
case exclusive or
  0xff00 0x0ff0 -> 0xf0f0
