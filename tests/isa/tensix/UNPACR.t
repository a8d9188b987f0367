# SPDX-License-Identifier: Apache-2.0
# UNPACR: manual WormholeB0 UNPACR_Regular (d0ade26a), UNPACR_IncrementContextCounter, UNPACR_FlushCache.
# Config words (unpacker 0): 64 descriptor (format, uncompressed, XDim), 65 YDim and ZDim, 72 REG2, 73 bits of contexts,
# 76 base (0xFF: datums from 0x1000 on), 84 Dest_cntx, 86 Tile_x_dim.  ThreadConfig 5: SRCA_SET, 41: context offsets.
# More, feature by feature, is in tests/unit/tensix/unpack_test.c.

case sixteen datums of BF16 become a row of SrcA
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=15 [0x1000]=0xBFC03F80 [0x101C]=0x00004000 [0x1020]=0x12345678 srca[0][1][0]=5
  exec UNPACR MultiContextMode=1
  post srca[0][0][0]=0x7F srca[0][0][1]=0x6007F srca[0][0][2]=0 srca[0][0][14]=0x80 srca[0][1][0]=5 src[0].owns[0]=0

case FlipSrc hands the bank over with its format
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=6
  pre  adc[0][1].x=15 [0x1000]=0x3F80
  exec UNPACR MultiContextMode=1, FlipSrc=1
  post srca[0][0][0]=0x7F src[0].owns[0]=1 src[0].unpacker=1 src[0].implied[0]=5 src[0].row[0]=32 src[0].row[1]=0

case the implied format is that of the output
  pre  cfg[0][64]=0x10 cfg[0][65]=0x10001 cfg[0][72]=4 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=15 [0x1000]=0x3F802000
  exec UNPACR MultiContextMode=1, FlipSrc=1
  post srca[0][0][0]=0x17F src[0].implied[0]=4

case increments go to both channels' Y and Z, 13 bits
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=15 adc[0][1].z=0x1FFF
  exec UNPACR MultiContextMode=1, Ch0YInc=1, Ch0ZInc=2, Ch1YInc=3, Ch1ZInc=1
  post adc[0][0].y=1 adc[0][0].z=2 adc[0][1].y=3 adc[0][1].z=0 adc[0][0].z_cr=0 adc[1][0].y=0

case the counters of the thread that ContextADC names go on too, each once
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[2][0][0].x=1 adc[2][0][1].x=16 [0x1000]=0x3F800000
  exec UNPACR MultiContextMode=1, ContextADC=2, Ch0YInc=1, Ch1ZInc=2
  post srca[0][0][0]=0x7F adc[0][0].y=1 adc[0][1].z=2 adc[2][0][0].y=1 adc[2][0][1].z=2 adc[1][0][0].y=0

case CfgContextCntInc moves nothing and counts to Context_count
  pre  cfg[0][72]=0x45
  exec UNPACR CfgContextCntInc=1
  exec UNPACR CfgContextCntInc=1, WhichUnpacker=1
  exec UNPACR CfgContextCntInc=1
  exec UNPACR CfgContextCntInc=1
  post ctx[0]=1 ctx[1]=0
  passes 0 1 2 3

case SearchCacheFlush changes nothing
  pre  srca[0][0][0]=3 src[0].owns[0]=1
  exec UNPACR SearchCacheFlush=1, MultiContextMode=1
  post srca[0][0][0]=3 adc[0][0].y=0 src[0].owns[0]=1

case the address takes two cycles in which the thread starts nothing
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=15
  exec UNPACR MultiContextMode=1
  exec NOP
  exec NOP
  passes 0 2 3

case no other thread starts an UNPACR in them
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  cfg[0][112]=0x100015 cfg[0][113]=0x10001 cfg[0][120]=5 cfg[0][121]=1 cfg[0][124]=0xFF adc[0][1].x=15 adc[1][1][1].x=15
  exec UNPACR MultiContextMode=1
  exec T1 UNPACR WhichUnpacker=1, MultiContextMode=1
  passes 0 2

