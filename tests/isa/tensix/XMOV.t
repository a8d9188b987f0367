# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 XMOV, Mover (29e53cf9): words 88 to 90 of Config are source, destination, size with direction in 31:30.
case copies within L1: eight times 16 bytes in 11 cycles
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000008 [0x1000]=1 [0x1070]=2 [0x107c]=3 [0x1080]=4
  exec XMOV
  exec NOP
  passes 0 1
  at 2 mover=1 [0x2000]=0
  at 3 [0x2000]=1
  at 11 mover=1 [0x2070]=0
  at 12 mover=0 [0x2070]=2 [0x207c]=3
  post [0x2080]=0
case only the low 16 bits of the size count
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0010001 [0x1000]=1 [0x1010]=2
  exec XMOV
  post [0x2000]=1 [0x2010]=0
case the bank is the thread's
  pre cfg[1][88]=0x100 cfg[1][89]=0x200 cfg[1][90]=0xc0000001 [0x1000]=1 thd[0]=1
  exec XMOV
  post [0x2000]=1
case direction 0 clears L1, 16 bytes a cycle
  pre cfg[0][89]=0x200 cfg[0][90]=0x4 [0x2000]=1 [0x2030]=1 [0x2040]=1
  exec XMOV
  at 4 mover=1 [0x2030]=1
  at 5 mover=0 [0x2030]=0
  post [0x2000]=0 [0x2040]=1
case direction 1 copies to configuration
  pre cfg[0][88]=0x100 cfg[0][89]=0x10 cfg[0][90]=0x40000001 [0x1000]=1 [0x100c]=4
  exec XMOV
  post cfg[0][64]=1 cfg[0][67]=4 cfg[1][64]=0
case a global word goes to both banks
  pre cfg[0][88]=0x100 cfg[0][89]=0x2d cfg[0][90]=0x40000001 [0x1000]=1
  exec XMOV
  post cfg[0][180]=1 cfg[1][180]=1
case direction 2 clears configuration
  pre cfg[0][89]=0x11 cfg[0][90]=0x80000001 cfg[0][68]=1 cfg[0][71]=1 cfg[0][72]=1
  exec XMOV
  post cfg[0][68]=0 cfg[0][71]=0 cfg[0][72]=1
case to nowhere: the time passes
  pre cfg[0][88]=0x100 cfg[0][89]=0x8000 cfg[0][90]=0x40000008
  exec XMOV
  at 11 mover=1
  at 12 mover=0
case of length zero
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000000 [0x1000]=1
  exec XMOV
  at 1 mover=0
  post [0x2000]=0
case a second one waits until the mover is done, and its thread with it
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000008
  exec XMOV
  exec XMOV
  exec NOP
  passes 0 12 13
case STALLWAIT C9 waits for the mover, of every thread
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000008
  exec T0 XMOV
  exec T1 NOP
  exec T1 STALLWAIT BlockMask=0x1ff, ConditionMask=0x200
  exec T1 NOP
  passes 0 0 1 13
case the source is read while it goes on
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000008
  exec XMOV
  write 5 [0x1000]=1 [0x1070]=1
  post [0x2000]=0 [0x2070]=1
case a soft reset stops it
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000008 [0x1000]=1 [0x1070]=1
  exec XMOV
  write 6 reg[0xffb121b0]=0x47840
  at 7 mover=0
  post [0x2000]=1 [0x2070]=0
case held in reset it is discarded
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000001 [0x1000]=1 reg[0xffb121b0]=0x47840
  exec XMOV
  exec NOP
  passes 0 1
  post [0x2000]=0
case to configuration it takes turns with the Configuration Unit, which has to wait
  pre cfg[0][89]=0x20 cfg[0][90]=0x80000003
  exec T0 XMOV
  exec T1 RMWCIB0 Index4=1
  exec T1 RMWCIB0 Index4=1
  exec T1 RMWCIB0 Index4=1
  passes 0 0 4 5
  at 3 mover=1
  at 4 mover=0
case and waits itself where a WRCFG is before it
  pre cfg[0][89]=0x20 cfg[0][90]=0x80000003 cfg[0][128]=5
  exec T0 XMOV
  exec T1 WRCFG CfgIndex=1
  exec T1 RMWCIB0 Index4=1
  passes 0 0 5
  at 2 cfg[0][128]=5
  at 3 cfg[0][128]=0
  at 4 mover=1
  at 5 mover=0
case above 1 MiB, as far as L1 goes
  pre cfg[0][88]=0x17fff cfg[0][89]=0x17ffe cfg[0][90]=0xc0000001 [0x17fff0]=7
  exec XMOV
  post [0x17ffe0]=7
case a destination outside L1
  pre cfg[0][88]=0x100 cfg[0][89]=0x18000 cfg[0][90]=0xc0000001
  exec XMOV
  fault UNDEFINED says=destination is not in L1
case a source that ends outside L1
  pre cfg[0][88]=0x17fff cfg[0][89]=0x200 cfg[0][90]=0xc0000002
  exec XMOV
  fault UNDEFINED says=source is not in L1
case the instruction RAM of RISCV NC, which is not there
  pre cfg[0][88]=0x100 cfg[0][89]=0x4000 cfg[0][90]=0x40000001
  exec XMOV
  fault UNDEFINED says=instruction RAM
case ThreadConfig
  pre cfg[0][88]=0x100 cfg[0][89]=0xa8 cfg[0][90]=0x40000001
  exec XMOV
  fault UNDEFINED says=ThreadConfig
case of a second mover
  exec XMOV Mov_block_selection=1
  fault UNKNOWN says=second mover
