# SPDX-License-Identifier: Apache-2.0
# UNPACR_NOP: manual WormholeB0 UNPACR_NOP_ZEROSRC (512b6bf1), _SETDVALID (061b62d1), _SETREG (6675d105), _OverlayClear, _Nop, in
# the places of assembly.yaml.  Config words: 53 and 63 UNP?_NOP_REG_CLR_VAL, 72 and 120 REG2 with the output format,
# 106 and 154 the addresses of register writes.  ThreadConfig 42 and 43: streams, 5 and 6: SRCA_SET, SRCB_SET.

case Unpack_Pop 2 does nothing for a cycle
  pre  srca[0][0][0]=9
  exec UNPACR_NOP Unpack_Pop=2
  exec UNPACR_NOP Unpack_Pop=2, Unpacker_Select=1
  exec UNPACR_NOP Unpack_Pop=2
  post srca[0][0][0]=9 src[0].unpacker=0 src[0].owns[0]=0
  passes 0 1 2

case it clears the unpacker's bank to zero
  pre  srca[0][0][0]=1 srca[0][63][15]=2 srca[1][0][0]=3 srcb[0][0][0]=4
  exec UNPACR_NOP Unpack_Pop=1
  post srca[0][0][0]=0 srca[0][63][15]=0 srca[1][0][0]=3 srcb[0][0][0]=4 src[0].unpacker=0 src[0].owns[0]=0

case ... to negative infinity, of SrcB too
  exec UNPACR_NOP Unpack_Pop=1, Src_ClrVal_Ctrl=1
  exec UNPACR_NOP Unpack_Pop=1, Src_ClrVal_Ctrl=1, Unpacker_Select=1
  post srca[0][0]=0x7FFFF srca[0][63]=0x7FFFF srca[1][0]=0 srcb[0][17]=0x7FFFF

case ... to one in the output format (a card: of TF32)
  pre  cfg[0][72]=4 cfg[0][120]=1
  exec UNPACR_NOP Unpack_Pop=1, Src_ClrVal_Ctrl=2
  exec UNPACR_NOP Unpack_Pop=1, Src_ClrVal_Ctrl=2, Unpacker_Select=1
  post srca[0][5]=0x7F srcb[0][5]=0xF

case ... to one as an integer
  pre  cfg[0][72]=14
  exec UNPACR_NOP Unpack_Pop=1, Src_ClrVal_Ctrl=2
  post srca[0][5]=0x110

case ... to a configured value
  pre  cfg[0][53]=0xFFF12345 cfg[0][63]=0x54321
  exec UNPACR_NOP Unpack_Pop=1, Src_ClrVal_Ctrl=3
  exec UNPACR_NOP Unpack_Pop=1, Src_ClrVal_Ctrl=3, Unpacker_Select=1
  post srca[0][5]=0x12345 srcb[0][5]=0x54321

case Bank_Clr_Ctrl clears both banks
  pre  srca[0][0][0]=1 srca[1][63][15]=2
  exec UNPACR_NOP Unpack_Pop=1, Bank_Clr_Ctrl=1
  post srca[0][0][0]=0 srca[1][63][15]=0

case the bank is the unpacker's, the wait is for that of the Matrix Unit
  pre  src[0].unpacker=1 src[0].owns[0]=1 srca[1][0][0]=1 srca[0][0][0]=2
  exec T1 NOP
  exec UNPACR_NOP Unpack_Pop=1
  exec T1 NOP
  exec T1 SETRWC FlipSrcA=1
  post srca[1][0][0]=0 srca[0][0][0]=2
  passes 0 3 1 2

case Stall_Clr_Cntrl waits for the bank that is cleared
  pre  src[0].unpacker=1 src[0].owns[0]=1 srca[1][0][0]=1 srca[0][0][0]=2
  exec UNPACR_NOP Unpack_Pop=1, Stall_Clr_Cntrl=1
  post srca[1][0][0]=0 srca[0][0][0]=2
  passes 0

case Set_Dvalid hands the cleared bank over, with the configured output format
  pre  cfg[0][72]=6 thd[5]=3 srca[0][0][0]=1
  exec UNPACR_NOP Unpack_Pop=1, Set_Dvalid=1
  post srca[0][0][0]=0 src[0].owns[0]=1 src[0].unpacker=1 src[0].implied[0]=6 src[0].row[0]=48

case the Matrix Unit has it in the next cycle
  exec UNPACR_NOP Unpack_Pop=1, Set_Dvalid=1, Unpacker_Select=1
  exec T1 STALLWAIT BlockMask=64, ConditionMask=0x100
  exec T1 SETRWC Dst=1, DstVal=1
  post rwc[1].dst=1
  passes 0 0 2

# The next six: two p150a cards, metalium-rs, docs/learnings/silicon-operating-notes.md; the words are theirs.
case 0x430001e9 hands over what is there (Clr_to1_fmt_Ctrl 3 beside clear value 2)
  pre  cfg[0][72]=5 thd[5]=1 srca[0][0][0]=7
  exec UNPACR_NOP Set_Dvalid=1, Clr_to1_fmt_Ctrl=3, Stall_Clr_Cntrl=1, Src_ClrVal_Ctrl=2, Unpack_Pop=1
  post srca[0][0][0]=7 src[0].owns[0]=1 src[0].unpacker=1 src[0].implied[0]=5 src[0].row[0]=16

