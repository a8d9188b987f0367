# SPDX-License-Identifier: Apache-2.0
# Manual SFPCAST, its three pages.
case a sign-magnitude integer to FP32
  pre lreg[0]=5 lreg[0][1]=0x80000005 lreg[0][2]=0x80000000
  exec SFPCAST VC=0, VD=3
  post lreg[3][0]=0x40a00000 lreg[3][1]=0xc0a00000 lreg[3][2]=0x80000000
case nearest, ties to even
  pre lreg[0]=0x01000001 lreg[0][1]=0x01000003 lreg[0][2]=0x7fffffff lreg[0][3]=0x7fffffc0
  exec SFPCAST VC=0, VD=3
  post lreg[3][0]=0x4b800000 lreg[3][1]=0x4b800002 lreg[3][2]=0x4f000000 lreg[3][3]=0x4f000000
case with seven random bits: they must be below what is cut off
  # 0x7fffff81 is cut at bit 7: the seven bits below it are 1
  pre lreg[0]=0x7fffff81 prng=0 prng[1]=0x200 prng[2]=0x400
  exec SFPCAST VC=0, VD=3, Mod1=1
  post lreg[3][0]=0x4f000000 lreg[3][1]=0x4f000000 lreg[3][2]=0x4effffff prng[0]=0x80000000
case absolute value, by a bug
  pre lreg[0]=0xfffffffb
  exec SFPCAST VC=0, VD=3, Mod1=2
  post lreg[3]=5
case two's complement to sign and magnitude and back
  pre lreg[0]=0xfffffffb lreg[0][1]=0x80000000
  exec SFPCAST VC=0, VD=3, Mod1=3
  exec SFPCAST VC=3, VD=4, Mod1=3
  post lreg[3][0]=0x80000005 lreg[3][1]=0x80000000 lreg[4][0]=0xfffffffb lreg[4][1]=0x80000000
case the two high bits of Mod1 are ignored
  pre lreg[0]=5
  exec SFPCAST VC=0, VD=3, Mod1=12
  post lreg[3]=0x40a00000
