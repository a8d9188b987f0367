# bgeu: branch if not less, unsigned.
op bgeu
case is taken
  0 0 -> taken
  -1 0 -> taken
  0x80000000 0x7fffffff -> taken
case is not taken
  0 1 -> not
  0 -1 -> not
  0x7fffffff 0x80000000 -> not
case goes backwards
  pre x5=3 x6=3 x7=0 x28=0
  exec jal x0, 12
  exec addi x7, x7, 1
  exec jal x0, 12
  exec addi x28, x28, 1
  exec bgeu x5, x6, -12
  exec addi x29, x0, 4
  post x7=1 x28=1 x29=4
