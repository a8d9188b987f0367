/* SPDX-License-Identifier: Apache-2.0 */
/* What a lap, or a schedule (schedules.h), does to GPRs and configuration, as a list of pieces without cycles.
 *
 * Results that are there later (later.h) go through slots: a piece computes into a slot where the instruction is taken, another brings it to
 * its place where the result is there.  What is under way in the beginning of a lap is in the first slots, what is under
 * way in its end goes to LAP_NEXT, and is in the first slots again for the next.  Of a word that is written twice before anybody reads
 * it only the last time counts, so most pieces go. */
#include "tensix/laps.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "tensix_isa.h"

#include <string.h>

/* A result that is not there yet. */
struct under_way {
    uint64_t there;
    uint32_t mask;
    uint16_t place, slot;
    bool own; /* a GPR */
};

struct maker {
    struct lap_steps *all;
    const uint8_t *bank;
    struct under_way under_way[LATER_CAPACITY];
    unsigned count;
    uint64_t slots; /* bit by slot that is taken */
    bool good;
};

static void put(struct maker *m, struct lap_piece piece)
{
    m->all->piece[m->all->pieces++] = piece;
}

static unsigned gpr_place(unsigned thread, unsigned index)
{
    return LAP_GPR + thread * TENSIX_GPRS + index;
}

static unsigned config_place(unsigned bank, unsigned word)
{
    return LAP_CONFIG + bank * CFG_WORDS + word;
}

static unsigned place_of(const struct tensix_write *w)
{
    return w->kind == LATER_GPR ? gpr_place(0, w->place) : config_place(w->place >> 8, w->place & 255);
}

/* ---- From instructions -------------------------------------------------------------------------------------- */

/* What is there by `cycle` comes to its place. */
static void arrive(struct maker *m, uint64_t cycle)
{
    unsigned n = 0;
    for (; n < m->count && m->under_way[n].there <= cycle; n++) {
        const struct under_way *w = &m->under_way[n];
        put(m, (struct lap_piece){.kind = w->mask == UINT32_MAX ? LAP_COPY : LAP_BLEND,
                                  .x = w->mask,
                                  .result = w->place,
                                  .left = w->slot});
        m->slots &= ~(UINT64_C(1) << (w->slot - LAP_SLOT));
    }
    m->count -= n;
    memmove(m->under_way, m->under_way + n, m->count * sizeof m->under_way[0]);
}

/* A slot for a result, in order of time as tensix_later_* have it. */
static unsigned later(struct maker *m, uint64_t there, unsigned place, uint32_t mask)
{
    if (m->count == LATER_CAPACITY || ~m->slots == 0) {
        m->good = false;
        return LAP_SLOT;
    }
    const unsigned slot = LAP_SLOT + (unsigned)__builtin_ctzll(~m->slots);
    m->slots |= UINT64_C(1) << (slot - LAP_SLOT);
    unsigned at = m->count++;
    for (; at > 0 && m->under_way[at - 1].there > there; at--)
        m->under_way[at] = m->under_way[at - 1];
    m->under_way[at] =
        (struct under_way){.there = there, .mask = mask, .place = (uint16_t)place, .slot = (uint16_t)slot};
    return slot;
}

/* A GPR as the Scalar Unit reads it (scalar_gpr): with what is there a cycle later. */
static unsigned operand(struct maker *m, const struct lap_step *s, unsigned index)
{
    const unsigned place = gpr_place(s->thread, index);
    unsigned from = place;
    for (unsigned i = 0; i < m->count && m->under_way[i].there <= s->after + COST_SCALAR_OPERAND; i++) {
        const struct under_way *w = &m->under_way[i];
        if (w->place != place)
            continue;
        m->good &= w->mask == UINT32_MAX;
        from = w->slot;
    }
    return from;
}

