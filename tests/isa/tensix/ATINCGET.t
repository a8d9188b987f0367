# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ATINCGET.
case 32 bits: adds, and returns what was there
  pre gpr[1]=0x100 gpr[2]=5 [0x1008]=0xfffffffe [0x1004]=1 [0x100c]=1
  exec ATINCGET IntWidth=31, Ofs=2, InOutReg=2, AddrReg=1
  post gpr[2]=0xfffffffe [0x1008]=3 [0x1004]=1 [0x100c]=1
case of IntWidth + 1 bits, the others stay
  pre gpr[1]=0x100 gpr[2]=3 [0x1000]=0xabcdef0e
  exec ATINCGET IntWidth=3, InOutReg=2, AddrReg=1
  post gpr[2]=0xabcdef0e [0x1000]=0xabcdef01
case one bit
  pre gpr[1]=0x100 gpr[2]=1 [0x1000]=0xffffffff
  exec ATINCGET IntWidth=0, InOutReg=2, AddrReg=1
  post [0x1000]=0xfffffffe
case L1 seven cycles behind the gate, the register after 15, the unit free after three
  pre gpr[1]=0x100 gpr[2]=1 [0x1000]=8
  exec ATINCGET IntWidth=31, InOutReg=2, AddrReg=1
  exec DMANOP
  passes 0 3
  at 6 [0x1000]=8
  at 7 [0x1000]=9
  at 14 gpr[2]=1
  at 15 gpr[2]=8
case STALLWAIT C0 waits for the register
  pre gpr[1]=0x100 gpr[2]=1 [0x1000]=8
  exec ATINCGET IntWidth=31, InOutReg=2, AddrReg=1
  exec STALLWAIT BlockMask=0x20, ConditionMask=1
  exec ADDDMAREG OpBisConst=1, LeftReg=2, RightImm6=0, ResultReg=3
  passes 0 2 16
  post gpr[3]=8
case one every 12 cycles
  pre gpr[1]=0x100 gpr[2]=1 gpr[3]=1 gpr[4]=1 gpr[5]=1
  exec ATINCGET IntWidth=31, InOutReg=2, AddrReg=1
  exec ATINCGET IntWidth=31, InOutReg=3, AddrReg=1
  exec ATINCGET IntWidth=31, InOutReg=4, AddrReg=1
  exec ATINCGET IntWidth=31, InOutReg=5, AddrReg=1
  passes 0 3 15 27
  post [0x1000]=4 gpr[2]=0 gpr[3]=1 gpr[4]=2 gpr[5]=3
case threads increment one after the other
  pre gpr[0][1]=0x100 gpr[1][1]=0x100 gpr[2][1]=0x100 gpr[0][2]=1 gpr[1][2]=1 gpr[2][2]=1
  exec T0 ATINCGET IntWidth=31, InOutReg=2, AddrReg=1
  exec T1 ATINCGET IntWidth=31, InOutReg=2, AddrReg=1
  exec T2 ATINCGET IntWidth=31, InOutReg=2, AddrReg=1
  post [0x1000]=3 gpr[0][2]=0 gpr[1][2]=1 gpr[2][2]=2
case MemHierSel is L1 with both values
  pre gpr[1]=0x100 gpr[2]=5
  exec ATINCGET MemHierSel=1, IntWidth=31, InOutReg=2, AddrReg=1
  post [0x1000]=5
case beyond L1
  pre gpr[1]=0x18000
  exec ATINCGET IntWidth=31, InOutReg=2, AddrReg=1
  fault UNDEFINED says=ATINCGET at 0x00180000
