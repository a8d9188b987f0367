# lb lh lw lbu lhu: little endian, sign or zero extended.
case lw takes four bytes, little endian
  pre [0x8000]=0x84838281 x5=0x8000
  exec lw x7, 0(x5)
  post x7=0x84838281
case lw takes a negative offset
  pre [0x8000]=0x11223344 x5=0x8004
  exec lw x7, -4(x5)
  post x7=0x11223344
case lh extends the sign
  pre [0x8000]=0x84837281 x5=0x8000
  exec lh x7, 0(x5)
  exec lh x6, 2(x5)
  post x7=0x7281 x6=0xffff8483
case lhu extends with zeroes
  pre [0x8000]=0x84837281 x5=0x8000
  exec lhu x7, 0(x5)
  exec lhu x6, 2(x5)
  post x7=0x7281 x6=0x8483
case lb extends the sign, at every byte of the word
  pre [0x8000]=0x847f8001 x5=0x8000
  exec lb x6, 0(x5)
  exec lb x7, 1(x5)
  exec lb x28, 2(x5)
  exec lb x29, 3(x5)
  post x6=1 x7=0xffffff80 x28=0x7f x29=0xffffff84
case lbu extends with zeroes, at every byte of the word
  pre [0x8000]=0x847f8001 x5=0x8000
  exec lbu x6, 0(x5)
  exec lbu x7, 1(x5)
  exec lbu x28, 2(x5)
  exec lbu x29, 3(x5)
  post x6=1 x7=0x80 x28=0x7f x29=0x84
case a load into its own base register
  pre [0x8000]=0x1234 x5=0x8000
  exec lw x5, 0(x5)
  post x5=0x1234
case a load into x0 changes nothing
  pre [0x8000]=0x1234 x5=0x8000
  exec lw x0, 0(x5)
  exec addi x6, x0, 0
  post x6=0
case the last word of L1
  pre [0x17fffc]=0x55aa1234 x5=0x180000
  exec lw x7, -4(x5)
  post x7=0x55aa1234
core all
case the local RAM is zero after reset
  pre x5=0xffb00000
  exec lw x7, 0(x5)
  exec lw x6, 0x7fc(x5)
  post x7=0 x6=0
core B NC
case the local RAM of B and NC has 8 KiB
  pre x5=0xffb01ffc x6=77
  exec sw x6, 0(x5)
  exec lw x7, 0(x5)
  post x7=77
core T0 T1 T2
case the local RAM of T0 to T2 has 4 KiB
  pre x5=0xffb00ffc x6=77
  exec sw x6, 0(x5)
  exec lw x7, 0(x5)
  post x7=77
case nothing is behind the 4 KiB of T0 to T2
  pre x5=0xffb01000
  exec lw x7, 0(x5)
  fault UNDEFINED pc address=0xffb01000
