# SPDX-License-Identifier: Apache-2.0
# Manual SFPLOADMACRO.  Templates: 0 adds 1 to VC, 1 is VC + VB, 2 is SFPADDI 1.0, 3 is SFPSTORE VD=3.
base template[0]=0x79001005 template[1]=0x79000334 template[2]=0x753f8030 template[3]=0x72300000 misc=0x006
also dst[0]=5 dst[1]=50 dst[4]=7 lreg[3]=100

case it loads as SFPLOAD does
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=5 lreg[2][8]=50 lreg[2][16]=0
case VD has three bits, the highest is also the lowest of the address
  exec SFPLOADMACRO VDLo=1, VDHi=1, Mod0=6
  post lreg[5][0]=5 lreg[5][8]=50
case Imm9 is the address but for that bit
  exec SFPLOADMACRO VDLo=1, Imm9=2, Mod0=6
  post lreg[1][0]=7

# ---- Instructions and operands
case a template: VC and VD are those of the load
  pre sequence[0]=0x04
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=6 lreg[2][8]=51
case each macro has its sequence
  pre sequence[0]=0x04 sequence[1]=0 sequence[2]=0x05 sequence[3]=0x06
  exec SFPLOADMACRO MacroIndex=1, VDLo=1, Mod0=6
  exec SFPLOADMACRO MacroIndex=2, VDLo=2, Mod0=6
  exec SFPLOADMACRO MacroIndex=0, VDLo=0, Mod0=6
  post lreg[1][0]=5 lreg[2][0]=105 lreg[0][0]=6
case VB of an instruction that has none is its VD
  pre sequence[0]=0x05
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=105 lreg[3]=100
case bit 7: VB is that of the load, VC stays
  pre sequence[0]=0x85
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=105 lreg[3]=100
case bit 6: the result goes to LReg[16]
  pre sequence[0]=0x44
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=5 lreg[16][0]=6
case SFPADDI adds to the register of the load
  pre sequence[0]=0x0600 lreg[3]=0x40000000
  exec SFPLOADMACRO VDLo=2, Mod0=11
  post lreg[2][0]=0x3f800000
case or, with bit 7, to its own VD
  pre sequence[0]=0x8600 lreg[3]=0x40000000
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2]=0x40400000 lreg[3]=0x40000000
case SFPAND without USE_VB: VB is its VD
  pre template[0]=0x7e000030 sequence[0]=0x04 lreg[3]=4
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=4 lreg[2][8]=0
case SFPAND with it: its VB
  pre template[0]=0x7e001031 sequence[0]=0x04 lreg[3]=4 lreg[1]=1
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=1
case SFPSHFT2 by an immediate takes VB from it, with bit 7 from the load
  pre template[0]=0x94002006 template[1]=0x94002006 sequence[0]=0x040000 sequence[1]=0x840000 lreg[2]=3 lreg[1]=0
  exec SFPLOADMACRO VDLo=0, Mod0=6
  exec SFPNOP
  exec SFPLOADMACRO MacroIndex=1, VDLo=1, Mod0=6
  post lreg[0]=12 lreg[1][0]=20
case templates with VD of 12 and more execute: there is no back door
  pre template[0]=0x790010c5 template[1]=0x790000c5 sequence[0]=0x04
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=6 template[0]=0x790010c5
case LaneEnabled is that of the instruction's own cycle
  pre sequence[0]=0x0c useflags=0xffffffff flags=0xffffffff
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPENCC Imm2=0, Mod1=8
  post lreg[2][0]=5

# ---- The store
case SFPSTORE from the register of the load
  pre sequence[0]=0x03000004
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post dst[0][0]=5 lreg[2][0]=6
case a cycle later it finds what the template has made
  pre sequence[0]=0x0b000004
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post dst[0][0]=6 dst[1][14]=51 dst[0][1]=5
case from LReg[16]
  pre sequence[0]=0x4b000044
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post dst[0][0]=6 lreg[2][0]=5
case bit 7: from its own VD
  pre sequence[0]=0x87000000
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post dst[0][0]=100
case StoreMod0 of Misc
  pre sequence[0]=0x03000000 misc=0x00b lreg[2]=0
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post dst[0][0]=0
case or, with UsesLoadMod0ForStore of the macro, that of the load
  pre sequence[2]=0x0b000004 misc=0x04b
  exec SFPLOADMACRO MacroIndex=2, VDLo=2, Mod0=6
  post dst[0][0]=6
case the address is that of the load, whatever the counters do
  pre sequence[0]=0x13000004
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SETRWC DstVal=8, Dst=1
  post dst[0][0]=6 dst[8][0]=0 rwc.dst=8

# ---- When
case delay 0: in the next cycle
  pre sequence[0]=0x04
  exec SFPLOADMACRO VDLo=2, Mod0=6
  at 1 lreg[2][0]=5
  at 2 lreg[2][0]=6
