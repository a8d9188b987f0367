# SPDX-License-Identifier: Apache-2.0
# Manual ATRELM, SyncUnit.
case gives it back in a cycle
  pre mutex[2]=1
  exec ATRELM Index=2
  exec NOP
  passes 0 1
  at 1 mutex[2]=0
case what another thread has stays with it
  pre mutex[2]=2
  exec ATRELM Index=2
  passes 0
  post mutex[2]=2
case of a free one it does nothing
  exec ATRELM Index=4
  passes 0
  post mutex[4]=0
case there is no mutex 1
  exec ATRELM Index=1
  fault UNDEFINED says=mutex 1 does not exist
