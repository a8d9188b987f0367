# SPDX-License-Identifier: Apache-2.0
# Manual SFPADDI.
case an immediate in BF16
  pre lreg[3]=0x40000000
  exec SFPADDI Imm16=0x3f80, VD=3
  post lreg[3]=0x40400000
case minus VD
  pre lreg[3]=0x40000000
  exec SFPADDI Imm16=0x3f80, VD=3, Mod1=2
  post lreg[3]=0xbf800000
case where to by LReg[7]
  pre lreg[3]=0x40000000 lreg[7]=2
  exec SFPADDI Imm16=0x3f80, VD=3, Mod1=8
  post lreg[3]=0x40000000 lreg[2]=0x40400000
case VD is protected
  pre lreg[3]=0x40000000
  exec SFPADDI Imm16=0x3f80, VD=3
  exec SFPADDI Imm16=0x3f80, VD=3
  passes 0 2
  post lreg[3]=0x40800000
