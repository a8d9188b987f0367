# csrrc: old value to rd, then CSR &= ~rs1.
case clears bits
  pre vgsrc=0xf0 x5=0x3c
  exec csrrc x7, vgsrc, x5
  post x7=0xf0 vgsrc=0xc0
case with rs1 = x0 only reads
  pre vgsrc=0xf0
  exec csrrc x7, vgsrc, x0
  post x7=0xf0 vgsrc=0xf0
