# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 GAPOOL: MVMUL of four rows.
base src[0].owns[0]=1 src[1].owns[0]=1 src[0].implied[0]=5 src[1].implied[0]=5
case four rows of SrcB, of the upper half of eight, onto four rows of Dst
  pre rwc.src_b=4 rwc.dst=7 srca[0][0]=0x7f srcb[0][0][0]=0x7f srcb[0][3][0]=0x80 srcb[0][4][0]=0x80 dst[7]=0x007f dst[8]=0x1234
  exec GAPOOL
  post dst[4]=0x7f dst[7]=0x4080 dst[0]=0 dst[8]=0x1234
case only these four become valid
  pre srca[0][0]=0x7f srcb[0][0][0]=0x7f valid[3]=0 valid[4]=0
  exec GAPOOL
  post valid[3]=1 valid[4]=0
case bit 19 and the index have no meaning
  pre srca[0][0]=0x7f srcb[0][0][0]=0x7f
  exec GAPOOL instr_mod19=1, max_pool_index_en=1, FlipSrcA=1
  post dst[0]=0x7f dst[8]=0 src[0].owns[0]=0
case a block is eight rows for it, too
  exec GAPOOL
  exec GAPOOL DstRow=4
  passes 0 6
