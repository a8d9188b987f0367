# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ADDDMAREG, ScalarUnit.
case two registers, 32 bits
  pre gpr[1]=0xfffffff0 gpr[2]=0x20
  exec ADDDMAREG LeftReg=1, RightReg=2, ResultReg=3
  post gpr[3]=0x10 gpr[1]=0xfffffff0 gpr[2]=0x20
case a register and a constant of six bits
  pre gpr[60]=5
  exec ADDDMAREG OpBisConst=1, LeftReg=60, RightImm6=63, ResultReg=60
  post gpr[60]=68
case with a constant it has the unit for three cycles (a card agrees)
  exec ADDDMAREG OpBisConst=1, LeftReg=60, RightImm6=1, ResultReg=60
  exec ADDDMAREG OpBisConst=1, LeftReg=60, RightImm6=1, ResultReg=60
  exec ADDDMAREG OpBisConst=1, LeftReg=60, RightImm6=1, ResultReg=60
  passes 0 3 6
  post gpr[60]=3
case registers of one group of four: three cycles
  exec ADDDMAREG LeftReg=4, RightReg=7, ResultReg=20
  exec DMANOP
  passes 0 3
case registers of different groups of four: four cycles
  exec ADDDMAREG LeftReg=4, RightReg=8, ResultReg=4
  exec DMANOP
  passes 0 4
case the group of the result does not matter
  exec ADDDMAREG LeftReg=4, RightReg=5, ResultReg=60
  exec DMANOP
  passes 0 3
case in its last cycle the next instruction of the thread passes to another unit
  exec ADDDMAREG OpBisConst=1, LeftReg=60, RightImm6=1, ResultReg=60
  exec NOP
  exec NOP
  passes 0 2 3
case another thread goes on meanwhile, but not to the unit
  exec T0 ADDDMAREG OpBisConst=1, LeftReg=60, RightImm6=1, ResultReg=60
  exec T1 NOP
  exec T1 NOP
  exec T1 DMANOP
  passes 0 0 1 3
case the result is not there before the instruction ends
  pre gpr[60]=5
  exec ADDDMAREG OpBisConst=1, LeftReg=60, RightImm6=1, ResultReg=60
  at 1 gpr[60]=5
  at 2 gpr[60]=6
case its operands are those that the instruction before leaves
  exec SETDMAREG NewValue=5, ResultHalfReg=0
  exec ADDDMAREG OpBisConst=1, LeftReg=0, RightImm6=1, ResultReg=1
  exec ADDDMAREG OpBisConst=1, LeftReg=1, RightImm6=1, ResultReg=2
  post gpr[2]=7
case does not start while the unit is held in reset
  pre reg[0xffb121b0]=0x47a00
  exec DMANOP
  exec ADDDMAREG OpBisConst=1, RightImm6=1, ResultReg=1
  write 50 reg[0xffb121b0]=0x47800
  passes 0 51
  post gpr[1]=1
case reserved bits are not for use
  exec ADDDMAREG OpBisConst=1, reserved=0x40000
  fault UNDEFINED says=reserved
