# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 SETDVALID (061b62d1).  What it does if one goes on: tests/unit/tensix/misc_test.c.
case it is not supported on Blackhole
  exec SETDVALID FlipSrcA=1, FlipSrcB=1
  fault UNDEFINED says=not supported on Blackhole
  post src[0].unpacker=0 src[0].owns[0]=0 src[1].unpacker=0 src[1].owns[0]=0
