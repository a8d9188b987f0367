# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 LOADREG.
case a register, eleven cycles behind the gate
  pre reg[0xffb11024]=0x3f
  exec LOADREG ResultReg=7, AddrLo=0x4409
  exec DMANOP
  passes 0 3
  at 10 gpr[7]=0
  at 11 gpr[7]=0x3f
case the register is read seven cycles behind the gate
  exec LOADREG ResultReg=7, AddrLo=0x4409
  exec LOADREG ResultReg=8, AddrLo=0x4409
  write 8 reg[0xffb11024]=0x3f
  post gpr[7]=0 gpr[8]=0x3f
case a store before it is there
  pre gpr[1]=5
  exec STOREREG DataReg=1, AddrLo=0x4409
  exec LOADREG ResultReg=7, AddrLo=0x4409
  post gpr[7]=5
case FLUSHDMA waits for it
  pre reg[0xffb11024]=0x3f
  exec LOADREG ResultReg=7, AddrLo=0x4409
  exec FLUSHDMA ConditionMask=1
  exec ADDDMAREG OpBisConst=1, LeftReg=7, RightImm6=0, ResultReg=8
  passes 0 3 12
  post gpr[8]=0x3f
case below 0xffb11000
  exec LOADREG ResultReg=7, AddrLo=0
  fault UNDEFINED says=LOADREG from 0xffb00000
case where there is nothing: the thread stops
  exec LOADREG ResultReg=7, AddrLo=0x24000
  fault UNDEFINED says=LOADREG at 0xffb90000: nothing there
