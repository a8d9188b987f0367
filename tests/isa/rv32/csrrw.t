# csrrw: old value to rd, rs1 to the CSR.  cfg1, hwa_mask, hwa_cfg and vgsrc are scratch (manual CSRs).
core all
case swaps
  pre cfg1=0x1234 x5=0xabcd
  exec csrrw x7, cfg1, x5
  post x7=0x1234 cfg1=0xabcd
case with one register for both
  pre hwa_mask=0x1234 x5=0xabcd
  exec csrrw x5, hwa_mask, x5
  post x5=0x1234 hwa_mask=0xabcd
case with rd = x0 only writes
  pre x5=0xffffffff
  exec csrrw x0, hwa_cfg, x5
  exec csrrs x7, hwa_cfg, x0
  post x7=0xffffffff
