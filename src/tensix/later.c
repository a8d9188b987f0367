/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/later.h"

#include "base/bits.h"
#include "cfg_fields.h"

#include <string.h>

/* A write to a global word does something besides, in its cycle; others wait until somebody looks. */
static inline bool acts(const struct tensix_write *w)
{
    return w->kind == LATER_CONFIG && (w->place & 255) >= GLOBAL_CFGREG_BASE_ADDR32;
}

uint64_t tensix_later_acts(const struct tensix *tx)
{
    for (unsigned i = 0; i < tx->later_count; i++)
        if (acts(&tx->later[i]))
            return tx->later[i].cycle;
    return UINT64_MAX;
}

static void add(tensix_tile *tile, struct tensix *tx, struct tensix_write write)
{
    if (UNLIKELY(tx->later_count == LATER_CAPACITY)) {
        /* No unit has that many under way.  Done early rather than lost. */
        tile->internal_fault(tile->owner, write.cycle, "too many writes of the coprocessor under way");
        tensix_settle(tile, tx, tx->later[0].cycle);
    }
    unsigned at = tx->later_count++;
    for (; at > 0 && tx->later[at - 1].cycle > write.cycle; at--)
        tx->later[at] = tx->later[at - 1];
    tx->later[at] = write;
    if (acts(&write))
        tx->due = tensix_due_at(min64(tensix_when(tx->due), write.cycle));
}

void tensix_later_gpr(tensix_tile *tile, struct tensix *tx, uint64_t cycle, unsigned thread, unsigned index,
                      uint32_t mask, uint32_t value)
{
    add(tile, tx,
        (struct tensix_write){.cycle = cycle,
                              .value = value & mask,
                              .mask = mask,
                              .place = (uint16_t)(thread * TENSIX_GPRS + index),
                              .kind = LATER_GPR});
}

void tensix_later_config(tensix_tile *tile, struct tensix *tx, uint64_t cycle, unsigned bank, unsigned word,
                         uint32_t mask, uint32_t value)
{
    add(tile, tx,
        (struct tensix_write){.cycle = cycle,
                              .value = value & mask,
                              .mask = mask,
                              .place = (uint16_t)(bank * 256 + word),
                              .kind = LATER_CONFIG});
}

static void done(tensix_tile *tile, struct tensix *tx, const struct tensix_write *w)
{
    if (w->kind == LATER_GPR) {
        uint32_t *gpr = &tx->thread[w->place / TENSIX_GPRS].gpr[w->place % TENSIX_GPRS];
        *gpr = (*gpr & ~w->mask) | (w->value & w->mask);
        return;
    }
    const unsigned bank = w->place >> 8, word = w->place & 255;
    config_write_word(tile, tx, bank, word, (tx->config[bank][word] & ~w->mask) | (w->value & w->mask), w->cycle);
}

void tensix_settle(tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    const unsigned count = tx->later_count;
    unsigned n = 0;
    while (n < count && tx->later[n].cycle <= cycle)
        done(tile, tx, &tx->later[n++]);
    if (n == 0)
        return;
    for (unsigned i = n; i < count; i++)
        tx->later[i - n] = tx->later[i];
    memset(&tx->later[count - n], 0, n * sizeof tx->later[0]);
    tx->later_count = count - n;
}
