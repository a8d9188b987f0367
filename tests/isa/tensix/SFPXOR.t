# SPDX-License-Identifier: Apache-2.0
# Manual SFPXOR.
case VD and VC
  pre lreg[0]=0xff00ff00 lreg[3]=0x0ff00ff0
  exec SFPXOR VC=0, VD=3
  post lreg[3]=0xf0f0f0f0
case with itself
  pre lreg[3]=0x0ff00ff0
  exec SFPXOR VC=3, VD=3
  post lreg[3]=0
