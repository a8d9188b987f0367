# add: rd = rs1 + rs2.
op add
case adds
  3 4 -> 7
case wraps around at 2^32
  0xffffffff 1 -> 0
  0x80000000 0x80000000 -> 0
  0x7fffffff 1 -> 0x80000000
case source and destination may be one register
  pre x5=21
  exec add x5, x5, x5
  post x5=42
case a result is used by the very next instruction
  pre x5=1
  exec add x6, x5, x5
  exec add x7, x6, x6
  exec add x28, x7, x7
  post x28=8
