# sh2add: rd = rs2 + (rs1 << 2).
op sh2add
case shifts the first operand
  3 100 -> 112
case wraps
  0x40000001 1 -> 5
