# SPDX-License-Identifier: Apache-2.0
# Manual SFPEXEXP.
case without bias
  pre lreg[0]=0xc0490fdb lreg[0][1]=0 lreg[0][2]=0x7f800000
  exec SFPEXEXP VC=0, VD=3
  post lreg[3][0]=1 lreg[3][1]=0xffffff81 lreg[3][2]=128
case with it
  pre lreg[0]=0xc0490fdb
  exec SFPEXEXP VC=0, VD=3, Mod1=1
  post lreg[3]=128
case a flag for below zero
  pre lreg[0]=0x3f000000 lreg[0][3]=0x3f800000 useflags=0xffffffff flags=0xffffffff
  exec SFPEXEXP VC=0, VD=3, Mod1=2
  post flags=0xfffffff7
case or not below zero
  pre lreg[0]=0x3f000000 lreg[0][3]=0x3f800000 useflags=0xffffffff flags=0xffffffff
  exec SFPEXEXP VC=0, VD=3, Mod1=10
  post flags=8
case the complement alone turns the flags round
  pre flags=0xff
  exec SFPEXEXP VC=0, VD=3, Mod1=8
  post flags=0xffffff00
