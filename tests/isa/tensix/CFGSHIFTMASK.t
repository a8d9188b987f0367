# SPDX-License-Identifier: Apache-2.0
# Manual CFGSHIFTMASK (edf46f6b), ConfigurationUnit: stage 0 twice, to read and to write.  Words 209 to 211 are SCRATCH_SEC.
case the masked scratch value takes the place of the masked bits
  pre cfg[0][209]=0xabcd cfg[0][50]=0x11111111
  exec CFGSHIFTMASK MaskWidth=7, CfgIndex=50
  at 1 cfg[0][50]=0x11111111
  at 2 cfg[0][50]=0x111111cd
case rotated right
  pre cfg[0][209]=0xabcd cfg[0][50]=0x11111111
  exec CFGSHIFTMASK MaskWidth=7, RotateAmt=8, CfgIndex=50
  post cfg[0][50]=0xcd111111
case rotated right by 24 is left by 8
  pre cfg[0][209]=0xabcd cfg[0][50]=0x11111111
  exec CFGSHIFTMASK MaskWidth=7, RotateAmt=24, CfgIndex=50
  post cfg[0][50]=0x1111cd11
case all 32 bits
  pre cfg[0][209]=0x89abcdef cfg[0][50]=0x11111111
  exec CFGSHIFTMASK MaskWidth=31, RotateAmt=4, CfgIndex=50
  post cfg[0][50]=0xf89abcde
case one bit
  pre cfg[0][209]=0xfffffffe cfg[0][50]=0xffffffff
  exec CFGSHIFTMASK MaskWidth=0, RotateAmt=31, CfgIndex=50
  post cfg[0][50]=0xfffffffd
case OR over the old bits
  pre cfg[0][209]=0x0f0 cfg[0][50]=0xffff0f00
  exec CFGSHIFTMASK MaskMode=1, AluMode=0, MaskWidth=7, CfgIndex=50
  post cfg[0][50]=0xffff0ff0
case AND, with the old bits outside the mask gone too
  pre cfg[0][209]=0x0f0 cfg[0][50]=0xffff0fff
  exec CFGSHIFTMASK MaskMode=1, AluMode=1, MaskWidth=7, CfgIndex=50
  post cfg[0][50]=0x000000f0
case XOR
  pre cfg[0][209]=0x0f0 cfg[0][50]=0xffff0fff
  exec CFGSHIFTMASK MaskMode=1, AluMode=2, MaskWidth=7, CfgIndex=50
  post cfg[0][50]=0xffff0f0f
case addition carries out of the mask
  pre cfg[0][209]=0x1ff cfg[0][50]=0x00ff0001
  exec CFGSHIFTMASK MaskMode=1, AluMode=3, MaskWidth=7, CfgIndex=50
  post cfg[0][50]=0x00ff0100
case addition with the old bits masked
  pre cfg[0][209]=0x1ff cfg[0][50]=0x00ff0001
  exec CFGSHIFTMASK MaskMode=0, AluMode=3, MaskWidth=7, CfgIndex=50
  post cfg[0][50]=0x00ff00ff
case OR of the inverse
  pre cfg[0][209]=0xfffffff0 cfg[0][50]=0x1
  exec CFGSHIFTMASK MaskMode=1, AluMode=4, MaskWidth=31, CfgIndex=50
  post cfg[0][50]=0xf
case AND of the inverse
  pre cfg[0][209]=0x0000fff0 cfg[0][50]=0x12345678
  exec CFGSHIFTMASK MaskMode=1, AluMode=5, MaskWidth=31, CfgIndex=50
  post cfg[0][50]=0x12340008
case XOR of the inverse
  pre cfg[0][209]=0x0000ffff cfg[0][50]=0x12345678
  exec CFGSHIFTMASK MaskMode=1, AluMode=6, MaskWidth=31, CfgIndex=50
  post cfg[0][50]=0xedcb5678
