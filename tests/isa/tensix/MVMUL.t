# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MVMUL (e70a5c18), SrcASrcB, Dst; sums: docs/matrix-arithmetic.md, compared with a reference in tensix/matrix.
base src[0].owns[0]=1 src[1].owns[0]=1 src[0].implied[0]=5 src[1].implied[0]=5
case a row of SrcB times the columns of SrcA, onto a row of Dst
  pre srca[0][0]=0x7f srca[0][3]=0x80 srcb[0][2][0]=0x7f srcb[0][2][3]=0x80 dst[2]=0x007f dst[3]=0x4080
  exec MVMUL
  post dst[2]=0x4081 dst[3]=0x4080 dst[0]=0 src[0].last=0
case sixteen products
  pre srca[0][0]=0x7f srca[0][1]=0x7f srca[0][2]=0x7f srca[0][3]=0x7f srca[0][4]=0x7f srca[0][5]=0x7f srca[0][6]=0x7f srca[0][7]=0x7f
  pre srca[0][8]=0x7f srca[0][9]=0x7f srca[0][10]=0x7f srca[0][11]=0x7f srca[0][12]=0x7f srca[0][13]=0x7f srca[0][14]=0x7f srca[0][15]=0x7f
  pre srcb[0][0]=0x7f srcb[0][7]=0x4007f
  exec MVMUL
  post dst[0]=0x0083 dst[7]=0x8083 dst[1]=0
case undefined rows are zero, and valid afterwards
  pre srca[0][0]=0x7f srcb[0][0][0]=0x7f dst[0]=0x4242 dst[1]=0x4242 valid[0]=0 valid[1]=0
  exec MVMUL
  post dst[0]=0x007f dst[1]=0 undefined=0
case rows by the counters, the base and the offset
  pre rwc.src_a=0x17 rwc.src_b=0x2f rwc.dst=0x47 thd[1]=0x100 cfg[0][6]=0x200 srca[0][16]=0x7f srcb[0][40][0]=0x80
  exec MVMUL DstRow=0x80
  post dst[0x3c0]=0x0080 src[0].last=16
case banks of the Matrix Unit
  pre src[0].matrix=1 src[0].owns[1]=1 src[0].implied[1]=5 src[1].matrix=1 src[1].owns[1]=1 src[1].implied[1]=5 srca[1][0]=0x80 srcb[1][0][0]=0x80
  exec MVMUL
  post dst[0]=0x0081
case waits for SrcA
  pre src[0].owns[0]=0
  exec MVMUL
  passes -
case waits for SrcB
  pre src[1].owns[0]=0
  exec MVMUL
  passes -
case gives banks back and goes on with the others
  exec MVMUL FlipSrcA=1, FlipSrcB=1
  exec MVMUL
  passes 0 -
  post src[0].owns[0]=0 src[0].matrix=1 src[1].owns[0]=0 src[1].matrix=1
case keeps them with CLR_DVALID_Src*_Disable
  pre thd[7]=3
  exec MVMUL FlipSrcA=1, FlipSrcB=1
  post src[0].owns[0]=1 src[0].matrix=1 src[1].owns[0]=1 src[1].matrix=1
case all of a section of address modes
  pre thd[19]=0x0810 thd[35]=0x2008
  exec MVMUL AddrMod=7
  exec MVMUL AddrMod=7
  post rwc.src_a=32 rwc.src_b=16 rwc.dst=16
case phase 0 leaves out all but four bits of SrcA's mantissa and six of SrcB's
  pre srca[0][0]=0x03f7f srcb[0][0][0]=0x00f7f
  exec MVMUL
  post dst[0]=0x007f
case phase 1: the next five of SrcA
  pre thd[11]=1 srca[0][0]=0x0207f srcb[0][0][0]=0x7f
  exec MVMUL
  post dst[0]=0x007a
case phase 2: the last four of SrcB
  pre thd[11]=2 srca[0][0]=0x7f srcb[0][0][0]=0x0087f
  exec MVMUL
  post dst[0]=0x0078
