# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 DOTPV: MVMUL without broadcast.
base src[0].owns[0]=1 src[1].owns[0]=1 src[0].implied[0]=5 src[1].implied[0]=5
case as MVMUL, whatever dest_accum_en and instr_mod19 are
  pre srca[0][0]=0x7f srca[0][3]=0x80 srcb[0][2][0]=0x7f srcb[0][2][3]=0x80 dst[2]=0x007f rwc.src_b=1
  exec DOTPV dest_accum_en=1, instr_mod19=3
  post dst[2]=0x4081 dst[1]=0
case flips and address modes
  pre thd[12]=0x0810 thd[28]=0x2008
  exec DOTPV FlipSrcB=1
  post rwc.src_a=16 rwc.src_b=8 rwc.dst=8 src[1].owns[0]=0 src[0].owns[0]=1
