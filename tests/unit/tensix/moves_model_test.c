/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Moves between SrcA, SrcB and Dst, whole rows at once, against a plain model that goes cell by cell and field by field, on
 * random state, configuration and instructions.  The argument is the number of instructions. */
#include "unit/tensix/exec.h"

typedef struct rng {
    uint64_t x;
} rng;

static uint32_t draw(rng *r)
{
    r->x ^= r->x << 13;
    r->x ^= r->x >> 7;
    r->x ^= r->x << 17;
    return (uint32_t)(r->x >> 16);
}

/* ---- The model ------------------------------------------------------------------------------------------------ */

typedef struct model {
    struct tensix_files files;
    const struct tensix *tx; /* before the instruction */
    uint32_t config0, config1, config2, access;
    bool dst16_is_high_half;
} model;

/* A cell as fields. */
typedef struct number {
    unsigned sign, man10, exp8;
} number;

static number of_cell(uint32_t cell)
{
    return (number){cell >> 18 & 1, cell >> 8 & 0x3FF, cell & 0xFF};
}
static uint32_t to_cell(number n)
{
    return n.sign << 18 | n.man10 << 8 | n.exp8;
}

static unsigned adj16(const model *m, unsigned r)
{
    unsigned bit[10], out = 0;
    for (unsigned i = 0; i < 10; i++)
        bit[i] = r >> i & 1;
    if (m->access & 2) { /* remap_addrs: bits 5:3 turn by one */
        const unsigned b3 = bit[3];
        bit[3] = bit[4], bit[4] = bit[5], bit[5] = b3;
    }
    for (unsigned i = 0; i < 10; i++)
        out |= bit[i] << i;
    return out;
}
static unsigned adj32(const model *m, unsigned row)
{
    unsigned r = adj16(m, row);
    if (m->access & 1) {
        const unsigned b2 = r >> 2 & 1, b3 = r >> 3 & 1, b4 = r >> 4 & 1;
        r = (r & ~0xCu) | b3 << 2 | (b4 ^ b2) << 3;
    }
    return (r >> 9 & 1) << 9 | (r >> 3 & 0x3F) << 4 | (r & 7);
}
static unsigned place16(const model *m, unsigned row)
{
    return m->dst16_is_high_half ? adj32(m, row) : adj16(m, row);
}

static void make_valid(model *m, unsigned at, bool wide)
{
    if (!(m->files.dst_row_undefined[at / 32] >> at % 32 & 1))
        return;
    m->files.dst_row_undefined[at / 32] &= ~(UINT32_C(1) << at % 32);
    for (unsigned c = 0; c < 16; c++) {
        m->files.DstBits[at][c] = 0;
        if (wide)
            m->files.DstBits[at + 8][c] = 0;
    }
}
static uint16_t read_half(const model *m, unsigned at, unsigned valid_at, unsigned c)
{
    return m->files.dst_row_undefined[valid_at / 32] >> valid_at % 32 & 1 ? 0 : m->files.DstBits[at][c];
}

static bool is(unsigned format, const char *set)
{
    for (; *set; set++)
        if (format == (unsigned)(*set <= '9' ? *set - '0' : *set - 'a' + 10))
            return true;
    return false;
}
#define EIGHT_BITS "04567f89" /* FP32 TF32 BF16 BFP8 BFP4 BFP2 INT32 INT16 */

static unsigned configured(const model *m, unsigned which)
{
    if (which == 0)
        return m->config0 >> 4 & 1 ? m->config0 & 15 : m->config1 >> 17 & 15;
    return m->config0 >> 9 & 1 ? m->config0 >> 5 & 15 : m->config1 >> 21 & 15;
}
static unsigned implied(const model *m, unsigned which)
{
    const struct tensix_src *s = &m->tx->src[which];
    return s->matrix_owns[s->matrix_bank] ? s->implied_format[s->matrix_bank] : m->tx->thread[0].config[4] >> 1 & 15;
}
static unsigned format_of(const model *m, unsigned implied_from, unsigned disable, unsigned configured_from)
{
    return m->tx->thread[0].config[2 + disable] & 1 ? configured(m, configured_from) : implied(m, implied_from);
}

