# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ADDRCRXY.
case CR steps and the counter becomes it, where the mask says so
  pre adc[0][0].x=10 adc[0][0].x_cr=1 adc[0][0].y=20 adc[0][0].y_cr=2 adc[0][1].x=30 adc[0][1].x_cr=3 adc[0][1].y=40 adc[0][1].y_cr=4
  exec ADDRCRXY U0=1, X0Inc=1, Y0Inc=2, X1Inc=3, Y1Inc=4, X0=1, Y1=1
  post adc[0][0].x=2 adc[0][0].x_cr=2 adc[0][0].y=20 adc[0][0].y_cr=2 adc[0][1].x=30 adc[0][1].x_cr=3 adc[0][1].y=8 adc[0][1].y_cr=8
case the other two
  pre adc[0][0].y=20 adc[0][0].y_cr=2 adc[0][1].x=30 adc[0][1].x_cr=3
  exec ADDRCRXY U0=1, X0Inc=1, Y0Inc=2, X1Inc=3, Y1Inc=4, Y0=1, X1=1
  post adc[0][0].y=4 adc[0][0].y_cr=4 adc[0][1].x=6 adc[0][1].x_cr=6 adc[0][0].x=0 adc[0][1].y=0
case a step of zero goes back to CR
  pre adc[2][0].x=10 adc[2][0].x_cr=1
  exec ADDRCRXY PK=1, X0=1
  post adc[2][0].x=1
case X wraps at 18 bits, Y at 13
  pre adc[0][0].x_cr=0x3ffff adc[0][0].y_cr=0x1fff
  exec ADDRCRXY U0=1, X0Inc=2, Y0Inc=2, X0=1, Y0=1
  post adc[0][0].x=1 adc[0][0].x_cr=1 adc[0][0].y=1 adc[0][0].y_cr=1
case sets and ThreadOverride
  exec ADDRCRXY U1=1, PK=1, ThreadOverride=3, Y0Inc=3, Y0=1
  post adc[2][1][0].y=3 adc[2][2][0].y=3 adc[2][0][0].y=0 adc[0][1][0].y=0
