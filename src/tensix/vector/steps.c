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

bool vector_out_of_reach(tensix_step *s, uint32_t lanes, unsigned VD)
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

/* What an early reader writes: hazard_give_back. */
static uint32_t written_by(tensix_step *s, const struct vector_operands *o, unsigned how)
{
    enum { SHFLROR1_AND_COPY4 = 2, FIRST_FOUR = 0xF };
    if (s->op == TENSIX_SFPSHFT2 && o->mod == SHFLROR1_AND_COPY4)
        return FIRST_FOUR;
    return (how & (RESULT | MAD)) == RESULT ? UINT32_C(1) << o->VD : 0;
}

/* What v->mad has is there in the second cycle from now. */
static inline void mad_is_late(const tensix_step *s, struct vector_files *v)
{
    v->mad.cycle = s->cycle + 1;
    v->mad.assumed = hazard_assumed_writes(s->word);
}

static step_result early_reader(tensix_step *s, struct vector_files *v, uint32_t lanes, const struct vector_operands *o,
                                vector_function *function, unsigned how, uint32_t early)
{
    if (vector_too_early(s, v, early))
        return STEP_FAULTED;
    struct vector_mad_write late;
    hazard_take_back(v, &late);
    function(v, lanes, o);
    hazard_give_back(v, &late, lanes, written_by(s, o, how));
    if (how & MAD)
        mad_is_late(s, v);
    return STEP_RETIRED;
}

static __attribute__((noinline)) void beside_macros(tensix_step *s, const struct vector_operands *o,
                                                    vector_function *function, uint32_t lanes)
{
    macro_with(s, &(const struct vector_op){.kind = OP_CALL, .function = function, .o = *o, .lanes = lanes});
}

static inline __attribute__((always_inline)) step_result run(tensix_step *s, const struct vector_operands *o,
                                                             vector_function *function, unsigned how)
{
    struct vector_files *v = vector_files_of(s->tile);
    if (waits(s, v))
        return STEP_STALLED;
    if (is_discarded(s, v))
        return STEP_RETIRED;
    uint32_t lanes = vector_behind_the_back_door(s, v, o->VD);
    if (how & ENABLED)
        lanes &= vector_lanes_enabled(v);
    if ((how & RESULT) && UNLIKELY(o->VD >= 8) && lanes != 0 && vector_out_of_reach(s, lanes, o->VD))
        return STEP_FAULTED;
    if (how & TWICE) {
        v->only_nop = s->cycle + 1;
        s->latency = 2;
    }
    const uint32_t early = hazard_early(v, s->word, s->cycle);
    if (UNLIKELY(v->macro.pending != 0))
        beside_macros(s, o, function, lanes);
    else if (UNLIKELY(early != 0))
        return early_reader(s, v, lanes, o, function, how, early);
    else
        function(v, lanes, o);
    if (how & MAD)
        mad_is_late(s, v);
    return STEP_RETIRED;
}

step_result vector_run(tensix_step *s, const struct vector_operands *o, vector_function *function, unsigned how)
{
    return run(s, o, function, how);
}

/* VB of the simple sub-unit is VD, and so is VC of SFPADDI and SFPMULI. */
#define VC_VD .VB = FIELD(VD), .VC = FIELD(VC), .VD = FIELD(VD)
#define MOD1 .mod = FIELD(Mod1)

step_result vector_SFPNOP(tensix_step *s, const struct op_SFPNOP *op)
{
    (void)op;
    if (matrix_held(s))
        return STEP_STALLED;
    if (UNLIKELY(s->tile->files->vector.macro.pending != 0))
        macro_passes(s);
    return STEP_RETIRED;
}

/* ---- Simple sub-unit ------------------------------------------------------------------------------------------- */

