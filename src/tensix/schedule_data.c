/* SPDX-License-Identifier: Apache-2.0 */
/* What the instructions of a schedule do to data, taken apart.
 *
 * Only a thread's own instructions read its GPRs, and the Scalar Unit keeps the thread until its result is there, so that result
 * may be written at once.  What the Configuration Unit reads or writes for later goes through a slot, to its place in time.  Near
 * both ends of a schedule, where writes are or will be under way (tensix/later.h), units do it all themselves. */
#include "tensix/schedules.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "tensix_isa.h"

enum { ANY_GPR = 255 };

/* Results that are not there yet. */
struct under_way {
    uint16_t there;
    uint8_t thread;
    uint8_t result;
    uint8_t slot;
    uint8_t kind; /* SCHEDULE_DOES_*_END; SCHEDULE_DOES_RUN: a unit's own, to a GPR */
};

struct taking_apart {
    struct schedule *schedule;
    struct under_way under_way[SCHEDULE_SLOTS];
    unsigned count, slot;
    uint32_t tail; /* from this cycle on units do it */
};

static void put(struct taking_apart *p, struct schedule_piece piece)
{
    p->schedule->piece[p->schedule->pieces++] = piece;
}

/* What is there by `cycle` is written; of a thread's GPRs (if `thread` is one) what is there by `gprs`. */
static void arrive(struct taking_apart *p, uint32_t cycle, unsigned thread, uint32_t gprs)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < p->count; i++) {
        const struct under_way w = p->under_way[i];
        const bool own = w.kind != SCHEDULE_DOES_WRCFG_END && w.thread == thread;
        if (w.there > (own && w.kind != SCHEDULE_DOES_RUN ? gprs : cycle)) {
            p->under_way[kept++] = w;
        } else if (w.kind != SCHEDULE_DOES_RUN) {
            put(p, (struct schedule_piece){.after = (uint16_t)min64(w.there, cycle),
                                           .thread = w.thread,
                                           .kind = w.kind,
                                           .result = w.result,
                                           .slot = w.slot});
        }
    }
    p->count = kept;
}

/* Whether a result for this GPR is under way that comes before `there` or with it. */
static bool is_overtaken(const struct taking_apart *p, unsigned thread, unsigned gpr, uint32_t there)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct under_way *w = &p->under_way[i];
        if (w->kind != SCHEDULE_DOES_WRCFG_END && w->thread == thread && (w->result == gpr || w->result == ANY_GPR) &&
            w->there <= there)
            return true;
    }
    return false;
}

/* Whether a unit has a result for a GPR of the thread under way, which another unit may find there (scalar_gpr). */
static bool has_result_under_way(const struct taking_apart *p, unsigned thread)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->under_way[i].kind == SCHEDULE_DOES_RUN && p->under_way[i].thread == thread)
            return true;
    return false;
}

static void later(struct taking_apart *p, const struct schedule_step *step, unsigned kind, unsigned result)
{
    p->under_way[p->count++] = (struct under_way){.there = step->there,
                                                  .thread = step->thread,
                                                  .result = (uint8_t)result,
                                                  .slot = (uint8_t)p->slot,
                                                  .kind = (uint8_t)kind};
}

/* Its unit does it. */
static void leave_whole(struct taking_apart *p, const struct schedule_step *step)
{
    put(p, (struct schedule_piece){
               .kind = SCHEDULE_DOES_RUN, .x = step->word, .after = step->after, .thread = step->thread});
    switch (step->op) {
    case TENSIX_RDCFG: later(p, step, SCHEDULE_DOES_RUN, decode_RDCFG(step->word).ResultReg); break;
    case TENSIX_SETDMAREG: later(p, step, SCHEDULE_DOES_RUN, ANY_GPR); break;
    case TENSIX_ADDDMAREG:
    case TENSIX_SUBDMAREG:
    case TENSIX_MULDMAREG:
    case TENSIX_BITWOPDMAREG:
    case TENSIX_SHIFTDMAREG:
    case TENSIX_CMPDMAREG: later(p, step, SCHEDULE_DOES_RUN, decode_ADDDMAREG(step->word).ResultReg); break;
    default: break; /* done at once, or to configuration, which is looked at in order of time */
    }
}

static bool take_arithmetic(struct taking_apart *p, const struct schedule_step *step)
{
    const struct op_ADDDMAREG op = decode_ADDDMAREG(step->word); /* all three have these fields */
    const unsigned kind = step->op == TENSIX_ADDDMAREG   ? SCHEDULE_DOES_ADD
                          : step->op == TENSIX_SUBDMAREG ? SCHEDULE_DOES_SUB
                                                         : SCHEDULE_DOES_MUL;
    if (has_result_under_way(p, step->thread) || is_overtaken(p, step->thread, op.ResultReg, step->there))
        return false;
    put(p, (struct schedule_piece){
               .kind = (uint8_t)(kind + (op.OpBisConst ? SCHEDULE_DOES_ADD_CONST - SCHEDULE_DOES_ADD : 0)),
               .x = op.RightImm6,
               .after = step->after,
               .thread = step->thread,
               .result = (uint8_t)op.ResultReg,
               .left = (uint8_t)op.LeftReg,
               .right = (uint8_t)op.RightReg});
    return true;
}

