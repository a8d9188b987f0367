# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 CMPDMAREG.
case mode 0 is greater, without sign
  pre gpr[0]=0x80000000 gpr[1]=1 gpr[2]=9 gpr[3]=9
  exec CMPDMAREG Mode=0, LeftReg=0, RightReg=1, ResultReg=2
  exec CMPDMAREG Mode=0, LeftReg=1, RightReg=0, ResultReg=3
  post gpr[2]=1 gpr[3]=0
case mode 1 is less, without sign
  pre gpr[0]=0x80000000 gpr[1]=1 gpr[2]=9 gpr[3]=9
  exec CMPDMAREG Mode=1, LeftReg=0, RightReg=1, ResultReg=2
  exec CMPDMAREG Mode=1, LeftReg=1, RightReg=0, ResultReg=3
  post gpr[2]=0 gpr[3]=1
case equal is neither, and mode 2
  pre gpr[0]=7 gpr[1]=7 gpr[4]=9 gpr[5]=9 gpr[6]=9
  exec CMPDMAREG Mode=0, LeftReg=0, RightReg=1, ResultReg=4
  exec CMPDMAREG Mode=1, LeftReg=0, RightReg=1, ResultReg=5
  exec CMPDMAREG Mode=2, LeftReg=0, RightReg=1, ResultReg=6
  passes 0 3 6
  post gpr[4]=0 gpr[5]=0 gpr[6]=1
case with a constant
  pre gpr[0]=63
  exec CMPDMAREG OpBisConst=1, Mode=2, LeftReg=0, RightImm6=63, ResultReg=4
  exec CMPDMAREG OpBisConst=1, Mode=2, LeftReg=0, RightImm6=62, ResultReg=5
  post gpr[4]=1 gpr[5]=0
case registers of different groups of four: four cycles
  exec CMPDMAREG LeftReg=4, RightReg=8, ResultReg=4
  exec DMANOP
  passes 0 4
case there is no mode 3
  exec CMPDMAREG Mode=3, LeftReg=1, RightReg=2, ResultReg=3
  fault UNDEFINED says=mode 3
