# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SETDMAREG_Immediate and SETDMAREG_Special (492ccd05).
case the low half, and the high half stays
  pre gpr[5]=0x12345678
  exec SETDMAREG NewValue=0xabcd, ResultHalfReg=10
  post gpr[5]=0x1234abcd gpr[4]=0 gpr[6]=0
case the high half, and the low half stays
  pre gpr[63]=0x12345678
  exec SETDMAREG NewValue=0xabcd, ResultHalfReg=127
  post gpr[63]=0xabcd5678
case takes one cycle, and is there in the next
  exec SETDMAREG NewValue=7, ResultHalfReg=0
  exec SETDMAREG NewValue=8, ResultHalfReg=2
  exec ADDDMAREG LeftReg=0, RightReg=1, ResultReg=2
  passes 0 1 2
  at 1 gpr[0]=7
  post gpr[2]=15
thread 2
case of the issuing thread only
  exec SETDMAREG NewValue=7, ResultHalfReg=0
  post gpr[2][0]=7 gpr[0][0]=0 gpr[1][0]=0
thread 0
case three threads share the unit: one instruction a cycle, in turn
  exec T0 SETDMAREG NewValue=1, ResultHalfReg=0
  exec T1 SETDMAREG NewValue=1, ResultHalfReg=0
  exec T2 SETDMAREG NewValue=1, ResultHalfReg=0
  exec T0 SETDMAREG NewValue=2, ResultHalfReg=0
  exec T1 SETDMAREG NewValue=2, ResultHalfReg=0
  exec T2 SETDMAREG NewValue=2, ResultHalfReg=0
  passes 0 1 2 3 4 5
case special, source 0: accumulated and last tile size of the packer
  pre packer.acc=0x123 packer.size=0x45 packer.thread=0 gpr[8]=1 gpr[9]=1 gpr[10]=1 gpr[11]=1 gpr[12]=1
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, InputSource=0, ResultHalfReg=18
  post gpr[8]=0x01230045 gpr[9]=0 gpr[10]=0 gpr[11]=0 gpr[12]=1
case special, source 0: the last size counts for the thread that packed it only
  pre packer.acc=0x123 packer.size=0x45 packer.thread=1
  exec SETDMAREG SetSignalsMode=1, ResultSize=1, InputSource=0, ResultHalfReg=18
  post gpr[9]=0x01230000
case special, 16 bits: any half to any half
  pre packer.acc=0x123 packer.size=0x45 gpr[3]=0xffffffff gpr[4]=0xffffffff
  exec SETDMAREG SetSignalsMode=1, ResultSize=0, InputSource=0, InputHalfReg=1, ResultHalfReg=6
  exec SETDMAREG SetSignalsMode=1, ResultSize=0, InputSource=0, InputHalfReg=0, ResultHalfReg=9
  post gpr[3]=0xffff0123 gpr[4]=0x0045ffff
case special, source 1: flags of zeroes
  pre packer.zero=0xdeadbeef
  exec SETDMAREG SetSignalsMode=1, ResultSize=1, InputSource=1, ResultHalfReg=2
  post gpr[1]=0xdeadbeef
case special, source 2: a tile header; format 5, uncompressed
  pre packer.size=0x45 packer.zero=0xdeadbeef cfg[0][70]=0x51
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, InputSource=2, ResultHalfReg=8
  post gpr[4]=0x46 gpr[5]=0x00150000 gpr[6]=0xdeadbeef gpr[7]=0
case special, a tile header leaves what is reserved in it
  pre packer.size=0x45 packer.zero=2 cfg[0][70]=0x51 gpr[4]=0xffffffff gpr[5]=0xffffffff gpr[6]=0xffffffff gpr[7]=0xffffffff
  exec SETDMAREG SetSignalsMode=1, ResultSize=3, InputSource=2, ResultHalfReg=8
  post gpr[4]=0xffff0046 gpr[5]=0xff15ffff gpr[6]=2 gpr[7]=0xffffffff
case special, headers of the packers that Blackhole has not: their configuration, and an empty tile
  pre packer.size=0x45 packer.zero=7 cfg[1][98]=0x20 cfg[1][118]=0x30 cfg[1][146]=0x41 thd[0]=1
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, InputSource=3, ResultHalfReg=0
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, InputSource=4, ResultHalfReg=8
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, InputSource=5, ResultHalfReg=16
  post gpr[0]=1 gpr[1]=0x20000 gpr[2]=0 gpr[4]=1 gpr[5]=0x30000 gpr[8]=1 gpr[9]=0x140000
case special, sources 6 and 7: the two halves of the histogram, whatever WhichPackers is (a card)
  pre packer.histogram[0]=1 packer.histogram[5]=6 packer.histogram[15]=16 packer.histogram[16]=17
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, InputSource=6, ResultHalfReg=0
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, InputSource=7, ResultHalfReg=8
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, InputSource=6, WhichPackers=1, ResultHalfReg=16
  post gpr[0]=1 gpr[1]=0x600 gpr[3]=0x10000000 gpr[4]=17 gpr[8]=1
case special, source 8: the first flag, and accumulation starts again if it is asked to
  pre packer.acc=5 packer.zero=3
  exec SETDMAREG SetSignalsMode=1, ResultSize=1, InputSource=8, WhichPackers=14, ResultHalfReg=0
  at 1 gpr[0]=1 packer.acc=5
  exec SETDMAREG SetSignalsMode=1, ResultSize=1, InputSource=8, WhichPackers=1, ResultHalfReg=2
  post gpr[1]=1 packer.acc=0
case special, source 9: the largest exponent
  pre packer.exponent=0x8a
  exec SETDMAREG SetSignalsMode=1, ResultSize=1, InputSource=9, ResultHalfReg=0
  post gpr[0]=0x8a
case special, other sources: four registers are zeroed at once
  pre gpr[60]=1 gpr[61]=1 gpr[62]=1 gpr[63]=1
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, InputSource=10, ResultHalfReg=127
  passes 0
  post gpr[60]=0 gpr[61]=0 gpr[62]=0 gpr[63]=0
case reserved bits are not for use
  exec SETDMAREG SetSignalsMode=1, ResultSize=2, reserved=0x80000
  fault UNDEFINED says=reserved
