# SPDX-License-Identifier: Apache-2.0
# Manual SFPEXMAN.
case with the hidden bit
  pre lreg[0]=0xc0490fdb
  exec SFPEXMAN VC=0, VD=3
  post lreg[3]=0x00c90fdb
case without
  pre lreg[0]=0xc0490fdb
  exec SFPEXMAN VC=0, VD=3, Mod1=1
  post lreg[3]=0x00490fdb
case also of a denormal
  pre lreg[0]=1
  exec SFPEXMAN VC=0, VD=3
  post lreg[3]=0x00800001
