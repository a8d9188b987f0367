# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MOP, MOPExpander.  tests/unit/tensix/plain_expander_test.c and mop_replay_test.c have the rest.
case template 0: A0, and SkipA0 where the mask has a bit
  pre mop[3]=0xa4000004 mop[7]=0xa4000008
  exec NOP
  exec MOP Count1=3, MaskLo=2
  post sem[0]=3 sem[1]=1
case template 1: a loop within a loop, with its last ones
  pre mop[0]=2 mop[1]=3 mop[2]=0xa4000004 mop[3]=0x02000000 mop[4]=0x02000000 mop[5]=0xa4000008 mop[6]=0x02000000
  pre mop[7]=0xa4000020 mop[8]=0xa4000010
  exec NOP
  exec MOP Template=1
  post sem[0]=2 sem[1]=4 sem[2]=1 sem[3]=1
case each thread has its own configuration
  pre mop[0][3]=0xa4000004 mop[1][3]=0xa4000008
  exec T0 NOP
  exec T1 MOP
  exec T0 MOP
  post sem[0]=1 sem[1]=1
case of length zero
  exec NOP
  exec MOP Template=1
  fault UNDEFINED says=MOP of length zero
