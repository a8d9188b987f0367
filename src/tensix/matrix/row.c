/* SPDX-License-Identifier: Apache-2.0 */
/* What multiply.c and elementwise.c do for one instruction, for several that follow each other out of an expander.  Between
 * them only row counters, the fidelity phase and Dst change.
 *
 * tests/same/rows.c compares it with the plain form, cycle by cycle. */
#include "tensix/matrix/row.h"
#include "tensix/matrix/unit.h"

#include "base/bits.h"

#include "cfg_fields.h"

#include <string.h>

/* ---- Row counters ---------------------------------------------------------------------------------------------------- */

/* Those of struct tensix_rwc, 16 bits each. */
enum { AT_SRC_A = 0, AT_SRC_B = 16, AT_DST = 32, AT_PHASE = 48 };
#define COUNTER(x, at) ((uint64_t)(x) << (at))
#define WHOLE(condition, at) ((condition) ? COUNTER(0xFFFF, at) : 0)

struct counters {
    uint64_t now, cr;
};

static struct counters counters_of(const struct tensix_rwc *rwc)
{
    return (struct counters){.now = COUNTER(rwc->src_a, AT_SRC_A) | COUNTER(rwc->src_b, AT_SRC_B) |
                                    COUNTER(rwc->dst, AT_DST) | COUNTER(rwc->fidelity_phase, AT_PHASE),
                             .cr = COUNTER(rwc->src_a_cr, AT_SRC_A) | COUNTER(rwc->src_b_cr, AT_SRC_B) |
                                   COUNTER(rwc->dst_cr, AT_DST)};
}

static void counters_to(struct tensix_rwc *rwc, struct counters c)
{
    rwc->src_a = (uint8_t)(c.now >> AT_SRC_A);
    rwc->src_b = (uint8_t)(c.now >> AT_SRC_B);
    rwc->dst = (uint16_t)(c.now >> AT_DST);
    rwc->fidelity_phase = (uint8_t)(c.now >> AT_PHASE);
    rwc->src_a_cr = (uint8_t)(c.cr >> AT_SRC_A);
    rwc->src_b_cr = (uint8_t)(c.cr >> AT_SRC_B);
    rwc->dst_cr = (uint16_t)(c.cr >> AT_DST);
}

/* section: as in rwc.c. */
static uint64_t address_mode_key(const uint16_t *section)
{
    return 1 + ((uint64_t)section[ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32] << 16 | section[ADDR_MOD_DST_SEC0_DestIncr_ADDR32]);
}

static __attribute__((noinline)) void make_address_mode(struct matrix_address_mode *mode, const uint16_t *section)
{
    const bool a_clear = CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcAClear),
               a_cr = CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcACR);
    const bool b_clear = CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcBClear),
               b_cr = CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcBCR);
    const bool clear = CFG_FIELD(section, ADDR_MOD_DST_SEC0_DestClear);
    const bool to_cr = CFG_FIELD(section, ADDR_MOD_DST_SEC0_DestCToCR);
    const bool cr = CFG_FIELD(section, ADDR_MOD_DST_SEC0_DestCR);
    mode->key = address_mode_key(section);
    mode->increment = COUNTER(CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcAIncr), AT_SRC_A) |
                      COUNTER(CFG_FIELD(section, ADDR_MOD_AB_SEC0_SrcBIncr), AT_SRC_B) |
                      COUNTER(CFG_FIELD(section, ADDR_MOD_DST_SEC0_DestIncr), AT_DST) |
                      COUNTER(CFG_FIELD(section, ADDR_MOD_DST_SEC0_FidelityIncr), AT_PHASE);
    mode->from_cr = WHOLE(a_cr, AT_SRC_A) | WHOLE(b_cr, AT_SRC_B) | WHOLE(cr && !to_cr, AT_DST);
    mode->keep = COUNTER(a_clear ? 0 : RWC_SRC_MASK, AT_SRC_A) | COUNTER(b_clear ? 0 : RWC_SRC_MASK, AT_SRC_B) |
                 COUNTER(clear ? 0 : RWC_DST_MASK, AT_DST) |
                 COUNTER(CFG_FIELD(section, ADDR_MOD_DST_SEC0_FidelityClear) ? 0 : 3, AT_PHASE);
    mode->to_cr =
        WHOLE(a_clear || a_cr, AT_SRC_A) | WHOLE(b_clear || b_cr, AT_SRC_B) | WHOLE(clear || cr || to_cr, AT_DST);
}

