# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ELWSUB: ELWADD with the other sign of SrcB.
base src[0].owns[0]=1 src[1].owns[0]=1 src[0].implied[0]=5 src[1].implied[0]=5
case SrcA minus SrcB
  pre srca[0][0]=0x7f srcb[0][0]=0x80 srca[0][1]=0x80 srcb[0][1]=0x4007f dst[0]=0x4080
  exec ELWSUB
  post dst[0]=0x807f dst[1]=0x4080
case onto Dst
  pre srca[0][0]=0x7f srcb[0][0]=0x80 dst[0]=0x4080
  exec ELWSUB AddDst=1
  post dst[0]=0x0080
case broadcast
  pre rwc.src_b=9 srca[0][0]=0x7f srcb[0][9][0]=0x80
  exec ELWSUB BroadcastSrcBRow=1, BroadcastSrcBCol0=1
  post dst[0]=0x807f dst[3]=0x8080
case what cancels is plus zero
  pre srca[0][0]=0x4007f srcb[0][0]=0x4007f
  exec ELWSUB
  post dst[0]=0
case integers
  pre cfg[0][1]=0x80000000 srca[0][0]=0x00110 srcb[0][0]=0x00310
  exec ELWSUB
  post dst[0]=0x8000 dst[8]=2
