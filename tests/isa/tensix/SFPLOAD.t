# SPDX-License-Identifier: Apache-2.0
# Manual SFPLOAD (1392d237).  Modes are MOD0_FMT_*.
case BF16, even columns of four rows
  pre dst[0][0]=0x0080 dst[0][2]=0xc07f dst[3][14]=0x1180 dst[0][1]=0x5555
  exec SFPLOAD VD=3, Mod0=2, Imm10=0
  post lreg[3][0]=0x40000000 lreg[3][1]=0xbfc00000 lreg[3][31]=0x40110000 lreg[3][8]=0
case odd columns
  pre dst[4][1]=0x0080 dst[7][15]=0x0081 dst[4][0]=0x5555
  exec SFPLOAD VD=3, Mod0=2, Imm10=6
  post lreg[3][0]=0x40000000 lreg[3][31]=0x40800000
case FP16
  pre dst[0][0]=0xc010 dst[0][2]=0x001f dst[0][4]=0x0020 dst[0][6]=0x7fff
  exec SFPLOAD VD=3, Mod0=1, Imm10=0
  # -1.5 * 2; 2^16; a denormal that stays one; the largest number
  post lreg[3][0]=0xc0400000 lreg[3][1]=0x47800000 lreg[3][2]=0x00002000 lreg[3][3]=0x47ffe000
case FP16 with ENABLE_FP16A_INF
  pre laneconfig=1 dst[0][6]=0x7fff dst[0][8]=0xffff dst[0][10]=0x7fdf
  exec SFPLOAD VD=3, Mod0=1, Imm10=0
  post lreg[3][3]=0x7f800000 lreg[3][4]=0xff800000 lreg[3][5]=0x47ffc000
case 32 bits: high half and low half
  pre dst[0][0]=0x4980 dst[8][0]=0x0fdb
  exec SFPLOAD VD=3, Mod0=3, Imm10=0
  exec SFPLOAD VD=4, Mod0=4, Imm10=0
  exec SFPLOAD VD=5, Mod0=12, Imm10=0
  post lreg[3][0]=0x40490fdb lreg[4][0]=0x40490fdb lreg[5][0]=0x40490fdb
case rows of 32 bits from 8 on stand 16 further
  pre dst[16][0]=0x0080
  exec SFPLOAD VD=3, Mod0=4, Imm10=8
  post lreg[3][0]=0x40000000
case integers of 8 bits, and of 10 in the old mode
  pre dst[0][0]=0x9ff0 dst[0][2]=0x7ff0
  exec SFPLOAD VD=3, Mod0=5, Imm10=0
  exec SFPLOAD VD=4, Mod0=13, Imm10=0
  post lreg[3][0]=0x800000ff lreg[3][1]=0xff lreg[4][0]=0x800000ff lreg[4][1]=0x3ff
case of 16 bits
  pre dst[0][0]=0x8005
  exec SFPLOAD VD=3, Mod0=8, Imm10=0
  exec SFPLOAD VD=4, Mod0=6, Imm10=0
  exec SFPLOAD VD=5, Mod0=9, Imm10=0
  exec SFPLOAD VD=6, Mod0=7, Imm10=0
  post lreg[3][0]=0x80000005 lreg[4][0]=0x8005 lreg[5][0]=0x8005 lreg[6][0]=0x80050000
case one half, the other stays
  pre lreg[3]=0x11112222 lreg[4]=0x11112222 dst[0][0]=0x8005
  exec SFPLOAD VD=3, Mod0=14, Imm10=0
  exec SFPLOAD VD=4, Mod0=15, Imm10=0
  post lreg[3][0]=0x11118005 lreg[4][0]=0x80052222
case zero
  pre lreg[3]=5 dst[0][0]=0x8005
  exec SFPLOAD VD=3, Mod0=11, Imm10=0
  post lreg[3]=0
case SRCB: FP16 if nothing else is said
  # ALU_FORMAT_SPEC_REG1_SrcB = FP16
  pre cfg[0][1]=0x00200000 dst[0][0]=0x000f
  exec SFPLOAD VD=3, Mod0=0, Imm10=0
  post lreg[3][0]=0x3f800000
case SRCB: BF16 for BF16 and its kin
  pre cfg[0][1]=0x00a00000 dst[0][0]=0x007f
  exec SFPLOAD VD=3, Mod0=0, Imm10=0
  post lreg[3][0]=0x3f800000
case SRCB: the override
  pre cfg[0][1]=0x00a00000 cfg[0][0]=0x220 dst[0][0]=0x000f
  exec SFPLOAD VD=3, Mod0=0, Imm10=0
  post lreg[3][0]=0x3f800000
case SRCB: SFPU_DEST_FMT of the thread
  pre cfg[0][1]=0x00a00000 thd[4]=3 dst[0][0]=0x000f
  exec SFPLOAD VD=3, Mod0=0, Imm10=0
  post lreg[3][0]=0x3f800000
