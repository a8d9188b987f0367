/* SPDX-License-Identifier: Apache-2.0 */
/* Races over configuration: instructions and cores that name a word, and units that read it for an instruction.
 *
 * A unit reads its configuration when an instruction has passed the gate (manual AutoTTSync: a store that waits until then is not
 * seen by it), the packer some fields later (config_uses.h): actor SYNC_SAMPLES, which only a wait for the packer orders, or Auto
 * TTSync.  Stores of RISCV Ti travel while it goes on (ConfigurationUnit): its pushes may overtake them, actor SYNC_STORES, unless
 * Auto TTSync holds them, STALLWAIT waits for them (C10) or the core has had an answer to a load since. */
#include "check/sync.h"

#include "check/hooks.h"
#include "tensix/step.h"
#include "tile/tile.h"

#include "cfg_fields.h"
#include "tensix_isa.h"

#include <string.h>

static const char *field_of_config(uint32_t word, unsigned mask, unsigned half)
{
    return cfg_field_name(CFG_SPACE_CONFIG, word, 16 * half + (mask != 0 ? (unsigned)__builtin_ctz(mask) : 0));
}
static const char *field_of_thread_config(uint32_t word, unsigned mask, unsigned half)
{
    (void)half;
    return cfg_field_name(CFG_SPACE_THREAD_CONFIG, word, mask != 0 ? (unsigned)__builtin_ctz(mask) : 0);
}

#define MANUAL "TensixCoprocessor/BackendConfiguration"
static const struct sync_place_kind config_kind[2] = {
    {FINDING_RACE_CONFIG, "configuration word", MANUAL, field_of_config, 0},
    {FINDING_RACE_CONFIG, "configuration word", MANUAL, field_of_config, 1}};
static const struct sync_place_kind thread_config_kind = {FINDING_RACE_CONFIG, "ThreadConfig word", MANUAL,
                                                          field_of_thread_config, 0};

enum visit_how { TELLS, QUIET };
static void visit_bits(struct tile_check *check, unsigned bank, unsigned word, uint32_t bits, struct order_cell cell,
                       enum visit_how how)
{
    struct check_sync *sync = check->sync;
    for (unsigned half = 0; half < 2; half++) {
        const unsigned mask = bits >> 16 * half & 0xFFFF;
        if (mask == 0)
            continue;
        cell.what = (cell.what & ~(uint64_t)0xFFFF00) | mask << 8;
        sync_visit(check, &sync->config[bank][word][half], cell,
                   how == QUIET                 ? NULL
                   : bank < CHECK_THREAD_CONFIG ? &config_kind[half]
                                                : &thread_config_kind,
                   word);
    }
}

/* One copy for both banks. */
static unsigned bank_of(unsigned bank, unsigned word)
{
    return bank < CHECK_THREAD_CONFIG && word >= GLOBAL_CFGREG_BASE_ADDR32 ? 0 : bank;
}

/* ---- Units ------------------------------------------------------------------------------------------------------------ */

static void tell_places(struct tile_check *check, struct sync_reads *reads)
{
    reads->is_pending = false;
    for (unsigned i = 0; i < reads->count; i++) {
        const unsigned word = reads->use[i].word, bank = bank_of(reads->reader.bank, word);
        visit_bits(check, bank, word, reads->use[i].bits & ~reads->use[i].late, reads->cell, TELLS);
        visit_bits(check, bank, word, reads->use[i].late, reads->late, TELLS);
    }
}

static void tell_all_reads(struct tile_check *check)
{
    struct check_sync *sync = check->sync;
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned i = 0; i < SYNC_READERS * SYNC_READS; i++)
            if (sync->reads[thread][i / SYNC_READS][i % SYNC_READS].is_pending)
                tell_places(check, &sync->reads[thread][i / SYNC_READS][i % SYNC_READS]);
}

static void list_words(struct sync_reads *reads, const struct config_reader *reader)
{
    reads->reader = *reader;
    reads->count = 0;
    for (unsigned word = 0; word < CFG_WORDS && reads->count < SYNC_READ_WORDS; word++) {
        const uint32_t bits = config_bits_read(reader, word);
        if (bits == 0)
            continue;
        reads->use[reads->count].word = word;
        reads->use[reads->count].bits = bits;
        reads->use[reads->count++].late = config_bits_late(reader, word);
    }
}

/* Instructions of one thread and unit take turns: unpackers and their contexts, those that compute and those that do not. */
static unsigned slot_of(const struct config_reader *reader)
{
    return reader->reader == CFG_READER_UNPACK ? 2u * (reader->which & 1) + (reader->context & 1)
                                               : (reader->flags & (CONFIG_SOURCES | CONFIG_SRCB_FORMAT)) != 0;
}

/* The packer learns what its thread knows. */
static void give_samples(struct check_sync *sync, unsigned thread)
{
    const unsigned actor = SYNC_SAMPLES + thread, of = SYNC_THREAD + thread;
    order_close(&sync->order, of);
    if (sync->seen[actor] == sync->order.actor[of].version + 1)
        return;
    sync->seen[actor] = sync->order.actor[of].version + 1;
    order_acquire(&sync->order, actor, &sync->order.actor[of].live);
}

