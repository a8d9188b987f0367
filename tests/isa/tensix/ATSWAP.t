# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ATSWAP: it writes, and swaps nothing.
case four registers, the 16-bit parts of the mask
  pre gpr[1]=0x100 gpr[8]=0x11112222 gpr[9]=0x33334444 gpr[10]=0x55556666 gpr[11]=0x77778888 [0x1000]=0xffffffff [0x100c]=0xffffffff
  exec ATSWAP Mask=0x8d, DataReg=10, AddrReg=1
  post [0x1000]=0xffff2222 [0x1004]=0x33334444 [0x1008]=0 [0x100c]=0x7777ffff gpr[8]=0x11112222 gpr[11]=0x77778888
case one register, zeroes for the others
  pre gpr[1]=0x100 gpr[10]=0x55556666 [0x1000]=0xffffffff [0x1004]=0xffffffff [0x1008]=0xffffffff [0x100c]=0xffffffff
  exec ATSWAP SingleDataReg=1, Mask=0x7f, DataReg=10, AddrReg=1
  post [0x1000]=0 [0x1004]=0 [0x1008]=0x55556666 [0x100c]=0xffff0000
case an empty mask writes nothing
  pre gpr[1]=0x100 gpr[8]=1 [0x1000]=0xffffffff
  exec ATSWAP Mask=0, DataReg=8, AddrReg=1
  post [0x1000]=0xffffffff
case one every 12 cycles; each has the unit for three
  pre gpr[1]=0x100
  exec ATSWAP Mask=0xff, DataReg=8, AddrReg=1
  exec ATSWAP Mask=0xff, DataReg=8, AddrReg=1
  exec ATSWAP Mask=0xff, DataReg=8, AddrReg=1
  passes 0 3 15
case it is in L1 seven cycles behind the gate
  pre gpr[1]=0x100 gpr[8]=1
  exec ATSWAP Mask=0xff, DataReg=8, AddrReg=1
  at 6 [0x1000]=0
  at 7 [0x1000]=1
case beyond L1
  pre gpr[1]=0x18000
  exec ATSWAP Mask=0xff, DataReg=8, AddrReg=1
  fault UNDEFINED says=ATSWAP at 0x00180000
