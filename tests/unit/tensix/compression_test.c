/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* What a packer compresses an unpacker reads back: tiles of random zeroes go to L1 with and without compression, and an UNPACR of the one
 * leaves the same in SrcA, SrcB or Dst as an UNPACR of the other.  All formats that have a compressed form; rows of one to sixteen rows of
 * Dst, with Concat and without; Y, Z and W; parts of rows, row search, blobs; a stream that wraps around the end of its FIFO; time.
 *
 * Manual WormholeB0 Packers/Compression, UNPACR_Regular (d0ade26a); for the counts of zeroes docs/errata-tensix.md. */
#include "tensix_isa.h" /* before the names of registers */

#include "unit/tensix/exec.h"

#include "num/dst_cells.h"
#include "num/formats.h"
#include "tensix/regs/dst.h"

enum { UNPACK = 0, MATH = 1, PACK = 2, SEC1 = 48 };
enum { PLAIN = 0x4000, COMPRESSED = 0x10000, RING = 0x20000 };
enum { DST_OUT = 256 /* row of Dst32b */ };

static uint64_t seed = 1;
static uint32_t below(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 32) * n >> 32);
}

static void set_field(struct tile *tile, unsigned word, uint32_t mask, unsigned shift, uint32_t value)
{
    uint32_t *place = &tile->dev.tensix.config[0][word];
    *place = (*place & ~mask) | (value << shift & mask);
}
#define SET(tile, NAME, value) set_field(tile, NAME##_ADDR32, NAME##_MASK, NAME##_SHAMT, value)
#define SET_IN(tile, section, NAME, value) set_field(tile, (section) + NAME##_ADDR32, NAME##_MASK, NAME##_SHAMT, value)