static void arithmetic(struct maker *m, const struct lap_step *s, lap_kind kind, lap_kind with_const)
{
    const struct op_ADDDMAREG op = decode_ADDDMAREG(s->word); /* all three have these fields */
    struct lap_piece piece = {.kind = (uint16_t)(op.OpBisConst ? with_const : kind), .x = op.RightImm6};
    if (op.OpBisConst && s->op == TENSIX_SUBDMAREG)
        piece.x = 0 - piece.x;
    piece.left = (uint16_t)operand(m, s, op.LeftReg);
    piece.right = op.OpBisConst ? 0 : (uint16_t)operand(m, s, op.RightReg);
    piece.result = (uint16_t)later(m, s->there, gpr_place(s->thread, op.ResultReg), UINT32_MAX);
    put(m, piece);
}

static void set_half(struct maker *m, const struct lap_step *s)
{
    const struct op_SETDMAREG op = decode_SETDMAREG(s->word);
    const unsigned shift = op.ResultHalfReg % 2 * 16, gpr = op.ResultHalfReg / 2;
    m->good &= !op.SetSignalsMode;
    if (m->count == 0) { /* scalar_SETDMAREG: with nothing under way it is there at once */
        put(m, (struct lap_piece){.kind = LAP_MERGE,
                                  .result = (uint16_t)gpr_place(s->thread, gpr),
                                  .x = 0xFFFFu << shift,
                                  .y = (uint32_t)op.NewValue << shift});
        return;
    }
    const unsigned slot = later(m, s->there, gpr_place(s->thread, gpr), 0xFFFFu << shift);
    put(m, (struct lap_piece){
               .kind = LAP_MERGE, .result = (uint16_t)slot, .x = UINT32_MAX, .y = (uint32_t)op.NewValue << shift});
}

static void wrcfg(struct maker *m, const struct lap_step *s)
{
    const struct op_WRCFG op = decode_WRCFG(s->word);
    m->good &= !op.Is128Bit && op.CfgIndex != STATE_RESET_EN_ADDR32;
    const unsigned slot = later(m, s->there, config_place(m->bank[s->thread], op.CfgIndex), UINT32_MAX);
    put(m, (struct lap_piece){
               .kind = LAP_COPY, .result = (uint16_t)slot, .left = (uint16_t)gpr_place(s->thread, op.InputReg)});
}

static void rdcfg(struct maker *m, const struct lap_step *s)
{
    const struct op_RDCFG op = decode_RDCFG(s->word);
    const unsigned slot = later(m, s->there, gpr_place(s->thread, op.ResultReg), UINT32_MAX);
    put(m, (struct lap_piece){.kind = LAP_COPY,
                              .result = (uint16_t)slot,
                              .left = (uint16_t)config_place(m->bank[s->thread], op.CfgIndex)});
}

static void rmwcib(struct maker *m, const struct lap_step *s)
{
    const struct op_RMWCIB0 op = decode_RMWCIB0(s->word); /* all four have these fields */
    const unsigned shift = 8 * (unsigned)(s->op - TENSIX_RMWCIB0);
    put(m, (struct lap_piece){.kind = LAP_MERGE,
                              .result = (uint16_t)config_place(m->bank[s->thread], op.Index4),
                              .x = op.Mask << shift,
                              .y = (op.NewValue & op.Mask) << shift});
}

static void setc16(struct maker *m, const struct lap_step *s)
{
    const struct op_SETC16 op = decode_SETC16(s->word);
    m->good &= op.CfgIndex != UNPACK_MISC_CFG_CfgContextCntReset_0_ADDR32 && op.CfgIndex != CFG_STATE_ID_StateID_ADDR32;
    put(m,
        (struct lap_piece){.kind = LAP_MERGE,
                           .result = (uint16_t)(LAP_THREAD_CONFIG + (unsigned)s->thread * THD_STATE_SIZE + op.CfgIndex),
                           .x = UINT32_MAX,
                           .y = op.NewValue & 0xFFFF});
}

