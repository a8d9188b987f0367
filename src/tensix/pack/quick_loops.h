/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of PACRs (loop.h).  Included by quick.c alone, behind quick_rows.h. */
#ifndef KERR_TENSIX_PACK_QUICK_LOOPS_H
#define KERR_TENSIX_PACK_QUICK_LOOPS_H

#include "tensix/config_pipe.h"
#include "tensix/config_shift.h"
#include "tensix/kept.h"
#include "tensix/later.h"
#include "tensix/pack/loop.h"

enum { NOP_WORD = OPCODE_NOP << 24, SOFT_RESET_THCON = 9 };

/* ---- Plans ---- */

/* What is so far in a plan that is being made. */
struct planning {
    const tensix_step *s;
    const struct input *in;
    struct pack_loop_plan *plan;
    struct tensix_adc_channel adc[2];
    unsigned times, rows, packs; /* all */
    bool last;                   /* the PACR before ends a tile */
};

static bool plan_pack(struct planning *now, unsigned i)
{
    struct pack_loop_plan *plan = now->plan;
    struct row_kind kind;
    uint16_t row[PACK_INTERFACES];
    if (!know(now->s, plan->key.words[i], now->in, &kind) ||
        !row_numbers(now->in, &kind, &now->adc[0], plan->key.wide, row) || now->rows + kind.rows > PACK_LOOP_ROWS)
        return false;
    if (now->last) { /* a tile begins, the only one */
        if (plan->first != PACK_LOOP_NONE && plan->first != i)
            return false;
        plan->first = (uint8_t)i;
        plan->start[now->times] = now->adc[1];
    }
    now->last = kind.last;
    if (kind.last)
        plan->tile = (uint8_t)(i + 1);
    plan->issues[i] = (uint8_t)issue_of(kind.bytes / PACK_UNIT_BYTES, false);
    plan->head[now->packs++] = row[0];
    for (unsigned k = 0; k < kind.rows; k++) {
        plan->row[now->rows++] = row[k];
        plan->used[row[k] / 32] |= UINT32_C(1) << row[k] % 32;
    }
    pack_advance_source(&now->adc[0], kind.mod);
    pack_advance_destination(&now->adc[1], kind.mod);
    memcpy(plan->packed[now->times], now->adc, sizeof now->adc);
    return true;
}

static bool plan_shift(struct pack_loop_plan *plan, unsigned i)
{
    if (plan->shift != PACK_LOOP_NONE && plan->shift != i)
        return false;
    plan->shift = (uint8_t)i;
    return decode_CFGSHIFTMASK(plan->key.words[i]).CfgIndex == THCON_SEC0_REG1_L1_Dest_addr_ADDR32;
}

/* All words once more.  False: one of them is not for this path. */
static bool plan_time(struct planning *now)
{
    struct pack_loop_plan *plan = now->plan;
    for (unsigned i = 0; i < plan->key.count; i++) {
        const uint32_t word = plan->key.words[i];
        const unsigned opcode = word >> 24;
        if (tensix_reserved_set(word) != 0)
            return false;
        if (opcode == OPCODE_PACR ? !plan_pack(now, i)
            : opcode == OPCODE_CFGSHIFTMASK
                ? !plan_shift(plan, i)
                : word != NOP_WORD &&
                      !(adc_of_packer(word, now->adc) && now->adc[0].x == 0 && now->adc[1].x == ROW_DATUMS - 1))
            return false;
    }
    memcpy(plan->end[now->times++], now->adc, sizeof now->adc);
    return plan->first != PACK_LOOP_NONE && now->last;
}

/* The cycles of all words, `free` being that from which on the packer is; false if they are not those that the plan has. */
static bool plan_cycles(struct pack_loop_plan *plan, unsigned begin, unsigned *free, bool again)
{
    unsigned at = begin, waits = 0;
    bool same = true;
    for (unsigned i = 0; i < plan->key.count; i++, at++) {
        if (plan->key.words[i] >> 24 == OPCODE_PACR) {
            if (*free > at) {
                waits += *free - at;
                at = *free;
                plan->waited = at - begin;
            }
            *free = at + plan->issues[i];
        }
        same = same && plan->at[i] == at - begin;
        plan->at[i] = (uint16_t)(at - begin);
    }
    same = same && plan->cycles == at - begin;
    plan->cycles = at - begin;
    plan->waits = waits;
    return same || !again;
}