case SRCB: FP32 where the Vector Unit has 32 bits
  pre cfg[0][1]=0x40a00000 thd[4]=3 dst[0][0]=0x007f dst[8][0]=1
  exec SFPLOAD VD=3, Mod0=0, Imm10=0
  post lreg[3][0]=0x3f800001
case the other bank of configuration
  pre thd[0]=1 cfg[1][1]=0x00a00000 dst[0][0]=0x007f
  exec SFPLOAD VD=3, Mod0=0, Imm10=0
  post lreg[3][0]=0x3f800000
case where: immediate, MATH_Offset, counter, base, and two bits of Sp
  pre thd[1]=16 rwc.dst=32 cfg[0][6]=64 rwc.sp=2 cfg[0][7]=4 dst[116][1]=0x007f
  exec SFPLOAD VD=3, Mod0=2, Imm10=4
  post lreg[3][0]=0x3f800000 rwc.sp=2
case it wraps at 1024
  pre rwc.dst=1020 dst[4][0]=0x007f
  exec SFPLOAD VD=3, Mod0=2, Imm10=8
  post lreg[3][0]=0x3f800000
case INT32_ALL: Sp steps back first, and two bits of the counter count
  pre rwc.sp=8 thd[36]=4 rwc.dst=2 dst[4][1]=0x007f
  exec SFPLOAD VD=3, Mod0=10, Imm10=0
  post lreg[3][0]=0x3f800000 rwc.sp=4
case INT32_ALL: Sp of zero stays
  pre thd[36]=4 cfg[0][7]=4 dst[4][0]=0x007f
  exec SFPLOAD VD=3, Mod0=10, Imm10=0
  post lreg[3][0]=0x3f800000 rwc.sp=0
case INT32_ALL: in all lanes
  pre dst[0][0]=0x007f dst[0][2]=0x007f useflags=0xffffffff flags=2
  exec SFPLOAD VD=3, Mod0=10, Imm10=0
  exec SFPLOAD VD=4, Mod0=4, Imm10=0
  post lreg[3][0]=0x3f800000 lreg[4][0]=0 lreg[4][1]=0x3f800000
case the address modifier steps the counter
  pre thd[29]=2
  exec SFPLOAD VD=3, Mod0=2, AddrMod=1, Imm10=0
  post rwc.dst=2
case addresses in Dst through DEST_ACCESS_CFG
  pre cfg[0][220]=2 dst[32][0]=0x007f
  exec SFPLOAD VD=3, Mod0=2, Imm10=8
  post lreg[3][0]=0x3f800000
case a row that is undefined is zero
  pre dst[0][0]=0x007f dst[1][0]=0x007f dst[2][0]=0x007f
  exec ZEROACC Imm10=1
  exec SFPLOAD VD=3, Mod0=2, Imm10=0
  post lreg[3][0]=0x3f800000 lreg[3][8]=0 lreg[3][16]=0x3f800000
case DEST_RD_COL_EXCHANGE: odd columns, for the columns of the first row
  pre laneconfig[1]=0x40 laneconfig[8]=0x40 dst[0][0]=1 dst[0][2]=2 dst[0][3]=3 dst[1][0]=4 dst[1][3]=5
  exec SFPLOAD VD=3, Mod0=6, Imm10=0
  post lreg[3][0]=1 lreg[3][1]=3 lreg[3][8]=4 lreg[3][9]=5
case BLOCK_SFPU_RD_FROM_DEST
  pre laneconfig[1]=0x20 dst[0][0]=1 dst[0][2]=2
  exec SFPLOAD VD=3, Mod0=6, Imm10=0
  post lreg[3][0]=1 lreg[3][1]=0
case the index goes four registers above
  pre laneconfig=0xc dst[36][0]=1
  exec SFPLOAD VD=2, Mod0=6, Imm10=38
  post lreg[6][0]=0x241 lreg[6][1]=0x243 lreg[6][31]=0x27f
case not with one of the bits alone
  pre laneconfig=8
  exec SFPLOAD VD=2, Mod0=6, Imm10=38
  post lreg[6]=0
case into a register that cannot be written: the address modifier alone, which kernels use it for
  pre thd[29]=2 dst[0][0]=0x007f
  exec SFPLOAD VD=8, Mod0=2, AddrMod=1, Imm10=0
  post rwc.dst=2
case the upper half of Dst words with bit 11 of DBG_FEATURE_DISABLE
  pre reg[0xffb12068]=0x800 dst[16][0]=0x007f
  exec SFPLOAD VD=3, Mod0=2, Imm10=8
  post lreg[3][0]=0x3f800000
case rows that are undefined are zero
  pre dst[0][0]=0x0080 dst[1][0]=0x0081 valid[0]=0
  exec SFPLOAD VD=3, Mod0=2, Imm10=0
  post lreg[3][0]=0 lreg[3][8]=0x40800000
case ... and with Zero_Flag_disabled_dst what they hold
  pre dst[0][0]=0x0080 dst[1][0]=0x0081 valid[0]=0 cfg[0][2]=2
  exec SFPLOAD VD=3, Mod0=2, Imm10=0
  post lreg[3][0]=0x40000000 lreg[3][8]=0x40800000
