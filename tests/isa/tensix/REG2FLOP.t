# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 REG2FLOP_Configuration and REG2FLOP_ADC.
case 32 bits to a word of THCON configuration, in two cycles
  pre gpr[5]=0xdeadbeef
  exec REG2FLOP SizeSel=1, ThConCfgIndex=5, InputReg=5
  exec DMANOP
  passes 0 2
  at 1 cfg[0][69]=0xdeadbeef
  post cfg[1][69]=0 cfg[0][68]=0 cfg[0][70]=0
case 128 bits, aligned both ways
  pre gpr[4]=1 gpr[5]=2 gpr[6]=3 gpr[7]=4
  exec REG2FLOP SizeSel=0, ThConCfgIndex=6, InputReg=7
  post cfg[0][68]=1 cfg[0][69]=2 cfg[0][70]=3 cfg[0][71]=4
case sizes 2 and 3 are 32 bits too
  pre gpr[4]=0x12345678
  exec REG2FLOP SizeSel=2, ThConCfgIndex=1, InputReg=4
  exec REG2FLOP SizeSel=3, ThConCfgIndex=2, InputReg=4
  post cfg[0][65]=0x12345678 cfg[0][66]=0x12345678
case the bank is the thread's
  pre gpr[5]=7 thd[0]=1
  exec REG2FLOP SizeSel=1, ThConCfgIndex=0, InputReg=5
  post cfg[1][64]=7 cfg[0][64]=0
case the last word
  pre gpr[5]=7
  exec REG2FLOP SizeSel=1, ThConCfgIndex=115, InputReg=5
  post cfg[0][179]=7
case beyond THCON configuration
  exec REG2FLOP SizeSel=1, ThConCfgIndex=116, InputReg=5
  fault UNDEFINED says=index 116
case to configuration, fields that only assembly.yaml has
  exec REG2FLOP SizeSel=1, ByteOffset=1, InputReg=5
  fault UNKNOWN says=ByteOffset 1
case the bit of "Local Registers"
  exec REG2FLOP SizeSel=1, OverrideThread=1, InputReg=5
  fault UNKNOWN says=TargetSel 1
case while THCON configuration is held in reset it does not start
  pre gpr[5]=7 reg[0xffb121b0]=0x47a00
  exec DMANOP
  exec REG2FLOP SizeSel=1, ThConCfgIndex=0, InputReg=5
  write 20 reg[0xffb121b0]=0x47800
  passes 0 21
  post cfg[0][64]=7
case to an ADC: X has 18 bits
  pre gpr[5]=0xffffffff
  exec REG2FLOP TargetSel=1, SizeSel=1, ADCSel=0, Channel=1, XYZW=0, InputReg=5
  post adc[0][1].x=0x3ffff adc[0][0].x=0 adc[0][1].x_cr=0
case Y, Z and W have 13 bits (Blackhole), Cr has its own
  pre gpr[5]=0xffff
  exec REG2FLOP TargetSel=1, SizeSel=1, ADCSel=1, XYZW=1, InputReg=5
  exec REG2FLOP TargetSel=1, SizeSel=1, ADCSel=2, XYZW=2, InputReg=5
  exec REG2FLOP TargetSel=1, SizeSel=1, ADCSel=2, Cr=1, XYZW=3, InputReg=5
  post adc[1][0].y=0x1fff adc[2][0].z=0x1fff adc[2][0].w_cr=0x1fff adc[2][0].w=0
case 16 bits of either half
  pre gpr[5]=0x00120034
  exec REG2FLOP TargetSel=1, SizeSel=2, Shift8=0, XYZW=0, InputReg=5
  exec REG2FLOP TargetSel=1, SizeSel=2, Shift8=2, XYZW=1, InputReg=5
  exec REG2FLOP TargetSel=1, SizeSel=2, Shift8=1, XYZW=2, InputReg=5
  post adc[0][0].x=0x34 adc[0][0].y=0x12 adc[0][0].z=0
case 8 bits of any byte
  pre gpr[5]=0x44332211
  exec REG2FLOP TargetSel=1, SizeSel=3, Shift8=0, XYZW=0, InputReg=5
  exec REG2FLOP TargetSel=1, SizeSel=3, Shift8=1, XYZW=1, InputReg=5
  exec REG2FLOP TargetSel=1, SizeSel=3, Shift8=2, XYZW=2, InputReg=5
  exec REG2FLOP TargetSel=1, SizeSel=3, Shift8=3, XYZW=3, InputReg=5
  post adc[0][0].x=0x11 adc[0][0].y=0x22 adc[0][0].z=0x33 adc[0][0].w=0x44
case 128 bits, and 32 bits with a shift, give zero
  pre gpr[5]=0x44332211 adc[0][0].x=5 adc[0][0].y=5
  exec REG2FLOP TargetSel=1, SizeSel=0, XYZW=0, InputReg=5
  exec REG2FLOP TargetSel=1, SizeSel=1, Shift8=1, XYZW=1, InputReg=5
  post adc[0][0].x=0 adc[0][0].y=0
case of another thread
  pre gpr[5]=3
  exec REG2FLOP TargetSel=1, OverrideThread=1, ThreadSel=2, SizeSel=1, InputReg=5
  post adc[2][0][0].x=3 adc[0][0][0].x=0
case of no thread, or of no set, it does nothing
  pre gpr[5]=3
  exec REG2FLOP TargetSel=1, OverrideThread=1, ThreadSel=3, SizeSel=1, InputReg=5
  exec REG2FLOP TargetSel=1, ADCSel=3, SizeSel=1, InputReg=5
  post adc[0][0][0].x=0 adc[1][0][0].x=0 adc[2][0][0].x=0 adc[0][2][0].x=0
