# grevi: generalised bit reversal: swaps neighbours of 2^k bits for each bit k of the immediate (Bitmanip 0.94-draft).
op grevi
case 0 changes nothing
  0x12345678 0 -> 0x12345678
case 1 swaps neighbouring bits
  0x12345678 1 -> 0x2138a9b4
case 2 swaps neighbouring pairs
  0x12345678 2 -> 0x48c159d2
case 4 swaps neighbouring nibbles
  0x12345678 4 -> 0x21436587
case 8 swaps the bytes of each half
  0x12345678 8 -> 0x34127856
case 16 swaps the halves
  0x12345678 16 -> 0x56781234
case 7 is brev8
  0x01020304 7 -> 0x8040c020
case 24 is rev8
  0x12345678 24 -> 0x78563412
case 31 reverses all bits
  0x12345678 31 -> 0x1e6a2c48
  1 31 -> 0x80000000
