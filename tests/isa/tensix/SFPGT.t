# SPDX-License-Identifier: Apache-2.0
# Manual SFPGT: VD > VC in the order of sign-magnitude integers.
case a mask
  pre lreg[3]=2 lreg[0]=1 lreg[0][1]=2 lreg[0][2]=0x80000003
  exec SFPGT VC=0, VD=3, Mod1=8
  post lreg[3][0]=0xffffffff lreg[3][1]=0 lreg[3][2]=0xffffffff
case +0 is more than -0, +NaN more than infinity
  pre lreg[3]=0 lreg[0]=0x80000000 lreg[3][1]=0x7fc00000 lreg[0][1]=0x7f800000 lreg[3][2]=0x80000001 lreg[0][2]=0x80000002
  exec SFPGT VC=0, VD=3, Mod1=8
  post lreg[3][0]=0xffffffff lreg[3][1]=0xffffffff lreg[3][2]=0xffffffff
case flags, of lanes that are enabled
  pre lreg[3]=2 lreg[0]=1 lreg[0][1]=2 useflags=0xffffffff flags=3
  exec SFPGT VC=0, VD=3, Mod1=1
  post flags=1 lreg[3]=2
case the top of the stack, in all lanes: and
  pre lreg[3]=2 lreg[0]=1 lreg[0][1]=2 useflags=0xffffffff flags=0 stack=1 stackflags[0]=0x0000ffff
  exec SFPGT VC=0, VD=3, Mod1=2
  post stackflags[0]=0x0000fffd flags=0
case or
  pre lreg[3]=2 lreg[0]=1 lreg[0][1]=2 stack=1 stackflags[0]=2
  exec SFPGT VC=0, VD=3, Mod1=6
  post stackflags[0]=0xffffffff
case an empty stack has no top
  pre lreg[3]=2 lreg[0]=1
  exec SFPGT VC=0, VD=3, Mod1=6
  post stackflags[0]=0 stack=0
