# SPDX-License-Identifier: Apache-2.0
# Manual SFPSTORE (0f3f6b70).  Modes are MOD0_FMT_*.
case BF16: cut off, denormals are zero
  pre lreg[3]=0x3fffffff lreg[3][1]=0x807fffff lreg[3][2]=0x7f800001
  exec SFPSTORE VD=3, Mod0=2, Imm10=0
  post dst[0][0]=0x7f7f dst[0][2]=0x8000 dst[0][4]=0x00ff dst[0][1]=0 dst[3][14]=0x7f7f dst[4][0]=0
case odd columns
  pre lreg[3]=0x3f800000
  exec SFPSTORE VD=3, Mod0=2, Imm10=2
  post dst[0][0]=0 dst[0][1]=0x7f dst[3][15]=0x7f
case FP16
  pre lreg[3]=0xbfc00000 lreg[3][1]=0x47800000 lreg[3][2]=0x48000000 lreg[3][3]=0x38000000 lreg[3][4]=0x387fffff lreg[3][5]=0xff800000 lreg[3][6]=0x38800000
  exec SFPSTORE VD=3, Mod0=1, Imm10=0
  post dst[0][0]=0xc00f dst[0][2]=0x001f dst[0][4]=0x7fff dst[0][6]=0 dst[0][8]=0 dst[0][10]=0xffff dst[0][12]=0x0001
case FP32: denormals are zero; INT32: they are not
  pre lreg[3]=0x80000001 lreg[4]=0x80000001 lreg[3][1]=0x40490fdb
  exec SFPSTORE VD=3, Mod0=3, Imm10=0
  exec SFPSTORE VD=4, Mod0=4, Imm10=4
  post dst[0][0]=0x8000 dst[8][0]=0 dst[4][0]=0x8000 dst[12][0]=1 dst[0][2]=0x4980 dst[8][2]=0x0fdb
case INT32_SM is INT32
  pre lreg[3]=0x80000001
  exec SFPSTORE VD=3, Mod0=12, Imm10=0
  post dst[0][0]=0x8000 dst[8][0]=1
case integers of 8 bits: an exponent of 16
  pre lreg[3]=0x80000005 lreg[3][1]=0
  exec SFPSTORE VD=3, Mod0=5, Imm10=0
  exec SFPSTORE VD=3, Mod0=13, Imm10=4
  post dst[0][0]=0x80b0 dst[0][2]=0x0010 dst[4][0]=0x80b0
case of 16 bits
  pre lreg[3]=0x81238005
  exec SFPSTORE VD=3, Mod0=8, Imm10=0
  exec SFPSTORE VD=3, Mod0=6, Imm10=4
  exec SFPSTORE VD=3, Mod0=14, Imm10=8
  exec SFPSTORE VD=3, Mod0=15, Imm10=12
  post dst[0][0]=0x8005 dst[4][0]=0x8005 dst[8][0]=0x8005 dst[12][0]=0x8123
case a magnitude of 15 bits
  pre lreg[3]=0x00018005
  exec SFPSTORE VD=3, Mod0=8, Imm10=0
  post dst[0][0]=0x0005
case opaque 32 bits, and with the halves exchanged
  pre lreg[3]=0x12345678
  exec SFPSTORE VD=3, Mod0=7, Imm10=0
  exec SFPSTORE VD=3, Mod0=9, Imm10=4
  post dst[0][0]=0x1234 dst[8][0]=0x5678 dst[4][0]=0x5678 dst[12][0]=0x1234
case zero
  pre lreg[3]=5 dst[0][0]=7 dst[0][1]=7
  exec SFPSTORE VD=3, Mod0=11, Imm10=0
  post dst[0][0]=0 dst[0][1]=7
case lanes that are not enabled store nothing
  pre lreg[3]=5 useflags=0xffffffff flags=2
  exec SFPSTORE VD=3, Mod0=6, Imm10=0
  post dst[0][0]=0 dst[0][2]=5 dst[0][4]=0
case INT32_ALL: all lanes, Sp steps on afterwards
  pre lreg[3]=5 useflags=0xffffffff flags=2 rwc.sp=4 thd[36]=6
  exec SFPSTORE VD=3, Mod0=10, Imm10=0
  post dst[12][0]=5 dst[12][14]=5 rwc.sp=10
case pushed and popped
  pre lreg[3]=5 lreg[4]=6 thd[36]=4
  exec SFPSTORE VD=3, Mod0=10, Imm10=64
  exec SFPSTORE VD=4, Mod0=10, Imm10=64
  exec SFPLOAD VD=5, Mod0=10, Imm10=64
  exec SFPLOAD VD=6, Mod0=10, Imm10=64
  post lreg[5]=6 lreg[6]=5 rwc.sp=0
case SRCB is FP32 where the Vector Unit has 32 bits: denormals are lost
  pre cfg[0][1]=0x40000000 lreg[3]=1 lreg[3][1]=0x3f800001
  exec SFPSTORE VD=3, Mod0=0, Imm10=0
  post dst[8][0]=0 dst[0][2]=0x7f dst[8][2]=1
case SRCB: SFPU_DEST_FMT of the thread
  pre cfg[0][1]=0x00a00000 thd[4]=3 lreg[3]=0x3f800000
  exec SFPSTORE VD=3, Mod0=0, Imm10=0
  post dst[0][0]=0x000f
case constants can be stored
  exec SFPSTORE VD=10, Mod0=2, Imm10=0
  post dst[0][0]=0x7f
case above 11 only with the back door closed
  pre laneconfig[1]=2
  exec SFPSTORE VD=15, Mod0=6, Imm10=0
  post dst[0][2]=2 dst[0][4]=0 template[3][0]=0x72f60000 template[3][1]=0
case BLOCK_DEST_WR_FROM_SFPU and DEST_WR_COL_EXCHANGE
  pre laneconfig[1]=0x10 laneconfig[2]=0x80 lreg[3]=5
  exec SFPSTORE VD=3, Mod0=6, Imm10=0
  post dst[0][0]=5 dst[0][2]=0 dst[0][3]=0 dst[0][4]=0 dst[0][5]=5 dst[1][2]=5 dst[1][4]=0 dst[1][5]=5
case a row that is undefined becomes valid, and zero elsewhere
  pre lreg[3]=5 dst[0][0]=7 dst[0][1]=7 dst[1][1]=7
  exec ZEROACC Imm10=0
  exec SFPSTORE VD=3, Mod0=6, Imm10=0
  post valid[0]=1 dst[0][0]=5 dst[0][1]=0 dst[1][1]=7
case the address modifier steps the counter
  pre thd[29]=2
  exec SFPSTORE VD=3, Mod0=2, AddrMod=1, Imm10=0
  post rwc.dst=2
case what else is in an undefined row becomes zero, with Zero_Flag_disabled_dst it stays
  pre dst[0]=0x0080 valid[0]=0
  exec SFPSTORE VD=0, Mod0=2, Imm10=0
  post dst[0][0]=0 dst[0][1]=0 valid[0]=1
case ... with it
  pre dst[0]=0x0080 valid[0]=0 cfg[0][2]=2
  exec SFPSTORE VD=0, Mod0=2, Imm10=0
  post dst[0][0]=0 dst[0][1]=0x0080 valid[0]=1
