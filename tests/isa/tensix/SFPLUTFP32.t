# SPDX-License-Identifier: Apache-2.0
# Manual SFPLUTFP32 (585749d1).
case three entries of FP32
  pre lreg[0]=0x40000000 lreg[4]=0x3f800000 lreg[1]=0x40400000 lreg[5]=0 lreg[2]=0 lreg[6]=0xbf800000 lreg[3]=0xbf000000 lreg[3][1]=0x3fc00000 lreg[3][2]=0x41000000
  exec SFPLUTFP32 VD=7
  post lreg[7][0]=0x40000000 lreg[7][1]=0x40900000 lreg[7][2]=0xbf800000
case the sign of the input
  pre lreg[0]=0x40000000 lreg[4]=0x3f800000 lreg[3]=0xbf000000
  exec SFPLUTFP32 VD=7, Mod1=4
  post lreg[7]=0xc0000000
case six entries of FP16, split at 3
  # low half 1.0, high half 2.0; offsets 0.5 and 0.25
  pre lreg[0]=0x40003c00 lreg[4]=0x34003800 lreg[2]=0x40003c00 lreg[6]=0x34003800 lreg[3]=0x3e800000 lreg[3][1]=0x3f000000 lreg[3][2]=0x40000000 lreg[3][3]=0x40400000
  exec SFPLUTFP32 VD=7, Mod1=2
  # 0.25 + 0.5; 1 + 0.25; 2 + 0.5; 6 + 0.25
  post lreg[7][0]=0x3f400000 lreg[7][1]=0x3fa00000 lreg[7][2]=0x40200000 lreg[7][3]=0x40c80000
case or at 4
  pre lreg[2]=0x40003c00 lreg[6]=0x34003800 lreg[3]=0x40400000 lreg[3][1]=0x40800000
  exec SFPLUTFP32 VD=7, Mod1=3
  post lreg[7][0]=0x40600000 lreg[7][1]=0x41040000
case between 1 and 2 at 1.5
  pre lreg[1]=0x40003c00 lreg[5]=0x34003800 lreg[3]=0x3f800000 lreg[3][1]=0x3fc00000
  exec SFPLUTFP32 VD=7, Mod1=2
  post lreg[7][0]=0x3fc00000 lreg[7][1]=0x40500000
case FP16 with the largest exponent is zero, with the smallest a number
  pre lreg[0]=0x7c00 lreg[4]=0x0000 lreg[3]=0x3e800000
  exec SFPLUTFP32 VD=7, Mod1=2
  post lreg[7]=0x38000000
case three entries of FP16 go where LReg[7] says
  pre lreg[0]=0x3c003800 lreg[3]=0x3f000000 lreg[7]=6
  exec SFPLUTFP32 Mod1Mirror=8, VD=5, Mod1=10
  post lreg[6]=0x3f800000 lreg[5]=0
case the stalling logic looks at Mod1Mirror: all registers are read and written
  exec SFPMAD VA=10, VB=1, VC=9, VD=7
  exec SFPLUTFP32 Mod1Mirror=8, VD=5, Mod1=10
  exec SFPMOV VC=1, VD=2
  passes 0 2 4
case without it, all but LReg[7], and VD
  exec SFPMAD VA=10, VB=1, VC=9, VD=7
  exec SFPLUTFP32 VD=5
  exec SFPMOV VC=1, VD=2
  exec SFPLUTFP32 VD=5
  exec SFPMOV VC=5, VD=2
  passes 0 1 2 3 5
case so LReg[7] can be read too early
  pre lreg[1]=0x40c00000 lreg[7]=4 lreg[0]=0x3c003800 lreg[3]=0x3f000000
  exec SFPMAD VA=10, VB=1, VC=9, VD=7
  exec SFPLUTFP32 Mod1Mirror=0, VD=5, Mod1=10
  passes 0 1
  fault HAZARD says=SFPLUTFP32 reads LReg[7]
  post lreg[4]=0x3f800000 lreg[7]=0x40c00000
case and the register that LReg[7] names can be read too early
  pre lreg[7]=6 lreg[6]=0x11 lreg[0]=0x3c003800 lreg[3]=0x3f000000 lreg[2]=1
  exec SFPLUTFP32 Mod1Mirror=0, VD=5, Mod1=10
  exec SFPIADD VC=6, VD=2, Mod1=4
  passes 0 1
  fault HAZARD says=SFPIADD reads LReg[6]
  post lreg[2]=0x12 lreg[6]=0x3f800000
