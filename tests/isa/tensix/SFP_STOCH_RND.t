# SPDX-License-Identifier: Apache-2.0
# Manual SFPSTOCHRND, its three pages.
case FP32 to seven bits of mantissa: nearest, ties away
  pre lreg[0]=0x3f808000 lreg[0][1]=0x3f807fff lreg[0][2]=0xbf818000 lreg[0][3]=0x3fffffff
  exec SFP_STOCH_RND VC=0, VD=3, Mod1=1
  post lreg[3][0]=0x3f810000 lreg[3][1]=0x3f800000 lreg[3][2]=0xbf820000 lreg[3][3]=0x40000000
case to ten bits
  pre lreg[0]=0x3f801000 lreg[0][1]=0x3f800fff
  exec SFP_STOCH_RND VC=0, VD=3, Mod1=0
  post lreg[3][0]=0x3f802000 lreg[3][1]=0x3f800000
case denormals and -0 become +0, NaN infinity
  pre lreg[0]=0x80000000 lreg[0][1]=0x007fffff lreg[0][2]=0xffc00001 lreg[0][3]=0x7f800001 lreg[0][4]=0x7f7fffff
  exec SFP_STOCH_RND VC=0, VD=3, Mod1=1
  post lreg[3][0]=0 lreg[3][1]=0 lreg[3][2]=0xff800000 lreg[3][3]=0x7f800000 lreg[3][4]=0x7f800000
case towards zero, but for all ones
  pre lreg[0]=0x3f80fffe lreg[0][1]=0x3f80ffff
  exec SFP_STOCH_RND RoundingMode=2, VC=0, VD=3, Mod1=1
  post lreg[3][0]=0x3f800000 lreg[3][1]=0x3f810000
case at random: up if what is cut off is not below the random bits
  # 23 bits of the state, of which the highest 16 count: 0x8000
  pre lreg[0]=0x3f807fff lreg[0][1]=0x3f808000 prng=0xff400000
  exec SFP_STOCH_RND RoundingMode=1, VC=0, VD=3, Mod1=1
  post lreg[3][0]=0x3f800000 lreg[3][1]=0x3f810000 prng=0x7fa00000
case random zero rounds up what is exact
  pre lreg[0]=0x3f800000 prng=0
  exec SFP_STOCH_RND RoundingMode=1, VC=0, VD=3, Mod1=1
  post lreg[3]=0x3f810000
case the generators go on in every mode, in enabled lanes
  pre prng=0 useflags=0xffffffff flags=1
  exec SFP_STOCH_RND RoundingMode=0, VC=0, VD=3, Mod1=1
  post prng[0]=0x80000000 prng[1]=0
case FP32 to uint8: of the magnitude, at most 255
  pre lreg[0]=0xc0200000 lreg[0][1]=0x437f8000 lreg[0][2]=0x3effffff lreg[0][3]=0x3f000000 lreg[0][4]=0x7fc00000
  exec SFP_STOCH_RND VC=0, VD=3, Mod1=2
  post lreg[3][0]=3 lreg[3][1]=255 lreg[3][2]=0 lreg[3][3]=1 lreg[3][4]=255
case to int8, with its sign
  pre lreg[0]=0xc0200000 lreg[0][1]=0xc3800000 lreg[0][2]=0xbe000000
  exec SFP_STOCH_RND VC=0, VD=3, Mod1=3
  post lreg[3][0]=0x80000003 lreg[3][1]=0x8000007f lreg[3][2]=0
case to uint16 and int16
  pre lreg[0]=0xc77fffff lreg[0][1]=0x47800000
  exec SFP_STOCH_RND VC=0, VD=3, Mod1=6
  exec SFP_STOCH_RND VC=0, VD=4, Mod1=7
  post lreg[3][0]=65535 lreg[3][1]=65535 lreg[4][0]=0x80007fff lreg[4][1]=0x7fff
case towards zero, but for what is just below 1 and 2
  pre lreg[0]=0x3f7fffff lreg[0][1]=0x3f7ffffd lreg[0][2]=0x3fffffff lreg[0][3]=0x403fffff lreg[0][4]=0x3f7ffffe
  exec SFP_STOCH_RND RoundingMode=2, VC=0, VD=3, Mod1=2
  post lreg[3][0]=1 lreg[3][1]=0 lreg[3][2]=2 lreg[3][3]=2 lreg[3][4]=1
case integers, shifted by VB
  pre lreg[0]=0x8000002c lreg[1]=0x44
  exec SFP_STOCH_RND VB=1, VC=0, VD=3, Mod1=5
  # 44 / 16 = 2.75
  post lreg[3]=0x80000003
case or by an immediate, of the magnitude
  pre lreg[0]=0x8000002c lreg[0][1]=0x7fffffff
  exec SFP_STOCH_RND Imm5=3, VB=1, VC=0, VD=3, UseImm5=1, Mod1=4
  # 5.5
  post lreg[3][0]=6 lreg[3][1]=255
case a shift of 31
  pre lreg[0]=0x40000000 lreg[0][1]=0x3fffffff
  exec SFP_STOCH_RND Imm5=31, VC=0, VD=3, UseImm5=1, Mod1=4
  post lreg[3][0]=1 lreg[3][1]=0
case the stalling logic takes VB for read in all modes
  exec SFPMAD VA=10, VB=1, VC=9, VD=2
  exec SFP_STOCH_RND VB=2, VC=0, VD=3, Mod1=1
  passes 0 2
case with VB as VC there is nothing to wait for
  exec SFPMAD VA=10, VB=1, VC=9, VD=2
  exec SFP_STOCH_RND VB=0, VC=0, VD=3, Mod1=1
  passes 0 1
