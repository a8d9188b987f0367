/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the Vector Unit, run as code that was made for them (code.h). */
#include "tensix/vector/code.h"

#if defined(__x86_64__)
#include "tensix/vector/play_cells.h"
#include "tensix/vector/row.h"

enum { CELLS = 256 /* that are found at once */ };

#define PAIRS(first)                                                                                                   \
    {                                                                                                                  \
        (first), (first) + 32, (first) + 2, (first) + 34, (first) + 4, (first) + 36, (first) + 6, (first) + 38,        \
            (first) + 8, (first) + 40, (first) + 10, (first) + 42, (first) + 12, (first) + 44, (first) + 14,           \
            (first) + 46, (first) + 16, (first) + 48, (first) + 18, (first) + 50, (first) + 20, (first) + 52,          \
            (first) + 22, (first) + 54, (first) + 24, (first) + 56, (first) + 26, (first) + 58, (first) + 28,          \
            (first) + 60, (first) + 30, (first) + 62                                                                   \
    }
static const struct code_parity even_columns = {.index = PAIRS(0), .up = 16, .down = 0, .keep = 0xFFFF0000},
                                odd_columns = {.index = PAIRS(1), .up = 0, .down = 16, .keep = 0xFFFF};

static void slow(struct code_run *c, unsigned i)
{
    c->slows += LANES / CODE_LANES;
    play_slow_mad(c->v, &c->run->step[i], c->lanes);
}

static void slow_avx2(struct code_run *c, unsigned i)
{
    c->slows++;
    play_slow_mad_avx2(c->v, &c->run->step[i], c->enabled, c->before / (unsigned)sizeof(uint32_t));
}

static bool is_wide(unsigned code)
{
    return code != PLAY_LOAD_BF16 && code != PLAY_STORE_BF16;
}
/* Where the SFPLOADs and SFPSTOREs of a playback go, with the counters as they are; INCRWCs are done.  False: one is special. */
static bool find_cells(const struct play_run *run, const struct play_part *part, struct code_cells *cells)
{
    struct tensix_thread *t = run->s->t;
    for (unsigned i = 0; i < part->goes; i++) {
        const struct play_step *step = &run->step[part->goes_at[i]];
        if (step->kind == COUNTS) {
            play_incrwc(run, step);
        } else {
            const unsigned Addr = address_of(run, &step->o);
            cells->at = cells_of(run, Addr, is_wide(step->code));
            if (UNLIKELY(cells->at == NULL))
                return false;
            cells->parity = Addr & 2 ? &odd_columns : &even_columns;
            cells++;
            count_on(t, step->o.VA);
        }
    }
    return true;
}

/* Executes `c`, up to run->times; the same cells each time, if nothing counts.  Returns how many. */
static unsigned execute(struct code_run *c, code_function *function, const struct play_run *run,
                        const struct play_part *part, unsigned left)
{
    const unsigned moves = part->moves;
    struct code_cells cells[CELLS];
    struct tensix_rwc *rwc = &run->s->t->rwc;
    const struct tensix_rwc at_first = *rwc;
    unsigned times = 0;
    c->cells = cells;
    c->cells_a_time = moves * sizeof *cells;
    while (times < left && (times + 1) * moves <= CELLS) {
        const struct tensix_rwc before = *rwc;
        if (!find_cells(run, part, cells + (size_t)times * moves)) {
            *rwc = before;
            break;
        }
        times++;
        if (times == 1 && memcmp(&before, rwc, sizeof before) == 0) {
            times = left;
            c->cells_a_time = 0;
        }
    }
    c->times = times;
    if (times != 0 && function(c))
        return times;
    *rwc = at_first;
    return 0;
}

static void give_flags(struct vector_files *v, const struct play_part *part, uint32_t lanes, unsigned depth)
{
    if (part->flags)
        v->LaneFlags = lanes;
    if (part->deeper != 0)
        memset(v->flag_stack_size, (int)depth + part->deeper, sizeof v->flag_stack_size);
    if (part->last_mad != PLAY_WORDS) {
        const unsigned VD = part->last_VD;
        v->mad.written = v->mad.lanes ? UINT32_C(1) << VD : 0;
        memset(v->mad.index, (int)VD, sizeof v->mad.index);
    }
}

bool play_on_code(struct code_store *store, struct play_run *run, const struct play_program *p, struct play_part *part)
{
    enum { REST = 64 };
    struct vector_files *v = &run->files->vector;
    if (store == NULL || (part->flags && v->UseLaneFlagsForLaneEnable != UINT32_MAX))
        return false;
    code_function *function = code_find(store, p, part);
    if (function == NULL)
        return false;
    struct code_run c = {.v = v,
                         .stack = v->FlagStack + run->depth,
                         .times = run->times,
                         .lanes = v->LaneFlags | ~v->UseLaneFlagsForLaneEnable,
                         .slow = code_store_form(store) == CODE_AVX512 ? slow : slow_avx2,
                         .run = run};
    const unsigned all = run->times;
    bool goes = true;
    if (part->moves == 0 && part->counts == 0) {
        goes = function(&c);
        run->times = goes ? 0 : all;
    }
    while (goes && run->times != 0) {
        const unsigned times = execute(&c, function, run, part, run->times);
        run->times -= times;
        goes = times != 0;
    }
    if (run->times != all)
        give_flags(v, part, c.lanes, run->depth);
    if (!goes || c.slows > all * (LANES / CODE_LANES))
        part->wait = REST;
    return run->times == 0;
}
#else
bool play_on_code(struct code_store *store, struct play_run *run, const struct play_program *p, struct play_part *part)
{
    (void)store, (void)run, (void)p, (void)part;
    return false;
}
#endif
