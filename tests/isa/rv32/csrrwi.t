# csrrwi: old value to rd, five bits of immediate, zero extended, to the CSR.
case writes the immediate
  pre cfg1=0xffffffff
  exec csrrwi x7, cfg1, 31
  post x7=0xffffffff cfg1=31
