# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 GATESRCRST: nothing that can be seen, one cycle.
case all of its bits
  pre src[0].owns[0]=1 srcb[0][3]=7 rwc.dst=3
  exec GATESRCRST InvalidateSrcBCache=1, reset_srca_gate_control=1
  exec GATESRCRST
  passes 0 1
  post src[0].owns[0]=1 src[0].matrix=0 srcb[0][3]=7 rwc.dst=3
