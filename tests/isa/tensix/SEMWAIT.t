# SPDX-License-Identifier: Apache-2.0
# Manual SEMWAIT (25376754), SyncUnit, WormholeB0 WaitGate.  Condition 1: the value is zero; 2: it has reached the maximum.
case met at once it costs one cycle
  pre sem[1]=1 max[1]=2
  exec SEMWAIT BlockMask=2, SemaphoreMask=2, ConditionMask=3
  exec SEMGET SemaphoreMask=2
  passes 0 2
case while the semaphore is zero; looked at in every cycle, and let go in the one behind
  pre max[1]=2
  exec T0 SEMWAIT BlockMask=2, SemaphoreMask=2, ConditionMask=1
  exec T0 SEMGET SemaphoreMask=2
  exec T1 NOP
  exec T1 NOP
  exec T1 NOP
  exec T1 NOP
  exec T1 NOP
  exec T1 SEMPOST SemaphoreMask=2
  passes 0 7 0 1 2 3 4 5
  post sem[1]=0
case while the semaphore is at its maximum, or above
  pre sem[1]=3 max[1]=2
  exec T0 SEMWAIT BlockMask=2, SemaphoreMask=2, ConditionMask=2
  exec T0 SEMPOST SemaphoreMask=2
  exec T1 NOP
  exec T1 SEMGET SemaphoreMask=2
  exec T1 NOP
  exec T1 NOP
  exec T1 SEMGET SemaphoreMask=2
  passes 0 6 0 1 2 3 4
  post sem[1]=2
case zero alone does not hold who waits for room
  pre max[1]=1
  exec SEMWAIT BlockMask=2, SemaphoreMask=2, ConditionMask=2
  exec SEMPOST SemaphoreMask=2
  passes 0 2
case every semaphore of the mask counts, the others do not
  pre sem[0]=1 sem[5]=1 max[0]=9 max[5]=9
  exec T0 SEMWAIT BlockMask=2, SemaphoreMask=0x31, ConditionMask=1
  exec T0 SEMGET SemaphoreMask=1
  exec T1 NOP
  exec T1 SEMPOST SemaphoreMask=16
  passes 0 3 0 1
case only the classes of its block mask wait
  exec SEMWAIT BlockMask=64, SemaphoreMask=1, ConditionMask=1
  exec NOP
  exec SETDMAREG NewValue=7, ResultHalfReg=0
  exec SEMPOST SemaphoreMask=1
  exec SETRWC Dst=1
  passes 0 1 2 3 5
case no block mask means the Matrix Unit
  exec SEMWAIT SemaphoreMask=1, ConditionMask=1
  exec SEMPOST SemaphoreMask=2
  exec SETRWC Dst=1
  passes 0 1 -
case the thread keeps its order behind what waits
  exec SEMWAIT BlockMask=64, SemaphoreMask=1, ConditionMask=1
  exec SETRWC Dst=1
  exec SETDMAREG NewValue=7, ResultHalfReg=0
  passes 0 - -
  post gpr[0]=0
case another thread's wait holds nobody else
  exec T0 SEMWAIT BlockMask=0x1ff, SemaphoreMask=1, ConditionMask=1
  exec T0 NOP
  exec T1 SEMPOST SemaphoreMask=2
  exec T1 SETRWC Dst=1
  passes 0 - 1 2
case a second wait instruction waits for the first
  pre sem[1]=1 max[1]=9
  exec T0 SEMWAIT BlockMask=64, SemaphoreMask=1, ConditionMask=1
  exec T0 SEMWAIT BlockMask=64, SemaphoreMask=2, ConditionMask=1
  exec T1 NOP
  exec T1 NOP
  exec T1 SEMPOST SemaphoreMask=1
  passes 0 4 0 1 2
case unpack, math and pack overlap: three threads hand on with UNPACK_TO_DEST (2), MATH_PACK (1) and MATH_DONE (7)
  pre max[1]=1 max[2]=1 max[7]=1
  exec T0 SEMWAIT BlockMask=2, SemaphoreMask=0x80, ConditionMask=2
  exec T0 SEMPOST SemaphoreMask=4
  exec T0 SETDMAREG NewValue=1, ResultHalfReg=0
  exec T0 SEMWAIT BlockMask=2, SemaphoreMask=0x80, ConditionMask=1
  exec T0 SEMGET SemaphoreMask=0x80
  exec T1 SEMWAIT BlockMask=2, SemaphoreMask=4, ConditionMask=1
  exec T1 SEMGET SemaphoreMask=4
  exec T1 SEMPOST SemaphoreMask=2
  exec T2 SEMWAIT BlockMask=2, SemaphoreMask=2, ConditionMask=1
  exec T2 SEMGET SemaphoreMask=2
  exec T2 SEMPOST SemaphoreMask=0x80
  post sem[1]=0 sem[2]=0 sem[7]=0 gpr[0]=1
case no condition has no meaning
  exec SEMWAIT BlockMask=2, SemaphoreMask=1
  fault UNDEFINED says=ConditionMask is 0