static void take(struct maker *m, const struct lap_step *s)
{
    switch (s->op) {
    case TENSIX_DMANOP: break;
    case TENSIX_SETDMAREG: set_half(m, s); break;
    case TENSIX_ADDDMAREG: arithmetic(m, s, LAP_ADD, LAP_ADD_CONST); break;
    case TENSIX_SUBDMAREG: arithmetic(m, s, LAP_SUB, LAP_ADD_CONST); break;
    case TENSIX_MULDMAREG: arithmetic(m, s, LAP_MUL, LAP_MUL_CONST); break;
    case TENSIX_WRCFG: wrcfg(m, s); break;
    case TENSIX_RDCFG: rdcfg(m, s); break;
    case TENSIX_RMWCIB0:
    case TENSIX_RMWCIB1:
    case TENSIX_RMWCIB2:
    case TENSIX_RMWCIB3: rmwcib(m, s); break;
    case TENSIX_SETC16: setc16(m, s); break;
    default: m->good = false;
    }
}

static struct tensix_write write_of(const struct under_way *w)
{
    const bool gpr = w->place < LAP_CONFIG;
    const unsigned at = w->place - LAP_CONFIG;
    return (struct tensix_write){.cycle = w->there,
                                 .mask = w->mask,
                                 .place = (uint16_t)(gpr ? w->place - LAP_GPR : at / CFG_WORDS << 8 | at % CFG_WORDS),
                                 .kind = gpr ? LATER_GPR : LATER_CONFIG};
}

/* What is under way in the end, with its values where the next lap finds them. */
static void end(struct maker *m, struct lap_under_way *to)
{
    to->count = m->count;
    for (unsigned i = 0; i < m->count; i++) {
        const struct tensix_write w = write_of(&m->under_way[i]);
        to->after[i] = (uint32_t)w.cycle;
        to->mask[i] = w.mask;
        to->place[i] = w.place;
        to->kind[i] = w.kind;
        put(m, (struct lap_piece){.kind = LAP_COPY, .result = (uint16_t)(LAP_NEXT + i), .left = m->under_way[i].slot});
    }
    for (unsigned i = 0; i < m->count; i++)
        put(m,
            (struct lap_piece){.kind = LAP_COPY, .result = (uint16_t)(LAP_SLOT + i), .left = (uint16_t)(LAP_NEXT + i)});
}

/* ---- Fewer of them ------------------------------------------------------------------------------------------ */

static bool reads_left(const struct lap_piece *p)
{
    return p->kind != LAP_MERGE;
}

static bool reads_right(const struct lap_piece *p)
{
    return p->kind == LAP_ADD || p->kind == LAP_SUB || p->kind == LAP_MUL;
}

/* Bits of the result that it writes. */
static uint32_t writes(const struct lap_piece *p)
{
    return p->kind == LAP_BLEND || p->kind == LAP_MERGE ? p->x : UINT32_MAX;
}

/* Leaves out what nobody reads.  In the end all words count but slots that nothing is in. */
static void leave_out(struct maker *m, unsigned under_way)
{
    struct lap_steps *d = m->all;
    uint32_t live[LAP_DATA];
    for (unsigned i = 0; i < LAP_DATA; i++)
        live[i] = i < LAP_SLOT + under_way ? UINT32_MAX : 0;
    unsigned to = d->pieces;
    for (unsigned i = d->pieces; i-- > 0;) {
        const struct lap_piece p = d->piece[i];
        if ((live[p.result] & writes(&p)) == 0)
            continue;
        live[p.result] &= ~writes(&p);
        if (reads_left(&p))
            live[p.left] |= p.kind == LAP_BLEND ? p.x : UINT32_MAX;
        if (reads_right(&p))
            live[p.right] = UINT32_MAX;
        d->piece[--to] = p;
    }
    d->pieces -= to;
    memmove(d->piece, d->piece + to, d->pieces * sizeof d->piece[0]);
}

/* A piece that computes into a slot right before the one that brings it to its place does so at once.  Those of other threads and
 * words that stand between are of no consequence. */
