# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 INCADCXY.
case all four counters step, their CR stay
  pre adc[0][0].x=10 adc[0][0].x_cr=1 adc[0][0].y=20 adc[0][0].y_cr=2 adc[0][1].x=30 adc[0][1].y=40
  exec INCADCXY U0=1, X0Inc=1, Y0Inc=2, X1Inc=3, Y1Inc=4
  post adc[0][0].x=11 adc[0][0].x_cr=1 adc[0][0].y=22 adc[0][0].y_cr=2 adc[0][1].x=33 adc[0][1].y=44
case X wraps at 18 bits, Y at 13
  pre adc[0][0].x=0x3ffff adc[0][0].y=0x1fff adc[0][1].x=0x3ffff adc[0][1].y=0x1fff
  exec INCADCXY U0=1, X0Inc=1, Y0Inc=2, X1Inc=3, Y1Inc=4
  post adc[0][0].x=0 adc[0][0].y=1 adc[0][1].x=2 adc[0][1].y=3
case sets and ThreadOverride
  exec INCADCXY U1=1, PK=1, ThreadOverride=3, Y0Inc=3
  post adc[2][1][0].y=3 adc[2][2][0].y=3 adc[2][0][0].y=0 adc[0][1][0].y=0
