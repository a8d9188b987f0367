# SPDX-License-Identifier: Apache-2.0
# Manual SFPLUT.  An entry of eight bits: sign, 127 - exponent in three, mantissa in four; 0xff is zero.
case by magnitude: below 1, below 2, the rest
  # slope 1.0, offset 0.5; slope 0.5, offset 0; slope 0, offset -1.5
  pre lreg[0]=0x0010 lreg[1]=0x10ff lreg[2]=0xff88 lreg[3]=0x3f000000 lreg[3][1]=0x3fc00000 lreg[3][2]=0x40000000 lreg[3][3]=0x3f800000
  exec SFPLUT VD=4
  post lreg[4][0]=0x3f800000 lreg[4][1]=0x3f400000 lreg[4][2]=0xbfc00000 lreg[4][3]=0x3f000000
case of the magnitude, with the sign of the input if asked for
  pre lreg[0]=0x0010 lreg[3]=0xbf000000
  exec SFPLUT VD=4
  exec SFPLUT VD=5, Mod0=4
  post lreg[4]=0x3f800000 lreg[5]=0xbf800000
case where to by LReg[7]
  pre lreg[0]=0x0010 lreg[3]=0x3f000000 lreg[7]=6
  exec SFPLUT VD=4, Mod0=8
  post lreg[4]=0 lreg[6]=0x3f800000
case NaN is large
  pre lreg[2]=0xff88 lreg[3]=0x7fc00000
  exec SFPLUT VD=4
  post lreg[4]=0x7fc00000
case it waits for its input
  exec SFPMAD VA=10, VB=10, VC=9, VD=3
  exec SFPLUT VD=4
  passes 0 2
