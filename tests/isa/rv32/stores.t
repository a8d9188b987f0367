# sb sh sw: little endian, exactly the bytes named.
case sw writes four bytes, little endian
  pre x5=0x8000 x6=0x84838281
  exec sw x6, 0(x5)
  post [0x8000]=0x84838281 b[0x8000]=0x81 b[0x8003]=0x84
case sh writes two bytes and no more
  pre [0x8000]=0x11111111 x5=0x8000 x6=0xaaaabbcc
  exec sh x6, 2(x5)
  post [0x8000]=0xbbcc1111
case sb writes one byte and no more
  pre [0x8000]=0x11111111 x5=0x8000 x6=0xaaaabbcc
  exec sb x6, 1(x5)
  post [0x8000]=0x1111cc11
case a negative offset
  pre x5=0x8010 x6=5
  exec sw x6, -16(x5)
  post [0x8000]=5
case x0 stores zero
  pre [0x8000]=0x11111111 x5=0x8000
  exec sw x0, 0(x5)
  post [0x8000]=0
case the later of two stores to one place wins, merged or not
  pre x5=0x8000 x6=1 x7=2
  exec sw x6, 0(x5)
  exec sw x7, 0(x5)
  post [0x8000]=2
case bytes stored one after the other make a word
  pre x5=0x8000 x6=0x11 x7=0x22 x28=0x33 x29=0x44
  exec sb x6, 0(x5)
  exec sb x7, 1(x5)
  exec sb x28, 2(x5)
  exec sb x29, 3(x5)
  exec lw x30, 0(x5)
  post x30=0x44332211 [0x8000]=0x44332211
case a load sees an earlier store to the same bytes
  pre x5=0x8000 x6=7
  exec sw x6, 0(x5)
  exec lw x7, 0(x5)
  post x7=7
case a load sees the byte of an earlier store inside the word
  pre [0x8000]=0x11111111 x5=0x8000 x6=7
  exec sb x6, 2(x5)
  exec lw x7, 0(x5)
  post x7=0x11071111
case a load sees two earlier stores of different size
  pre [0x8000]=0x11111111 x5=0x8000 x6=0xaabbccdd x7=0x77
  exec sw x6, 0(x5)
  exec sb x7, 3(x5)
  exec lh x28, 2(x5)
  post x28=0x77bb
case five stores are more than the queue holds, and all arrive
  pre x5=0x8000 x6=1 x7=2
  exec sw x6, 0(x5)
  exec sw x7, 0x20(x5)
  exec sw x6, 0x40(x5)
  exec sw x7, 0x60(x5)
  exec sw x6, 0x80(x5)
  exec sw x7, 0xa0(x5)
  exec lw x28, 0xa0(x5)
  post [0x8000]=1 [0x8020]=2 [0x8040]=1 [0x8060]=2 [0x8080]=1 [0x80a0]=2 x28=2
core all
case stores to the local RAM come back
  pre x5=0xffb00100 x6=0x84838281
  exec sw x6, 0(x5)
  exec sb x0, 1(x5)
  exec lw x7, 0(x5)
  post x7=0x84830081
