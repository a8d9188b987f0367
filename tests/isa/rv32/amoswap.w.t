# amoswap.w: memory = rs2; rd gets the old word; aq and rl change nothing.
op amoswap.w
case swaps
  5 7 -> 7