step_result vector_SFPABS(tensix_step *s, const struct op_SFPABS *op)
{
    return run(s, OPERANDS(VC_VD, MOD1), vector_abs, ENABLED | RESULT);
}
step_result vector_SFPAND(tensix_step *s, const struct op_SFPAND *op)
{
    enum { SFPAND_MOD1_USE_VB = 1 };
    const unsigned VB = op->Mod1 & SFPAND_MOD1_USE_VB ? op->VB : op->VD;
    return run(s, OPERANDS(.VB = (uint8_t)VB, .VC = FIELD(VC), .VD = FIELD(VD)), vector_and, ENABLED | RESULT);
}
step_result vector_SFPOR(tensix_step *s, const struct op_SFPOR *op)
{
    enum { SFPOR_MOD1_USE_VB = 1 };
    const unsigned VB = op->Mod1 & SFPOR_MOD1_USE_VB ? op->VB : op->VD;
    return run(s, OPERANDS(.VB = (uint8_t)VB, .VC = FIELD(VC), .VD = FIELD(VD)), vector_or, ENABLED | RESULT);
}
step_result vector_SFPXOR(tensix_step *s, const struct op_SFPXOR *op)
{
    return run(s, OPERANDS(VC_VD), vector_xor, ENABLED | RESULT);
}
step_result vector_SFPNOT(tensix_step *s, const struct op_SFPNOT *op)
{
    return run(s, OPERANDS(VC_VD), vector_not, ENABLED | RESULT);
}
step_result vector_SFPIADD(tensix_step *s, const struct op_SFPIADD *op)
{
    return run(s, OPERANDS(VC_VD, MOD1, IMM(Imm12)), vector_iadd, ENABLED | RESULT);
}
step_result vector_SFPSHFT(tensix_step *s, const struct op_SFPSHFT *op)
{
    return run(s, OPERANDS(VC_VD, MOD1, IMM(Imm12)), vector_shft, ENABLED | RESULT);
}
step_result vector_SFPLZ(tensix_step *s, const struct op_SFPLZ *op)
{
    return run(s, OPERANDS(VC_VD, MOD1), vector_lz, ENABLED | RESULT);
}
step_result vector_SFPSETEXP(tensix_step *s, const struct op_SFPSETEXP *op)
{
    return run(s, OPERANDS(VC_VD, MOD1, IMM(Imm8)), vector_setexp, ENABLED | RESULT);
}
step_result vector_SFPSETMAN(tensix_step *s, const struct op_SFPSETMAN *op)
{
    return run(s, OPERANDS(VC_VD, MOD1, IMM(Imm12)), vector_setman, ENABLED | RESULT);
}
step_result vector_SFPSETSGN(tensix_step *s, const struct op_SFPSETSGN *op)
{
    return run(s, OPERANDS(VC_VD, MOD1, IMM(Imm1)), vector_setsgn, ENABLED | RESULT);
}
step_result vector_SFPEXEXP(tensix_step *s, const struct op_SFPEXEXP *op)
{
    return run(s, OPERANDS(VC_VD, MOD1), vector_exexp, ENABLED | RESULT);
}
step_result vector_SFPEXMAN(tensix_step *s, const struct op_SFPEXMAN *op)
{
    return run(s, OPERANDS(VC_VD, MOD1), vector_exman, ENABLED | RESULT);
}
step_result vector_SFPDIVP2(tensix_step *s, const struct op_SFPDIVP2 *op)
{
    return run(s, OPERANDS(VC_VD, MOD1, IMM(Imm8)), vector_divp2, ENABLED | RESULT);
}
step_result vector_SFPCAST(tensix_step *s, const struct op_SFPCAST *op)
{
    return run(s, OPERANDS(VC_VD, MOD1), vector_cast, ENABLED | RESULT);
}
step_result vector_SFPARECIP(tensix_step *s, const struct op_SFPARECIP *op)
{
    return run(s, OPERANDS(.VB = FIELD(VB), .VC = FIELD(VC), .VD = FIELD(VD), MOD1), vector_arecip, ENABLED | RESULT);
}
step_result vector_SFPGT(tensix_step *s, const struct op_SFPGT *op)
{
    enum { SFPGT_MOD1_SET_VD = 8 };
    return run(s, OPERANDS(VC_VD, MOD1), vector_gt, op->Mod1 & SFPGT_MOD1_SET_VD ? RESULT : 0);
}
step_result vector_SFPLE(tensix_step *s, const struct op_SFPLE *op)
{
    enum { SFPLE_MOD1_SET_VD = 8 };
    return run(s, OPERANDS(VC_VD, MOD1), vector_le, op->Mod1 & SFPLE_MOD1_SET_VD ? RESULT : 0);
}
step_result vector_SFPMOV(tensix_step *s, const struct op_SFPMOV *op)
{
    return run(s, OPERANDS(VC_VD, MOD1), vector_mov, RESULT);
}
step_result vector_SFPTRANSP(tensix_step *s, const struct op_SFPTRANSP *op)
{
    return run(s, OPERANDS(.VD = FIELD(VD)), vector_transp, ENABLED);
}
step_result vector_SFPCONFIG(tensix_step *s, const struct op_SFPCONFIG *op)
{
    struct vector_files *v = vector_files_of(s->tile);
    if (waits(s, v))
        return STEP_STALLED;
    const struct vector_operands *o = OPERANDS(.VD = FIELD(VD), MOD1, IMM(Imm16));
    if (is_discarded(s, v))
        return STEP_RETIRED;
    const uint32_t lanes = vector_config_lanes(v), early = hazard_early(v, s->word, s->cycle);
    if (UNLIKELY(v->macro.pending != 0))
        beside_macros(s, o, vector_config, lanes);
    else if (UNLIKELY(early != 0))
        return early_reader(s, v, lanes, o, vector_config, 0, early);
    else
        vector_config(v, lanes, o);
    return STEP_RETIRED;
}

