# SPDX-License-Identifier: Apache-2.0
# Manual SFPLE: VD <= VC in the order of sign-magnitude integers.
case a mask
  pre lreg[3]=2 lreg[0]=1 lreg[0][1]=2 lreg[0][2]=0x80000003
  exec SFPLE VC=0, VD=3, Mod1=8
  post lreg[3][0]=0 lreg[3][1]=0xffffffff lreg[3][2]=0
case flags
  pre lreg[3]=2 lreg[0]=1 lreg[0][1]=2 useflags=0xffffffff flags=3
  exec SFPLE VC=0, VD=3, Mod1=1
  post flags=2 lreg[3]=2
case the top of the stack, in all lanes
  pre lreg[3]=2 lreg[0]=1 lreg[0][1]=2 flags=0 useflags=0xffffffff stack=2 stackflags[0]=5 stackflags[1]=0xffffffff
  exec SFPLE VC=0, VD=3, Mod1=2
  post stackflags[1]=2 stackflags[0]=5
