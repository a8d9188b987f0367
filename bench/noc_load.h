/* SPDX-License-Identifier: Apache-2.0 */
/* The data-movement programs of the noc-* and dram-copy benchmarks: RV32IM words for RISCV B that drive the NIU's
 * request initiators as compiled data-movement kernels do.  One pass walks a table of transfers: wait until the
 * initiator is free, write its registers, issue, count in local data RAM; at the end of the pass wait until the NIU's
 * counter of responses has reached that count.  A round is one pass, or two (read, then write).
 * Registers: manual NoC/MemoryMap, NoC/Counters. */
#ifndef KERR_BENCH_NOC_LOAD_H
#define KERR_BENCH_NOC_LOAD_H

#include "../tests/abi/rvasm.h"

#include <stdbool.h>
#include <string.h>

enum {
    NOC_TABLE = 0x4000, /* of the first pass; the second follows at NOC_TABLE_NEXT */
    NOC_TABLE_NEXT = 0x4800,
    NOC_BLOCK = 0x5000, /* struct noc_block */
    NOC_SOURCE = 0x20000,
    NOC_TARGET = 0x40000,
    NOC_SLOTS = 0x30000, /* where multicasts land */
    NOC_SLOT_BYTES = 8192,
    NOC_MAX_TRANSFERS = 16,
    NOC_SLIDE = 64,       /* the source moves on by so much a round ... */
    NOC_SLIDE_MASK = 255, /* ... within so much, so that the last round's bytes are seen to be the last round's */
};
#define NOC_NIU UINT32_C(0xFFB20000)
#define NOC_INITIATOR_BYTES UINT32_C(0x800)
#define NOC_LOCAL_RAM UINT32_C(0xFFB00000)

/* NOC_CTRL as the vendor's kernels have it: copies with response, static virtual channel 1, multicast on 4. */
enum {
    NOC_CTRL_WRITE = 0x2092,
    NOC_CTRL_READ = 0x2090,
    NOC_CTRL_MULTICAST = 0x81B2, /* with path reservation */
};

struct noc_transfer {
    uint32_t from, to, xy, bytes; /* xy is of the far end */
};
struct noc_block {
    uint32_t rounds, done, xy; /* xy of this tile */
};

enum noc_pass_kind { NOC_PASS_READ, NOC_PASS_WRITE };
struct noc_pass {
    enum noc_pass_kind kind;
    uint32_t ctrl, table, transfers;
    uint32_t responses; /* to one transfer: 1, or the number of tiles a multicast reaches */
    bool far_moves;     /* the round's offset is added at the far end, not to the local address of a write */
};

static inline uint32_t noc_xy(unsigned x, unsigned y)
{
    return x | y << 6;
}

enum {
    noc_r_niu = RV_S0,
    noc_r_left = RV_S1,
    noc_r_offset = RV_S2,
    noc_r_one = RV_S3,
    noc_r_local = RV_S4,
    noc_r_block = RV_S5,
    noc_r_mask = RV_S6,
    noc_r_step = RV_S7,
    noc_r_ctrl = RV_S8,
    noc_r_initiator = RV_S9,
    noc_r_more = RV_S10
};

static inline uint32_t noc_initiator(const struct noc_pass *pass)
{
    return NOC_NIU + (pass->kind == NOC_PASS_READ ? NOC_INITIATOR_BYTES : 0);
}
/* NIU_MST_WR_ACK_RECEIVED or NIU_MST_RD_RESP_RECEIVED, and the word of local RAM that counts what it must reach. */
static inline int32_t noc_counter(const struct noc_pass *pass)
{
    return pass->kind == NOC_PASS_READ ? 0x208 : 0x204;
}
static inline int32_t noc_expected(const struct noc_pass *pass)
{
    return pass->kind == NOC_PASS_READ ? 0 : 4;
}

