# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SETADCXX.
thread 2
case X of both channels, ten bits each
  exec SETADCXX U0=1, PK=1, X0Val=0x155, X1Val=0x3ff
  post adc[0][0].x=0x155 adc[0][0].x_cr=0x155 adc[0][1].x=0x3ff adc[0][1].x_cr=0x3ff adc[2][1].x=0x3ff adc[1][0].x=0
case both are set whatever they were
  pre adc[1][0].x=0x3ffff adc[1][0].x_cr=5 adc[1][1].x=6 adc[1][0].y=9
  exec SETADCXX U1=1
  post adc[1][0].x=0 adc[1][0].x_cr=0 adc[1][1].x=0 adc[1][0].y=9
