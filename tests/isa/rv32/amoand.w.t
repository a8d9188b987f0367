# amoand.w: memory &= rs2; rd gets the old word; aq and rl change nothing.
op amoand.w
case and
  0xff00 0x0ff0 -> 0x0f00