static bool take_set(struct taking_apart *p, const struct schedule_step *step)
{
    const struct op_SETDMAREG op = decode_SETDMAREG(step->word);
    if (op.SetSignalsMode || is_overtaken(p, step->thread, op.ResultHalfReg / 2, step->there))
        return false;
    put(p, (struct schedule_piece){.kind = SCHEDULE_DOES_SET_HALF,
                                   .x = op.NewValue,
                                   .after = step->after,
                                   .thread = step->thread,
                                   .result = (uint8_t)op.ResultHalfReg});
    return true;
}

static bool take_wrcfg(struct taking_apart *p, const struct schedule_step *step)
{
    const struct op_WRCFG op = decode_WRCFG(step->word);
    if (op.Is128Bit || op.CfgIndex == STATE_RESET_EN_ADDR32)
        return false;
    later(p, step, SCHEDULE_DOES_WRCFG_END, op.CfgIndex);
    put(p, (struct schedule_piece){.kind = SCHEDULE_DOES_WRCFG,
                                   .after = step->after,
                                   .thread = step->thread,
                                   .left = (uint8_t)op.InputReg,
                                   .slot = (uint8_t)p->slot});
    p->slot = (p->slot + 1) % SCHEDULE_SLOTS;
    return true;
}

static bool take_rdcfg(struct taking_apart *p, const struct schedule_step *step)
{
    const struct op_RDCFG op = decode_RDCFG(step->word);
    later(p, step, SCHEDULE_DOES_RDCFG_END, op.ResultReg);
    put(p, (struct schedule_piece){.kind = SCHEDULE_DOES_RDCFG,
                                   .after = step->after,
                                   .thread = step->thread,
                                   .left = (uint8_t)op.CfgIndex,
                                   .slot = (uint8_t)p->slot});
    p->slot = (p->slot + 1) % SCHEDULE_SLOTS;
    return true;
}

static bool take_rmwcib(struct taking_apart *p, const struct schedule_step *step)
{
    const struct op_RMWCIB0 op = decode_RMWCIB0(step->word); /* all four have these fields */
    const unsigned shift = 8 * (unsigned)(step->op - TENSIX_RMWCIB0);
    put(p, (struct schedule_piece){.kind = SCHEDULE_DOES_RMWCIB,
                                   .x = op.Mask << shift,
                                   .y = (op.NewValue & op.Mask) << shift,
                                   .after = step->after,
                                   .thread = step->thread,
                                   .result = (uint8_t)op.Index4});
    return true;
}

static bool take_setc16(struct taking_apart *p, const struct schedule_step *step)
{
    const struct op_SETC16 op = decode_SETC16(step->word);
    if (op.CfgIndex == UNPACK_MISC_CFG_CfgContextCntReset_0_ADDR32)
        return false;
    put(p, (struct schedule_piece){.kind = SCHEDULE_DOES_SETC16,
                                   .x = op.NewValue,
                                   .after = step->after,
                                   .thread = step->thread,
                                   .result = (uint8_t)op.CfgIndex});
    return true;
}

static bool take(struct taking_apart *p, const struct schedule_step *step)
{
    if (step->after < SCHEDULE_HEAD || step->there > p->tail)
        return false;
    switch (step->op) {
    case TENSIX_SETDMAREG: return take_set(p, step);
    case TENSIX_ADDDMAREG:
    case TENSIX_SUBDMAREG:
    case TENSIX_MULDMAREG: return take_arithmetic(p, step);
    case TENSIX_WRCFG: return take_wrcfg(p, step);
    case TENSIX_RDCFG: return take_rdcfg(p, step);
    case TENSIX_RMWCIB0:
    case TENSIX_RMWCIB1:
    case TENSIX_RMWCIB2:
    case TENSIX_RMWCIB3: return take_rmwcib(p, step);
    case TENSIX_SETC16: return take_setc16(p, step);
    default: return false;
    }
}

_Static_assert(TENSIX_RMWCIB3 == TENSIX_RMWCIB0 + 3, "by byte");

void schedule_take_apart(struct schedule *s)
{
    struct taking_apart p = {.schedule = s, .tail = s->cycles > SCHEDULE_HEAD ? s->cycles - SCHEDULE_HEAD : 0};
    s->pieces = 0;
    for (unsigned i = 0; i < s->steps && s->steps <= SCHEDULE_APART; i++) {
        const struct schedule_step *step = &s->step[i];
        const unsigned unit = tensix_ops[step->op].unit;
        arrive(&p, step->after, step->thread, step->after + (unit == UNIT_SCALAR ? (uint32_t)COST_SCALAR_OPERAND : 0));
        if (p.count >= SCHEDULE_SLOTS - 1) {
            s->pieces = 0; /* units do it all */
            return;
        }
        if (!take(&p, step))
            leave_whole(&p, step);
    }
    arrive(&p, s->cycles, TENSIX_THREADS, s->cycles);
}
