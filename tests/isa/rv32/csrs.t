# What each CSR holds and what a write does to it (manual CSRs).
core all
case mstatus is constant
  pre x5=0
  exec csrrw x6, mstatus, x5
  exec csrrs x7, mstatus, x0
  post x6=0x80006600 x7=0x80006600
case misa is constant
  pre x5=0
  exec csrrw x6, misa, x5
  exec csrrs x7, misa, x0
  post x6=0x40201123 x7=0x40201123
case mhartid is zero on every core
  exec csrrs x7, mhartid, x0
  post x7=0
case cfg0 starts with StMergeTimer = 16 and nothing else
  exec csrrs x7, cfg0, x0
  post x7=0x20000
case cfg0 keeps all 32 bits
  pre x5=0x00060008
  exec csrrw x0, cfg0, x5
  exec csrrs x7, cfg0, x0
  post x7=0x00060008
case the scratch CSRs keep 32 bits each
  pre cfg1=0x11111111 hwa_mask=0x22222222 hwa_cfg=0x33333333 vgsrc=0x84444444
  exec csrrs x5, cfg1, x0
  exec csrrs x6, hwa_mask, x0
  exec csrrs x7, hwa_cfg, x0
  exec csrrs x28, vgsrc, x0
  post x5=0x11111111 x6=0x22222222 x7=0x33333333 x28=0x84444444
case pmacfg0 and pmacfg1 start at zero
  exec csrrs x5, pmacfg0, x0
  exec csrrs x6, pmacfg1, x0
  post x5=0 x6=0
case fcsr keeps rounding mode and flags
  pre x5=0xff
  exec csrrw x6, fcsr, x5
  exec csrrs x7, fcsr, x0
  post x6=0 x7=0xff
case mcycle counts up
  exec csrrs x5, mcycle, x0
  exec csrrs x6, mcycle, x0
  exec sltu x7, x5, x6
  post x7=1
case cycle is mcycle
  exec csrrs x5, mcycle, x0
  exec csrrs x6, cycle, x0
  exec sub x7, x6, x5
  exec sltiu x7, x7, 20
  post x7=1
case mcycle can be written
  pre x5=0x80000000
  exec csrrw x0, mcycle, x5
  exec csrrs x6, mcycle, x0
  exec sub x7, x6, x5
  exec sltiu x7, x7, 20
  post x7=1
case cycle can be written too
  pre x5=0x80000000
  exec csrrw x0, cycle, x5
  exec csrrs x6, mcycle, x0
  exec sub x7, x6, x5
  exec sltiu x7, x7, 20
  post x7=1
case mcycle carries into mcycleh
  pre x5=-4 x6=7
  exec csrrw x0, mcycleh, x6
  exec csrrw x0, mcycle, x5
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec csrrs x7, mcycleh, x0
  post x7=8
case minstret counts instructions
  exec csrrs x5, minstret, x0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec addi x0, x0, 0
  exec csrrs x6, minstret, x0
  exec sub x7, x6, x5
  post x7=4
case instret is minstret, and a branch not taken or taken counts once
  exec csrrs x5, instret, x0
  exec bne x0, x0, 8
  exec beq x0, x0, 8
  exec addi x0, x0, 0
  exec csrrs x6, minstret, x0
  exec sub x7, x6, x5
  post x7=3
case mcountinhibit does not stop mcycle nor minstret
  pre x5=-1
  exec csrrw x0, mcountinhibit, x5
  exec csrrs x5, minstret, x0
  exec csrrs x28, mcycle, x0
  exec csrrs x6, minstret, x0
  exec csrrs x29, mcycle, x0
  exec sltu x7, x5, x6
  exec sltu x30, x28, x29
  post x7=1 x30=1
case the high halves of the counters start at zero
  exec csrrs x5, mcycleh, x0
  exec csrrs x6, minstreth, x0
  exec csrrs x7, cycleh, x0
  exec csrrs x28, instreth, x0
  post x5=0 x6=0 x7=0 x28=0
case intp_restore_pc can be written and read
  pre x5=0x1234
  exec csrrw x0, intp_restore_pc, x5
  exec csrrs x7, intp_restore_pc, x0
  post x7=0x1234
core B NC
case tt_cfg_sstatus0 to 7 are scratch on B and NC
  pre x5=0x11 x6=0x22
  exec csrrw x0, tt_cfg_sstatus0, x5
  exec csrrw x0, tt_cfg_sstatus7, x6
  exec csrrs x7, tt_cfg_sstatus0, x0
  exec csrrs x28, tt_cfg_sstatus7, x0
  post x7=0x11 x28=0x22
core T2
case vlenb is 16, the bytes of a vector register
  exec csrrs x7, vlenb, x0
  post x7=16
case vlenb can be written, for what it is worth
  pre x5=99
  exec csrrw x6, vlenb, x5
  exec csrrs x7, vlenb, x0
  post x6=16 x7=99
case vstart is zero and stays so
  pre x5=3
  exec csrrw x6, vstart, x5
  exec csrrs x7, vstart, x0
  post x6=0 x7=0
case vl can be written with a CSR instruction
  pre x5=3
  exec csrrw x0, vl, x5
  exec csrrs x7, vl, x0
  post x7=3
case vxrm and vxsat are there
  pre x5=1
  exec csrrw x0, vxrm, x5
  exec csrrw x0, vxsat, x5
  exec csrrs x6, vxrm, x0
  exec csrrs x7, vxsat, x0
  post x6=1 x7=1
core all
case a CSR that is not there is a fault
  exec addi x7, x0, 1
  exec csrrs x7, 0x7ff, x0
  fault UNDEFINED pc+4
  post x7=1
case the time CSR is not there
  exec csrrs x7, 0xc01, x0
  fault UNDEFINED pc
case fflags and frm are not there
  exec csrrs x7, 0x001, x0
  fault UNDEFINED pc
