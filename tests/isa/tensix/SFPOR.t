# SPDX-License-Identifier: Apache-2.0
# Manual SFPOR.
case VD and VC
  pre lreg[0]=0xff00ff00 lreg[3]=0x0ff00ff0
  exec SFPOR VC=0, VD=3
  post lreg[3]=0xfff0fff0
case VB and VC
  pre lreg[0]=0xff00ff00 lreg[1]=0x0000000f lreg[3]=0x0ff00ff0
  exec SFPOR VB=1, VC=0, VD=3, Mod1=1
  post lreg[3]=0xff00ff0f
case the stalling logic takes VB for VD: the old value is read
  pre lreg[1]=0x3f800000 lreg[2]=0x11
  exec SFPADD VA=10, VB=1, VC=9, VD=2
  exec SFPOR VB=2, VC=0, VD=3, Mod1=1
  passes 0 1
  fault HAZARD says=SFPOR reads LReg[2]
  post lreg[3]=0x11 lreg[2]=0x3f800000
