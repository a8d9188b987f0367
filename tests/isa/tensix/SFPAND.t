# SPDX-License-Identifier: Apache-2.0
# Manual SFPAND.
case VD and VC
  pre lreg[0]=0xff00ff00 lreg[3]=0x0ff00ff0
  exec SFPAND VC=0, VD=3
  post lreg[3]=0x0f000f00
case VB and VC
  pre lreg[0]=0xff00ff00 lreg[1]=0xf0f0f0f0 lreg[3]=0x0ff00ff0
  exec SFPAND VB=1, VC=0, VD=3, Mod1=1
  post lreg[3]=0xf000f000
case the stalling logic takes VB for VD: the old value is read
  pre lreg[0]=0xffffffff lreg[1]=0x3f800000 lreg[2]=0x11
  exec SFPADD VA=10, VB=1, VC=9, VD=2
  exec SFPAND VB=2, VC=0, VD=3, Mod1=1
  passes 0 1
  fault HAZARD says=SFPAND reads LReg[2]
  post lreg[3]=0x11 lreg[2]=0x3f800000
case a cycle later it is there
  pre lreg[0]=0xffffffff lreg[1]=0x3f800000 lreg[2]=0x11
  exec SFPADD VA=10, VB=1, VC=9, VD=2
  exec SFPNOP
  exec SFPAND VB=2, VC=0, VD=3, Mod1=1
  passes 0 1 2
  post lreg[3]=0x3f800000
case and it waits for VD, which it does not read then
  pre lreg[1]=0x3f800000
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPAND VB=2, VC=0, VD=3, Mod1=1
  passes 0 2
case VD without USE_VB is protected
  pre lreg[0]=0xffffffff lreg[1]=0x3f800000
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPAND VC=0, VD=3
  passes 0 2
  post lreg[3]=0x3f800000
