# SPDX-License-Identifier: Apache-2.0
# Manual SFPEXEXP.
case without bias
  pre lreg[0]=0xc0490fdb lreg[0][1]=0 lreg[0][2]=0x7f800000
  exec SFPEXEXP VC=0, VD=3
  post lreg[3][0]=1 lreg[3][1]=0xffffff81 lreg[3][2]=128
case with it
  pre lreg[0]=0xc0490fdb
  exec SFPEXEXP VC=0, VD=3, Mod1=1
  post lreg[3]=128
case a flag for below zero
  pre lreg[0]=0x3f000000 lreg[0][3]=0x3f800000 useflags=0xffffffff flags=0xffffffff
  exec SFPEXEXP VC=0, VD=3, Mod1=2
  post flags=0xfffffff7
case or not below zero
  pre lreg[0]=0x3f000000 lreg[0][3]=0x3f800000 useflags=0xffffffff flags=0xffffffff
  exec SFPEXEXP VC=0, VD=3, Mod1=10
  post flags=8
case the complement alone turns the flags round
  pre flags=0xff
  exec SFPEXEXP VC=0, VD=3, Mod1=8
  post flags=0xffffff00
case FP32 to int32 as kernels do it: 13 instructions, truncated, what is too large and NaN the smallest number
  pre cfg[0][1]=0x40000000 useflags=0xffffffff flags=0xffffffff dst[0][0]=0x007f dst[0][2]=0xa080 dst[0][4]=0x007e dst[0][6]=0x009e dst[0][8]=0x80ff dst[0][10]=0x0097 dst[0][12]=0x718f dst[8][12]=0x2065 dst[0][14]=0xc0ff
  exec SFPLOAD VD=0, Mod0=0, Imm10=0
  exec SFPLOADI VD=1, Mod0=0, Imm16=0
  exec SFPEXEXP VC=0, VD=2, Mod1=10
  exec SFPLOADI VD=1, Mod0=0, Imm16=0x8000
  exec SFPIADD Imm12=-31, VC=2, VD=2, Mod1=1
  exec SFPIADD Imm12=8, VC=2, VD=2, Mod1=5
  exec SFPEXMAN VC=0, VD=1
  exec SFPSHFT VC=2, VD=1
  exec SFPENCC
  exec SFPSETCC VC=0
  exec SFPIADD VC=9, VD=1, Mod1=6
  exec SFPENCC
  exec SFPSTORE VD=1, Mod0=4, Imm10=0
  passes 0 1 2 3 4 5 6 7 8 9 10 11 12
  # 1, -2.5, 0.5, 2^31, -infinity, 2^24, 123456.79, -NaN
  post lreg[1][0]=1 lreg[1][1]=0xfffffffe lreg[1][2]=0 lreg[1][3]=0x80000000 lreg[1][4]=0x80000000 lreg[1][5]=0x01000000 lreg[1][6]=123456 lreg[1][7]=0x80000000 dst[8][0]=1
case FP32 to uint32 as kernels do it: 11 instructions, negative numbers zero, what is too large and NaN all ones
  pre cfg[0][1]=0x40000000 useflags=0xffffffff flags=0xffffffff dst[0][0]=0x007f dst[0][2]=0x807f dst[0][4]=0x009e dst[0][6]=0x009f dst[0][8]=0x00ff dst[0][10]=0xc0ff dst[0][12]=0x007e dst[0][14]=0x718f dst[8][14]=0x2065
  exec SFPLOAD VD=0, Mod0=0, Imm10=0
  exec SFPLOADI VD=1, Mod0=0, Imm16=0
  exec SFPSETCC VC=0, Mod1=4
  exec SFPEXEXP VC=0, VD=2, Mod1=10
  exec SFPLOADI VD=1, Mod0=4, Imm16=0xffff
  exec SFPIADD Imm12=-32, VC=2, VD=2, Mod1=1
  exec SFPIADD Imm12=9, VC=2, VD=2, Mod1=5
  exec SFPEXMAN VC=0, VD=1
  exec SFPSHFT VC=2, VD=1
  exec SFPENCC
  exec SFPSTORE VD=1, Mod0=4, Imm10=0
  passes 0 1 2 3 4 5 6 7 8 9 10
  # 1, -1, 2^31, 2^32, infinity, -NaN, 0.5, 123456.79
  post lreg[1][0]=1 lreg[1][1]=0 lreg[1][2]=0x80000000 lreg[1][3]=0xffffffff lreg[1][4]=0xffffffff lreg[1][5]=0 lreg[1][6]=0 lreg[1][7]=123456
