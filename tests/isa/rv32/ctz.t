# ctz: trailing zeroes.
op ctz
case counts from the bottom
  1 -> 0
  0x80000000 -> 31
  0xffffff00 -> 8
case of zero is 32
  0 -> 32
