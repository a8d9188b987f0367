# An access to nothing is a fault that names address, core, pc and cycle.
core all
case a load behind the end of L1
  pre x5=0x180000
  exec addi x7, x0, 1
  exec lw x7, 0(x5)
  fault UNDEFINED pc+4 address=0x180000 says=180000
  post x7=1
case a store behind the end of L1
  pre x5=0x180000 x6=1
  exec sw x6, 0(x5)
  fault UNDEFINED pc address=0x180000
case a load from the middle of nowhere
  pre x5=0x40000000
  exec lw x7, 0(x5)
  fault UNDEFINED pc address=0x40000000
core NC
case NC has no mailboxes
  pre x5=0xffec0000
  exec lw x7, 0(x5)
  fault UNDEFINED pc address=0xffec0000
case NC has no TDMA-RISC
  pre x5=0xffb11000
  exec lw x7, 0(x5)
  fault UNDEFINED pc address=0xffb11000
core B
case a jump behind the end of L1
  pre x5=0x180000
  exec jalr x7, 0(x5)
  fault UNDEFINED
case a jump into the local RAM: code runs from L1 only
  pre x5=0xffb00000
  exec jalr x7, 0(x5)
  fault UNDEFINED
