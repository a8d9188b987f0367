/* SPDX-License-Identifier: Apache-2.0 */
/* Playbacks for the Vector Unit: programs are made and run here, on any processor; play_avx512.c is faster. */
#include "tensix/vector/play.h"

#include "tensix/vector/row.h"
#include "tensix/vector/steps.h"

#include "num/sfpu_cells.h"

_Static_assert((int)PLAY_WORDS == (int)REPLAY_ENTRIES, "all that can be played back at once");

/* ---- Programs ------------------------------------------------------------------------------------------------- */

enum { MOD_INDIRECT = 12, INDIRECT_VD = 8 };

static unsigned code_of_iadd(const struct vector_operands *o)
{
    enum { ARG_IMM = 1, ARG_2SCOMP_LREG_DST = 2, CC_NONE = 4, CC_GTE0 = 8 };
    if ((o->mod & (CC_NONE | CC_GTE0)) != CC_NONE)
        return PLAY_ADD_FLAGS;
    return o->mod & ARG_IMM ? PLAY_ADD_IMM : o->mod & ARG_2SCOMP_LREG_DST ? PLAY_SUB : PLAY_ADD;
}

/* By a constant, of which five bits of the magnitude count (sfpu_shift). */
static unsigned code_of_shft(const struct vector_operands *o, struct play_step *step)
{
    enum { ARG_IMM = 1, ARITHMETIC = 2, ARG_IMM_USE_VC = 4 };
    if (!(o->mod & ARG_IMM))
        return PLAY_CALL;
    step->source = o->mod & ARG_IMM_USE_VC ? o->VC : o->VB;
    step->value = (o->imm < 0 ? 0u - (uint32_t)o->imm : (uint32_t)o->imm) & 31;
    return o->imm >= 0 ? PLAY_SHIFT_LEFT : o->mod & ARITHMETIC ? PLAY_SHIFT_ARITHMETIC : PLAY_SHIFT_RIGHT;
}

static unsigned code_of_setcc(const struct vector_operands *o, struct play_step *step)
{
    enum { IMM_BIT0 = 1, SOME = 2, INVERTED = 4, CLEAR = 8 };
    if (o->mod & (CLEAR | IMM_BIT0)) {
        step->value = !(o->mod & CLEAR) && o->imm ? UINT32_MAX : 0;
        return PLAY_SETCC_VALUE;
    }
    step->value = o->mod & INVERTED ? UINT32_MAX : 0;
    return o->mod & SOME ? PLAY_SETCC_SOME : PLAY_SETCC_SIGN;
}

static unsigned code_of_setexp(const struct vector_operands *o, struct play_step *step)
{
    step->value = ((uint32_t)o->imm & 255) << 23;
    return o->mod & 1 ? PLAY_SETEXP_IMM : PLAY_CALL;
}

static unsigned code_of_exexp(const struct vector_operands *o, struct play_step *step)
{
    step->value = o->mod & 1 ? 0 : 127;
    return o->mod & 10 ? PLAY_CALL : PLAY_EXEXP;
}

static unsigned code_of_mad(const struct vector_operands *o, struct play_step *step)
{
    enum { NEGATE_VA = 1 };
    if (o->mod & MOD_INDIRECT)
        return PLAY_CALL;
    if (o->VC == LREG_ZERO)
        return PLAY_PRODUCT;
    step->source = o->VB == LREG_ONE ? o->VA : o->VB;
    return o->VB == LREG_ONE || (o->VA == LREG_ONE && !(o->mod & NEGATE_VA)) ? PLAY_SUM : PLAY_MAD;
}

static unsigned code_of_loadi(const struct vector_operands *o, struct play_step *step)
{
    enum { FLOATB = 0, USHORT = 2, SHORT = 4 };
    const uint32_t immediate = (uint32_t)o->imm & 0xFFFF;
    step->value = o->mod == FLOATB ? immediate << 16 : o->mod == SHORT ? (uint32_t)(int16_t)immediate : immediate;
    return o->mod == FLOATB || o->mod == USHORT || o->mod == SHORT ? PLAY_VALUE : PLAY_CALL;
}

static unsigned code_of_load(const struct vector_operands *o)
{
    switch (o->mod) {
    case MOD0_FMT_BF16: return PLAY_LOAD_BF16;
    case MOD0_FMT_FP32:
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_SM: return PLAY_LOAD_32;
    default: return PLAY_MOVE;
    }
}
static unsigned code_of_store(const struct vector_operands *o)
{
    switch (o->mod) {
    case MOD0_FMT_BF16: return PLAY_STORE_BF16;
    case MOD0_FMT_FP32: return PLAY_STORE_FP32;
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_SM: return PLAY_STORE_INT32;
    default: return PLAY_MOVE;
    }
}

