# SPDX-License-Identifier: Apache-2.0
# Manual SFPMAD (585749d1); Miscellaneous/FMA for the arithmetic.
case VA * VB + VC
  pre lreg[0]=0x40000000 lreg[1]=0x40400000 lreg[2]=0x3f800000
  exec SFPMAD VA=0, VB=1, VC=2, VD=3
  post lreg[3]=0x40e00000
case signs: of VA, of VC, of both
  pre lreg[0]=0x40000000 lreg[1]=0x40400000 lreg[2]=0x3f800000
  exec SFPMAD VA=0, VB=1, VC=2, VD=3, Mod1=1
  exec SFPMAD VA=0, VB=1, VC=2, VD=4, Mod1=2
  exec SFPMAD VA=0, VB=1, VC=2, VD=5, Mod1=3
  post lreg[3]=0xc0a00000 lreg[4]=0x40a00000 lreg[5]=0xc0e00000
case denormals are zero, NaN is canonical, a product may overflow
  pre lreg[0]=1 lreg[1]=0x3f800000 lreg[2]=0x80000001 lreg[0][1]=0x7f800001 lreg[0][2]=0x7f000000 lreg[1][2]=0x7f000000 lreg[2][2]=0xff000000
  exec SFPMAD VA=0, VB=1, VC=2, VD=3
  post lreg[3][0]=0 lreg[3][1]=0x7fc00000 lreg[3][2]=0x7f800000
case infinity without a sign of its own
  pre lreg[0]=0x7f800000 lreg[1]=0x3f800000 lreg[2]=0xff800000 lreg[1][1]=0
  exec SFPMAD VA=0, VB=1, VC=2, VD=3
  exec SFPMAD VA=0, VB=1, VC=2, VD=4, Mod1=2
  post lreg[3][0]=0x7fc00000 lreg[4][0]=0x7f800000 lreg[3][1]=0x7fc00000
case fused in part: the product has three bits more
  # (1 + 2^-23)^2 - (1 + 2^-22): what is left is 2^-46, of which the sticky bit remains: 2^-26
  pre lreg[0]=0x3f800001 lreg[1]=0x3f800001 lreg[2]=0xbf800002
  exec SFPMAD VA=0, VB=1, VC=2, VD=3
  post lreg[3]=0x32800000
case VA by LReg[7], each lane its own
  pre lreg[0]=0x40000000 lreg[5]=0x40a00000 lreg[1]=0x3f800000 lreg[7]=0xfff0 lreg[7][9]=5 lreg[7][10]=10
  exec SFPMAD VA=3, VB=1, VC=9, VD=3, Mod1=4
  post lreg[3][0]=0x40000000 lreg[3][9]=0x40a00000 lreg[3][10]=0x3f800000
case VD by LReg[7]; above 7 nothing is written
  pre lreg[1]=0x3f800000 lreg[7]=4 lreg[7][9]=5 lreg[7][10]=9
  exec SFPMAD VA=10, VB=1, VC=9, VD=3, Mod1=8
  post lreg[4][0]=0x3f800000 lreg[4][9]=0 lreg[5][9]=0x3f800000 lreg[5][10]=0 lreg[3]=0 lreg[9]=0
case LReg[7] itself
  pre lreg[1]=0x3f800000 lreg[7]=7
  exec SFPMAD VA=10, VB=1, VC=9, VD=3, Mod1=8
  post lreg[7]=0x3f800000
case one a cycle if nobody reads
  exec SFPMAD VA=0, VB=1, VC=2, VD=3
  exec SFPMAD VA=0, VB=1, VC=2, VD=4
  exec SFPMAD VA=0, VB=1, VC=2, VD=3
  passes 0 1 2
case a reader waits one cycle
  pre lreg[1]=0x40000000
  exec SFPMAD VA=10, VB=1, VC=1, VD=3
  exec SFPMAD VA=3, VB=3, VC=9, VD=4
  exec SFPMAD VA=10, VB=4, VC=3, VD=5
  passes 0 2 4
  post lreg[3]=0x40800000 lreg[4]=0x41800000 lreg[5]=0x41a00000
case an instruction between makes the wait useless
  exec SFPMAD VA=10, VB=1, VC=9, VD=3
  exec SFPNOP
  exec SFPMOV VC=3, VD=4
  passes 0 1 2
case a reader in another thread waits too
  pre lreg[1]=0x40000000
  exec SFPMAD VA=10, VB=1, VC=9, VD=3
  exec T1 SFPMAD VA=10, VB=3, VC=9, VD=4
  post lreg[4]=0x40000000
case VD by LReg[7] counts as a write of all registers
  exec SFPMAD VA=10, VB=1, VC=9, VD=3, Mod1=8
  exec SFPMOV VC=6, VD=5
  passes 0 2
case VA by LReg[7] counts as a read of all
  exec SFPMAD VA=10, VB=1, VC=9, VD=6
  exec SFPMAD VA=10, VB=1, VC=9, VD=3, Mod1=4
  passes 0 2
case constants are never waited for
  exec SFPMAD VA=10, VB=1, VC=9, VD=3, Mod1=8
  exec SFPMOV VC=10, VD=5
  passes 0 1
case a store waits
  pre lreg[1]=0x40000000
  exec SFPMAD VA=10, VB=1, VC=9, VD=3
  exec SFPSTORE VD=3, Mod0=2, Imm10=0
  passes 0 2
  post dst[0][0]=0x0080
case a register that cannot be written
  exec SFPMAD VA=10, VB=1, VC=9, VD=11
  fault UNDEFINED says=SFPMAD writes LReg[11]
  post lreg[11]=0xbf800000
case VD of 12 and more is the back door
  exec SFPMAD VA=10, VB=1, VC=9, VD=12, Mod1=2
  post template[0]=0x840a19c2 lreg[12]=0x3b000000
