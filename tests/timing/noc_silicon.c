/* SPDX-License-Identifier: Apache-2.0 */
/* NoC and DRAM timing: streams of reads and writes whose cycles were read off a card, run on Kerr and compared.
 *
 *   noc_silicon [--only EXPERIMENT] [--readers N] ZONES.csv [TABLE.md]
 *
 * TAP on stdout; appends the table if asked to.  --only: only experiments whose name starts so; --readers: only DRAM
 * points with at most so many readers.
 *
 * A point is a kernel on RISCV B of one or more tiles: a loop over transactions as the vendor's data-movement API issues
 * them (wait for NOC_CMD_CTRL, six or seven stores to the request initiator, counters in local data RAM), a barrier on
 * the NIU's counter of responses, and the wall clock read before and after.  The loops are ours, written to have as many
 * instructions of each kind as the compiled ones, which take 34 cycles a write, 47 a read with strides and several
 * sources, about 40 a read of DRAM.  On the card the kernels of a point met at a semaphore; here each starts at its wall
 * clock's cycle, shifted as on the card.
 *
 * The card's figure is the median of its runs.  A point is good within 10 %; where the card's own runs lie further apart
 * than that, within 10 % of their span.  The median of all errors must be within 4 %. */
#include "../support/chip.h"

#include <math.h>
#include <string.h>

enum {
    MAX_POINTS = 512,
    MAX_FLOWS = 120,
    MAX_SOURCES = 8,
    RUNS = 3,
    CODE = 0x10000,
    DATA = 0x20000,
    ARENA_HALF = 0x2000, /* nocreadbench: sources below, targets above */
    RESULT = 0x8000,     /* t0, t1, done */
    START = 6000,        /* wall clock; local data RAM is clear by then */
    DRAM_TRANSACTIONS = 256,
    DRAM_BYTES = 4096,
    DRAM_LANDING = 8192,
    DRAM_SLICE = 1 << 20,
    DRAM_SLICES = 16,
    MAX_BURST = 16384,
    BOUND = 10,
    MEDIAN_BOUND = 4
};
#define WALL_CLOCK UINT32_C(0xffb121f0)
#define LOCAL_RAM UINT32_C(0xffb00000)
#define NIU UINT32_C(0xffb20000)
#define READ_INITIATOR (NIU + 0x800)

/* Registers of a request initiator, and counters from NIU + 0x200 (manual NoC/MemoryMap, NoC/Counters). */
enum {
    TARG_ADDR_LO = 0x00,
    TARG_ADDR_MID = 0x04,
    TARG_ADDR_HI = 0x08,
    RET_ADDR_LO = 0x0c,
    RET_ADDR_MID = 0x10,
    RET_ADDR_HI = 0x14,
    CTRL = 0x1c,
    AT_LEN_BE = 0x20,
    CMD_CTRL = 0x40,
    MST_WR_ACK_RECEIVED = 0x204,
    MST_RD_RESP_RECEIVED = 0x208,
    CTRL_WRITE = 0x92, /* | vc << 13 */
    CTRL_READ = 0x2090
};

/* One kernel. */
typedef enum loop_kind { LOOP_WRITE, LOOP_READ, LOOP_READ_STRIDES, LOOP_READ_DRAM } loop_kind;
typedef struct stream {
    loop_kind kind;
    kerr_xy at, source[MAX_SOURCES]; /* for a write, source[0] is the target */
    uint32_t sources, transactions, bytes, vc, start;
    uint32_t far, near;               /* addresses at the far end and here */
    uint32_t near_stride, far_stride; /* and the largest offset: */
    uint32_t near_span, far_span;
} stream;

typedef struct point {
    char group[12], name[40];
    double card[RUNS], ours;
    unsigned runs;
    double median, error;
    bool good;
} point;
typedef struct point_list {
    size_t count;
    point p[MAX_POINTS];
} point_list;

/* ---- Kernels --------------------------------------------------------------------------------- */

