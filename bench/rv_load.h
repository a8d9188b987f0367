/* SPDX-License-Identifier: Apache-2.0 */
/* The integer program of the rv-* benchmarks, twice: as RV32IM words to load into a tile, and as plain C that says
 * what must be in memory at the end.  One step is exactly RV_STEP_INSTRUCTIONS instructions whatever the data: a
 * pseudo-state index into a 1 KiB buffer, two word loads, multiplies, a called function, a byte loop, a branch
 * that goes either way with arms of equal length, and stores of all three widths. */
#ifndef KERR_BENCH_RV_LOAD_H
#define KERR_BENCH_RV_LOAD_H

#include "../tests/abi/rvasm.h"

#include <stdbool.h>
#include <string.h>

enum {
    RV_STEP_INSTRUCTIONS = 70,
    RV_BUFFER = 0x20000, /* aligned to its size */
    RV_BUFFER_BYTES = 1024,
    RV_BLOCK = RV_BUFFER + RV_BUFFER_BYTES,
    RV_POLL = 0x21000, /* + 16 * core: the words that idle cores poll */
};

/* The words at RV_BLOCK. */
enum { BLOCK_STEP, BLOCK_SUM, BLOCK_XOR, BLOCK_DONE, BLOCK_STEPS, BLOCK_SEED, BLOCK_ACC, BLOCK_STATE, BLOCK_WORDS };

struct rv_memory { /* L1 from RV_BUFFER */
    uint8_t buffer[RV_BUFFER_BYTES];
    uint32_t block[BLOCK_WORDS];
};

static inline void rv_load_start(struct rv_memory *m, uint32_t steps, uint32_t tile)
{
    memset(m, 0, sizeof *m);
    for (uint32_t i = 0; i < RV_BUFFER_BYTES; i++)
        m->buffer[i] = (uint8_t)(i * 37 + tile * 11 + (i >> 5));
    m->block[BLOCK_STEPS] = steps;
    m->block[BLOCK_SEED] = UINT32_C(0x9E3779B9) * (tile + 1) | 1;
}

static inline void rv_load_program(struct rv_program *p, bool firmware_csr)
{
    enum {
        buffer = RV_S0,
        left = RV_S1,
        state = RV_S2,
        acc = RV_S3,
        step = RV_S4,
        block = RV_S5,
        factor = RV_S6,
        t = RV_T0,
        p1 = RV_T1,
        p2 = RV_T2,
        n = RV_T3,
        byte_at = RV_T4,
        byte = RV_T5,
        a = RV_A0,
        b = RV_A1,
        c = RV_A2
    };
    p->size_bytes = 0;
    if (firmware_csr)
        rv_emit_firmware_csr(p);
    rv_emit_li(p, buffer, RV_BUFFER);
    rv_emit_li(p, block, RV_BLOCK);
    rv_emit_li(p, factor, 0x7FEB352D);
    rv_emit(p, rv_addi(acc, RV_ZERO, 0));
    rv_emit(p, rv_addi(step, RV_ZERO, 0));
    rv_emit(p, rv_lw(left, 4 * BLOCK_STEPS, block));
    rv_emit(p, rv_lw(state, 4 * BLOCK_SEED, block));
    rv_emit(p, rv_jal(RV_ZERO, 4 * 10)); /* over the function */

    uint32_t mix = p->size_bytes;
    rv_emit(p, rv_srli(t, a, 16));
    rv_emit(p, rv_xor(a, a, t));
    rv_emit(p, rv_mul(a, a, factor));
    rv_emit(p, rv_srli(t, a, 15));
    rv_emit(p, rv_xor(a, a, t));
    rv_emit(p, rv_add(a, a, b));
    rv_emit(p, rv_sltu(t, a, b));
    rv_emit(p, rv_add(acc, acc, t));
    rv_emit(p, rv_jalr(RV_ZERO, RV_RA, 0));

    uint32_t top = p->size_bytes;
    rv_emit(p, rv_slli(t, state, 13));
    rv_emit(p, rv_xor(state, state, t));
    rv_emit(p, rv_srli(t, state, 17));
    rv_emit(p, rv_xor(state, state, t));
    rv_emit(p, rv_slli(t, state, 5));
    rv_emit(p, rv_xor(state, state, t));
    rv_emit(p, rv_srli(p1, state, 8));
    rv_emit(p, rv_andi(p1, p1, RV_BUFFER_BYTES - 4));
    rv_emit(p, rv_add(p1, p1, buffer));
    rv_emit(p, rv_lw(a, 0, p1));
    rv_emit(p, rv_xori(p2, p1, RV_BUFFER_BYTES / 2));
    rv_emit(p, rv_lw(b, 0, p2));
    rv_emit(p, rv_mul(c, a, b));
    rv_emit(p, rv_add(acc, acc, c));
    rv_emit(p, rv_jal(RV_RA, rv_back(p, mix)));
    rv_emit(p, rv_sw(a, 0, p1));

    rv_emit(p, rv_addi(n, RV_ZERO, 4));
    rv_emit(p, rv_addi(byte_at, p2, 0));
    uint32_t bytes = p->size_bytes;
    rv_emit(p, rv_lbu(byte, 0, byte_at));
    rv_emit(p, rv_add(acc, acc, byte));
    rv_emit(p, rv_addi(byte_at, byte_at, 1));
    rv_emit(p, rv_addi(n, n, -1));
    rv_emit(p, rv_bne(n, RV_ZERO, rv_back(p, bytes)));

    rv_emit(p, rv_andi(t, a, 1));
    rv_emit(p, rv_beq(t, RV_ZERO, 4 * 5));
    rv_emit(p, rv_xor(acc, acc, a)); /* odd */
    rv_emit(p, rv_srli(t, acc, 7));
    rv_emit(p, rv_add(acc, acc, t));
    rv_emit(p, rv_jal(RV_ZERO, 4 * 5));
    rv_emit(p, rv_sub(acc, acc, a)); /* even */
    rv_emit(p, rv_slli(t, acc, 3));
    rv_emit(p, rv_xor(acc, acc, t));
    rv_emit(p, rv_addi(acc, acc, 1));

    rv_emit(p, rv_sh(acc, 2, p2));
    rv_emit(p, rv_lhu(t, 0, p2));
    rv_emit(p, rv_add(acc, acc, t));
    rv_emit(p, rv_srli(t, acc, 24));
    rv_emit(p, rv_sb(t, 1, p1));
    rv_emit(p, rv_lw(b, 4 * BLOCK_SUM, block));
    rv_emit(p, rv_add(b, b, acc));
    rv_emit(p, rv_sw(b, 4 * BLOCK_SUM, block));
    rv_emit(p, rv_lw(c, 4 * BLOCK_XOR, block));
    rv_emit(p, rv_xor(c, c, a));
    rv_emit(p, rv_sw(c, 4 * BLOCK_XOR, block));
    rv_emit(p, rv_srai(t, c, 3));
    rv_emit(p, rv_add(acc, acc, t));
    rv_emit(p, rv_addi(step, step, 1));
    rv_emit(p, rv_sw(step, 4 * BLOCK_STEP, block));
    rv_emit(p, rv_addi(left, left, -1));
    rv_emit(p, rv_bne(left, RV_ZERO, rv_back(p, top)));

    rv_emit(p, rv_sw(acc, 4 * BLOCK_ACC, block));
    rv_emit(p, rv_sw(state, 4 * BLOCK_STATE, block));
    rv_emit(p, rv_addi(t, RV_ZERO, 1));
    rv_emit(p, rv_sw(t, 4 * BLOCK_DONE, block));
    rv_emit(p, rv_jal(RV_ZERO, 0));
}

