# SPDX-License-Identifier: Apache-2.0
# Manual SFPSETEXP.
case an immediate
  pre lreg[0]=0xc0490fdb
  exec SFPSETEXP Imm8=127, VC=0, VD=3, Mod1=1
  post lreg[3]=0xbfc90fdb
case the low bits of VD
  pre lreg[0]=0xc0490fdb lreg[3]=0xabcdef7f
  exec SFPSETEXP VC=0, VD=3
  post lreg[3]=0xbfc90fdb
case the exponent of VD
  pre lreg[0]=0xc0490fdb lreg[3]=0x3f812345
  exec SFPSETEXP VC=0, VD=3, Mod1=2
  post lreg[3]=0xbfc90fdb
case VD is protected
  pre lreg[0]=0xc0490fdb lreg[1]=0x3f800000
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPSETEXP VC=0, VD=3, Mod1=2
  passes 0 2
  post lreg[3]=0xbfc90fdb
case but with an immediate not read
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPSETEXP Imm8=127, VC=0, VD=3, Mod1=1
  passes 0 1
