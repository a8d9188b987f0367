# bltu: branch if less, unsigned.
op bltu
case is taken
  0 1 -> taken
  0 -1 -> taken
  0x7fffffff 0x80000000 -> taken
case is not taken
  0 0 -> not
  -1 0 -> not
  0x80000000 0x7fffffff -> not
case goes backwards
  pre x5=2 x6=3 x7=0 x28=0
  exec jal x0, 12
  exec addi x7, x7, 1
  exec jal x0, 12
  exec addi x28, x28, 1
  exec bltu x5, x6, -12
  exec addi x29, x0, 4
  post x7=1 x28=1 x29=4
