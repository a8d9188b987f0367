# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SETRWC, RWCs; assembly.yaml for Sp.
case it sets counters and their CR
  exec SETRWC SrcA=1, SrcAVal=5, SrcB=1, SrcBVal=6, Dst=1, DstVal=7
  post rwc.src_a=5 rwc.src_a_cr=5 rwc.src_b=6 rwc.src_b_cr=6 rwc.dst=7 rwc.dst_cr=7 rwc[1].dst=0
case what is not chosen stays
  pre rwc.src_a=5 rwc.src_a_cr=1 rwc.src_b=6 rwc.dst=7
  exec SETRWC SrcAVal=1, SrcBVal=1, DstVal=1, DstCr=1, SrcACr=1, SrcBCr=1
  post rwc.src_a=5 rwc.src_a_cr=1 rwc.src_b=6 rwc.dst=7
thread 2
case with Cr the value is added to CR, in six and ten bits
  pre rwc.dst=100 rwc.dst_cr=1020 rwc.src_a=1 rwc.src_a_cr=60 rwc.src_b=2 rwc.src_b_cr=50
  exec SETRWC SrcA=1, SrcACr=1, SrcAVal=5, SrcB=1, SrcBCr=1, SrcBVal=6, Dst=1, DstCr=1, DstVal=7
  post rwc.src_a=1 rwc.src_a_cr=1 rwc.src_b=56 rwc.src_b_cr=56 rwc.dst=3 rwc.dst_cr=3
thread 0
case DstCtoCr adds to the counter, even if Dst is not chosen, and comes before DstCr
  pre rwc.dst=100 rwc.dst_cr=8
  exec SETRWC DstCtoCr=1, DstCr=1, DstVal=4
  post rwc.dst=104 rwc.dst_cr=104
case Fidelity clears the phase
  pre rwc.fidelity=3
  exec SETRWC Fidelity=1
  post rwc.fidelity=0
case without it the phase stays
  pre rwc.fidelity=3
  exec SETRWC Dst=1
  post rwc.fidelity=3
case Sp is the three values together, ten bits of them
  exec SETRWC Sp=1, DstVal=6, SrcBVal=5, SrcAVal=6
  post rwc.sp=0x256 rwc.dst=0 rwc.src_a=0 rwc.src_b=0
case FlipSrcA gives the bank back
  pre src[0].owns[0]=1 src[0].owns[1]=1 src[1].owns[0]=1
  exec SETRWC FlipSrcA=1
  post src[0].owns[0]=0 src[0].owns[1]=1 src[0].matrix=1 src[1].owns[0]=1 src[1].matrix=0
case CLR_DVALID_SrcB_Disable: FlipSrcB goes on with the other bank and gives nothing back
  pre thd[7]=2 src[0].matrix=1 src[0].owns[1]=1 src[1].owns[0]=1
  exec SETRWC FlipSrcA=1, FlipSrcB=1
  post src[0].owns[1]=0 src[0].matrix=0 src[1].owns[0]=1 src[1].matrix=1
case CLR_DVALID_SrcA_Disable
  pre thd[7]=1 src[0].owns[0]=1 src[1].owns[0]=1
  exec SETRWC FlipSrcA=1, FlipSrcB=1
  post src[0].owns[0]=1 src[0].matrix=1 src[1].owns[0]=0 src[1].matrix=1
case a thread that waits for a free SrcB goes on when it is given back
  pre src[1].owns[0]=1
  exec T1 STALLWAIT ConditionMask=0x40, BlockMask=1
  exec T1 SETADCXX U0=1, X0Val=3
  exec SETRWC Dst=1
  exec SETRWC FlipSrcA=1
  exec SETRWC FlipSrcB=1
  passes 0 4 0 1 2
  post adc[1][0][0].x=3
case one a cycle; threads take turns
  exec SETRWC Dst=1
  exec T1 SETRWC Dst=1
  exec SETRWC Dst=1
  passes 0 1 2
