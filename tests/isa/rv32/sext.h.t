# sext.h: sign-extends the low half.
op sext.h
case extends bit 15
  0x8000 -> 0xffff8000
  0x12347fff -> 0x7fff
  0xffff0000 -> 0
