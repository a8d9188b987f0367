# SPDX-License-Identifier: Apache-2.0
# Manual SEMPOST, SyncUnit.
case one more
  pre sem[3]=2 max[3]=2
  exec SEMPOST SemaphoreMask=8
  at 1 sem[3]=3
  post sem[2]=0 sem[4]=0
case several at once
  exec SEMPOST SemaphoreMask=0x81
  post sem[0]=1 sem[7]=1 sem[1]=0
case stays at 15, whatever the maximum is
  pre sem[0]=14 max[0]=1
  exec SEMPOST SemaphoreMask=1
  exec SEMPOST SemaphoreMask=1
  exec SEMPOST SemaphoreMask=1
  post sem[0]=15 max[0]=1
case the unit takes one a cycle, from whichever thread
  exec T0 SEMPOST SemaphoreMask=1
  exec T1 SEMPOST SemaphoreMask=1
  exec T2 SEMPOST SemaphoreMask=1
  exec T0 SEMPOST SemaphoreMask=1
  passes 0 1 2 3
  post sem[0]=4
case reserved bits are not for use
  exec SEMPOST SemaphoreMask=1, reserved=0x400
  fault UNDEFINED says=reserved