/* Registers.  SRC_LO and SRC_HI: the far end's 64-bit address as the API has it, coordinates from bit 36. */
enum {
    R_I = S0,
    R_N = S1,
    R_BYTES = S2,
    R_NIU = S3,
    R_ONE = S4,
    R_LOCAL = S5,
    R_CTRL = S6,
    R_FAR_LO = S7,
    R_FAR_HI = S8,
    R_NEAR = S9,
    R_MASK = S10,
    R_T0 = S11,
    R_MAX = T3,
    R_FAR_OFFSET = T4,
    R_NEAR_OFFSET = T5,
    R_INDEX = T6,
    R_FAR_SPAN = A4,
    R_NEAR_SPAN = A5,
    R_FAR_STRIDE = A6,
    R_NEAR_STRIDE = A7,
    R_SOURCES = T2
};
/* Words of local data RAM. */
enum { LOCAL_READS = 0, LOCAL_WRITES = 4, LOCAL_ACKED = 8, LOCAL_MASK = 12, LOCAL_SOURCES = 64 };

static uint32_t xy_word(kerr_xy at)
{
    return at.x | (uint32_t)at.y << 6;
}

static void moves(rvasm *a, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        rva(a, rv_mv(T1, T1));
    }
}

static void wait_for_initiator(rvasm *a, uint32_t initiator)
{
    rva(a, rv_lw(T0, (int32_t)(initiator - NIU) - 0x800 + CMD_CTRL, R_NIU));
    rva(a, rv_bne(T0, X0, -4));
}

/* R_NIU is NIU + 0x800, so that both initiators are within reach of it. */
static void store(rvasm *a, unsigned value, uint32_t initiator, int32_t offset)
{
    rva(a, rv_sw(value, (int32_t)(initiator - NIU) - 0x800 + offset, R_NIU));
}

static void emit_write(rvasm *a, uint32_t top)
{
    rva(a, rv_bltu(R_MAX, R_BYTES, 0));
    moves(a, 5);
    wait_for_initiator(a, NIU);
    store(a, R_CTRL, NIU, CTRL);
    store(a, R_NEAR, NIU, TARG_ADDR_LO);
    rva(a, rv_srli(A0, R_FAR_HI, 4));
    rva(a, rv_andi(A1, R_FAR_HI, 15));
    rva(a, rv_lw(A2, LOCAL_MASK, R_LOCAL));
    store(a, R_FAR_LO, NIU, RET_ADDR_LO);
    store(a, A1, NIU, RET_ADDR_MID);
    rva(a, rv_and(A0, A0, A2));
    store(a, A0, NIU, RET_ADDR_HI);
    store(a, R_BYTES, NIU, AT_LEN_BE);
    store(a, R_ONE, NIU, CMD_CTRL);
    rva(a, rv_lw(A0, LOCAL_WRITES, R_LOCAL));
    rva(a, rv_lw(A1, LOCAL_ACKED, R_LOCAL));
    rva(a, rv_addi(A0, A0, 1));
    rva(a, rv_addi(A1, A1, 1));
    rva(a, rv_sw(A0, LOCAL_WRITES, R_LOCAL));
    rva(a, rv_sw(A1, LOCAL_ACKED, R_LOCAL));
    rva(a, rv_bne(X0, X0, 0));
    rva(a, rv_addi(R_I, R_I, 1));
    rva(a, rv_bne(R_I, R_N, rva_to(a, top)));
}

/* The stores of a read: to A3, from A0 (low) and A1 (high). */
static void emit_read_stores(rvasm *a)
{
    wait_for_initiator(a, READ_INITIATOR);
    store(a, A3, READ_INITIATOR, RET_ADDR_LO);
    store(a, A0, READ_INITIATOR, TARG_ADDR_LO);
    rva(a, rv_srli(A2, A1, 4));
    rva(a, rv_andi(A1, A1, 15));
    store(a, A1, READ_INITIATOR, TARG_ADDR_MID);
    rva(a, rv_and(A2, A2, R_MASK));
    store(a, A2, READ_INITIATOR, TARG_ADDR_HI);
    store(a, R_BYTES, READ_INITIATOR, AT_LEN_BE);
    store(a, R_ONE, READ_INITIATOR, CMD_CTRL);
    rva(a, rv_lw(A0, LOCAL_READS, R_LOCAL));
}

