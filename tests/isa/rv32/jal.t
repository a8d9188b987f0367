# jal: rd = pc + 4, pc += offset.
case links the next instruction and skips one
  pre x6=1
  exec jal x7, 8
  exec addi x6, x0, 0
  exec addi x5, x0, 3
  post x7=pc+4 x6=1 x5=3
case jumps backwards
  pre x5=0
  exec jal x0, 12            # over the next two
  exec addi x5, x5, 1        # reached from behind
  exec jal x0, 8             # and out
  exec jal x7, -8
  exec addi x6, x0, 9
  post x5=1 x6=9 x7=pc+16
case reaches 2 KiB and more
  pre [0x5000]=0x00900293 [0x5004]=0x00038067   # addi x5, x0, 9; jalr x0, 0(x7)
  exec lui x6, 5
  exec jal x7, 0xffc         # from 0x4004, plus nothing before it
  post x5=9 x7=pc+8
