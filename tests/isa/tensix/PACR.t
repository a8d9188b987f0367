# SPDX-License-Identifier: Apache-2.0
# PACR.  Manual PACR (f82128bb), WormholeB0 Packers/; fields that these leave open by assembly.yaml.
# In Dst16b a BF16 has its exponent in the low byte: 1.0 is 0x007F, 2.0 0x0080, 3.0 0x4080, 4.0 0x0081, -1.0 0x807F.
# Worked by hand; tests/vectors/pacr.vec has more, from a reference.  Downsampling, thresholds, padding, contexts, flush, ZeroWrite,
# input from L1 and stochastic rounding are from documents alone, compression and the histogram from what cards did (docs/errata-tensix.md):
# the reference refuses them.
thread 2
# BF16 from Dst to BF16 at 0x4000 (the address register is one unit of 16 bytes lower), X from 0 to 15, rows of 32 bytes.
base cfg[0][1]=0x0a000000 cfg[0][70]=0x551 cfg[0][12]=0x00200000 cfg[0][13]=0x08000200 cfg[0][24]=0xffff cfg[0][28]=0x100 cfg[0][69]=0x3ff
also adc[2][1].x=15 dst[0][0]=0x7f dst[0][15]=0x80 dst[1][0]=0x4080 dst[2][0]=0x81 dst[3][0]=0x807f dst[3][15]=0x4081 dst[16][0]=0x82 dst[8][0]=0x83

case ReadIntfSel 0 packs four rows, one behind the other
  exec PACR Last=1
  post h[0x4000]=0x3f80 h[0x401e]=0x4000 h[0x4020]=0x4040 h[0x4040]=0x4080 h[0x4060]=0xbf80 h[0x407e]=0x40c0
case a mask packs its rows without gaps and leaves what is behind them alone
  pre  [0x4020]=0x11111111 [0x4040]=0x22222222
  exec PACR ReadIntfSel=5, Last=1
  post h[0x4000]=0x3f80 h[0x4020]=0x4080 [0x4040]=0x22222222
case three interfaces pack 48 datums
  pre  [0x4060]=0x33333333
  exec PACR ReadIntfSel=7, Last=1
  post h[0x4020]=0x4040 h[0x4040]=0x4080 [0x4060]=0x33333333
case interfaces count from the start row: Y 2
  pre  adc[2][0].y=2
  exec PACR ReadIntfSel=3, Last=1
  post h[0x4000]=0x4080 h[0x4020]=0xbf80
case rows that leave their aligned group of four are undefined
  pre  adc[2][0].y=1
  exec PACR ReadIntfSel=0, Last=1
  fault UNDEFINED says=ReadIntfSel 0 from Dst row 1
case strided reads are 16 rows apart with remap_addrs; row 16 is row 8 of DstBits then
  pre  cfg[0][220]=2 cfg[1][220]=2
  exec PACR DstAccessMode=1, ReadIntfSel=3, Last=1
  post h[0x4000]=0x3f80 h[0x4020]=0x4180
case strided reads are 8 rows apart without (assembly.yaml)
  exec PACR DstAccessMode=1, ReadIntfSel=3, Last=1
  post h[0x4000]=0x3f80 h[0x4020]=0x4180
case a strided read past the last row of Dst is undefined
  pre  adc[2][0].y=1020
  exec PACR DstAccessMode=1, Last=1
  fault UNDEFINED says=from Dst row 1020, rows 8 apart
case the row address wraps at 1024, as kernels that untilize rely on: W 16 of 64 rows each
  pre  adc[2][0].w=16 cfg[0][13]=0x08000200
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3f80
case a row that ZEROACC made undefined reads as zero
  pre  valid[0]=0 [0x4000]=0x55555555
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0
case 32-bit rows: the low half is eight rows below the high half
  pre  cfg[0][18]=1 cfg[0][1]=0 cfg[0][70]=0x001 cfg[0][12]=0x00400000 dst[8][0]=0x1234
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x3f801234
case DEST_TARGET_REG_CFG_PACK_SEC0_Offset is in rows
  pre  cfg[0][180]=2 cfg[1][180]=2
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x4080
case X chooses columns, and what is shorter than 16 bytes waits
  pre  adc[2][0].x=14 cfg[0][12]=0x00200002 [0x4000]=0x77777777
  exec PACR ReadIntfSel=1
  post [0x4000]=0x77777777
case the next instruction goes on where the last one ended
  pre  adc[2][0].x=15 cfg[0][12]=0x00200002 thd[37]=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x00004000 [0x4004]=0x40c00000 [0x4008]=0 [0x400c]=0
case Last fills the 16 bytes up with zeroes
  pre  adc[2][1].x=0 [0x4004]=0x77777777 [0x400c]=0x77777777 [0x4010]=0x77777777
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x3f80 [0x4004]=0 [0x400c]=0 [0x4010]=0x77777777
case Flush writes what waits and packs nothing
  pre  adc[2][1].x=0
  exec PACR ReadIntfSel=1
  exec PACR Flush=1
  post [0x4000]=0x3f80
case behind Last the address is taken anew, else output goes on
  pre  thd[37]=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x4080 h[0x4020]=0x4040
case Y of both channels, incremented, from the carriage return value, and cleared
  pre  thd[37]=0x42 thd[38]=0x451 thd[39]=0x820 adc[2][0].y_cr=3 adc[2][1].y_cr=5
  exec PACR ReadIntfSel=1, AddrMod=0
  post adc[2][0].y=2 adc[2][0].y_cr=3 adc[2][1].y=1 adc[2][1].y_cr=5