/* offset += stride; if (offset > span) offset = 0: four instructions, in the order given by the caller. */
static void emit_advance(rvasm *a)
{
    rva(a, rv_add(R_NEAR_OFFSET, R_NEAR_OFFSET, R_NEAR_STRIDE));
    rva(a, rv_add(R_FAR_OFFSET, R_FAR_OFFSET, R_FAR_STRIDE));
    rva(a, rv_sltu(A1, R_NEAR_SPAN, R_NEAR_OFFSET));
    rva(a, rv_sltu(A2, R_FAR_SPAN, R_FAR_OFFSET));
    rva(a, rv_addi(A0, A0, 1));
    rva(a, rv_addi(A1, A1, -1));
    rva(a, rv_addi(A2, A2, -1));
    rva(a, rv_sw(A0, LOCAL_READS, R_LOCAL));
    rva(a, rv_and(R_NEAR_OFFSET, R_NEAR_OFFSET, A1));
    rva(a, rv_and(R_FAR_OFFSET, R_FAR_OFFSET, A2));
}

static void emit_read_strides(rvasm *a, uint32_t top)
{
    rva(a, rv_slli(T0, R_INDEX, 3));
    rva(a, rv_add(T0, T0, R_LOCAL));
    rva(a, rv_lw(A0, LOCAL_SOURCES, T0));
    rva(a, rv_lw(A1, LOCAL_SOURCES + 4, T0));
    rva(a, rv_add(A3, R_NEAR, R_NEAR_OFFSET));
    rva(a, rv_add(A0, A0, R_FAR_OFFSET));
    rva(a, rv_sltu(A2, A0, R_FAR_OFFSET));
    rva(a, rv_add(A1, A1, A2));
    rva(a, rv_bltu(R_MAX, R_BYTES, 0));
    moves(a, 4);
    emit_read_stores(a);
    rva(a, rv_addi(R_INDEX, R_INDEX, 1));
    rva(a, rv_sltu(T0, R_INDEX, R_SOURCES));
    rva(a, rv_sub(T0, X0, T0));
    emit_advance(a);
    rva(a, rv_and(R_INDEX, R_INDEX, T0));
    rva(a, rv_addi(R_I, R_I, 1));
    rva(a, rv_bne(R_I, R_N, rva_to(a, top)));
}

static void emit_read_dram(rvasm *a, uint32_t top)
{
    rva(a, rv_add(A0, R_FAR_LO, R_FAR_OFFSET));
    rva(a, rv_sltu(A1, A0, R_FAR_OFFSET));
    rva(a, rv_add(A1, A1, R_FAR_HI));
    rva(a, rv_add(A3, R_NEAR, R_NEAR_OFFSET));
    rva(a, rv_bltu(R_MAX, R_BYTES, 0));
    moves(a, 5);
    emit_read_stores(a);
    emit_advance(a);
    rva(a, rv_addi(R_I, R_I, 1));
    rva(a, rv_bne(R_I, R_N, rva_to(a, top)));
}

static void emit_read(rvasm *a, uint32_t top)
{
    rva(a, rv_mv(A0, R_FAR_LO));
    rva(a, rv_mv(A1, R_FAR_HI));
    rva(a, rv_mv(A3, R_NEAR));
    rva(a, rv_bltu(R_MAX, R_BYTES, 0));
    moves(a, 6);
    emit_read_stores(a);
    rva(a, rv_addi(A0, A0, 1));
    rva(a, rv_sw(A0, LOCAL_READS, R_LOCAL));
    rva(a, rv_addi(R_I, R_I, 1));
    rva(a, rv_bne(R_I, R_N, rva_to(a, top)));
}