case delay 3: three later
  pre sequence[0]=0x1c
  exec SFPLOADMACRO VDLo=2, Mod0=6
  at 4 lreg[2][0]=5
  at 5 lreg[2][0]=6
case delay 7
  pre sequence[0]=0x3c
  exec SFPLOADMACRO VDLo=2, Mod0=6
  at 8 lreg[2][0]=5
  at 9 lreg[2][0]=6
case WaitForElapsedInstructions: delay 0 waits for nothing
  pre sequence[0]=0x04 misc=0x106
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=6
case delay 1 waits for an instruction of the Vector Unit
  pre sequence[0]=0x0c misc=0x106
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec NOP
  exec NOP
  post lreg[2][0]=5
case of any thread, SFPNOP too
  pre sequence[0]=0x0c misc=0x106
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec NOP
  exec NOP
  exec SFPNOP
  at 4 lreg[2][0]=5
  at 5 lreg[2][0]=6
case all wait while one does
  pre sequence[0]=0x0b00000c misc=0x106
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec NOP
  exec NOP
  exec NOP
  exec SFPNOP
  at 5 dst[0][0]=5
  post dst[0][0]=5 lreg[2][0]=6
case none waits behind one that is done
  pre sequence[0]=0x0b000004 misc=0x106
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post dst[0][0]=6
case an instruction that is held does not count
  pre sequence[0]=0x14 misc=0x106 lreg[4]=0x3f800000
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPADD VA=10, VB=4, VC=4, VD=5
  exec SFPADD VA=10, VB=5, VC=5, VD=6
  at 4 lreg[2][0]=5
  at 5 lreg[2][0]=6
  passes 0 1 3
case several in flight
  pre sequence[0]=0x1c sequence[1]=0x15
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPLOADMACRO MacroIndex=1, VDLo=1, Imm9=2, Mod0=6
  exec SFPLOADMACRO VDLo=0, Imm9=2, Mod0=6
  post lreg[2][0]=5 lreg[1][0]=107 lreg[0][0]=8

# ---- Who goes first
case what would be in the same cycle is forgotten
  pre sequence[0]=0x0c sequence[1]=0x04
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPLOADMACRO MacroIndex=1, VDLo=1, Mod0=6
  post lreg[2][0]=5 lreg[1][0]=6
case by a byte without a source too, if it has a delay
  pre sequence[0]=0x14 sequence[1]=0x08
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPLOADMACRO MacroIndex=1, VDLo=1, Mod0=6
  post lreg[2][0]=5
case a byte of zero forgets nothing
  pre sequence[0]=0x0c sequence[1]=0
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPLOADMACRO MacroIndex=1, VDLo=1, Mod0=6
  post lreg[2][0]=6
case one that is issued to a sub-unit that is taken is discarded
  pre sequence[0]=0x04
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPIADD Imm12=1, VC=3, VD=3, Mod1=5
  fault HAZARD says=SFPIADD is discarded, a scheduled SFPIADD has its sub-unit in this cycle: lanes 0xffffffff
case ... with a delay of two, in the third cycle behind
  pre sequence[0]=0x14
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPNOP
  exec SFPNOP
  exec SFPIADD Imm12=1, VC=3, VD=3, Mod1=5
  fault HAZARD says=SFPIADD is discarded, a scheduled SFPIADD has its sub-unit in this cycle: lanes 0xffffffff
case ... with a delay of five, in the sixth
  pre sequence[0]=0x2c
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPNOP
  exec SFPNOP
  exec SFPNOP
  exec SFPNOP
  exec SFPNOP
  exec SFPIADD Imm12=1, VC=3, VD=3, Mod1=5
  fault HAZARD says=SFPIADD is discarded, a scheduled SFPIADD has its sub-unit in this cycle: lanes 0xffffffff
case ... and not a cycle later
  pre sequence[0]=0x14
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPNOP
  exec SFPNOP
  exec SFPNOP
  exec SFPIADD Imm12=1, VC=3, VD=3, Mod1=5
  passes 0 1 2 3 4
case a scheduled SFPNOP takes it too
  pre sequence[0]=0x02
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPIADD Imm12=1, VC=3, VD=3, Mod1=5
  fault HAZARD says=a scheduled SFPNOP
case other sub-units work beside it, on what was there before
  pre sequence[0]=0x04
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPSTORE VD=2, Mod0=6, Imm10=64
  post lreg[2][0]=6 dst[64][0]=5
case a load to the register that is read in this cycle
  pre sequence[0]=0x44
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPLOAD VD=2, Imm10=4, Mod0=6
  post lreg[16][0]=6 lreg[2][0]=7

# ---- Two cycles
case a result of the MAD sub-unit is there after a free cycle
  pre sequence[0]=0x13000600 misc=0x00b lreg[2]=0
  exec SFPLOADMACRO VDLo=2, Mod0=11
  post lreg[2]=0x3f800000
case one that reads it before has the old value
  pre sequence[0]=0x0b000600 misc=0x002
  exec SFPLOADMACRO VDLo=2, Mod0=11
  fault HAZARD says=SFPSTORE reads LReg[2] one cycle before a result of the MAD sub-unit is there
