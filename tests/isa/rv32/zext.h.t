# zext.h: zero-extends the low half.
op zext.h
case clears the high half
  0xffff8000 -> 0x8000
  0x12345678 -> 0x5678
