# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MOVB2A (1ae1f852), SrcASrcB.
case one row, from bank to bank
  pre src[1].owns[1]=1 src[1].matrix=1 src[1].implied[1]=4 srcb[1][9]=0x5ab7f rwc.src_b=4 rwc.src_a=2
  exec MOVB2A SrcBRow=5, SrcARow=1
  post srca[0][3]=0x5ab7f srca[0][2]=0 srca[0][4]=0 src[0].last=3
case four rows, aligned on both sides
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][60]=0x1007f srcb[0][63]=0x2007f srcb[0][0]=0x3007f
  exec MOVB2A SrcBRow=62, SrcARow=7, Move4Rows=1
  post srca[0][4]=0x1007f srca[0][7]=0x2007f srca[0][8]=0 srca[0][3]=0
case BF16 has no low bits of the mantissa, FP16 no high bits of the exponent
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][0]=0x5abef
  exec MOVB2A
  post srca[0][0]=0x5a8ef
case the same with the configured format of SrcB
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][0]=0x5abef thd[3]=1 cfg[0][1]=0x2a0000
  exec MOVB2A
  post srca[0][0]=0x5ab0f
case a cell with exponent zero is zero
  pre src[1].owns[0]=1 src[1].implied[0]=4 srcb[0][0]=0x5ab00 srca[0][0]=1
  exec MOVB2A
  post srca[0][0]=0
case unless Zero_Flag_disabled_src is set
  pre src[1].owns[0]=1 src[1].implied[0]=4 srcb[0][0]=0x5ab00 cfg[0][2]=1
  exec MOVB2A
  post srca[0][0]=0x5ab00
case BLOCK_DEST_MOV
  pre src[1].owns[0]=1 src[1].implied[0]=5 srcb[0][0]=0x6007f laneconfig[0]=0x400 srca[0][0]=0x7
  exec MOVB2A
  post srca[0][0][1]=7 srca[0][0][0]=0x6007f
case AddrMod
  pre src[1].owns[0]=1 thd[34]=0x2004 thd[18]=0x0201
  exec MOVB2A AddrMod=6
  post rwc.dst=4 rwc.src_a=1 rwc.src_b=2 rwc.fidelity=1
case it waits for SrcB, not for SrcA
  pre src[0].owns[0]=1
  exec MOVB2A
  passes -
case in the next cycle the unit takes MOVD2A and MOVB2A only
  pre thd[2]=1 cfg[0][1]=0xa0000 src[1].owns[0]=1
  exec MOVB2A
  exec MOVD2A
  exec MOVB2A
  exec MOVB2D
  passes 0 1 2 4