/* What CFGSHIFTMASK writes is there when the next tile begins, or when CFGSHIFTMASK comes again. */
static bool shifts_in_time(const struct pack_loop_plan *plan)
{
    if (plan->shift == PACK_LOOP_NONE)
        return true;
    const unsigned shift = plan->at[plan->shift], first = plan->at[plan->first];
    const unsigned next = shift < first ? first : first + plan->cycles;
    return next - shift >= plan->key.latency && plan->cycles >= plan->key.latency + 2;
}

static void make_plan(const tensix_step *s, const struct input *in, struct pack_loop_plan *plan, unsigned times)
{
    struct planning now = {.s = s, .in = in, .plan = plan, .last = true};
    memcpy(now.adc, plan->begin, sizeof now.adc);
    plan->times = 0;
    plan->first = plan->shift = PACK_LOOP_NONE;
    plan->issue = plan->waited = 0;
    memset(plan->used, 0, sizeof plan->used);
    memset(plan->issues, 1, sizeof plan->issues);
    while (now.times < times && plan_time(&now)) {
        if (now.times == 1) {
            plan->rows = now.rows;
            plan->packs = now.packs;
        }
        plan->times = now.times;
    }
    if (plan->times == 0)
        return;
    unsigned free = 0;
    plan_cycles(plan, 0, &free, false);
    if (!plan_cycles(plan, plan->cycles, &free, true) || !shifts_in_time(plan))
        plan->times = 0;
    for (unsigned i = 0; i < plan->key.count; i++)
        plan->issue += plan->key.words[i] >> 24 == OPCODE_PACR ? plan->issues[i] : 0;
}

/* Which time of a plan begins with these counters; PACK_LOOP_NONE: none does. */
static inline unsigned time_of(const struct pack_loop_plan *plan, const struct tensix_adc_channel adc[2])
{
    if (memcmp(plan->begin, adc, sizeof plan->begin) == 0)
        return 0;
    for (unsigned i = 1; i < plan->times; i++)
        if (plan->end[i - 1][0].y == adc[0].y && memcmp(plan->end[i - 1], adc, sizeof plan->end[0]) == 0)
            return i;
    return PACK_LOOP_NONE;
}

/* Finds the plan of a loop that begins now, or makes it. */
static void find_plan(const tensix_step *s, struct pack_loop *loop, const uint32_t *config)
{
    struct pack_loops *loops = &s->tile->kept->pack_loops;
    const struct tensix_pack_plan *p = &s->tx->packer.plan;
    const struct tensix_adc_channel *adc = s->t->adc[ADC_PACKER];
    const struct input in = input_of(s, p, config);
    struct pack_loop_key key = {.count = loop->count,
                                .access = in.access,
                                .Base = in.Base,
                                .Ystride = in.Ystride,
                                .Zstride = in.Zstride,
                                .Wstride = in.Wstride,
                                .offset = in.offset,
                                .shift = in.shift,
                                .wide = p->Read_32b_data,
                                .row_bytes = 2 * format_bits(p->LateToFormat),
                                .latency = loop->latency};
    memcpy(key.words, loop->words, loop->count * sizeof key.words[0]);
    memcpy(key.mod, &s->t->config[ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32], sizeof key.mod);
    for (unsigned i = 0; i < PACK_LOOPS; i++) {
        struct pack_loop_plan *plan = &loops->plan[(loops->newest + i) % PACK_LOOPS];
        if (memcmp(&plan->key, &key, sizeof key) != 0)
            continue;
        loop->from = time_of(plan, adc);
        loop->plan = plan;
        if (loop->from != PACK_LOOP_NONE)
            return;
    }
    loops->newest = (loops->newest + PACK_LOOPS - 1) % PACK_LOOPS;
    struct pack_loop_plan *plan = &loops->plan[loops->newest];
    plan->key = key;
    memcpy(plan->begin, adc, sizeof plan->begin);
    make_plan(s, &in, plan, loop->times < PACK_LOOP_TIMES ? loop->times + 1 : (unsigned)PACK_LOOP_TIMES);
    loop->plan = plan;
    loop->from = 0;
}

/* ---- What they do ---- */

/* Where the tiles of a loop go, and what the word of configuration that says so becomes. */
struct loop_places {
    uint32_t place[PACK_LOOP_TIMES];   /* in units of 16 bytes */
    uint32_t shifted[PACK_LOOP_TIMES]; /* by CFGSHIFTMASK, each time */
};

