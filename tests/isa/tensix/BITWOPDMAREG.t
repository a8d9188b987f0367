# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 BITWOPDMAREG.
case mode 0 is and
  pre gpr[1]=0xff00ff00 gpr[2]=0xf0f0f0f0
  exec BITWOPDMAREG Mode=0, LeftReg=1, RightReg=2, ResultReg=3
  post gpr[3]=0xf000f000
case mode 1 is or
  pre gpr[1]=0xff00ff00 gpr[2]=0xf0f0f0f0
  exec BITWOPDMAREG Mode=1, LeftReg=1, RightReg=2, ResultReg=3
  post gpr[3]=0xfff0fff0
case mode 2 is exclusive or
  pre gpr[1]=0xff00ff00 gpr[2]=0xf0f0f0f0
  exec BITWOPDMAREG Mode=2, LeftReg=1, RightReg=2, ResultReg=3
  post gpr[3]=0x0ff00ff0
case the constant has no sign
  pre gpr[60]=0xffffff00
  exec BITWOPDMAREG OpBisConst=1, Mode=1, LeftReg=60, RightImm6=63, ResultReg=61
  exec DMANOP
  passes 0 3
  post gpr[61]=0xffffff3f
case registers of different groups of four: four cycles
  exec BITWOPDMAREG LeftReg=4, RightReg=8, ResultReg=4
  exec DMANOP
  passes 0 4
case there is no mode 3
  exec BITWOPDMAREG Mode=3, LeftReg=1, RightReg=2, ResultReg=3
  fault UNDEFINED says=mode 3
case there is no mode 7
  exec BITWOPDMAREG Mode=7, LeftReg=1, RightReg=2, ResultReg=3
  fault UNDEFINED says=mode 7
