/* SPDX-License-Identifier: Apache-2.0 */
/* kerr_findings.h: switches, and faults and findings of checks as one list. */
#include "chip/chip.h"
#include "num/formats.h"
#include "tile/deadlock.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

kerr_status kerr_set_checks(kerr_chip *chip, uint32_t checks)
{
    if (chip == NULL || (checks & ~(uint32_t)(KERR_CHECK_ALL | KERR_CHECK_ACCESSES)) != 0) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    check_destroy(chip->checks);
    chip->checks = checks != 0
                       ? check_create(chip_tiles(chip), KERR_TENSIX_TILES, checks, chip->finding_policy, chip->now == 0)
                       : NULL;
    chip->environment.checks = chip->checks != NULL ? checks : 0;
    return checks != 0 && chip->checks == NULL ? KERR_NO_MEMORY : KERR_OK;
}

kerr_status kerr_tell_allocation(kerr_chip *chip, kerr_xy tile, uint64_t address, uint64_t size)
{
    const int index = chip_tile_index(tile), bank = chip_bank_index(tile);
    if (chip == NULL || index < 0 || address + size < address) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip) || !(chip->environment.checks & KERR_CHECK_MEMORY)) {
        return KERR_BAD_STATE;
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) { /* all that a bank is behind */
        const kerr_xy at = chip_tile_xy(i);
        if (bank < 0 ? (int)i != index : chip_bank_index(at) != bank) {
            continue;
        }
        if (size == 0) {
            check_forget_allocations(chip->checks, noc_node_at(at.x, at.y));
        } else if (!check_add_allocation(chip->checks, noc_node_at(at.x, at.y), address, size)) {
            return KERR_NO_MEMORY;
        }
    }
    return KERR_OK;
}

kerr_status kerr_tell_buffer(kerr_chip *chip, kerr_xy tile, uint64_t address, uint64_t size, uint32_t format)
{
    const int index = chip_tile_index(tile);
    if (chip == NULL || index < 0 || index >= KERR_TENSIX_TILES || kerr_data_format_name(format) == NULL ||
        address > L1_BYTES || size > L1_BYTES - address) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip) || !(chip->environment.checks & KERR_CHECK_MEMORY)) {
        return KERR_BAD_STATE;
    }
    if (size == 0) {
        check_forget_buffers(chip->checks, tile);
        return KERR_OK;
    }
    return check_add_buffer(chip->checks, tile, (uint32_t)address, (uint32_t)size, format) ? KERR_OK : KERR_NO_MEMORY;
}

const char *kerr_data_format_name(uint32_t format)
{
    return format < 16 && !(FORMATS_RESERVED & FORMAT_SET(format)) ? format_name(format) : NULL;
}

bool kerr_data_format_by_name(const char *name, uint32_t *format)
{
    for (uint32_t i = 0; i < 16; i++) {
        if (kerr_data_format_name(i) != NULL && strcasecmp(kerr_data_format_name(i), name) == 0) {
            *format = i;
            return true;
        }
    }
    return false;
}

kerr_status kerr_set_finding_policy(kerr_chip *chip, kerr_finding_kind kind, kerr_policy policy)
{
    if (kind < KERR_FAULT_KINDS) {
        return kerr_set_policy(chip, (kerr_fault_kind)kind, policy);
    }
    if (chip == NULL || kind >= FINDING_KINDS || (unsigned)policy > KERR_POLICY_IGNORE) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    chip->finding_policy[kind] = policy;
    return KERR_OK;
}

static uint32_t found_by_checks(const kerr_chip *chip)
{
    uint32_t n = 0;
    for (uint32_t i = 0; chip->checks != NULL && i < KERR_TENSIX_TILES; i++) {
        n += chip_tile(chip, i)->lent.check->count;
    }
    return n;
}

kerr_status kerr_finding_count(const kerr_chip *chip, uint32_t *count)
{
    const kerr_status status = kerr_fault_count(chip, count);
    if (status == KERR_OK) {
        *count += found_by_checks(chip);
    }
    return status;
}