case AddrMod with CR
  pre  thd[38]=0x451 adc[2][0].y_cr=3 adc[2][1].y_cr=5
  exec PACR ReadIntfSel=1, AddrMod=1
  post adc[2][0].y=4 adc[2][0].y_cr=4 adc[2][1].y=6 adc[2][1].y_cr=6
case AddrMod with Clear, and Z
  pre  thd[39]=0x5820 adc[2][0].y=3 adc[2][0].y_cr=3 adc[2][1].y_cr=5 adc[2][0].z=1 adc[2][1].z=2
  exec PACR ReadIntfSel=1, AddrMod=2
  post adc[2][0].y=0 adc[2][0].y_cr=0 adc[2][1].y_cr=0 adc[2][0].z=2 adc[2][1].z=3
case Z is cleared together with its carriage return value
  pre  thd[40]=0xa000 adc[2][0].z=1 adc[2][0].z_cr=1 adc[2][1].z=2 adc[2][1].z_cr=2
  exec PACR ReadIntfSel=1, AddrMod=3
  post adc[2][0].z=0 adc[2][0].z_cr=0 adc[2][1].z=0 adc[2][1].z_cr=0
case OvrdThreadId: the counters of thread AddrCntContext
  pre  adc[1][2][0].y=2 adc[1][2][1].x=15 thd[37]=1
  exec PACR ReadIntfSel=1, OvrdThreadId=1, AddrCntContext=1, Last=1
  post h[0x4000]=0x4080 adc[1][2][0].y=3 adc[2][2][0].y=0
case counters of channel 1 move the output by bytes, in whole units of 16
  pre  adc[2][1].y=3 cfg[0][14]=0x00180000
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4040]=0x3f80
case Sub_l1_tile_header_size: no 16 bytes are left out
  pre  cfg[0][70]=0x8551
  exec PACR ReadIntfSel=1, Last=1
  post h[0x3ff0]=0x3f80
case Add_l1_dest_addr_offset: TDMA-RISC's offset
  pre  cfg[0][70]=0x553 reg[0xffb1101c]=0x00010004
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4040]=0x3f80
case past Pack_limit_address output goes back by Pack_fifo_size, both in units of 32 bytes
  pre  cfg[0][100]=0x1ff cfg[0][101]=0x80
  exec PACR ReadIntfSel=1, Last=1
  post h[0x3000]=0x3f80
case the second 16 bytes of the unit at Pack_limit_address are not past it
  pre  cfg[0][69]=0x400 cfg[0][100]=0x200 cfg[0][101]=0x80
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4010]=0x3f80 [0x3010]=0
case the next 16 bytes are
  pre  cfg[0][69]=0x401 cfg[0][100]=0x200 cfg[0][101]=0x80
  exec PACR ReadIntfSel=1, Last=1
  post h[0x3020]=0x3f80 [0x4020]=0
case only where a tile begins is compared: it goes on past the limit
  pre  cfg[0][69]=0x400 cfg[0][100]=0x200 cfg[0][101]=0x80
  exec PACR Last=1
  post h[0x4010]=0x3f80 h[0x4030]=0x4040 h[0x4070]=0xbf80
case each context has a limit and a size: 1
  pre  cfg[0][98]=0x551 cfg[0][97]=0x3ff cfg[0][29]=0x100 cfg[0][102]=0x1ff cfg[0][103]=0x80
  exec PACR ReadIntfSel=1, CfgContext=1, Last=1
  post h[0x3000]=0x3f80
case ... 2
  pre  cfg[0][118]=0x551 cfg[0][117]=0x3ff cfg[0][30]=0x100 cfg[0][148]=0x1ff cfg[0][149]=0x80
  exec PACR ReadIntfSel=1, CfgContext=2, Last=1
  post h[0x3000]=0x3f80
case ... 3
  pre  cfg[0][146]=0x551 cfg[0][145]=0x3ff cfg[0][31]=0x100 cfg[0][150]=0x1ff cfg[0][151]=0x80
  exec PACR ReadIntfSel=1, CfgContext=3, Last=1
  post h[0x3000]=0x3f80
case output behind the end of L1 is undefined
  pre  cfg[0][69]=0x18000
  exec PACR ReadIntfSel=1, Last=1
  fault UNDEFINED says=PACR to L1 address 0x180010 (THCON_SEC0_REG1_L1_Dest_addr 0x18000)

# BFP8: exponents first, in 16-byte units of their own
case BFP8: one exponent for 16 datums, behind them the datums
  pre  cfg[0][70]=0x561 cfg[0][68]=0x00010000 dst[0][1]=0x4080
  exec PACR ReadIntfSel=3, Last=1
  post [0x4000]=0x8080 b[0x4010]=0x20 b[0x4011]=0x60 b[0x401f]=0x40 b[0x4020]=0x60
case BFP4 has half the bytes, and Last fills them up
  pre  cfg[0][70]=0x571 cfg[0][68]=0x00010000 [0x4018]=0x77777777
  exec PACR ReadIntfSel=1, Last=1
  post b[0x4000]=0x80 b[0x4010]=0x02 b[0x4017]=0x40 [0x4018]=0
case FP8 has a section for exponents and no exponents
  pre  cfg[0][1]=0x02000000 cfg[0][70]=0x1a1 cfg[0][68]=0x00010000 [0x4000]=0x77777777 dst[0][0]=0x000f
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x77777777 b[0x4010]=0x3c

# ReLU
case ReLU 1: what is negative becomes zero
  pre  cfg[0][2]=0x04
  exec PACR Last=1
  post h[0x4040]=0x4080 h[0x4060]=0 h[0x407e]=0x40c0