static number truncated(number n, unsigned format)
{
    if (format == 4)
        return n;
    if (is(format, EIGHT_BITS))
        n.man10 &= ~7u;
    else
        n.exp8 &= 31;
    return n;
}
static bool blocked(const model *m, unsigned c)
{
    return m->files.vector.LaneConfig[c / 2] >> 9 >> (c & 1) & 1;
}
static uint32_t *cell_at(model *m, unsigned which, unsigned row, unsigned c)
{
    const unsigned bank = m->tx->src[which].matrix_bank;
    return which == 0 ? &m->files.SrcA[bank][row & 63][c] : &m->files.SrcB[bank][row & 63][c];
}

static void to_dst(model *m, unsigned which, unsigned src, unsigned dst, unsigned rows, bool repeat, bool column0,
                   bool low)
{
    unsigned format = which == 0 ? format_of(m, 0, 0, 0) : format_of(m, 1, 0, 0);
    const unsigned own = format_of(m, 1, 1, 1);
    if ((m->config1 >> 29 & 1) && format != 9)
        format = 4;
    const bool force = m->tx->thread[0].config[55] & 1;
    for (unsigned r = 0; r < rows; r++) {
        uint32_t cells[16];
        for (unsigned c = 0; c < 16; c++)
            cells[c] = *cell_at(m, which, src + (repeat ? 0 : r), column0 ? 0 : c);
        const unsigned at = format == 4 || low ? adj32(m, dst + r) : place16(m, dst + r);
        make_valid(m, at, format == 4 || low);
        for (unsigned c = 0; c < 16; c++) {
            number n = of_cell(cells[c]);
            if (!(m->config2 & 1) && n.exp8 == 0)
                n = (number){0};
            if (which == 1)
                n = truncated(n, own);
            const bool eight = !force && is(format, EIGHT_BITS);
            const uint16_t half = (uint16_t)(eight ? n.sign << 15 | n.man10 >> 3 << 8 | n.exp8
                                                   : n.sign << 15 | n.man10 << 5 | (n.exp8 & 31));
            if (blocked(m, c))
                continue;
            if (format == 4) {
                m->files.DstBits[at][c] = half;
                m->files.DstBits[at + 8][c] = (uint16_t)((n.man10 & 7) << 13);
            } else if (low) {
                m->files.DstBits[at + 8][c] = half;
            } else {
                m->files.DstBits[at][c] = half;
            }
        }
        if (!(format == 4 || low) && m->dst16_is_high_half) {
            bool any = false;
            for (unsigned c = 0; c < 16; c++)
                any = any || blocked(m, c);
            for (unsigned c = 0; c < 16 && !any; c++) /* what comes there is unpredictable; see regs/dst.h */
                m->files.DstBits[at + 8][c] = 0;
        }
    }
}

static void to_src(model *m, unsigned which, unsigned src, unsigned dst, unsigned rows, bool low)
{
    const bool force = m->tx->thread[0].config[55] & 1, wide = !force && (m->config1 >> 29 & 5) != 0;
    const unsigned format = force ? 1 : format_of(m, which, 0, 0);
    for (unsigned r = 0; r < rows; r++) {
        for (unsigned c = 0; c < 16; c++) {
            if (blocked(m, c))
                continue;
            const unsigned at = wide ? adj32(m, dst + r) : place16(m, dst + r);
            const uint16_t high = read_half(m, at, at, c), below = wide ? read_half(m, at + 8, at, c) : 0;
            const uint16_t half = wide && low ? below : high;
            number n = {half >> 15, (half >> 8 & 0x7Fu) << 3, half & 0xFF};
            if (!is(format, EIGHT_BITS))
                n = (number){half >> 15, half >> 5 & 0x3FF, half & 31};
            if (format == 4 && wide)
                n.man10 |= below >> 13;
            *cell_at(m, which, src + r, c) = format == 4 && wide && low ? below & 0x1FFFu : to_cell(n);
        }
    }
}

static unsigned dst_row(const model *m, uint32_t word)
{
    const struct tensix_thread *t = &m->tx->thread[0];
    return (word & 0x3FF) + (t->config[1] & 0xFFF) + t->rwc.dst + (m->tx->config[0][6] & 0xFFFF);
}

