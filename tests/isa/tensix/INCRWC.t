# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 INCRWC, RWCs.
case the counters step, in six and ten bits
  pre rwc.dst=1020 rwc.dst_cr=8 rwc.src_a=60 rwc.src_a_cr=16 rwc.src_b=3 rwc.src_b_cr=40
  exec INCRWC SrcAInc=8, SrcBInc=1, DstInc=15
  post rwc.src_a=4 rwc.src_a_cr=16 rwc.src_b=4 rwc.src_b_cr=40 rwc.dst=11 rwc.dst_cr=8
case with Cr it is CR that steps, and the counter becomes it
  pre rwc.dst=11 rwc.dst_cr=1016 rwc.src_a=4 rwc.src_a_cr=60 rwc.src_b=4 rwc.src_b_cr=40
  exec INCRWC SrcAInc=8, SrcACr=1, SrcBInc=1, SrcBCr=1, DstInc=15, DstCr=1
  post rwc.src_a=4 rwc.src_a_cr=4 rwc.src_b=41 rwc.src_b_cr=41 rwc.dst=7 rwc.dst_cr=7
thread 1
case each thread has its own
  pre rwc[0].dst=5
  exec INCRWC DstInc=4
  post rwc[0].dst=5 rwc[1].dst=4 rwc[2].dst=0
