# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 GMPOOL (545c98a3).
base src[0].owns[0]=1 src[1].owns[0]=1 src[0].implied[0]=5 src[1].implied[0]=5
also srcb[0][0]=0x7f
case the largest of a column and of Dst; zero in the next three rows
  pre srca[0][5]=0x00080 srca[0][9]=0x40085 dst[4]=0x007f dst[5]=0x1111 dst[6]=0x1111 dst[7]=0x1111 dst[8]=0x1111
  exec GMPOOL DstRow=6, instr_mod19=1
  post dst[4]=0x0080 dst[5]=0 dst[6]=0 dst[7]=0 dst[8]=0x1111
case that of Dst, if it is
  pre srca[0][5]=0x00080 dst[0]=0x0081
  exec GMPOOL
  post dst[0]=0x0081
case the largest of negative numbers
  pre srcb[0][0]=0 srcb[0][0][3]=0x7f srcb[0][0][4]=0x7f srca[0][3]=0x40081 srca[0][4]=0x40080 dst[0]=0x8082
  exec GMPOOL
  post dst[0]=0x8080
case an undefined row is below everything
  pre srca[0][0]=0x40080 dst[0]=0x0081 valid[0]=0
  exec GMPOOL
  post dst[0]=0 valid[0]=1
case SrcB scales by its exponent, row by row of SrcA
  pre srcb[0][0][3]=0x20080 srca[0][3]=0x00080 srca[0][4]=0x00080
  exec GMPOOL
  post dst[0]=0x0081
case wrapping
  pre srcb[0][0][3]=0x000ff srca[0][3]=0x00085
  exec GMPOOL
  post dst[0]=0x0005
case where SrcB is zero SrcA is minus infinity
  pre srcb[0][0]=0 srca[0][3]=0x00085 dst[0]=0x80ff
  exec GMPOOL
  post dst[0]=0x80ff
case rows of SrcA by sixteen, of SrcB by eight
  pre rwc.src_a=0x3f rwc.src_b=0x0f srcb[0][8]=0x7f srca[0][48]=0x00080 srca[0][40]=0x00090
  exec GMPOOL
  post dst[0]=0x0080
case TF32 in Dst32b
  pre cfg[0][1]=0x20000000 src[0].implied[0]=4 src[1].implied[0]=4 srca[0][3]=0x1ff80
  exec GMPOOL
  post dst[0]=0x3f80 dst[8]=0xe000 dst[1]=0
case FP16
  pre src[0].implied[0]=1 src[1].implied[0]=1 srcb[0][0]=0x0f srca[0][3]=0x1ff10 dst[0]=0x000f
  exec GMPOOL
  post dst[0]=0x3ff0
case FP16: the exponent has five bits, of 8 and of 7
  pre src[0].implied[0]=1 src[1].implied[0]=1 srcb[0][0]=0x0f srca[0][3]=0x00008 srca[0][4]=0x00007 dst[0]=0
  exec GMPOOL
  post dst[0]=0x0008
case FP16 as TF32 in Dst32b has the bias of TF32
  pre cfg[0][1]=0x20000000 src[0].implied[0]=1 src[1].implied[0]=1 srcb[0][0]=0x0f srca[0][3]=0x00010
  exec GMPOOL
  post dst[0]=0x0080
case integers: thirteen bits come out
  pre cfg[0][1]=0x80000000 srcb[0][0]=0x10 srca[0][3]=0x3ff10 dst[0]=0 dst[8]=5
  exec GMPOOL
  post dst[0]=0 dst[8]=0x3ff
case integers: what does not fit is lost
  pre cfg[0][1]=0x80000000 srcb[0][0]=0x10 dst[0]=0 dst[8]=0xffff
  exec GMPOOL
  post dst[0]=0 dst[8]=0x1fff
case ArgMax: value and index of the first eight rows, and how often it was asked
  pre cfg[0][1]=0x20000000 srca[0][3]=0x00080
  exec GMPOOL ArgMax=1
  post dst[0]=0x0080 dst[8]=0x0111 dst[1]=0 dst[9]=0x0100
case ArgMax goes on from the index that was there
  pre cfg[0][1]=0x20000000 srca[0][3]=0x00080 dst[0]=0x0081 dst[8]=0x0114
  exec GMPOOL ArgMax=1
  post dst[0]=0x0081 dst[8]=0x0214
case ArgMax keeps all eight bits of the index that was there
  pre cfg[0][1]=0x20000000 srca[0][3]=0x00080 dst[0]=0x0081 dst[8]=0x01ff
  exec GMPOOL ArgMax=1
  post dst[0]=0x0081 dst[8]=0x02ff
case ArgMax of FP16
  pre cfg[0][1]=0x20000000 src[0].implied[0]=1 src[1].implied[0]=1 srcb[0][0]=0x0f srca[0][3]=0x00018 srca[0][4]=0x00017
  exec GMPOOL ArgMax=1
  post dst[8]=0x0111
case ArgMax: of equals the last one, rows 4 to 7 before 0 to 3
  pre cfg[0][1]=0x20000000 srca[0][2]=0x00080 srca[0][6]=0x00080 dst[8]=0
  exec GMPOOL ArgMax=1
  post dst[8]=0x0116
case ArgMax with TF32: the index alone
  pre cfg[0][1]=0x20000000 src[0].implied[0]=4 srca[0][5]=0x00080
  exec GMPOOL ArgMax=1
  post dst[0]=0 dst[8]=0x0117
case ArgMax without Dst32b has no room for the index
  pre srca[0][5]=0x00080
  exec GMPOOL ArgMax=1
  post dst[0]=0x0080 dst[8]=0
case flips, address modes, waits
  pre thd[13]=0x0810 thd[29]=0x0008
  exec GMPOOL AddrMod=1, FlipSrcA=1
  exec GMPOOL DstRow=8
  passes 0 -
  post rwc.src_a=16 rwc.src_b=8 rwc.dst=8
case bit 11 of DBG_FEATURE_DISABLE: Dst16b is the high halves of Dst32b
  pre reg[0xFFB12068]=0x800 srca[0][3]=0x00080 dst[16]=0x007f dst[24]=0x1234
  exec GMPOOL DstRow=8
  post dst[16]=0x0080 dst[24]=0 dst[8]=0
case with Zero_Flag_disabled_dst an undefined row is what it holds
  pre srca[0][0]=0x40080 dst[0]=0x0081 valid[0]=0 cfg[0][2]=2
  exec GMPOOL
  post dst[0]=0x0081 valid[0]=1
