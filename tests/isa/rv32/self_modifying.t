# Code is memory.  fence.i is no instruction of the manual; a rewritten word is seen once it is fetched again.
case a program rewrites an instruction well ahead of itself
  pre x5=pc+0x40 x6=0x00900393                 # addi x7, x0, 9
  exec sw x6, 0(x5)
  exec lw x28, 0(x5)
  exec add x28, x28, x0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x7, x0, 1
  post x7=9
