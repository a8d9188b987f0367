# SPDX-License-Identifier: Apache-2.0
# Manual SFPSETCC (585749d1).
case below zero
  pre lreg[0]=1 lreg[0][3]=0x80000000 useflags=0xffffffff flags=0xffffffff
  exec SFPSETCC VC=0
  post flags=8
case not zero
  pre lreg[0]=1 lreg[0][3]=0 useflags=0xffffffff flags=0xffffffff
  exec SFPSETCC VC=0, Mod1=2
  post flags=0xfffffff7
case not below zero
  pre lreg[0]=1 lreg[0][3]=0x80000000 useflags=0xffffffff flags=0xffffffff
  exec SFPSETCC VC=0, Mod1=4
  post flags=0xfffffff7
case zero
  pre lreg[0]=1 lreg[0][3]=0 useflags=0xffffffff flags=0xffffffff
  exec SFPSETCC VC=0, Mod1=6
  post flags=8
case an immediate
  pre useflags=0xffffffff flags=0xff
  exec SFPSETCC Imm1=1, VC=0, Mod1=1
  post flags=0xff
case or zero
  pre useflags=0xffffffff flags=0xff
  exec SFPSETCC Imm1=0, VC=0, Mod1=1
  post flags=0
case clear
  pre useflags=0xffffffff flags=0xff
  exec SFPSETCC Imm1=1, VC=0, Mod1=9
  post flags=0
case only lanes that are enabled
  pre lreg[0]=0x80000000 lreg[0][0]=0 useflags=0xffffffff flags=7
  exec SFPSETCC VC=0
  post flags=6
case where flags are not used they become false
  pre lreg[0]=0x80000000 useflags=0x0000ffff flags=0xffffffff
  exec SFPSETCC VC=0
  post flags=0x0000ffff
case it waits for a result of the MAD sub-unit
  pre lreg[1]=0xbf800000 useflags=0xffffffff flags=0xffffffff
  exec SFPADD VA=10, VB=1, VC=9, VD=0
  exec SFPSETCC VC=0
  passes 0 2
  post flags=0xffffffff
