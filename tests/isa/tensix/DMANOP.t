# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 DMANOP.
case takes one cycle of the unit
  exec DMANOP
  exec DMANOP
  exec DMANOP
  passes 0 1 2
case waits for the unit like any other
  exec T0 ADDDMAREG OpBisConst=1, RightImm6=1
  exec T1 DMANOP
  passes 0 3
case can execute while the unit is held in reset
  pre reg[0xffb121b0]=0x47a00
  exec DMANOP
  exec SETDMAREG NewValue=5
  passes 0 1
  post gpr[0]=5
