# SPDX-License-Identifier: Apache-2.0
# Manual SFPENCC, VectorUnit.
case what the firmware pushes: flags are used, and true
  exec SFPENCC Imm2=3, Mod1=10
  post useflags=0xffffffff flags=0xffffffff
case EI: use of flags from bit 0 of Imm2
  pre useflags=0xffff
  exec SFPENCC Imm2=2, Mod1=2
  post useflags=0
case EC: use of flags turns round
  pre useflags=0xffff
  exec SFPENCC Mod1=1
  post useflags=0xffff0000
case EI comes before EC
  pre useflags=0xffff
  exec SFPENCC Imm2=1, Mod1=3
  post useflags=0xffffffff
case neither: it stays
  pre useflags=0xffff
  exec SFPENCC Imm2=1
  post useflags=0xffff
case RI: flags from bit 1 of Imm2
  pre flags=0x0f0f0f0f
  exec SFPENCC Imm2=1, Mod1=8
  post flags=0
case else flags become true
  pre flags=0x0f0f0f0f
  exec SFPENCC
  post flags=0xffffffff
case lanes that are not enabled do as the others
  pre useflags=0xffffffff flags=0 laneconfig=0xf000
  exec SFPENCC Mod1=10
  post useflags=0 flags=0
case VD of 12 and more is the back door: the instruction is a template
  pre laneconfig[8]=2
  exec SFPENCC Imm2=3, Mod1=10, VD=14
  post useflags=0x100 flags=0x100 template[2][7]=0x8a0030ea template[2][8]=0
case VD of 11 is not
  exec SFPENCC Imm2=3, Mod1=10, VD=11
  post useflags=0xffffffff
