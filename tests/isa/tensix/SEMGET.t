# SPDX-License-Identifier: Apache-2.0
# Manual SEMGET, SyncUnit.
case one less
  pre sem[3]=2
  exec SEMGET SemaphoreMask=8
  at 1 sem[3]=1
case several at once
  pre sem[0]=1 sem[7]=9 sem[1]=5
  exec SEMGET SemaphoreMask=0x81
  post sem[0]=0 sem[7]=8 sem[1]=5
case stays at zero, and does not wait
  exec SEMGET SemaphoreMask=1
  exec SEMGET SemaphoreMask=1
  passes 0 1
  post sem[0]=0
case a wait of two semaphores and the get behind it: both or none
  pre sem[1]=1 max[1]=9 sem[2]=0 max[2]=9
  exec T0 SEMWAIT BlockMask=2, SemaphoreMask=6, ConditionMask=1
  exec T0 SEMGET SemaphoreMask=6
  exec T1 NOP
  exec T1 NOP
  exec T1 NOP
  exec T1 SEMPOST SemaphoreMask=4
  passes 0 5 0 1 2 3
  at 4 sem[1]=1 sem[2]=1
  post sem[1]=0 sem[2]=0