static inline void noc_emit_pass(struct rv_program *p, const struct noc_pass *pass)
{
    enum { at = RV_T1, end = RV_T2, from = RV_A0, to = RV_A1, xy = RV_A2, bytes = RV_A3, t = RV_A4, expected = RV_A5 };
    rv_emit_li(p, noc_r_initiator, noc_initiator(pass));
    rv_emit_li(p, noc_r_ctrl, pass->ctrl);
    rv_emit_li(p, noc_r_more, pass->responses);
    rv_emit_li(p, at, pass->table);
    rv_emit_li(p, end, pass->table + pass->transfers * (uint32_t)sizeof(struct noc_transfer));
    uint32_t top = p->size_bytes;
    rv_emit(p, rv_lw(from, 0, at));
    rv_emit(p, rv_lw(to, 4, at));
    rv_emit(p, rv_lw(xy, 8, at));
    rv_emit(p, rv_lw(bytes, 12, at));
    if (pass->kind == NOC_PASS_WRITE && pass->far_moves)
        rv_emit(p, rv_add(to, to, noc_r_offset));
    else
        rv_emit(p, rv_add(from, from, noc_r_offset));
    rv_emit(p, rv_lw(t, 0x40, noc_r_initiator)); /* NOC_CMD_CTRL */
    rv_emit(p, rv_bne(t, RV_ZERO, -4));
    if (pass->kind == NOC_PASS_WRITE) {
        rv_emit(p, rv_sw(noc_r_ctrl, 0x1C, noc_r_initiator)); /* NOC_CTRL */
        rv_emit(p, rv_sw(from, 0x00, noc_r_initiator));       /* NOC_TARG_ADDR_LO */
        rv_emit(p, rv_sw(to, 0x0C, noc_r_initiator));         /* NOC_RET_ADDR_LO, MID, HI */
        rv_emit(p, rv_sw(RV_ZERO, 0x10, noc_r_initiator));
        rv_emit(p, rv_sw(xy, 0x14, noc_r_initiator));
    } else {
        rv_emit(p, rv_sw(to, 0x0C, noc_r_initiator));
        rv_emit(p, rv_sw(from, 0x00, noc_r_initiator));
        rv_emit(p, rv_sw(RV_ZERO, 0x04, noc_r_initiator));
        rv_emit(p, rv_sw(xy, 0x08, noc_r_initiator));
    }
    rv_emit(p, rv_sw(bytes, 0x20, noc_r_initiator)); /* NOC_AT_LEN_BE */
    rv_emit(p, rv_sw(noc_r_one, 0x40, noc_r_initiator));
    rv_emit(p, rv_lw(expected, noc_expected(pass), noc_r_local));
    rv_emit(p, rv_add(expected, expected, noc_r_more));
    rv_emit(p, rv_sw(expected, noc_expected(pass), noc_r_local));
    rv_emit(p, rv_addi(at, at, sizeof(struct noc_transfer)));
    rv_emit(p, rv_bne(at, end, rv_back(p, top)));
    rv_emit(p, rv_lw(expected, noc_expected(pass), noc_r_local)); /* the barrier */
    rv_emit(p, rv_lw(t, noc_counter(pass), noc_r_niu));
    rv_emit(p, rv_bne(t, expected, -4));
}

