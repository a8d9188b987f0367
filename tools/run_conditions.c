/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>

static void add_condition(run *r, const job_until *from, kerr_xy at, unsigned core)
{
    r->conditions[r->condition_count++] = (kerr_until){
        .kind = from->kind,
        .at = at,
        .core = (kerr_core)core,
        .address = from->address,
        .mask = from->mask,
        .value = from->value,
        .every = (uint32_t)run_every(r),
    };
}

bool run_flatten_conditions(run *r, tool_error *error)
{
    size_t count = 1;
    for (size_t i = 0; i < r->todo.until_count; i++) {
        const job_until *from = &r->todo.untils[i];
        count += (tile_set_count(&from->tiles) + 1) * KERR_CORE_COUNT;
    }
    r->conditions = calloc(count, sizeof *r->conditions);
    if (r->conditions == NULL) {
        return tool_fail(error, "out of memory");
    }
    for (size_t i = 0; i < r->todo.until_count; i++) {
        const job_until *from = &r->todo.untils[i];
        unsigned index = 0;
        kerr_xy at = {0, 0};
        if (from->kind == KERR_UNTIL_IDLE) {
            add_condition(r, from, at, 0);
        }
        while (from->kind != KERR_UNTIL_IDLE && tile_set_next(&from->tiles, &index, &at)) {
            if (from->kind != KERR_UNTIL_CORE_STATE) {
                add_condition(r, from, at, 0);
                continue;
            }
            for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
                if ((from->cores >> core & 1) != 0) {
                    add_condition(r, from, at, core);
                }
            }
        }
    }
    if (r->condition_count == 0 && !r->todo.has_cycles) {
        const job_until idle = {.kind = KERR_UNTIL_IDLE};
        add_condition(r, &idle, (kerr_xy){0, 0}, 0);
    }
    return true;
}

bool run_check_conditions(const run *r, tool_error *error)
{
    for (size_t i = 0; i < r->condition_count; i++) {
        const kerr_until *condition = &r->conditions[i];
        uint32_t word;
        if (condition->kind == KERR_UNTIL_WORD_EQ || condition->kind == KERR_UNTIL_WORD_NE) {
            const kerr_status status = kerr_peek(r->chip, condition->at, condition->address, &word, sizeof word);
            if (status != KERR_OK) {
                return tool_fail(error, "--until: 0x%08" PRIx32 " of tile %u,%u: %s", condition->address,
                                 condition->at.x, condition->at.y, kerr_status_text(status));
            }
        }
    }
    return true;
}

static bool holds(kerr_chip *chip, const kerr_until *condition)
{
    bool reached = false;
    return kerr_run_until(chip, condition, 0, &reached) == KERR_OK && reached;
}

size_t run_first_open(const run *r)
{
    size_t i = 0;
    while (i < r->condition_count && holds(r->chip, &r->conditions[i])) {
        i++;
    }
    return i;
}
