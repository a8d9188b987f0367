# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ELWMUL (545c98a3); sums: docs/matrix-arithmetic.md, compared with a reference in tensix/matrix.
base src[0].owns[0]=1 src[1].owns[0]=1 src[0].implied[0]=5 src[1].implied[0]=5
case SrcA times SrcB onto Dst, dest_accum_en or not
  pre srca[0][0]=0x2007f srcb[0][0]=0x2007f dst[0]=0x007f srca[0][1]=0x2007f srcb[0][1]=0x6007f
  exec ELWMUL
  exec ELWMUL dest_accum_en=1, DstRow=8
  post dst[0]=0x5080 dst[1]=0x9080 dst[8]=0x1080
case broadcast of a column and a row
  pre rwc.src_b=2 srca[0][0]=0x80 srcb[0][2][0]=0x80 srcb[0][2][1]=0x7f
  exec ELWMUL BroadcastSrcBRow=1, BroadcastSrcBCol0=1
  post dst[0]=0x0081
case fidelity phases
  pre thd[28]=0x2008 srca[0][0]=0x0207f srcb[0][0]=0x0087f
  exec ELWMUL
  exec ELWMUL
  exec ELWMUL
  exec ELWMUL
  post dst[0]=0x007f dst[8]=0x007a dst[16]=0x0078 dst[24]=0x0073
case too small a product is nothing
  pre srca[0][0]=0x00040 srcb[0][0]=0x0003f dst[0]=0x0001 dst[1]=0x4201
  exec ELWMUL
  post dst[0]=0x0001 dst[1]=0x4201
case Zero_Flag_disabled_src: an exponent of zero in SrcB does not make it zero
  pre cfg[0][2]=1 srca[0][0]=0x00080 srcb[0][0]=0x20000
  exec ELWMUL
  post dst[0]=0x4001
case integers in phases
  pre cfg[0][1]=0x80000000 thd[28]=0x2008 srca[0][0]=0x43f10 srcb[0][0]=0x01f10
  exec ELWMUL
  exec ELWMUL
  exec ELWMUL
  exec ELWMUL
  post dst[0]=0x8000 dst[8]=512 dst[16]=0x8000 dst[24]=496 dst[32]=0x8000 dst[40]=480 dst[48]=0x8000 dst[56]=465
case waits for SrcA
  pre src[0].owns[0]=0
  exec ELWMUL
  passes -
