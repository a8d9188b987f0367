# srai: rd = rs1 >> shamt, sign in.
op srai
case shifts right
  0x80000000 0 -> 0x80000000
  0x80000000 31 -> 0xffffffff
  0x7fffffff 30 -> 1
  0xf0000000 4 -> 0xff000000
