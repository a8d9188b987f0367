/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of the Vector Unit as threads push them: what vector.h has, with lanes, back door, stalls and faults. */
#include "tensix/vector/steps.h"

/* OPEN: whether LaneEnabled, which other writes depend on, matters here too.  No page says that it does. */
uint32_t vector_behind_the_back_door(tensix_step *s, struct vector_files *v, unsigned VD)
{
    if (LIKELY(VD < 12))
        return UINT32_MAX;
    const uint32_t lanes = vector_lanes_with(v, LANE_CONFIG_DISABLE_BACKDOOR_LOAD);
    for (unsigned lane = 0; lane < LANES; lane++)
        if (!(lanes >> lane & 1))
            v->LoadMacroConfig.InstructionTemplate[VD - 12][lane] = s->word;
    macro_config_changed(v);
    return lanes;
}

/* The fault of writing a register that cannot be written.  True: stop here. */
static bool out_of_reach(tensix_step *s, uint32_t lanes, unsigned VD)
{
    return tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/LReg",
                        "%s writes LReg[%u], which no instruction but SFPCONFIG can: lanes 0x%08x",
                        tensix_ops[s->op].name, VD, lanes);
}

bool vector_too_early(tensix_step *s, const struct vector_files *v, uint32_t early)
{
    return tensix_fault(
        s, KERR_FAULT_HAZARD, "TensixCoprocessor/SFPMAD",
        "%s reads LReg[%d] one cycle before a result of the MAD sub-unit is there, and nothing holds it: "
        "lanes 0x%08x have the old value",
        tensix_ops[s->op].name, __builtin_ctz(early), v->mad.lanes);
}

/* What v->mad has is there in the second cycle from now. */
static inline void mad_is_late(const tensix_step *s, struct vector_files *v, const struct vector_decoded *d)
{
    v->mad.cycle = s->cycle + 1;
    v->mad.assumed = d->assumed_writes;
}

static step_result early_reader(tensix_step *s, struct vector_files *v, uint32_t lanes, const struct vector_decoded *d,
                                uint32_t early)
{
    if (vector_too_early(s, v, early))
        return STEP_FAULTED;
    struct vector_mad_write late;
    hazard_take_back(v, &late);
    d->function(v, lanes, &d->o);
    hazard_give_back(v, &late, lanes, d->kind == OF_MAD ? 0 : d->writes);
    if (d->kind == OF_MAD)
        mad_is_late(s, v, d);
    return STEP_RETIRED;
}

static __attribute__((noinline)) void beside_macros(tensix_step *s, const struct vector_decoded *d, uint32_t lanes)
{
    macro_with(s, &(const struct vector_op){.kind = OP_CALL, .function = d->function, .o = d->o, .lanes = lanes});
}

/* Whether it takes a second cycle, in which only SFPNOP is accepted. */
static bool takes_two(const struct vector_decoded *d)
{
    enum { FIRST_OF_TWO_CYCLES = 2, LAST_OF_TWO_CYCLES = 4 }; /* of SFPSHFT2 */
    return d->kind == MAY_TAKE_TWO && d->o.mod >= FIRST_OF_TWO_CYCLES && d->o.mod <= LAST_OF_TWO_CYCLES;
}

step_result vector_run(tensix_step *s)
{
    struct vector_files *v = &s->tile->files->vector;
    const struct vector_decoded *d = decoded_of(s);
    if (matrix_held(s) || hazard_holds(v, d, s->cycle))
        return STEP_STALLED;
    if (is_discarded(s, v))
        return STEP_RETIRED;
    uint32_t lanes;
    if (UNLIKELY(d->kind == CONFIGURES)) {
        lanes = vector_config_lanes(v);
    } else {
        lanes = vector_behind_the_back_door(s, v, d->o.VD);
        if (d->kind == IN_ENABLED_LANES || d->kind == OF_MAD || d->kind == MAY_TAKE_TWO)
            lanes &= vector_lanes_enabled(v);
        if (UNLIKELY(d->out_of_reach) && lanes != 0 && out_of_reach(s, lanes, d->o.VD))
            return STEP_FAULTED;
    }
    if (UNLIKELY(takes_two(d))) {
        v->only_nop = s->cycle + 1;
        s->latency = 2;
    }
    const uint32_t early = hazard_early(v, d, s->cycle);
    if (UNLIKELY(v->macro.pending != 0))
        beside_macros(s, d, lanes);
    else if (UNLIKELY(early != 0))
        return early_reader(s, v, lanes, d, early);
    else
        d->function(v, lanes, &d->o);
    if (d->kind == OF_MAD)
        mad_is_late(s, v, d);
    return STEP_RETIRED;
}

