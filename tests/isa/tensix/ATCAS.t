# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ATCAS.
case sets the word that has the value, in 15 cycles
  pre gpr[1]=0x100 [0x100c]=3 [0x1008]=3
  exec ATCAS SetVal=9, CmpVal=3, Ofs=3, AddrReg=1
  exec DMANOP
  passes 0 15
  at 6 [0x100c]=3
  at 7 [0x100c]=9
  post [0x1008]=3
case all 32 bits are compared
  pre gpr[1]=0x100 [0x1000]=0x10000003
  exec ATCAS SetVal=9, CmpVal=3, AddrReg=1
  write 40 [0x1000]=3
  post [0x1000]=9
case tries again every 15 cycles
  pre gpr[1]=0x100
  exec ATCAS SetVal=9, CmpVal=3, AddrReg=1
  exec DMANOP
  write 30 [0x1000]=3
  at 36 [0x1000]=3
  at 37 [0x1000]=9
  passes 0 45
case a value that was there between two attempts is missed
  pre gpr[1]=0x100
  exec ATCAS SetVal=9, CmpVal=3, AddrReg=1
  exec DMANOP
  write 24 [0x1000]=3
  write 30 [0x1000]=4
  write 50 [0x1000]=3
  passes 0 60
case its thread and the unit wait, other threads go on
  pre gpr[0][1]=0x100
  exec T0 ATCAS SetVal=9, CmpVal=3, AddrReg=1
  exec T0 NOP
  exec T1 NOP
  exec T1 NOP
  exec T1 DMANOP
  write 30 [0x1000]=3
  passes 0 44 0 1 45
case another thread opens it through memory
  pre gpr[0][1]=0x100 gpr[1][1]=0x100 [0x1000]=2
  exec T1 STOREIND MemHierSel=1, Size=1, AddrReg=1, OffsetHalfReg=4, DataReg=9
  exec T0 NOP
  exec T0 ATCAS SetVal=9, CmpVal=0, AddrReg=1
  exec T0 DMANOP
  passes 0 0 3 20
  post [0x1000]=9
case a soft reset of the unit ends it
  pre gpr[1]=0x100
  exec ATCAS SetVal=9, CmpVal=3, AddrReg=1
  exec DMANOP
  write 30 reg[0xffb121b0]=0x47a00
  passes 0 31
  post [0x1000]=0
case beyond L1
  pre gpr[1]=0x18000
  exec ATCAS SetVal=9, CmpVal=3, AddrReg=1
  fault UNDEFINED says=ATCAS at 0x00180000
