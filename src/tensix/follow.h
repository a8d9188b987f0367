/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule is done again (schedules.h).  Included by run.c alone, which has the dispatch table. */
#ifndef KERR_TENSIX_FOLLOW_H
#define KERR_TENSIX_FOLLOW_H

#include "tensix/issue.h"
#include "tensix/schedules.h"

#include "cfg_fields.h"

static inline void settle_by(struct tile *tile, struct tensix *tx, uint64_t cycle)
{
    if (UNLIKELY(tx->later_count != 0) && tx->later[0].cycle <= cycle)
        tensix_settle(tile, tx, cycle);
}

/* The unit takes it, as it did when the schedule was made. */
static inline void hand_over(tensix_step *s, uint32_t word, uint64_t cycle)
{
    const struct tensix_dispatch *d = &tensix_dispatch[word >> 24];
    s->cycle = cycle;
    s->word = word;
    s->op = d->op;
    s->unit = d->unit;
    s->issue = d->issue;
    s->latency = d->latency;
    d->run(s);
}

static inline unsigned bank_of(const struct tensix_thread *t)
{
    return CFG_FIELD(t->config, CFG_STATE_ID_StateID);
}

static void follow_pieces(struct tile *tile, struct tensix *tx, tensix_step steps[TENSIX_THREADS],
                          const struct schedule *schedule, uint64_t cycle)
{
    uint32_t slot[SCHEDULE_SLOTS];
    uint8_t bank[SCHEDULE_SLOTS];
    const struct schedule_piece *const end = schedule->piece + schedule->pieces;
    for (const struct schedule_piece *p = schedule->piece; p != end; p++) {
        struct tensix_thread *t = &tx->thread[p->thread];
        settle_by(tile, tx, cycle + p->after);
        switch (p->kind) {
        case SCHEDULE_DOES_RUN: hand_over(&steps[p->thread], p->x, cycle + p->after); break;
        case SCHEDULE_DOES_SET_HALF: memcpy((uint8_t *)t->gpr + 2 * p->result, &(uint16_t){(uint16_t)p->x}, 2); break;
        case SCHEDULE_DOES_ADD: t->gpr[p->result] = t->gpr[p->left] + t->gpr[p->right]; break;
        case SCHEDULE_DOES_SUB: t->gpr[p->result] = t->gpr[p->left] - t->gpr[p->right]; break;
        case SCHEDULE_DOES_MUL: t->gpr[p->result] = (t->gpr[p->left] & 0xFFFF) * (t->gpr[p->right] & 0xFFFF); break;
        case SCHEDULE_DOES_ADD_CONST: t->gpr[p->result] = t->gpr[p->left] + p->x; break;
        case SCHEDULE_DOES_SUB_CONST: t->gpr[p->result] = t->gpr[p->left] - p->x; break;
        case SCHEDULE_DOES_MUL_CONST: t->gpr[p->result] = (t->gpr[p->left] & 0xFFFF) * p->x; break;
        case SCHEDULE_DOES_SETC16: t->config[p->result] = (uint16_t)p->x; break;
        case SCHEDULE_DOES_RMWCIB: {
            uint32_t *word = &tx->config[bank_of(t)][p->result];
            *word = (*word & ~p->x) | p->y;
            break;
        }
        case SCHEDULE_DOES_WRCFG:
            slot[p->slot] = t->gpr[p->left];
            bank[p->slot] = (uint8_t)bank_of(t);
            break;
        case SCHEDULE_DOES_WRCFG_END: tx->config[bank[p->slot]][p->result] = slot[p->slot]; break;
        case SCHEDULE_DOES_RDCFG: slot[p->slot] = tx->config[bank_of(t)][p->left]; break;
        case SCHEDULE_DOES_RDCFG_END: t->gpr[p->result] = slot[p->slot]; break;
        }
    }
}

static void follow_data(struct tile *tile, struct tensix *tx, tensix_step steps[TENSIX_THREADS],
                        const struct schedule *schedule, uint64_t cycle)
{
    if (schedule->data.known && lap_data_follow(&schedule->data, tx, cycle))
        return;
    const bool settled = tx->later_count == 0 || tx->later[tx->later_count - 1].cycle < cycle + SCHEDULE_HEAD;
    if (settled && schedule->pieces != 0) {
        follow_pieces(tile, tx, steps, schedule, cycle);
        return;
    }
    for (unsigned k = 0; k < schedule->steps; k++) {
        settle_by(tile, tx, cycle + schedule->step[k].after);
        hand_over(&steps[schedule->step[k].thread], schedule->step[k].word, cycle + schedule->step[k].after);
    }
}

/* Who waited is told, behind the last instruction. */
static void follow_tells(struct tile *tile, struct tensix *tx, const struct schedule *schedule, uint64_t cycle,
                         uint64_t until)
{
    bool nobody = true;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const unsigned told = schedule->from[i].waiting & ~(unsigned)schedule->to[i].waiting;
        nobody &= told == 0;
        if (told != 0 &&
            (!pushing_only(tx, told) || !pushing_goes_on(tile, tx, i, tile_pusher_told(tile, i, cycle), cycle, until)))
            pushing_tell(tile, tx, i, told, cycle);
    }
    if (nobody) {
        tile_devices_changed(tile, cycle);
        tx->yield = true;
    }
}

/* Does what a schedule has for the cycles from `cycle` on. */
static void follow(struct tile *tile, struct tensix *tx, tensix_step steps[TENSIX_THREADS],
                   const struct schedule *schedule, uint64_t cycle)
{
    follow_data(tile, tx, steps, schedule, cycle);
    if (UNLIKELY(steps[0].laps != NULL))
        for (unsigned k = 0; k < schedule->steps && steps[0].laps->recording; k++)
            laps_step(steps[0].laps, schedule->step[k].word, schedule->step[k].op, schedule->step[k].thread,
                      cycle + schedule->step[k].after, cycle + schedule->step[k].there);
    schedule_put(tx, schedule, cycle);
    if (schedule->yields)
        follow_tells(tile, tx, schedule, cycle + schedule->last + 1, steps[0].until);
}

#endif
