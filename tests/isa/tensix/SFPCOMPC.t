# SPDX-License-Identifier: Apache-2.0
# Manual SFPCOMPC.
case else: what the top of the stack has and the flags have not
  pre useflags=0xffffffff flags=0xf stack=1 stackflags[0]=0xff stackuse[0]=0xffffffff
  exec SFPCOMPC
  post flags=0xf0 stack=1
case with an empty stack all lanes count
  pre useflags=0xffffffff flags=0xf
  exec SFPCOMPC
  post flags=0xfffffff0
case flags that are not used become false
  pre useflags=0x0000ffff flags=0
  exec SFPCOMPC
  post flags=0x0000ffff
case so do those that were not used when they were pushed
  pre useflags=0xffffffff flags=0 stack=1 stackflags[0]=0xffffffff stackuse[0]=0xf
  exec SFPCOMPC
  post flags=0xf
case the back door: lanes that go through it keep their flags
  pre useflags=0xffffffff flags=0 laneconfig[1]=2
  exec SFPCOMPC VD=12
  post flags=2 template[0][0]=0x8b0000c0 template[0][1]=0
