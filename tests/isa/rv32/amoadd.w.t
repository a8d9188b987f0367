# amoadd.w: memory += rs2; rd gets the old word; aq and rl change nothing.
op amoadd.w
case adds and wraps
  5 7 -> 12
  0xffffffff 1 -> 0
case sees the program's own earlier store
  pre x5=0x8000 x6=40 x7=2
  exec sw x6, 0(x5)
  exec amoadd.w x28, x7, (x5)
  post x28=40 [0x8000]=42
case a later load sees the sum
  pre x5=0x8000 x7=2 [0x8000]=3
  exec amoadd.w x28, x7, (x5)
  exec lw x29, 0(x5)
  post x28=3 x29=5
case with rd = x0 still writes
  pre x5=0x8000 x7=2 [0x8000]=3
  exec amoadd.w x0, x7, (x5)
  post [0x8000]=5 x0=0
case rd, rs1 and rs2 may be one register
  pre x5=0x8000 [0x8000]=3
  exec amoadd.w x5, x5, (x5)
  post x5=3 [0x8000]=0x8003
case aq and rl are ignored
  pre x5=0x8000 x7=2 [0x8000]=3
  exec .word 0x0672a62f      # amoadd.w.aqrl x12, x7, (x5)
  post x12=3 [0x8000]=5
case a local RAM address is no place for an atomic
  pre x5=0xffb00000 x7=2
  exec amoadd.w x28, x7, (x5)
  fault UNDEFINED pc address=0xffb00000
case a misaligned address is a fault and leaves memory alone
  pre x5=0x8002 x7=2 [0x8000]=3 [0x8004]=4
  exec amoadd.w x28, x7, (x5)
  fault UNDEFINED pc address=0x8002
  post [0x8000]=3 [0x8004]=4
