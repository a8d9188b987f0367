# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 FLUSHDMA.
case takes two cycles when there is nothing to wait for
  exec FLUSHDMA ConditionMask=1
  exec DMANOP
  passes 0 2
case no condition is all four
  pre gpr[1]=0x100 [0x1000]=7
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec FLUSHDMA
  exec ADDDMAREG OpBisConst=1, LeftReg=9, RightImm6=0, ResultReg=10
  passes 0 3 12
  post gpr[10]=7
case the unit is taken meanwhile, for other threads too
  pre gpr[1]=0x100
  exec T0 LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec T0 FLUSHDMA ConditionMask=1
  exec T1 NOP
  exec T1 NOP
  exec T1 NOP
  exec T1 NOP
  exec T1 DMANOP
  passes 0 3 0 1 2 3 12
case its own thread waits with it
  pre gpr[1]=0x100
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec FLUSHDMA ConditionMask=1
  exec NOP
  passes 0 3 11
case conditions that are not asked for do not matter
  pre gpr[1]=0x100
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec FLUSHDMA ConditionMask=14
  exec DMANOP
  passes 0 3 5
case reserved bits are not for use
  exec FLUSHDMA reserved=0x10
  fault UNDEFINED says=reserved
