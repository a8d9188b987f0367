# What is no instruction stops the core with a record of where it was.
core all
case a word of all ones
  exec addi x7, x0, 1
  exec .word 0xffffffff
  exec addi x7, x0, 2
  fault UNDEFINED pc+4
  post x7=1
# Words whose low two bits are not 3 are .ttinsn: stores to 0xffe40000 (manual PushTensixInstruction).
core B T0 T1 T2
case a word that ends in two zeroes is a .ttinsn, not an illegal instruction
  exec .word 0x08000000
  exec addi x7, x0, 1
  post x7=1
core NC
case a .ttinsn on NC stores to nothing
  exec .word 0
  fault UNDEFINED pc address=0xffe40000
core B
case a store before the fault is in memory
  pre x5=0x8000 x6=77
  exec sw x6, 0(x5)
  exec .word 0xffffffff
  fault UNDEFINED pc+4
  post [0x8000]=77
case lr.w is not implemented (Zalrsc)
  pre x5=0x8000
  exec .word 0x1002a3af
  fault UNDEFINED pc
case sc.w is not implemented (Zalrsc)
  pre x5=0x8000
  exec .word 0x1872a3af
  fault UNDEFINED pc
case bset is not implemented (Zbs)
  exec .word 0x286293b3
  fault UNDEFINED pc
case clmul is not implemented (Zbc)
  exec .word 0x0a6293b3
  fault UNDEFINED pc
case packh is not implemented (Zbkb)
  exec .word 0x0862f3b3
  fault UNDEFINED pc
case zip is not implemented (Zbkb)
  exec .word 0x08f29393
  fault UNDEFINED pc
case xperm8 is not implemented (Zbkx)
  exec .word 0x2862c3b3
  fault UNDEFINED pc
case ld is not an RV32 instruction
  exec .word 0x0002b383
  fault UNDEFINED pc
case fdiv.s is not implemented
  exec .word 0x1800f053
  fault UNDEFINED pc
case wfi is not implemented
  exec .word 0x10500073
  fault UNDEFINED pc
case sret is not implemented
  exec .word 0x10200073
  fault UNDEFINED pc
core T0 T1
case vector instructions exist on T2 only
  exec .word 0x0d057557      # vsetvli a0, a0, e32, m1
  fault UNDEFINED pc
core T0 T1 T2
case mret exists on B and NC only
  exec mret
  fault UNDEFINED pc