static void join(struct maker *m)
{
    struct lap_steps *d = m->all;
    for (unsigned i = 0; i < d->pieces; i++) {
        struct lap_piece *p = &d->piece[i];
        if (p->result < LAP_SLOT || p->result >= LAP_NEXT)
            continue;
        for (unsigned k = i + 1; k < d->pieces && k <= i + 16; k++) {
            struct lap_piece *q = &d->piece[k];
            if (q->kind == LAP_COPY && q->left == p->result && q->result < LAP_SLOT) {
                /* The slot is free from here on: whoever takes it next writes all of it. */
                p->result = q->result;
                memmove(q, q + 1, (d->pieces - k - 1) * sizeof *q);
                d->pieces--;
                break;
            }
            /* Whatever else has to do with the slot, or comes between with any word that may be its place. */
            const bool reads = (reads_left(q) && q->left == p->result) || (reads_right(q) && q->right == p->result);
            if (reads || q->result == p->result)
                break;
            bool minds = false;
            for (unsigned n = k; n < d->pieces && n <= i + 16; n++) {
                const struct lap_piece *z = &d->piece[n];
                if (z->kind == LAP_COPY && z->left == p->result && z->result < LAP_SLOT) {
                    minds = q->result == z->result || (reads_left(q) && q->left == z->result) ||
                            (reads_right(q) && q->right == z->result);
                    break;
                }
            }
            if (minds)
                break;
        }
    }
}

static bool touches(const struct lap_piece *p, unsigned word)
{
    return p->result == word || (reads_left(p) && p->left == word) || (reads_right(p) && p->right == word);
}

/* A word that is added to another over and over, before anybody looks, is added once, so many times. */
static void add_at_once(struct maker *m)
{
    struct lap_steps *d = m->all;
    for (unsigned i = 0; i < d->pieces; i++) {
        struct lap_piece *p = &d->piece[i];
        if (p->kind != LAP_ADD || (p->left == p->result) == (p->right == p->result))
            continue;
        const unsigned more = p->left == p->result ? p->right : p->left;
        uint32_t times = 1;
        for (unsigned k = i + 1; k < d->pieces; k++) {
            struct lap_piece *q = &d->piece[k];
            if (q->kind == LAP_ADD && q->result == p->result && q->left == p->left && q->right == p->right) {
                times++;
                memmove(q, q + 1, (d->pieces - k - 1) * sizeof *q);
                d->pieces--;
                k--;
            } else if (touches(q, p->result) || q->result == more) {
                break;
            }
        }
        *p = (struct lap_piece){.kind = LAP_ADD_TIMES, .result = p->result, .left = (uint16_t)more, .x = times};
    }
}

static bool list_words(struct lap_data *d)
{
    uint8_t how[LAP_DATA] = {0};
    for (unsigned i = 0; i < d->pieces; i++) {
        const struct lap_piece *p = &d->piece[i];
        how[p->result] |= 3;
        if (reads_left(p))
            how[p->left] |= 1;
        if (reads_right(p))
            how[p->right] |= 1;
    }
    d->used = d->changed = 0;
    for (unsigned i = 0; i < LAP_DATA && d->used < LAP_WORDS; i++) {
        if (how[i] & 1)
            d->use[d->used++] = (uint16_t)i;
        if (how[i] & 2)
            d->change[d->changed++] = (uint16_t)i;
    }
    return d->used < LAP_WORDS;
}

/* ---- Doing them --------------------------------------------------------------------------------------------- */

static uint32_t get_word(const struct tensix *tx, unsigned i)
{
    if (i < LAP_CONFIG)
        return tx->thread[i / TENSIX_GPRS].gpr[i % TENSIX_GPRS];
    if (i < LAP_THREAD_CONFIG)
        return tx->config[(i - LAP_CONFIG) / CFG_WORDS][(i - LAP_CONFIG) % CFG_WORDS];
    if (i < LAP_SLOT)
        return tx->thread[(i - LAP_THREAD_CONFIG) / THD_STATE_SIZE].config[(i - LAP_THREAD_CONFIG) % THD_STATE_SIZE];
    return i < LAP_SLOT + tx->later_count ? tx->later[i - LAP_SLOT].value : 0;
}

static void set_word(struct tensix *tx, unsigned i, uint32_t value)
{
    if (i < LAP_CONFIG)
        tx->thread[i / TENSIX_GPRS].gpr[i % TENSIX_GPRS] = value;
    else if (i < LAP_THREAD_CONFIG)
        tx->config[(i - LAP_CONFIG) / CFG_WORDS][(i - LAP_CONFIG) % CFG_WORDS] = value;
    else if (i < LAP_SLOT)
        tx->thread[(i - LAP_THREAD_CONFIG) / THD_STATE_SIZE].config[(i - LAP_THREAD_CONFIG) % THD_STATE_SIZE] =
            (uint16_t)value;
    else if (i < LAP_SLOT + tx->later_count)
        tx->later[i - LAP_SLOT].value = value & tx->later[i - LAP_SLOT].mask;
}