/* A format in L1, and how its datums get there.  Values are such that 16 of them can always share an exponent. */
struct form {
    uint8_t in_l1, late_from, intermediate, from_32b, to_dst;
    uint16_t one, step, steps; /* of 16 bits of Dst: 1.0, what doubles it, how often; steps 0: any bits */
};
static const struct form forms[] = {
    {FORMAT_BF16, FORMAT_BF16, FORMAT_BF16, 0, 0, 0x3F80, 0x80, 3},
    {FORMAT_BFP8, FORMAT_BF16, FORMAT_BF16, 0, 0, 0x3F80, 0x80, 3},
    {FORMAT_BFP4, FORMAT_BF16, FORMAT_BF16, 0, 0, 0x3F80, 0x80, 3},
    {FORMAT_FP16, FORMAT_FP16, FORMAT_FP16, 0, 0, 0x3C00, 0x400, 3},
    {FORMAT_BFP8a, FORMAT_FP16, FORMAT_FP16, 0, 0, 0x3C00, 0x400, 3},
    {FORMAT_BFP4a, FORMAT_FP16, FORMAT_FP16, 0, 0, 0x3C00, 0x400, 3},
    {FORMAT_FP8, FORMAT_FP16, FORMAT_FP16, 0, 0, 0x3C00, 0x400, 3},
    {FORMAT_INT16, FORMAT_INT16, FORMAT_INT16, 0, 0, 0, 0, 0},
    {FORMAT_INT8, FORMAT_INT8, FORMAT_INT8, 1, 0, 0, 0, 0},
    {FORMAT_FP32, FORMAT_FP32, FORMAT_FP32, 1, 1, 0x3F80, 0x80, 3},
    {FORMAT_TF32, FORMAT_TF32, FORMAT_TF32, 1, 1, 0x3F80, 0x80, 3},
    {FORMAT_INT32, FORMAT_INT32, FORMAT_INT32, 1, 1, 0, 0, 0},
    {FORMAT_FP32, FORMAT_BF16, FORMAT_BF16, 0, 1, 0x3F80, 0x80, 3},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* Rows of a tile: each of `parts` PACRs of `interfaces` rows of Dst, without `blobs`; with them row i of a plane has blob[i] rows. */
struct shape {
    unsigned interfaces, parts;
    unsigned YDim, ZDim, WDim;
    unsigned blobs;
    uint8_t blob[7];
};

static unsigned row_width(const struct shape *s)
{
    return ROW_DATUMS * s->interfaces * s->parts;
}
static unsigned rows_of(const struct shape *s)
{
    return (s->blobs ? s->blobs : s->YDim) * s->ZDim * s->WDim;
}
static unsigned plane_of(const struct shape *s)
{
    unsigned datums = s->YDim * row_width(s);
    for (unsigned i = 0; i < s->blobs; i++)
        datums = (i ? datums : 0) + ROW_DATUMS * s->blob[i];
    return datums;
}
static unsigned datums_of(const struct shape *s)
{
    return plane_of(s) * s->ZDim * s->WDim;
}

/* ---- Into L1 ---- */

static uint16_t value_of(const struct form *f)
{
    const uint16_t value = (uint16_t)(f->one + f->step * below(f->steps) + below(2) * 0x8000);
    if (f->steps == 0)
        return (uint16_t)(1 + below(0x7FFF));
    return f->step == 0x80 ? dst_encode_bf16(value) : dst_encode_fp16(value);
}

/* All rows that are packed; one datum in `one_in` is not zero. */
static void fill_dst(struct tile *tile, const struct form *f, unsigned one_in)
{
    memset(tile->files.DstBits, 0, sizeof tile->files.DstBits);
    for (unsigned row = 0; row < 128; row++)
        for (unsigned column = 0; column < DST_COLUMNS; column++) {
            if (below(one_in))
                continue;
            uint16_t *cell =
                f->from_32b ? dst_open32(&tile->files, 0, row) + column : dst_open16(&tile->files, 0, row) + column;
            *cell = value_of(f);
            if (f->from_32b && f->in_l1 != FORMAT_TF32)
                cell[DST_LOW_HALF * DST_COLUMNS] = (uint16_t)below(0x10000);
        }
}

/* Each has an aligned group of four rows for itself. */
static void pack_one(struct tile *tile, unsigned interfaces, bool concat, bool last)
{
    char text[80];
    snprintf(text, sizeof text, "PACR ReadIntfSel=%u, Concat=%u, Last=%u", (1u << interfaces) - 1, concat, last);
    exec_on(tile, PACK, text);
    thread_of(tile, PACK)->adc[2][0].y += 4;
}

static void pack_tile(struct tile *tile, const struct form *f, const struct shape *s, bool compress, uint32_t address)
{
    static const uint8_t bytes[4] = {4, 2, 1, 1};
    const unsigned exponents = format_is_bfp(f->in_l1) ? (datums_of(s) + 255) / 256 : 0;
    tile->dev.tensix.config[0][THCON_SEC0_REG1_Out_data_format_ADDR32] = 0;
    SET(tile, THCON_SEC0_REG1_Disable_zero_compress, !compress);
    SET(tile, THCON_SEC0_REG1_Out_data_format, f->in_l1);
    SET(tile, THCON_SEC0_REG1_In_data_format, f->late_from);
    SET(tile, ALU_FORMAT_SPEC_REG2_Dstacc, f->intermediate);
    SET(tile, PCK_DEST_RD_CTRL_Read_32b_data, f->from_32b);
    SET(tile, PCK0_ADDR_CTRL_XY_REG_0_Ystride, ROW_DATUMS * bytes[f->late_from & 3]);
    SET(tile, PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF);
    SET(tile, THCON_SEC0_REG1_Row_start_section_size, (2 * (rows_of(s) + 1) + 15) / 16);
    SET(tile, THCON_SEC0_REG1_Exp_section_size, exponents);
    SET(tile, THCON_SEC0_REG1_L1_Dest_addr, address / 16 - 1);
    thread_of(tile, PACK)->adc[2][0] = (struct tensix_adc_channel){0};
    thread_of(tile, PACK)->adc[2][1] = (struct tensix_adc_channel){.x = ROW_DATUMS - 1};
    for (unsigned row = 0; row < rows_of(s); row++) {
        const bool last = row + 1 == rows_of(s);
        if (s->blobs)
            pack_one(tile, s->blob[row % s->blobs], false, last);
        for (unsigned i = 0; i < s->parts && !s->blobs; i++)
            pack_one(tile, s->interfaces, i + 1 < s->parts, last && i + 1 == s->parts);
    }
}

/* ---- Out of L1 ---- */

struct look {
    unsigned which; /* unpacker */
    bool multi;     /* MultiContextMode */
    bool row_search;
    unsigned x, x_end, y, z, w;
};

static void unpack(struct tile *tile, const struct form *f, const struct shape *s, const struct look *look,
                   bool compressed, uint32_t address)
{
    const unsigned section = look->which * SEC1;
    struct tensix *tx = &tile->dev.tensix;
    memset(tx->config[0] + section + THCON_SEC0_REG0_TileDescriptor_ADDR32, 0, 4 * sizeof tx->config[0][0]);
    SET_IN(tile, section, THCON_SEC0_REG0_TileDescriptor_InDataFormat, f->in_l1);
    SET_IN(tile, section, THCON_SEC0_REG0_TileDescriptor_IsUncompressed, !compressed != look->multi); /* who counts? */
    SET_IN(tile, section, THCON_SEC0_REG0_TileDescriptor_BlobsPerXYPlane, s->blobs);
    SET_IN(tile, section, THCON_SEC0_REG0_TileDescriptor_XDim, s->blobs ? plane_of(s) : row_width(s));
    SET_IN(tile, section, THCON_SEC0_REG0_TileDescriptor_YDim, s->blobs ? 1 : s->YDim);
    SET_IN(tile, section, THCON_SEC0_REG0_TileDescriptor_ZDim, s->ZDim);
    SET_IN(tile, section, THCON_SEC0_REG0_TileDescriptor_WDim, s->WDim);
    SET(tile, THCON_SEC0_REG5_Tile_x_dim_cntx0, s->blobs ? plane_of(s) : row_width(s));
    SET(tile, THCON_SEC0_REG5_Dest_cntx0_address, 64 + (f->to_dst ? ROW_DATUMS * DST_OUT : 0));
    SET_IN(tile, section, THCON_SEC0_REG2_Out_data_format, f->in_l1);
    SET_IN(tile, section, THCON_SEC0_REG2_Disable_zero_compress_cntx0, !compressed == look->multi);
    SET_IN(tile, section, THCON_SEC0_REG2_Unpack_if_sel_cntx0, f->to_dst);
    tx->config[0][THCON_SEC0_REG3_Base_address_ADDR32 + section] = address / 16 - 1;
    tx->thread[UNPACK].config[SRCA_SET_SetOvrdWithAddr_ADDR32] = f->to_dst ? 0 : SRCA_SET_SetOvrdWithAddr_MASK;
    tx->thread[UNPACK].adc[look->which][0] = (struct tensix_adc_channel){
        .x = (uint16_t)look->x, .y = (uint16_t)look->y, .z = (uint16_t)look->z, .w = (uint16_t)look->w};
    tx->thread[UNPACK].adc[look->which][1] = (struct tensix_adc_channel){.x = (uint16_t)look->x_end};
    char text[80];
    snprintf(text, sizeof text, "UNPACR WhichUnpacker=%u, MultiContextMode=%u, RowSearch=%u", look->which, look->multi,
             look->row_search);
    exec_on(tile, UNPACK, text);
}

/* Both, from the same files; the second has to leave the same. */
static void compare(struct tile *tile, const struct form *f, const struct shape *s, const struct look *plain,
                    const struct look *compressed)
{
    static struct tensix_files before, after;
    memset(tile->files.SrcA, 1, sizeof tile->files.SrcA);
    memset(tile->files.SrcB, 1, sizeof tile->files.SrcB);
    memset(tile->files.DstBits[512], 1, 512 * sizeof tile->files.DstBits[0]);
    before = tile->files;
    unpack(tile, f, s, plain, false, PLAIN);
    after = tile->files;
    tile->files = before;
    unpack(tile, f, s, compressed, true, COMPRESSED);
    assert_true(memcmp(&before, &after, sizeof before) != 0);
    if (memcmp(&tile->files, &after, sizeof after) != 0)
        fail_msg(
            "%s of %u + %u datums, Y %u of %u, Z %u of %u, W %u of %u, unpacker %u, MultiContextMode %u, RowSearch "
            "%u, blobs %u: not as without compression",
            format_name(f->in_l1), plain->x, plain->x_end + 1 - plain->x, plain->y, s->YDim, plain->z, s->ZDim,
            plain->w, s->WDim, plain->which, plain->multi, compressed->row_search, s->blobs);
}

static void pack_both(struct tile *tile, const struct form *f, const struct shape *s)
{
    static const uint16_t densities[] = {1, 2, 5, 17, 60, 2000};
    fill_dst(tile, f, densities[below(6)]);
    memset(tile->l1 + PLAIN, 0xA5, RING - PLAIN);
    pack_tile(tile, f, s, false, PLAIN);
    pack_tile(tile, f, s, true, COMPRESSED);
}

static struct shape random_shape(void)
{
    struct shape s = {.interfaces = 1 + below(4), .parts = 1 + below(4), .YDim = 1 + below(6), .ZDim = 1, .WDim = 1};
    const unsigned most = 32; /* PACRs: 128 rows of Dst */
    while (s.parts * s.YDim > most)
        s.YDim--;
    s.ZDim += below(most / (s.parts * s.YDim) < 4 ? most / (s.parts * s.YDim) : 4);
    s.WDim += below(most / (s.parts * s.YDim * s.ZDim) < 3 ? most / (s.parts * s.YDim * s.ZDim) : 3);
    return s;
}

/* Of unpacker 0, or 1, with contexts or without. */
static struct look random_look(const struct form *f, const struct shape *s)
{
    struct look look = {.which = !f->to_dst && below(2), .y = below(s->YDim), .z = below(s->ZDim), .w = below(s->WDim)};
    look.multi = look.which == 0 || below(2);
    return look;
}

static void a_row_comes_back(void **state)
{
    for (unsigned n = 0; n < 40 * FORMS; n++) {
        const struct form *f = &forms[n % FORMS];
        const struct shape s = random_shape();
        pack_both(*state, f, &s);
        for (unsigned i = 0; i < 4; i++) {
            struct look look = random_look(f, &s);
            look.x_end = row_width(&s) - 1;
            compare(*state, f, &s, &look, &look);
        }
    }
}

static void a_part_of_a_row_comes_back(void **state)
{
    for (unsigned n = 0; n < 40 * FORMS; n++) {
        const struct form *f = &forms[n % FORMS];
        const struct shape s = random_shape();
        pack_both(*state, f, &s);
        for (unsigned i = 0; i < 4; i++) {
            struct look look = random_look(f, &s);
            look.x = below(row_width(&s));
            look.x_end = look.x + below(row_width(&s) - look.x);
            compare(*state, f, &s, &look, &look);
        }
    }
}

/* From row Y to row X of the plane: as much as fits into SrcA. */
static void rows_come_back_by_row_search(void **state)
{
    for (unsigned n = 0; n < 20 * FORMS; n++) {
        const struct form *f = &forms[n % FORMS];
        const struct shape s = random_shape();
        pack_both(*state, f, &s);
        struct look plain = random_look(f, &s), search;
        unsigned rows = 1 + below(s.YDim - plain.y);
        while (rows * row_width(&s) > SRC_ROWS * SRC_COLUMNS)
            rows--;
        search = plain;
        search.row_search = true;
        search.x = plain.y + rows - 1;
        plain.x_end = rows * row_width(&s) - 1;
        compare(*state, f, &s, &plain, &search);
    }
}

/* BlobsPerXYPlane: as many row starts a plane, and rows of different lengths. */
static void blobs_come_back(void **state)
{
    for (unsigned n = 0; n < 20 * FORMS; n++) {
        const struct form *f = &forms[n % FORMS];
        struct shape s = {.interfaces = 1, .parts = 1, .YDim = 1, .ZDim = 1 + below(2), .WDim = 1 + below(2)};
        s.blobs = 1 + below(7);
        for (unsigned i = 0; i < s.blobs; i++)
            s.blob[i] = (uint8_t)(1 + below(4));
        pack_both(*state, f, &s);
        struct look plain = random_look(f, &s), search;
        const unsigned first = below(s.blobs), last = first + below(s.blobs - first);
        search = plain;
        search.row_search = true;
        search.y = first;
        search.x = last;
        for (unsigned i = 0; i < first; i++)
            plain.x += ROW_DATUMS * s.blob[i];
        plain.x_end = plain.x - 1;
        for (unsigned i = first; i <= last; i++)
            plain.x_end += ROW_DATUMS * s.blob[i];
        compare(*state, f, &s, &plain, &search);
    }
}

/* The tile lies in a FIFO, in which it goes on from the first byte behind Unpack_limit_address: that of a block's counts, which is where
 * the page has the address of the datums looked at, too.  Rows of 64 datums that were kept begin with a block. */
static void a_stream_wraps_before_its_counts(void **state)
{
    struct tile *tile = *state;
    const struct shape s = {.interfaces = 4, .parts = 4, .YDim = 4, .ZDim = 1, .WDim = 1};
    const unsigned fifo = 0x1000, starts = 16;
    for (unsigned n = 0; n < 16; n++) {
        const struct form *f = &forms[n % 2 ? 0 : 9]; /* BF16, FP32 */
        const unsigned datums = 32 * format_bits(f->in_l1) / 8, block = n / 2;
        fill_dst(tile, f, 1);
        for (unsigned row = 0; row < 64; row++)
            for (unsigned column = 0; column < DST_COLUMNS; column++) {
                const unsigned i = row % 16 * DST_COLUMNS + column;
                if (i == 0 || (i % 4 == 3 && i != 3))
                    continue;
                if (f->from_32b)
                    dst_open32(&tile->files, 0, row)[DST_LOW_HALF * DST_COLUMNS + column] = 0;
                *(f->from_32b ? dst_open32(&tile->files, 0, row) + column : dst_open16(&tile->files, 0, row) + column) =
                    0;
            }
        pack_tile(tile, f, &s, false, PLAIN);
        pack_tile(tile, f, &s, true, COMPRESSED);
        uint8_t bytes[0x800];
        memcpy(bytes, tile->l1 + COMPRESSED, sizeof bytes);
        const uint32_t cut = COMPRESSED + starts + block * (datums + 16) + datums; /* the first that is elsewhere */
        memset(tile->l1 + cut, 0xA5, COMPRESSED + sizeof bytes - cut);
        memcpy(tile->l1 + cut - fifo, bytes + (cut - COMPRESSED), COMPRESSED + sizeof bytes - cut);
        SET(tile, THCON_SEC0_REG2_Unpack_limit_address, cut / 16 - 1);
        SET(tile, THCON_SEC0_REG2_Unpack_fifo_size, fifo / 16);
        for (unsigned i = 0; i < 4; i++) {
            const struct look look = {.multi = true, .x_end = row_width(&s) - 1, .y = i};
            compare(tile, f, &s, &look, &look);
        }
    }
}

/* ---- Time ---- */

enum { TO_THE_GATE = 2 /* from the push */ };

static uint64_t cycles_of(struct tile *tile, const struct form *f, const struct shape *s, const struct look *look,
                          bool compressed)
{
    const uint64_t begin = exec_now + TO_THE_GATE;
    unpack(tile, f, s, look, compressed, compressed ? COMPRESSED : PLAIN);
    return tile->dev.tensix.unpacker[look->which].data_until - begin;
}

/* 2 cycles for the address and one for each row start; 16 bytes a cycle, counts of zeroes included; no more than 16 datums a cycle. */
static void compressed_input_takes_longer(void **state)
{
    struct tile *tile = *state;
    const struct form *f = &forms[0];
    const struct shape s = {.interfaces = 4, .parts = 4, .YDim = 1, .ZDim = 1, .WDim = 1};
    const struct look row = {.multi = true, .x_end = 255}, part = {.multi = true, .x_end = 254};
    fill_dst(tile, f, 1);
    pack_tile(tile, f, &s, false, PLAIN);
    pack_tile(tile, f, &s, true, COMPRESSED);
    assert_int_equal(cycles_of(tile, f, &s, &row, false), 2 + 512 / 128);
    assert_int_equal(cycles_of(tile, f, &s, &row, true), 2 + 2 + 512 / 16 + 128 / 16);
    assert_int_equal(cycles_of(tile, f, &s, &part, true), 2 + 1 + 512 / 16 + 128 / 16);
    memset(tile->files.DstBits, 0, sizeof tile->files.DstBits);
    pack_tile(tile, f, &s, true, COMPRESSED); /* 17 datums, 15 zeroes before each */
    assert_int_equal(cycles_of(tile, f, &s, &row, true), 2 + 2 + 16);
}

/* Nobody starts an UNPACR meanwhile. */
static void the_next_unpacr_waits_for_the_row_starts(void **state)
{
    struct tile *tile = *state;
    const struct form *f = &forms[0];
    const struct shape s = {.interfaces = 1, .parts = 1, .YDim = 1, .ZDim = 1, .WDim = 1};
    const struct look row = {.multi = true, .x_end = 15};
    memset(tile->files.DstBits, 0, sizeof tile->files.DstBits);
    pack_tile(tile, f, &s, false, PLAIN);
    pack_tile(tile, f, &s, true, COMPRESSED);
    for (unsigned compressed = 0; compressed < 2; compressed++) {
        struct look other = {.which = 1, .x_end = 15};
        const uint64_t begin = exec_now;
        unpack(tile, f, &s, &row, compressed, compressed ? COMPRESSED : PLAIN);
        exec_now = begin + 1;
        unpack(tile, f, &s, &other, false, PLAIN);
        assert_int_equal(tile->dev.tensix.unpacker[1].data_until - begin - TO_THE_GATE, (compressed ? 4 : 2) + 2 + 1);
        exec_now += 1000;
    }
}

static uint64_t cycles_of_packer(struct tile *tile, const struct form *f, unsigned one_in, bool compress)
{
    const struct shape s = {.interfaces = 4, .parts = 1, .YDim = 16, .ZDim = 1, .WDim = 1};
    const uint64_t before = tile->dev.tensix.data_cycles[1];
    fill_dst(tile, f, one_in);
    pack_tile(tile, f, &s, compress, COMPRESSED);
    return tile->dev.tensix.data_cycles[1] - before;
}

/* A card (isa/costs.tbl, PACK_COMPRESS): as long for a tile without a datum that is not zero as for one of 1024, and about one cycle
 * a PACR more than without compression. */
static void a_compressed_tile_takes_as_long_whatever_is_left_out(void **state)
{
    static const uint16_t densities[] = {1, 3, 30, 60000};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(cycles_of_packer(*state, &forms[0], densities[i], false), 16);
        assert_int_equal(cycles_of_packer(*state, &forms[0], densities[i], true), 16 * 2);
        assert_int_equal(cycles_of_packer(*state, &forms[9], densities[i], false), 16 * 2);
        assert_int_equal(cycles_of_packer(*state, &forms[9], densities[i], true), 16 * 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_row_comes_back),
        CASE(a_part_of_a_row_comes_back),
        CASE(rows_come_back_by_row_search),
        CASE(blobs_come_back),
        CASE(a_stream_wraps_before_its_counts),
        CASE(compressed_input_takes_longer),
        CASE(the_next_unpacr_waits_for_the_row_starts),
        CASE(a_compressed_tile_takes_as_long_whatever_is_left_out),
    };
    return cmocka_run_group_tests_name("tensix/compression", tests, NULL, NULL);
}