/* False: undefined. */
static bool step(model *m, uint32_t word)
{
    const struct tensix_rwc *rwc = &m->tx->thread[0].rwc;
    const unsigned row = word >> 17 & 63, a = row + rwc->src_a, b = row + rwc->src_b, dst = dst_row(m, word);
    const bool low = word >> 23 & 1, bit13 = word >> 13 & 1;
    const bool fp32 = m->config1 >> 29 & 1;
    switch (word >> 24) {
    case 0x12:
    case 0x09: {
        const unsigned rows = bit13 ? 8 : word >> 14 & 1 ? 4 : 1;
        const unsigned format = format_of(m, 0, 0, 0);
        if (low && ((fp32 && format != 9) || format == 4))
            return false;
        to_dst(m, 0, a & 63 & ~(rows - 1), dst & 1023 & ~(rows - 1), rows, false, false, low);
        return true;
    }
    case 0x13: {
        const bool eight = word >> 12 & 1;
        const unsigned rows = eight ? 8 : bit13 ? 4 : 1;
        const unsigned format = format_of(m, 1, 0, 0);
        if (low && ((fp32 && format != 9) || format == 4))
            return false;
        to_dst(m, 1, eight ? b & 63 : b & 63 & ~(rows - 1), dst & 1023 & ~(rows - 1), rows, eight, word >> 11 & 1, low);
        return true;
    }
    case 0x08:
    case 0x0A: {
        const unsigned which = word >> 24 == 0x0A, rows = bit13 ? 4 : 1;
        const bool force = m->tx->thread[0].config[55] & 1;
        if ((force || !(m->config1 >> 29 & 5)) && (low || (!force && format_of(m, which, 0, 0) == 4)))
            return false;
        to_src(m, which, (which ? b : a) & 63 & ~(rows - 1), dst & 1023 & ~(rows - 1), rows, low);
        return true;
    }
    case 0x0B: {
        const unsigned rows = bit13 ? 4 : 1, from = ((word & 63) + rwc->src_b) & 63 & ~(rows - 1);
        for (unsigned r = 0; r < rows; r++) {
            for (unsigned c = 0; c < 16; c++) {
                number n = of_cell(*cell_at(m, 1, from + r, c));
                if (!(m->config2 & 1) && n.exp8 == 0)
                    n = (number){0};
                if (!blocked(m, c))
                    *cell_at(m, 0, (a & 63 & ~(rows - 1)) + r, c) = to_cell(truncated(n, format_of(m, 1, 1, 1)));
            }
        }
        return true;
    }
    case 0x16:
        for (unsigned i = 0; i < 16; i++) {
            for (unsigned j = 0; j < i; j++) {
                const uint32_t ij = *cell_at(m, 1, 16 + i, j);
                *cell_at(m, 1, 16 + i, j) = *cell_at(m, 1, 16 + j, i);
                *cell_at(m, 1, 16 + j, i) = ij;
            }
        }
        return true;
    case 0x17:
        for (unsigned i = 0; i < 16; i++) {
            const unsigned in = (m->tx->src[0].last_row & 0x30) + i;
            if ((word & 3) == 2) {
                for (unsigned c = 15; c > 0; c--)
                    *cell_at(m, 0, i, c) = *cell_at(m, 0, in, c - 1);
                *cell_at(m, 0, i, 0) = 0;
            } else {
                for (unsigned c = 0; c < 15; c++)
                    *cell_at(m, 0, i, c) = *cell_at(m, 0, in, c + 1);
                *cell_at(m, 0, i, 15) = 0;
            }
        }
        return true;
    default: { /* SHIFTXB */
        const unsigned at = (word + rwc->src_b) & 63;
        const uint32_t first = *cell_at(m, 1, at, 0);
        for (unsigned c = 0; c < 15; c++)
            *cell_at(m, 1, at, c) = *cell_at(m, 1, at, c + 1);
        *cell_at(m, 1, at, 15) = word >> 10 & 1 ? 0 : first;
        return true;
    }
    }
}

/* ---- Random state ---------------------------------------------------------------------------------------------- */

static void random_files(rng *r, struct tensix_files *files)
{
    uint32_t *cells = &files->SrcA[0][0][0];
    for (unsigned i = 0; i < 2 * SRC_BANKS * SRC_ROWS * SRC_COLUMNS; i++)
        cells[i] = draw(r) & (draw(r) % 4 ? 0x7FFFF : 0x7FF00);
    for (unsigned row = 0; row < DST_ROWS; row++)
        for (unsigned c = 0; c < DST_COLUMNS; c++)
            files->DstBits[row][c] = (uint16_t)draw(r);
}