case 1024 datums of two bytes come in 16 cycles: the Matrix Unit has them 8 cycles behind the last (UNPACK_WAY)
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=1024 thd[5]=4
  pre  adc[0][1].x=1023
  exec UNPACR MultiContextMode=1, FlipSrc=1
  exec STALLWAIT BlockMask=64, ConditionMask=0x80
  exec SETRWC Dst=1, DstVal=1
  post rwc.dst=1
  passes 0 2 27

case the unpacker is busy for as long (C1), the other one is not (C2)
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=1024 thd[5]=4
  pre  adc[0][1].x=1023
  exec UNPACR MultiContextMode=1
  exec STALLWAIT BlockMask=64, ConditionMask=4
  exec SETRWC Dst=1, DstVal=1
  exec STALLWAIT BlockMask=64, ConditionMask=2
  exec SETRWC Dst=1, DstVal=2
  passes 0 2 4 5 27

case it waits for its bank
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=15 src[0].owns[0]=1 [0x1000]=0x3F80
  exec T1 NOP
  exec UNPACR MultiContextMode=1
  exec T1 NOP
  exec T1 NOP
  exec T1 SETRWC FlipSrcA=1
  post srca[0][0][0]=0x7F src[0].owns[0]=0
  passes 0 4 1 2 3

case a format that does not exist
  pre  cfg[0][64]=0x1C cfg[0][65]=0x10001 cfg[0][72]=0xC cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=InDataFormat is 12, which is no format

case a pair that does not exist
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=1 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=no conversion from BF16 (InDataFormat 5) to FP16 (OutDataFormat 1) in SrcA

case 32 bits do not go to SrcA
  pre  cfg[0][64]=0x18 cfg[0][65]=0x10001 cfg[0][72]=8 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=no conversion from INT32 (InDataFormat 8) to INT32 (OutDataFormat 8) in SrcA

case an address past L1
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0x17FFE cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=15
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=reads at 0x180000, behind datum 8: L1 ends at 0x180000

case a row past SrcB
  pre  cfg[0][112]=0x200015 cfg[0][113]=0x10001 cfg[0][120]=5 cfg[0][121]=1 cfg[0][124]=0xFF cfg[0][59]=0x7E0 thd[5]=4
  pre  adc[1][1].x=31 adc[1][1].z=1 [0x1000]=0x3F80 [0x1020]=0xBFC0
  exec UNPACR WhichUnpacker=1, MultiContextMode=1
  post srcb[0][63][0]=0x7F srcb[0][0][0]=0x6007F

case no datum at all
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][0].x=1
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=X from 1 up to 1 (channel 1) is no datum at all

case an end before the beginning
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][0].x=3
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=X from 3 up to 1 (channel 1): the hardware looks for an end that it has passed

case more than fit into the field of X
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=4096
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=no more than 4096 datums of 16 bits fit into its 14-bit field

case a descriptor without rows, and a counter that asks for one
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10000 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=15 adc[0][0].z=1
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=a tile of XDim 16, YDim 0 has no such row or plane

case a descriptor without exponents
  pre  cfg[0][64]=0x16 cfg[0][65]=0x10001 cfg[0][72]=6 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 thd[5]=4 adc[0][1].x=15
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=a tile of XDim 0, YDim 1 has no exponents

case rows of SrcA that a burst would lose
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=80 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=31
  exec UNPACR MultiContextMode=1
  fault UNPREDICTABLE says=SrcA is written 4 rows at a time from row 1 on

case ContextADC 3
  exec UNPACR MultiContextMode=1, ContextADC=3
  fault UNDEFINED says=ContextADC is 3, and there are three threads

case unpacker 1 has two contexts
  pre  cfg[0][112]=0x200015 cfg[0][113]=0x10001 cfg[0][120]=5 cfg[0][121]=0xF cfg[0][126]=0xFF thd[5]=4 adc[1][1].x=15
  exec UNPACR WhichUnpacker=1, MultiContextMode=1, ContextNumber=2
  fault UNDEFINED says=unpacker 1 has contexts 0 and 1

