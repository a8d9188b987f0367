# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 ZEROSRC (512b6bf1).  A card does all of these but negative infinity and both banks, which were not tried.
case the unpacker's bank of SrcA
  pre srca[0][5]=1 srca[1][5]=2 srcb[0][5]=3 srcb[1][5]=4 src[0].unpacker=1
  exec ZEROSRC ClearSrcA=1
  post srca[0][5]=1 srca[1][5]=0 srcb[0][5]=3 srcb[1][5]=4
case the Matrix Unit's bank of SrcB, all rows of it; it waits for nobody
  pre srca[0][5]=1 srca[1][5]=2 srcb[0][0]=3 srcb[0][63]=3 srcb[1][5]=4 src[1].unpacker=1
  exec ZEROSRC ClearSrcB=1, SingleBankMatrixUnit=1
  post srca[0][5]=1 srca[1][5]=2 srcb[0][0]=0 srcb[0][63]=0 srcb[1][5]=4
case both banks of both
  pre srca[0][5]=1 srca[1][5]=2 srcb[0][5]=3 srcb[1][5]=4
  exec ZEROSRC ClearSrcA=1, ClearSrcB=1, BothBanks=1
  post srca[0][5]=0 srca[1][5]=0 srcb[0][5]=0 srcb[1][5]=0
case negative infinity is for SrcA only: all 19 bits
  pre srcb[0][5]=3
  exec ZEROSRC ClearSrcA=1, ClearSrcB=1, NegativeInfSrcA=1
  post srca[0][0]=0x7ffff srca[0][63]=0x7ffff srca[1][0]=0 srcb[0][5]=0
case neither
  pre srca[0][5]=1 srcb[0][5]=3
  exec ZEROSRC NegativeInfSrcA=1, BothBanks=1
  post srca[0][5]=1 srcb[0][5]=3
case whose a bank is, and its implied format, stays
  pre src[0].owns[0]=1 src[0].implied[0]=5
  exec ZEROSRC ClearSrcA=1
  post src[0].owns[0]=1 src[0].implied[0]=5
