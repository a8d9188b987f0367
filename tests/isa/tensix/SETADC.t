# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SETADC, ADCs (d0ade26a: Z and W have 13 bits on Blackhole).  Sets: unpacker 0, unpacker 1, packer.
case X gets 16 bits
  exec SETADC U0=1, XYZW=0, NewValue=0xffff
  post adc[0][0].x=0xffff adc[0][0].x_cr=0xffff adc[0][1].x=0 adc[1][0].x=0 adc[2][0].x=0 adc[0][0].y=0
case Y has 13 bits
  exec SETADC U0=1, XYZW=1, NewValue=0xffff
  post adc[0][0].y=0x1fff adc[0][0].y_cr=0x1fff adc[0][0].x=0 adc[0][0].z=0
case Z has 13 bits
  exec SETADC U0=1, XYZW=2, NewValue=0xffff
  post adc[0][0].z=0x1fff adc[0][0].z_cr=0x1fff adc[0][0].w=0
case W has 13 bits; channel 1
  exec SETADC U0=1, Channel=1, XYZW=3, NewValue=0xffff
  post adc[0][1].w=0x1fff adc[0][1].w_cr=0x1fff adc[0][0].w=0
case each set has a bit of its own
  exec SETADC U1=1, PK=1, NewValue=7
  post adc[0][0].x=0 adc[1][0].x=7 adc[2][0].x=7
case without a set nothing changes
  exec SETADC NewValue=7
  post adc[0][0].x=0 adc[1][0].x=0 adc[2][0].x=0
case bits 17:16 of the value choose another thread, and are no bits of X there
  exec SETADC U0=1, NewValue=0x30005
  post adc[2][0][0].x=5 adc[0][0][0].x=0 adc[1][0][0].x=0
thread 2
case thread 0 from thread 2
  exec SETADC U0=1, XYZW=2, NewValue=0x10006
  post adc[0][0][0].z=6 adc[2][0][0].z=0
thread 0
case one a cycle from each thread
  exec SETADC U0=1, NewValue=1
  exec SETADC U0=1, NewValue=2
  exec T1 SETADC U0=1, NewValue=3
  exec T1 SETADC U0=1, NewValue=4
  passes 0 1 0 1
  post adc[0][0][0].x=2 adc[1][0][0].x=4
