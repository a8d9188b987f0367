/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/config_pipe.h"

enum {
    /* "due to a hardware bug", stage -4 keeps nobody out of the later ones */
    ORDERED_STAGES = CONFIG_STAGE_M3 | CONFIG_STAGE_M2 | CONFIG_STAGE_M1 | CONFIG_STAGE_0,
    ALL_STAGES = CONFIG_STAGE_M4 | ORDERED_STAGES,
};

struct tensix_config_unit config_pipe_at(struct tensix_config_unit unit, uint64_t cycle)
{
    if (cycle <= unit.cycle)
        return unit;
    const uint64_t passed = cycle - unit.cycle;
    const unsigned inside = passed < 5 ? ((unsigned)unit.inside | unit.entering) << passed : 0;
    return (struct tensix_config_unit){.cycle = cycle, .tell = unit.tell, .inside = (uint8_t)(inside & ALL_STAGES)};
}

/* "An instruction cannot enter the pipeline if the stage it would enter at is already occupied", nor "if any
 * lower-numbered stage is occupied", whoever holds it.  What enters in the same cycle holds its own stages only. */
bool config_pipe_enter(struct tensix_config_unit *unit, uint64_t cycle, unsigned stages)
{
    struct tensix_config_unit now = config_pipe_at(*unit, cycle);
    const unsigned below = (stages & (0u - stages)) - 1;
    if ((now.inside & (stages | (ORDERED_STAGES & below))) || (now.entering & stages))
        return false;
    now.entering |= (uint8_t)stages;
    *unit = now;
    return true;
}