/* rwc_apply_addr_mod. */
static inline struct counters counters_step(struct counters c, struct matrix_address_mode *mode,
                                            const uint16_t *section)
{
    if (UNLIKELY(mode->key != address_mode_key(section)))
        make_address_mode(mode, section);
    const uint64_t from = c.now ^ ((c.now ^ c.cr) & mode->from_cr);
    c.now = (from + mode->increment) & mode->keep;
    c.cr ^= (c.cr ^ c.now) & mode->to_cr;
    return c;
}

/* ---- Instructions ---------------------------------------------------------------------------------------------------- */

/* As isa/tensix.isa has them. */
enum {
    OPCODE_FIRST = 0x26,
    OPCODE_MVMUL = 0x26,
    OPCODE_ELWMUL = 0x27,
    OPCODE_ELWADD = 0x28,
    OPCODE_DOTPV = 0x29,
    OPCODE_ELWSUB = 0x30,
    OPCODE_GAPOOL = 0x34
};

enum { FLIP_SRC_A = 1 << 22, FLIP_SRC_B = 1 << 23 }; /* of all of them */

/* What is done to a word of an opcode; all of them have DstRow in bits 9:0. */
enum kind { PRODUCTS, SUMS, DIFFERENCES, PRODUCTS_OF_ELEMENTS };
struct decoding {
    uint32_t bits; /* that it may have */
    uint8_t kind;
    uint8_t op; /* enum tensix_op */
    uint8_t rows;
    uint8_t AddrMod_at;
};
enum {
    BITS = 3 << 22 | 0x3FF,                   /* flips, DstRow */
    BITS_MVMUL = BITS | 7 << 14,              /* AddrMod; no BroadcastSrcBRow */
    BITS_ELEMENTS = BITS | 7 << 19 | 7 << 14, /* and others with a meaning or none */
    BITS_GAPOOL = BITS | 1 << 19 | 7 << 15 | 1 << 14
};
static const struct decoding decodings[] = {
    [OPCODE_MVMUL - OPCODE_FIRST] = {BITS_MVMUL, PRODUCTS, TENSIX_MVMUL, MATRIX_ROWS, 14},
    [OPCODE_DOTPV - OPCODE_FIRST] = {BITS_ELEMENTS, PRODUCTS, TENSIX_DOTPV, MATRIX_ROWS, 14},
    [OPCODE_GAPOOL - OPCODE_FIRST] = {BITS_GAPOOL, PRODUCTS, TENSIX_GAPOOL, MATRIX_ROWS / 2, 15},
    [OPCODE_ELWADD - OPCODE_FIRST] = {BITS_ELEMENTS, SUMS, TENSIX_ELWADD, MATRIX_ROWS, 14},
    [OPCODE_ELWSUB - OPCODE_FIRST] = {BITS_ELEMENTS, DIFFERENCES, TENSIX_ELWSUB, MATRIX_ROWS, 14},
    [OPCODE_ELWMUL - OPCODE_FIRST] = {BITS_ELEMENTS, PRODUCTS_OF_ELEMENTS, TENSIX_ELWMUL, MATRIX_ROWS, 14},
};

/* NULL: not for rows. */
static inline const struct decoding *decoding_of(uint32_t word)
{
    const unsigned index = (word >> 24) - OPCODE_FIRST;
    if (index >= sizeof decodings / sizeof *decodings || decodings[index].bits == 0 ||
        (word & 0xFFFFFF & ~decodings[index].bits) != 0)
        return NULL;
    return &decodings[index];
}

/* ELWADD, ELWSUB, ELWMUL: AddDst 21, BroadcastSrcBRow 20, BroadcastSrcBCol0 19. */
static inline struct matrix_elementwise_form form_of(uint32_t word, unsigned kind)
{
    return (struct matrix_elementwise_form){.op = kind == SUMS          ? MATRIX_ADD
                                                  : kind == DIFFERENCES ? MATRIX_SUBTRACT
                                                                        : MATRIX_MULTIPLY,
                                            .b_step = ~word >> 20 & 1,
                                            .b_column_0 = word >> 19 & 1,
                                            .add_dst = kind == PRODUCTS_OF_ELEMENTS || (word >> 21 & 1)};
}

