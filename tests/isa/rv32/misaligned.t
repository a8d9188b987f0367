# Loads and stores take naturally aligned addresses only.
case lw at address + 1
  pre x5=0x8000
  exec lw x7, 1(x5)
  fault UNDEFINED pc address=0x8001 says=8001
case lw at address + 2
  pre x5=0x8000
  exec lw x7, 2(x5)
  fault UNDEFINED pc address=0x8002
case lh at an odd address
  pre x5=0x8000
  exec lh x7, 1(x5)
  fault UNDEFINED pc address=0x8001
case lhu across a word
  pre x5=0x8000
  exec lhu x7, 3(x5)
  fault UNDEFINED pc address=0x8003
case sw at address + 2 writes nothing
  pre x5=0x8000 x6=-1 [0x8000]=0x11111111 [0x8004]=0x22222222
  exec sw x6, 2(x5)
  fault UNDEFINED pc address=0x8002
  post [0x8000]=0x11111111 [0x8004]=0x22222222
case sh at an odd address writes nothing
  pre x5=0x8000 x6=-1 [0x8000]=0x11111111
  exec sh x6, 1(x5)
  fault UNDEFINED pc address=0x8001
  post [0x8000]=0x11111111
case in the local RAM as well
  pre x5=0xffb00000
  exec lw x7, 2(x5)
  fault UNDEFINED pc address=0xffb00002
