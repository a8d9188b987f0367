# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SETADCZW.
case the mask chooses counters; their CR follow
  exec SETADCZW PK=1, Z0Val=1, W0Val=2, Z1Val=3, W1Val=4, Z0=1, W1=1
  post adc[2][0].z=1 adc[2][0].z_cr=1 adc[2][0].w=0 adc[2][1].z=0 adc[2][1].w=4 adc[2][1].w_cr=4
case the other two
  exec SETADCZW PK=1, Z0Val=1, W0Val=2, Z1Val=3, W1Val=4, W0=1, Z1=1
  post adc[2][0].z=0 adc[2][0].w=2 adc[2][0].w_cr=2 adc[2][1].z=3 adc[2][1].z_cr=3 adc[2][1].w=0
case several sets
  exec SETADCZW U0=1, U1=1, Z0Val=7, Z0=1
  post adc[0][0].z=7 adc[1][0].z=7 adc[2][0].z=0
case ThreadOverride
  exec SETADCZW U0=1, ThreadOverride=2, W1Val=7, W1=1
  post adc[1][0][1].w=7 adc[0][0][1].w=0
