# SPDX-License-Identifier: Apache-2.0
# Manual STALLWAIT (0553cc73), WormholeB0 WaitGate.  C0: this thread's loads and stores of the Scalar Unit; C4: Matrix Unit;
# C5, C6: the unpackers' bank of SrcA, SrcB is the Matrix Unit's; C7, C8: the Matrix Unit's bank is the unpackers';
# C9: the mover; C11: Vector Unit; C12: Configuration Unit, of any thread.
case with nothing to wait for it costs one cycle
  exec STALLWAIT BlockMask=0x20, ConditionMask=1
  exec DMANOP
  passes 0 2
case what it does not block goes on
  pre gpr[1]=0x100
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec STALLWAIT BlockMask=0x80, ConditionMask=1
  exec DMANOP
  exec NOP
  exec RMWCIB0 Mask=255, NewValue=1, Index4=50
  passes 0 2 3 4 12
case configuration waits until the Scalar Unit has its value (CFG, THCON)
  pre gpr[1]=0x100 [0x1000]=7
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec STALLWAIT BlockMask=0x80, ConditionMask=1
  exec WRCFG InputReg=9, CfgIndex=50
  post cfg[0][50]=7
case without it configuration has the old one
  pre gpr[1]=0x100 gpr[9]=3 [0x1000]=7
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec WRCFG InputReg=9, CfgIndex=50
  post cfg[0][50]=3
case (CFG, PACK) and (CFG, UNPACK0) hold nothing while these are idle
  exec STALLWAIT BlockMask=0x80, ConditionMask=0x08
  exec RMWCIB0 Mask=255, NewValue=1, Index4=50
  exec STALLWAIT BlockMask=0x80, ConditionMask=0x02
  exec RMWCIB0 Mask=255, NewValue=2, Index4=50
  passes 0 2 3 5
  post cfg[0][50]=2
case bit 4 waits for the Matrix Unit
  exec SETRWC Dst=1
  exec STALLWAIT BlockMask=0x40, ConditionMask=0x10
  exec SETRWC Dst=1
  passes 0 1 3
case bits 5 to 8 wait for the banks of SrcA and SrcB
  exec STALLWAIT BlockMask=0x02, ConditionMask=0x80
  exec SEMPOST SemaphoreMask=1
  passes 0 -
case bit 8 is SrcB's
  exec STALLWAIT BlockMask=0x02, ConditionMask=0x100
  exec SEMPOST SemaphoreMask=1
  passes 0 -
case bits 5 and 6 are met while the unpackers have their banks
  exec STALLWAIT BlockMask=0x02, ConditionMask=0x60
  exec SEMPOST SemaphoreMask=1
  passes 0 2
case bit 9 waits for the mover
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000001 [0x1000]=1
  exec XMOV
  exec STALLWAIT BlockMask=0x02, ConditionMask=0x200
  exec SEMPOST SemaphoreMask=1
  at 3 sem[0]=0
  post sem[0]=1 [0x2000]=1
case bit 12 waits for config
  exec T1 CFGSHIFTMASK CfgIndex=50
  exec T0 STALLWAIT BlockMask=0x02, ConditionMask=0x1000
  exec T0 SEMPOST SemaphoreMask=1
  passes 0 0 3
case no condition means C0 to C3, no block the Matrix Unit
  pre gpr[1]=0x100
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec STALLWAIT
  exec SEMPOST SemaphoreMask=1
  exec SETRWC Dst=1
  passes 0 2 3 12
case ... C1: unpacker 0
  pre cfg[0][64]=0x15 cfg[0][65]=0x10001 cfg[0][72]=5 cfg[0][73]=1 cfg[0][76]=0xFF cfg[0][84]=64 cfg[0][86]=1024 thd[5]=4
  pre adc[0][1].x=1023
  exec UNPACR MultiContextMode=1
  exec STALLWAIT
  exec SETRWC Dst=1
  passes 0 2 27
case ... C2: unpacker 1
  pre cfg[0][112]=0x4000015 cfg[0][113]=0x10001 cfg[0][120]=5 cfg[0][121]=1 cfg[0][124]=0xFF adc[1][1].x=1023
  exec UNPACR WhichUnpacker=1, MultiContextMode=1
  exec STALLWAIT
  exec SETRWC Dst=1
  passes 0 2 27
case ... C3: the packer
  pre cfg[0][1]=0x0a000000 cfg[0][70]=0x551 cfg[0][12]=0x00200000 cfg[0][13]=0x08000200 cfg[0][24]=0xffff cfg[0][28]=0x100
  pre cfg[0][69]=0x3ff adc[2][1].x=15
  exec PACR Last=1
  exec STALLWAIT
  exec SETRWC Dst=1
  passes 0 1 10
case ... not C4, the Matrix Unit, nor C5 and C6, the banks of the unpackers
  pre src[0].owns[0]=1 src[1].owns[0]=1
  exec ELWADD DstRow=0
  exec STALLWAIT
  exec SETRWC Dst=1
  exec STALLWAIT BlockMask=0x40, ConditionMask=0x10
  exec SETRWC Dst=1
  passes 0 1 3 4 6
case ... not C9, the mover
  pre cfg[0][88]=0x100 cfg[0][89]=0x200 cfg[0][90]=0xc0000001
  exec XMOV
  exec STALLWAIT
  exec SETRWC Dst=1
  passes 0 1 3
case no block means the Matrix Unit and nothing else
  pre gpr[1]=0x100
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec STALLWAIT ConditionMask=1
  exec SEMPOST SemaphoreMask=1
  exec SFPNOP
  exec RMWCIB0 Mask=255, NewValue=1, Index4=50
  exec INCADCXY U0=1
  exec PACR_SETREG
  exec UNPACR CfgContextCntInc=1
  exec SETRWC Dst=1
  passes 0 2 3 4 5 6 7 8 12
case a semaphore is no condition of it
  pre sem[0]=0 max[0]=1 sem[1]=1 max[1]=1
  exec STALLWAIT BlockMask=0x1ff, ConditionMask=0x0e17
  exec SEMPOST SemaphoreMask=1
  passes 0 2
case a second wait instruction waits for the first
  pre gpr[1]=0x100
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec STALLWAIT BlockMask=0x40, ConditionMask=1
  exec STALLWAIT BlockMask=0x40, ConditionMask=2
  passes 0 2 12
case a NOP waits for all nine bits only
  pre gpr[1]=0x100
  exec LOADIND Size=1, AddrReg=1, OffsetHalfReg=4, ResultReg=9
  exec STALLWAIT BlockMask=0x1ff, ConditionMask=1
  exec NOP
  passes 0 2 12
case reserved bits are not for use
  exec STALLWAIT BlockMask=1, ConditionMask=1, reserved=0x2000
  fault UNDEFINED says=reserved
