# SPDX-License-Identifier: Apache-2.0
# Manual SFPDIVP2.
case the exponent is set
  pre lreg[0]=0xc0490fdb
  exec SFPDIVP2 Imm8=127, VC=0, VD=3
  post lreg[3]=0xbfc90fdb
case or added to
  pre lreg[0]=0xc0490fdb
  exec SFPDIVP2 Imm8=255, VC=0, VD=3, Mod1=1
  post lreg[3]=0xbfc90fdb
case it wraps
  pre lreg[0]=0x00800000
  exec SFPDIVP2 Imm8=254, VC=0, VD=3, Mod1=1
  post lreg[3]=0x7f800000
case infinity and NaN stay
  pre lreg[0]=0x7f800000 lreg[0][1]=0xffc00001
  exec SFPDIVP2 Imm8=1, VC=0, VD=3, Mod1=1
  post lreg[3][0]=0x7f800000 lreg[3][1]=0xffc00001
