# SPDX-License-Identifier: Apache-2.0
# Manual SFPSHFT2 (41d2c717).
case LReg 1 to 3 one down, zero behind them
  pre lreg[0]=0x10 lreg[1]=0x11 lreg[2]=0x12 lreg[3]=0x13
  exec SFPSHFT2 Mod1=0
  post lreg[0]=0x11 lreg[1]=0x12 lreg[2]=0x13 lreg[3]=0
case LReg[0] behind them, eight lanes on
  pre lreg[0]=0x10 lreg[0][9]=0x99 lreg[1]=0x11 lreg[2]=0x12 lreg[3]=0x13
  exec SFPSHFT2 Mod1=1
  post lreg[0]=0x11 lreg[2]=0x13 lreg[3][1]=0x99 lreg[3][0]=0x10 lreg[3][23]=0x10 lreg[3][24]=0
case VC behind them, rotated within rows of eight
  pre lreg[5]=0x50 lreg[5][7]=0x57 lreg[5][8]=0x58 lreg[1]=0x11 lreg[2]=0x12 lreg[3]=0x13
  exec SFPSHFT2 VC=5, Mod1=2
  post lreg[0]=0x11 lreg[1]=0x12 lreg[2]=0x13 lreg[3][0]=0x57 lreg[3][8]=0x50 lreg[3][9]=0x58 lreg[3][1]=0x50
case VC rotated within rows of eight
  pre lreg[5]=0x50 lreg[5][7]=0x57 lreg[5][8]=0x58
  exec SFPSHFT2 VC=5, VD=3, Mod1=3
  post lreg[3][0]=0x57 lreg[3][1]=0x50 lreg[3][8]=0x50 lreg[3][9]=0x58 lreg[0]=0
case VC moved along within rows of eight
  pre lreg[5]=0x50 lreg[5][7]=0x57 lreg[5][8]=0x58
  exec SFPSHFT2 VC=5, VD=3, Mod1=4
  post lreg[3][0]=0 lreg[3][1]=0x50 lreg[3][8]=0 lreg[3][9]=0x58 lreg[3][16]=0
case bits of VB by VC
  pre lreg[1]=0x80000011 lreg[2]=4 lreg[2][1]=0xfffffffc
  exec SFPSHFT2 VB=1, VC=2, VD=3, Mod1=5
  post lreg[3][0]=0x110 lreg[3][1]=0x08000001
case by an immediate, whose low bits also name VB
  pre lreg[0]=0xabcd0000 lreg[1]=0x80000011
  exec SFPSHFT2 Imm12=-16, VD=3, Mod1=6
  exec SFPSHFT2 Imm12=1, VD=4, Mod1=6
  post lreg[3]=0xabcd lreg[4]=0x22
case a mode without meaning
  exec SFPSHFT2 VD=3, Mod1=7
  fault UNDEFINED says=Mod1 7
case behind a shuffle only SFPNOP is taken
  exec SFPSHFT2 VC=5, VD=3, Mod1=3
  exec SFPLOADI VD=6, Mod0=2, Imm16=1
  exec SFPSHFT2 VC=5, VD=3, Mod1=4
  exec SFPNOP
  exec SFPSHFT2 VC=5, Mod1=2
  exec SFPMOV VC=3, VD=4
  passes 0 2 3 4 5 7
case the other modes take one cycle
  exec SFPSHFT2 Mod1=0
  exec SFPSHFT2 Mod1=1
  exec SFPSHFT2 VB=1, VC=2, VD=3, Mod1=5
  exec SFPSHFT2 VD=3, Mod1=6
  exec SFPNOP
  passes 0 1 2 3 4
case shuffles are not known to read: the old value
  pre lreg[1]=0x3f800000 lreg[5]=0x11
  exec SFPADD VA=10, VB=1, VC=9, VD=5
  exec SFPSHFT2 VC=5, VD=3, Mod1=3
  passes 0 1
  fault HAZARD says=SFPSHFT2 reads LReg[5]
  post lreg[3]=0x11 lreg[5]=0x3f800000
case nor the move along
  pre lreg[1]=0x3f800000 lreg[5]=0x11
  exec SFPADD VA=10, VB=1, VC=9, VD=5
  exec SFPSHFT2 VC=5, VD=5, Mod1=4
  passes 0 1
  fault HAZARD says=SFPSHFT2 reads LReg[5]
  post lreg[5][0]=0 lreg[5][1]=0x11
case nor the rotation with copies
  pre lreg[1]=0x3f800000 lreg[5]=0x11 lreg[2]=0x12
  exec SFPADD VA=10, VB=1, VC=9, VD=5
  exec SFPSHFT2 VC=5, Mod1=2
  passes 0 1
  fault HAZARD says=SFPSHFT2 reads LReg[5]
  post lreg[3]=0x11 lreg[1]=0x12 lreg[5]=0x3f800000
case shifts of bits are taken to read VD, not VB
  pre lreg[1]=0x3f800000 lreg[2]=4 lreg[5]=0x11
  exec SFPADD VA=10, VB=1, VC=9, VD=5
  exec SFPSHFT2 VB=5, VC=2, VD=3, Mod1=5
  passes 0 1
  fault HAZARD says=SFPSHFT2 reads LReg[5]
  post lreg[3]=0x110
case by an immediate too
  pre lreg[1]=0x3f800000 lreg[5]=0x11
  exec SFPADD VA=10, VB=1, VC=9, VD=5
  exec SFPSHFT2 Imm12=5, VD=3, Mod1=6
  passes 0 1
  fault HAZARD says=SFPSHFT2 reads LReg[5]
  post lreg[3]=0x220
case so they wait for VD in vain
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPSHFT2 VB=5, VC=2, VD=3, Mod1=5
  passes 0 2
case and for VC with reason
  exec SFPADD VA=10, VB=1, VC=9, VD=2
  exec SFPSHFT2 VB=5, VC=2, VD=3, Mod1=5
  passes 0 2
