# SPDX-License-Identifier: Apache-2.0
# Runs one F or V instruction per case under qemu-riscv32: reads cases from file 0, writes them back to file 1 with the
# state after the instruction.  The layout is struct fpvec_case of fpvec_qemu.c; the case sits at 0x200000 (section
# .case), its first 1024 bytes are the memory that vector loads and stores use.  The code patches itself: section .code is writable.
        .option norvc
        .equ    CASE_SIZE, 1600
        .equ    HEADER, 1024
        .equ    VECTORS, 1088

        .section .case, "aw", @nobits
case:   .space  CASE_SIZE

        .section .code, "awx", @progbits
        .globl  _start
_start:
next:   la      s0, case
        li      s1, CASE_SIZE
        mv      s2, s0
fill:   li      a0, 0
        mv      a1, s2
        mv      a2, s1
        li      a7, 63                  # read
        ecall
        blez    a0, done
        add     s2, s2, a0
        sub     s1, s1, a0
        bnez    s1, fill

        addi    s3, s0, HEADER
        lw      t0, 0(s3)
        la      t1, slot
        sw      t0, 0(t1)
        fence.i
        addi    t2, s0, VECTORS
        vl8re8.v v0, (t2)
        addi    t2, t2, 128
        vl8re8.v v8, (t2)
        addi    t2, t2, 128
        vl8re8.v v16, (t2)
        addi    t2, t2, 128
        vl8re8.v v24, (t2)
        lw      t0, 12(s3)
        csrw    vxrm, t0
        lw      t0, 16(s3)
        csrw    vxsat, t0
        lw      t0, 20(s3)
        csrw    fcsr, t0
        lw      t0, 4(s3)
        lw      t1, 8(s3)
        vsetvl  x0, t1, t0
        flw     f10, 36(s3)
        flw     f11, 40(s3)
        flw     f12, 44(s3)
        flw     f13, 48(s3)
        lw      a0, 24(s3)
        lw      a1, 28(s3)
        lw      a2, 32(s3)
slot:   nop
        sw      a0, 24(s3)
        fsw     f10, 36(s3)
        csrr    t0, vl
        sw      t0, 8(s3)
        csrr    t0, vtype
        sw      t0, 4(s3)
        csrr    t0, vxsat
        sw      t0, 16(s3)
        csrr    t0, fcsr
        sw      t0, 20(s3)
        addi    t2, s0, VECTORS
        vs8r.v  v0, (t2)
        addi    t2, t2, 128
        vs8r.v  v8, (t2)
        addi    t2, t2, 128
        vs8r.v  v16, (t2)
        addi    t2, t2, 128
        vs8r.v  v24, (t2)

        li      s1, CASE_SIZE
        mv      s2, s0
drain:  li      a0, 1
        mv      a1, s2
        mv      a2, s1
        li      a7, 64                  # write
        ecall
        blez    a0, done
        add     s2, s2, a0
        sub     s1, s1, a0
        bnez    s1, drain
        j       next

done:   li      a0, 0
        li      a7, 93                  # exit
        ecall
