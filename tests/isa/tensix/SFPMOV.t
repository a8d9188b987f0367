# SPDX-License-Identifier: Apache-2.0
# Manual SFPMOV.
case a copy
  pre lreg[2]=0x12345678
  exec SFPMOV VC=2, VD=5
  post lreg[5]=0x12345678
case with the sign turned round
  pre lreg[2]=0x12345678
  exec SFPMOV VC=2, VD=5, Mod1=1
  post lreg[5]=0x92345678
case in all lanes whatever the flags
  pre lreg[2]=7 useflags=0xffffffff flags=1
  exec SFPMOV VC=2, VD=5, Mod1=2
  exec SFPMOV VC=2, VD=6, Mod1=0
  exec SFPMOV VC=2, VD=7, Mod1=3
  post lreg[5]=7 lreg[6][0]=7 lreg[6][1]=0 lreg[7][0]=0x80000007 lreg[7][1]=0
case configuration: template, sequence, Misc, LaneConfig
  pre template[2]=0x11 sequence[3]=0x22 misc=0x33 laneconfig=0x100
  exec SFPMOV VC=2, VD=0, Mod1=8
  exec SFPMOV VC=7, VD=1, Mod1=8
  exec SFPMOV VC=8, VD=2, Mod1=8
  exec SFPMOV VC=15, VD=3, Mod1=8
  exec SFPMOV VC=11, VD=4, Mod1=8
  post lreg[0]=0x11 lreg[1]=0x22 lreg[2]=0x33 lreg[3]=0x100 lreg[4]=0
case random bits: the state before it goes on
  pre prng=0 prng[3]=3 prng[4]=0x80200001
  exec SFPMOV VC=9, VD=0, Mod1=8
  exec SFPMOV VC=9, VD=1, Mod1=8
  # from 0 the new bit is 1; of 3 two taps are set, of 0x80200001 three
  post lreg[0][0]=0 lreg[0][3]=3 lreg[0][4]=0x80200001 lreg[1][0]=0x80000000 lreg[1][3]=0x80000001 lreg[1][4]=0x40100000 prng[0]=0x40000000 prng[3]=0xc0000000 prng[4]=0xa0080000
case the generators of disabled lanes stand still
  pre prng=5 useflags=0xffffffff flags=1
  exec SFPMOV VC=9, VD=0, Mod1=8
  post lreg[0][0]=5 lreg[0][1]=0 prng[1]=5 prng[0]=2