case to Dst with SRCA_SET_SetOvrdWithAddr
  pre  cfg[0][64]=0x10 cfg[0][65]=0x10001 cfg[0][72]=0 cfg[0][73]=0x11 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][1].x=15
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=to Dst with SRCA_SET_SetOvrdWithAddr

case an output address between two datums
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][50]=0x100 cfg[0][84]=64 cfg[0][86]=16
  pre  thd[5]=4 cfg[0][57]=1 adc[0][1].x=15 adc[0][1].z=1
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=output address 0x1

case tilizing wants input at a multiple of 16 bytes
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=0x10205 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=16 thd[5]=4
  pre  adc[0][0].x=1 adc[0][1].x=16
  exec UNPACR MultiContextMode=1
  fault UNDEFINED says=want input at a multiple of 16 bytes

case Context_count_non_log2 is the last context where it is enabled
  pre  cfg[0][72]=0x40 cfg[0][73]=0x1400 cfg[0][120]=0x40 cfg[0][121]=0x0400
  exec UNPACR CfgContextCntInc=1
  exec UNPACR CfgContextCntInc=1, WhichUnpacker=1
  exec UNPACR CfgContextCntInc=1
  post ctx[0]=2 ctx[1]=1

case ... and the next one is 0
  pre  cfg[0][72]=0x40 cfg[0][73]=0x1400 ctx[0]=2
  exec UNPACR CfgContextCntInc=1
  post ctx[0]=0

case SETC16 with CfgContextCntInc counts
  pre  cfg[0][72]=0x80 cfg[0][120]=0x40 ctx[0]=1 ctx[1]=1
  exec SETC16 CfgIndex=41, NewValue=0x2020
  post ctx[0]=2 ctx[1]=0

case ... of one unpacker, and CfgContextCntReset comes first
  pre  cfg[0][72]=0x80 cfg[0][120]=0x40 ctx[0]=1 ctx[1]=0
  exec SETC16 CfgIndex=41, NewValue=0x2030
  post ctx[0]=0 ctx[1]=1

case srcb_bcast writes a row of SrcB eight times
  pre  cfg[0][112]=0x100015 cfg[0][113]=0x10001 cfg[0][120]=5 cfg[0][121]=1 cfg[0][124]=0xFF thd[5]=4 adc[1][1].x=15
  pre  [0x1000]=0x40003F80 srcb[0][8][0]=1
  exec UNPACR WhichUnpacker=1, MultiContextMode=1, srcb_bcast=1
  post srcb[0][0][0]=0x7F srcb[0][7][0]=0x7F srcb[0][7][1]=0x80 srcb[0][8][0]=1

case srcb_bcast of more than a row
  pre  cfg[0][112]=0x100015 cfg[0][113]=0x10001 cfg[0][120]=5 cfg[0][121]=1 cfg[0][124]=0xFF thd[5]=4 adc[1][1].x=31
  exec UNPACR WhichUnpacker=1, MultiContextMode=1, srcb_bcast=1
  fault UNKNOWN says=srcb_bcast on unpacker 1 for 32 datums

case who has waited for its bank has found its address meanwhile: the next instruction comes a cycle later, the datums two earlier
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=1024 thd[5]=4
  pre  adc[0][1].x=1023 src[0].owns[0]=1
  exec T1 NOP
  exec UNPACR MultiContextMode=1
  exec NOP
  exec STALLWAIT BlockMask=64, ConditionMask=2
  exec SETRWC Dst=1, DstVal=1
  exec T1 NOP
  exec T1 NOP
  exec T1 SETRWC FlipSrcA=1
  passes 0 4 5 6 29 1 2 3

case one that has waited for its unpacker has not: its datums come two cycles behind
  pre  cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=1024 thd[5]=4
  pre  adc[0][1].x=1023
  exec UNPACR MultiContextMode=1
  exec UNPACR MultiContextMode=1
  exec NOP
  exec STALLWAIT BlockMask=64, ConditionMask=2
  exec SETRWC Dst=1, DstVal=1
  passes 0 16 18 19 43