/* Most instructions are no more than that. */
#define SFP(name, ...)                                                                                                 \
    step_result vector_##name(tensix_step *s, const struct op_##name *op)                                              \
    {                                                                                                                  \
        (void)op;                                                                                                      \
        return vector_run(s);                                                                                          \
    }
#define SFP_OWN(...)
#include "tensix/vector/instructions.def"

step_result vector_SFPNOP(tensix_step *s, const struct op_SFPNOP *op)
{
    (void)op;
    if (matrix_held(s))
        return STEP_STALLED;
    if (UNLIKELY(s->tile->files->vector.macro.pending != 0))
        macro_passes(s);
    return STEP_RETIRED;
}

/* It compares in its first cycle and exchanges in its second, when a result that came too late for the comparison is there. */
step_result vector_SFPSWAP(tensix_step *s, const struct op_SFPSWAP *op)
{
    struct vector_files *v = &s->tile->files->vector;
    (void)op;
    if (waits(s, v))
        return STEP_STALLED;
    if (is_discarded(s, v))
        return STEP_RETIRED;
    const struct vector_decoded *d = decoded_of(s);
    uint32_t lanes = vector_behind_the_back_door(s, v, d->o.VD) & vector_lanes_enabled(v);
    const uint32_t early = hazard_early(v, d, s->cycle);
    v->only_nop = s->cycle + 1;
    if (UNLIKELY(v->macro.pending != 0)) {
        macro_with(s, &(const struct vector_op){.kind = OP_SWAP, .o = d->o, .lanes = lanes});
        return STEP_RETIRED;
    }
    if (UNLIKELY(early != 0)) {
        if (vector_too_early(s, v, early))
            return STEP_FAULTED;
        struct vector_mad_write late;
        hazard_take_back(v, &late);
        lanes = vector_swap_lanes(v, lanes, &d->o);
        hazard_give_back(v, &late, 0, 0);
    } else {
        lanes = vector_swap_lanes(v, lanes, &d->o);
    }
    vector_swap(v, lanes, &d->o);
    return STEP_RETIRED;
}

/* True: the stacks of some lanes do not allow it, and the thread must stop. */
static bool bad_stack(tensix_step *s, uint32_t lanes, const char *what)
{
    return lanes != 0 &&
           tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPPUSHC",
                        "%s with a flag stack that is %s: lanes 0x%08x", tensix_ops[s->op].name, what, lanes);
}
/* Lanes that the back door leaves, without going through it. */
static uint32_t executing(const struct vector_files *v, unsigned VD)
{
    return VD < 12 ? UINT32_MAX : vector_lanes_with(v, LANE_CONFIG_DISABLE_BACKDOOR_LOAD);
}

step_result vector_SFPPUSHC(tensix_step *s, const struct op_SFPPUSHC *op)
{
    const struct vector_files *v = &s->tile->files->vector;
    const uint32_t lanes = executing(v, op->VD);
    if (waits(s, v))
        return STEP_STALLED;
    if ((op->Mod1 == 0 ? bad_stack(s, lanes & vector_stack_full(v), "full")
                       : bad_stack(s, lanes & vector_stack_empty(v), "empty")))
        return STEP_FAULTED;
    return vector_run(s);
}
step_result vector_SFPPOPC(tensix_step *s, const struct op_SFPPOPC *op)
{
    const struct vector_files *v = &s->tile->files->vector;
    if (waits(s, v))
        return STEP_STALLED;
    if (op->Mod1 == 0 && bad_stack(s, executing(v, op->VD) & vector_stack_empty(v), "empty"))
        return STEP_FAULTED;
    return vector_run(s);
}

step_result vector_SFPSHFT2(tensix_step *s, const struct op_SFPSHFT2 *op)
{
    enum { LAST = 6 };
    if (UNLIKELY(op->Mod1 > LAST) && !waits(s, &s->tile->files->vector) &&
        tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPSHFT2",
                     "SFPSHFT2 with Mod1 %u, which has no meaning", op->Mod1))
        return STEP_FAULTED;
    return vector_run(s);
}