case nor is one held that a thread issues
  pre sequence[0]=0x0600
  exec SFPLOADMACRO VDLo=2, Mod0=11
  exec NOP
  exec SFPMOV VC=2, VD=4
  fault HAZARD says=SFPMOV reads LReg[2]
case SFPSWAP exchanges in its second cycle
  pre template[0]=0x92000900 sequence[0]=0x84 lreg[2]=0 template[1]=0x92000400 lreg[4]=9 sequence[1]=0x85
  exec SFPLOADMACRO MacroIndex=1, VDLo=2, Mod0=6
  at 2 lreg[2][0]=5
  at 3 lreg[2][0]=9
  post lreg[4][0]=5
case SFPSWAP against a constant: the kernel library's exp keeps what is above -88.5
  pre template[0]=0x920000e1 sequence[0]=0x04 lreg[2]=0 lreg[14]=20
  exec SFPLOADMACRO VDLo=2, Mod0=6
  at 2 lreg[2][0]=5
  at 3 lreg[2][0]=20 lreg[2][8]=50
  post lreg[14][0]=20
case simple and round in one cycle
  pre sequence[0]=0x050004 template[1]=0x8e000001
  exec SFPLOADMACRO VDLo=2, Mod0=6
  fault HAZARD says=has no VD of its own beside SFP_STOCH_RND
case STALLWAIT finds the unit busy until all is done
  pre sequence[0]=0x2b000004
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec STALLWAIT ConditionMask=0x800, BlockMask=0x1ff
  exec NOP
  passes 0 1 8

case and so for the simple sub-unit alone, whose SFPSWAP takes two cycles
  pre sequence[0]=0x2c
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec STALLWAIT ConditionMask=0x800, BlockMask=0x1ff
  exec NOP
  passes 0 1 9

# ---- Lanes that differ
case columns of lanes may have other macros
  pre sequence[0]=0x04 sequence[0][1]=0x05 sequence[0][9]=0x05 sequence[0][17]=0x05 sequence[0][25]=0x05
  exec SFPLOADMACRO VDLo=2, Mod0=6
  post lreg[2][0]=6 lreg[2][1]=105 lreg[2][8]=51 lreg[2][9]=150 lreg[2][2]=6
case and forget for themselves
  pre sequence[0]=0x0c sequence[1]=0x05 sequence[1][3]=0 sequence[1][11]=0 sequence[1][19]=0 sequence[1][27]=0
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPLOADMACRO MacroIndex=1, VDLo=1, Mod0=6
  post lreg[2][0]=5 lreg[1][0]=105 lreg[2][3]=6 lreg[1][3]=5
case what is discarded in some lanes executes in the others
  pre sequence[0]=0x04 sequence[0][3]=0 sequence[0][11]=0 sequence[0][19]=0 sequence[0][27]=0
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPIADD Imm12=1, VC=3, VD=3, Mod1=5
  fault HAZARD says=lanes 0xf7f7f7f7

case what reads a result of one lane early finds what was there
  pre sequence[0]=0x8d lreg[1]=0x3f800000 useflags=0xffffffff flags=1
  exec SFPLOADMACRO VDLo=2, Mod0=6
  exec SFPADD VA=10, VB=1, VC=9, VD=3
  exec SFPNOP
  fault HAZARD says=LReg[3]
  post lreg[2][0]=105 lreg[3][0]=0x3f800000 lreg[3][1]=100

# ---- What it must not be
case source 1
  pre sequence[0]=0x01
  exec SFPLOADMACRO VDLo=2, Mod0=6
  fault UNDEFINED says=macro 0 takes its instruction from source 1, which does not exist: sequence 0x00000001, lanes 0xffffffff
case an instruction of another sub-unit
  pre sequence[1]=0x0400
  exec SFPLOADMACRO MacroIndex=1, VDLo=2, Mod0=6
  fault UNDEFINED says=macro 1 has SFPIADD for the MAD sub-unit, which cannot execute it: SFPNOP there: lanes 0xffffffff
case no instruction of the Vector Unit
  pre sequence[1]=0x04 template[0]=0x26000000
  exec SFPLOADMACRO MacroIndex=1, VDLo=2, Mod0=6
  fault UNDEFINED says=macro 1 has MVMUL for the simple sub-unit
case the store sub-unit has no SFPNOP
  pre sequence[0]=0x02000000
  exec SFPLOADMACRO VDLo=2, Mod0=6
  fault UNDEFINED says=macro 0 has SFPNOP for the store sub-unit, which cannot execute it: lanes
case a store in some lanes
  pre sequence[0]=0x03000000 sequence[0][3]=0 sequence[0][11]=0 sequence[0][19]=0 sequence[0][27]=0
  exec SFPLOADMACRO VDLo=2, Mod0=6
  fault UNDEFINED says=macro 0 schedules SFPSTORE in some lanes only: 0xf7f7f7f7
