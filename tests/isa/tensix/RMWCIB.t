# SPDX-License-Identifier: Apache-2.0
# Manual RMWCIB (52275eb7), ConfigurationUnit: stage 0 reads and writes.
case bits of the mask get those of the value, byte by byte
  pre cfg[0][50]=0xdeadbeef
  exec RMWCIB0 Mask=0x0f, NewValue=0xa5, Index4=50
  exec RMWCIB1 Mask=0xf0, NewValue=0xa5, Index4=50
  exec RMWCIB2 Mask=0x3c, NewValue=0xa5, Index4=50
  exec RMWCIB3 Mask=0x81, NewValue=0x5a, Index4=50
  passes 0 1 2 3
  at 1 cfg[0][50]=0xdeadbee5
  at 2 cfg[0][50]=0xdeadaee5
  at 3 cfg[0][50]=0xdea5aee5
  at 4 cfg[0][50]=0x5ea5aee5
case a mask of zero changes nothing
  pre cfg[0][50]=0xdeadbeef
  exec RMWCIB2 Mask=0, NewValue=0xff, Index4=50
  post cfg[0][50]=0xdeadbeef
case CFG_STATE_ID_StateID names the bank
  pre cfg[0][50]=0x11111111 cfg[1][50]=0x22222222 thd[0]=1
  exec RMWCIB1 Mask=255, NewValue=0x33, Index4=50
  post cfg[0][50]=0x11111111 cfg[1][50]=0x22223322
case three threads, each its own bits of one word
  exec T0 RMWCIB0 Mask=0x01, NewValue=0xff, Index4=50
  exec T1 RMWCIB0 Mask=0x02, NewValue=0xff, Index4=50
  exec T2 RMWCIB0 Mask=0x04, NewValue=0xff, Index4=50
  passes 0 1 2
  post cfg[0][50]=7
case it waits behind a WRCFG and sees its word
  pre gpr[5]=0x12345678
  exec WRCFG InputReg=5, CfgIndex=50
  exec RMWCIB3 Mask=255, NewValue=0xff, Index4=50
  passes 0 2
  post cfg[0][50]=0xff345678
case STATE_RESET_EN does not act
  pre cfg[0][50]=5
  exec RMWCIB0 Mask=255, NewValue=1, Index4=4
  post cfg[0][50]=5 cfg[0][4]=1
case a global word is one in both banks
  pre thd[0]=1
  exec RMWCIB1 Mask=255, NewValue=0xab, Index4=209
  post cfg[0][209]=0xab00 cfg[1][209]=0xab00
case the last word
  exec RMWCIB3 Mask=255, NewValue=0xab, Index4=223
  post cfg[0][223]=0xab000000
case past the end
  exec RMWCIB2 Mask=255, NewValue=0xab, Index4=224
  fault UNDEFINED says=RMWCIB2: configuration word 224
case while THCON configuration is held in reset nothing is kept there
  pre reg[0xffb121b0]=0x47a00
  exec RMWCIB0 Mask=255, NewValue=7, Index4=64
  exec RMWCIB0 Mask=255, NewValue=7, Index4=180
  post cfg[0][64]=0 cfg[0][180]=7