/* Which code does it; what that needs besides the instruction's own fields goes into *step. */
static unsigned code_of(const struct vector_decoded *d, struct play_step *step)
{
    const struct vector_operands *o = &d->o;
    switch (d->op) {
    case TENSIX_SFPNOP: return PLAY_NOTHING;
    case TENSIX_SFPIADD: return code_of_iadd(o);
    case TENSIX_SFPSHFT: return code_of_shft(o, step);
    case TENSIX_SFPAND: return PLAY_AND;
    case TENSIX_SFPOR: return PLAY_OR;
    case TENSIX_SFPXOR: return PLAY_XOR;
    case TENSIX_SFPNOT: return PLAY_NOT;
    case TENSIX_SFPABS: return o->mod & 1 ? PLAY_ABS_FLOAT : PLAY_CALL;
    case TENSIX_SFPMOV:
        return o->mod == 0 ? PLAY_COPY : o->mod == 1 ? PLAY_NEGATE : o->mod == 2 ? PLAY_COPY_ALL : PLAY_CALL;
    case TENSIX_SFPLOADI: return code_of_loadi(o, step);
    case TENSIX_SFPSETEXP: return code_of_setexp(o, step);
    case TENSIX_SFPEXEXP: return code_of_exexp(o, step);
    case TENSIX_SFPSETCC: return code_of_setcc(o, step);
    case TENSIX_SFPENCC: return PLAY_ENCC;
    case TENSIX_SFPCOMPC: return PLAY_COMPC;
    case TENSIX_SFPPUSHC: return PLAY_PUSHC;
    case TENSIX_SFPPOPC: return PLAY_POPC;
    case TENSIX_SFPMAD:
    case TENSIX_SFPADD:
    case TENSIX_SFPMUL: return code_of_mad(o, step);
    case TENSIX_SFPLUT: return o->mod & INDIRECT_VD ? PLAY_CALL : PLAY_LUT;
    case TENSIX_SFPARECIP: return o->mod == 0 ? PLAY_RECIPROCAL : PLAY_CALL;
    case TENSIX_SFPLOAD: return code_of_load(o);
    case TENSIX_SFPSTORE: return code_of_store(o);
    default: return PLAY_CALL;
    }
}

/* Whether one that comes right behind one of the MAD sub-unit is held, and whether it may find an old value instead. */
static bool is_held(const struct vector_decoded *before, const struct vector_decoded *d)
{
    return before->kind == OF_MAD && (before->assumed_writes & d->assumed_reads) != 0;
}
static bool may_be_early(const struct vector_decoded *before, const struct vector_decoded *d)
{
    if (before->kind != OF_MAD)
        return false;
    const uint32_t written = before->o.mod & INDIRECT_VD ? EVERY_LREG : UINT32_C(1) << before->o.VD;
    return (written & d->reads) != 0;
}

static void decode_word(struct play_program *p, unsigned i, struct vector_decoded *d)
{
    struct play_step *step = &p->step[i];
    row_decode(d, p->words[i]);
    *step = (struct play_step){.kind = d->kind, .opcode = d->opcode, .latency = d->latency, .o = d->o};
    step->value = (uint32_t)d->o.imm;
    step->code = (uint8_t)code_of(d, step);
    /* Not for programs: what changes the stack otherwise than by one, or the counter that addresses are made of; and what leaves
     * v->mad partly as the one before has left it, since only the last one of a program leaves anything there. */
    const bool moves = d->kind == LOADS || d->kind == STORES;
    const bool indirect = d->kind == OF_MAD && (d->o.mod & INDIRECT_VD);
    if (indirect || (d->kind == OF_STACK && d->o.mod != 0) || (moves && d->o.mod == MOD0_FMT_INT32_ALL))
        step->kind = NOT_FOR_ROWS;
    p->op[i] = d->op;
    p->assumed_reads[i] = d->assumed_reads;
    p->reads[i] = d->reads;
    p->assumed_writes[i] = d->assumed_writes;
    p->mad |= (uint32_t)(d->kind == OF_MAD) << i;
}

/* What follows from those behind the i-th, up to the first that cannot come without a look. */
static void look_ahead(struct play_program *p, unsigned i, bool goes_on)
{
    const bool stack = p->step[i].kind == OF_STACK;
    const int change = !stack ? 0 : p->op[i] == TENSIX_SFPPUSHC ? 1 : -1;
    const int deepest = change + (goes_on ? p->deepest[i + 1] : 0),
              least = change + (goes_on ? p->shallowest[i + 1] : 0);
    p->length[i] = (uint8_t)(p->step[i].kind == NOT_FOR_ROWS ? 0 : goes_on ? p->length[i + 1] + 1 : 1);
    p->deepest[i] = (int8_t)(deepest > 0 ? deepest : 0);
    p->shallowest[i] = (int8_t)(least < 0 ? least : 0);
    p->stacks[i] = stack || p->op[i] == TENSIX_SFPCOMPC || (goes_on && p->stacks[i + 1]);
    p->stores[i] = p->step[i].kind == STORES || (goes_on && p->stores[i + 1]);
}

