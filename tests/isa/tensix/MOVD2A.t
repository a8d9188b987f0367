# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MOVD2A (ff52140f), Dst, SrcASrcB.
case one row, into the bank that the Matrix Unit is at; no wait for it
  pre src[0].matrix=1 thd[2]=1 cfg[0][1]=0xa0000 dst[0x167]=0xc07f rwc.src_a=4 rwc.dst=0x20 thd[1]=0x100 cfg[0][6]=0x40
  exec MOVD2A SrcRow=5, DstRow=7
  post srca[1][9]=0x6007f srca[1][8]=0 srca[1][10]=0 srca[0][9]=0 src[0].last=9
case four rows, aligned on both sides
  pre thd[2]=1 cfg[0][1]=0xa0000 dst[12]=0x207f dst[15]=0x407f dst[16]=0x607f
  exec MOVD2A SrcRow=7, DstRow=14, Move4Rows=1
  post srca[0][4]=0x1007f srca[0][7]=0x2007f srca[0][8]=0 srca[0][3]=0
case FP16
  pre thd[2]=1 cfg[0][1]=0x20000 dst[0]=0xb56f
  exec MOVD2A
  post srca[0][0]=0x5ab0f
case FP16A_FORCE_Enable reads 16 bits as FP16 whatever Dst is
  pre thd[2]=1 cfg[0][1]=0x200a0000 dst[0]=0xb56f thd[55]=1
  exec MOVD2A
  post srca[0][0]=0x5ab0f
case Dst32b as BF16: the high half
  pre thd[2]=1 cfg[0][1]=0x200a0000 dst[17]=0xb57f dst[25]=0xffff
  exec MOVD2A DstRow=9
  post srca[0][0]=0x5a87f
case Dst32b as BF16: the low half
  pre thd[2]=1 cfg[0][1]=0x200a0000 dst[17]=0xb57f dst[25]=0xb50f
  exec MOVD2A DstRow=9, UseDst32bLo=1
  post srca[0][0]=0x5a80f
case Dst32b as TF32
  pre thd[2]=1 cfg[0][1]=0x20080000 dst[17]=0xb57f dst[25]=0x7fff
  exec MOVD2A DstRow=9
  post srca[0][0]=0x5ab7f
case Dst32b as TF32, the low half: what TF32 leaves out
  pre thd[2]=1 cfg[0][1]=0x20080000 dst[17]=0xb57f dst[25]=0xfabc
  exec MOVD2A DstRow=9, UseDst32bLo=1
  post srca[0][0]=0x1abc
case Dst32b as FP16
  pre thd[2]=1 cfg[0][1]=0x20020000 dst[0]=0xb56f dst[8]=0x1234
  exec MOVD2A
  exec MOVD2A UseDst32bLo=1, SrcRow=1
  post srca[0][0]=0x5ab0f srca[0][1]=0x09114
case INT8_math_enabled makes Dst 32 bits wide too
  pre thd[2]=1 cfg[0][1]=0x800c0000 dst[17]=0xb57f dst[25]=0xffff
  exec MOVD2A DstRow=9
  post srca[0][0]=0x5a87f
case the implied format of a bank that is its own
  pre src[0].owns[0]=1 src[0].implied[0]=1 cfg[0][1]=0xa0000 dst[0]=0xb56f thd[4]=0xa
  exec MOVD2A
  post srca[0][0]=0x5ab0f
case and of one that is not: SFPU_DEST_FMT_Base
  pre src[0].implied[0]=5 cfg[0][1]=0xa0000 dst[0]=0xb56f thd[4]=2
  exec MOVD2A
  post srca[0][0]=0x5ab0f
case undefined rows read as zero, and stay undefined
  pre thd[2]=1 cfg[0][1]=0xa0000 dst[0]=0xb56f valid[0]=0 srca[0][0]=0x5ab0f
  exec MOVD2A
  post srca[0][0]=0 valid[0]=0
case bit 11 of DBG_FEATURE_DISABLE: Dst16b is the high halves of Dst32b
  pre thd[2]=1 cfg[0][1]=0xa0000 dst[16]=0xc07f reg[0xffb12068]=0x800
  exec MOVD2A DstRow=8
  post srca[0][0]=0x6007f
case BLOCK_DEST_MOV
  pre thd[2]=1 cfg[0][1]=0xa0000 dst[0]=0xc07f laneconfig[0]=0x200 srca[0][0]=0x7
  exec MOVD2A
  post srca[0][0][0]=7 srca[0][0][1]=0x6007f
case TF32 from 16 bits
  pre thd[2]=1 cfg[0][1]=0x80000
  exec MOVD2A
  fault UNDEFINED says=SrcAFmt TF32
case the low half of 16 bits
  pre thd[2]=1 cfg[0][1]=0xa0000
  exec MOVD2A UseDst32bLo=1
  fault UNDEFINED says=UseDst32bLo
case AddrMod
  pre thd[2]=1 thd[34]=0x2004 thd[18]=0x0201 cfg[0][1]=0xa0000
  exec MOVD2A AddrMod=6
  post rwc.dst=4 rwc.src_a=1 rwc.src_b=2 rwc.fidelity=1
case in the next cycle the unit takes MOVD2A and MOVB2A only
  pre thd[2]=1 cfg[0][1]=0xa0000 src[1].owns[0]=1
  exec MOVD2A
  exec MOVD2A
  exec MOVB2A
  exec SETRWC
  exec SETRWC
  passes 0 1 2 4 5
case a block of Dst that was just written is waited for, another is not
  pre thd[2]=1 cfg[0][1]=0xa0000 src[0].owns[0]=1 src[1].owns[0]=1
  exec ELWADD DstRow=0
  exec MOVD2A DstRow=8
  exec MOVD2A DstRow=0
  passes 0 1 6
case an undefined row is zero, with Zero_Flag_disabled_dst what it holds
  pre thd[2]=1 cfg[0][1]=0xa0000 dst[0]=0xc07f valid[0]=0
  exec MOVD2A
  post srca[0][0]=0 valid[0]=0
case ... with it
  pre thd[2]=1 cfg[0][1]=0xa0000 cfg[0][2]=2 dst[0]=0xc07f valid[0]=0
  exec MOVD2A
  post srca[0][0]=0x6007f valid[0]=0
