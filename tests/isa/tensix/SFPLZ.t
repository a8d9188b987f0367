# SPDX-License-Identifier: Apache-2.0
# Manual SFPLZ.
case leading zeros
  pre lreg[0]=0x00010000 lreg[0][1]=0 lreg[0][2]=0x80000000
  exec SFPLZ VC=0, VD=3
  post lreg[3][0]=15 lreg[3][1]=32 lreg[3][2]=0
case without the sign
  pre lreg[0]=0x80000001 lreg[0][1]=0x80000000
  exec SFPLZ VC=0, VD=3, Mod1=4
  post lreg[3][0]=31 lreg[3][1]=32
case a flag for not zero
  pre lreg[0]=1 lreg[0][2]=0 useflags=0xffffffff flags=0xffffffff
  exec SFPLZ VC=0, VD=3, Mod1=2
  post flags=0xfffffffb
case or zero
  pre lreg[0]=1 lreg[0][2]=0 useflags=0xffffffff flags=0xffffffff
  exec SFPLZ VC=0, VD=3, Mod1=10
  post flags=4
case the sign masked before the flag is made
  pre lreg[0]=0x80000000
  exec SFPLZ VC=0, VD=3, Mod1=14
  post flags=0xffffffff lreg[3]=32
