# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 STOREREG.  AddrLo is a word of 0xFFB00000 and up.
case a register of the overlay, as the kernel library uses it
  pre gpr[4]=0x1234
  exec STOREREG DataReg=4, AddrLo=0x1000a
  post reg[0xffb40028]=0x1234
case it is there seven cycles behind the gate, and the unit is free after three
  pre gpr[4]=0x3f
  exec STOREREG DataReg=4, AddrLo=0x4409
  exec DMANOP
  passes 0 3
  at 6 reg[0xffb11024]=0
  at 7 reg[0xffb11024]=0x3f
case STALLWAIT C0 waits for it
  exec STOREREG DataReg=4, AddrLo=0x4409
  exec STALLWAIT BlockMask=0x1ff, ConditionMask=1
  exec NOP
  passes 0 2 8
case below 0xffb11000
  exec STOREREG DataReg=4, AddrLo=0x43ff
  fault UNDEFINED says=STOREREG to 0xffb10ffc
case where there is nothing
  exec STOREREG DataReg=4, AddrLo=0x24000
  fault UNDEFINED says=STOREREG at 0xffb90000: nothing there