case ReLU 2: what is at most the threshold (2.0) becomes zero
  pre  cfg[0][2]=0x100008
  exec PACR Last=1
  post h[0x4000]=0 h[0x401e]=0 h[0x4020]=0x4040 h[0x4060]=0
case ReLU 3: what is above the threshold (2.0) becomes it
  pre  cfg[0][2]=0x10000c
  exec PACR Last=1
  post h[0x4000]=0x3f80 h[0x401e]=0x4000 h[0x4020]=0x4000 h[0x4060]=0
case only two bits of ApplyRelu count
  pre  cfg[0][2]=0x34
  exec PACR Last=1
  post h[0x4060]=0
case with a third bit set alone there is no ReLU
  pre  cfg[0][2]=0x10
  exec PACR Last=1
  post h[0x4000]=0x3f80 h[0x4060]=0xbf80
case with the third and the second it is that with a threshold
  pre  cfg[0][2]=0x100018
  exec PACR Last=1
  post h[0x401e]=0 h[0x4020]=0x4040 h[0x4060]=0
case with the third and both it is the clamp
  pre  cfg[0][2]=0x10001c
  exec PACR Last=1
  post h[0x4000]=0x3f80 h[0x4020]=0x4000 h[0x4060]=0
case a threshold of an FP16 is an FP16: 2.0
  pre  cfg[0][2]=0x100008 cfg[0][1]=0x02000000 cfg[0][70]=0x111 dst[0][0]=0x000f dst[0][1]=0x0010 dst[0][2]=0x0030
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0 h[0x4004]=0x4001
case a negative threshold is undefined (a card: a power of two above its magnitude)
  pre  cfg[0][2]=0x2fe008
  exec PACR Last=1
  fault UNDEFINED says=STACC_RELU_ReluThreshold 49024: the threshold is negative

# Edge masks
case a column whose bit is not set becomes zero
  pre  cfg[0][24]=0x8000
  exec PACR Last=1
  post h[0x4000]=0 h[0x401e]=0x4000 h[0x4060]=0 h[0x407e]=0x40c0
case or minus infinity
  pre  cfg[0][24]=0x18000
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0xff80 h[0x401e]=0x4000
case which ReLU makes zero: it comes behind
  pre  cfg[0][24]=0x18000 cfg[0][2]=0x04
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0
case minus infinity of an FP16 is all ones
  pre  cfg[0][24]=0x10000 cfg[0][1]=0x02000000 cfg[0][70]=0x111
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0xffff
case the tile position chooses the mask: row 1 and 2 of four have mask 1
  pre  cfg[0][20]=0x14 cfg[0][25]=0 cfg[0][28]=0x400
  exec PACR Last=1
  post h[0x4000]=0x3f80 h[0x4020]=0 h[0x4040]=0 h[0x4060]=0xbf80 packer.position=0 packer.plane=0
case enabled interfaces count, not the rows that they read
  pre  cfg[0][20]=0x04 cfg[0][25]=0
  exec PACR ReadIntfSel=5
  post h[0x4000]=0x3f80 h[0x4020]=0 packer.position=2
case the position steps over the end of a plane that it does not come out at
  pre  cfg[0][28]=0x600 packer.position=4
  exec PACR
  post packer.position=8 packer.plane=0
case and has eight bits
  pre  packer.position=254
  exec PACR
  post packer.position=2
case with pack_dis_y_pos_start_offset the same: no offset is known that it could switch off
  pre  cfg[0][70]=0x800551 cfg[0][20]=0x14 cfg[0][25]=0 cfg[0][28]=0x400
  exec PACR Last=1
  post h[0x4000]=0x3f80 h[0x4020]=0 h[0x4040]=0 h[0x4060]=0xbf80 packer.position=0 packer.plane=0
case Last sets it back
  pre  cfg[0][28]=0x1000
  exec PACR ReadIntfSel=3
  exec PACR ReadIntfSel=3, Last=1
  post packer.position=0 packer.plane=0
case transposed, planes are counted first
  pre  cfg[0][28]=0x800200
  exec PACR ReadIntfSel=3
  exec PACR ReadIntfSel=1
  post packer.position=1 packer.plane=1
case PCK_EDGE_TILE_ROW_SET_SELECT chooses among four sets of rows
  pre  cfg[0][24]=0x6ffff cfg[0][23]=0x02 cfg[0][26]=0
  exec PACR ReadIntfSel=3, Last=1
  post h[0x4000]=0 h[0x4020]=0x4040
case by faces: Z of the tile position and DEST_TARGET_REG_CFG_PACK_ZOffset choose the set
  pre  cfg[0][19]=0x101 cfg[0][37]=0x30 cfg[0][23]=0x03 cfg[0][27]=0 packer.plane=1 cfg[0][180]=0x1000 cfg[1][180]=0x1000
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0
case Auto_set_last_pacr_intf_sel: what is left of the plane
  pre  cfg[0][70]=0x2551 cfg[0][28]=0x600 packer.position=4 [0x4040]=0x66666666
  exec PACR Last=1
  post h[0x4020]=0x4040 [0x4040]=0x66666666 packer.position=0 packer.plane=0

# Exponents
case a later instruction raises it: of FP16 by all five bits
  pre  cfg[0][1]=0x02000000 cfg[0][70]=0x111 thd[37]=4 dst[0][0]=0x0f dst[0][15]=0 dst[4][0]=0x11 dst[8][0]=0x10
  exec PACR
  exec PACR
  exec PACR Last=1
  post packer.exponent=0x11
