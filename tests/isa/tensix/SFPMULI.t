# SPDX-License-Identifier: Apache-2.0
# Manual SFPMULI.
case an immediate in BF16
  pre lreg[3]=0x40000000
  exec SFPMULI Imm16=0x4040, VD=3
  post lreg[3]=0x40c00000
case -0 becomes +0
  pre lreg[3]=0x80000000
  exec SFPMULI Imm16=0x4040, VD=3
  post lreg[3]=0
case of minus VD
  pre lreg[3]=0x40000000
  exec SFPMULI Imm16=0x4040, VD=3, Mod1=2
  post lreg[3]=0xc0c00000
