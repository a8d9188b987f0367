# ebreak: a debug pause, as a hardware breakpoint (manual InstructionSet).
core B T0 T1 T2
case pauses the core
  exec addi x7, x0, 1
  exec ebreak
  exec addi x7, x0, 2
  state HALTED
  post x7=1
# The manual names ecall only beside ebreak ("the next instruction waits until it has retired"); there is no environment
# to call, and Kerr pauses as well.
case ecall pauses the core too
  exec addi x7, x0, 1
  exec ecall
  exec addi x7, x0, 2
  state HALTED
  post x7=1
