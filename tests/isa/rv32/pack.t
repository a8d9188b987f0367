# pack: low halves of rs1 and rs2 into one word, rs1 below (Zbkb).
op pack
case puts rs2 on top
  0x11112222 0x33334444 -> 0x44442222
  0xffff0000 0 -> 0