case ... and of BF16 by all eight
  pre  thd[37]=4 dst[4][0]=0xff dst[8][0]=0x80
  exec PACR
  exec PACR
  exec PACR Last=1
  post packer.exponent=0xff
case the largest exponent is always kept, the histogram only when any thread enables it
  exec PACR Last=1
  post packer.exponent=0x7f packer.histogram[31]=0
case a card counts the first eight datums of 64, in bins by the low five bits of the exponent
  pre  thd[0][45]=1 dst[0][7]=0x81 dst[0][8]=0x82
  exec PACR Last=1
  post packer.histogram[31]=1 packer.histogram[1]=1 packer.histogram[0]=6 packer.histogram[2]=0 packer.exponent=0x81
case 128 counts for a tile of 1024 datums
  pre  thd[2][45]=1
  exec PACR
  exec PACR
  exec PACR
  exec PACR Last=1
  post packer.histogram[31]=4 packer.histogram[0]=28
case bins stop at 255
  pre  thd[1][45]=1 packer.histogram[31]=255
  exec PACR Last=1
  post packer.histogram[31]=255
case an exponent below the threshold gives zero
  pre  cfg[0][71]=0x80100000
  exec PACR Last=1
  post h[0x4000]=0 h[0x401e]=0x4000 h[0x4060]=0
case nothing is thresholded without Exp_threshold_en
  pre  cfg[0][71]=0x80000000
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3f80
case an exponent at the threshold stays
  pre  cfg[0][71]=0x7f100000
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3f80 h[0x4002]=0
case a threshold for BFP2a is undefined
  pre  cfg[0][71]=0x80100000 cfg[0][70]=0xb51
  exec PACR ReadIntfSel=1, Last=1
  fault UNDEFINED says=a bug of the hardware with BFP2a

case a threshold of 113 keeps FP32 out of what BFP8a, with exponents of five bits, cannot have: 2^-14 stays, 2^-15 goes
  pre  cfg[0][71]=0x71100000 cfg[0][18]=1 cfg[0][1]=0 cfg[0][70]=0x021 cfg[0][68]=0x00010000 cfg[0][12]=0x00400000 dst[0][0]=0x71 dst[0][1]=0x70 dst[0][15]=0 dst[8][0]=0
  exec PACR ReadIntfSel=1, Last=1
  post b[0x4000]=1 b[0x4010]=0x40 b[0x4011]=0

# PCK_DEST_RD_CTRL
case a BF16 that is denormal becomes zero, with Read_int8 it stays
  pre  cfg[0][18]=4 dst[0][0]=0x0100
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x0001
case and without
  pre  dst[0][0]=0x0100
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0
case INT8 of 32 bits: sign and a magnitude that saturates at 127
  pre  cfg[0][18]=1 cfg[0][1]=0x1c000000 cfg[0][70]=0xee1 cfg[0][12]=0x00100000 dst[0][0]=0x8000 dst[8][0]=200 dst[0][1]=0 dst[8][1]=5
  exec PACR ReadIntfSel=1, Last=1
  post b[0x4000]=0xff b[0x4001]=5
case with Read_unsigned: 0 to 255
  pre  cfg[0][18]=3 cfg[0][1]=0x1c000000 cfg[0][70]=0xee1 cfg[0][12]=0x00100000 dst[0][0]=0x8000 dst[8][0]=200 dst[0][1]=0 dst[8][1]=200
  exec PACR ReadIntfSel=1, Last=1
  post b[0x4000]=0 b[0x4001]=200
case with Read_int8: sign and the low seven bits
  pre  cfg[0][18]=5 cfg[0][1]=0x1c000000 cfg[0][70]=0xee1 cfg[0][12]=0x00100000 dst[0][0]=0x8000 dst[8][0]=200
  exec PACR ReadIntfSel=1, Last=1
  post b[0x4000]=0xc8
case INT_DESCALE shifts right before, and rounds
  pre  cfg[0][8]=1 cfg[0][187]=3 cfg[1][187]=3 cfg[0][18]=1 cfg[0][1]=0x1c000000 cfg[0][70]=0xee1 cfg[0][12]=0x00100000 dst[0][0]=0 dst[8][0]=0x64
  exec PACR ReadIntfSel=1, Last=1
  post b[0x4000]=13
case by Z with INT_DESCALE_Mode: the fifth shift is the first byte of the second word
  pre  cfg[0][8]=3 cfg[0][188]=2 cfg[1][188]=2 cfg[0][18]=1 cfg[0][1]=0x1c000000 cfg[0][70]=0xee1 cfg[0][12]=0x00100000 cfg[0][13]=0 adc[2][0].z=4 dst[0][0]=0 dst[8][0]=0x64
  exec PACR ReadIntfSel=1, Last=1
  post b[0x4000]=25
case Round_10b_mant: FP32 rounds to ten bits of mantissa on its way to FP16
  pre  cfg[0][18]=9 cfg[0][1]=0x02000000 cfg[0][70]=0x111 dst[0][0]=0x7f dst[8][0]=0x1000
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3c01
case FP32 cut to BF16 by the late conversion: -0 and denormals keep their sign, NaN its upper bits (cards)
  pre  cfg[0][18]=1 cfg[0][1]=0 cfg[0][70]=0x051 cfg[0][12]=0x00400000 dst[0][0]=0x8000 dst[0][1]=0x8100 dst[0][2]=0xc1ff dst[8][2]=0x1234 dst[8][0]=0
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x80008000 h[0x4004]=0xffc1
case FP8 is e4m3 with Pac_LF8_4b_exp
  pre  cfg[0][71]=0x00800000 cfg[0][18]=9 cfg[0][1]=0x02000000 cfg[0][70]=0x1a1 dst[0][0]=0x7f dst[8][0]=0
  exec PACR ReadIntfSel=1, Last=1
  post b[0x4000]=0x38
