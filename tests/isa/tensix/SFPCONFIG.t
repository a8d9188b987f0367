# SPDX-License-Identifier: Apache-2.0
# Manual SFPCONFIG (f916ebc3).
case what the firmware pushes: LReg[11] from LReg[0]
  pre lreg[11]=0
  exec SFPLOADI Imm16=0xbf80
  exec SFPCONFIG VD=11
  post lreg[11]=0xbf800000
case eight lanes, each for its column
  pre lreg[0]=0xdead lreg[0][0]=1 lreg[0][7]=8
  exec SFPCONFIG VD=13
  post lreg[13][0]=1 lreg[13][24]=1 lreg[13][7]=8 lreg[13][31]=8 lreg[13][1]=0xdead
case templates take no immediate
  pre lreg[0]=0x55
  exec SFPCONFIG VD=2, Imm16=0x1234, Mod1=1
  post template[2]=0x55
case sequences do
  exec SFPCONFIG VD=5, Imm16=0x9234, Mod1=1
  post sequence[1]=0x9234
case or come from LReg[0]
  pre lreg[0]=0x89abcdef
  exec SFPCONFIG VD=7
  post sequence[3]=0x89abcdef
case Misc has twelve bits
  exec SFPCONFIG VD=8, Imm16=0x9234, Mod1=1
  post misc=0x234
case Misc: or
  pre misc=0xf00
  exec SFPCONFIG VD=8, Imm16=0x3c3, Mod1=3
  post misc=0xfc3
case Misc: and
  pre misc=0xf00
  exec SFPCONFIG VD=8, Imm16=0x3c3, Mod1=5
  post misc=0x300
case Misc: xor
  pre misc=0xf00
  exec SFPCONFIG VD=8, Imm16=0x3c3, Mod1=7
  post misc=0xcc3
case LaneConfig: an immediate leaves its two high bits
  pre laneconfig=0x30f00
  exec SFPCONFIG VD=15, Imm16=0x3c3, Mod1=1
  post laneconfig=0x303c3
case LaneConfig: and with an immediate, too
  pre laneconfig=0x30f00
  exec SFPCONFIG VD=15, Imm16=0x3c3, Mod1=5
  post laneconfig=0x30300
case LaneConfig: an immediate has all of the other sixteen
  pre laneconfig=0x3ffff
  exec SFPCONFIG VD=15, Mod1=1
  post laneconfig=0x30000
case LaneConfig: or
  pre laneconfig=0xf00
  exec SFPCONFIG VD=15, Imm16=0x3c3, Mod1=3
  post laneconfig=0xfc3
case LaneConfig: xor
  pre laneconfig=0x30f00
  exec SFPCONFIG VD=15, Imm16=0x3c3, Mod1=7
  post laneconfig=0x30cc3
case LaneConfig has 18 bits
  pre lreg[0]=0xffffffff
  exec SFPCONFIG VD=15
  post laneconfig=0x3ffff
case 9 and 10 do nothing
  pre lreg[0]=5
  exec SFPCONFIG VD=9
  exec SFPCONFIG VD=10
  post lreg[9]=0 lreg[10]=0x3f800000
case with an immediate LReg[11] to LReg[14] get their defaults
  pre lreg[11]=0 lreg[12]=0 lreg[13]=0 lreg[14]=0
  exec SFPCONFIG VD=11, Mod1=1
  exec SFPCONFIG VD=12, Mod1=1
  exec SFPCONFIG VD=13, Mod1=1
  exec SFPCONFIG VD=14, Imm16=0x1234, Mod1=1
  post lreg[11]=0xbf800000 lreg[12]=0x3b000000 lreg[13]=0xbf2cc4c7 lreg[14]=0xbeb08ff9
case a lane mask has every other bit, one a column
  pre lreg[0]=0x40 lreg[13]=0
  exec SFPCONFIG VD=13, Imm16=0xaaab, Mod1=8
  post lreg[13][0]=0x40 lreg[13][8]=0x40 lreg[13][1]=0 lreg[13][7]=0
case flags of the first row count, for the whole column; row masks do not
  pre useflags=0xffffff0f flags=1 laneconfig=0xf000
  exec SFPCONFIG VD=4, Imm16=9, Mod1=1
  post sequence[0][0]=9 sequence[0][24]=9 sequence[0][1]=0 sequence[0][9]=0 sequence[0][4]=9 sequence[0][12]=9
case one a cycle
  exec SFPCONFIG VD=4, Imm16=9, Mod1=1
  exec SFPCONFIG VD=5, Imm16=9, Mod1=1
  passes 0 1
case the stalling logic does not know that LReg[0] is read: the old value
  pre lreg[0]=0x11 lreg[1]=0x3f800000
  exec SFPADD VA=10, VB=1, VC=9, VD=0
  exec SFPCONFIG VD=12
  passes 0 1
  fault HAZARD says=SFPCONFIG reads LReg[0]
  post lreg[12]=0x11 lreg[0]=0x3f800000
case the same of one lane
  pre lreg[0]=0x11 lreg[1]=0x3f800000 useflags=0xffffffff flags=1
  exec SFPADD VA=10, VB=1, VC=9, VD=0
  exec SFPCONFIG VD=12
  fault HAZARD says=SFPCONFIG reads LReg[0]
  post lreg[0][0]=0x3f800000 lreg[0][1]=0x11 lreg[0][31]=0x11 lreg[12][0]=0x11
case an immediate reads nothing
  pre lreg[1]=0x3f800000
  exec SFPADD VA=10, VB=1, VC=9, VD=0
  exec SFPCONFIG VD=4, Imm16=9, Mod1=1
  passes 0 1
  post sequence[0]=9
