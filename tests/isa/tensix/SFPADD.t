# SPDX-License-Identifier: Apache-2.0
# Manual SFPADD: SFPMAD by another name.
case a sum
  pre lreg[1]=0x40000000 lreg[2]=0x3f800000
  exec SFPADD VA=10, VB=1, VC=2, VD=3
  exec SFPADD VA=10, VB=1, VC=2, VD=4, Mod1=2
  post lreg[3]=0x40400000 lreg[4]=0x3f800000
case VA counts
  pre lreg[0]=0x40000000 lreg[1]=0x40000000 lreg[2]=0x3f800000
  exec SFPADD VA=0, VB=1, VC=2, VD=3
  post lreg[3]=0x40a00000