case Pac_LF8_4b_exp is of both contexts of a section
  pre  cfg[0][71]=0x00800000 cfg[0][18]=9 cfg[0][1]=0x02000000 cfg[0][98]=0x1a1 cfg[0][97]=0x3ff dst[0][0]=0x7f dst[8][0]=0
  exec PACR ReadIntfSel=1, CfgContext=1, Last=1
  post b[0x4000]=0x38
case but not of those of the other
  pre  cfg[0][71]=0x00800000 cfg[0][18]=9 cfg[0][1]=0x02000000 cfg[0][118]=0x1a1 cfg[0][117]=0x3ff dst[0][0]=0x7f dst[8][0]=0
  exec PACR ReadIntfSel=1, CfgContext=2, Last=1
  post b[0x4000]=0x3c

# Downsampling and padding
case Downsample_mask keeps the datums of its bits, in each row
  pre  cfg[0][71]=0x8001
  exec PACR ReadIntfSel=9, Last=1
  post [0x4000]=0x40003f80 [0x4004]=0x40c0bf80 [0x4008]=0
case the mask starts with the first datum that X chooses
  pre  cfg[0][71]=0x0001 adc[2][0].x=15 cfg[0][12]=0x00200002
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x4000
case RowPadZero 1: each row is filled up to 16 datums
  pre  cfg[0][71]=0x8001
  exec PACR ReadIntfSel=9, RowPadZero=1, Last=1
  post [0x4000]=0x40003f80 [0x4004]=0 [0x4020]=0x40c0bf80
case RowPadZero 5: all that was packed is
  pre  cfg[0][71]=0x8001
  exec PACR ReadIntfSel=9, RowPadZero=5
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x40003f80 [0x4004]=0x40c0bf80 [0x4008]=0 [0x4020]=0x40003f80
case ... also where 17 are
  exec SETADCXX PK=1, X1Val=0
  exec PACR ReadIntfSel=1
  exec SETADCXX PK=1, X1Val=15
  exec PACR ReadIntfSel=1, RowPadZero=5
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3f80 h[0x4002]=0x3f80 h[0x4020]=0x4000 h[0x4022]=0 h[0x4040]=0x3f80 h[0x405e]=0x4000
case RowPadZero 2: not with Concat
  pre  cfg[0][71]=0x8001
  exec PACR ReadIntfSel=1, RowPadZero=2, Concat=1
  exec PACR ReadIntfSel=1, RowPadZero=2
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x40003f80 [0x4004]=0x40003f80 [0x4008]=0 [0x4024]=0x40003f80
case RowPadZero 3: with Last
  pre  cfg[0][71]=0x8001 [0x4010]=0x77777777
  exec PACR ReadIntfSel=1, RowPadZero=3
  exec PACR ReadIntfSel=1, RowPadZero=3, Last=1
  post [0x4004]=0x40003f80 [0x4010]=0

# What is written
case ZeroWrite writes zeroes and does not move the tile position
  pre  [0x4000]=0x77777777 [0x401c]=0x77777777 [0x4020]=0x77777777
  exec PACR ZeroWrite=1, ReadIntfSel=1, Last=1
  post [0x4000]=0 [0x401c]=0 [0x4020]=0x77777777 packer.position=0
case ZeroWrite with ReadIntfSel 0: as many as X says, a multiple of 16
  pre  adc[2][1].x=95 [0x40bc]=0x77777777 [0x40c0]=0x77777777
  exec PACR ZeroWrite=1, Last=1
  post [0x40bc]=0 [0x40c0]=0x77777777
case which must be one
  pre  adc[2][1].x=94
  exec PACR ZeroWrite=1, Last=1
  fault UNDEFINED says=ADC X from 0 to 94
case Pack_L1_Acc adds to what is there: 1.0 to 2.0, 2.0 to -2.0
  pre  cfg[0][71]=0x80000 h[0x4000]=0x4000 h[0x401e]=0xc000
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x4040 h[0x401e]=0
case INT32 is added in sign-magnitude and saturates
  pre  cfg[0][71]=0x80000 cfg[0][18]=1 cfg[0][1]=0x10000000 cfg[0][70]=0x881 cfg[0][12]=0x00400000 dst[0][0]=0x8000 dst[8][0]=5 [0x4000]=3 dst[0][1]=0x7fff dst[8][1]=0xffff [0x4004]=1
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x80000002 [0x4004]=0x7fffffff
case L1 cannot add BFP8
  pre  cfg[0][71]=0x80000 cfg[0][70]=0x561
  exec PACR ReadIntfSel=1, Last=1
  fault UNDEFINED says=L1 adds FP32, INT32, FP16 and BF16 only

# Sizes
case a tile's size is that of its sections and data, in units of 16 bytes
  pre  cfg[0][70]=0x561 cfg[0][68]=0x00010000 packer.acc=7
  exec PACR Last=1
  post packer.size=5 packer.acc=12 packer.thread=2 reg[0xffb11098]=5 reg[0xffb1109c]=12 reg[0xffb11018]=0
case Add_tile_header_size counts one unit more in the sum
  pre  cfg[0][70]=0x400551
  exec PACR ReadIntfSel=1, Last=1
  post packer.size=2 packer.acc=3
case that of the second context is five bits lower
  pre  cfg[0][98]=0x20551 cfg[0][97]=0x4ff cfg[0][29]=0x100 packer.acc=1
  exec PACR ReadIntfSel=1, CfgContext=1, Last=1
  post packer.size=2 packer.acc=4
