# Loads take naturally aligned addresses only; a store to L1 puts each byte where an aligned one would have its lane.
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
case sw at address + 2 keeps its lanes
  pre x5=0x8000 x6=0x44332211 [0x8000]=0x55555555 [0x8004]=0x66666666
  exec sw x6, 2(x5)
  post [0x8000]=0x44335555 [0x8004]=0x66662211
case sh at an odd address keeps its lanes
  pre x5=0x8000 x6=0x2211 [0x8000]=0x55555555
  exec sh x6, 1(x5)
  post [0x8000]=0x55112255
case sw across the end of a line loses what does not fit
  pre x5=0x8000 x6=0x44332211 [0x800c]=0x55555555 [0x8010]=0x66666666
  exec sw x6, 14(x5)
  post [0x800c]=0x44335555 [0x8010]=0x66666666
case sw outside L1
  pre x5=0xffe00000
  exec sw x6, 2(x5)
  fault UNDEFINED pc address=0xffe00002
case in the local RAM as well
  pre x5=0xffb00000
  exec lw x7, 2(x5)
  fault UNDEFINED pc address=0xffb00002
