/* SPDX-License-Identifier: Apache-2.0 */
/* The Vector Unit (SFPU): manual VectorUnit, LReg and the pages SFP*.
 *
 * Three layers.  src/num/sfpu.h and num/fma_lanes.h know what becomes of bits.  The functions below are the instructions: they
 * get the unit's registers, the lanes in which to act and the operands, and know neither threads nor cycles, so that
 * SFPLOADMACRO can have them executed later as well; instructions.def has what else there is to know of them.  steps.c gives them what a thread has pushed: lanes, back door,
 * stalls (hazard.c), faults. */
#ifndef KERR_TENSIX_VECTOR_VECTOR_H
#define KERR_TENSIX_VECTOR_VECTOR_H

#include "tensix/files.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Fields of an instruction, by the manual's names.  What the pages have as VB = VD or VC = VD is done by whoever fills this in:
 * VD is only ever written, but for the instructions whose page reads it by that name (SFPLOAD, SFPSTORE). */
struct vector_operands {
    uint8_t VA, VB, VC, VD;
    uint8_t mod;      /* Mod0 or Mod1 */
    uint8_t rounding; /* RoundingMode of SFPSTOCHRND */
    bool use_imm;     /* UseImm5 of SFPSTOCHRND */
    int32_t imm;      /* Imm1, Imm2, Imm5, Imm8, Imm12 or Imm16; signed where the manual has it so */
};

typedef void vector_function(struct vector_files *v, uint32_t lanes, const struct vector_operands *o);

/* ---- Lanes: bit i of a mask is lane i ---- */

/* IsLaneEnabled of all lanes. */
uint32_t vector_lanes_enabled(const struct vector_files *v);
/* The lanes that ROW_MASK of LaneConfig takes out of them. */
uint32_t vector_lanes_masked(const struct vector_files *v);
/* The lanes with `bit` of LaneConfig, which some lane has. */
uint32_t vector_lanes_with_some(const struct vector_files *v, uint32_t bit);
/* The lanes with `bit` of LaneConfig. */
static inline uint32_t vector_lanes_with(const struct vector_files *v, uint32_t bit)
{
    return __builtin_expect((v->lane_config_any & bit) != 0, 0) ? vector_lanes_with_some(v, bit) : 0;
}
/* LaneConfig was written. */
void vector_lane_config_changed(struct vector_files *v);

/* Whether results go there (manual: VD < 8 || VD == 16). */
static inline bool vector_writable(unsigned VD)
{
    return VD < 8 || VD == 16;
}

/* ---- Instructions: simple.c, flags.c, exchange.c, config.c, round.c, mad.c (written at once; v->mad remembers what was there
 * before) ---- */

#define SFP(name, function, ...) vector_function function;
#define SFP_OWN(...)
#include "tensix/vector/instructions.def"
/* Those whose steps are their own. */
vector_function vector_pushc, vector_popc, vector_shft2, vector_loadi;
/* How many entries the stacks of all lanes have; below zero: not the same in all of them. */
static inline int vector_stack_depth(const struct vector_files *v)
{
    uint64_t eight[LANES / 8];
    memcpy(eight, v->flag_stack_size, sizeof eight);
    const uint64_t same = eight[0] % 256 * UINT64_C(0x0101010101010101);
    const uint64_t differ = (eight[0] ^ same) | (eight[1] ^ same) | (eight[2] ^ same) | (eight[3] ^ same);
    return differ == 0 ? (int)(eight[0] % 256) : -1;
}
/* Lanes whose stack is full, is empty. */
uint32_t vector_stack_full(const struct vector_files *v);
uint32_t vector_stack_empty(const struct vector_files *v);
/* SFPSWAP in two halves, a cycle each: which lanes are exchanged, and the exchange. */
uint32_t vector_swap_lanes(const struct vector_files *v, uint32_t lanes, const struct vector_operands *o);
vector_function vector_swap;
/* ... and both, where nothing comes in between. */
vector_function vector_swap_at_once;
/* Lanes in which VD gets the smaller one, of a mode that compares. */
uint32_t vector_swap_min(unsigned mod);
/* SFPCONFIG; its lanes are its own: the eight columns, for which row 0 stands. */
uint32_t vector_config_lanes(const struct vector_files *v);

/* ---- Random numbers (prng.c) ---- */

/* AdvancePRNG in some lanes: what it returns. */
void vector_random(struct vector_files *v, uint32_t lanes, uint32_t random[LANES]);
/* A core has stored to PRNG_SEED. */
void vector_seed(struct vector_files *v, uint32_t seed);

/* ---- Load and store (load_store.c) ---- */

/* Where in Dst: a row group of four and the odd columns, or not, from Addr. */
struct vector_dst {
    uint32_t access; /* dst_access (regs/matrix_unit.h) */
    unsigned Addr;   /* 10 bits */
};
/* mod: any but MOD0_FMT_SRCB. */
/* Whether SFPLOAD, SFPSTORE with this Mod0, resolved, is of Dst32b. */
bool vector_is_wide(unsigned Mod0, bool load);
void vector_load(struct tensix_files *files, uint32_t lanes, const struct vector_operands *o, struct vector_dst at);
/* Whether a load finds what a store leaves. */
bool vector_meet(const struct vector_files *v, const struct vector_operands *load, struct vector_dst from,
                 const struct vector_operands *store, struct vector_dst to);
void vector_store(struct tensix_files *files, uint32_t lanes, const struct vector_operands *o, struct vector_dst at);

#endif
