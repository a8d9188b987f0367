/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state_list.h"

enum { CHUNK = 4096 };

/* mcycle and what else says only that time passes. */
static bool is_time(const kerr_state_item *item)
{
    return strcmp(item->name, "mcycle") == 0 || strcmp(item->name, "minstret") == 0;
}

static bool compare_l1(kerr_chip *const chip[2], kerr_xy at, difference_fn fn, void *context)
{
    const uint8_t *bytes[2] = {NULL, NULL};
    uint64_t size[2];
    for (unsigned i = 0; i < 2; i++) {
        if (kerr_memory_view(chip[i], at, 0, &bytes[i], &size[i]) != KERR_OK) {
            return true;
        }
    }
    for (uint64_t chunk = 0; chunk < size[0] && chunk < size[1]; chunk += CHUNK) {
        if (memcmp(bytes[0] + chunk, bytes[1] + chunk, CHUNK) == 0) {
            continue;
        }
        for (uint32_t word = 0; word < CHUNK; word += 4) {
            difference d = {.at = at, .is_l1 = true, .address = (uint32_t)chunk + word};
            memcpy(&d.bytes[0], bytes[0] + chunk + word, 4);
            memcpy(&d.bytes[1], bytes[1] + chunk + word, 4);
            if (d.bytes[0] != d.bytes[1] && !fn(context, &d)) {
                return false;
            }
        }
    }
    return true;
}

static bool compare_state(kerr_chip *const chip[2], kerr_xy at, difference_fn fn, void *context)
{
    state_list list[2] = {{0}, {0}};
    tool_error ignored;
    bool more = true;
    size_t from = 0;
    if (state_list_read(&list[0], chip[0], at, KERR_STATE_ALL, &ignored) &&
        state_list_read(&list[1], chip[1], at, KERR_STATE_ALL, &ignored)) {
        for (size_t i = 0; i < list[0].count && more; i++) {
            const kerr_state_item *a = &list[0].item[i], *b = state_list_find(&list[1], a, &from);
            if (!is_time(a) && (b == NULL || b->value != a->value)) {
                difference d = {.at = at, .item = {*a, b != NULL ? *b : (kerr_state_item){.group = a->group}}};
                more = fn(context, &d);
            }
        }
    }
    state_list_free(&list[0]);
    state_list_free(&list[1]);
    return more;
}

/* Tiles that are still as after power-on are equal at a glance: nothing of them is touched. */
static bool is_asleep(const kerr_chip *chip, kerr_xy at)
{
    kerr_core_info info;
    for (uint32_t core = 0; core < kerr_tile_cores(kerr_tile_kind_at(at)); core++) {
        if (kerr_core_query(chip, at, (kerr_core)core, &info) == KERR_OK && info.state != KERR_CORE_IN_RESET) {
            return false;
        }
    }
    return true;
}

void chip_compare(kerr_chip *const chip[2], difference_fn fn, void *context)
{
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        if (!compare_l1(chip, at, fn, context)) {
            return;
        }
        if ((!is_asleep(chip[0], at) || !is_asleep(chip[1], at)) && !compare_state(chip, at, fn, context)) {
            return;
        }
    }
}

/* ---- Lists -------------------------------------------------------------------------------------- */

static bool is_same_place(const difference *a, const difference *b)
{
    return a->at.x == b->at.x && a->at.y == b->at.y && a->is_l1 == b->is_l1 &&
           (a->is_l1
                ? a->address == b->address
                : strcmp(a->item[0].name, b->item[0].name) == 0 && strcmp(a->item[0].group, b->item[0].group) == 0);
}

bool collection_add(void *context, const difference *d)
{
    collection *c = context;
    for (size_t i = 0; c->except != NULL && i < c->except->count; i++) {
        if (is_same_place(&c->except->item[i], d)) {
            return true;
        }
    }
    if (c->count == c->room) {
        const size_t room = c->room == 0 ? 64 : 2 * c->room;
        difference *grown = realloc(c->item, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        c->item = grown;
        c->room = room;
    }
    c->item[c->count++] = *d;
    return c->count < c->most;
}

void difference_print(const difference *d)
{
    if (d->is_l1) {
        (void)printf("  tile %u,%u  L1 0x%05x: 0x%08x, 0x%08x\n", d->at.x, d->at.y, d->address, d->bytes[0],
                     d->bytes[1]);
        return;
    }
    char left[400], right[400];
    state_value(&d->item[0], left, sizeof left);
    state_value(&d->item[1], right, sizeof right);
    (void)printf("  tile %u,%u  %s: %s: %s, %s\n", d->at.x, d->at.y, d->item[0].group, d->item[0].name, left, right);
}

size_t collection_news(kerr_chip *const chip[2], collection *c)
{
    c->count = 0;
    chip_compare(chip, collection_add, c);
    return c->count;
}
