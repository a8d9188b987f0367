# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 CLEARDVALID (061b62d1).
case SrcA goes back and the Matrix Unit goes on with the other bank
  pre src[0].owns[0]=1 src[0].owns[1]=1 src[1].owns[0]=1
  exec CLEARDVALID FlipSrcA=1
  post src[0].owns[0]=0 src[0].owns[1]=1 src[0].matrix=1 src[1].owns[0]=1 src[1].matrix=0
case SrcB
  pre src[0].owns[0]=1 src[1].owns[1]=1 src[1].matrix=1
  exec CLEARDVALID FlipSrcB=1
  post src[0].owns[0]=1 src[0].matrix=0 src[1].owns[1]=0 src[1].matrix=0
case the Matrix Unit stays where it is
  pre src[0].owns[0]=1 src[1].owns[0]=1
  exec CLEARDVALID FlipSrcA=1, FlipSrcB=1, KeepReadingSameSrc=1
  post src[0].owns[0]=0 src[0].matrix=0 src[1].owns[0]=0 src[1].matrix=0
case CLR_DVALID_Src*_Disable does not matter, other than to SETRWC
  pre src[0].owns[0]=1 src[1].owns[0]=1 thd[7]=3
  exec CLEARDVALID FlipSrcA=1
  exec SETRWC FlipSrcB=1
  post src[0].owns[0]=0 src[0].matrix=1 src[1].owns[0]=1 src[1].matrix=1
case reset drops banks
  pre src[0].owns[0]=1
  exec CLEARDVALID Reset=1
  fault UNPREDICTABLE says=Reset
case nothing
  pre src[0].owns[0]=1
  exec CLEARDVALID
  post src[0].owns[0]=1 src[0].matrix=0
case whoever waits for the Matrix Unit's next bank waits on
  pre src[0].owns[0]=1 src[0].implied[0]=5
  exec CLEARDVALID FlipSrcA=1
  exec MOVA2D
  passes 0 -