static void find_places(tensix_step *s, const struct pack_loop *loop, const uint32_t *config, unsigned times,
                        struct loop_places *out)
{
    const struct pack_loop_plan *plan = loop->plan;
    struct pack_job job;
    job_of(&job, s, config, true);
    const struct pack_places places = pack_places_of(&job);
    const bool shifts = plan->shift != PACK_LOOP_NONE;
    const struct op_CFGSHIFTMASK op = decode_CFGSHIFTMASK(plan->key.words[shifts ? plan->shift : 0]);
    const uint32_t scratch = shifts ? config[config_shift_scratch(&op, s->thread)] : 0;
    uint32_t word = config[THCON_SEC0_REG1_L1_Dest_addr_ADDR32];
    for (unsigned i = 0; i < times; i++) {
        const uint32_t before = word;
        if (shifts)
            word = out->shifted[i] = config_shift(&op, word, scratch);
        out->place[i] = pack_place(&places, plan->shift < plan->first ? word : before, &plan->start[loop->from + i]) &
                        PACK_PLACE_MASK;
    }
}

/* The tiles to L1.  How many: those before the first one whose lines somebody heeds, or behind which L1 ends. */
static unsigned put_tiles(tensix_step *s, const struct pack_loop *loop, const struct tensix_files *files,
                          const struct loop_places *to, unsigned times)
{
    const struct pack_loop_plan *plan = loop->plan;
    const uint16_t *row = plan->row + loop->from * plan->rows;
    const struct tensix_pack_plan *p = &s->tx->packer.plan;
    const unsigned units = plan->rows * plan->key.row_bytes / PACK_UNIT_BYTES;
    unsigned i = 0;
    while (i < times) {
        unsigned n = 1; /* that follow each other in L1 */
        while (i + n < times && to->place[i + n] == to->place[i] + n * units)
            n++;
        const struct tensix_pack_stream stream = {.address = to->place[i] * PACK_UNIT_BYTES};
        uint8_t *bytes = place_of(s, &stream, n * units * PACK_UNIT_BYTES);
        if (bytes == NULL)
            break;
        pack_way_rows_from((enum pack_way)p->way, n * plan->rows, bytes, files->DstBits[0], row + i * plan->rows,
                           DST_LOW_HALF * DST_COLUMNS);
        i += n;
    }
    return i;
}

/* Whether no row is undefined. */
static bool rows_are_defined(const struct tensix_files *files, const struct pack_loop_plan *plan)
{
    uint32_t undefined = 0;
    for (unsigned i = 0; i < DST_ROWS / 32; i++)
        undefined |= files->dst_row_undefined[i] & plan->used[i];
    return undefined == 0;
}

/* The packer behind so many tiles. */
static void end_tiles(tensix_step *s, const struct pack_loop *loop, const uint32_t *config, uint32_t place,
                      unsigned times)
{
    const struct pack_loop_plan *plan = loop->plan;
    struct tensix_packer *p = &s->tx->packer;
    const unsigned bytes = plan->rows * plan->key.row_bytes;
    const unsigned header = CFG_FIELD(config, THCON_SEC0_REG1_Add_tile_header_size);
    p->tile_start = place;
    p->data.address = place * PACK_UNIT_BYTES + bytes;
    p->data.open = p->exponents.open = p->row_starts.open = false;
    p->last_thread = s->thread;
    p->last_tile_size = (uint16_t)(bytes / PACK_UNIT_BYTES);
    p->acc_tile_size[s->thread] = (uint16_t)(p->acc_tile_size[s->thread] + times * (p->last_tile_size + header));
    p->datums = 0;
    p->tile_position = p->tile_plane = 0;
    memcpy(s->t->adc[ADC_PACKER], (loop->part != 0 ? plan->packed : plan->end)[loop->from + times - 1],
           sizeof plan->end[0]);
    s->tx->data_cycles[1] += (uint64_t)times * plan->issue;
}