static rvasm *kernel(const stream *s)
{
    rvasm *a = rva_new(CODE);
    rva_li(a, T0, CFG0_firmware);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, R_NIU, NIU);
    rva_li(a, R_LOCAL, LOCAL_RAM);
    rva_li(a, R_MASK, 0xffffff);
    rva_li(a, R_MAX, MAX_BURST);
    rva_li(a, R_N, s->transactions);
    rva_li(a, R_BYTES, s->bytes);
    rva_li(a, R_CTRL, CTRL_WRITE | s->vc << 13);
    rva_li(a, R_FAR_LO, s->far);
    rva_li(a, R_FAR_HI, xy_word(s->source[0]) << 4);
    rva_li(a, R_NEAR, s->near);
    rva_li(a, R_FAR_STRIDE, s->far_stride);
    rva_li(a, R_NEAR_STRIDE, s->near_stride);
    rva_li(a, R_FAR_SPAN, s->far_span);
    rva_li(a, R_NEAR_SPAN, s->near_span);
    rva_li(a, R_SOURCES, s->sources);
    for (unsigned r = 0; r < 4; r++) {
        static const unsigned zeroed[] = {R_I, R_FAR_OFFSET, R_NEAR_OFFSET, R_INDEX};
        rva(a, rv_mv(zeroed[r], X0));
    }
    rva(a, rv_addi(R_ONE, X0, 1));
    rva(a, rv_sw(R_MASK, LOCAL_MASK, R_LOCAL));
    for (uint32_t i = 0; i < s->sources; i++) {
        rva_li(a, A0, s->far);
        rva_li(a, A1, xy_word(s->source[i]) << 4);
        rva(a, rv_sw(A0, LOCAL_SOURCES + 8 * (int32_t)i, R_LOCAL));
        rva(a, rv_sw(A1, LOCAL_SOURCES + 8 * (int32_t)i + 4, R_LOCAL));
    }
    rva(a, rv_lw(A0, MST_RD_RESP_RECEIVED, R_NIU));
    rva(a, rv_sw(A0, LOCAL_READS, R_LOCAL));
    rva(a, rv_lw(A0, MST_WR_ACK_RECEIVED, R_NIU));
    rva(a, rv_sw(A0, LOCAL_ACKED, R_LOCAL));
    rva_li(a, R_NIU, NIU + 0x800);
    rva_li(a, A0, xy_word(s->at));
    rva_li(a, A1, CTRL_READ);
    store(a, A0, NIU, TARG_ADDR_HI);
    store(a, X0, NIU, TARG_ADDR_MID);
    store(a, A0, READ_INITIATOR, RET_ADDR_HI);
    store(a, X0, READ_INITIATOR, RET_ADDR_MID);
    store(a, A1, READ_INITIATOR, CTRL);

    rva_li(a, A2, WALL_CLOCK);
    rva_li(a, A1, START + s->start);
    rva(a, rv_lw(A0, 0, A2));
    rva(a, rv_bltu(A0, A1, -4));
    rva(a, rv_lw(R_T0, 0, A2));
    const uint32_t top = rva_here(a);
    switch (s->kind) {
    case LOOP_WRITE: emit_write(a, top); break;
    case LOOP_READ: emit_read(a, top); break;
    case LOOP_READ_STRIDES: emit_read_strides(a, top); break;
    case LOOP_READ_DRAM: emit_read_dram(a, top); break;
    }
    const bool write = s->kind == LOOP_WRITE;
    rva(a, rv_lw(A1, write ? LOCAL_ACKED : LOCAL_READS, R_LOCAL));
    rva(a, rv_lw(A0, (write ? MST_WR_ACK_RECEIVED : MST_RD_RESP_RECEIVED) - 0x800, R_NIU));
    rva(a, rv_bne(A0, A1, -4));
    rva_li(a, A2, WALL_CLOCK);
    rva(a, rv_lw(A0, 0, A2));
    rva_li(a, A3, RESULT);
    rva(a, rv_sw(R_T0, 0, A3));
    rva(a, rv_sw(A0, 4, A3));
    rva(a, rv_sw(R_ONE, 8, A3));
    rva_end(a);
    return a;
}

