# SPDX-License-Identifier: Apache-2.0
# Manual SFPMUL: SFPMAD by another name.
case a product
  pre lreg[0]=0x40000000 lreg[1]=0x40400000
  exec SFPMUL VA=0, VB=1, VC=9, VD=3
  post lreg[3]=0x40c00000
case the sign of zero needs -0
  pre lreg[0]=0x80000000 lreg[1]=0x40400000
  exec SFPMUL VA=0, VB=1, VC=9, VD=3
  exec SFPMUL VA=0, VB=1, VC=9, VD=4, Mod1=2
  post lreg[3]=0 lreg[4]=0x80000000
