# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ADDRCRZW.
case CR steps and the counter becomes it, where the mask says so
  pre adc[0][0].z=10 adc[0][0].z_cr=1 adc[0][0].w=20 adc[0][0].w_cr=2 adc[0][1].z=30 adc[0][1].z_cr=3 adc[0][1].w=40 adc[0][1].w_cr=4
  exec ADDRCRZW U0=1, Z0Inc=1, W0Inc=2, Z1Inc=3, W1Inc=4, Z0=1, W1=1
  post adc[0][0].z=2 adc[0][0].z_cr=2 adc[0][0].w=20 adc[0][0].w_cr=2 adc[0][1].z=30 adc[0][1].z_cr=3 adc[0][1].w=8 adc[0][1].w_cr=8
case the other two
  pre adc[0][0].w=20 adc[0][0].w_cr=2 adc[0][1].z=30 adc[0][1].z_cr=3
  exec ADDRCRZW U0=1, Z0Inc=1, W0Inc=2, Z1Inc=3, W1Inc=4, W0=1, Z1=1
  post adc[0][0].w=4 adc[0][0].w_cr=4 adc[0][1].z=6 adc[0][1].z_cr=6 adc[0][0].z=0 adc[0][1].w=0
case both wrap at 13 bits
  pre adc[0][0].z_cr=0x1fff adc[0][0].w_cr=0x1fff adc[0][1].z_cr=0xff
  exec ADDRCRZW U0=1, Z0Inc=2, W0Inc=3, Z1Inc=1, Z0=1, W0=1, Z1=1
  post adc[0][0].z=1 adc[0][0].z_cr=1 adc[0][0].w=2 adc[0][0].w_cr=2 adc[0][1].z=0x100
case sets and ThreadOverride
  exec ADDRCRZW U1=1, PK=1, ThreadOverride=2, W0Inc=3, W0=1
  post adc[1][1][0].w=3 adc[1][2][0].w=3 adc[1][0][0].w=0 adc[0][1][0].w=0
