# jalr: rd = pc + 4, pc = (rs1 + imm) & ~1.
case links and jumps
  pre x5=pc+4
  exec jalr x7, 4(x5)
  exec addi x6, x0, 1
  exec addi x28, x0, 2
  post x7=pc+4 x6=0 x28=2
case adds a negative immediate
  pre x5=pc+0x100
  exec jalr x7, -0xf8(x5)
  exec addi x6, x0, 1
  exec addi x28, x0, 2
  post x7=pc+4 x6=0 x28=2
case clears bit 0 of the target
  pre x5=pc+9
  exec jalr x7, 0(x5)
  exec addi x6, x0, 1
  exec addi x28, x0, 2
  post x6=0 x28=2
case reads the base before it writes the link
  pre x5=pc+8
  exec jalr x5, 0(x5)
  exec addi x6, x0, 1
  exec addi x28, x0, 2
  post x5=pc+4 x6=0 x28=2
case refuses a target that is not a multiple of four
  pre x5=pc+6
  exec jalr x7, 0(x5)
  fault UNDEFINED