/* ---- Rows ------------------------------------------------------------------------------------------------------------ */

/* What an instruction goes by. */
struct now {
    struct tensix_files *files;
    struct matrix_cache *cache;
    matrix_multiply_function *multiply;
    matrix_elementwise_function *elementwise;
    const uint32_t *a, *b; /* the banks */
    struct matrix_cached_a *cached_a;
    struct matrix_cached_b *cached_b;
    unsigned same_a, same_b; /* bit i: the cache has the cells of the bank from row 8 * i on */
    uint32_t access;         /* of Dst */
    unsigned base;           /* of rows of Dst */
    unsigned phase;          /* FIDELITY_BASE_Phase */
    struct matrix_mode mode;
    const struct fast_mode *fast;
    uint64_t recent; /* byte i: 1 + the block that was written i + 1 cycles ago; 0: none */
};

static bool formats_are_known(const tensix_step *s, const uint32_t *config)
{
    enum { CODE_12 = 12, CODE_13 = 13 };
    const unsigned a = src_format(s, config, SRC_A), b = src_format(s, config, SRC_B);
    return a != CODE_12 && a != CODE_13 && b != CODE_12 && b != CODE_13;
}

/* Blocks of eight rows stand together in DstBits, as Dst16b and as Dst32b. */
static bool blocks_stand_together(uint32_t access, bool dst32)
{
    return !(access & DST_ACCESS_HIGH_HALVES) && !(dst32 && access & DEST_ACCESS_CFG_swizzle_32b_MASK);
}

/* False: the next instruction waits, or something is special. */
static bool look(tensix_step *s, struct now *n)
{
    const uint32_t *config = step_config(s);
    if (matrix_held(s) || src_matrix_waits(s, SRC_A) || src_matrix_waits(s, SRC_B) || !formats_are_known(s, config) ||
        !matrix_mode_of(s, config, &n->mode))
        return false;
    n->access = dst_access(s, config);
    if (!blocks_stand_together(n->access, n->mode.dst32))
        return false;
    n->files = tile_tensix_files(s->tile);
    n->cache = tile_matrix_cache(s->tile);
    n->a = matrix_source(n->files, s, SRC_A, 0);
    n->b = matrix_source(n->files, s, SRC_B, 0);
    n->cached_a = n->cache->a[s->tx->src[SRC_A].matrix_bank];
    n->cached_b = n->cache->b[s->tx->src[SRC_B].matrix_bank];
    n->same_a = n->same_b = 0;
    n->base = matrix_dst_row(s, config, 0) - s->t->rwc.dst;
    n->phase = CFG_FIELD(s->t->config, FIDELITY_BASE_Phase);
    n->fast = matrix_fast_mode(&n->mode);
    const struct matrix_forms *forms = matrix_forms(matrix_best());
    n->multiply = n->mode.a == MATRIX_INT8 ? forms->multiply_integers : forms->multiply;
    n->elementwise = forms->elementwise;
    const uint64_t since = s->cycle - s->tx->matrix.written;
    n->recent = since - 1 < 8 ? s->tx->matrix.blocks << 8 * (since - 1) : 0;
    return true;
}

static inline void multiply(struct now *n, unsigned a_row, unsigned b_row, unsigned rows, uint16_t *dst)
{
    const unsigned a_bit = a_row / 8, b_bit = b_row / 8;
    const unsigned how = (n->same_a >> a_bit & 1) * MATRIX_SAME_A | (n->same_b >> b_bit & 1) * MATRIX_SAME_B |
                         (rows == MATRIX_ROWS ? 0 : MATRIX_FOUR_ROWS);
    const unsigned kept = n->multiply(n->fast, n->a + a_row * SRC_COLUMNS, n->b + b_row * SRC_COLUMNS, dst,
                                      &n->cached_a[a_row / 16], &n->cached_b[b_row / 8], how);
    /* Two blocks of SrcA have one place. */
    n->same_a = (n->same_a & ~(3u << (a_bit & 6))) | (kept / MATRIX_SAME_A & 1) << a_bit;
    n->same_b = (n->same_b & ~(1u << b_bit)) | (kept / MATRIX_SAME_B & 1) << b_bit;
}

