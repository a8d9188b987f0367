# SPDX-License-Identifier: Apache-2.0
# Manual SFPSWAP (ba533c05).
case an exchange
  pre lreg[0]=1 lreg[1]=2
  exec SFPSWAP VC=0, VD=1
  post lreg[0]=2 lreg[1]=1
case VD gets the smaller
  pre lreg[0]=1 lreg[1]=2 lreg[0][3]=5 lreg[1][4]=0x80000000
  exec SFPSWAP VC=0, VD=1, Mod1=1
  post lreg[1][0]=1 lreg[0][0]=2 lreg[1][3]=2 lreg[0][3]=5 lreg[1][4]=0x80000000 lreg[0][4]=1
case by rows of eight lanes: 0 and 1
  pre lreg[0]=1 lreg[1]=2
  exec SFPSWAP VC=0, VD=1, Mod1=2
  post lreg[1][0]=1 lreg[1][15]=1 lreg[1][16]=2 lreg[1][31]=2
case 0 and 2
  pre lreg[0]=1 lreg[1]=2
  exec SFPSWAP VC=0, VD=1, Mod1=3
  post lreg[1][0]=1 lreg[1][8]=2 lreg[1][16]=1 lreg[1][24]=2
case 0 and 3
  pre lreg[0]=1 lreg[1]=2
  exec SFPSWAP VC=0, VD=1, Mod1=4
  post lreg[1][0]=1 lreg[1][8]=2 lreg[1][16]=2 lreg[1][24]=1
case 0 alone, 1, 2, 3
  pre lreg[0]=1 lreg[1]=2 lreg[2]=1 lreg[3]=2 lreg[4]=1 lreg[5]=2 lreg[6]=1 lreg[7]=2
  exec SFPSWAP VC=0, VD=1, Mod1=5
  exec SFPSWAP VC=2, VD=3, Mod1=6
  exec SFPSWAP VC=4, VD=5, Mod1=7
  exec SFPSWAP VC=6, VD=7, Mod1=8
  post lreg[1][0]=1 lreg[1][8]=2 lreg[3][8]=1 lreg[3][16]=2 lreg[5][16]=1 lreg[5][24]=2 lreg[7][24]=1 lreg[7][0]=2
case above, VD gets the larger
  pre lreg[0]=2 lreg[1]=1 lreg[2]=2 lreg[3]=1
  exec SFPSWAP VC=0, VD=1, Mod1=9
  exec SFPSWAP VC=2, VD=3, Mod1=15
  post lreg[0]=1 lreg[1]=2 lreg[2]=1 lreg[3]=2
case against a constant: it is not written
  pre lreg[1]=0xc0000000 lreg[1][1]=0x40000000
  exec SFPSWAP VC=9, VD=1, Mod1=9
  post lreg[1][0]=0 lreg[1][1]=0x40000000 lreg[9]=0
case EXCHANGE_SRCB_SRCC turns the comparison round
  pre laneconfig=0x100 lreg[0]=1 lreg[1]=2
  exec SFPSWAP VC=0, VD=1, Mod1=1
  post lreg[0]=1 lreg[1]=2
case ENABLE_DEST_INDEX: the registers four above go along
  pre laneconfig=4 lreg[0]=1 lreg[1]=2 lreg[4]=0x40 lreg[5]=0x50
  exec SFPSWAP VC=0, VD=1, Mod1=1
  post lreg[0]=2 lreg[1]=1 lreg[4]=0x50 lreg[5]=0x40
case they go along with the same lanes
  pre laneconfig=4 lreg[0]=1 lreg[1]=2 lreg[0][6]=3 lreg[4]=0x40 lreg[5]=0x50
  exec SFPSWAP VC=0, VD=1, Mod1=1
  post lreg[0][6]=3 lreg[4][6]=0x40 lreg[4][5]=0x50
case behind it only SFPNOP is taken
  exec SFPSWAP VC=0, VD=1, Mod1=1
  exec SFPNOP
  exec SFPSWAP VC=0, VD=1, Mod1=1
  exec SFPLOADI VD=6, Mod0=2, Imm16=1
  passes 0 1 2 4
case also from another thread
  exec SFPSWAP VC=0, VD=1, Mod1=1
  exec T1 SFPMOV VC=0, VD=3
  passes 0 2
case it compares the old value and exchanges the new one
  # the result 2.0 is not there for the comparison, which finds 0 < 1.0, and is there for the exchange
  pre lreg[0]=0x3f800000 lreg[2]=0x40000000
  exec SFPADD VA=10, VB=2, VC=9, VD=1
  exec SFPSWAP VC=0, VD=1, Mod1=9
  passes 0 1
  fault HAZARD says=SFPSWAP reads LReg[1]
  post lreg[0]=0x40000000 lreg[1]=0x3f800000
case a plain exchange compares nothing
  pre lreg[0]=0x3f800000 lreg[2]=0x40000000
  exec SFPADD VA=10, VB=2, VC=9, VD=1
  exec SFPSWAP VC=0, VD=1
  passes 0 1
  post lreg[0]=0x40000000 lreg[1]=0x3f800000
