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
case to SrcA: four cells, the first of a GPR in Dst's order of bits, the second in that of BF16
  pre gpr[1]=0x19 gpr[8]=0xbfc0c07f gpr[9]=0x3f804201 thd[5]=4 src[0].unpacker=1 srca[1][2]=5
  exec STOREIND AddrReg=1, OffsetHalfReg=4, DataReg=11
  post srca[1][2][3]=5 srca[1][2][4]=0x6007f srca[1][2][5]=0x6007f srca[1][2][6]=0x21001 srca[1][2][7]=0x7f srca[1][2][8]=5 srca[0][2]=0
case the offset counts in sixteenths, and is incremented
  pre gpr[1]=0x10 gpr[2]=0x24 gpr[8]=0x7f thd[5]=4
  exec STOREIND AddrReg=1, OffsetHalfReg=4, DataReg=8, OffsetIncrement=3
  post srca[0][0][8]=0x7f gpr[2]=0x34
case the first four rows of SrcA are not there
  pre gpr[1]=0xf gpr[8]=0x7f thd[5]=4
  exec STOREIND AddrReg=1, OffsetHalfReg=4, DataReg=8
  post srca[0][0]=0 srca[0][3]=0 srca[0][63]=0
case without SetOvrdWithAddr the unpacker's row is added
  pre gpr[1]=0x14 gpr[8]=0x7f src[0].row[0]=48
  exec STOREIND AddrReg=1, OffsetHalfReg=4, DataReg=8
  post srca[0][49][0]=0x7f
case to SrcB: no rows are left out, the unpacker's row is added
  pre gpr[1]=0x3f gpr[9]=0xbfc00000 src[1].row[0]=16 src[1].unpacker=1
  exec STOREIND StoreToSrcB=1, AddrReg=1, OffsetHalfReg=4, DataReg=8
  post srcb[1][31][15]=0x6007f srcb[1][31][12]=0
case to the last of 16 rows of SrcA
  pre gpr[1]=0x4c gpr[8]=0x7f
  exec STOREIND AddrReg=1, OffsetHalfReg=4, DataReg=8
  post srca[0][15][0]=0x7f
case to the last of 64 rows of SrcA
  pre gpr[1]=0x10c gpr[8]=0x7f thd[5]=4
  exec STOREIND AddrReg=1, OffsetHalfReg=4, DataReg=8
  post srca[0][63][0]=0x7f
case past the 64 rows of SrcA
  pre gpr[1]=0x110 thd[5]=4
  exec STOREIND AddrReg=1, OffsetHalfReg=4
  fault UNDEFINED says=row 68 of SrcA
case past 16 rows of SrcA
  pre gpr[1]=0x50
  exec STOREIND AddrReg=1, OffsetHalfReg=4
  fault UNDEFINED says=row 20 of SrcA
case past 16 rows of SrcB
  pre gpr[1]=0x40
  exec STOREIND StoreToSrcB=1, AddrReg=1, OffsetHalfReg=4
  fault UNDEFINED says=row 16 of SrcB
case it waits while the bank is the Matrix Unit's
  pre src[1].owns[0]=1
  exec STOREIND StoreToSrcB=1
  passes -
case and goes on when it is given back
  pre src[1].owns[0]=1 gpr[8]=0x7f
  exec T1 NOP
  exec T1 SETRWC FlipSrcB=1
  exec STOREIND StoreToSrcB=1, DataReg=8
  passes 0 1 2
  post srcb[0][0][0]=0x7f