/* The Configuration Unit behind the CFGSHIFTMASKs of so many tiles, the last word of which passes in cycle `last`. */
static void end_shifts(tensix_step *s, const struct pack_loop *loop, uint32_t *config, unsigned tiles, uint64_t last,
                       const uint32_t *shifted)
{
    struct tensix *tx = s->tx;
    const struct pack_loop_plan *plan = loop->plan;
    const unsigned times = tiles - (loop->part != 0 && plan->shift >= loop->part);
    if (times == 0)
        return;
    const uint64_t at = s->cycle + (uint64_t)(times - 1) * plan->cycles + plan->at[plan->shift];
    const uint64_t there = at + plan->key.latency;
    config_pipe_enter(&tx->config_unit, at, CONFIG_ENTER_CFGSHIFTMASK);
    uint32_t *word = &config[THCON_SEC0_REG1_L1_Dest_addr_ADDR32];
    if (there <= last) {
        *word = shifted[times - 1];
        return;
    }
    if (times > 1)
        *word = shifted[times - 2];
    tensix_later_config(s->tile, tx, there, CFG_FIELD(s->t->config, CFG_STATE_ID_StateID),
                        THCON_SEC0_REG1_L1_Dest_addr_ADDR32, UINT32_MAX, shifted[times - 1]);
}

/* Whether a loop with a tile each time is for this path at all. */
static bool loops_now(tensix_step *s, const uint32_t *config)
{
    const struct tensix_packer *p = &s->tx->packer;
    return is_quick_now(s, config) && !pack_is_held(s) && pack_may_loop(p) && !p->data.open && p->exponents.bits == 0 &&
           p->row_starts.bits == 0 && !CFG_FIELD(config, THCON_SEC0_REG1_Enable_out_fifo) && s->tile->kept != NULL;
}

/* How many tiles there are before `until`; the last one may be a part of a time, which has loop->part words then. */
static unsigned tiles_of(const tensix_step *s, struct pack_loop *loop)
{
    const struct pack_loop_plan *plan = loop->plan;
    const unsigned known = plan->times - loop->from;
    const unsigned most = loop->times < known ? loop->times : known;
    unsigned times = most;
    loop->part = 0;
    if (plan->times == 0)
        return 0;
    const uint64_t first = s->cycle + plan->at[plan->key.count - 1]; /* the end of the first time */
    if (first + (uint64_t)times * plan->cycles > loop->until)
        times = first >= loop->until ? 0 : (unsigned)(loop->until - 1 - first) / plan->cycles + 1;
    times = times < most ? times : most;
    if (times < known && (times < loop->times || plan->tile <= loop->rest) && plan->tile < plan->key.count &&
        s->cycle + (uint64_t)times * plan->cycles + plan->at[plan->tile - 1] < loop->until)
        loop->part = plan->tile;
    return times + (loop->part != 0);
}

bool pack_run_loop(tensix_step *s, struct pack_loop *loop)
{
    struct tensix *tx = s->tx;
    uint32_t *config = tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
    if (loop->count > PACK_LOOP_WORDS || !loops_now(s, config))
        return false;
    find_plan(s, loop, config);
    const struct pack_loop_plan *plan = loop->plan;
    const struct tensix_files *files = s->tile->files;
    const unsigned wanted = tiles_of(s, loop);
    if (wanted == 0 || tx->unit_free[UNIT_PACK] > s->cycle + plan->at[plan->first] || !rows_are_defined(files, plan) ||
        pack_rows_raise_max_exponent(&tx->packer, files->DstBits[0], plan->head + loop->from * plan->packs,
                                     wanted * plan->packs))
        return false;
    const bool shifts = plan->shift != PACK_LOOP_NONE;
    struct tensix_config_unit pipe = tx->config_unit;
    if (shifts &&
        (tx->latched != 0 || tx->unit_free[UNIT_CONFIG] > s->cycle || tensix_soft_reset(s->tile, SOFT_RESET_THCON) ||
         !config_pipe_enter(&pipe, s->cycle + plan->at[plan->shift], CONFIG_ENTER_CFGSHIFTMASK) || pipe.inside != 0))
        return false;
    struct loop_places to;
    find_places(s, loop, config, wanted, &to);
    const unsigned tiles = put_tiles(s, loop, files, &to, wanted);
    if (tiles == 0)
        return false;
    if (tiles != wanted)
        loop->part = 0;
    loop->times = tiles - (loop->part != 0);
    end_tiles(s, loop, config, to.place[tiles - 1], tiles);
    if (shifts)
        end_shifts(s, loop, config, tiles,
                   s->cycle + (uint64_t)(tiles - 1) * plan->cycles +
                       plan->at[(loop->part != 0 ? loop->part : plan->key.count) - 1],
                   to.shifted);
    return true;
}

#endif
