# SPDX-License-Identifier: Apache-2.0
# Manual SFPNOP, VectorUnit.
case one a cycle
  exec SFPNOP
  exec SFPNOP
  exec SFPNOP
  passes 0 1 2
case C11 waits for one cycle
  exec SFPNOP
  exec STALLWAIT ConditionMask=0x800, BlockMask=1
  exec SETADCXX U0=1, X0Val=1
  passes 0 1 3
case threads take turns
  exec SFPNOP
  exec T1 SFPNOP
  exec T2 SFPNOP
  exec SFPNOP
  passes 0 1 2 3
