# addi: rd = rs1 + sign-extended imm.
op addi
case adds
  5 7 -> 12
  5 -7 -> -2
case wraps around at 2^32
  0xffffffff 1 -> 0
  0x80000000 -1 -> 0x7fffffff
case the immediate has 12 bits, signed
  0 2047 -> 2047
  0 -2048 -> 0xfffff800
case to x0 changes nothing
  exec addi x0, x0, 5
  exec addi x7, x0, 0
  post x7=0
case every register can be written and read
  exec addi x1, x0, 3
  exec addi x2, x0, 6
  exec addi x3, x0, 9
  exec addi x4, x0, 12
  exec addi x5, x0, 15
  exec addi x6, x0, 18
  exec addi x7, x0, 21
  exec addi x8, x0, 24
  exec addi x9, x0, 27
  exec addi x10, x0, 30
  exec addi x11, x0, 33
  exec addi x12, x0, 36
  exec addi x13, x0, 39
  exec addi x14, x0, 42
  exec addi x15, x0, 45
  exec addi x16, x0, 48
  exec addi x17, x0, 51
  exec addi x18, x0, 54
  exec addi x19, x0, 57
  exec addi x20, x0, 60
  exec addi x21, x0, 63
  exec addi x22, x0, 66
  exec addi x23, x0, 69
  exec addi x24, x0, 72
  exec addi x25, x0, 75
  exec addi x26, x0, 78
  exec addi x27, x0, 81
  exec addi x28, x0, 84
  exec addi x29, x0, 87
  exec addi x30, x0, 90
  exec addi x31, x0, 93
  post x1=3 x2=6 x3=9 x4=12 x5=15 x6=18 x7=21 x8=24 x9=27 x10=30 x11=33 x12=36 x13=39 x14=42 x15=45 x16=48 x17=51 x18=54 x19=57 x20=60 x21=63 x22=66 x23=69 x24=72 x25=75 x26=78 x27=81 x28=84 x29=87 x30=90 x31=93
