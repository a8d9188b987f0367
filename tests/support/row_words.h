/* SPDX-License-Identifier: Apache-2.0 */
/* Random instructions for rows of them: of the Vector Unit, the Matrix Unit, unpackers and packer, and what comes between them.
 * Who includes it has test_random and test_below (chip.h). */
#ifndef KERR_TESTS_ROW_WORDS_H
#define KERR_TESTS_ROW_WORDS_H

#include <stdint.h>

static inline uint32_t replay(unsigned index, unsigned count, unsigned load)
{
    return 0x04u << 24 | index << 14 | count << 4 | load;
}

/* Of the Vector Unit, with all that it has: rows of them are a path of their own.  Most read what the one before wrote. */
static inline uint32_t vector_word(test_random *random)
{
    static const uint8_t opcode[] = {0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x7B,
                                     0x7C, 0x7D, 0x7E, 0x7F, 0x80, 0x81, 0x82, 0x83, 0x84, 0x84, 0x85, 0x86,
                                     0x87, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F, 0x90, 0x91, 0x92,
                                     0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x84, 0x84, 0x79, 0x70, 0x72, 0x38,
                                     0x8A, 0x8A, 0x8A, 0x8A, 0x8A, 0x8A, 0x79, 0x79, 0x7A};
    static const uint8_t loadi_mode[] = {0, 1, 2, 4, 8, 10};
    const uint32_t op = opcode[test_below(random, sizeof opcode)], any = test_below(random, 1u << 24);
    const uint32_t few = any & 0xFFF33F; /* LReg 0 to 3, so that hazards are frequent; any mode */
    switch (op) {
    case 0x38: return op << 24 | 2u << 14;
    case 0x70:
    case 0x72: return op << 24 | (any & 0x7FE3FF);
    case 0x71: return op << 24 | (any & 0x30FFFF) | (uint32_t)loadi_mode[any % 6] << 16;
    case 0x73: return op << 24 | (any & 0x3F0000);
    case 0x84:
    case 0x85:
    case 0x86:
    case 0x98: return op << 24 | (few & 0x033333 & ~0xFu) | (any & 7 ? any & 3 : any >> 20);
    case 0x8E: return op << 24 | (few & 0x7FFFFF);
    case 0x8F: return op << 24;
    case 0x90: return op << 24 | (few & 0xF37);
    case 0x91:
        return op << 24 | (any & 0xF00000 ? any & 0x70 : any & 0xF000F0) | 1; /* SFPCONFIG, seldom of LaneConfig */
    case 0x92:
        return op << 24 | (few & (any >> 12 & 7 ? 0x33F : UINT32_MAX)); /* SFPSWAP, mostly without reserved bits */
    case 0x95: return op << 24 | (few & 0x0F003F);
    case 0x87:
    case 0x88: return op << 24 | (any & 3 ? 0 : any >> 20);
    case 0x8A: return op << 24 | (any & 0xF00 ? 3u << 12 | 10 : any & 0x300F); /* mostly: all lanes again */
    default: return op << 24 | few;
    }
}

static inline uint32_t other_word(test_random *random, unsigned thread)
{
    const uint32_t word = 12 + thread, any = test_below(random, 256);
    switch (test_below(random, 16)) {
    case 0:
    case 1: return 0x02u << 24;                                                             /* NOP */
    case 2: return 0x38u << 24 | (any & 15) << 14 | (any >> 4) << 6;                        /* INCRWC */
    case 3: return 0x52u << 24;                                                             /* INCADCXY */
    case 4: return 0xB2u << 24 | (28 + thread) << 16 | any;                                 /* SETC16 */
    case 5: return 0xB4u << 24 | 0xFFu << 16 | any << 8 | word;                             /* RMWCIB1 */
    case 6: return 0xB0u << 24 | (2 + any % 4) << 16 | word;                                /* WRCFG */
    case 7: return 0xB1u << 24 | (2 + any % 4) << 16 | word;                                /* RDCFG */
    case 8: return 0x45u << 24 | any << 8 | (4 + any % 8);                                  /* SETDMAREG */
    case 9: return 0x58u << 24 | (2 + any % 4) << 12 | 1u << 6 | 2;                         /* ADDDMAREG */
    case 10: return (any & 1 ? 0xA4u : 0xA5u) << 24 | 4u << thread;                         /* SEMPOST, SEMGET */
    case 11: return 0xA2u << 24 | (1u << any % 9) << 15 | (any & 16 ? 1u << 12 : 1u << 11); /* STALLWAIT C12, C11 */
    default: return 0x8Fu << 24;                                                            /* SFPNOP */
    }
}

