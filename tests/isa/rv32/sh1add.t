# sh1add: rd = rs2 + (rs1 << 1).
op sh1add
case shifts the first operand
  3 100 -> 106
case wraps
  0x80000001 1 -> 3
