# SPDX-License-Identifier: Apache-2.0
# Manual SEMINIT, SyncUnit.
case value and maximum, four bits each
  exec SEMINIT NewMax=5, NewValue=3, SemaphoreMask=2
  exec SEMINIT NewMax=15, NewValue=15, SemaphoreMask=128
  post sem[1]=3 max[1]=5 sem[7]=15 max[7]=15 sem[0]=0 sem[2]=0 max[0]=0 max[2]=0
case one bit a semaphore, any number of them at once
  exec SEMINIT NewMax=1, NewValue=0, SemaphoreMask=0x96
  post max[0]=0 max[1]=1 max[2]=1 max[3]=0 max[4]=1 max[5]=0 max[6]=0 max[7]=1
case without any it does nothing
  pre sem[0]=1 max[0]=2
  exec SEMINIT NewMax=7, NewValue=7
  post sem[0]=1 max[0]=2
case one a cycle, and the next instruction finds it
  exec SEMINIT NewMax=5, NewValue=3, SemaphoreMask=1
  exec SEMPOST SemaphoreMask=1
  exec SEMINIT NewMax=6, NewValue=1, SemaphoreMask=1
  passes 0 1 2
  at 1 sem[0]=3
  at 2 sem[0]=4
  post sem[0]=1 max[0]=6
case a semaphore is one for all threads
  exec T0 SEMINIT NewMax=5, NewValue=3, SemaphoreMask=4
  exec T1 NOP
  exec T1 NOP
  exec T1 SEMPOST SemaphoreMask=4
  post sem[2]=4
case reserved bits are not for use
  exec SEMINIT NewMax=1, SemaphoreMask=1, reserved=0x1
  fault UNDEFINED says=reserved
