# sh3add: rd = rs2 + (rs1 << 3).
op sh3add
case shifts the first operand
  3 100 -> 124
case wraps
  0x20000001 1 -> 9
