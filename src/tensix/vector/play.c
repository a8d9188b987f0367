/* SPDX-License-Identifier: Apache-2.0 */
/* Playbacks for the Vector Unit: programs (play_make.c) are run here, on any processor; play_avx512.c and play_avx2.c are faster. */
#include "tensix/vector/play.h"

#include "tensix/kept.h"
#include "tensix/vector/code.h"
#include "tensix/vector/row.h"
#include "tensix/vector/steps.h"

_Static_assert((int)PLAY_WORDS == (int)REPLAY_ENTRIES, "all that can be played back at once");

void play_on_any(const struct play_run *run)
{
    struct vector_files *v = &run->files->vector;
    for (unsigned i = 0, times = run->times; times != 0;) {
        const struct play_step *step = &run->step[i];
        const uint32_t enabled = v->LaneFlags | ~v->UseLaneFlagsForLaneEnable;
        switch (step->kind) {
        case IN_ENABLED_LANES:
        case OF_MAD: row_function(step->opcode)(v, enabled, &step->o); break;
        case IN_ALL_LANES:
        case OF_STACK: row_function(step->opcode)(v, UINT32_MAX, &step->o); break;
        case LOADS:
        case STORES: vector_move_plainly(run->s, enabled, &step->o, step->kind == LOADS); break;
        case COUNTS: play_incrwc(run, step); break;
        default: break;
        }
        if (++i == run->count) {
            i = 0;
            times--;
        }
    }
}

/* How many of `most` are taken in so many cycles. */
static unsigned fits(const struct play_program *p, unsigned from, unsigned most, uint64_t cycles)
{
    unsigned k = most;
    while (k != 0 && (unsigned)p->taken[from + k - 1] - p->taken[from] >= cycles)
        k--;
    return k;
}

/* The stacks of all lanes allow what comes. */
static bool stacks_allow(const struct play_program *p, unsigned from, int depth)
{
    return depth >= 0 && depth + p->shallowest[from] >= 0 && depth + p->deepest[from] <= FLAG_STACK_DEPTH;
}

static struct tensix_files *files_of(struct vector_files *v)
{
    return (struct tensix_files *)(void *)((char *)v - offsetof(struct tensix_files, vector));
}

/* Whether it has come often enough for code. */
static inline bool has_code(struct play_part *part)
{
    if (LIKELY(part->wait == 0))
        return part->codes;
    part->wait--;
    return false;
}

static void execute(tensix_step *s, struct vector_files *v, struct play_program *p, struct play_part *part, int depth,
                    unsigned times)
{
    const unsigned from = part->from;
    struct play_run run = {
        .s = s,
        .files = p->stores[from] ? tensix_files_of(s->tile) : files_of(v),
        .step = p->step + from,
        .count = part->count,
        .times = times,
        .last_mad = part->last_mad,
        .depth = (unsigned)depth,
    };
    if (p->moves[from]) {
        const uint32_t *config = run.config = step_config(s);
        run.access = dst_access(s, config);
        run.base = CFG_FIELD(s->t->config, DEST_TARGET_REG_CFG_MATH_Offset) + CFG_FIELD(config, DEST_REGW_BASE_Base) +
                   ((s->t->rwc.sp + CFG_FIELD(config, DEST_SP_BASE_Base)) & 3);
    }
    if (has_code(part)) {
        struct tensix_kept *worker = s->tile->kept;
        if (worker != NULL && play_on_code(worker->codes, &run, p, part))
            return;
    }
    (play_has_avx512() ? play_on_avx512 : play_has_avx2() ? play_on_avx2 : play_on_any)(&run);
}

static inline struct play_part *part_of(struct play_program *p, unsigned from, unsigned count)
{
    struct play_part *part = &p->part[(from * 7 + count) % PLAY_PARTS];
    if (UNLIKELY(part->from != from || part->count != count))
        play_make_part(p, from, count, part);
    return part;
}

/* The Matrix Unit has taken its own, too. */
static void count_counts(tensix_step *s, const struct play_part *part, unsigned times, uint64_t last)
{
    const uint64_t free = last + part->counted;
    s->tx->issued[s->thread][UNIT_MATRIX] += part->counts * times;
    s->tx->unit_free[UNIT_MATRIX] = free;
    s->t->busy_until[UNIT_MATRIX] = max64(s->t->busy_until[UNIT_MATRIX], free);
}

/* Executes a part so often and counts it; the last time the first one of it is taken in cycle `last`. */
static void take(tensix_step *s, struct vector_files *v, struct play_program *p, struct play_part *part, int depth,
                 unsigned times, uint64_t last, uint64_t *cycle, uint64_t *busy)
{
    execute(s, v, p, part, depth, times);
    if (part->counts != 0)
        count_counts(s, part, times, last);
    for (unsigned i = 0; i < part->kinds; i++)
        s->tx->ran[part->op[i]] += part->of_op[i] * times;
    if (part->last_mad != PLAY_WORDS) {
        const unsigned mad = part->from + part->last_mad;
        v->mad.cycle = last + p->taken[mad] - p->taken[part->from] + 1;
        v->mad.assumed = p->assumed_writes[mad];
    }
    if (part->last_swap != PLAY_WORDS)
        v->only_nop = last + p->taken[part->from + part->last_swap] - p->taken[part->from] + 1;
    s->op = p->op[part->from + part->count - 1];
    *busy = last + part->busy;
    *cycle = last + part->cycles;
}

