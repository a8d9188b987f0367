/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a tile in Dst on the Vector Unit, for compute kernels: 32 datums at a time in a loop of RISCV T1, as a compiler makes it of
 * a kernel in C++ (nothing is played back).  bench/op_load.h has the same steps in C. */
#ifndef OP_SFPU_H
#define OP_SFPU_H

#if KERR_CORE == KERR_CORE_T1
enum { ZERO = 9, ONE = 10 };                       /* constant registers */
enum { FLOATB = 0, HIGH_HALF = 8, LOW_HALF = 10 }; /* of SFPLOADI */
#define LOAD_CONSTANT(lreg, bits)                                                                                      \
    do {                                                                                                               \
        TT_SFPLOADI(lreg, HIGH_HALF, (bits) >> 16);                                                                    \
        TT_SFPLOADI(lreg, LOW_HALF, (bits)&0xffff);                                                                    \
    } while (0)
#define ALL_LANES() TT_SFPENCC(0, 3, 0, 0, 10)

/* `step` for each 32 datums of a tile, a face after the other. */
#define SFPU_TILE(dst, step)                                                                                           \
    do {                                                                                                               \
        kerr_vector_begin(dst);                                                                                        \
        for (unsigned face_ = 0; face_ < KERR_FACES; face_++) {                                                        \
            _Pragma("GCC unroll 0") for (unsigned i_ = 0; i_ < KERR_FACE_DATUMS / 32; i_++) step;                      \
            kerr_vector_next_face();                                                                                   \
        }                                                                                                              \
        kerr_vector_end();                                                                                             \
    } while (0)

/* 1 / x of positive numbers: of the significand, and then the exponent. */
static inline void recip_32_datums(void)
{
    TT_SFPLOAD(0, 0, KERR_STAY, 0);
    TT_SFPSETEXP(0, 126, 0, 1, 1);
    TT_SFPSETSGN(0, 1, 1, 1, 1);
    LOAD_CONSTANT(2, OP_RECIP_K1);
    LOAD_CONSTANT(3, OP_RECIP_K0);
    TT_SFPMAD(1, 2, 3, 2, 0);
    TT_SFPLOADI(4, FLOATB, 0x4000); /* 2 */
    for (unsigned i = 0; i < OP_STEPS; i++) {
        TT_SFPMAD(1, 2, 4, 3, 0);
        TT_SFPMAD(2, 3, ZERO, 2, 0);
    }
    TT_SFPEXEXP(0, 0, 3, 1);
    TT_SFPEXEXP(0, 2, 4, 1);
    TT_SFPIADD(0, 4, 3, 2 | 4);
    TT_SFPIADD(126, 3, 3, 1 | 4);
    TT_SFPSETEXP(0, 0, 2, 3, 0);
    TT_SFPSTORE(3, 0, KERR_STAY, 0);
    TT_INCRWC(0, 0, 0, 2, 0, 0);
}

/* 1 / sqrt(x + OP_RSQRT_EPS). */
static inline void rsqrt_32_datums(void)
{
    TT_SFPLOAD(0, 0, KERR_STAY, 0);
    TT_SFPADDI(OP_RSQRT_EPS, 0, 0);
    TT_SFPSHFT(-1, 0, 1, 1 | 4);
    LOAD_CONSTANT(2, OP_RSQRT_MAGIC);
    TT_SFPIADD(0, 2, 1, 2 | 4);
    TT_SFPMULI(OP_RSQRT_HALF, 0, 0);
    TT_SFPLOADI(4, FLOATB, OP_RSQRT_3_2);
    for (unsigned i = 0; i < OP_STEPS; i++) {
        TT_SFPMAD(1, 1, ZERO, 2, 0);
        TT_SFPMAD(2, 0, 4, 2, 0);
        TT_SFPMAD(1, 2, ZERO, 1, 0);
    }
    TT_SFPSTORE(1, 0, KERR_STAY, 0);
    TT_INCRWC(0, 0, 0, 2, 0, 0);
}

static inline void sfpu_init(void)
{
    ALL_LANES();
}
static inline void recip_tile(uint32_t dst)
{
    SFPU_TILE(dst, recip_32_datums());
}
static inline void rsqrt_tile(uint32_t dst)
{
    SFPU_TILE(dst, rsqrt_32_datums());
}
#else
#define sfpu_init() ((void)0)
#define recip_tile(dst) ((void)(dst))
#define rsqrt_tile(dst) ((void)(dst))
#endif

#endif /* OP_SFPU_H */
