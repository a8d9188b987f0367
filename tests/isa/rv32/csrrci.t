# csrrci: old value to rd, then CSR &= ~immediate.
case clears bits
  pre cfg1=0x107
  exec csrrci x7, cfg1, 3
  post x7=0x107 cfg1=0x104
