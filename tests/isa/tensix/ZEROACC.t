# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ZEROACC (bd8c22af), Dst; assembly.yaml for the bits; cards: docs/errata-tensix.md.  Rows as recorded, soft reset and
# DBG_FEATURE_DISABLE: tests/unit/tensix/matrix_test.c.
case what the firmware pushes: all rows are undefined, what they hold is not touched
  pre dst[17][3]=0x1234
  exec ZEROACC Mode=3
  post undefined=1024 dst[17][3]=0x1234
case Revert makes them valid again
  pre valid[15]=0 valid[16]=0 valid[31]=0 valid[32]=0
  exec ZEROACC Mode=1, Imm10=1, Revert=1
  post valid[15]=0 valid[16]=1 valid[31]=1 valid[32]=0
case half of Dst: bit 0 of Imm10
  exec ZEROACC Mode=2, Imm10=0x3fe
  post undefined=512 valid[0]=0 valid[511]=0 valid[512]=1
case the upper half
  exec ZEROACC Mode=2, Imm10=1
  post undefined=512 valid[511]=1 valid[512]=0 valid[1023]=0
case 16 rows
  exec ZEROACC Mode=1, Imm10=5
  post undefined=16 valid[80]=0 valid[95]=0
case 16 rows of 32 bits: their high halves
  exec ZEROACC Mode=1, UseDst32b=1, Imm10=1
  post undefined=16 valid[32]=0 valid[39]=0 valid[40]=1 valid[48]=0 valid[55]=0
case 16 rows with remap_addrs: where they are in DstBits
  pre cfg[0][220]=2
  exec ZEROACC Mode=1, Imm10=5
  post undefined=16 valid[72]=0 valid[79]=0 valid[104]=0 valid[111]=0
case 16 rows of 32 bits with remap_addrs and swizzle_32b
  pre cfg[0][220]=3
  exec ZEROACC Mode=1, UseDst32b=1, Imm10=1
  post undefined=16 valid[4]=0 valid[7]=0 valid[20]=0 valid[23]=0 valid[68]=0 valid[71]=0 valid[84]=0 valid[87]=0
case 16 rows: eight bits of Imm10 count, and beyond Dst there is nothing
  exec ZEROACC Mode=1, Imm10=0x102
  exec ZEROACC Mode=1, Imm10=64
  exec ZEROACC Mode=1, UseDst32b=1, Imm10=32
  post undefined=16 valid[32]=0 valid[47]=0
case one row: Imm10, the thread's offset, its counter and the base, in ten bits
  pre thd[1]=0x200 cfg[0][6]=0x80 rwc.dst=0x390
  exec ZEROACC Imm10=3
  post undefined=1 valid[0x213]=0
thread 1
case one row: StateID chooses the bank
  pre thd[0]=1 cfg[0][6]=0x40 cfg[1][6]=0x80
  exec ZEROACC
  post undefined=1 valid[0x80]=0
thread 0
case one row of 32 bits: by its place in DstBits, as cards have it (the manual has Adj32)
  pre cfg[0][1]=0x20000000
  exec ZEROACC Imm10=9
  post undefined=1 valid[9]=0
case the same with INT8_math_enabled, swizzle_32b and remap_addrs
  pre cfg[0][1]=0x80000000 cfg[0][220]=3
  exec ZEROACC Imm10=8
  post undefined=1 valid[8]=0
case one row with an odd AddrMod: eight rows, on cards
  exec ZEROACC Imm10=17, AddrMod=1
  post undefined=8 valid[16]=0 valid[23]=0
case an even one: one row
  exec ZEROACC Imm10=17, AddrMod=2
  post undefined=1 valid[17]=0
case 16 rows count within the half of Dst that the thread is in
  pre thd[1]=0x1ff rwc.dst=1
  exec ZEROACC Mode=1, Imm10=5
  post undefined=16 valid[592]=0 valid[607]=0
