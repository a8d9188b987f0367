# mul: low 32 bits of rs1 * rs2.
op mul
case multiplies
  7 6 -> 42
  -7 6 -> -42
  -7 -6 -> 42
case keeps the low 32 bits
  0x10000 0x10000 -> 0
  0x12345678 0x9abcdef0 -> 0x242d2080
  0x80000000 0x80000000 -> 0
case a product is used by the very next instruction
  pre x5=3
  exec mul x6, x5, x5
  exec mul x7, x6, x5
  post x7=27
