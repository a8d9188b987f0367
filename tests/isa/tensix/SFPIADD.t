# SPDX-License-Identifier: Apache-2.0
# Manual SFPIADD.
case VC and VD, and a flag that says below zero
  pre lreg[0]=5 lreg[3]=0xfffffff0 useflags=0xffffffff flags=0xffffffff lreg[0][4]=0x20
  exec SFPIADD VC=0, VD=3
  post lreg[3][0]=0xfffffff5 lreg[3][4]=0x10 flags=0xffffffef
case VC without VD
  pre lreg[0]=5 lreg[3]=7
  exec SFPIADD VC=0, VD=3, Mod1=6
  post lreg[3]=0xfffffffe flags=0
case a signed immediate
  pre lreg[0]=5
  exec SFPIADD Imm12=-31, VC=0, VD=3, Mod1=5
  post lreg[3]=0xffffffe6
case it wraps
  pre lreg[0]=0x80000000
  exec SFPIADD Imm12=-1, VC=0, VD=3, Mod1=5
  post lreg[3]=0x7fffffff
case not below zero
  pre lreg[0]=5 lreg[0][1]=0xfffffffb useflags=0xffffffff flags=0xffffffff
  exec SFPIADD Imm12=0, VC=0, VD=3, Mod1=9
  post flags=0xfffffffd
case CC_NONE and CC_GTE0 together turn the flags round
  pre useflags=0 flags=0x0000ffff
  exec SFPIADD Imm12=0, VC=0, VD=3, Mod1=13
  post flags=0xffff0000
case flags of disabled lanes stay: conditions nest
  pre lreg[0]=0xffffffff useflags=0xffffffff flags=0x0000ffff
  exec SFPIADD Imm12=0, VC=0, VD=3, Mod1=1
  post flags=0x0000ffff
case the negative of the smallest integer is itself
  pre lreg[3]=0x80000000
  exec SFPIADD VC=9, VD=3, Mod1=6
  post lreg[3]=0x80000000
case the stalling logic does not know that VD is read: the old value
  pre lreg[0]=1 lreg[1]=0x3f800000 lreg[3]=0x100
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPIADD VC=0, VD=3, Mod1=4
  passes 0 1
  fault HAZARD says=SFPIADD reads LReg[3]
  post lreg[3]=0x101
case only in lanes that wrote, and only of those enabled
  pre lreg[0]=1 lreg[1]=0x3f800000 lreg[3]=0x100 useflags=0xffffffff flags=0x0000ffff
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPENCC Imm2=3, Mod1=10
  exec SFPIADD VC=0, VD=3, Mod1=4
  passes 0 1 2
  post lreg[3][0]=0x3f800001 lreg[3][16]=0x101
case a lane that was disabled in between keeps the new value
  pre lreg[0]=1 lreg[1]=0x3f800000 lreg[3]=0x100 laneconfig[0]=0x8000
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPIADD VC=0, VD=3, Mod1=4
  fault HAZARD says=lanes 0xfeffffff
  post lreg[3][0]=0x101 lreg[3][24]=0x100
case VC is protected
  pre lreg[1]=0x3f800000 lreg[3]=1
  exec SFPADD VA=10, VB=1, VC=9, VD=0
  exec SFPIADD VC=0, VD=3, Mod1=4
  passes 0 2
  post lreg[3]=0x3f800001
case an immediate does not read VD
  pre lreg[1]=0x3f800000
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPIADD Imm12=1, VC=0, VD=3, Mod1=5
  passes 0 1
  post lreg[3]=1
