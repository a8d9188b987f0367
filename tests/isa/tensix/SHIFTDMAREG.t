# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SHIFTDMAREG.
case mode 0 is left, by the low five bits of the register
  pre gpr[1]=0x80000003 gpr[2]=0xffffffe4
  exec SHIFTDMAREG Mode=0, LeftReg=1, RightReg=2, ResultReg=3
  post gpr[3]=0x30
case mode 1 is right, without the sign
  pre gpr[1]=0x80000003 gpr[2]=1
  exec SHIFTDMAREG Mode=1, LeftReg=1, RightReg=2, ResultReg=3
  post gpr[3]=0x40000001
case by a constant of five bits
  pre gpr[60]=0x80000000
  exec SHIFTDMAREG OpBisConst=1, Mode=1, LeftReg=60, RightImm5=31, ResultReg=61
  exec DMANOP
  passes 0 3
  post gpr[61]=1
case by zero
  pre gpr[60]=0x80000001
  exec SHIFTDMAREG OpBisConst=1, Mode=0, LeftReg=60, RightImm5=0, ResultReg=61
  post gpr[61]=0x80000001
case a sixth bit of the constant is reserved
  exec SHIFTDMAREG OpBisConst=1, Mode=0, LeftReg=60, RightImm5=0, ResultReg=61, reserved=0x800
  fault UNDEFINED says=reserved
case registers of different groups of four: four cycles
  exec SHIFTDMAREG LeftReg=4, RightReg=8, ResultReg=4
  exec DMANOP
  passes 0 4
case there is no mode 2
  exec SHIFTDMAREG Mode=2, LeftReg=1, RightReg=2, ResultReg=3
  fault UNDEFINED says=mode 2