static inline void noc_load_program(struct rv_program *p, const struct noc_pass *pass, unsigned passes, uint32_t step,
                                    uint32_t mask)
{
    p->size_bytes = 0;
    rv_emit_firmware_csr(p);
    rv_emit_li(p, noc_r_niu, NOC_NIU);
    rv_emit_li(p, noc_r_local, NOC_LOCAL_RAM);
    rv_emit_li(p, noc_r_block, NOC_BLOCK);
    rv_emit_li(p, noc_r_step, step);
    rv_emit_li(p, noc_r_mask, mask);
    rv_emit(p, rv_addi(noc_r_one, RV_ZERO, 1));
    rv_emit(p, rv_addi(noc_r_offset, RV_ZERO, 0));
    rv_emit(p, rv_lw(noc_r_left, 0, noc_r_block));
    rv_emit(p, rv_lw(RV_A2, 8, noc_r_block));
    for (unsigned i = 0; i < passes; i++) { /* what stays: the local end's coordinates, and the counters' start */
        rv_emit_li(p, noc_r_initiator, noc_initiator(&pass[i]));
        rv_emit_li(p, noc_r_ctrl, pass[i].ctrl);
        rv_emit(p, rv_sw(noc_r_ctrl, 0x1C, noc_r_initiator));
        rv_emit(p, rv_sw(RV_ZERO, pass[i].kind == NOC_PASS_READ ? 0x10 : 0x04, noc_r_initiator));
        rv_emit(p, rv_sw(RV_A2, pass[i].kind == NOC_PASS_READ ? 0x14 : 0x08, noc_r_initiator));
        rv_emit(p, rv_lw(RV_A4, noc_counter(&pass[i]), noc_r_niu));
        rv_emit(p, rv_sw(RV_A4, noc_expected(&pass[i]), noc_r_local));
    }
    uint32_t top = p->size_bytes;
    for (unsigned i = 0; i < passes; i++)
        noc_emit_pass(p, &pass[i]);
    rv_emit(p, rv_add(noc_r_offset, noc_r_offset, noc_r_step));
    rv_emit(p, rv_and(noc_r_offset, noc_r_offset, noc_r_mask));
    rv_emit(p, rv_addi(noc_r_left, noc_r_left, -1));
    rv_emit(p, rv_bne(noc_r_left, RV_ZERO, rv_back(p, top)));
    rv_emit(p, rv_sw(noc_r_one, 4, noc_r_block));
    rv_emit(p, rv_jal(RV_ZERO, 0));
}

/* ---- mcast-weights: a matmul's operands without the matmul ------------------------------------------------
 *
 * One core of a tile sends blocks to the others of its row or column, as ttnn's matmul does with in0 and in1: it reads a block from
 * DRAM, waits until all receivers have said that they have room, multicasts the block and behind it, linked, the block's number.  A receiver
 * says that it has room by an atomic, and waits for the number.  Two blocks of room. */
enum {
    NOC_BLOCK_PAGES = 4,
    NOC_PAGE = 4096,
    NOC_BLOCK_BYTES = NOC_BLOCK_PAGES * NOC_PAGE,
    NOC_CTRL_LINKED = NOC_CTRL_MULTICAST | 1 << 6,
    NOC_CTRL_INCREMENT = 0x2081,
};

struct noc_stream {
    unsigned noc, receivers;    /* 0: this one receives */
    uint32_t blocks, self, far; /* xy; far: rectangle of the receivers, or the sender */
    uint32_t room, number,
        copy; /* words of L1: how many have room; the latest block's number; where the sender has it */
    uint32_t buffer, done;
    uint32_t bank[NOC_BLOCK_PAGES], page; /* xy, and where they begin in it: NOC_PAGE of each bank a block */
};

static inline void noc_emit_free(struct rv_program *p, unsigned initiator)
{
    rv_emit(p, rv_lw(RV_T1, 0x40, initiator)); /* NOC_CMD_CTRL */
    rv_emit(p, rv_bne(RV_T1, RV_ZERO, -4));
}

/* An initiator's register becomes a constant. */
static inline void noc_emit_set(struct rv_program *p, unsigned initiator, int32_t offset, uint32_t value)
{
    rv_emit_li(p, RV_T1, value);
    rv_emit(p, rv_sw(RV_T1, offset, initiator));
}

static inline void noc_emit_counted(struct rv_program *p, unsigned niu, int32_t counter, unsigned expected)
{
    rv_emit(p, rv_lw(RV_T1, counter, niu));
    rv_emit(p, rv_bne(RV_T1, expected, -4));
}

