# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MOVA2D (545c98a3), SrcASrcB, Dst; Fp32_enabled and odd AddrMod: docs/errata-tensix.md.
case one row of BF16, found by the counters and the base
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][9]=0x6007f rwc.src_a=4 rwc.dst=0x20 thd[1]=0x100 cfg[0][6]=0x40 dst[0x167]=0x5555
  exec MOVA2D SrcRow=5, DstRow=7
  post dst[0x167]=0xc07f dst[0x166]=0 dst[0x168]=0 src[0].last=9
case eight rows, aligned on both sides; rows wrap in SrcA and in Dst
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x1007f srca[0][7]=0x2007f srca[0][8]=0x3007f rwc.src_a=63 rwc.dst=0x3ff
  exec MOVA2D SrcRow=2, DstRow=3, Move8Rows=1
  post dst[0]=0x207f dst[7]=0x407f dst[8]=0 dst[6]=0
case FP16: ten bits of mantissa, five of exponent
  pre src[0].owns[0]=1 src[0].implied[0]=1 srca[0][0]=0x5ab0f
  exec MOVA2D
  post dst[0]=0xb56f
case BF16 loses the low three bits of the mantissa
  pre src[0].owns[0]=1 src[0].implied[0]=6 srca[0][0]=0x5ab0f
  exec MOVA2D
  post dst[0]=0xb50f
case TF32 goes to Dst32b, its low three bits of mantissa into the low half
  pre src[0].owns[0]=1 src[0].implied[0]=4 srca[0][0]=0x5ab7f
  exec MOVA2D DstRow=9
  post dst[17]=0xb57f dst[25]=0x6000 valid[17]=1 dst[9]=0
case Fp32_enabled: TF32 whatever the format is
  pre src[0].owns[0]=1 src[0].implied[0]=1 srca[0][0]=0x0010f cfg[0][1]=0x20000000
  exec MOVA2D
  post dst[0]=0x000f dst[8]=0x2000
case a cell with exponent zero is zero
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x5ab00
  exec MOVA2D
  post dst[0]=0
case unless Zero_Flag_disabled_src is set
  pre src[0].owns[0]=1 src[0].implied[0]=9 srca[0][0]=0x5ab00 cfg[0][2]=1
  exec MOVA2D
  post dst[0]=0xb500
case the configured format when implied ones are disabled
  pre src[0].owns[0]=1 src[0].implied[0]=1 srca[0][0]=0x5ab0f thd[2]=1 cfg[0][1]=0xa0000
  exec MOVA2D
  post dst[0]=0xb50f
case SrcA_override takes its place, of the bank of StateID
  pre src[0].owns[0]=1 srca[0][0]=0x5ab0f thd[2]=1 thd[0]=1 cfg[1][1]=0xa0000 cfg[1][0]=0x11
  exec MOVA2D
  post dst[0]=0xb56f
case FP16A_FORCE_Enable
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x5ab0f thd[55]=1
  exec MOVA2D
  post dst[0]=0xb56f
case the low half of Dst32b: the high half stays
  pre src[0].owns[0]=1 src[0].implied[0]=0 srca[0][0]=0x5ab0f dst[16]=0x1234 dst[24]=0x5678
  exec MOVA2D UseDst32bLo=1, DstRow=8
  post dst[16]=0x1234 dst[24]=0xb50f
case the low half of an undefined row: the high half becomes zero
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x5ab0f dst[0]=0x1234 valid[0]=0
  exec MOVA2D UseDst32bLo=1
  post dst[0]=0 dst[8]=0xb50f valid[0]=1
case erratum TEN-4245: TF32 into the low half
  pre src[0].owns[0]=1 src[0].implied[0]=4 srca[0][0]=0x5ab7f
  exec MOVA2D UseDst32bLo=1
  fault UNDEFINED says=TEN-4245
case and Fp32_enabled makes it TF32
  pre src[0].owns[0]=1 src[0].implied[0]=5 cfg[0][1]=0x20000000
  exec MOVA2D UseDst32bLo=1
  fault UNDEFINED says=Fp32_enabled
case but INT16 stays what it is: into the low half, as the kernel library's typecasts have it
  pre src[0].owns[0]=1 src[0].implied[0]=9 srca[0][0]=0x6007f cfg[0][1]=0x20000000 dst[0]=0x1234 dst[8]=0x5555
  exec MOVA2D UseDst32bLo=1
  post dst[0]=0x1234 dst[8]=0xc07f
case it waits for its bank, the one that the Matrix Unit is at
  pre src[0].implied[1]=5 src[0].matrix=1 src[0].owns[0]=1 srca[1][0]=0x6007f
  exec MOVA2D AddrMod=2
  passes -
case BLOCK_DEST_MOV keeps columns as they are
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x6007f laneconfig[0]=0x200 laneconfig[7]=0x400 dst[0]=0x1111
  exec MOVA2D
  post dst[0][0]=0x1111 dst[0][1]=0xc07f dst[0][14]=0xc07f dst[0][15]=0x1111
case blocked columns of an undefined row are zero afterwards
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x6007f laneconfig[0]=0x200 dst[0]=0x1111 valid[0]=0
  exec MOVA2D
  post dst[0][0]=0 dst[0][1]=0xc07f valid[0]=1
case a written row is valid
  pre src[0].owns[0]=1 src[0].implied[0]=5 valid[3]=0 valid[4]=0
  exec MOVA2D DstRow=3
  post valid[3]=1 valid[4]=0
case remap_addrs: the rows of Dst16b in another order
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x6007f cfg[0][220]=2
  exec MOVA2D DstRow=8, Move8Rows=1
  post dst[32]=0xc07f dst[8]=0
case swizzle_32b is for Dst32b only
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x6007f cfg[0][220]=1
  exec MOVA2D DstRow=12
  post dst[12]=0xc07f
case remap_addrs and swizzle_32b with TF32
  pre src[0].owns[0]=1 src[0].implied[0]=4 srca[0][0]=0x6017f cfg[0][220]=3
  exec MOVA2D DstRow=8
  post dst[64]=0xc07f dst[72]=0x2000
case bit 11 of DBG_FEATURE_DISABLE: Dst16b is the high halves of Dst32b
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x6007f reg[0xffb12068]=0x800 dst[24]=0x9999
  exec MOVA2D DstRow=8
  post dst[16]=0xc07f dst[24]=0 dst[8]=0
case AddrMod, three bits of it
  pre src[0].owns[0]=1 src[0].implied[0]=5 thd[34]=0x2004 thd[18]=0x0201
  exec MOVA2D AddrMod=6
  post rwc.dst=4 rwc.src_a=1 rwc.src_b=2 rwc.fidelity=1
case one row with an odd AddrMod moves its aligned four
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][4]=0x1007f srca[0][7]=0x2007f srca[0][8]=0x3007f
  exec MOVA2D SrcRow=6, DstRow=9, AddrMod=1
  post dst[8]=0x207f dst[11]=0x407f dst[12]=0 dst[7]=0 src[0].last=6
case eight rows with an odd AddrMod are eight
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][0]=0x1007f srca[0][7]=0x2007f
  exec MOVA2D AddrMod=1, Move8Rows=1
  post dst[0]=0x207f dst[7]=0x407f
case one a cycle
  pre src[0].owns[0]=1 src[0].implied[0]=5
  exec MOVA2D
  exec MOVA2D
  exec MOVA2D
  passes 0 1 2
case who reads the block that it wrote waits
  pre src[0].owns[0]=1 src[1].owns[0]=1
  exec MOVA2D
  exec MOVD2B DstRow=8
  exec MOVD2B DstRow=0
  passes 0 1 6
