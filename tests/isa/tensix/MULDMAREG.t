# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MULDMAREG; the first case as the reference simulator has it.
case the low halves, unsigned, to 32 bits
  pre gpr[1]=0xdeadbeef gpr[2]=0x8001fff3
  exec MULDMAREG LeftReg=1, RightReg=2, ResultReg=3
  post gpr[3]=0xbee54ddd
case the largest product
  pre gpr[1]=0xffff gpr[2]=0xffff
  exec MULDMAREG LeftReg=1, RightReg=2, ResultReg=1
  post gpr[1]=0xfffe0001
case a register and a constant of six bits
  pre gpr[60]=0x1ffff
  exec MULDMAREG OpBisConst=1, LeftReg=60, RightImm6=63, ResultReg=61
  exec DMANOP
  passes 0 3
  post gpr[61]=0x3effc1
case registers of different groups of four: four cycles
  exec MULDMAREG LeftReg=4, RightReg=8, ResultReg=4
  exec DMANOP
  passes 0 4
