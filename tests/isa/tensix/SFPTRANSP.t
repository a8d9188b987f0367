# SPDX-License-Identifier: Apache-2.0
# Manual SFPTRANSP: row j of register i and row i of register j change places.
case both groups
  pre lreg[0]=0x10 lreg[1]=0x11 lreg[2]=0x12 lreg[3]=0x13 lreg[4]=0x14 lreg[5]=0x15 lreg[6]=0x16 lreg[7]=0x17 lreg[2][27]=0x99
  exec SFPTRANSP
  post lreg[0][0]=0x10 lreg[0][8]=0x11 lreg[0][16]=0x12 lreg[0][31]=0x13 lreg[2][7]=0x10 lreg[2][15]=0x11 lreg[3][19]=0x99 lreg[3][18]=0x12 lreg[5][0]=0x14 lreg[7][24]=0x17 lreg[7][23]=0x16
case lanes that are not enabled are not written, but read
  pre lreg[0]=0x10 lreg[1]=0x11 lreg[2]=0x12 lreg[3]=0x13 useflags=0xffffffff flags=0x0000ff00
  exec SFPTRANSP
  post lreg[0][8]=0x11 lreg[0][16]=0x10 lreg[1][0]=0x11 lreg[2][8]=0x11 lreg[3][9]=0x11 lreg[3][24]=0x13
case all eight registers are taken to be read
  exec SFPADD VA=10, VB=1, VC=9, VD=7
  exec SFPTRANSP
  passes 0 2