case the inverse is taken behind mask and rotation
  pre cfg[0][209]=0x00 cfg[0][50]=0x12345678
  exec CFGSHIFTMASK MaskMode=1, AluMode=5, MaskWidth=7, RotateAmt=8, CfgIndex=50
  post cfg[0][50]=0x12345678
case subtraction
  pre cfg[0][209]=1 cfg[0][50]=0
  exec CFGSHIFTMASK MaskMode=1, AluMode=7, MaskWidth=31, CfgIndex=50
  post cfg[0][50]=0xffffffff
case one of three scratch words, 3 is the thread's
  pre cfg[0][209]=1 cfg[0][210]=2 cfg[0][211]=3
  exec T1 CFGSHIFTMASK MaskWidth=31, ScratchIndex=0, CfgIndex=50
  exec T1 CFGSHIFTMASK MaskWidth=31, ScratchIndex=1, CfgIndex=51
  exec T1 CFGSHIFTMASK MaskWidth=31, ScratchIndex=2, CfgIndex=52
  exec T1 CFGSHIFTMASK MaskWidth=31, ScratchIndex=3, CfgIndex=53
  exec T2 CFGSHIFTMASK MaskWidth=31, ScratchIndex=3, CfgIndex=54
  post cfg[0][50]=1 cfg[0][51]=2 cfg[0][52]=3 cfg[0][53]=2 cfg[0][54]=3
case CFG_STATE_ID_StateID names the bank
  pre cfg[0][209]=7 cfg[1][209]=7 cfg[0][50]=1 cfg[1][50]=2 thd[0]=1
  exec CFGSHIFTMASK MaskMode=1, AluMode=3, MaskWidth=31, CfgIndex=50
  post cfg[0][50]=1 cfg[1][50]=9
case one in two cycles, and each sees the one before
  pre cfg[0][209]=1
  exec CFGSHIFTMASK MaskMode=1, AluMode=3, MaskWidth=31, CfgIndex=50
  exec CFGSHIFTMASK MaskMode=1, AluMode=3, MaskWidth=31, CfgIndex=50
  exec CFGSHIFTMASK MaskMode=1, AluMode=3, MaskWidth=31, CfgIndex=50
  exec RDCFG ResultReg=1, CfgIndex=50
  passes 0 2 4 6
  post cfg[0][50]=3 gpr[1]=3
case another unit's instruction right behind it still finds the old value (word 89 is XMOV's destination)
  pre cfg[0][209]=0x300 cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000001 [0x1000]=1
  exec CFGSHIFTMASK MaskWidth=31, CfgIndex=89
  exec XMOV
  passes 0 1
  post [0x2000]=1 [0x3000]=0
case WRCFG may follow at once
  pre cfg[0][209]=1 gpr[5]=7
  exec CFGSHIFTMASK MaskMode=1, AluMode=3, MaskWidth=31, CfgIndex=50
  exec WRCFG InputReg=5, CfgIndex=50
  exec NOP
  passes 0 1 2
  at 2 cfg[0][50]=1
  at 3 cfg[0][50]=7
case it waits behind a WRCFG of the scratch word and sees it
  pre gpr[5]=7
  exec WRCFG InputReg=5, CfgIndex=209
  exec CFGSHIFTMASK MaskWidth=31, CfgIndex=50
  passes 0 2
  post cfg[0][50]=7
case a scratch word may be the result
  pre cfg[0][209]=0x12345678 cfg[1][209]=0x12345678
  exec CFGSHIFTMASK MaskWidth=31, RotateAmt=8, CfgIndex=209
  post cfg[0][209]=0x78123456 cfg[1][209]=0x78123456
case STATE_RESET_EN acts
  pre cfg[0][50]=5
  exec CFGSHIFTMASK MaskWidth=31, CfgIndex=4
  post cfg[0][50]=0
case past the end
  exec CFGSHIFTMASK MaskWidth=31, CfgIndex=224
  fault UNDEFINED says=CFGSHIFTMASK: configuration word 224