case and where the first has it, it has none
  pre  cfg[0][98]=0x400551 cfg[0][97]=0x4ff cfg[0][29]=0x100 cfg[0][70]=0x20551 packer.acc=1
  exec PACR ReadIntfSel=1, CfgContext=1, Last=1
  post packer.size=2 packer.acc=3
case that of the fourth is the second's, 48 words further
  pre  cfg[0][146]=0x20551 cfg[0][145]=0x4ff cfg[0][31]=0x100
  exec PACR ReadIntfSel=1, CfgContext=3, Last=1
  post packer.size=2 packer.acc=3
case the third's is the first's
  pre  cfg[0][118]=0x400551 cfg[0][117]=0x4ff cfg[0][30]=0x100
  exec PACR ReadIntfSel=1, CfgContext=2, Last=1
  post packer.size=2 packer.acc=3
case Sub_l1_tile_header_size of the second context
  pre  cfg[0][98]=0x8551 cfg[0][97]=0x4ff cfg[0][29]=0x100
  exec PACR ReadIntfSel=1, CfgContext=1, Last=1
  post h[0x4ff0]=0x3f80
case pack_per_xy_plane, pack_xys_per_tile: the last PACR of the last plane has Last, the next one begins a tile
  pre  cfg[0][28]=0x20102 thd[37]=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  post h[0x4000]=0 h[0x4020]=0x4040 h[0x4040]=0x4080 h[0x4060]=0xbf80 packer.size=8 packer.acc=8
case three of four are not
  pre  cfg[0][28]=0x20102 thd[37]=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  post packer.size=0
case a count begins behind Last
  pre  cfg[0][28]=0x20102
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  post packer.acc=4
case and comes to an end there
  pre  cfg[0][28]=0x20102
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  post packer.acc=12
case Flush is no PACR of a plane
  pre  cfg[0][28]=0x20102
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR Flush=1
  post packer.acc=0
case and is none for the next one either
  pre  cfg[0][28]=0x10103
  exec PACR ReadIntfSel=1
  exec PACR Flush=1
  exec PACR ReadIntfSel=1
  post packer.acc=0
case Last in the middle of a plane: it begins again
  pre  cfg[0][28]=0x10102
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=1
  post packer.acc=2
case pack_xys_per_tile 0: no plane is the last
  pre  cfg[0][28]=0x00102
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  post packer.size=0
case pack_per_xy_plane 0: nothing is counted
  pre  cfg[0][28]=0x10100
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=1
  post packer.size=0
case each context has numbers of its own
  pre  cfg[0][28]=0x10101 cfg[0][29]=0x10102 cfg[0][98]=0x551 cfg[0][97]=0x4ff
  exec PACR ReadIntfSel=1, CfgContext=1
  exec PACR ReadIntfSel=1, CfgContext=1
  exec PACR ReadIntfSel=1
  post packer.size=2 packer.acc=6
case it pads and steps the context as Last does
  pre  cfg[0][28]=0x10101 adc[2][1].x=3 [0x4008]=0x55555555 [0x4018]=0x55555555
  exec PACR ReadIntfSel=1, RowPadZero=3, CtxtCtrl=1
  post [0x4008]=0 [0x4018]=0 packer.context=1 packer.size=2
case Enable_out_fifo: TDMA-RISC finds the size of each tile
  pre  cfg[0][70]=0x4551
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=3, Last=1
  post packer.tiles=2 reg[0xffb11030]=2 reg[0xffb11038]=0x54
case a full FIFO takes no more
  pre  cfg[0][70]=0x4551
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=3, Last=1
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=1, Last=1
  post packer.tiles=4 reg[0xffb11038]=0x56 reg[0xffb11030]=2
case what it keeps are the first four sizes
  pre  cfg[0][70]=0x4551
  exec PACR ReadIntfSel=3, Last=1
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=1, Last=1
  exec PACR ReadIntfSel=7, Last=1
  post packer.tiles=4 reg[0xffb11030]=4

# Contexts (assembly.yaml)
case CfgContext 1 is THCON_SEC0_REG8
  pre  cfg[0][98]=0x551 cfg[0][97]=0x4ff cfg[0][29]=0x100
  exec PACR ReadIntfSel=1, CfgContext=1, Last=1
  post h[0x5000]=0x3f80
case ... with a set of rows of its own
  pre  cfg[0][98]=0x551 cfg[0][97]=0x4ff cfg[0][29]=0x100 cfg[0][24]=0x18ffff cfg[0][23]=0x02 cfg[0][26]=0
  exec PACR ReadIntfSel=1, CfgContext=1, Last=1
  post h[0x5000]=0
case CfgContext 2 is THCON_SEC1_REG1 and DEST_TARGET_REG_CFG_PACK_SEC2
  pre  cfg[0][118]=0x551 cfg[0][117]=0x4ff cfg[0][30]=0x100 cfg[0][182]=2 cfg[1][182]=2
  exec PACR ReadIntfSel=1, CfgContext=2, Last=1
  post h[0x5000]=0x4080
case CtxtCtrl 1: the context is counted, by tiles
  pre  cfg[0][98]=0x551 cfg[0][97]=0x4ff
  exec PACR ReadIntfSel=1, CtxtCtrl=1, Last=1
  exec PACR ReadIntfSel=1, CtxtCtrl=1
  exec PACR ReadIntfSel=1, CtxtCtrl=1, Last=1
  post h[0x4000]=0x3f80 h[0x5000]=0x3f80 packer.context=2