case phase 3: both, and the counter's phase is added
  pre thd[11]=1 thd[28]=0x4000 srca[0][0]=0x0207f srcb[0][0][0]=0x0087f
  exec MVMUL
  exec MVMUL DstRow=8
  post dst[0]=0x007a dst[8]=0x0073
case TF32 has three more bits of mantissa, of which SrcA's last one counts nowhere
  pre src[0].implied[0]=4 src[1].implied[0]=4 thd[11]=1 srca[0][0]=0x0037f srcb[0][0][0]=0x7f
  exec MVMUL
  post dst[0]=0x0076
case which BF16 has not
  pre thd[11]=1 srca[0][0]=0x0037f srcb[0][0][0]=0x7f
  exec MVMUL
  post dst[0]=0
case SrcB has its own, whatever SrcA is
  pre src[1].implied[0]=4 thd[11]=2 srca[0][0]=0x7f srcb[0][0][0]=0x0017f
  exec MVMUL
  post dst[0]=0x0075
case FP16 in five bits of exponent, in Dst as well
  pre src[0].implied[0]=1 src[1].implied[0]=1 srca[0][0]=0x1000f srcb[0][0][0]=0x00010 dst[0]=0x000f
  exec MVMUL
  post dst[0]=0x6010
  # 1.25 * 2 + 1 = 3.5
case Dst32b
  pre cfg[0][1]=0x20000000 srca[0][0]=0x7f srcb[0][1][0]=0x7f dst[1]=0x0074 dst[9]=0x0000
  exec MVMUL
  post dst[1]=0x007f dst[9]=0x1000
case FP16 onto Dst32b, which is FP32
  pre cfg[0][1]=0x20000000 src[0].implied[0]=1 src[1].implied[0]=1 srca[0][0]=0x1000f srcb[0][0][0]=0x00010 dst[0]=0x007f
  exec MVMUL
  post dst[0]=0x6080 dst[8]=0
case FP16 onto Dst32b: nothing at all still has the exponent of 2^-30, and what is far below it is lost
  pre cfg[0][1]=0x20000000 src[0].implied[0]=1 src[1].implied[0]=1 dst[0]=0x001b dst[1]=0x0061 dst[9]=0x0003
  exec MVMUL
  post dst[0]=0 dst[1]=0x0061 dst[9]=0x0003
case FP16A_FORCE_Enable: FP16 and 16 bits of Dst
  pre thd[55]=1 cfg[0][1]=0x20000000 srca[0][0]=0x1000f srcb[0][0][0]=0x00010
  exec MVMUL
  post dst[0]=0x2010 dst[8]=0
case too large for BF16 is infinity
  pre srca[0][0]=0x000fe srcb[0][0][0]=0x400fe
  exec MVMUL
  post dst[0]=0x80ff
case too large for FP16 is all ones
  pre src[0].implied[0]=1 src[1].implied[0]=1 srca[0][0]=0x0001f srcb[0][0][0]=0x4001f
  exec MVMUL
  post dst[0]=0xffff
case too small is zero
  pre srca[0][0]=0x00001 srcb[0][0][0]=0x40001
  exec MVMUL
  post dst[0]=0
case denormals are zero, in SrcA, SrcB and Dst
  pre srca[0][0]=0x3ff00 srca[0][1]=0x7f srcb[0][0][0]=0x7f srcb[0][0][1]=0x3ff00 dst[0]=0x7f00
  exec MVMUL
  post dst[0]=0
case the highest exponent is an ordinary one
  pre srca[0][0]=0x200ff srcb[0][0][0]=0x0007b
  exec MVMUL
  post dst[0]=0x40fb
case broadcast: one row of SrcB onto every second of seven of Dst
  pre rwc.src_b=3 rwc.dst=1 srcb[0][3][0]=0x7f srcb[0][0][0]=0x80 srca[0][0]=0x7f
  exec MVMUL BroadcastSrcBRow=1, DstRow=6
  post dst[1]=0x7f dst[3]=0x7f dst[5]=0x7f dst[7]=0x7f dst[0]=0 dst[2]=0 dst[4]=0 dst[6]=0
