# SPDX-License-Identifier: Apache-2.0
# Manual SETC16, ConfigurationUnit: one from each thread in a cycle, and no part of the pipeline.
case the thread's own word, for the next instruction
  pre gpr[5]=7
  exec SETC16 CfgIndex=0, NewValue=1
  exec WRCFG InputReg=5, CfgIndex=50
  passes 0 1
  post thd[0][0]=1 thd[1][0]=0 thd[2][0]=0 cfg[1][50]=7 cfg[0][50]=0
case all 16 bits are kept
  exec SETC16 CfgIndex=0, NewValue=0xfffe
  exec SETC16 CfgIndex=67, NewValue=0xabcd
  post thd[0]=0xfffe thd[67]=0xabcd
case one from each thread in a cycle
  exec T0 SETC16 CfgIndex=5, NewValue=1
  exec T1 SETC16 CfgIndex=5, NewValue=2
  exec T2 SETC16 CfgIndex=5, NewValue=3
  exec T0 SETC16 CfgIndex=6, NewValue=4
  exec T1 SETC16 CfgIndex=6, NewValue=5
  exec T2 SETC16 CfgIndex=6, NewValue=6
  passes 0 0 0 1 1 1
  post thd[0][5]=1 thd[1][5]=2 thd[2][5]=3 thd[0][6]=4 thd[1][6]=5 thd[2][6]=6
case nothing in the pipeline is in its way
  pre gpr[0][5]=7
  exec T0 CFGSHIFTMASK MaskWidth=31, CfgIndex=50
  exec T1 SETC16 CfgIndex=5, NewValue=2
  exec T1 SETC16 CfgIndex=6, NewValue=3
  passes 0 0 1
case past the end
  exec SETC16 CfgIndex=68, NewValue=1
  fault UNDEFINED says=SETC16: configuration word 68, there are 68
case cores read it, 32 bits of which 16 are there
  exec T1 SETC16 CfgIndex=3, NewValue=0xffff
  post reg[0xffef0b9c]=0xffff