void sync_config_reads(struct tile_check *check, const tensix_step *s)
{
    struct check_sync *sync = check->sync;
    const struct config_reader *reader = &check->reader;
    if (reader->reader >= SYNC_READERS)
        return;
    struct sync_reads *reads = &sync->reads[s->thread][reader->reader][slot_of(reader)];
    const bool other = reads->count == 0 || memcmp(&reads->reader, reader, sizeof *reader) != 0;
    if (other) {
        if (reads->is_pending)
            tell_places(check, reads);
        list_words(reads, reader);
    }
    reads->cell = order_cell_of(&sync->order, SYNC_THREAD + s->thread, sync->who.site, sync->who.cycle, 0, false);
    if (reader->reader == CFG_READER_PACK) {
        give_samples(sync, s->thread);
        reads->late = order_cell_of(&sync->order, SYNC_SAMPLES + s->thread, sync->who.site, sync->who.cycle, 0, false);
    }
    if (other || reads->writes != sync->config_writes)
        tell_places(check, reads); /* what was written is compared with what is known now */
    else
        reads->is_pending = true;
    reads->writes = sync->config_writes;
}

/* ---- Instructions and cores that name a word -------------------------------------------------------------------------- */

static bool is_auto(const struct tile_check *check, unsigned thread)
{
    const uint32_t track =
        check->tile->dev.tensix.thread[thread].config[TENSIX_TRISC_SYNC_TrackTensixInstructions_ADDR32];
    return (track & TENSIX_TRISC_SYNC_TrackTensixInstructions_MASK) && (track & TENSIX_TRISC_SYNC_TrackGlobalCfg_MASK);
}

void sync_stores_known(struct check_sync *sync, unsigned core, struct order_clock *into)
{
    if (core >= KERR_CORE_T0 && core <= KERR_CORE_T2 && (sync->stores >> (core - KERR_CORE_T0) & 1))
        order_release(&sync->order, SYNC_STORES + core - KERR_CORE_T0, into);
}

void sync_stores_done(struct check_sync *sync, unsigned core)
{
    if (core < KERR_CORE_T0 || core > KERR_CORE_T2 || !(sync->stores >> (core - KERR_CORE_T0) & 1))
        return;
    sync->stores &= (uint8_t) ~(1u << (core - KERR_CORE_T0));
    order_follow(&sync->order, SYNC_CORE + core, SYNC_STORES + core - KERR_CORE_T0);
}

/* Whose access it is. */
static unsigned actor_of(struct tile_check *check, unsigned how)
{
    struct check_sync *sync = check->sync;
    const unsigned core = sync->who.issuer, thread = core - KERR_CORE_T0;
    if (core < KERR_CORE_T0 || core > KERR_CORE_T2)
        return core;
    if (is_auto(check, thread)) /* which has waited for PACRs too */
        order_follow(&sync->order, SYNC_CORE + core, SYNC_SAMPLES + thread);
    if (!(how & CHECK_WRITE) || is_auto(check, thread)) {
        sync_stores_done(sync, core);
        return core;
    }
    sync->stores |= (uint8_t)(1u << thread);
    order_follow(&sync->order, SYNC_STORES + thread, SYNC_CORE + core);
    return SYNC_STORES + thread;
}

/* Threads write fields of one word: RMWCIB has a mask. */
struct named {
    uint32_t bits;
    bool has_value;
    uint32_t value;
};

static struct named bits_named(const struct check_sync *sync, unsigned how)
{
    const kerr_access *site = &sync->site[sync->who.site];
    const uint32_t word = site->instruction, byte = (word >> 24) - OPCODE_RMWCIB0;
    if (site->actor == KERR_ACTOR_THREAD && (how & CHECK_WRITE) && byte <= 3)
        return (struct named){(word >> 16 & 0xFF) << 8 * byte, true, (word >> 8 & 0xFF) << 8 * byte};
    return (struct named){UINT32_MAX, sync->who.flags & SYNC_WHO_VALUE, sync->who.value};
}

void sync_config(struct tile_check *check, unsigned bank, unsigned word, unsigned how)
{
    struct check_sync *sync = check->sync;
    sync_auto_waits(check, TENSIX_TRISC_SYNC_TrackGlobalCfg_MASK);
    if (bank >= CHECK_THREAD_CONFIG + 3 || word >= 256)
        return;
    const struct named named = bits_named(sync, how);
    /* What is there already is no conflict with who has put it there: kernels of several cores set up what they share, all
     * alike.  It is one with who changes it next. */
    const bool changes = !named.has_value || bank >= CHECK_THREAD_CONFIG || word >= CFG_WORDS ||
                         ((check->tile->dev.tensix.config[bank][word] ^ named.value) & named.bits) != 0;
    const unsigned actor = actor_of(check, how);
    if (how & CHECK_WRITE) {
        tell_all_reads(check);
        sync->config_writes++;
    }
    visit_bits(check, bank_of(bank, word), word, named.bits,
               order_cell_of(&sync->order, actor, sync->who.site, sync->who.cycle, 0, how & CHECK_WRITE),
               changes ? TELLS : QUIET);
}
