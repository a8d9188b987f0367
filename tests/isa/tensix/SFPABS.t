# SPDX-License-Identifier: Apache-2.0
# Manual SFPABS.
case of an integer
  pre lreg[0]=0xfffffffb
  exec SFPABS VC=0, VD=3
  post lreg[3]=5 lreg[0]=0xfffffffb
case the smallest integer stays
  pre lreg[0]=0x80000000
  exec SFPABS VC=0, VD=3
  post lreg[3]=0x80000000
case of a number
  pre lreg[0]=0xc0490fdb
  exec SFPABS VC=0, VD=3, Mod1=1
  post lreg[3]=0x40490fdb
case -NaN stays, -infinity does not
  pre lreg[0]=0xff800001 lreg[0][7]=0xff800000
  exec SFPABS VC=0, VD=0, Mod1=1
  post lreg[0][0]=0xff800001 lreg[0][7]=0x7f800000
case lanes whose flag is false are left alone
  pre lreg[0]=0xffffffff lreg[3]=9 useflags=0xffffffff flags=2
  exec SFPABS VC=0, VD=3
  post lreg[3][0]=9 lreg[3][1]=1 lreg[3][2]=9
case a register that cannot be written
  exec SFPABS VC=0, VD=9
  fault UNDEFINED says=SFPABS writes LReg[9]
  post lreg[9]=0
case the fault names lanes
  pre useflags=0xffffffff flags=0x80000001
  exec SFPABS VC=0, VD=8
  fault UNDEFINED says=lanes 0x80000001
case VD of 12 and more is the back door
  exec SFPABS VC=0, VD=13, Mod1=1
  post template[1]=0x7d0000d1 lreg[13]=0xbf2cc4c7
case with the back door closed nothing is left to write to
  pre laneconfig=2
  exec SFPABS VC=0, VD=13
  fault UNDEFINED says=writes LReg[13]
  post template[1]=0
case it waits for a result of the MAD sub-unit
  pre lreg[1]=0xc0000000
  exec SFPADD VA=10, VB=1, VC=9, VD=0
  exec SFPABS VC=0, VD=3, Mod1=1
  passes 0 2
  post lreg[3]=0x40000000