static inline void noc_stream_program(struct rv_program *p, const struct noc_stream *s)
{
    enum {
        niu = RV_S0,
        reads = RV_S1,
        left = RV_S2,
        page = RV_S3,
        number = RV_S4,
        at = RV_S5,
        read = RV_S6,
        sent = RV_S7,
        word = RV_S8,
        other = RV_S9,
        count = RV_S10,
        t = RV_T2
    };
    p->size_bytes = 0;
    rv_emit_firmware_csr(p);
    rv_emit_li(p, niu, NOC_NIU + s->noc * UINT32_C(0x10000));
    rv_emit_li(p, left, s->blocks);
    rv_emit(p, rv_addi(number, RV_ZERO, 1));
    if (s->receivers != 0) {
        rv_emit_li(p, reads, NOC_NIU + s->noc * UINT32_C(0x10000) + NOC_INITIATOR_BYTES);
        noc_emit_set(p, reads, 0x1C, NOC_CTRL_READ);
        noc_emit_set(p, reads, 0x04, 0);
        noc_emit_set(p, reads, 0x10, 0);
        noc_emit_set(p, reads, 0x14, s->self);
        noc_emit_set(p, reads, 0x20, NOC_PAGE);
        noc_emit_set(p, niu, 0x04, 0);
        noc_emit_set(p, niu, 0x08, s->self);
        noc_emit_set(p, niu, 0x10, 0);
        noc_emit_set(p, niu, 0x14, s->far);
        rv_emit(p, rv_lw(read, 0x208, niu));
        rv_emit(p, rv_lw(sent, 0x204, niu));
        rv_emit_li(p, page, s->page);
        rv_emit_li(p, at, s->buffer);
        rv_emit_li(p, other, NOC_BLOCK_BYTES);
        rv_emit_li(p, word, s->room);
        rv_emit_li(p, count, 2 * s->receivers);
    } else {
        rv_emit_li(p, reads, NOC_NIU + s->noc * UINT32_C(0x10000) + 3 * NOC_INITIATOR_BYTES);
        noc_emit_set(p, reads, 0x1C, NOC_CTRL_INCREMENT);
        noc_emit_set(p, reads, 0x00, s->room);
        noc_emit_set(p, reads, 0x04, 0);
        noc_emit_set(p, reads, 0x08, s->far);
        noc_emit_set(p, reads, 0x0C, s->copy); /* where an answer would go */
        noc_emit_set(p, reads, 0x10, 0);
        noc_emit_set(p, reads, 0x14, s->self);
        noc_emit_set(p, reads, 0x20, 1 << 12 | 31 << 2 | (s->room >> 2 & 3)); /* increment, 32 bits */
        noc_emit_set(p, reads, 0x28, 1);                                      /* NOC_AT_DATA */
        rv_emit_li(p, word, s->number);
    }
    const uint32_t top = p->size_bytes;
    if (s->receivers != 0) {
        for (unsigned k = 0; k < NOC_BLOCK_PAGES; k++) {
            noc_emit_free(p, reads);
            rv_emit(p, rv_sw(page, 0x00, reads));
            noc_emit_set(p, reads, 0x08, s->bank[k]);
            rv_emit_li(p, t, k * NOC_PAGE);
            rv_emit(p, rv_add(t, t, at));
            rv_emit(p, rv_sw(t, 0x0C, reads));
            noc_emit_set(p, reads, 0x40, 1);
        }
        rv_emit(p, rv_addi(read, read, NOC_BLOCK_PAGES));
        noc_emit_counted(p, niu, 0x208, read);
        rv_emit_li(p, t, s->receivers);
        noc_emit_counted(p, word, 0, t);
        rv_emit(p, rv_sw(RV_ZERO, 0, word));
        rv_emit_li(p, t, s->copy);
        rv_emit(p, rv_sw(number, 0, t));
        noc_emit_free(p, niu);
        noc_emit_set(p, niu, 0x1C, NOC_CTRL_LINKED);
        rv_emit(p, rv_sw(at, 0x00, niu));
        rv_emit(p, rv_sw(at, 0x0C, niu));
        noc_emit_set(p, niu, 0x20, NOC_BLOCK_BYTES);
        noc_emit_set(p, niu, 0x40, 1);
        noc_emit_free(p, niu);
        noc_emit_set(p, niu, 0x1C, NOC_CTRL_MULTICAST);
        rv_emit(p, rv_sw(t, 0x00, niu));
        noc_emit_set(p, niu, 0x0C, s->number);
        noc_emit_set(p, niu, 0x20, 4);
        noc_emit_set(p, niu, 0x40, 1);
        rv_emit(p, rv_add(sent, sent, count));
        noc_emit_counted(p, niu, 0x204, sent);
        rv_emit(p, rv_add(at, at, other)); /* the other half of the room */
        rv_emit(p, rv_sub(other, RV_ZERO, other));
        rv_emit_li(p, t, NOC_PAGE);
        rv_emit(p, rv_add(page, page, t));
    } else {
        noc_emit_free(p, reads);
        noc_emit_set(p, reads, 0x40, 1);
        noc_emit_counted(p, word, 0, number);
    }
    rv_emit(p, rv_addi(number, number, 1));
    rv_emit(p, rv_addi(left, left, -1));
    rv_emit(p, rv_bne(left, RV_ZERO, rv_back(p, top)));
    rv_emit_li(p, t, s->done);
    rv_emit(p, rv_addi(RV_T1, RV_ZERO, 1));
    rv_emit(p, rv_sw(RV_T1, 0, t));
    rv_emit(p, rv_jal(RV_ZERO, 0));
}

