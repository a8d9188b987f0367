# orc.b: each byte becomes all ones unless it is zero.
op orc.b
case per byte
  0 -> 0
  0x01000080 -> 0xff0000ff
  0x00100200 -> 0x00ffff00