static void do_pieces(const struct lap_piece *p, const struct lap_piece *end, uint32_t *v)
{
    for (; p != end; p++) {
        switch ((lap_kind)p->kind) {
        case LAP_COPY: v[p->result] = v[p->left]; break;
        case LAP_BLEND: v[p->result] = (v[p->result] & ~p->x) | (v[p->left] & p->x); break;
        case LAP_MERGE: v[p->result] = (v[p->result] & ~p->x) | p->y; break;
        case LAP_ADD: v[p->result] = v[p->left] + v[p->right]; break;
        case LAP_ADD_CONST: v[p->result] = v[p->left] + p->x; break;
        case LAP_ADD_TIMES: v[p->result] += p->x * v[p->left]; break;
        case LAP_SUB: v[p->result] = v[p->left] - v[p->right]; break;
        case LAP_MUL: v[p->result] = (v[p->left] & 0xFFFF) * (v[p->right] & 0xFFFF); break;
        case LAP_MUL_CONST: v[p->result] = (v[p->left] & 0xFFFF) * p->x; break;
        }
    }
}

static void get_words(const struct lap_data *d, const struct tensix *tx, uint32_t *v)
{
    for (unsigned i = 0; i < d->used; i++)
        v[d->use[i]] = get_word(tx, d->use[i]);
}

static void set_words(const struct lap_data *d, struct tensix *tx, const uint32_t *v)
{
    for (unsigned i = 0; i < d->changed; i++)
        set_word(tx, d->change[i], v[d->change[i]]);
}

/* The first lap says what words gain that gain the same each time.  They get that of all laps but the last ones, and those
 * make the others right. */
static void do_many(const struct lap_data *d, uint32_t *v, uint32_t laps)
{
    const uint32_t last = d->many - 1;
    uint32_t before[LAP_WORDS];
    for (unsigned i = 0; i < d->counts; i++)
        before[i] = v[d->count[i]];
    do_pieces(d->piece, d->piece + d->pieces, v);
    for (unsigned i = 0; i < d->counts; i++)
        v[d->count[i]] = before[i] + (laps - last) * (v[d->count[i]] - before[i]);
    for (uint32_t i = 0; i < last; i++)
        do_pieces(d->piece, d->piece + d->pieces, v);
}

static void do_laps(const struct lap_data *d, uint32_t *v, uint32_t laps)
{
    if (d->many != 0 && laps > d->many) {
        do_many(d, v, laps);
        return;
    }
    for (uint32_t i = 0; i < laps; i++)
        do_pieces(d->piece, d->piece + d->pieces, v);
}

void lap_data_repeat(const struct lap_data *d, struct tensix *tx, uint32_t laps)
{
    uint32_t v[LAP_DATA];
    get_words(d, tx, v);
    do_laps(d, v, laps);
    set_words(d, tx, v);
}

static bool is_same_under_way(const struct lap_under_way *u, const struct tensix *tx, uint64_t now)
{
    bool same = u->count == tx->later_count;
    for (unsigned i = 0; same && i < u->count; i++) {
        const struct tensix_write *w = &tx->later[i];
        same =
            w->cycle - now == u->after[i] && w->mask == u->mask[i] && w->place == u->place[i] && w->kind == u->kind[i];
    }
    return same;
}

static void put_under_way(const struct lap_under_way *u, struct tensix *tx, uint64_t now)
{
    for (unsigned i = 0; i < u->count; i++)
        tx->later[i] = (struct tensix_write){
            .cycle = now + u->after[i], .mask = u->mask[i], .place = u->place[i], .kind = u->kind[i]};
    if (tx->later_count > u->count)
        memset(&tx->later[u->count], 0, (tx->later_count - u->count) * sizeof tx->later[0]);
    tx->later_count = u->count;
}

