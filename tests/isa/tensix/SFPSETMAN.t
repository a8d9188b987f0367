# SPDX-License-Identifier: Apache-2.0
# Manual SFPSETMAN.
case an immediate of twelve bits
  pre lreg[0]=0xc0490fdb
  exec SFPSETMAN Imm12=0x801, VC=0, VD=3, Mod1=1
  post lreg[3]=0xc0400800
case the mantissa of VD
  pre lreg[0]=0xc0490fdb lreg[3]=0xff812345
  exec SFPSETMAN VC=0, VD=3
  post lreg[3]=0xc0012345
