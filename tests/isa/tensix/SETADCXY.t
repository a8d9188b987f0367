# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SETADCXY.
thread 1
case the mask chooses counters; their CR follow
  exec SETADCXY U1=1, X0Val=1, Y0Val=2, X1Val=3, Y1Val=4, X0=1, Y1=1
  post adc[1][0].x=1 adc[1][0].x_cr=1 adc[1][0].y=0 adc[1][1].x=0 adc[1][1].y=4 adc[1][1].y_cr=4
case the other two
  exec SETADCXY U1=1, X0Val=1, Y0Val=2, X1Val=3, Y1Val=4, Y0=1, X1=1
  post adc[1][0].x=0 adc[1][0].y=2 adc[1][0].y_cr=2 adc[1][1].x=3 adc[1][1].x_cr=3 adc[1][1].y=0
case several sets
  exec SETADCXY U0=1, PK=1, X0Val=7, X0=1
  post adc[0][0].x=7 adc[1][0].x=0 adc[2][0].x=7
case ThreadOverride
  exec SETADCXY U0=1, ThreadOverride=3, X0Val=7, X0=1
  post adc[2][0][0].x=7 adc[1][0][0].x=0
