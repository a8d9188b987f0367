/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/lap_vector.h"

#include "tensix_isa.h" /* before tile_regs.h, which makes a macro of one of its names */

#include "base/bits.h"
#include "tensix/frontend/plan.h"
#include "tensix/vector/play.h"
#include "tensix/vector/row.h"

#include "tensix_units.h"
#include "tile/blocks.h"
#include "tile/devices.h"

static const struct vector_files *files_of(const struct tile *tile)
{
    return &tile_tensix_files_const(tile)->vector;
}

/* Nothing is special about the unit: it takes what comes, and nothing is scheduled (vector/row.c). */
static bool is_open(const struct tile *tile, const struct tensix *tx, uint64_t now)
{
    enum { SOFT_RESET_FPU_SFPU = 10 };
    const struct vector_files *v = files_of(tile);
    return v->macro.pending == 0 && tx->vector_due == 0 && v->only_nop < now && v->lane_config_any == 0 &&
           tx->matrix.only_before <= now && tx->later_count == 0 &&
           (debug_reg_peek(tile_devices_const(tile), RISCV_DEBUG_REG_SOFT_RESET_0) >> SOFT_RESET_FPU_SFPU & 1) == 0;
}

void lap_vector_begin(struct lap_vector *lap, struct lap_vector_steps *steps, const struct tile *tile)
{
    const struct vector_files *v = files_of(tile);
    steps->count = 0;
    lap->parts = 0;
    lap->depth = (int8_t)vector_stack_depth(v);
    lap->mad_cycle = v->mad.cycle;
    lap->only_nop = v->only_nop;
    lap->mad_assumed = v->mad.assumed;
}

/* Banks of SrcA and SrcB stay with whom they belong to. */
static bool only_counts(uint32_t word)
{
    const struct op_SETRWC op = decode_SETRWC(word);
    return !op.FlipSrcA && !op.FlipSrcB;
}

bool lap_vector_passed(struct lap_vector_steps *steps, const tensix_step *s)
{
    const bool sets = s->op == TENSIX_SETRWC && only_counts(s->word);
    if (!(s->unit == UNIT_VECTOR || s->op == TENSIX_INCRWC || sets) || tensix_reserved_set(s->word) != 0 ||
        steps->count == LAP_VECTOR_WORDS || (steps->count != 0 && steps->thread != s->thread))
        return false;
    steps->thread = s->thread;
    steps->word[steps->count++] = s->word;
    return true;
}

/* ---- Parts ---------------------------------------------------------------------------------------------------- */

/* What is played back, over and over. */
struct played {
    const uint32_t *words; /* the replay buffer */
    unsigned first, count;
};

static bool is_setrwc(uint32_t word)
{
    return tensix_op_of[word >> 24] == TENSIX_SETRWC;
}

/* Whether all that has passed is playbacks, the first one from its `at`-th instruction on, and the next one would go on there. */
static bool begins_at(const struct played *p, const struct lap_vector_steps *steps, unsigned at)
{
    unsigned k = at;
    for (unsigned i = 0; i < steps->count; i++) {
        if (is_setrwc(steps->word[i]))
            continue;
        if (steps->word[i] != p->words[p->first + k])
            return false;
        k = k + 1 == p->count ? 0 : k + 1;
    }
    return k == at;
}

/* One more behind those that are there already: `count` instructions, or SETRWC. */
static bool add(struct lap_vector *lap, struct lap_vector_part part)
{
    struct lap_vector_part *last = lap->parts != 0 ? &lap->part[lap->parts - 1] : NULL;
    if (last != NULL && part.count != 0 && last->from == part.from && last->count == part.count) {
        last->times += part.times;
        return true;
    }
    if (lap->parts == LAP_VECTOR_PARTS)
        return false;
    lap->part[lap->parts++] = part;
    return true;
}

static bool take_apart(struct lap_vector *lap, const struct played *p, const struct lap_vector_steps *steps,
                       unsigned at)
{
    unsigned k = at, from = at; /* of the playback: the next one, the first one that is not in a part yet */
    bool good = true;
    for (unsigned i = 0; i < steps->count; i++) {
        const bool sets = is_setrwc(steps->word[i]);
        k += !sets;
        if (k != from && (sets || k == p->count || i + 1 == steps->count))
            good &= add(lap, (struct lap_vector_part){
                                 .from = (uint8_t)(p->first + from), .count = (uint8_t)(k - from), .times = 1});
        if (sets)
            good &= add(lap, (struct lap_vector_part){.word = steps->word[i]});
        k = k == p->count ? 0 : k;
        if (sets || k == 0)
            from = k;
    }
    return good;
}

