# brev8: reverses the bits within each byte (Zbkb).
op brev8
case per byte
  0x01020304 -> 0x8040c020
  0x80000000 -> 0x01000000
  0xf00f55aa -> 0x0ff0aa55
