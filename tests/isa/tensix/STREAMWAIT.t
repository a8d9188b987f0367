# SPDX-License-Identifier: Apache-2.0
# Manual STREAMWAIT.  Words 59 to 62 of ThreadConfig are STREAM_ID_SYNC; condition 0 is the phase, 1 the number of messages.
case a target of zero is reached
  exec STREAMWAIT BlockMask=2, TargetValueLo=0, ConditionIndex=1
  exec SEMPOST SemaphoreMask=1
  passes 0 2
case messages that have not come
  exec STREAMWAIT BlockMask=2, TargetValueLo=1, ConditionIndex=1
  exec SEMPOST SemaphoreMask=1
  passes 0 -
case the high part of the target is in ThreadConfig
  pre thd[58]=1
  exec STREAMWAIT BlockMask=2, TargetValueLo=0, ConditionIndex=1
  exec SEMPOST SemaphoreMask=1
  passes 0 -
case what it does not block goes on
  exec STREAMWAIT BlockMask=2, TargetValueLo=1, ConditionIndex=1
  exec NOP
  exec DMANOP
  passes 0 1 2
