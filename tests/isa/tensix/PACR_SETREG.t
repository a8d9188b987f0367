# SPDX-License-Identifier: Apache-2.0
# PACR_SETREG.  Manual WormholeB0 PACR_SETREG for address and flush, assembly.yaml for Blackhole's encoding.
# RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS (0xffb11038) has two addresses: bits 11:2 of the first in 9:0, of the second in 19:10, bits
# 19:18 of the first in 21:20, of the second in 23:22.  StreamId is bits 17:12: with 0x11 and 0x04 this is 0xffb11010 and so on.
thread 2
case ModeSel 1 sets one half of the value
  pre  packer.value=0x11112222
  exec PACR_SETREG ModeSel=1, Value16=0xabcd, HighHalf=1
  exec PACR_SETREG ModeSel=1, Value16=0x1234
  post packer.value=0xabcd1234
case Push and Flush write it: here to RISCV_TDMA_REG_CLK_GATE_EN
  pre  reg[0xffb11038]=0x09 packer.value=0x5a
  exec PACR_SETREG Push=1, Flush=1, StreamId=0x11
  post reg[0xffb11024]=0x5a
case AddrSel 1 is the second address
  pre  reg[0xffb11038]=0x2400 packer.value=0x5b
  exec PACR_SETREG Push=1, Flush=1, StreamId=0x11, AddrSel=1
  post reg[0xffb11024]=0x5b
case without Push or without Flush nothing is written
  pre  reg[0xffb11038]=0x09 packer.value=0x5a reg[0xffb11024]=1
  exec PACR_SETREG Push=1, StreamId=0x11
  exec PACR_SETREG Flush=1, StreamId=0x11
  post reg[0xffb11024]=1
case what waits before L1 is written
  pre  cfg[0][1]=0x0a000000 cfg[0][70]=0x551 cfg[0][24]=0xffff cfg[0][28]=0x100 cfg[0][69]=0x3ff dst[0][0]=0x7f reg[0xffb11038]=0x09
  exec PACR ReadIntfSel=1
  exec PACR_SETREG Push=1, Flush=1, StreamId=0x11
  post [0x4000]=0x3f80 [0x4004]=0
case an address below the registers is undefined
  exec PACR_SETREG Push=1, Flush=1, StreamId=0x10
  fault UNDEFINED says=PACR_SETREG to 0xffb10000
case the high bits of the second are its own
  pre  reg[0xffb11038]=0x300000
  exec PACR_SETREG Push=1, Flush=1, StreamId=0x10, AddrSel=1
  fault UNDEFINED says=PACR_SETREG to 0xffb10000
case one above them writes nothing
  pre  reg[0xffb11038]=0x200000
  exec PACR_SETREG Push=1, Flush=1, StreamId=0x01
  post packer.value=0
case the third and fourth address are not documented
  exec PACR_SETREG Push=1, Flush=1, AddrSel=2, StreamId=0x11
  fault UNKNOWN says=AddrSel 2