void play_make(struct play_program *p, const uint32_t words[PLAY_WORDS])
{
    struct vector_decoded before = {.kind = NOT_FOR_ROWS}, d;
    bool goes_on[PLAY_WORDS + 1] = {false};
    memset(p, 0, sizeof *p);
    memcpy(p->words, words, sizeof p->words);
    for (unsigned i = 0; i < PLAY_WORDS; i++) {
        decode_word(p, i, &d);
        const bool held = is_held(&before, &d);
        goes_on[i] = p->step[i].kind != NOT_FOR_ROWS && (held || !may_be_early(&before, &d));
        p->waited |= (uint32_t)(held && goes_on[i]) << i;
        p->taken[i] = (uint8_t)(i != 0 ? p->taken[i - 1] + 1 + (p->waited >> i & 1) : 0);
        p->longest = p->step[i].latency > p->longest ? p->step[i].latency : p->longest;
        before = d;
    }
    for (unsigned i = PLAY_WORDS; i-- > 0;)
        look_ahead(p, i, goes_on[i + 1]);
    p->made = true;
}

static inline uint32_t below(unsigned i)
{
    return i < 32 ? (UINT32_C(1) << i) - 1 : UINT32_MAX;
}
static inline unsigned last_of(uint32_t set)
{
    return 31u - (unsigned)__builtin_clz(set);
}

static unsigned busy_for(const struct play_program *p, unsigned from, unsigned count)
{
    unsigned busy = 0;
    for (unsigned i = from + count; i-- > from;) {
        const unsigned begin = (unsigned)p->taken[i] - p->taken[from], until = begin + p->step[i].latency;
        if (begin + p->longest <= busy)
            break; /* nor does one before it take longer */
        busy = until > busy ? until : busy;
    }
    return busy;
}

/* What is counted when so many are taken. */
static __attribute__((noinline)) void tally(struct play_program *p, unsigned from, unsigned count)
{
    p->counted_from = (uint8_t)from;
    p->counted = (uint8_t)count;
    p->busy = (uint8_t)busy_for(p, from, count);
    p->kinds = 0;
    for (unsigned i = from; i < from + count; i++) {
        unsigned at = 0;
        while (at < p->kinds && p->count_op[at] != p->op[i])
            at++;
        if (at == p->kinds) {
            p->kinds++;
            p->count_op[at] = p->op[i];
            p->count[at] = 0;
        }
        p->count[at]++;
    }
}

/* ---- Runs ----------------------------------------------------------------------------------------------------- */

void play_on_any(const struct play_run *run)
{
    struct vector_files *v = &run->files->vector;
    for (unsigned i = 0; i < run->count * run->times; i++) {
        const struct play_step *step = &run->step[i % run->count];
        const uint32_t enabled = v->LaneFlags | ~v->UseLaneFlagsForLaneEnable;
        switch (step->kind) {
        case IN_ENABLED_LANES:
        case OF_MAD: row_function(step->opcode)(v, enabled, &step->o); break;
        case IN_ALL_LANES:
        case OF_STACK: row_function(step->opcode)(v, UINT32_MAX, &step->o); break;
        case LOADS:
        case STORES: vector_move_plainly(run->s, enabled, &step->o, step->kind == LOADS); break;
        default: break;
        }
    }
}

