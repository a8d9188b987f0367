# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MatrixUnit, "Legacy instructions": something similar to GMPOOL with a SrcA of zeros.
base src[0].owns[0]=1 src[1].owns[0]=1 src[0].implied[0]=5 src[1].implied[0]=5
also srcb[0][0]=0x7f
case the larger of Dst and zero
  pre srca[0][5]=0x00080 dst[0]=0x807f dst[4]=0x007f dst[1]=0x1111
  exec MPOOL3S2
  exec MPOOL3S2 dst=4
  post dst[0]=0 dst[1]=0 dst[4]=0x007f
case counters and flips
  pre thd[14]=0x0810 thd[30]=0x0008
  exec MPOOL3S2 pool_addr_mode=2, clear_dvalid=2
  post rwc.src_a=16 rwc.src_b=8 rwc.dst=8 src[0].owns[0]=1 src[1].owns[0]=0
