# SPDX-License-Identifier: Apache-2.0
# Manual RDCFG, ConfigurationUnit: stage 0 reads Config, stage +1 writes the GPR.
case a word of the thread's bank, there in the second cycle behind
  pre cfg[0][50]=0xdeadbeef gpr[6]=1
  exec RDCFG ResultReg=6, CfgIndex=50
  at 1 gpr[6]=1
  at 2 gpr[6]=0xdeadbeef
case the next instruction still finds the old GPR
  pre cfg[0][50]=7 gpr[6]=1
  exec RDCFG ResultReg=6, CfgIndex=50
  exec WRCFG InputReg=6, CfgIndex=51
  exec WRCFG InputReg=6, CfgIndex=52
  passes 0 1 2
  post cfg[0][51]=1 cfg[0][52]=7
case CFG_STATE_ID_StateID names the bank
  pre cfg[0][50]=1 cfg[1][50]=2 thd[0]=1
  exec RDCFG ResultReg=6, CfgIndex=50
  post gpr[6]=2
case the GPRs are the thread's
  pre cfg[0][50]=7
  exec T1 RDCFG ResultReg=63, CfgIndex=50
  post gpr[1][63]=7 gpr[0][63]=0
case one in every cycle, for one thread and for three
  exec T0 RDCFG ResultReg=1, CfgIndex=50
  exec T1 RDCFG ResultReg=1, CfgIndex=50
  exec T2 RDCFG ResultReg=1, CfgIndex=50
  exec T0 RDCFG ResultReg=1, CfgIndex=50
  exec T1 RDCFG ResultReg=1, CfgIndex=50
  exec T2 RDCFG ResultReg=1, CfgIndex=50
  passes 0 1 2 3 4 5
case it reads what STALLWAIT on the Configuration Unit has waited for
  pre gpr[5]=7
  exec WRCFG InputReg=5, CfgIndex=50
  exec STALLWAIT BlockMask=0x80, ConditionMask=0x1000
  exec RDCFG ResultReg=6, CfgIndex=50
  exec STALLWAIT BlockMask=0x80, ConditionMask=0x1000
  exec WRCFG InputReg=6, CfgIndex=51
  post gpr[6]=7 cfg[0][51]=7
case words without a name are kept too
  pre cfg[0][223]=0xffffffff
  exec RDCFG ResultReg=6, CfgIndex=223
  post gpr[6]=0xffffffff
case past the end
  exec RDCFG ResultReg=5, CfgIndex=2047
  fault UNDEFINED says=configuration word 2047, there are 224