case integers, phase 3: five low bits times four low bits
  pre cfg[0][1]=0x80000000 thd[11]=3 srca[0][0]=0x43f10 srcb[0][0][0]=0x01f10 dst[0]=0 dst[8]=5
  exec MVMUL
  post dst[0]=0x8000 dst[8]=460
case integers, phase 0: the next three times the other six
  pre cfg[0][1]=0x80000000 srca[0][0]=0x03f10 srcb[0][0][0]=0x01f10
  exec MVMUL
  post dst[0]=0 dst[8]=512
case integers: sums are clamped
  pre cfg[0][1]=0x80000000 thd[11]=3 srca[0][0]=0x00510 srcb[0][0][0]=0x00710 srcb[0][1][0]=0x40710 dst[0]=0x7fff dst[8]=0xffff dst[1]=0xffff dst[9]=0xfffe
  exec MVMUL
  post dst[0]=0x7fff dst[8]=0xffff dst[1]=0xffff dst[9]=0xffff
case integers: an exponent of zero means zero, in SrcB unless Zero_Flag_disabled_src
  pre cfg[0][1]=0x80000000 thd[11]=3 srca[0][0]=0x00510 srca[0][1]=0x00500 srcb[0][0][0]=0x00700 srcb[0][1][1]=0x00710
  exec MVMUL
  post dst[8]=0 dst[9]=0
case integers: and with it does not
  pre cfg[0][1]=0x80000000 cfg[0][2]=1 thd[11]=3 srca[0][0]=0x00510 srca[0][1]=0x00500 srcb[0][0][0]=0x00700 srcb[0][1][1]=0x00710
  exec MVMUL
  post dst[8]=35 dst[9]=0
case the configured formats when implied ones are disabled
  pre thd[2]=1 thd[3]=1 cfg[0][1]=0x220000 srca[0][0]=0x1000f srcb[0][0][0]=0x00010
  exec MVMUL
  post dst[0]=0x2010
case a format that nobody has described
  pre src[0].implied[0]=12
  exec MVMUL
  fault UNKNOWN says=SrcA format 12
case nor for SrcB
  pre src[1].implied[0]=13
  exec MVMUL
  fault UNKNOWN says=SrcB format 13
case rows behind the end of SrcA
  pre rwc.src_a=56
  exec MVMUL
  fault UNKNOWN says=from row 56
case remap_addrs
  pre cfg[0][220]=2 srca[0][0]=0x7f srcb[0][0][0]=0x7f
  exec MVMUL DstRow=8
  post dst[32]=0x7f dst[8]=0
case one a cycle, and a block of Dst again six cycles later
  exec MVMUL
  exec MVMUL DstRow=8
  exec MVMUL DstRow=16
  exec MVMUL DstRow=24
  exec MVMUL DstRow=32
  exec MVMUL DstRow=0
  exec MVMUL DstRow=16
  exec MVMUL DstRow=0
  passes 0 1 2 3 4 6 8 12
case in Dst32b a block is sixteen rows of DstBits
  pre cfg[0][1]=0x20000000
  exec MVMUL
  exec MVMUL DstRow=8
  exec MVMUL DstRow=0x208
  exec MVMUL DstRow=0
  passes 0 1 2 6
case bit 11 of DBG_FEATURE_DISABLE: Dst16b is the high halves of Dst32b, and nobody can predict the low ones
  pre reg[0xFFB12068]=0x800 srca[0][0]=0x7f srcb[0][1][0]=0x7f dst[17]=0x007f dst[25]=0x1234 dst[9]=0x5555
  exec MVMUL DstRow=8
  post dst[17]=0x0080 dst[25]=0 dst[9]=0x5555
case there a block is sixteen rows of DstBits, too
  pre reg[0xFFB12068]=0x800
  exec MVMUL
  exec MVMUL DstRow=8
  exec MVMUL DstRow=0
  passes 0 1 6
