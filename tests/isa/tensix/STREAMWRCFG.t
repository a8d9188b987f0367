# SPDX-License-Identifier: Apache-2.0
# Manual STREAMWRCFG, ConfigurationUnit: from stage -4 to stage 0.  Register 8 is STREAM_REMOTE_DEST_BUF_START, which keeps
# 17 bits; stream s has it at 0xFFB40020 + s * 0x1000.  Words 59 to 62 are STREAM_ID_SYNC.
case a register of the stream that ThreadConfig names, there in the fifth cycle behind
  pre thd[60]=3 reg[0xffb43020]=0x12345
  exec STREAMWRCFG StreamSelect=1, RegIndex=8, CfgIndex=50
  at 4 cfg[0][50]=0
  at 5 cfg[0][50]=0x12345
  post cfg[1][50]=0
case one of four, each thread its own
  pre thd[1][59]=1 thd[1][60]=2 thd[1][61]=3 thd[1][62]=63 thd[0][59]=4
  pre reg[0xffb41020]=11 reg[0xffb42020]=12 reg[0xffb43020]=13 reg[0xffb7f020]=14 reg[0xffb44020]=15
  exec T1 STREAMWRCFG StreamSelect=0, RegIndex=8, CfgIndex=50
  exec T1 STREAMWRCFG StreamSelect=1, RegIndex=8, CfgIndex=51
  exec T1 STREAMWRCFG StreamSelect=2, RegIndex=8, CfgIndex=52
  exec T1 STREAMWRCFG StreamSelect=3, RegIndex=8, CfgIndex=53
  exec T0 STREAMWRCFG StreamSelect=0, RegIndex=8, CfgIndex=54
  post cfg[0][50]=11 cfg[0][51]=12 cfg[0][52]=13 cfg[0][53]=14 cfg[0][54]=15
case of BankSel six bits count
  pre thd[59]=0xffc3 reg[0xffb43020]=7
  exec STREAMWRCFG RegIndex=8, CfgIndex=50
  post cfg[0][50]=7
case one in every cycle
  exec STREAMWRCFG RegIndex=8, CfgIndex=50
  exec STREAMWRCFG RegIndex=8, CfgIndex=51
  exec STREAMWRCFG RegIndex=8, CfgIndex=52
  passes 0 1 2
case other instructions of the unit wait behind it, whoever has them; the RDCFG at stage 0 behind the WRCFG at stage -1 too
  pre reg[0xffb40020]=7
  exec T0 STREAMWRCFG RegIndex=8, CfgIndex=50
  exec T0 RDCFG ResultReg=1, CfgIndex=50
  exec T1 RMWCIB0 Mask=255, NewValue=1, Index4=60
  exec T1 WRCFG InputReg=1, CfgIndex=61
  passes 0 6 0 4
  post gpr[1]=7
case STALLWAIT waits for it
  pre reg[0xffb40020]=7
  exec STREAMWRCFG RegIndex=8, CfgIndex=50
  exec STALLWAIT BlockMask=0x1ff, ConditionMask=0x1000
  exec RDCFG ResultReg=1, CfgIndex=50
  post gpr[1]=7
case a register that is not there
  exec STREAMWRCFG RegIndex=600, CfgIndex=50
  fault UNDEFINED says=stream 0 has no register 600
case past the end
  exec STREAMWRCFG RegIndex=8, CfgIndex=224
  fault UNDEFINED says=STREAMWRCFG: configuration word 224
