# SPDX-License-Identifier: Apache-2.0
# Manual SFPLOADI.  The vendor's simulator gives the same for each mode.
case BF16
  exec SFPLOADI VD=7, Mod0=0, Imm16=0xbf80
  post lreg[7]=0xbf800000 lreg[0]=0
case FP16
  exec SFPLOADI VD=5, Mod0=1, Imm16=0xc555
  post lreg[5]=0xc0aaa000
case FP16: what would be infinite is a number
  exec SFPLOADI VD=5, Mod0=1, Imm16=0xfc0f
  post lreg[5]=0xc781e000
case FP16: so is zero
  exec SFPLOADI VD=5, Mod0=1, Imm16=0
  post lreg[5]=0x38000000
case FP16: and denormals
  exec SFPLOADI VD=5, Mod0=1, Imm16=1
  post lreg[5]=0x38002000
case unsigned
  pre lreg[5]=0x11112222
  exec SFPLOADI VD=5, Mod0=2, Imm16=0xfc0f
  post lreg[5]=0xfc0f
case signed
  exec SFPLOADI VD=5, Mod0=4, Imm16=0xfc0f
  post lreg[5]=0xfffffc0f
case the upper half alone
  pre lreg[5]=0x11112222
  exec SFPLOADI VD=5, Mod0=8, Imm16=0xfc0f
  post lreg[5]=0xfc0f2222
case the lower half alone
  pre lreg[5]=0x11112222
  exec SFPLOADI VD=5, Mod0=10, Imm16=0xfc0f
  post lreg[5]=0x1111fc0f
case lanes whose flag is false are left alone
  pre useflags=0xffffffff flags=0xffff0000
  exec SFPLOADI Mod0=2, Imm16=7
  post lreg[0][15]=0 lreg[0][16]=7 lreg[0][31]=7
case lanes that the row mask of their column names are left alone
  pre laneconfig[3]=0x5000
  exec SFPLOADI Mod0=2, Imm16=7
  post lreg[0][2]=7 lreg[0][3]=0 lreg[0][11]=7 lreg[0][19]=0 lreg[0][27]=7
case a mode without meaning
  exec SFPLOADI Mod0=3, Imm16=7
  fault UNDEFINED says=Mod0 3
  post lreg[0]=0
case it does not matter if no lane is enabled
  pre useflags=0xffffffff
  exec SFPLOADI Mod0=3, Imm16=7
  post lreg[0]=0
case LReg[11] is out of reach
  exec SFPLOADI VD=11, Mod0=2, Imm16=7
  fault UNDEFINED says=writes LReg[11]
  post lreg[11]=0xbf800000 template[0]=0
case VD of 12 and more is the back door
  exec SFPLOADI VD=15, Mod0=2, Imm16=7
  post lreg[15][3]=6 template[3]=0x71f20007
case one a cycle
  exec SFPLOADI Mod0=2, Imm16=7
  exec SFPLOADI Mod0=8, Imm16=8
  passes 0 1
  post lreg[0]=0x80007
