# sext.b: sign-extends the low byte.
op sext.b
case extends bit 7
  0x80 -> 0xffffff80
  0x1234567f -> 0x7f
  0xffffff00 -> 0
