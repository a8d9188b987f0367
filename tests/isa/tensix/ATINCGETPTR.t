# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ATINCGETPTR: counters Rd and Wr in the first two words; a FIFO of 8 has counters of 4 bits.
case pops: Rd goes up, and is returned as it was
  pre gpr[1]=0x100 [0x1000]=2 [0x1004]=5
  exec ATINCGETPTR IntWidth=4, Ofs=0, ResultReg=9, AddrReg=1
  exec DMANOP
  passes 0 15
  post [0x1000]=3 [0x1004]=5 gpr[9]=2
case pushes: Wr goes up, by 2^IncrLog2
  pre gpr[1]=0x100 [0x1000]=2 [0x1004]=5
  exec ATINCGETPTR IntWidth=4, IncrLog2=1, Ofs=1, ResultReg=9, AddrReg=1
  post [0x1000]=2 [0x1004]=7 gpr[9]=5
case a counter wraps at its width
  pre gpr[1]=0x100 [0x1000]=12 [0x1004]=15
  exec ATINCGETPTR IntWidth=4, Ofs=1, ResultReg=9, AddrReg=1
  post [0x1004]=0 gpr[9]=15
case looks without counting
  pre gpr[1]=0x100 [0x1000]=2 [0x1004]=5
  exec ATINCGETPTR NoIncr=1, IntWidth=4, Ofs=0, ResultReg=9, AddrReg=1
  post [0x1000]=2 gpr[9]=2
case an empty FIFO makes who pops wait
  pre gpr[1]=0x100 [0x1000]=5 [0x1004]=5
  exec ATINCGETPTR IntWidth=4, Ofs=0, ResultReg=9, AddrReg=1
  exec DMANOP
  write 20 [0x1004]=6
  passes 0 30
  post [0x1000]=6 gpr[9]=5
case a full FIFO makes who pushes wait
  pre gpr[1]=0x100 [0x1000]=5 [0x1004]=13
  exec ATINCGETPTR IntWidth=4, Ofs=1, ResultReg=9, AddrReg=1
  exec DMANOP
  write 20 [0x1000]=6
  passes 0 30
  post [0x1004]=14 gpr[9]=13
case an empty FIFO is not full, a full one not empty
  pre gpr[1]=0x100 [0x1000]=5 [0x1004]=5 gpr[2]=0x101 [0x1010]=5 [0x1014]=13
  exec ATINCGETPTR IntWidth=4, Ofs=1, ResultReg=9, AddrReg=1
  exec ATINCGETPTR IntWidth=4, Ofs=0, ResultReg=10, AddrReg=2
  post [0x1004]=6 [0x1010]=6
case the result is there for the next instruction of the thread
  pre gpr[1]=0x100 [0x1000]=2 [0x1004]=5
  exec ATINCGETPTR IntWidth=4, Ofs=0, ResultReg=9, AddrReg=1
  exec ADDDMAREG OpBisConst=1, LeftReg=9, RightImm6=0, ResultReg=10
  post gpr[10]=2
case width 0 counts nothing, and is full at 2^15
  pre gpr[1]=0x100 [0x1000]=0 [0x1004]=0x7fff
  exec ATINCGETPTR IntWidth=0, Ofs=1, ResultReg=9, AddrReg=1
  post [0x1004]=0x7fff gpr[9]=0x7fff
case beyond L1
  pre gpr[1]=0x18000
  exec ATINCGETPTR IntWidth=4, AddrReg=1
  fault UNDEFINED says=ATINCGETPTR at 0x00180000
