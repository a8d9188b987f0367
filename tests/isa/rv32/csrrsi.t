# csrrsi: old value to rd, then CSR |= immediate.
case sets bits
  pre cfg1=0x100
  exec csrrsi x7, cfg1, 3
  post x7=0x100 cfg1=0x103
