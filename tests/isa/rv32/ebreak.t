# ebreak: a debug pause, as a hardware breakpoint (manual InstructionSet).
core B T0 T1 T2
case pauses the core
  exec addi x7, x0, 1
  exec ebreak
  exec addi x7, x0, 2
  state HALTED
  post x7=1
