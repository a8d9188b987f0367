# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 REPLAY (065d59fb), TensixCoprocessor/README "Frontend".  tests/unit/tensix/mop_replay_test.c has the rest.
case records and plays
  exec SEMPOST SemaphoreMask=1
  exec REPLAY Index=3, Count=2, Load=1
  exec SEMPOST SemaphoreMask=2
  exec SEMPOST SemaphoreMask=4
  exec REPLAY Index=3, Count=2
  exec REPLAY Index=4, Count=1
  post sem[0]=1 sem[1]=1 sem[2]=2
case with Exec what is recorded is executed too
  exec SEMPOST SemaphoreMask=1
  exec REPLAY Count=1, Load=1, Exec=1
  exec SEMPOST SemaphoreMask=2
  exec REPLAY Count=1
  post sem[1]=2
case each thread has its own 32 places
  exec T0 SEMPOST SemaphoreMask=1
  exec T0 REPLAY Index=31, Count=1, Load=1
  exec T0 SEMPOST SemaphoreMask=2
  exec T1 REPLAY Index=31, Count=1, Load=1
  exec T1 SEMPOST SemaphoreMask=4
  exec T0 REPLAY Index=31, Count=1
  exec T1 REPLAY Index=31, Count=1
  exec T1 REPLAY Index=31, Count=1
  post sem[1]=1 sem[2]=2
case more than there are
  exec NOP
  exec REPLAY Count=33
  fault UNDEFINED says=REPLAY of 33 instructions
