# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 LOADIND, ScalarUnit, L1.
case 32 bits from AddrReg * 16 and the offset
  pre gpr[1]=0x100 gpr[2]=0x00240000 [0x1024]=0xdeadbeef
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=5, ResultReg=9
  post gpr[9]=0xdeadbeef gpr[2]=0x00240000
case the result is there eleven cycles later, and the unit is free after three
  pre gpr[1]=0x100 [0x1000]=7
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec DMANOP
  passes 0 3
  at 10 gpr[9]=0
  at 11 gpr[9]=7
case without waiting, an instruction right behind it has the old value
  pre gpr[1]=0x100 gpr[9]=1 [0x1000]=7
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec ADDDMAREG OpBisConst=1, LeftReg=9, RightImm6=0, ResultReg=10
  post gpr[9]=7 gpr[10]=1
case seven DMANOP are enough
  pre gpr[1]=0x100 gpr[9]=1 [0x1000]=7
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec DMANOP
  exec DMANOP
  exec DMANOP
  exec DMANOP
  exec DMANOP
  exec DMANOP
  exec DMANOP
  exec ADDDMAREG OpBisConst=1, LeftReg=9, RightImm6=0, ResultReg=10
  post gpr[10]=7
case six DMANOP are not
  pre gpr[1]=0x100 gpr[9]=1 [0x1000]=7
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec DMANOP
  exec DMANOP
  exec DMANOP
  exec DMANOP
  exec DMANOP
  exec DMANOP
  exec ADDDMAREG OpBisConst=1, LeftReg=9, RightImm6=0, ResultReg=10
  post gpr[10]=1
case STALLWAIT C0 waits for it
  pre gpr[1]=0x100 gpr[9]=1 [0x1000]=7
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec STALLWAIT BlockMask=0x20, ConditionMask=1
  exec ADDDMAREG OpBisConst=1, LeftReg=9, RightImm6=0, ResultReg=10
  passes 0 2 12
  post gpr[10]=7
case STALLWAIT C0 of another thread does not
  pre gpr[0][1]=0x100
  exec T0 LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec T1 STALLWAIT BlockMask=0x20, ConditionMask=1
  exec T1 DMANOP
  passes 0 0 3
case memory is read seven cycles behind the gate: a write before counts, one after does not
  pre gpr[1]=0x100 [0x1000]=1 [0x1010]=1 gpr[2]=0x101
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=6, ResultReg=9
  exec LOADIND Size=1, AddrReg=2, OffsetHalfReg=6, ResultReg=10
  write 6 [0x1000]=2
  write 10 [0x1010]=2
  post gpr[9]=2 gpr[10]=1
case 128 bits to four registers, aligned both ways
  pre gpr[1]=0x100 gpr[2]=0x1b [0x1010]=1 [0x1014]=2 [0x1018]=3 [0x101c]=4 gpr[12]=9
  exec LOADIND Size=0, AddrReg=1, OffsetHalfReg=4, ResultReg=11
  post gpr[8]=1 gpr[9]=2 gpr[10]=3 gpr[11]=4 gpr[12]=9
case 16 bits leave the high half
  pre gpr[1]=0x100 gpr[2]=3 gpr[9]=0xffffffff [0x1000]=0x12345678
  exec LOADIND Size=2, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  post gpr[9]=0xffff1234
case 8 bits leave the rest
  pre gpr[1]=0x100 gpr[2]=3 gpr[9]=0xffffffff [0x1000]=0x12345678
  exec LOADIND Size=3, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  post gpr[9]=0xffffff12
case the offset goes up by 2, by 4, by 16
  pre gpr[1]=0x100 [0x1000]=0x20001 [0x1004]=3 [0x1008]=4
  exec LOADIND Size=2, AddrReg=1, OffsetHalfReg=4, OffsetIncrement=1, ResultReg=8
  exec LOADIND Size=2, AddrReg=1, OffsetHalfReg=4, OffsetIncrement=1, ResultReg=9
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, OffsetIncrement=2, ResultReg=10
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, OffsetIncrement=3, ResultReg=11
  passes 0 3 6 9
  post gpr[2]=0x18 gpr[8]=1 gpr[9]=2 gpr[10]=3 gpr[11]=4
case the offset has 16 bits
  pre gpr[1]=0x100 gpr[2]=0xfffe
  exec LOADIND Size=2, AddrReg=1, OffsetHalfReg=4, OffsetIncrement=2, ResultReg=8
  post gpr[2]=2
case the last word of L1
  pre gpr[1]=0x17fff gpr[2]=0xc [0x17fffc]=7
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=8
  post gpr[8]=7
case beyond L1
  pre gpr[1]=0x17fff gpr[2]=0x10
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, OffsetIncrement=1, ResultReg=8
  fault UNDEFINED says=LOADIND at 0x00180000
  post gpr[2]=0x10