case of 32 bits too, whose halves are half as many rows
  pre thd[1]=0x100
  exec ZEROACC Mode=1, Imm10=1, UseDst32b=1
  post undefined=16 valid[544]=0 valid[551]=0 valid[560]=0 valid[567]=0
case zeroacc_absolute_tile_mode: all of Dst
  pre thd[1]=0x200 cfg[0][220]=8
  exec ZEROACC Mode=1, Imm10=5
  exec ZEROACC Mode=1, Imm10=1, UseDst32b=1
  post undefined=32 valid[80]=0 valid[95]=0 valid[32]=0 valid[55]=0
case what kernels use for AddrMod alone clears nothing in either half
  pre thd[1]=0x200
  exec ZEROACC Mode=1, Imm10=0xff
  post undefined=0
case one row and 16 rows apply their AddrMod, three bits of it
  pre thd[34]=0x2004 thd[18]=0x0201
  exec ZEROACC AddrMod=6
  exec ZEROACC Mode=1, Imm10=0xff, AddrMod=6
  post rwc.dst=8 rwc.src_a=2 rwc.src_b=4 rwc.fidelity=2 undefined=1
case half and all do not
  pre thd[29]=4
  exec ZEROACC Mode=2, AddrMod=1
  exec ZEROACC Mode=3, AddrMod=1
  post rwc.dst=0
case AddrMod with CR
  pre thd[14]=0x4844 thd[30]=0x0410 rwc.dst=100 rwc.dst_cr=40 rwc.src_a=10 rwc.src_a_cr=20 rwc.src_b=30 rwc.src_b_cr=50
  exec ZEROACC Mode=1, Imm10=0xff, AddrMod=2
  post rwc.src_a=24 rwc.src_a_cr=24 rwc.src_b=58 rwc.src_b_cr=58 rwc.dst=56 rwc.dst_cr=56
case AddrMod with CToCR, which comes before CR
  pre thd[30]=0x1410 rwc.dst=100 rwc.dst_cr=40
  exec ZEROACC Mode=1, Imm10=0xff, AddrMod=2
  post rwc.dst=116 rwc.dst_cr=116
case AddrMod clears before all else
  pre thd[12]=0xffff thd[28]=0xffff rwc.dst=100 rwc.dst_cr=40 rwc.src_a=10 rwc.src_a_cr=20 rwc.src_b=30 rwc.src_b_cr=50 rwc.fidelity=2
  exec ZEROACC Mode=1, Imm10=0xff
  post rwc.dst=0 rwc.dst_cr=0 rwc.src_a=0 rwc.src_a_cr=0 rwc.src_b=0 rwc.src_b_cr=0 rwc.fidelity=0
case AddrMod wraps counters at six, six, ten and two bits
  pre thd[12]=0x3f3f thd[28]=0x63ff rwc.dst=100 rwc.src_a=10 rwc.src_b=30 rwc.fidelity=2
  exec ZEROACC Mode=1, Imm10=0xff
  post rwc.dst=99 rwc.src_a=9 rwc.src_b=29 rwc.fidelity=1
case ADDR_MOD_BIAS does nothing on Blackhole
  pre thd[48]=1 thd[29]=4 thd[33]=8
  exec ZEROACC Mode=1, Imm10=0xff, AddrMod=1
  exec ZEROACC Mode=1, Imm10=0xff, AddrMod=1
  post rwc.dst=8
case bits 23:22 flip the sources
  pre src[0].owns[0]=1 src[1].owns[0]=1
  exec ZEROACC Mode=3, FlipSrcA=1
  post src[0].matrix=1 src[0].owns[0]=0 src[1].matrix=0 src[1].owns[0]=1
case a mode above three
  exec ZEROACC clear_mode_hi=1, Mode=2
  fault UNKNOWN says=mode 6
  post undefined=0
case one a cycle
  exec ZEROACC Mode=3
  exec ZEROACC Mode=3
  passes 0 1
