/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOADI, SFPLOAD, SFPSTORE and SFPLOADMACRO as threads push them: formats by configuration, addresses by counters. */
#include "tensix/vector/steps.h"

#include "num/sfpu_cells.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/rwc.h"

step_result vector_SFPLOADI(tensix_step *s, const struct op_SFPLOADI *op)
{
    const struct vector_files *v = &s->tile->files->vector;
    const bool meaning = 1u << op->Mod0 & (1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 10);
    if (UNLIKELY(!meaning) && op->VD < 8 && vector_lanes_enabled(v) != 0 && !waits(s, v) &&
        tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPLOADI",
                     "SFPLOADI with Mod0 %u, which has no meaning: lanes 0x%08x", op->Mod0, vector_lanes_enabled(v)))
        return STEP_FAULTED;
    return vector_run(s);
}

/* MOD0_FMT_SRCB becomes a format.  Page SFPLOAD (1392d237) does not speak of SFPU_DEST_FMT, page SFPSTORE (0f3f6b70) does; it
 * is taken for both. */
unsigned vector_resolved(const tensix_step *s, const uint32_t *config, unsigned Mod0)
{
    enum {
        LIKE_BF16 = 1 << FORMAT_FP32 | 1 << FORMAT_TF32 | 1 << FORMAT_BF16 | 1 << FORMAT_BFP8 | 1 << FORMAT_BFP4 |
                    1 << FORMAT_BFP2 | 1 << FORMAT_INT32 | 1 << FORMAT_INT16
    };
    if (Mod0 != MOD0_FMT_SRCB)
        return Mod0;
    if (CFG_FIELD(config, ALU_ACC_CTRL_SFPU_Fp32_enabled))
        return MOD0_FMT_FP32;
    unsigned format = CFG_FIELD(config, ALU_FORMAT_SPEC_REG_SrcB_override)
                          ? CFG_FIELD(config, ALU_FORMAT_SPEC_REG_SrcB_val)
                          : CFG_FIELD(config, ALU_FORMAT_SPEC_REG1_SrcB);
    if (CFG_FIELD(s->t->config, SFPU_DEST_FMT_Enable))
        format = CFG_FIELD(s->t->config, SFPU_DEST_FMT_Base);
    return LIKE_BF16 >> format & 1 ? MOD0_FMT_BF16 : MOD0_FMT_FP16;
}

/* Addr; Sp steps back before a load and on after a store, in MOD0_FMT_INT32_ALL alone. */
static struct vector_dst address(tensix_step *s, const uint32_t *config, unsigned Mod0, unsigned Imm10, bool load)
{
    struct tensix_rwc *rwc = &s->t->rwc;
    const unsigned step = CFG_FIELD(s->t->config, SFPU_STACK_Incr);
    const bool stack = Mod0 == MOD0_FMT_INT32_ALL;
    if (stack && load && rwc->sp != 0)
        rwc->sp = (rwc->sp - step) & RWC_SP_MASK;
    const unsigned dst = rwc->dst + CFG_FIELD(config, DEST_REGW_BASE_Base);
    const unsigned sp = rwc->sp + CFG_FIELD(config, DEST_SP_BASE_Base);
    if (stack && !load)
        rwc->sp = (rwc->sp + step) & RWC_SP_MASK;
    const unsigned base = Imm10 + CFG_FIELD(s->t->config, DEST_TARGET_REG_CFG_MATH_Offset);
    return (struct vector_dst){.access = dst_access(s, config),
                               .Addr = (base + (stack ? sp + (dst & 3) : dst + (sp & 3))) & (DST_ROWS - 1)};
}

/* Loads or stores in this cycle, beside what is scheduled for it. */
static bool moves(tensix_step *s, struct tensix_files *files, const struct vector_op *op)
{
    struct vector_files *v = &files->vector;
    const uint32_t early = hazard_early(v, decoded_of(s), s->cycle);
    struct vector_mad_write late;
    if (UNLIKELY(v->macro.pending != 0)) {
        macro_with(s, op);
        return true;
    }
    if (UNLIKELY(early != 0)) { /* a result of a scheduled instruction: nobody is held for those */
        if (vector_too_early(s, v, early))
            return false;
        hazard_take_back(v, &late);
    }
    vector_tell_move(s->tile, op);
    (op->kind == OP_LOAD ? vector_load : vector_store)(files, op->lanes, &op->o, op->at);
    if (UNLIKELY(early != 0))
        hazard_give_back(v, &late, op->kind == OP_LOAD ? op->lanes : 0, UINT32_C(1) << op->o.VD);
    return true;
}

/* *Addr: in Dst. */
static step_result move(tensix_step *s, unsigned VD, unsigned Mod0, unsigned Imm10, unsigned AddrMod, bool load,
                        unsigned *Addr)
{
    struct tensix_files *files = s->tile->files;
    struct vector_files *v = &files->vector;
    if (waits(s, v))
        return STEP_STALLED;
    if (is_discarded(s, v))
        return STEP_RETIRED;
    uint32_t lanes = vector_behind_the_back_door(s, v, VD);
    if (Mod0 != MOD0_FMT_INT32_ALL)
        lanes &= vector_lanes_enabled(v);
    const uint32_t *config = step_config(s);
    const struct vector_op op = {.kind = load ? OP_LOAD : OP_STORE,
                                 .o = {.VD = (uint8_t)VD, .mod = (uint8_t)vector_resolved(s, config, Mod0)},
                                 .at = address(s, config, Mod0, Imm10, load),
                                 .lanes = lanes};
    if (!moves(s, files, &op))
        return STEP_FAULTED;
    *Addr = op.at.Addr;
    rwc_apply_partial_addr_mod(s->t, AddrMod);
    return STEP_RETIRED;
}

void vector_move_plainly(tensix_step *s, uint32_t enabled, const struct vector_operands *o, bool load)
{
    const uint32_t *config = step_config(s);
    const struct vector_operands resolved = {.VD = o->VD, .mod = (uint8_t)vector_resolved(s, config, o->mod)};
    const uint32_t lanes = o->mod != MOD0_FMT_INT32_ALL ? enabled : UINT32_MAX;
    (load ? vector_load : vector_store)(s->tile->files, lanes, &resolved,
                                        address(s, config, o->mod, (unsigned)o->imm, load));
    rwc_apply_partial_addr_mod(s->t, o->VA);
}

step_result vector_SFPLOAD(tensix_step *s, const struct op_SFPLOAD *op)
{
    unsigned Addr;
    return move(s, op->VD, op->Mod0, op->Imm10, op->AddrMod, true, &Addr);
}
step_result vector_SFPSTORE(tensix_step *s, const struct op_SFPSTORE *op)
{
    unsigned Addr;
    return move(s, op->VD, op->Mod0, op->Imm10, op->AddrMod, false, &Addr);
}

step_result vector_SFPLOADMACRO(tensix_step *s, const struct op_SFPLOADMACRO *op)
{
    const unsigned VD = op->VDHi << 2 | op->VDLo, Imm10 = op->Imm9 << 1 | op->VDHi;
    unsigned Addr = 0;
    if (waits(s, &s->tile->files->vector))
        return STEP_STALLED;
    if (macro_refuses(s, op->MacroIndex))
        return STEP_FAULTED;
    const step_result result = move(s, VD, op->Mod0, Imm10, op->AddrMod, true, &Addr);
    if (result == STEP_RETIRED)
        macro_schedule(s, (struct macro_load){op->MacroIndex, VD, op->Mod0, Addr});
    return result;
}