kerr_status kerr_findings_dropped(const kerr_chip *chip, uint32_t *count)
{
    if (chip == NULL || count == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    *count = 0;
    for (uint32_t i = 0; chip->checks != NULL && i < KERR_TENSIX_TILES; i++) {
        *count += chip_tile(chip, i)->lent.check->dropped;
    }
    return KERR_OK;
}

/* A fault in the words of findings. */
static void from_fault(const kerr_chip *chip, const kerr_fault *fault, kerr_finding *f)
{
    *f = (kerr_finding){.kind = fault->kind,
                        .severity = kerr_finding_severity(fault->kind),
                        .tile = fault->tile,
                        .stopping = fault->stopping,
                        .times = 1,
                        .access = {.actor = fault->thread != 0 ? KERR_ACTOR_THREAD
                                            : fault->core >= 0 ? KERR_ACTOR_CORE
                                                               : KERR_ACTOR_DEVICE,
                                   .tile = fault->tile,
                                   .core = fault->core,
                                   .thread = fault->thread != 0 ? (uint8_t)(fault->thread - 1) : 0,
                                   .pc = fault->pc,
                                   .instruction = fault->instruction,
                                   .address = fault->address,
                                   .cycle = fault->cycle},
                        .other = {.core = -1},
                        .manual = fault->manual};
    _Static_assert(sizeof f->text >= sizeof fault->text, "a fault's sentence fits");
    memcpy(f->text, fault->text, sizeof fault->text);
    if (fault->core < 0 && fault->asker >= KERR_ASKER_HOST_READ) {
        f->access.actor = KERR_ACTOR_HOST;
        f->access.is_write = fault->asker == KERR_ASKER_HOST;
        f->severity = f->access.is_write ? f->severity : KERR_SEVERITY_NOTE;
    } else if (fault->core < 0 && fault->asker != 0) {
        f->access.actor = KERR_ACTOR_NOC;
        f->access.tile = fault->asker_tile;
        f->access.core = (int8_t)(fault->asker - 1);
        f->access.noc = fault->asker_noc;
    }
    const int tile = chip_tile_index(fault->tile);
    if (chip->checks != NULL && tile >= 0 && tile < KERR_TENSIX_TILES &&
        (f->access.actor == KERR_ACTOR_CORE || f->access.actor == KERR_ACTOR_THREAD)) {
        check_history(chip_tile(chip, tile)->lent.check,
                      fault->thread != 0 ? (unsigned)CHECK_CORES + f->access.thread : (unsigned)fault->core, f);
        /* What the actor has done since then, if it went on, would say nothing of the fault. */
        if (!fault->stopping && f->history_count != 0 && f->history[f->history_count - 1].pc != fault->pc) {
            f->history_count = 0;
        }
    }
}

typedef struct reference {
    uint64_t cycle;
    uint32_t tile, number; /* tile KERR_TENSIX_TILES: a fault by its number */
    int core;
} reference;

static int by_time(const void *left, const void *right)
{
    const reference *a = left, *b = right;
    if (a->cycle != b->cycle) {
        return a->cycle < b->cycle ? -1 : 1;
    }
    if (a->tile != b->tile) {
        return a->tile < b->tile ? -1 : 1;
    }
    return a->core != b->core ? (a->core < b->core ? -1 : 1) : a->number < b->number ? -1 : a->number > b->number;
}

/* All of them, in order; *count as kerr_finding_count has it.  NULL: there are none, or no memory. */
static reference *in_order(const kerr_chip *chip, uint32_t count, uint32_t faults)
{
    reference *list = calloc(count + 1, sizeof *list);
    uint32_t n = 0;
    for (uint32_t i = 0; list != NULL && i < faults; i++) {
        kerr_fault fault;
        if (kerr_fault_get(chip, i, &fault) != KERR_OK) {
            free(list);
            return NULL;
        }
        list[n++] = (reference){fault.cycle, KERR_TENSIX_TILES, i, fault.core};
    }
    for (uint32_t t = 0; list != NULL && chip->checks != NULL && t < KERR_TENSIX_TILES; t++) {
        const struct tile_check *check = chip_tile(chip, t)->lent.check;
        for (uint32_t i = 0; i < check->count; i++) {
            list[n++] = (reference){check->finding[i].access.cycle, t, i, check->finding[i].access.core};
        }
    }
    if (list != NULL && n > faults) { /* faults are in order already */
        qsort(list, n, sizeof *list, by_time);
    }
    return list;
}

static kerr_status fill_in(const kerr_chip *chip, const reference *at, kerr_finding *finding)
{
    kerr_fault fault;
    if (at->tile < KERR_TENSIX_TILES) {
        *finding = chip_tile(chip, at->tile)->lent.check->finding[at->number];
        return KERR_OK;
    }
    const kerr_status status = kerr_fault_get(chip, at->number, &fault);
    if (status == KERR_OK) {
        from_fault(chip, &fault, finding);
    }
    return status;
}

kerr_status kerr_finding_list(const kerr_chip *chip, uint32_t first, kerr_finding *list, uint32_t room, uint32_t *count)
{
    uint32_t all = 0, faults = 0;
    if (count == NULL || (list == NULL && room != 0)) {
        return KERR_BAD_ARGUMENT;
    }
    *count = 0;
    kerr_status status = kerr_finding_count(chip, &all);
    if (status == KERR_OK) {
        status = kerr_fault_count(chip, &faults);
    }
    if (status != KERR_OK) {
        return status;
    }
    reference *order = in_order(chip, all, faults);
    if (order == NULL) {
        return KERR_NO_MEMORY;
    }
    while (status == KERR_OK && *count < room && first + *count < all) {
        status = fill_in(chip, &order[first + *count], &list[*count]);
        *count += status == KERR_OK;
    }
    free(order);
    return status;
}

kerr_status kerr_finding_get(const kerr_chip *chip, uint32_t index, kerr_finding *finding)
{
    uint32_t count = 0;
    if (finding == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    const kerr_status status = kerr_finding_list(chip, index, finding, 1, &count);
    return status == KERR_OK && count == 0 ? KERR_BAD_ARGUMENT : status;
}

/* ---- A host that has waited long enough ---------------------------------------------------------------------- */

static kerr_xy somebody_who_waits(const kerr_chip *chip)
{
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        kerr_thread_info thread;
        kerr_core_info core;
        const kerr_xy at = kerr_tensix_xy(i);
        for (uint32_t k = 0; k < TENSIX_THREADS; k++) {
            if (kerr_thread_query(chip, at, k, &thread) == KERR_OK && thread.waits) {
                return at;
            }
        }
        for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
            if (kerr_core_query(chip, at, (kerr_core)c, &core) == KERR_OK &&
                (core.state == KERR_CORE_RUNNING || core.state == KERR_CORE_WAITING)) {
                return at;
            }
        }
    }
    return kerr_tensix_xy(0);
}

kerr_status kerr_raise_timeout(kerr_chip *chip, const char *text)
{
    if (chip == NULL || text == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    const kerr_xy at = somebody_who_waits(chip);
    const uint64_t last = chip->now > 0 ? chip->now - 1 : 0; /* so that a chip at a stop point stops there */
    (void)chip_fault(chip, KERR_FAULT_TIMEOUT, noc_node_at(at.x, at.y), 0, last, NULL, "%s", text);
    return KERR_OK;
}

kerr_status kerr_waiters(const kerr_chip *chip, kerr_xy at, kerr_waiter waiters[KERR_WAITERS])
{
    const int tile = chip_tile_index(at);
    if (chip == NULL || waiters == NULL || tile < 0 || tile >= KERR_TENSIX_TILES || !kerr_tile_is_on(chip, at)) {
        return KERR_BAD_ARGUMENT;
    }
    tile_waiters(chip_tile(chip, tile), chip->now, waiters);
    return KERR_OK;
}
