/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline of the Configuration Unit: who may enter it in a cycle.
 *
 * Manual ConfigurationUnit.  Six stages, -4 to +1; what is inside moves one stage a cycle, and stage 0 is where Config is
 * read or written.  SETC16 does not pass through it.
 *
 * OPEN: a RDCFG stays in stage +1 for as long as others write GPRs of its thread, and a STREAMWRCFG stays in stage -4 for as
 * long as others read the overlay.  No document says who wins or how long it takes; here neither is ever in the way. */
#ifndef KERR_TENSIX_CONFIG_PIPE_H
#define KERR_TENSIX_CONFIG_PIPE_H

#include "tensix/state.h"

/* Bits of stages in a mask; nothing waits for stage +1. */
enum {
    CONFIG_STAGE_M4 = 1 << 0,
    CONFIG_STAGE_M3 = 1 << 1,
    CONFIG_STAGE_M2 = 1 << 2,
    CONFIG_STAGE_M1 = 1 << 3,
    CONFIG_STAGE_0 = 1 << 4,
};

/* Where each enters.  CFGSHIFTMASK has stage 0 for two cycles: what it blocks in stage -1 is its own second half. */
enum {
    CONFIG_ENTER_STREAMWRCFG = CONFIG_STAGE_M4,
    CONFIG_ENTER_WRCFG = CONFIG_STAGE_M1,
    CONFIG_ENTER_CFGSHIFTMASK = CONFIG_STAGE_M1 | CONFIG_STAGE_0,
    CONFIG_ENTER_RMWCIB = CONFIG_STAGE_0,
    CONFIG_ENTER_RDCFG = CONFIG_STAGE_0,
    CONFIG_ENTER_REQUEST = CONFIG_STAGE_0, /* of a baby core or the Mover */
};

/* Takes the stages in this cycle, or changes nothing and says no.  Cycles do not go back. */
bool config_pipe_enter(struct tensix_config_unit *unit, uint64_t cycle, unsigned stages);

/* The pipeline as it stands at the start of a later cycle. */
struct tensix_config_unit config_pipe_at(struct tensix_config_unit unit, uint64_t cycle);

#endif
