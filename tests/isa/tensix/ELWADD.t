# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ELWADD (e70a5c18); sums: docs/matrix-arithmetic.md, compared with a reference in tensix/matrix.
base src[0].owns[0]=1 src[1].owns[0]=1 src[0].implied[0]=5 src[1].implied[0]=5
case SrcA plus SrcB in place of Dst
  pre srca[0][0]=0x7f srca[0][7]=0x7f srcb[0][0]=0x80 srcb[0][7]=0x4007f dst[0]=0x1234 dst[1]=0x1234 dst[7]=0x1234 dst[8]=0x1234
  exec ELWADD
  post dst[0]=0x4080 dst[1]=0 dst[7]=0 dst[8]=0x1234
case or onto it
  pre srca[0][0]=0x7f srcb[0][0]=0x80 dst[0]=0x4080
  exec ELWADD AddDst=1
  post dst[0]=0x4081
case column 0 of SrcB for all
  pre srca[0][0]=0x7f srcb[0][0][0]=0x80 srcb[0][0][5]=0x7f
  exec ELWADD BroadcastSrcBCol0=1
  post dst[0]=0x4080
case a row of SrcB for all, any row
  pre rwc.src_b=5 srca[0][0]=0x7f srcb[0][5]=0x80 srcb[0][0]=0x7f
  exec ELWADD BroadcastSrcBRow=1
  post dst[0]=0x4080 dst[7]=0x0080
case one datum of SrcB for all
  pre rwc.src_b=5 srca[0][0]=0x7f srcb[0][5][0]=0x80 srcb[0][0]=0x7f
  exec ELWADD BroadcastSrcBRow=1, BroadcastSrcBCol0=1
  post dst[0]=0x4080 dst[7]=0x0080
case rows by the counters
  pre rwc.src_a=0x3f rwc.src_b=0x0f rwc.dst=0x0f srca[0][56]=0x7f srcb[0][8]=0x80
  exec ELWADD
  post dst[8]=0x4080 src[0].last=56
case the smaller one is rounded where the larger one ends, halves up
  pre src[0].implied[0]=4 src[1].implied[0]=4 cfg[0][1]=0x20000000 srca[0][0]=0x7f srcb[0][0]=0x74 srca[0][1]=0x7f srcb[0][1]=0x3ff73
  exec ELWADD
  post dst[0]=0x007f dst[8]=0x2000 dst[1]=0x007f dst[9]=0
case a fidelity phase divides by 32 and 128
  pre thd[11]=1 srca[0][0]=0x7f srcb[0][0]=0x80
  exec ELWADD
  post dst[0]=0x407b
case and by both
  pre thd[11]=3 srca[0][0]=0x7f srcb[0][0]=0x80
  exec ELWADD
  post dst[0]=0x4074
case denormals are zero
  pre srca[0][0]=0x3ff00 srcb[0][0]=0x3ff00
  exec ELWADD
  post dst[0]=0
case Zero_Flag_disabled_src: those of SrcB have a hidden one
  pre cfg[0][2]=1 srca[0][0]=0x3ff00 srcb[0][0]=0x10000 dst[0]=0x0001
  exec ELWADD AddDst=1
  post dst[0]=0x5001
case integers: all ten bits of magnitude
  pre cfg[0][1]=0x80000000 srca[0][0]=0x3ff10 srcb[0][0]=0x7fe10 srca[0][1]=0x40110 srcb[0][1]=0x40210 dst[1]=0 dst[9]=1
  exec ELWADD
  post dst[0]=0 dst[8]=1 dst[1]=0x8000 dst[9]=3
case integers: clamped with Dst
  pre cfg[0][1]=0x80000000 srca[0][0]=0x00110 srcb[0][0]=0x00110 dst[0]=0x7fff dst[8]=0xfffe
  exec ELWADD AddDst=1
  post dst[0]=0x7fff dst[8]=0xffff
case flips and address modes
  pre thd[14]=0x0808 thd[30]=0x0008
  exec ELWADD AddrMod=2, FlipSrcA=1, FlipSrcB=1
  post rwc.src_a=8 rwc.src_b=8 rwc.dst=8 src[0].owns[0]=0 src[1].owns[0]=0
case waits for SrcA and SrcB
  pre src[1].owns[0]=0
  exec ELWADD
  passes -
case a block of Dst that it only writes, too
  exec ELWADD
  exec ELWADD
  exec ELWADD DstRow=8
  passes 0 6 7
case remap_addrs and swizzle_32b
  pre cfg[0][220]=3 cfg[0][1]=0x20000000 srca[0][0]=0x7f srca[0][1]=0x7f srca[0][4]=0x80
  exec ELWADD DstRow=16
  post dst[4]=0x7f dst[5]=0x7f dst[20]=0x80 dst[16]=0 dst[8]=0
case onto an undefined row, which is zero
  pre srca[0][0]=0x7f srcb[0][0]=0x80 dst[0]=0x4080 valid[0]=0
  exec ELWADD AddDst=1
  post dst[0]=0x4080 valid[0]=1
case ... and with Zero_Flag_disabled_dst what it holds
  pre srca[0][0]=0x7f srcb[0][0]=0x80 dst[0]=0x4080 valid[0]=0 cfg[0][2]=2
  exec ELWADD AddDst=1
  post dst[0]=0x4081 valid[0]=1
