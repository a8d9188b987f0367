# SPDX-License-Identifier: Apache-2.0
# Manual SFPMUL24 (585749d1).
case low 23 bits
  pre lreg[0]=0x7fffff lreg[1]=3
  exec SFPMUL24 VA=0, VB=1, VC=9, VD=3
  post lreg[3]=0x7ffffd
case high 23 bits, of 23 bits each
  pre lreg[0]=0xfffffff0 lreg[1]=0x00c00000
  exec SFPMUL24 VA=0, VB=1, VC=9, VD=3, Mod1=1
  # 0x7ffff0 * 0x400000 >> 23
  post lreg[3]=0x3ffff8
case VA and VD by LReg[7]
  pre lreg[5]=6 lreg[1]=7 lreg[7]=5
  exec SFPMUL24 VA=0, VB=1, VC=9, VD=3, Mod1=12
  post lreg[5]=42
case what the adder makes of VC: 4.0 has the product's exponent
  pre lreg[0]=5 lreg[1]=7 lreg[2]=0x40800001
  exec SFPMUL24 VA=0, VB=1, VC=2, VD=3
  # 35 + (0x800001 << 3), 23 bits of it
  post lreg[3]=0x2b
case an exponent of zero adds nothing
  pre lreg[0]=5 lreg[1]=7 lreg[2]=0x007fffff
  exec SFPMUL24 VA=0, VB=1, VC=2, VD=3
  post lreg[3]=35
case a larger one moves the product
  pre lreg[0]=5 lreg[1]=7 lreg[2]=0x41000000
  exec SFPMUL24 VA=0, VB=1, VC=2, VD=3
  # 35 >> 1, plus 0x4000000 of which no bit is kept
  post lreg[3]=17
case a reader waits one cycle
  exec SFPMUL24 VA=0, VB=1, VC=9, VD=3
  exec SFPMOV VC=3, VD=4
  passes 0 2