/* It compares in its first cycle and exchanges in its second, when a result that came too late for the comparison is there. */
step_result vector_SFPSWAP(tensix_step *s, const struct op_SFPSWAP *op)
{
    struct vector_files *v = vector_files_of(s->tile);
    if (waits(s, v))
        return STEP_STALLED;
    if (is_discarded(s, v))
        return STEP_RETIRED;
    const struct vector_operands *o = OPERANDS(VC_VD, MOD1);
    uint32_t lanes = vector_behind_the_back_door(s, v, o->VD) & vector_lanes_enabled(v);
    const uint32_t early = hazard_early(v, s->word, s->cycle);
    v->only_nop = s->cycle + 1;
    if (UNLIKELY(v->macro.pending != 0)) {
        macro_with(s, &(const struct vector_op){.kind = OP_SWAP, .o = *o, .lanes = lanes});
        return STEP_RETIRED;
    }
    if (UNLIKELY(early != 0)) {
        if (vector_too_early(s, v, early))
            return STEP_FAULTED;
        struct vector_mad_write late;
        hazard_take_back(v, &late);
        lanes = vector_swap_lanes(v, lanes, o);
        hazard_give_back(v, &late, 0, 0);
    } else {
        lanes = vector_swap_lanes(v, lanes, o);
    }
    vector_swap(v, lanes, o);
    return STEP_RETIRED;
}

/* ---- Flags ------------------------------------------------------------------------------------------------------ */

step_result vector_SFPENCC(tensix_step *s, const struct op_SFPENCC *op)
{
    return run(s, OPERANDS(.VD = FIELD(VD), MOD1, IMM(Imm2)), vector_encc, 0);
}
step_result vector_SFPSETCC(tensix_step *s, const struct op_SFPSETCC *op)
{
    return run(s, OPERANDS(VC_VD, MOD1, IMM(Imm1)), vector_setcc, ENABLED);
}
step_result vector_SFPCOMPC(tensix_step *s, const struct op_SFPCOMPC *op)
{
    return run(s, OPERANDS(.VD = FIELD(VD)), vector_compc, 0);
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
    return run(s, OPERANDS(.VD = FIELD(VD), MOD1), vector_pushc, 0);
}
step_result vector_SFPPOPC(tensix_step *s, const struct op_SFPPOPC *op)
{
    const struct vector_files *v = &s->tile->files->vector;
    if (waits(s, v))
        return STEP_STALLED;
    if (op->Mod1 == 0 && bad_stack(s, executing(v, op->VD) & vector_stack_empty(v), "empty"))
        return STEP_FAULTED;
    return run(s, OPERANDS(.VD = FIELD(VD), MOD1), vector_popc, 0);
}