static bool banks_are_same(const struct lap_data *d, const struct tensix *tx)
{
    bool same = true;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        same &= CFG_FIELD(tx->thread[i].config, CFG_STATE_ID_StateID) == d->bank[i];
    return same;
}

bool lap_data_follow(const struct lap_data *d, struct tensix *tx, uint64_t now)
{
    uint32_t v[LAP_DATA];
    if (!banks_are_same(d, tx) || !is_same_under_way(&d->begin, tx, now))
        return false;
    get_words(d, tx, v);
    do_pieces(d->piece, d->piece + d->pieces, v);
    put_under_way(&d->end, tx, now);
    set_words(d, tx, v);
    return true;
}

/* Whether both have the same data, and the same under way. */
static bool is_same_data(const struct tensix *a, const struct tensix *b)
{
    for (unsigned i = 0; i < LAP_SLOT; i++)
        if (get_word(a, i) != get_word(b, i))
            return false;
    return a->later_count == b->later_count && memcmp(a->later, b->later, a->later_count * sizeof a->later[0]) == 0;
}

/* What is there by `cycle`, as tensix_settle has it. */
static void settle(struct tensix *tx, uint64_t cycle)
{
    unsigned n = 0;
    for (; n < tx->later_count && tx->later[n].cycle <= cycle; n++) {
        const struct tensix_write *w = &tx->later[n];
        const unsigned place = place_of(w);
        set_word(tx, place, (get_word(tx, place) & ~w->mask) | (w->value & w->mask));
    }
    tx->later_count -= n;
    memmove(tx->later, tx->later + n, tx->later_count * sizeof tx->later[0]);
}

static struct lap_under_way under_way_of(const struct tensix *tx, uint64_t begin)
{
    struct lap_under_way u = {.count = tx->later_count};
    for (unsigned i = 0; i < u.count; i++) {
        u.after[i] = (uint32_t)(tx->later[i].cycle - begin);
        u.mask[i] = tx->later[i].mask;
        u.place[i] = tx->later[i].place;
        u.kind[i] = tx->later[i].kind;
    }
    return u;
}

/* Once more, beside what came of it by `looked`. */
static bool is_right(const struct lap_data *d, const struct tensix *from, const struct tensix *to, uint64_t begin,
                     uint64_t looked)
{
    struct tensix copy = *from, last = *to;
    if (!lap_data_follow(d, &copy, begin))
        return false;
    settle(&last, begin + looked);
    settle(&copy, begin + looked);
    return is_same_data(&copy, &last);
}

static bool is_known_write(const struct tensix_write *w)
{
    return w->kind == LATER_GPR || (w->place & 255) < GLOBAL_CFGREG_BASE_ADDR32;
}

bool lap_data_make(struct lap_data *d, struct lap_steps *steps, const struct tensix *from, const struct tensix *to,
                   uint64_t begin, uint64_t cycles, uint64_t looked)
{
    struct maker m = {.all = steps, .bank = d->bank, .good = true};
    steps->pieces = 0;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        d->bank[i] = (uint8_t)CFG_FIELD(from->thread[i].config, CFG_STATE_ID_StateID);
    for (unsigned i = 0; i < from->later_count; i++) {
        const struct tensix_write *w = &from->later[i];
        m.good &= is_known_write(w) && w->cycle > begin;
        later(&m, w->cycle - begin, place_of(w), w->mask);
    }
    for (unsigned i = 0; m.good && i < steps->count; i++) {
        arrive(&m, steps->step[i].after);
        take(&m, &steps->step[i]);
    }
    if (!m.good)
        return false;
    arrive(&m, cycles);
    end(&m, &d->end);
    leave_out(&m, m.count);
    join(&m);
    add_at_once(&m);
    if (steps->pieces > LAP_PIECES)
        return false;
    d->pieces = steps->pieces;
    d->begin = under_way_of(from, begin);
    memcpy(d->piece, steps->piece, d->pieces * sizeof d->piece[0]);
    if (!list_words(d))
        return false;
    return is_right(d, from, to, begin, looked);
}
