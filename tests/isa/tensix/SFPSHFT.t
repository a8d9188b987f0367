# SPDX-License-Identifier: Apache-2.0
# Manual SFPSHFT (f9c605d8).
case to the left by VC
  pre lreg[0]=4 lreg[3]=0x80000011
  exec SFPSHFT VC=0, VD=3
  post lreg[3]=0x110
case to the right by a negative VC
  pre lreg[0]=0xfffffffc lreg[3]=0x80000011
  exec SFPSHFT VC=0, VD=3
  post lreg[3]=0x08000001
case five bits of the amount count
  pre lreg[0]=33 lreg[0][1]=0xffffffdf lreg[3]=0x80000011
  exec SFPSHFT VC=0, VD=3
  post lreg[3][0]=0x22 lreg[3][1]=0x40000008
case arithmetic
  pre lreg[0]=0xfffffffc lreg[3]=0x80000011
  exec SFPSHFT VC=0, VD=3, Mod1=2
  post lreg[3]=0xf8000001
case an immediate moves VD
  pre lreg[3]=0x80000011
  exec SFPSHFT Imm12=-4, VC=0, VD=3, Mod1=1
  post lreg[3]=0x08000001
case or VC
  pre lreg[0]=0x80000011
  exec SFPSHFT Imm12=-4, VC=0, VD=3, Mod1=7
  post lreg[3]=0xf8000001
case the fourth bit of Mod1 is ignored
  pre lreg[0]=0x80000011
  exec SFPSHFT Imm12=-4, VC=0, VD=3, Mod1=13
  post lreg[3]=0x08000001
case modes 4 and 6 are 0 and 2
  pre lreg[0]=0xfffffffc lreg[3]=0x80000011 lreg[4]=0x80000011
  exec SFPSHFT VC=0, VD=3, Mod1=4
  exec SFPSHFT VC=0, VD=4, Mod1=6
  post lreg[3]=0x08000001 lreg[4]=0xf8000001
case the stalling logic does not know that VD is read: the old value
  pre lreg[0]=4 lreg[1]=0x3f800000 lreg[3]=0x11
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPSHFT VC=0, VD=3
  passes 0 1
  fault HAZARD says=SFPSHFT reads LReg[3]
  post lreg[3]=0x110
