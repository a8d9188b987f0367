# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SUBDMAREG.
case two registers, 32 bits
  pre gpr[1]=0x10 gpr[2]=0x20
  exec SUBDMAREG LeftReg=1, RightReg=2, ResultReg=3
  post gpr[3]=0xfffffff0
case a register and a constant of six bits
  pre gpr[60]=5
  exec SUBDMAREG OpBisConst=1, LeftReg=60, RightImm6=63, ResultReg=61
  exec DMANOP
  passes 0 3
  post gpr[61]=0xffffffc6 gpr[60]=5
case registers of different groups of four: four cycles
  exec SUBDMAREG LeftReg=4, RightReg=8, ResultReg=4
  exec DMANOP
  passes 0 4
