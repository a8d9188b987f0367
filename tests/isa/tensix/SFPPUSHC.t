# SPDX-License-Identifier: Apache-2.0
# Manual SFPPUSHC.
case a copy of flags and whether they are used
  pre useflags=0xffff flags=0xf0f0
  exec SFPPUSHC
  post stack=1 stackflags[0]=0xf0f0 stackuse[0]=0xffff flags=0xf0f0
case the eighth fits
  pre flags=5 stack=7
  exec SFPPUSHC
  post stack=8 stackflags[7]=5
case the ninth does not
  pre flags=5 stack=8
  exec SFPPUSHC
  fault UNDEFINED says=SFPPUSHC with a flag stack that is full: lanes 0xffffffff
  post stack=8
case a mode that changes the top of an empty stack
  exec SFPPUSHC Mod1=3
  fault UNDEFINED says=a flag stack that is empty
  post stack=0
case the top becomes the flags
  pre flags=0xc useflags=0xf stack=1 stackflags[0]=0xa stackuse[0]=0
  exec SFPPUSHC Mod1=1
  post stack=1 stackflags[0]=0xc stackuse[0]=0xf
case top and flags: and, or, exclusive or
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=3
  post stackflags[0]=8
case or
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=4
  post stackflags[0]=0xe
case top without flags
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=5
  post stackflags[0]=2
case flags without top
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=7
  post stackflags[0]=4
case neither
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=9
  post stackflags[0]=0xfffffff1
case one of them
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=11
  post stackflags[0]=6
case both alike
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=12
  post stackflags[0]=0xfffffff9
case the rest of the truth tables: 2, 6, 8, 10
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=2
  post stackflags[0]=0xfffffff3
case 6
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=6
  post stackflags[0]=0xfffffffb
case 8
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=8
  post stackflags[0]=0xfffffffd
case 10
  pre flags=0xc stack=1 stackflags[0]=0xa
  exec SFPPUSHC Mod1=10
  post stackflags[0]=0xfffffff7
case 13 turns the flags round as well
  pre flags=0xc useflags=0xff stack=1
  exec SFPPUSHC Mod1=13
  post flags=0xfffffff3 stackflags[0]=0xfffffff3 stackuse[0]=0xff
case 14 and 15 are constants
  pre flags=0xc stack=2 stackflags[1]=0
  exec SFPPUSHC Mod1=14
  post stackflags[1]=0xffffffff stackuse[1]=0xffffffff flags=0xc
case 15
  pre flags=0xc stack=2 stackflags[1]=0xff
  exec SFPPUSHC Mod1=15
  post stackflags[1]=0 stackuse[1]=0xffffffff stackflags[0]=0
case lanes that the back door takes do not push
  pre flags=0xffffffff laneconfig[3]=2
  exec SFPPUSHC VD=12
  exec SFPPUSHC VD=0
  post stackflags[0]=0xffffffff stackflags[1]=8