/* What may change from instruction to instruction. */
static void random_settings(rng *r, struct tile *tile)
{
    struct tensix *tx = &tile->dev.tensix;
    struct tensix_thread *t = &tx->thread[0];
    static const uint8_t formats[] = {0, 1, 2, 3, 4, 4, 4, 5, 5, 6, 7, 8, 9, 10, 11, 14, 15};
#define FORMAT formats[draw(r) % sizeof formats]
    const unsigned wide = draw(r) % 4;
    tx->config[0][0] = FORMAT | (uint32_t)FORMAT << 5 | (draw(r) % 4 ? 0u : 1u << 4) | (draw(r) % 4 ? 0u : 1u << 9);
    tx->config[0][1] = (uint32_t)FORMAT << 17 | (uint32_t)FORMAT << 21 | (wide == 1 ? UINT32_C(1) << 29 : 0) |
                       (wide == 2 ? UINT32_C(1) << 31 : 0);
    tx->config[0][2] = draw(r) & 1;
    tx->config[0][6] = draw(r) & 0xFFFF;
    tx->config[0][220] = draw(r) & 3;
    t->config[1] = (uint16_t)(draw(r) & 0xFFF);
    t->config[2] = draw(r) & 1;
    t->config[3] = draw(r) & 1;
    t->config[4] = (uint16_t)(FORMAT << 1);
    t->config[55] = draw(r) % 8 == 0;
    for (unsigned i = 12; i < 20; i++)
        t->config[i] = (uint16_t)draw(r);
    for (unsigned i = 28; i < 36; i++)
        t->config[i] = (uint16_t)draw(r);
    t->rwc.dst = draw(r) & 0x3FF;
    t->rwc.src_a = draw(r) & 63;
    t->rwc.src_b = draw(r) & 63;
    for (unsigned which = 0; which < 2; which++) {
        tx->src[which].matrix_bank = draw(r) & 1;
        for (unsigned bank = 0; bank < 2; bank++) {
            tx->src[which].matrix_owns[bank] = true;
            tx->src[which].implied_format[bank] = FORMAT;
        }
    }
    wr(tile, NOC, RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, draw(r) % 8 == 0 ? 1 << 11 : 0);
    for (unsigned i = 0; i < LANES; i++)
        tile->files.vector.LaneConfig[i] = draw(r) % 64 == 0 ? draw(r) & 3 << 9 : 0;
    for (unsigned i = 0; i < DST_ROWS / 32; i++)
        tile->files.dst_row_undefined[i] = draw(r) & draw(r) & draw(r);
#undef FORMAT
}

static uint32_t random_word(rng *r)
{
    static const uint8_t opcodes[] = {0x08, 0x09, 0x0A, 0x0B, 0x12, 0x13, 0x13, 0x16, 0x17, 0x18};
    const uint32_t opcode = opcodes[draw(r) % sizeof opcodes], bits = draw(r);
    switch (opcode) {
    case 0x13: return opcode << 24 | (bits & 0xFFFBFF);
    case 0x0B: return opcode << 24 | (bits & 0x7FE03F);
    case 0x16: return opcode << 24;
    case 0x17: return opcode << 24 | 2 | (bits & 1);
    case 0x18: return opcode << 24 | (bits & 0x1C43F);
    default: return opcode << 24 | (bits & 0xFFE3FF);
    }
}

static unsigned long instructions = 20000;

static void rows_are_as_cells(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    static model want;
    rng r = {0x9E3779B97F4A7C15};
    unsigned long undefined = 0;
    tile->goes_on = true;
    random_files(&r, &tile->files);
    for (unsigned long i = 0; i < instructions; i++) {
        random_settings(&r, tile);
        const uint32_t word = random_word(&r);
        want.files = tile->files;
        want.tx = tx;
        want.config0 = tx->config[0][0], want.config1 = tx->config[0][1], want.config2 = tx->config[0][2];
        want.access = tx->config[0][220];
        want.dst16_is_high_half = rd(tile, NOC, RISCV_DEBUG_REG_DBG_FEATURE_DISABLE) >> 11 & 1;
        const bool defined = step(&want, word);
        const unsigned faults = tile->faults;
        assert_true(exec_word(tile, 0, word));
        assert_int_equal(tile->faults != faults, !defined);
        undefined += !defined;
        if (defined && memcmp(&want.files, &tile->files, sizeof want.files) != 0)
            fail_msg("instruction %lu, 0x%08x, is not as the model has it", i, word);
    }
    assert_in_range(undefined, instructions / 100, instructions / 3);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(rows_are_as_cells)};
    instructions = argc > 1 ? strtoul(argv[1], NULL, 0) : instructions;
    return RUN(tests);
}
