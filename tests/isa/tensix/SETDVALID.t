# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SETDVALID (061b62d1).  Its rows: tests/unit/tensix/misc_test.c.
case the unpacker's bank goes to the Matrix Unit, the unpacker goes on with the other
  pre src[0].implied[0]=5 src[0].implied[1]=4
  exec SETDVALID FlipSrcA=1
  post src[0].unpacker=1 src[0].owns[0]=1 src[0].owns[1]=0 src[0].matrix=0 src[1].unpacker=0 src[1].owns[0]=0
case implied formats stay
  pre src[1].implied[0]=5 src[1].implied[1]=4 src[1].unpacker=1
  exec SETDVALID FlipSrcB=1
  post src[1].unpacker=0 src[1].owns[1]=1 src[1].implied[0]=5 src[1].implied[1]=4
case who waits for the bank goes on in the cycle behind
  pre src[0].implied[0]=5 srca[0][0]=0x6007f
  exec T1 NOP
  exec T1 NOP
  exec T1 SETDVALID FlipSrcA=1
  exec MOVA2D DstRow=1
  passes 0 1 2 3
  post dst[1]=0xc07f
