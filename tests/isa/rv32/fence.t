# fence: executed in the strongest way whatever its mode bits (manual InstructionSet, "Base Instruction Set").
core all
case goes on
  pre x5=0x8000 x6=9
  exec sw x6, 0(x5)
  exec fence
  exec lw x7, 0(x5)
  post x7=9
core B
case ignores its mode bits
  exec .word 0x0000000f
  exec .word 0x0330000f
  exec .word 0x8330000f      # fence.tso
  exec addi x7, x0, 1
  post x7=1
