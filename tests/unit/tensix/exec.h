/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions as text, executed by the units of a tile without an engine.  Included by one program each, which links with
 * @tile. */
#ifndef TESTS_UNIT_TENSIX_EXEC_H
#define TESTS_UNIT_TENSIX_EXEC_H

#include "unit/tile/fake_tile.h"

#include "cfg_fields.h"
#include "tensix/regs/rwc.h"
#include "tensix/tensix.h"
#include "tensix/text.h"

static uint64_t exec_now = 1000;

static inline struct tensix_thread *thread_of(struct tile *tile, unsigned thread)
{
    return &tile->dev.tensix.thread[thread];
}

/* A word goes to the gate of a thread; true if a unit takes it. */
static inline bool exec_word(struct tile *tile, unsigned thread, uint32_t word)
{
    struct tensix *tx = &tile->dev.tensix;
    uint32_t lost;
    assert_int_equal(tensix_push_replay(tx, thread, word, 0x100, exec_now, &lost), TENSIX_PUSH_OK);
    exec_now += 100;
    while (tensix_next(tx) < exec_now)
        tensix_run(&tile->lent, tx, exec_now);
    return tx->thread[thread].gate_count == 0;
}

static inline uint32_t word_of(const char *text)
{
    tensix_text_error error;
    uint32_t word = 0;
    if (!tensix_assemble(text, &word, &error))
        fail_msg("%s: %s", text, error.text);
    return word;
}

static inline bool try_exec(struct tile *tile, unsigned thread, const char *text)
{
    return exec_word(tile, thread, word_of(text));
}

static inline void exec_on(struct tile *tile, unsigned thread, const char *text)
{
    assert_true(try_exec(tile, thread, text));
    assert_int_equal(tile->faults, 0);
}

static inline void exec(struct tile *tile, const char *text)
{
    exec_on(tile, 0, text);
}

static inline void set_soft_reset(struct tile *tile, uint32_t bits)
{
    exec_now += 100;
    wr_at(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0x47800 | bits, exec_now);
    exec_now += 100;
    while (tensix_next(&tile->dev.tensix) < exec_now)
        tensix_run(&tile->lent, &tile->dev.tensix, exec_now);
}

#endif