/* What the program must leave behind.  Little-endian hosts, as the ABI says. */
static inline void rv_load_model(struct rv_memory *m)
{
    uint32_t state = m->block[BLOCK_SEED], acc = 0;
    for (uint32_t step = 1; step <= m->block[BLOCK_STEPS]; step++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        uint8_t *p1 = m->buffer + (state >> 8 & (RV_BUFFER_BYTES - 4));
        uint8_t *p2 = m->buffer + ((state >> 8 & (RV_BUFFER_BYTES - 4)) ^ RV_BUFFER_BYTES / 2);
        uint32_t a, b;
        uint16_t half;
        memcpy(&a, p1, 4);
        memcpy(&b, p2, 4);
        acc += a * b;
        a ^= a >> 16;
        a *= UINT32_C(0x7FEB352D);
        a ^= a >> 15;
        a += b;
        acc += a < b;
        memcpy(p1, &a, 4);
        for (int i = 0; i < 4; i++)
            acc += p2[i];
        if (a & 1) {
            acc ^= a;
            acc += acc >> 7;
        } else {
            acc -= a;
            acc ^= acc << 3;
            acc++;
        }
        half = (uint16_t)acc;
        memcpy(p2 + 2, &half, 2);
        memcpy(&half, p2, 2);
        acc += half;
        p1[1] = (uint8_t)(acc >> 24);
        m->block[BLOCK_SUM] += acc;
        m->block[BLOCK_XOR] ^= a;
        uint32_t x = m->block[BLOCK_XOR];
        acc += x >> 3 | (x >> 31 ? UINT32_C(0xE0000000) : 0);
        m->block[BLOCK_STEP] = step;
    }
    m->block[BLOCK_ACC] = acc;
    m->block[BLOCK_STATE] = state;
    m->block[BLOCK_DONE] = 1;
}

/* A core with nothing to do: polls a word of L1 that stays 0. */
static inline void rv_poll_program(struct rv_program *p, uint32_t word, bool firmware_csr)
{
    p->size_bytes = 0;
    if (firmware_csr)
        rv_emit_firmware_csr(p);
    rv_emit_li(p, RV_A0, word);
    rv_emit(p, rv_lw(RV_A1, 0, RV_A0));
    rv_emit(p, rv_beq(RV_A1, RV_ZERO, -4));
    rv_emit(p, rv_jal(RV_ZERO, 0));
}

#endif
