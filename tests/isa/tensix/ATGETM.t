# SPDX-License-Identifier: Apache-2.0
# Manual ATGETM, SyncUnit: mutexes 0, 2, 3 and 4.
case a free one is taken in a cycle
  exec ATGETM Index=2
  exec NOP
  passes 0 1
  at 1 mutex[2]=1
case who has it may take it again
  pre mutex[3]=1
  exec ATGETM Index=3
  passes 0
  post mutex[3]=1
case another thread waits until it is given back
  exec T0 ATGETM Index=0
  exec T0 NOP
  exec T0 NOP
  exec T0 NOP
  exec T0 ATRELM Index=0
  exec T1 ATGETM Index=0
  exec T1 NOP
  passes 0 1 2 3 4 5 6
  post mutex[0]=2
case of two that wait, the thread behind the one that gives it back has it first
  exec T1 ATGETM Index=4
  exec T1 NOP
  exec T1 NOP
  exec T1 ATRELM Index=4
  exec T0 NOP
  exec T0 ATGETM Index=4
  exec T2 NOP
  exec T2 ATGETM Index=4
  passes 0 1 2 3 0 - 0 4
  post mutex[4]=3
case different ones do not wait for each other
  exec T0 ATGETM Index=0
  exec T1 ATGETM Index=2
  exec T2 ATGETM Index=3
  passes 0 0 0
  post mutex[0]=1 mutex[2]=2 mutex[3]=3
case there is no mutex 1: it waits for ever
  exec ATGETM Index=1
  exec NOP
  fault UNDEFINED says=mutex 1 does not exist
case nor a mutex 5
  exec ATGETM Index=5
  fault UNDEFINED says=mutex 5 does not exist