case or by planes
  pre  cfg[0][28]=0x02000100
  exec PACR ReadIntfSel=1, CtxtCtrl=1, Last=1
  exec PACR ReadIntfSel=1, CtxtCtrl=1, Last=1
  post packer.context=1
case CtxtCtrl 2 sets the counted context back and does nothing else
  pre  packer.context=3 thd[37]=1
  exec PACR CtxtCtrl=2
  post packer.context=0 adc[2][0].y=0
case CtxtCtrl 3 is known by a riddle only
  exec PACR CtxtCtrl=3
  fault UNKNOWN says=CtxtCtrl 3

# From L1 to L1
case Source_interface_selection: datums come from L1, without the stages behind Dst
  pre  cfg[0][70]=0x10551 cfg[0][2]=0x04 cfg[0][16]=0x8000 h[0x8000]=0xbf80 h[0x801e]=0x4040
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0xbf80 h[0x401e]=0x4040 packer.position=0 packer.exponent=0
case L1_source_addr are the address bits from 18 on
  pre  cfg[0][70]=0x2010551 cfg[0][16]=0x100 h[0x80100]=0x1234
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x1234
case BFP8 from L1 has an exponent of zero
  pre  cfg[0][70]=0x10651 cfg[0][16]=0x8000 b[0x8000]=0xc1 b[0x8001]=0x7f b[0x8002]=0xbe
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x8041 h[0x4002]=0x007f h[0x4004]=0x803e
case from behind the end of L1 is undefined
  pre  cfg[0][70]=0x6010551
  exec PACR ReadIntfSel=1, Last=1
  fault UNDEFINED says=PACR from L1 address 0x180000 (THCON_SEC0_REG1_L1_source_addr 6)

# Compression: row starts; blocks of 32 datums and 32 counts of zeroes left out before each, as cards have it
case of a row only what is not zero, its first and its last datum are kept
  pre  cfg[0][70]=0x550 cfg[0][68]=0x1 dst[0][5]=0x80
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x00030000 [0x4010]=0x40003f80 h[0x4014]=0x4000 [0x4018]=0 [0x4050]=0x00000940 packer.size=6
case a row of zeroes: two datums, 14 left out; no flag says so
  pre  cfg[0][70]=0x550 cfg[0][68]=0x1 valid[0]=0
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=2, Last=1
  post [0x4000]=0x00020000 h[0x4004]=4 [0x4010]=0 [0x4014]=0x4040 [0x4050]=0x0000e0e0 packer.zero=0
case a row of 64 with every 16th not zero, on a card: counts 0, 15, 15, 15 and 14
  pre  cfg[0][70]=0x550 cfg[0][68]=0x1 dst[0][15]=0 dst[3][15]=0
  exec PACR Last=1
  post h[0x4002]=5 [0x4010]=0x40403f80 [0x4014]=0xbf804080 h[0x4018]=0 [0x4050]=0x000efff0
case with Concat the next instruction goes on with the row
  pre  cfg[0][70]=0x550 cfg[0][68]=0x1 valid[1]=0 thd[37]=1
  exec PACR ReadIntfSel=1, Concat=1
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x00030000 [0x4010]=0x40003f80 [0x4014]=0 [0x4050]=0x00000fe0
case All_pack_disable_zero_compress_ovrd is not used
  pre  cfg[0][70]=0x200550 cfg[0][68]=0x1 dst[0][5]=0x80
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x00030000 [0x4010]=0x40003f80 h[0x4014]=0x4000 [0x4050]=0x00000940 packer.size=6
case nor without compression
  pre  cfg[0][70]=0x200551
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3f80 h[0x401e]=0x4000 packer.size=2
case Disable_pack_zero_flags: there are none to switch off, and the data is the same
  pre  cfg[0][70]=0x554 cfg[0][68]=0x1 valid[0]=0
  exec PACR ReadIntfSel=1
  exec PACR ReadIntfSel=2, Last=1
  post [0x4000]=0x00020000 h[0x4004]=4 [0x4010]=0 [0x4014]=0x4040 [0x4050]=0x0000e0e0 packer.zero=0 packer.size=6
case BFP2 cannot be compressed
  pre  cfg[0][70]=0x5f0
  exec PACR ReadIntfSel=1, Last=1
  fault UNDEFINED says=BFP2 and BFP2a have no compressed form

# Stochastic rounding: up if the discarded bits are not less than as many random ones
case random bits decide; the generator steps once a datum
  pre  cfg[0][1]=0x0a000002 cfg[0][18]=1 cfg[0][12]=0x00200000 dst[8][0]=0x4000 dst[8][1]=0x4000 dst[0][1]=0x7f packer.prng[0]=0x4000 packer.prng[1]=0x4001
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3f81 h[0x4002]=0x3f80 packer.prng[0]=0x80002000 packer.prng[1]=0x00002000
case FP32 that stays FP32 has nothing to round, and takes no random bits
  pre  cfg[0][1]=2 cfg[0][70]=0x001 cfg[0][18]=1 cfg[0][12]=0x00400000 dst[8][0]=0x5fff packer.prng[0]=0x0fff
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x3f805fff packer.prng[0]=0x0fff
case with Round_10b_mant 13 bits of it are: as many as, or less than the random ones
  pre  cfg[0][1]=2 cfg[0][70]=0x001 cfg[0][18]=9 cfg[0][12]=0x00400000 dst[0][1]=0x7f dst[8][0]=0x5ffe dst[8][1]=0x5fff packer.prng[0]=0x1fff packer.prng[1]=0x1fff
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x3f804000 [0x4004]=0x3f806000 packer.prng[0]=0x80000fff
case BF16 with Round_10b_mant for FP16 the same
  pre  cfg[0][1]=0x0a000002 cfg[0][70]=0x411 cfg[0][18]=9 cfg[0][12]=0x00400000 dst[8][0]=0x3000 packer.prng[0]=0x2000
  exec PACR ReadIntfSel=1, Last=1
  post packer.prng[0]=0x80001000