/* Counts so many; returns how long the unit is busy with them.  What comes twice is likely to come again. */
static unsigned count(tensix_step *s, struct play_program *p, unsigned from, unsigned k, unsigned times)
{
    uint64_t *ran = s->tx->ran;
    if (LIKELY(p->counted_from == from && p->counted == k)) {
        for (unsigned i = 0; i < p->kinds; i++)
            ran[p->count_op[i]] += p->count[i] * times;
        return p->busy;
    }
    for (unsigned i = from; i < from + k; i++)
        ran[p->op[i]] += times;
    if (p->missed_from == from && p->missed == k)
        tally(p, from, k);
    p->missed_from = (uint8_t)from;
    p->missed = (uint8_t)k;
    return busy_for(p, from, k);
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

static void execute(tensix_step *s, struct vector_files *v, const struct play_program *p, unsigned from, unsigned k,
                    int depth, unsigned times)
{
    const uint32_t *config = step_config(s);
    const uint32_t mads = p->mad >> from & below(k);
    const struct play_run run = {
        .s = s,
        .files = p->stores[from] ? tile_tensix_files(s->tile) : files_of(v),
        .step = p->step + from,
        .count = k,
        .times = times,
        .last_mad = mads != 0 ? last_of(mads) : PLAY_WORDS,
        .config = config,
        .access = dst_access(s, config),
        .base = CFG_FIELD(s->t->config, DEST_TARGET_REG_CFG_MATH_Offset) + CFG_FIELD(config, DEST_REGW_BASE_Base) +
                ((s->t->rwc.sp + CFG_FIELD(config, DEST_SP_BASE_Base)) & 3),
        .depth = (unsigned)depth,
    };
    (play_has_avx512() ? play_on_avx512 : play_on_any)(&run);
}

static inline unsigned how_many(uint32_t set)
{
    unsigned count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

/* What is left behind by so many from a place on, the first of which was taken in cycle `start`. */
static void leave(struct vector_files *v, const struct play_program *p, unsigned from, unsigned k, uint64_t start)
{
    const uint32_t mads = p->mad >> from & below(k);
    if (mads != 0) {
        const unsigned last = from + last_of(mads);
        v->mad.cycle = start + p->taken[last] - p->taken[from] + 1;
        v->mad.assumed = p->assumed_writes[last];
    }
}

/* The program, if some of the row can be taken from it; *most: how many. */
static inline struct play_program *program_of(tensix_step *s, const struct vector_files *v,
                                              const struct vector_row *row, unsigned from, unsigned *most)
{
    struct play_program *p = &tile_vector_cache(s->tile)->program[s->thread];
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
    execute(s, v, p, from, k, depth, 1);
    *busy = start + count(s, p, from, k, 1);
    leave(v, p, from, k, start);
    const uint32_t waited = (p->waited >> from & below(k) & ~1u) | held;
    row->waited = waited;
    if (waited != 0)
        row_count_waits(s, how_many(waited), start + p->taken[from + last_of(waited)] - p->taken[from] - 1);
    *cycle = start + p->taken[from + k - 1] - p->taken[from] + 1;
    s->op = p->op[from + k - 1];
    return k;
}

/* Whether the first of a playback of so many is held when it comes right behind its last; *early as above. */
static bool again_is_held(const struct play_program *p, unsigned from, unsigned k, bool *early)
{
    const unsigned last = from + k - 1;
    const struct play_step *step = &p->step[last];
    *early = false;
    if (!(p->mad >> last & 1))
        return false;
    if ((p->assumed_writes[last] & p->assumed_reads[from]) != 0)
        return true;
    *early = ((step->o.mod & INDIRECT_VD ? EVERY_LREG : UINT32_C(1) << step->o.VD) & p->reads[from]) != 0;
    return false;
}

static int stack_change(const struct play_program *p, unsigned from, unsigned k)
{
    int change = 0;
    for (unsigned i = from; i < from + k && p->stacks[from]; i++)
        change += p->step[i].kind != OF_STACK ? 0 : p->op[i] == TENSIX_SFPPUSHC ? 1 : -1;
    return change;
}

unsigned play_times(tensix_step *s, struct vector_files *v, struct vector_row *row, uint64_t until, uint64_t *cycle,
                    uint64_t *busy)
{
    const unsigned from = row->first % PLAY_WORDS;
    unsigned k;
    struct play_program *p = program_of(s, v, row, from, &k);
    if (p == NULL || k != row->count)
        return 0;
    bool early, early_again;
    const bool held = first_is_held(v, p, from, *cycle, &early), again = again_is_held(p, from, k, &early_again);
    const uint64_t start = *cycle + held;
    const int depth = p->stacks[from] ? vector_stack_depth(v) : 0;
    const unsigned length = (unsigned)p->taken[from + k - 1] - p->taken[from] + 1;
    if (early || early_again || start + length > until || stack_change(p, from, k) != 0 ||
        (p->stacks[from] && !stacks_allow(p, from, depth)))
        return 0;
    const unsigned times = (unsigned)min64(row->times, 1 + (until - start - length) / (length + again));
    const uint64_t last = start + (uint64_t)(times - 1) * (length + again); /* time begins */
    execute(s, v, p, from, k, depth, times);
    *busy = last + count(s, p, from, k, times);
    leave(v, p, from, k, last);
    row->waited = p->waited >> from & below(k) & ~1u;
    row->held = held;
    row->held_again = again;
    const uint32_t waited = (uint32_t)row->waited | (times > 1 ? again : held);
    const unsigned waits = how_many((uint32_t)row->waited) * times + held + again * (times - 1);
    if (waits != 0) {
        const uint64_t where = waited != 0 ? last + p->taken[from + last_of(waited)] - p->taken[from] : start;
        row_count_waits(s, waits, where - 1);
    }
    *cycle = last + length;
    s->op = p->op[from + k - 1];
    return times;
}
