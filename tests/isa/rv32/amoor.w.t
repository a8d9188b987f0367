# amoor.w: memory |= rs2; rd gets the old word; aq and rl change nothing.
op amoor.w
case or
  0xff00 0x0ff0 -> 0xfff0
