# SPDX-License-Identifier: Apache-2.0
# Manual WRCFG, ConfigurationUnit: stage -1 reads the GPR, stage 0 writes Config.
case a word of the thread's bank, there in the second cycle behind
  pre gpr[5]=0xdeadbeef cfg[0][50]=1
  exec WRCFG InputReg=5, CfgIndex=50
  at 1 cfg[0][50]=1
  at 2 cfg[0][50]=0xdeadbeef
  post cfg[1][50]=0 cfg[0][49]=0 cfg[0][51]=0
case what reads Config in the unit waits for stage 0
  pre gpr[5]=7
  exec WRCFG InputReg=5, CfgIndex=50
  exec RDCFG ResultReg=1, CfgIndex=50
  passes 0 2
  post gpr[1]=7
case another unit's instruction right behind it still finds the old value (word 89 is XMOV's destination)
  pre gpr[5]=0x300 cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000001 [0x1000]=1
  exec WRCFG InputReg=5, CfgIndex=89
  exec XMOV
  passes 0 1
  post [0x2000]=1 [0x3000]=0
case one instruction further it finds the new one
  pre gpr[5]=0x300 cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000001 [0x1000]=1
  exec WRCFG InputReg=5, CfgIndex=89
  exec NOP
  exec XMOV
  passes 0 1 2
  post [0x2000]=0 [0x3000]=1
case CFG_STATE_ID_StateID names the bank
  pre gpr[5]=7 thd[0]=1
  exec WRCFG InputReg=5, CfgIndex=50
  post cfg[1][50]=7 cfg[0][50]=0
case of CFG_STATE_ID one bit counts
  pre gpr[5]=7 thd[0]=0xfffe
  exec WRCFG InputReg=5, CfgIndex=50
  post cfg[0][50]=7 cfg[1][50]=0
case the bank is that of the thread
  pre gpr[2][5]=7 thd[2][0]=1
  exec T2 WRCFG InputReg=5, CfgIndex=50
  post cfg[1][50]=7 cfg[0][50]=0
case the bank is taken when it enters, not when it writes
  pre gpr[5]=7
  exec WRCFG InputReg=5, CfgIndex=50
  exec SETC16 CfgIndex=0, NewValue=1
  passes 0 1
  post cfg[0][50]=7 cfg[1][50]=0
case 128 bits
  pre gpr[4]=1 gpr[5]=2 gpr[6]=3 gpr[7]=4 gpr[8]=5
  exec WRCFG InputReg=4, Is128Bit=1, CfgIndex=48
  at 1 cfg[0][48]=0 cfg[0][51]=0
  at 2 cfg[0][48]=1 cfg[0][49]=2 cfg[0][50]=3 cfg[0][51]=4
  post cfg[0][47]=0 cfg[0][52]=0
case 128 bits: the low two bits of register and index do not count
  pre gpr[4]=1 gpr[5]=2 gpr[6]=3 gpr[7]=4
  exec WRCFG InputReg=7, Is128Bit=1, CfgIndex=50
  post cfg[0][48]=1 cfg[0][49]=2 cfg[0][50]=3 cfg[0][51]=4
case one in every cycle
  pre gpr[1]=1 gpr[2]=2 gpr[3]=3
  exec WRCFG InputReg=1, CfgIndex=49
  exec WRCFG InputReg=2, CfgIndex=50
  exec WRCFG InputReg=3, CfgIndex=49
  passes 0 1 2
  at 3 cfg[0][49]=1 cfg[0][50]=2
  at 4 cfg[0][49]=3
case threads take turns
  pre gpr[0][1]=1 gpr[1][1]=2 gpr[2][1]=3
  exec T0 WRCFG InputReg=1, CfgIndex=49
  exec T1 WRCFG InputReg=1, CfgIndex=50
  exec T2 WRCFG InputReg=1, CfgIndex=51
  exec T0 WRCFG InputReg=1, CfgIndex=52
  exec T1 WRCFG InputReg=1, CfgIndex=53
  passes 0 1 2 3 4
  post cfg[0][49]=1 cfg[0][50]=2 cfg[0][51]=3 cfg[0][52]=1 cfg[0][53]=2
case it enters beside what enters at stage 0, and keeps out what comes behind
  pre gpr[0][1]=1
  exec T0 WRCFG InputReg=1, CfgIndex=49
  exec T1 RMWCIB0 Mask=255, NewValue=7, Index4=50
  exec T0 WRCFG InputReg=1, CfgIndex=49
  exec T1 RMWCIB0 Mask=255, NewValue=8, Index4=50
  exec T0 WRCFG InputReg=1, CfgIndex=49
  passes 0 0 1 4 2
  post cfg[0][50]=8
case a global word is one in both banks
  pre gpr[5]=7 thd[0]=1
  exec WRCFG InputReg=5, CfgIndex=200
  post cfg[0][200]=7 cfg[1][200]=7
case the last word of a bank, and the first of the global ones
  pre gpr[5]=7
  exec WRCFG InputReg=5, CfgIndex=179
  exec WRCFG InputReg=5, CfgIndex=180
  post cfg[0][179]=7 cfg[1][179]=0 cfg[0][180]=7 cfg[1][180]=7
case any value for STATE_RESET_EN clears the bank and no global word
  pre cfg[0][0]=1 cfg[0][179]=2 cfg[1][50]=3 cfg[0][180]=4 cfg[1][180]=4
  exec WRCFG InputReg=5, CfgIndex=4
  at 1 cfg[0][0]=1
  post cfg[0][0]=0 cfg[0][4]=0 cfg[0][179]=0 cfg[1][50]=3 cfg[0][180]=4
case 128 bits over STATE_RESET_EN: it comes first
  pre cfg[0][50]=1 gpr[4]=1 gpr[5]=2 gpr[6]=3 gpr[7]=4
  exec WRCFG InputReg=4, Is128Bit=1, CfgIndex=4
  post cfg[0][4]=0 cfg[0][5]=2 cfg[0][6]=3 cfg[0][7]=4 cfg[0][50]=0
case the last word
  pre gpr[5]=7
  exec WRCFG InputReg=5, CfgIndex=223
  post cfg[0][223]=7 cfg[1][223]=7
case past the end
  exec WRCFG InputReg=5, CfgIndex=224
  fault UNDEFINED says=configuration word 224, there are 224
case a core's store before it and one behind it
  pre gpr[5]=7
  exec NOP
  exec WRCFG InputReg=5, CfgIndex=50
  write 1 reg[0xffef00c8]=3
  passes 0 1
  at 2 cfg[0][50]=3
  at 3 cfg[0][50]=7
  write 4 reg[0xffef00c8]=4
  post cfg[0][50]=4
case a core's store in the same cycle goes before what would enter at stage 0
  exec NOP
  exec RMWCIB0 Mask=0x0f, NewValue=0xff, Index4=50
  write 1 reg[0xffef00c8]=0x30
  passes 0 2
  post cfg[0][50]=0x3f
case while THCON configuration is held in reset nothing is kept there
  pre gpr[5]=7 reg[0xffb121b0]=0x47a00
  exec WRCFG InputReg=5, CfgIndex=64
  exec WRCFG InputReg=5, CfgIndex=63
  post cfg[0][64]=0 cfg[0][63]=7
