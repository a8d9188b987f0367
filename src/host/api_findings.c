/* SPDX-License-Identifier: Apache-2.0 */
/* kerr_findings.h: kinds, switches, and faults and findings of checks as one list. */
#include "chip/chip.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *title;
    kerr_severity severity;
} kinds[FINDING_KINDS] = {
#define KIND(constant, name, severity, class, title) {name, title, KERR_SEVERITY_##severity},
#include "check/kinds.def"
#undef KIND
};

uint32_t kerr_finding_kinds(void)
{
    return FINDING_KINDS;
}

const char *kerr_finding_name(kerr_finding_kind kind)
{
    return kind < FINDING_KINDS ? kinds[kind].name : NULL;
}

const char *kerr_finding_title(kerr_finding_kind kind)
{
    return kind < FINDING_KINDS ? kinds[kind].title : NULL;
}

kerr_severity kerr_finding_severity(kerr_finding_kind kind)
{
    return kind < FINDING_KINDS ? kinds[kind].severity : KERR_SEVERITY_NOTE;
}

bool kerr_finding_by_name(const char *name, kerr_finding_kind *kind)
{
    for (uint32_t i = 0; name != NULL && kind != NULL && i < FINDING_KINDS; i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            *kind = i;
            return true;
        }
    }
    return false;
}

kerr_status kerr_set_checks(kerr_chip *chip, uint32_t checks)
{
    if (chip == NULL || (checks & ~(uint32_t)KERR_CHECK_ALL) != 0) {
        return KERR_BAD_ARGUMENT;
    }
    if (chip->running) {
        return KERR_BAD_STATE;
    }
    check_destroy(chip->checks);
    chip->checks = checks != 0 ? check_create(chip->tiles, KERR_TENSIX_TILES, checks, chip->now == 0) : NULL;
    chip->environment.checks = chip->checks != NULL ? checks : 0;
    return checks != 0 && chip->checks == NULL ? KERR_NO_MEMORY : KERR_OK;
}

kerr_status kerr_set_finding_policy(kerr_chip *chip, kerr_finding_kind kind, kerr_policy policy)
{
    if (kind < KERR_FAULT_KINDS) {
        return kerr_set_policy(chip, (kerr_fault_kind)kind, policy);
    }
    if (chip == NULL || kind >= FINDING_KINDS || (unsigned)policy > KERR_POLICY_IGNORE) {
        return KERR_BAD_ARGUMENT;
    }
    if (chip->running) {
        return KERR_BAD_STATE;
    }
    chip->environment.finding_policy[kind] = policy;
    return KERR_OK;
}

static uint32_t found_by_checks(const kerr_chip *chip)
{
    uint32_t n = 0;
    for (uint32_t i = 0; chip->checks != NULL && i < KERR_TENSIX_TILES; i++) {
        n += chip->tiles[i].check->count;
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
        *count += chip->tiles[i].check->dropped;
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
    const int tile = chip_tile_index(fault->tile);
    if (chip->checks != NULL && tile >= 0 && tile < KERR_TENSIX_TILES && f->access.actor != KERR_ACTOR_DEVICE) {
        check_history(chip->tiles[tile].check,
                      fault->thread != 0 ? (unsigned)CHECK_CORES + f->access.thread : (unsigned)fault->core, f);
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

kerr_status kerr_finding_get(const kerr_chip *chip, uint32_t index, kerr_finding *finding)
{
    uint32_t count = 0, faults = 0;
    if (finding == NULL || kerr_finding_count(chip, &count) != KERR_OK || index >= count ||
        kerr_fault_count(chip, &faults) != KERR_OK) {
        return KERR_BAD_ARGUMENT;
    }
    kerr_fault fault;
    if (count == faults) { /* in order already */
        const kerr_status status = kerr_fault_get(chip, index, &fault);
        if (status == KERR_OK) {
            from_fault(chip, &fault, finding);
        }
        return status;
    }
    reference *list = calloc(count, sizeof *list);
    if (list == NULL) {
        return KERR_NO_MEMORY;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < faults; i++) {
        const kerr_status status = kerr_fault_get(chip, i, &fault);
        if (status != KERR_OK) {
            free(list);
            return status;
        }
        list[n++] = (reference){fault.cycle, KERR_TENSIX_TILES, i, fault.core};
    }
    for (uint32_t t = 0; t < KERR_TENSIX_TILES; t++) {
        const struct tile_check *check = chip->tiles[t].check;
        for (uint32_t i = 0; i < check->count; i++) {
            list[n++] = (reference){check->finding[i].access.cycle, t, i, check->finding[i].access.core};
        }
    }
    qsort(list, n, sizeof *list, by_time);
    const reference at = list[index];
    free(list);
    if (at.tile < KERR_TENSIX_TILES) {
        *finding = chip->tiles[at.tile].check->finding[at.number];
        return KERR_OK;
    }
    const kerr_status status = kerr_fault_get(chip, at.number, &fault);
    if (status == KERR_OK) {
        from_fault(chip, &fault, finding);
    }
    return status;
}
