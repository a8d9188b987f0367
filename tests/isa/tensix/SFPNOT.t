# SPDX-License-Identifier: Apache-2.0
# Manual SFPNOT.
case all bits
  pre lreg[0]=0xff00ff00
  exec SFPNOT VC=0, VD=3
  post lreg[3]=0x00ff00ff