/* ---- MAD sub-unit ------------------------------------------------------------------------------------------------ */

enum { INDIRECT_VD = 8 };
#define VA_TO_VD .VA = FIELD(VA), .VB = FIELD(VB), .VC = FIELD(VC), .VD = FIELD(VD)

static unsigned mad_kind(unsigned mod)
{
    return ENABLED | MAD | (mod & INDIRECT_VD ? 0 : RESULT);
}

step_result vector_SFPMAD(tensix_step *s, const struct op_SFPMAD *op)
{
    return run(s, OPERANDS(VA_TO_VD, MOD1), vector_mad, mad_kind(op->Mod1));
}
step_result vector_SFPADD(tensix_step *s, const struct op_SFPADD *op)
{
    return run(s, OPERANDS(VA_TO_VD, MOD1), vector_mad, mad_kind(op->Mod1));
}
step_result vector_SFPMUL(tensix_step *s, const struct op_SFPMUL *op)
{
    return run(s, OPERANDS(VA_TO_VD, MOD1), vector_mad, mad_kind(op->Mod1));
}
step_result vector_SFPMUL24(tensix_step *s, const struct op_SFPMUL24 *op)
{
    return run(s, OPERANDS(VA_TO_VD, MOD1), vector_mul24, mad_kind(op->Mod1));
}
step_result vector_SFPADDI(tensix_step *s, const struct op_SFPADDI *op)
{
    return run(s, OPERANDS(.VC = FIELD(VD), .VD = FIELD(VD), MOD1, IMM(Imm16)), vector_addi, mad_kind(op->Mod1));
}
step_result vector_SFPMULI(tensix_step *s, const struct op_SFPMULI *op)
{
    return run(s, OPERANDS(.VC = FIELD(VD), .VD = FIELD(VD), MOD1, IMM(Imm16)), vector_muli, mad_kind(op->Mod1));
}
step_result vector_SFPLUT(tensix_step *s, const struct op_SFPLUT *op)
{
    return run(s, OPERANDS(.VD = FIELD(VD), .mod = FIELD(Mod0)), vector_lut, mad_kind(op->Mod0));
}
step_result vector_SFPLUTFP32(tensix_step *s, const struct op_SFPLUTFP32 *op)
{
    return run(s, OPERANDS(.VD = FIELD(VD), MOD1), vector_lutfp32, mad_kind(op->Mod1));
}

/* ---- Round sub-unit ----------------------------------------------------------------------------------------------- */

step_result vector_SFP_STOCH_RND(tensix_step *s, const struct op_SFP_STOCH_RND *op)
{
    return run(s,
               OPERANDS(.VB = FIELD(VB), .VC = FIELD(VC), .VD = FIELD(VD), MOD1, .rounding = FIELD(RoundingMode),
                        .use_imm = op->UseImm5, IMM(Imm5)),
               vector_stochrnd, ENABLED | RESULT);
}

step_result vector_SFPSHFT2(tensix_step *s, const struct op_SFPSHFT2 *op)
{
    enum { FIRST_THAT_WRITES_VD = 3, FIRST_OF_TWO_CYCLES = 2, LAST_OF_TWO_CYCLES = 4, LAST = 6 };
    const bool twice = op->Mod1 >= FIRST_OF_TWO_CYCLES && op->Mod1 <= LAST_OF_TWO_CYCLES;
    if (UNLIKELY(op->Mod1 > LAST) && !waits(s, &s->tile->files->vector) &&
        tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPSHFT2",
                     "SFPSHFT2 with Mod1 %u, which has no meaning", op->Mod1))
        return STEP_FAULTED;
    return run(s, OPERANDS(.VB = FIELD(VB), .VC = FIELD(VC), .VD = FIELD(VD), MOD1, IMM(Imm12)), vector_shft2,
               ENABLED | (twice ? TWICE : 0) | (op->Mod1 >= FIRST_THAT_WRITES_VD ? RESULT : 0));
}
