# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 INCADCZW.
case all four counters step, their CR stay
  pre adc[0][0].z=10 adc[0][0].z_cr=1 adc[0][0].w=20 adc[0][0].w_cr=2 adc[0][1].z=30 adc[0][1].w=40
  exec INCADCZW U0=1, Z0Inc=1, W0Inc=2, Z1Inc=3, W1Inc=4
  post adc[0][0].z=11 adc[0][0].z_cr=1 adc[0][0].w=22 adc[0][0].w_cr=2 adc[0][1].z=33 adc[0][1].w=44
case Z and W go past eight bits and wrap at 13
  pre adc[0][0].z=0xff adc[0][0].w=0x1fff adc[0][1].z=0x1fff adc[0][1].w=0xff
  exec INCADCZW U0=1, Z0Inc=1, W0Inc=2, Z1Inc=3, W1Inc=4
  post adc[0][0].z=0x100 adc[0][0].w=1 adc[0][1].z=2 adc[0][1].w=0x103
case sets and ThreadOverride
  exec INCADCZW U1=1, PK=1, ThreadOverride=2, W0Inc=3
  post adc[1][1][0].w=3 adc[1][2][0].w=3 adc[1][0][0].w=0 adc[0][1][0].w=0
