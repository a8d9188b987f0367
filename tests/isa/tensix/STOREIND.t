# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 STOREIND_L1, STOREIND_MMIO, STOREIND_Src, L1.
case 32 bits to L1, and the offset goes up
  pre gpr[1]=0x100 gpr[2]=0x24 gpr[9]=0xdeadbeef [0x1020]=1 [0x1028]=1
  exec STOREIND MemHierSel=1, Size=1, AddrReg=1, OffsetHalfReg=4, OffsetIncrement=2, DataReg=9
  post [0x1024]=0xdeadbeef [0x1020]=1 [0x1028]=1 gpr[2]=0x28
case it is in L1 seven cycles behind the gate, and the unit is free after three
  pre gpr[1]=0x100 gpr[9]=7
  exec STOREIND MemHierSel=1, Size=1, AddrReg=1, OffsetHalfReg=4, DataReg=9
  exec DMANOP
  passes 0 3
  at 6 [0x1000]=0
  at 7 [0x1000]=7
case a load behind it sees it
  pre gpr[1]=0x100 gpr[9]=7
  exec STOREIND MemHierSel=1, Size=1, AddrReg=1, OffsetHalfReg=4, DataReg=9
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=10
  post gpr[10]=7
case what it stores is taken when it starts
  pre gpr[1]=0x100 gpr[9]=7
  exec STOREIND MemHierSel=1, Size=1, AddrReg=1, OffsetHalfReg=4, DataReg=9
  exec SETDMAREG NewValue=8, ResultHalfReg=18
  post [0x1000]=7 gpr[9]=8
case 128 bits, aligned both ways
  pre gpr[1]=0x100 gpr[2]=0x1f gpr[8]=1 gpr[9]=2 gpr[10]=3 gpr[11]=4
  exec STOREIND MemHierSel=1, Size=0, AddrReg=1, OffsetHalfReg=4, OffsetIncrement=3, DataReg=10
  post [0x1010]=1 [0x1014]=2 [0x1018]=3 [0x101c]=4 gpr[2]=0x2f
case 16 and 8 bits
  pre gpr[1]=0x100 gpr[2]=3 gpr[9]=0x12345678 [0x1000]=0xffffffff [0x1010]=0xffffffff gpr[3]=0x101
  exec STOREIND MemHierSel=1, Size=2, AddrReg=1, OffsetHalfReg=4, DataReg=9
  exec STOREIND MemHierSel=1, Size=3, AddrReg=3, OffsetHalfReg=4, DataReg=9
  post [0x1000]=0x5678ffff [0x1010]=0x78ffffff
case one of 128 bits every three cycles
  pre gpr[1]=0x100
  exec STOREIND MemHierSel=1, Size=0, AddrReg=1, OffsetHalfReg=4, DataReg=8
  exec STOREIND MemHierSel=1, Size=0, AddrReg=1, OffsetHalfReg=4, DataReg=8
  exec STOREIND MemHierSel=1, Size=0, AddrReg=1, OffsetHalfReg=4, DataReg=8
  passes 0 3 6
case a narrow one every five cycles: the instruction waits in the unit until its store can leave
  pre gpr[1]=0x100
  exec STOREIND MemHierSel=1, Size=1, AddrReg=1, OffsetHalfReg=4, DataReg=8
  exec STOREIND MemHierSel=1, Size=1, AddrReg=1, OffsetHalfReg=4, DataReg=8
  exec STOREIND MemHierSel=1, Size=1, AddrReg=1, OffsetHalfReg=4, DataReg=8
  exec DMANOP
  passes 0 3 8 13
case STALLWAIT C0 waits until it is in L1
  pre gpr[1]=0x100
  exec STOREIND MemHierSel=1, Size=1, AddrReg=1, OffsetHalfReg=4, DataReg=8
  exec STALLWAIT BlockMask=0x1ff, ConditionMask=1
  exec NOP
  passes 0 2 8
case beyond L1
  pre gpr[1]=0x18000
  exec STOREIND MemHierSel=1, Size=0, AddrReg=1, OffsetHalfReg=4, DataReg=8
  fault UNDEFINED says=STOREIND at 0x00180000
case to a register: the offset counts sixteenths, of the address the low 20 bits count
  pre gpr[1]=0x77711000 gpr[2]=0x02cf gpr[9]=0x300
  exec STOREIND SizeSel=1, AddrReg=1, OffsetHalfReg=4, OffsetIncrement=3, DataReg=9
  exec LOADREG AddrLo=0x440b, ResultReg=10
  passes 0 3
  post gpr[2]=0x02df gpr[10]=0x300
case to a register below 0xffb11000
  pre gpr[1]=0x10ffc gpr[9]=5
  exec STOREIND SizeSel=1, AddrReg=1, OffsetHalfReg=4, DataReg=9
  fault UNDEFINED says=STOREIND to 0xffb10ffc
case to where there is no register
  pre gpr[1]=0x90000 gpr[9]=5
  exec STOREIND SizeSel=1, AddrReg=1, OffsetHalfReg=4, DataReg=9
  fault UNDEFINED says=STOREIND at 0xffb90000: nothing there
case to a register with bit 21
  exec STOREIND SizeSel=1, StoreToSrcB=1
  fault UNDEFINED says=bit 21
case to SrcA comes with unpacking
  exec STOREIND StoreToSrcB=0
  fault UNIMPLEMENTED says=SrcA
case to SrcB comes with unpacking
  exec STOREIND StoreToSrcB=1
  fault UNIMPLEMENTED says=SrcB
