# SPDX-License-Identifier: Apache-2.0
# Manual SFPARECIP.
case 1/x with its sign
  pre lreg[0]=0x3f800000 lreg[0][1]=0xc0000000 lreg[0][2]=0x40490fdb
  exec SFPARECIP VC=0, VD=3
  post lreg[3][0]=0x3f7f0000 lreg[3][1]=0xbeff0000 lreg[3][2]=0x3ea30000
case zero, denormals and what is large
  pre lreg[0]=0 lreg[0][1]=0x80000001 lreg[0][2]=0x7e800000 lreg[0][3]=0xffc00000 lreg[0][4]=0x7e7fffff
  exec SFPARECIP VC=0, VD=3
  post lreg[3][0]=0x7f800000 lreg[3][1]=0xff800000 lreg[3][2]=0 lreg[3][3]=0x80000000 lreg[3][4]=0x00800000
case only where VB is negative, and without the sign
  pre lreg[0]=0xc0000000 lreg[1]=0 lreg[1][5]=0x80000000
  exec SFPARECIP VB=1, VC=0, VD=3, Mod1=1
  post lreg[3][0]=0xc0000000 lreg[3][5]=0x3eff0000
case e^x of the magnitude, with the sign
  pre lreg[0]=0x3f800000 lreg[0][1]=0 lreg[0][2]=0xbf000000 lreg[0][3]=0x3c000123 lreg[0][4]=0x40000321
  exec SFPARECIP VC=0, VD=3, Mod1=2
  post lreg[3][0]=0x402d0000 lreg[3][1]=0x3f800000 lreg[3][2]=0xbfd30000 lreg[3][3]=0x3f810123 lreg[3][4]=0x40800321
case modes above 2 are that too
  pre lreg[0]=0x3f800000
  exec SFPARECIP VC=0, VD=3, Mod1=7
  post lreg[3]=0x402d0000
