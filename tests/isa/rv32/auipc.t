# auipc: rd = pc + (imm20 << 12).
case gives its own address with immediate 0
  exec addi x0, x0, 0
  exec auipc x7, 0
  post x7=pc+4
case adds the immediate in the high 20 bits
  exec auipc x7, 0x12
  post x7=pc+0x12000
case wraps around at 2^32
  exec auipc x7, 0xfffff
  post x7=pc-0x1000