/* Memory before the run: bytes of a tile or bank at an address, no two places alike for a while. */
static inline void noc_fill(void *data, uint32_t bytes, uint32_t owner, uint32_t address)
{
    uint8_t *out = data;
    for (uint32_t i = 0; i < bytes; i += 4) {
        uint32_t word = ((address + i) ^ owner << 20) * UINT32_C(0x9E3779B1);
        word ^= word >> 15;
        memcpy(out + i, &word, 4);
    }
}

/* A core that waits `cycles` on the wall clock, then stores 1 to `word`. */
static inline void noc_wait_clock_program(struct rv_program *p, uint32_t cycles, uint32_t word)
{
    p->size_bytes = 0;
    rv_emit_firmware_csr(p);
    rv_emit_li(p, RV_A0, 0xFFB121F0); /* wall clock, low half (manual TensixTile/BabyRISCV/README) */
    rv_emit_li(p, RV_A1, cycles);
    rv_emit_li(p, RV_A2, word);
    rv_emit(p, rv_addi(RV_A3, RV_ZERO, 1));
    rv_emit(p, rv_lw(RV_T1, 0, RV_A0));
    rv_emit(p, rv_lw(RV_T2, 0, RV_A0));
    rv_emit(p, rv_sub(RV_T2, RV_T2, RV_T1));
    rv_emit(p, rv_bltu(RV_T2, RV_A1, -8));
    rv_emit(p, rv_sw(RV_A3, 0, RV_A2));
    rv_emit(p, rv_jal(RV_ZERO, 0));
}

/* A core that polls the word `semaphore` until it is 1, then stores 1 to `word`. */
static inline void noc_wait_semaphore_program(struct rv_program *p, uint32_t semaphore, uint32_t word)
{
    p->size_bytes = 0;
    rv_emit_firmware_csr(p);
    rv_emit_li(p, RV_A0, semaphore);
    rv_emit_li(p, RV_A2, word);
    rv_emit(p, rv_addi(RV_A3, RV_ZERO, 1));
    rv_emit(p, rv_lw(RV_T1, 0, RV_A0));
    rv_emit(p, rv_bne(RV_T1, RV_A3, -4));
    rv_emit(p, rv_sw(RV_A3, 0, RV_A2));
    rv_emit(p, rv_jal(RV_ZERO, 0));
}

#endif
