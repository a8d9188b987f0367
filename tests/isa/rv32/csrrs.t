# csrrs: old value to rd, then CSR |= rs1.
case sets bits
  pre vgsrc=0xf0 x5=0x3c
  exec csrrs x7, vgsrc, x5
  post x7=0xf0 vgsrc=0xfc
case with rs1 = x0 only reads
  pre vgsrc=0xf0
  exec csrrs x7, vgsrc, x0
  post x7=0xf0 vgsrc=0xf0
