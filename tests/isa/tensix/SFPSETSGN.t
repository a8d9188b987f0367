# SPDX-License-Identifier: Apache-2.0
# Manual SFPSETSGN.
case an immediate
  pre lreg[0]=0xc0490fdb
  exec SFPSETSGN Imm1=0, VC=0, VD=3, Mod1=1
  exec SFPSETSGN Imm1=1, VC=3, VD=4, Mod1=1
  post lreg[3]=0x40490fdb lreg[4]=0xc0490fdb
case the sign of VD
  pre lreg[0]=0x40490fdb lreg[3]=0x80000000
  exec SFPSETSGN VC=0, VD=3
  post lreg[3]=0xc0490fdb
