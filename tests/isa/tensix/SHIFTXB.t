# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SHIFTXB.
case rotate one row left; the others stay
  pre src[1].owns[0]=1 srcb[0][9]=5 srcb[0][9][0]=4 srcb[0][9][15]=8 srcb[0][8]=3 srcb[0][10]=3 rwc.src_b=4
  exec SHIFTXB SrcRow=5
  post srcb[0][9][0]=5 srcb[0][9][13]=5 srcb[0][9][14]=8 srcb[0][9][15]=4 srcb[0][8]=3 srcb[0][10]=3
case shift in zero; the row wraps
  pre src[1].owns[0]=1 srcb[0][0]=5 rwc.src_b=1
  exec SHIFTXB SrcRow=63, ShiftInZero=1
  post srcb[0][0][14]=5 srcb[0][0][15]=0
case AddrMod, three bits
  pre src[1].owns[0]=1 thd[34]=0x2004 thd[18]=0x0201
  exec SHIFTXB AddrMod=6
  post rwc.dst=4 rwc.src_a=1 rwc.src_b=2 rwc.fidelity=1
case it waits for SrcB
  pre src[0].owns[0]=1
  exec SHIFTXB
  passes -
case one every two cycles, and nothing else of the unit between them
  pre src[1].owns[0]=1
  exec SHIFTXB
  exec SHIFTXB
  exec SETRWC
  passes 0 2 4