case 0x430001e1 clears all the same
  pre  srca[0][0][0]=7
  exec UNPACR_NOP Set_Dvalid=1, Clr_to1_fmt_Ctrl=3, Stall_Clr_Cntrl=1, Unpack_Pop=1
  post srca[0][0][0]=0 src[0].owns[0]=1 src[0].unpacker=1

case 0x430000c1 does not hand over
  exec UNPACR_NOP Clr_to1_fmt_Ctrl=3, Unpack_Pop=1
  post src[0].owns[0]=0 src[0].unpacker=0

case 0x43000102 and 0x430000c2, which only wait, do not either
  pre  srca[0][0][0]=7
  exec UNPACR_NOP Set_Dvalid=1, Unpack_Pop=2
  exec UNPACR_NOP Clr_to1_fmt_Ctrl=3, Unpack_Pop=2
  post srca[0][0][0]=7 src[0].owns[0]=0 src[0].unpacker=0

case 0x43000011, which waits on Wormhole, clears both banks
  pre  srca[0][0][0]=7 srca[1][0][0]=8
  exec UNPACR_NOP Bank_Clr_Ctrl=1, Unpack_Pop=1
  post srca[0][0][0]=0 srca[1][0][0]=0

case 0x43000021 clears its bank while the Matrix Unit has the other
  pre  src[0].unpacker=1 src[0].owns[0]=1 srca[0][0][0]=7 srca[1][0][0]=8
  exec UNPACR_NOP Stall_Clr_Cntrl=1, Unpack_Pop=1
  post srca[0][0][0]=7 srca[1][0][0]=0
  passes 0

case a register write goes where configuration says, behind the stream's number
  pre  cfg[0][106]=0xFF31F3FF cfg[0][154]=0xFFFFFF
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, AddrSel0=1, Stream_Id=0, Msg_Clr_Cnt=5, Msg_Clr_Cnt_Lo=0x43
  fault UNDEFINED says=UNPACR_NOP writes 0x543 to 0xffb001f0: nothing is there

case ... with two high bits of its own
  pre  cfg[0][106]=0x20007C
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, Stream_Id=0, Msg_Clr_Cnt_Lo=0x43
  fault UNDEFINED says=UNPACR_NOP writes 0x43 to 0xffb801f0

case ... and the number takes bits 17:12
  pre  cfg[0][106]=0x1C
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, Stream_Id=0x12, Msg_Clr_Cnt_Lo=0x43
  post reg[0xFFB12070]=0x43

case values add up to 17 bits, and zero starts again without a write
  pre  cfg[0][106]=0x1C
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, Accumulate=1, Stream_Id=0x12, Msg_Clr_Cnt_Lo=3
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, Accumulate=1, Stream_Id=0x12, Msg_Clr_Cnt=7, Msg_Clr_Cnt_Lo=0xFF
  post reg[0xFFB12070]=0x802 reg[0xFFB1101C]=0x08020000 reg[0xFFB1111C]=0

case ... zero starts again
  pre  cfg[0][106]=0x1C
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, Accumulate=1, Stream_Id=0x12, Msg_Clr_Cnt_Lo=3
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, Accumulate=1, Stream_Id=0x12
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, Accumulate=1, Stream_Id=0x12, Msg_Clr_Cnt_Lo=5
  post reg[0xFFB12070]=5

case there are four addresses, two in each section
  pre  cfg[0][106]=0x7000 cfg[0][154]=0x7C1D
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, AddrSel0=1, Stream_Id=0x12, Msg_Clr_Cnt_Lo=1
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, AddrSel1=1, Stream_Id=0x12, Msg_Clr_Cnt_Lo=2
  exec UNPACR_NOP Unpack_Pop=3, SetReg=1, AddrSel1=1, AddrSel0=1, Stream_Id=0x12, Msg_Clr_Cnt_Lo=3
  post reg[0xFFB12070]=1 reg[0xFFB12074]=2 reg[0xFFB1207C]=3

case a ZEROSRC of the Matrix Unit's bank in the same cycle
  pre  src[0].unpacker=1
  exec UNPACR_NOP Unpack_Pop=1
  exec T1 ZEROSRC SingleBankMatrixUnit=1, ClearSrcB=1
  fault HAZARD says=in the cycle of an UNPACR_NOP that clears SrcA

case ... of SrcB
  exec UNPACR_NOP Unpacker_Select=1, Unpack_Pop=1
  exec T1 ZEROSRC SingleBankMatrixUnit=1, ClearSrcB=1
  fault HAZARD says=in the cycle of an UNPACR_NOP that clears SrcB

case ... which came before it
  pre  src[0].unpacker=1 srca[0][0][0]=1 srca[1][0][0]=2
  exec ZEROSRC BothBanks=1, ClearSrcB=1
  exec T1 UNPACR_NOP Unpack_Pop=1
  fault HAZARD says=UNPACR_NOP clears in the cycle of a ZEROSRC of both banks

case pop clears a message of the thread's stream, or of the one that is named
  pre  thd[42]=5 thd[43]=6
  exec UNPACR_NOP Unpack_Pop=0, Unpacker_Select=1
  fault UNKNOWN says=stream 6

case ... the one that is named
  pre  thd[42]=5
  exec UNPACR_NOP Unpack_Pop=3, Stream_Id=9, Msg_Clr_Cnt=1
  fault UNKNOWN says=stream 9

case ... and of the thread's own if no message is counted
  pre  thd[42]=5
  exec UNPACR_NOP Unpack_Pop=3, Stream_Id=9
  fault UNKNOWN says=stream 5