case without it the same rounds to nearest
  pre  cfg[0][18]=1 cfg[0][12]=0x00200000 dst[8][0]=0x4000 packer.prng[0]=0x4000
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3f80 packer.prng[0]=0x4000

# What is wrong
case a format that does not exist
  pre  cfg[0][70]=0x5c1
  exec PACR Last=1
  fault UNDEFINED says=THCON_SEC0_REG1_Out_data_format 12: there is no such format
case an intermediate format that does not exist
  pre  cfg[0][1]=0x1a000000
  exec PACR Last=1
  fault UNDEFINED says=ALU_FORMAT_SPEC_REG2_Dstacc 13: there is no such format
case an early conversion that there is not
  pre  cfg[0][1]=0x10000000 cfg[0][70]=0x881
  exec PACR Last=1
  fault UNDEFINED says=no early conversion from 16 bits of Dst to INT32
case a late conversion that there is not
  pre  cfg[0][70]=0x581
  exec PACR Last=1
  fault UNDEFINED says=no late conversion from BF16 to INT32
case late conversion from another kind than the early one to
  pre  cfg[0][70]=0x151
  exec PACR Last=1
  fault UNDEFINED says=early conversion to BF16 (ALU_FORMAT_SPEC_REG2_Dstacc 5), late conversion from FP16
case no datums
  pre  adc[2][0].x=1 adc[2][1].x=0
  exec PACR Last=1
  fault UNDEFINED says=ADC X from 1 to 0
case more datums than a row has
  pre  adc[2][1].x=16
  exec PACR Last=1
  fault UNDEFINED says=they have to be 1 to 16 datums within a row
case Dis_shared_exp_assembler where no exponent is shared
  pre  cfg[0][70]=0x1551
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3f80 h[0x401e]=0x4000
case and where nobody says what takes its place
  pre  cfg[0][70]=0x1561
  exec PACR Last=1
  fault UNKNOWN says=THCON_SEC0_REG1_Dis_shared_exp_assembler 1
case pack_start_intf_pos
  pre  cfg[0][70]=0x60551
  exec PACR Last=1
  fault UNKNOWN says=THCON_SEC0_REG1_pack_start_intf_pos 3
case which context 1 has in the next two bits
  pre  cfg[0][70]=0x100551 cfg[0][98]=0x551
  exec PACR CfgContext=1, Last=1
  fault UNKNOWN says=THCON_SEC0_REG1_pack_start_intf_pos 2
case of which context 0 knows nothing
  pre  cfg[0][70]=0x180551
  exec PACR ReadIntfSel=1, Last=1
  post h[0x4000]=0x3f80 h[0x401e]=0x4000
case Downsample_rate
  pre  cfg[0][71]=0x50000
  exec PACR Last=1
  fault UNKNOWN says=THCON_SEC0_REG1_Downsample_rate 5

# Time: 128 bytes a cycle, an addition in L1 takes five
case four rows of BF16 are one cycle, of 32 bits two
  exec PACR
  exec PACR ReadIntfSel=1
  exec PACR Last=1
  passes 0 1 2
case of FP32 two
  pre  cfg[0][18]=1 cfg[0][1]=0 cfg[0][70]=0x001 cfg[0][12]=0x00400000
  exec PACR
  exec PACR ReadIntfSel=1
  exec PACR Last=1
  passes 0 2 3
case with compression one more
  pre  cfg[0][70]=0x550 cfg[0][68]=0x1
  exec PACR
  exec PACR Last=1
  passes 0 2
case of FP32 three
  pre  cfg[0][18]=1 cfg[0][1]=0 cfg[0][70]=0 cfg[0][68]=1 cfg[0][12]=0x00400000
  exec PACR
  exec PACR Last=1
  passes 0 3
case with additions five
  pre  cfg[0][71]=0x80000
  exec PACR
  exec PACR Last=1
  passes 0 5
case STALLWAIT C3 waits for the packer
  exec PACR Last=1
  exec STALLWAIT BlockMask=0x4, ConditionMask=0x8
  exec PACR ReadIntfSel=1, Last=1
  passes 0 1 10
case a block of Dst that the Matrix Unit has just written is waited for
  pre  src[0].owns[0]=1 src[1].owns[0]=1
  exec ELWADD DstRow=0
  exec PACR ReadIntfSel=1, Last=1
  passes 0 6
case another block is not
  pre  src[0].owns[0]=1 src[1].owns[0]=1 adc[2][0].y=8
  exec ELWADD DstRow=0
  exec PACR ReadIntfSel=1, Last=1
  passes 0 1
case an undefined row is packed as zero
  pre  valid[0]=0
  exec PACR ReadIntfSel=3, Last=1
  post h[0x4000]=0 h[0x4020]=0x4040
case ... and with Zero_Flag_disabled_dst as what it holds
  pre  valid[0]=0 cfg[0][2]=2
  exec PACR ReadIntfSel=3, Last=1
  post h[0x4000]=0x3f80 h[0x4020]=0x4040
case ... of 32 bits
  pre  valid[0]=0 cfg[0][2]=2 cfg[0][18]=1 cfg[0][1]=0 cfg[0][70]=0x001 dst[8][0]=0x1234
  exec PACR ReadIntfSel=1, Last=1
  post [0x4000]=0x3f801234