/* For how many cycles `block` cannot be read yet (matrix_block_free). */
static inline unsigned block_waits(uint64_t recent, unsigned block)
{
    const uint64_t ones = UINT64_C(0x0101010101), other = (recent & ones * 0xFF) ^ ones * (block + 1);
    const uint64_t same = (other - ones) & ~other & ones << 7;
    _Static_assert(COST_DST_BLOCK - 1 == 5, "bytes of ones");
    return LIKELY(same == 0) ? 0 : COST_DST_BLOCK - 1 - (unsigned)__builtin_ctzll(same) / 8;
}

/* Undefined rows among `count` from row `first` of DstBits on, all of one block, become zero and valid. */
static __attribute__((noinline)) void define_rows(struct tensix_files *files, bool dst32, unsigned first,
                                                  uint32_t undefined)
{
    for (unsigned i = 0; i < MATRIX_ROWS; i++)
        if (undefined >> i & 1) {
            memset(files->DstBits[first + i], 0, sizeof files->DstBits[0]);
            if (dst32)
                memset(files->DstBits[first + i + DST_LOW_HALF], 0, sizeof files->DstBits[0]);
        }
    files->dst_row_undefined[first / 32] &= ~(undefined << first % 32);
}

unsigned matrix_run_row(tensix_step *s, struct matrix_row *row)
{
    struct tensix *tx = s->tx;
    struct now n;
    uint64_t cycle = s->cycle;
    unsigned k = 0;
    row->waits = 0;
    if (decoding_of(row->words[row->first & row->mask]) == NULL || !look(s, &n))
        return 0;
    struct counters c = counters_of(&s->t->rwc);
    uint32_t flips = 0;
    for (; k < row->count && flips == 0; k++) {
        const uint32_t word = row->words[(row->first + k) & row->mask];
        const struct decoding *d = decoding_of(word);
        if (d == NULL)
            break;
        const unsigned rows = d->rows;
        const unsigned a_row = (unsigned)(c.now >> AT_SRC_A) & 0x38;
        if (UNLIKELY(d->kind == PRODUCTS && a_row + 16 > SRC_ROWS))
            break;
        const unsigned at = (word + n.base + (unsigned)(c.now >> AT_DST)) & (DST_ROWS - rows);
        const unsigned first = n.mode.dst32 ? dst_row32(n.access, at) : dst_row16(n.access, at);
        const unsigned waits = block_waits(n.recent, first / 8);
        if (cycle + waits >= row->until)
            break;
        if (UNLIKELY(waits != 0)) {
            row->waits += waits;
            row->waited_until = cycle += waits;
            n.recent <<= 8 * waits;
        }
        const unsigned phase = ((unsigned)(c.now >> AT_PHASE) + n.phase) & 3;
        if (phase != n.mode.phase) {
            n.mode.phase = (uint8_t)phase;
            n.fast = matrix_fast_mode(&n.mode);
        }
        const uint32_t undefined = n.files->dst_row_undefined[first / 32] >> first % 32 & ((1u << rows) - 1);
        if (UNLIKELY(undefined != 0))
            define_rows(n.files, n.mode.dst32, first, undefined);
        uint16_t *dst = n.files->DstBits[first];
        if (d->kind == PRODUCTS) {
            multiply(&n, a_row, (unsigned)(c.now >> AT_SRC_B) & 0x38, rows, dst);
        } else {
            const struct matrix_elementwise_form form = form_of(word, d->kind);
            const unsigned b_row = (unsigned)(c.now >> AT_SRC_B) & (form.b_step ? 0x38 : 0x3F);
            n.elementwise(n.fast, &form, n.a + a_row * SRC_COLUMNS, n.b + b_row * SRC_COLUMNS, dst);
        }
        matrix_used_srca_row(tx, a_row);
        n.recent = n.recent << 8 | (first / 8 + 1);
        const unsigned AddrMod = word >> d->AddrMod_at & 7;
        c = counters_step(c, &n.cache->address_mode[AddrMod], s->t->config + AddrMod);
        flips = word & (FLIP_SRC_A | FLIP_SRC_B);
        tx->ran[d->op]++;
        row->at[k] = cycle++;
    }
    if (k == 0)
        return 0;
    s->cycle = cycle - 1;
    counters_to(&s->t->rwc, c);
    tx->matrix.written = s->cycle;
    tx->matrix.blocks = n.recent;
    src_matrix_flips_if(s, flips & FLIP_SRC_A, flips & FLIP_SRC_B);
    return k;
}