/* All streams of a point at once; cycles of each. */
static void run(const stream *s, unsigned count, double *cycles)
{
    kerr_chip *chip = chip_new_one_thread();
    for (unsigned i = 0; i < count; i++) {
        rvasm *program = kernel(&s[i]);
        chip_start(chip, s[i].at, KERR_CORE_B, program);
        free(program);
    }
    for (unsigned i = 0; i < count; i++) {
        chip_run_until_word(chip, s[i].at, RESULT + 8, 1, 8000000);
        cycles[i] = chip_word(chip, s[i].at, RESULT + 4) - chip_word(chip, s[i].at, RESULT);
    }
    kerr_destroy(chip);
}

/* ---- Points ---------------------------------------------------------------------------------- */

static void add(point_list *list, const char *group, const char *name, const unsigned *card, double ours)
{
    if (list->count == MAX_POINTS) {
        abort();
    }
    point *p = &list->p[list->count++];
    snprintf(p->group, sizeof p->group, "%s", group);
    snprintf(p->name, sizeof p->name, "%s", name);
    p->ours = ours;
    double low = INFINITY, high = 0, sorted[RUNS];
    for (unsigned i = 0; i < RUNS && card[i] != 0; i++) {
        unsigned at = p->runs++;
        p->card[i] = card[i];
        low = fmin(low, card[i]);
        high = fmax(high, card[i]);
        for (; at != 0 && sorted[at - 1] > card[i]; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = card[i];
    }
    p->median = (sorted[(p->runs - 1) / 2] + sorted[p->runs / 2]) / 2;
    p->error = 100 * (ours / p->median - 1);
    const bool scattered = high > low * (1 + BOUND / 100.0);
    p->good = fabs(p->error) <= BOUND || (low <= ours && ours <= high) ||
              (scattered && low * (1 - BOUND / 100.0) <= ours && ours <= high * (1 + BOUND / 100.0));
}

/* Tiles of the card in the order of its logical coordinates: twelve columns, ten rows. */
static kerr_xy logical(unsigned i)
{
    static const uint8_t column[] = {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16};
    return (kerr_xy){column[i % 12], (uint8_t)(2 + i / 12)};
}

/* The port of each bank that the vendor's software uses on NoC 0. */
static const kerr_xy bank_port[] = {{0, 11}, {0, 2}, {0, 9}, {0, 5}, {9, 11}, {9, 3}, {9, 8}, {9, 6}};

typedef struct flows {
    char experiment[16], point[24];
    unsigned count;
    stream s[MAX_FLOWS];
    unsigned card[MAX_FLOWS][RUNS];
} flows;

static void finish_flows(point_list *list, flows *f)
{
    double cycles[MAX_FLOWS];
    if (f->count == 0) {
        return;
    }
    run(f->s, f->count, cycles);
    for (unsigned i = 0; i < f->count; i++) {
        char name[48];
        snprintf(name, sizeof name, f->count > 1 ? "%s, flow %u" : "%s", f->point, i);
        add(list, f->experiment, name, f->card[i], cycles[i]);
    }
    f->count = 0;
}

static bool flow_line(const char *line, const char *only, point_list *list, flows *f)
{
    char experiment[16], name[24];
    unsigned flow, mx, my, sx, sy, vc, read, transactions, bytes, start, card[RUNS];
    if (sscanf(line, "flow,%15[^,],%23[^,],%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u", experiment, name, &flow, &mx, &my,
               &sx, &sy, &vc, &read, &transactions, &bytes, &start, &card[0], &card[1], &card[2]) != 15) {
        return false;
    }
    if (flow == 0) {
        finish_flows(list, f);
    }
    if (strncmp(experiment, only, strlen(only)) != 0 || f->count == MAX_FLOWS) {
        return true;
    }
    snprintf(f->experiment, sizeof f->experiment, "%s", experiment);
    snprintf(f->point, sizeof f->point, "%s", name);
    const uint32_t address = DATA + (read ? bytes : 0);
    f->s[f->count] = (stream){.kind = read ? LOOP_READ : LOOP_WRITE,
                              .at = {(uint8_t)mx, (uint8_t)my},
                              .source = {{(uint8_t)sx, (uint8_t)sy}},
                              .sources = 1,
                              .transactions = transactions,
                              .bytes = bytes,
                              .vc = vc,
                              .start = start,
                              .far = address,
                              .near = address};
    memcpy(f->card[f->count++], card, sizeof card);
    return true;
}

static bool read_line(const char *line, const char *only, point_list *list)
{
    char experiment[16], name[48];
    unsigned number, sources, sx, sy, transactions, bytes, near_stride, far_stride, card[RUNS];
    if (sscanf(line, "read,%15[^,],%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u", experiment, &number, &sources, &sx, &sy,
               &transactions, &bytes, &near_stride, &far_stride, &card[0], &card[1], &card[2]) != 12 ||
        sources > MAX_SOURCES) {
        return false;
    }
    char group[32];
    snprintf(group, sizeof group, "r-%s", experiment);
    if (strncmp(group, only, strlen(only)) != 0) {
        return true;
    }
    stream s = {.kind = LOOP_READ_STRIDES,
                .at = logical(0),
                .source = {{(uint8_t)sx, (uint8_t)sy}},
                .sources = sources,
                .transactions = transactions,
                .bytes = bytes,
                .far = DATA,
                .near = DATA + ARENA_HALF,
                .near_stride = near_stride,
                .far_stride = far_stride,
                .near_span = ARENA_HALF - bytes,
                .far_span = ARENA_HALF - bytes};
    for (unsigned i = 1; i < sources; i++) {
        s.source[i] = logical(1 + i);
    }
    double cycles;
    run(&s, 1, &cycles);
    snprintf(name, sizeof name, "%u: %u x %u B from %u, strides %u %u", number, transactions, bytes, sources,
             near_stride, far_stride);
    add(list, group, name, card, cycles);
    return true;
}

static bool dram_line(const char *line, const char *only, unsigned most_readers, point_list *list)
{
    char arm[16], name[40];
    unsigned readers, last[RUNS], first[RUNS];
    if (sscanf(line, "dram,%15[^,],%u,%u,%u,%u,%u,%u,%u", arm, &readers, &last[0], &last[1], &last[2], &first[0],
               &first[1], &first[2]) != 8 ||
        readers > MAX_FLOWS) {
        return false;
    }
    if (strncmp(arm, only, strlen(only)) != 0 || readers > most_readers) {
        return true;
    }
    static stream s[MAX_FLOWS];
    double cycles[MAX_FLOWS], low = INFINITY, high = 0;
    for (unsigned i = 0; i < readers; i++) {
        s[i] = (stream){.kind = LOOP_READ_DRAM,
                        .at = logical(i),
                        .source = {bank_port[strcmp(arm, "onechan") == 0 ? 0 : i % 8]},
                        .sources = 1,
                        .transactions = DRAM_TRANSACTIONS,
                        .bytes = DRAM_BYTES,
                        .far = DRAM_SLICE * (1 + i % DRAM_SLICES),
                        .near = DATA,
                        .near_stride = DRAM_BYTES,
                        .far_stride = DRAM_BYTES,
                        .near_span = DRAM_LANDING - DRAM_BYTES,
                        .far_span = DRAM_SLICE - DRAM_BYTES};
    }
    run(s, readers, cycles);
    for (unsigned i = 0; i < readers; i++) {
        low = fmin(low, cycles[i]);
        high = fmax(high, cycles[i]);
    }
    snprintf(name, sizeof name, "%u readers, last", readers);
    add(list, arm, name, last, high);
    snprintf(name, sizeof name, "%u readers, first", readers);
    add(list, arm, name, first, low);
    return true;
}

/* ---- Report ---------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

static double median_error(const point_list *list)
{
    double errors[MAX_POINTS];
    for (size_t i = 0; i < list->count; i++) {
        errors[i] = list->p[i].error;
    }
    qsort(errors, list->count, sizeof *errors, by_size);
    return fabs(errors[list->count / 2]);
}

static void runs_text(char *text, size_t size, const point *p)
{
    size_t at = 0;
    for (unsigned i = 0; i < p->runs && at < size; i++) {
        at += (size_t)snprintf(text + at, size - at, i == 0 ? "%.0f" : ", %.0f", p->card[i]);
    }
}

static bool append_table(const point_list *list, const char *path)
{
    FILE *f = fopen(path, "a");
    if (!f) {
        perror(path);
        return false;
    }
    unsigned good = 0;
    for (size_t i = 0; i < list->count; i++) {
        good += list->p[i].good;
    }
    fprintf(
        f,
        "\n## NoC and DRAM (nocbench, nocreadbench, dramratebench)\n\n"
        "Made by `make silicon` from tests/timing/noc_zones.csv.  Cycles of whole kernels on RISCV B; the error is "
        "that "
        "against the median of the\ncard's runs.  A point is good within %u %%; where the card's own runs lie further "
        "apart than\nthat, within so much of their span.  How a point is run: tests/timing/noc_silicon.c.\n\n"
        "%zu points, %u good; median error %.2f %%.\n\n"
        "| experiment | point | card | kerr | error | verdict |\n|---|---|--:|--:|--:|---|\n",
        BOUND, list->count, good, median_error(list));
    for (size_t i = 0; i < list->count; i++) {
        const point *p = &list->p[i];
        char runs[64];
        runs_text(runs, sizeof runs, p);
        fprintf(f, "| %s | %s | %s | %.0f | %+.2f %% | %s |\n", p->group, p->name, runs, p->ours, p->error,
                p->good ? "good" : "OUT");
    }
    return fclose(f) == 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: noc_silicon [--only EXPERIMENT] [--readers N] ZONES.csv [TABLE.md]\n");
    return 2;
}

int main(int argc, char **argv)
{
    const char *only = "";
    unsigned most_readers = MAX_FLOWS;
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (strcmp(argv[at], "--only") == 0) {
            only = argv[at + 1];
        } else if (strcmp(argv[at], "--readers") == 0) {
            most_readers = (unsigned)strtoul(argv[at + 1], NULL, 10);
        } else {
            return usage();
        }
    }
    if (argc - at != 1 && argc - at != 2) {
        return usage();
    }
    FILE *f = fopen(argv[at], "r");
    static point_list list;
    static flows pending;
    if (!f) {
        perror(argv[at]);
        return 2;
    }
    char line[512];
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        bool good = true;
        if (strncmp(line, "flow,", 5) == 0) {
            good = flow_line(line, only, &list, &pending);
        } else {
            finish_flows(&list, &pending);
            if (strncmp(line, "read,", 5) == 0) {
                good = read_line(line, only, &list);
            } else if (strncmp(line, "dram,", 5) == 0) {
                good = dram_line(line, only, most_readers, &list);
            }
        }
        if (!good) {
            fprintf(stderr, "%s:%u: not a point\n", argv[at], number);
            fclose(f);
            return 2;
        }
    }
    finish_flows(&list, &pending);
    fclose(f);
    if (list.count == 0) {
        fprintf(stderr, "%s: no point\n", argv[at]);
        return 2;
    }
    unsigned failed = 0;
    printf("1..%zu\n", list.count + 1);
    for (size_t i = 0; i < list.count; i++) {
        const point *p = &list.p[i];
        char runs[64];
        runs_text(runs, sizeof runs, p);
        failed += !p->good;
        printf("%s %zu - %s %s\n#   card %s, kerr %.0f, %+.2f %%\n", p->good ? "ok" : "not ok", i + 1, p->group,
               p->name, runs, p->ours, p->error);
    }
    const bool median_good = median_error(&list) <= MEDIAN_BOUND;
    failed += !median_good;
    printf("%s %zu - the median of all errors, %.2f %%\n", median_good ? "ok" : "not ok", list.count + 1,
           median_error(&list));
    const bool written = argc - at == 1 || append_table(&list, argv[at + 1]);
    return failed != 0 || !written;
}