/* What programs are of, with something else now and then. */
typedef enum program_kind { OTHERS, VECTOR, DATA, MATRIX, ELEMENTS } program_kind;

/* ELEMENTS: ELWMUL, ELWADD, ELWSUB, otherwise MVMUL, DOTPV, GMPOOL and GAPOOL as well, which find no 16 rows behind row 48 of SrcA;
 * onto few blocks of Dst.  Now and then a flip, a broadcast, reserved bits, or something else of the unit. */
static inline uint32_t matrix_word(test_random *random, program_kind kind)
{
    static const uint8_t opcode[] = {0x27, 0x27, 0x28, 0x28, 0x30, 0x26, 0x26, 0x26, 0x26, 0x29, 0x33, 0x34, 0x34};
    const uint32_t op = opcode[test_below(random, kind == ELEMENTS ? 5 : sizeof opcode)],
                   any = test_below(random, 1u << 24);
    const uint32_t rare = any >> 20 ? 0 : any & 7 ? any << 3 & 0xF80000 : 0x3C00;
    switch (test_below(random, 64)) {
    case 0: return 0x10u << 24 | (any & 7) << 14 | (any & 0x3FF);                              /* ZEROACC */
    case 1: return 0x10u << 24 | 1u << 19 | (any & 7) << 14 | (any & 7);                       /* of 16 rows */
    case 2: return 0x37u << 24 | (any & (kind == ELEMENTS ? 0x1FFCF : 0x1FC0F));               /* SETRWC */
    case 3: return (any & 1 ? 0x08u : 0x0Au) << 24 | (any & 0x7FC000) | 1u << 13 | (any & 63); /* MOVD2A, MOVD2B */
    case 4: return 0x12u << 24 | (any & 0x7FC000) | 1u << 13 | (any & 63);                     /* MOVA2D */
    default: return op << 24 | rare | (any & (op >= 0x33 ? 0x38000 : 0x1C000)) | (any >> 20 & 1) << 3;
    }
}

/* PACR, INCADCZW, SETADCZW. */
static inline uint32_t packing(test_random *random)
{
    const uint32_t any = test_below(random, 1u << 16);
    if (any % 64 == 0)
        return 0x54u << 24 | 4u << 21 | 15; /* SETADCZW: back to the first row */
    if (any % 9 == 4)                       /* INCADCZW, mostly of the packer alone */
        return 0x55u << 24 | (any % 36 == 4 ? any >> 13 : 4u) << 21 | (any >> 6 & 3) << 6 | (any >> 8 & 3) << 12;
    return 0x41u << 24 | (any % 32 == 1 ? 1u << 17 : 0) | (any >> 5 & 3) << 15 | (any % 16 == 2 ? any >> 12 : 0) << 8 |
           (any >> 7 & 1) << 4 | (any >> 8) % 8 / 7;
}

/* UNPACR of a face, SETADCZW. */
static inline uint32_t unpacking(test_random *random)
{
    const uint32_t any = test_below(random, 1u << 16);
    if (any % 6 == 0)
        return 0x54u << 24 | 1u << 21 | 15;
    return 0x42u << 24 | (any % 32 != 1 ? 1u << 15 : 0) | (any % 64 == 7 ? 1u << 19 : 0) | 1u << 7 | 1;
}

static inline uint32_t row_word(test_random *random, unsigned thread, program_kind kind)
{
    if (kind == OTHERS || test_below(random, 40) == 0) {
        const uint32_t word = other_word(random, thread);
        return kind == MATRIX && word >> 24 == 0x38 ? word & ~0x3C0u : word; /* INCRWC: not of SrcA */
    }
    if (kind == MATRIX || kind == ELEMENTS)
        return thread == 1 ? matrix_word(random, kind) : other_word(random, thread);
    return kind == VECTOR || thread == 1 ? vector_word(random) : thread == 0 ? unpacking(random) : packing(random);
}

#endif
