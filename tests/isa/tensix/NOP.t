# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 NOP.
case one a cycle, and nothing else
  exec NOP
  exec NOP
  passes 0 1
  post rwc.dst=0 adc[0][0].x=0 undefined=0