/* The program, if some of the row can be taken from it; *most: how many. */
static inline struct play_program *program_of(tensix_step *s, const struct vector_files *v,
                                              const struct vector_row *row, unsigned from, unsigned *most)
{
    struct play_program *p = &s->tile->vector_cache->program[s->thread];
    if (v->lane_config_any != 0)
        return NULL;
    *most = row->count < PLAY_WORDS - from ? row->count : PLAY_WORDS - from;
    if (UNLIKELY(!p->made || memcmp(p->words + from, row->words + from, *most * sizeof *p->words) != 0))
        play_make(p, row->words);
    *most = p->length[from] < *most ? p->length[from] : *most;
    return *most != 0 ? p : NULL;
}

/* Whether the first one is held by the last result of the MAD sub-unit; *early: it might find an old value instead. */
static inline bool first_is_held(const struct vector_files *v, const struct play_program *p, unsigned from,
                                 uint64_t cycle, bool *early)
{
    *early = false;
    if (LIKELY(v->mad.cycle != cycle))
        return false;
    if ((v->mad.assumed & p->assumed_reads[from]) != 0)
        return true;
    *early = (v->mad.written & p->reads[from]) != 0;
    return false;
}

/* Counts cycles in which instructions of a part, the first of which was taken in cycle `start`, were held: so many, in the last round
 * of it those of `waited`. */
static void count_waits(tensix_step *s, const struct play_program *p, unsigned from, unsigned waits, uint32_t waited,
                        uint64_t start)
{
    const unsigned last = waited != 0 ? 31u - (unsigned)__builtin_clz(waited) : 0;
    if (waits != 0)
        row_count_waits(s, waits, start + p->taken[from + last] - p->taken[from] - 1);
}

unsigned play_row(tensix_step *s, struct vector_files *v, struct vector_row *row, uint64_t until, uint64_t *cycle,
                  uint64_t *busy)
{
    const unsigned from = row->first % PLAY_WORDS;
    unsigned most;
    struct play_program *p = program_of(s, v, row, from, &most);
    if (p == NULL)
        return 0;
    bool early;
    const bool held = first_is_held(v, p, from, *cycle, &early);
    const uint64_t start = *cycle + held;
    const int depth = p->stacks[from] ? vector_stack_depth(v) : 0;
    if (start >= until || early || (p->stacks[from] && !stacks_allow(p, from, depth)))
        return 0;
    const unsigned k = fits(p, from, most, until - start);
    struct play_part *part = part_of(p, from, k);
    if (part->counts != 0 && s->tx->unit_free[UNIT_MATRIX] > start)
        return 0;
    row->counted = part->counts;
    row->free = start + part->free;
    take(s, v, p, part, depth, 1, start, cycle, busy);
    row->waited = part->waited | held;
    count_waits(s, p, from, part->waits + held, (uint32_t)row->waited, start);
    return k;
}

unsigned play_times(tensix_step *s, struct vector_files *v, struct vector_row *row, uint64_t until, uint64_t *cycle,
                    uint64_t *busy)
{
    const unsigned from = row->first % PLAY_WORDS;
    unsigned k;
    struct play_program *p = program_of(s, v, row, from, &k);
    if (p == NULL || k != row->count)
        return 0;
    struct play_part *part = part_of(p, from, k);
    bool early;
    const bool held = first_is_held(v, p, from, *cycle, &early), again = part->again_is_held;
    const uint64_t start = *cycle + held;
    const int depth = p->stacks[from] ? vector_stack_depth(v) : 0;
    if (early || part->again_is_early || start + part->cycles > until || part->deeper != 0 ||
        (part->counts != 0 && s->tx->unit_free[UNIT_MATRIX] > start) ||
        (p->stacks[from] && !stacks_allow(p, from, depth)))
        return 0;
    const unsigned period = (unsigned)part->cycles + again;
    const uint64_t fit = start + (uint64_t)(row->times - 1) * period + part->cycles <= until
                             ? row->times
                             : 1 + (until - start - part->cycles) / period;
    const unsigned times = (unsigned)fit;
    const uint64_t last = start + (uint64_t)(times - 1) * period; /* time begins */
    take(s, v, p, part, depth, times, last, cycle, busy);
    row->counted = part->counts * times;
    row->free = last + part->free;
    row->waited = part->waited;
    row->waits = part->waits;
    row->held = held;
    row->held_again = again;
    const uint32_t waited = part->waited | (times > 1 ? again : held);
    /* None in the last round: the very first one was the only one. */
    count_waits(s, p, from, part->waits * times + held + again * (times - 1), waited, waited != 0 ? last : start);
    return times;
}