bool lap_vector_end(struct lap_vector *lap, const struct lap_vector_steps *steps, struct tile *tile,
                    const struct tensix *tx, uint64_t begin, uint64_t cycles)
{
    const struct vector_files *v = files_of(tile);
    lap->parts = 0;
    if (steps->count == 0)
        return true;
    lap->thread = (uint8_t)steps->thread;
    lap->mad_moves = v->mad.cycle - lap->mad_cycle == cycles;
    lap->swap_moves = v->only_nop - lap->only_nop == cycles;
    const bool still = v->mad.cycle == lap->mad_cycle && lap->mad_cycle < begin;
    if (!is_open(tile, tx, begin + cycles) || lap->depth < 0 || vector_stack_depth(v) != lap->depth ||
        v->mad.assumed != lap->mad_assumed || (!lap->mad_moves && !still) ||
        (!lap->swap_moves && v->only_nop != lap->only_nop))
        return false;
    const struct tensix_thread *t = &tx->thread[lap->thread];
    const struct played p = {.words = t->replay,
                             .first = bits(t->spans.replay_word, 23, 14) % REPLAY_ENTRIES,
                             .count = plan_played_by(t->spans.replay_word)};
    if (p.count == 0 || p.first + p.count > REPLAY_ENTRIES)
        return false;
    for (unsigned at = 0; at < p.count; at++)
        if (begins_at(&p, steps, at))
            return play_repeats(tile, t->replay, lap->thread, p.first, p.count, at, lap->depth) &&
                   take_apart(lap, &p, steps, at);
    return false;
}

/* ---- Doing it again ------------------------------------------------------------------------------------------- */

bool lap_vector_is_same(const struct lap_vector *lap, const struct tile *tile, const struct tensix *tx, uint64_t begin,
                        uint64_t now)
{
    if (lap->parts == 0)
        return true;
    const struct vector_files *v = files_of(tile);
    const bool mad = lap->mad_moves ? v->mad.cycle - lap->mad_cycle == now - begin && v->mad.assumed == lap->mad_assumed
                                    : v->mad.cycle < now;
    const bool swap = !lap->swap_moves || v->only_nop - lap->only_nop == now - begin;
    return mad && swap && is_open(tile, tx, now) && vector_stack_depth(v) == lap->depth;
}

/* Does what `run` has, if there is any. */
static void finish(tensix_step *s, struct vector_files *v, struct lap_vector_part *run)
{
    if (run->count != 0)
        play_again(s, v, run->from, run->count, run->times);
    run->count = 0;
}

static void set_counters(tensix_step *s, uint32_t word)
{
    const struct op_SETRWC op = decode_SETRWC(word);
    matrix_SETRWC(s, &op);
}

void lap_vector_repeat(const struct lap_vector *lap, struct tile *tile, struct tensix *tx, uint64_t now, uint32_t laps,
                       uint64_t cycles)
{
    if (lap->parts == 0)
        return;
    struct vector_files *v = tile_vector_files(tile);
    tensix_step s = {.tile = tile, .tx = tx, .t = &tx->thread[lap->thread], .thread = lap->thread, .cycle = now};
    struct lap_vector_part run = {.count = 0};
    for (uint32_t i = 0; i < laps * lap->parts; i++) {
        const struct lap_vector_part *next = &lap->part[i % lap->parts];
        if (next->count == 0) {
            finish(&s, v, &run);
            set_counters(&s, next->word);
        } else if (run.count == next->count && run.from == next->from) {
            run.times += next->times;
        } else if (run.count != 0 && run.times == 1 && next->times == 1 && run.from + run.count == next->from) {
            run.count = (uint8_t)(run.count +
                                  next->count); /* the end of a lap and the beginning of the next are one playback */
        } else {
            finish(&s, v, &run);
            run = *next;
        }
    }
    finish(&s, v, &run);
    if (lap->mad_moves)
        v->mad.cycle += laps * cycles;
    if (lap->swap_moves)
        v->only_nop += laps * cycles;
}
