# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SHIFTXA (3f3e6e6a).
case right: column 0 becomes zero
  pre src[0].owns[0]=1 srca[0][0]=5 srca[0][0][0]=4 srca[0][0][14]=7 srca[0][0][15]=8 srca[0][15]=9 srca[0][16]=6
  exec SHIFTXA Direction=2
  post srca[0][0][0]=0 srca[0][0][1]=4 srca[0][0][2]=5 srca[0][0][15]=7 srca[0][15][0]=0 srca[0][15][15]=9 srca[0][16]=6
case left: column 15 becomes zero
  pre src[0].owns[0]=1 srca[0][0]=5 srca[0][0][0]=4 srca[0][0][1]=3 srca[0][0][15]=8
  exec SHIFTXA Direction=3
  post srca[0][0][0]=3 srca[0][0][13]=5 srca[0][0][14]=8 srca[0][0][15]=0
case from the 16 rows that the last instruction with a row of SrcA was in, to the first 16
  pre src[0].owns[0]=1 src[0].implied[0]=5 srca[0][37]=5 srca[0][5]=9
  exec MOVA2D SrcRow=39
  exec SHIFTXA Direction=3
  post srca[0][5][0]=5 srca[0][5][14]=5 srca[0][5][15]=0 srca[0][37]=5 src[0].last=39
case directions that nobody documents
  pre src[0].owns[0]=1
  exec SHIFTXA Direction=1
  fault UNKNOWN says=Direction 1
case amounts that nobody documents
  pre src[0].owns[0]=1
  exec SHIFTXA Direction=2, log2_amount2=1
  fault UNKNOWN says=log2_amount2 1
case it waits for SrcA
  pre src[1].owns[0]=1
  exec SHIFTXA Direction=2
  passes -
case one a cycle
  pre src[0].owns[0]=1
  exec SHIFTXA Direction=2
  exec SHIFTXA Direction=3
  passes 0 1
