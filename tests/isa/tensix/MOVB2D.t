# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MOVB2D (545c98a3), SrcASrcB, Dst; which bit disables the implied format: docs/errata-tensix.md.
case one row
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][9]=0x6007f rwc.src_b=4 rwc.src_a=33 rwc.dst=0x20 thd[1]=0x100 cfg[0][6]=0x40
  exec MOVB2D SrcRow=5, DstRow=7
  post dst[0x167]=0xc07f dst[0x166]=0 dst[0x168]=0 src[0].last=33
case four rows, aligned on both sides
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][4]=0x1007f srcb[0][7]=0x2007f srcb[0][8]=0x3007f
  exec MOVB2D SrcRow=7, DstRow=14, Move4Rows=1
  post dst[12]=0x207f dst[15]=0x407f dst[11]=0 dst[16]=0
case one row to eight: Dst is aligned, SrcB is not; Move4Rows does not count
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][5]=0x1007f srcb[0][6]=0x2007f
  exec MOVB2D SrcRow=5, DstRow=14, Broadcast1RowTo8=1, Move4Rows=1
  post dst[7]=0 dst[8]=0x207f dst[15]=0x207f dst[16]=0
case column 0 to all columns
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][0]=0x1007f srcb[0][0][0]=0x2007f
  exec MOVB2D BroadcastCol0=1
  post dst[0]=0x407f
case one cell to eight rows
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][3]=0x1007f srcb[0][3][0]=0x2007f
  exec MOVB2D SrcRow=3, BroadcastCol0=1, Broadcast1RowTo8=1
  post dst[0]=0x407f dst[7]=0x407f dst[8]=0
case without column 0 every column is its own
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][0]=0x1007f srcb[0][0][0]=0x2007f
  exec MOVB2D Move4Rows=1
  post dst[0][0]=0x407f dst[0][1]=0x207f
case FP16
  pre src[1].owns[0]=1 src[1].implied[0]=1 srcb[0][0]=0x5ab0f
  exec MOVB2D
  post dst[0]=0xb56f
case TF32
  pre src[1].owns[0]=1 src[1].implied[0]=4 srcb[0][0]=0x5ab7f
  exec MOVB2D DstRow=9
  post dst[17]=0xb57f dst[25]=0x6000 dst[9]=0
case Fp32_enabled with BF16 in SrcB: the low three bits of the mantissa are not its
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][0]=0x5ab7f cfg[0][1]=0x20000000
  exec MOVB2D
  post dst[0]=0xb57f dst[8]=0
case Fp32_enabled with FP16 in SrcB: as a card has it, sign, mantissa and exponent of FP16 overlaid onto TF32
  pre src[1].owns[0]=1 src[1].implied[0]=1 srcb[0][0]=0x0010f cfg[0][1]=0x20000000
  exec MOVB2D
  post dst[0]=0x000f dst[8]=0x2000
case FP16 in SrcB: the high three bits of the exponent are not its
  pre src[1].owns[0]=1 src[1].implied[0]=1 srcb[0][0]=0x001ef cfg[0][1]=0x20000000
  exec MOVB2D
  post dst[0]=0x000f dst[8]=0x2000
case the configured format is SrcA's, and SrcA's bit chooses it
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][0]=0x5ab0f thd[2]=1 cfg[0][1]=0xa20000
  exec MOVB2D
  post dst[0]=0xb50f
case SrcB's bit chooses what cells can hold
  pre src[1].owns[0]=1 src[1].implied[0]=4 srcb[0][0]=0x5ab7f thd[3]=1 cfg[0][1]=0xa00000
  exec MOVB2D
  post dst[0]=0xb57f dst[8]=0
case FP16A_FORCE_Enable
  pre src[1].owns[0]=1 src[1].implied[0]=4 srcb[0][0]=0x00101 thd[55]=1
  exec MOVB2D
  post dst[0]=0x0021 dst[8]=0x2000
case a cell with exponent zero is zero
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][0]=0x5ab00
  exec MOVB2D
  post dst[0]=0
case unless Zero_Flag_disabled_src is set
  pre src[1].owns[0]=1 src[1].implied[0]=9 srcb[0][0]=0x5a800 cfg[0][2]=1
  exec MOVB2D
  post dst[0]=0xb500
case the low half of Dst32b
  pre src[1].owns[0]=1 src[1].implied[0]=0 srcb[0][0]=0x5a80f dst[16]=0x1234 dst[24]=0x5678
  exec MOVB2D UseDst32bLo=1, DstRow=8
  post dst[16]=0x1234 dst[24]=0xb50f
case erratum TEN-4245
  pre src[1].owns[0]=1 src[1].implied[0]=4
  exec MOVB2D UseDst32bLo=1
  fault UNDEFINED says=TEN-4245
case BLOCK_DEST_MOV
  pre src[1].owns[0]=1 src[1].implied[0]=4 srcb[0][0]=0x6017f laneconfig[3]=0x600 dst[0]=0x1111 dst[8]=0x2222
  exec MOVB2D
  post dst[0][5]=0xc07f dst[0][6]=0x1111 dst[8][7]=0x2222 dst[8][8]=0x2000
case an odd AddrMod does not widen it
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][0]=0x6007f srcb[0][1]=0x6007f
  exec MOVB2D AddrMod=1
  post dst[0]=0xc07f dst[1]=0
case AddrMod
  pre src[1].owns[0]=1 src[1].implied[0]=5 thd[34]=0x2004 thd[18]=0x0201
  exec MOVB2D AddrMod=6
  post rwc.dst=4 rwc.src_a=1 rwc.src_b=2 rwc.fidelity=1
case it waits for SrcB, not for SrcA
  pre src[0].owns[0]=1
  exec MOVB2D DstRow=1
  exec NOP
  passes - -
