# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MatrixUnit, "Legacy instructions"; RWCs.
case nothing but counters and flips
  pre src[0].owns[0]=1 src[1].owns[0]=1 thd[14]=0x0810 thd[30]=0x2008 srca[0][0]=0x7f srcb[0][0]=0x7f dst[0]=0x4242 valid[1]=0
  exec APOOL3S1 pool_addr_mode=2, index_en=1, clear_dvalid=1
  post dst[0]=0x4242 undefined=1 rwc.src_a=16 rwc.src_b=8 rwc.dst=8 src[0].owns[0]=0 src[1].owns[0]=1
