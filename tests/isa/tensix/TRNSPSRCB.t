# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 TRNSPSRCB.
case rows 16 to 31 become columns, of the Matrix Unit's bank
  pre src[1].owns[1]=1 src[1].matrix=1 srcb[1][15]=9 srcb[1][16]=1 srcb[1][17]=2 srcb[1][31]=3 srcb[1][32]=9 srcb[0][16]=7
  exec TRNSPSRCB
  post srcb[1][16][0]=1 srcb[1][16][1]=2 srcb[1][16][15]=3 srcb[1][31][0]=1 srcb[1][31][1]=2 srcb[1][31][2]=0 srcb[1][31][15]=3 srcb[1][15]=9 srcb[1][32]=9 srcb[0][16]=7
case twice is nothing
  pre src[1].owns[0]=1 srcb[0][18][5]=77 srcb[0][25][9]=78
  exec TRNSPSRCB
  exec TRNSPSRCB
  post srcb[0][18][5]=77 srcb[0][25][9]=78 srcb[0][21][2]=0
case it waits for SrcB
  exec TRNSPSRCB
  passes -
