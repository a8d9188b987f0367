# SPDX-License-Identifier: Apache-2.0
# Manual SFPPOPC.
case what was pushed comes back
  pre useflags=0xffff flags=0xf0f0
  exec SFPPUSHC
  exec SFPENCC Imm2=1, Mod1=10
  exec SFPPOPC
  post stack=0 useflags=0xffff flags=0xf0f0
case an empty stack
  pre flags=7 useflags=0xffffffff
  exec SFPPOPC
  fault UNDEFINED says=SFPPOPC with a flag stack that is empty
  post stack=0
case modes look at the top and leave it
  pre flags=0xc useflags=0 stack=1 stackflags[0]=0xa stackuse[0]=0xff
  exec SFPPOPC Mod1=5
  post stack=1 flags=4 useflags=0xff
case of a full stack too
  pre flags=0xc stack=8 stackflags[7]=0xa
  exec SFPPOPC Mod1=3
  post stack=8 flags=8
case an empty stack has false on top
  pre flags=0xc useflags=0xf
  exec SFPPOPC Mod1=4
  post flags=0xc useflags=0
case 13 leaves useflags alone
  pre flags=0xc useflags=0xf stack=1 stackuse[0]=0
  exec SFPPOPC Mod1=13
  post flags=0xfffffff3 useflags=0xf
case 14
  pre flags=0xc useflags=0xf
  exec SFPPOPC Mod1=14
  post flags=0xffffffff useflags=0xffffffff
case 15
  pre flags=0xc useflags=0xf
  exec SFPPOPC Mod1=15
  post flags=0 useflags=0xffffffff
case if, else, end as compilers do it
  pre useflags=0xffffffff flags=0xffffffff lreg[0]=0x80000000 lreg[0][0]=1 lreg[0][5]=2
  exec SFPPUSHC
  exec SFPSETCC VC=0
  exec SFPLOADI VD=3, Mod0=2, Imm16=1
  exec SFPCOMPC
  exec SFPLOADI VD=3, Mod0=2, Imm16=2
  exec SFPPOPC
  passes 0 1 2 3 4 5
  post lreg[3][0]=2 lreg[3][1]=1 lreg[3][5]=2 lreg[3][31]=1 flags=0xffffffff stack=0
