# lui: rd = imm20 << 12.
op lui
case puts the immediate into the high 20 bits
  0x12345 -> 0x12345000
case does not sign-extend anything on RV32
  0x80000 -> 0x80000000
  0xfffff -> 0xfffff000
case clears the low 12 bits of what was there
  pre x7=0xffffffff
  exec lui x7, 0
  post x7=0
case to x0 changes nothing
  exec lui x0, 0xfffff
  post x0=0
