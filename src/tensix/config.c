/* SPDX-License-Identifier: Apache-2.0 */
/* The Configuration Unit: instructions that read and write Config and ThreadConfig.
 *
 * Manual ConfigurationUnit (b7b81ac2), BackendConfiguration and the pages of the instructions.  An instruction enters the
 * pipeline (config_pipe.h) or waits at its gate.  What it does in the cycle in which it enters is done at once: the write of
 * RMWCIB and SETC16, the reads of the others.  Writes of a later stage go to tensix/later.h, so that the instruction behind a
 * WRCFG or CFGSHIFTMASK finds the old value, as the pages warn.  What a write does besides being kept is
 * config_words.c's. */
#include "tensix/config_pipe.h"
#include "tensix/config_shift.h"
#include "tensix/later.h"

#include "base/bits.h"
#include "base/shake.h"
#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "tensix/unpack/unpack.h"
#include "tensix_units.h"
#include "tile_regs.h"

enum { STREAM_BYTES = 0x1000 };

/* "Cannot index out of bounds."  No continuation is known. */
static step_result past_the_end(tensix_step *s, const char *page, const char *name, unsigned index, unsigned words)
{
    tensix_fault(s, KERR_FAULT_UNDEFINED, page, "%s: configuration word %u, there are %u", name, index, words);
    return STEP_FAULTED;
}

/* The pipeline, not the unit as such, keeps the next instruction out. */
static bool enter(tensix_step *s, unsigned stages)
{
    s->issue = 1;
    return config_pipe_enter(&s->tx->config_unit, s->cycle, stages);
}

/* The bank of Config that the thread uses. */
static unsigned state_id(const tensix_step *s)
{
    return CFG_FIELD(s->t->config, CFG_STATE_ID_StateID);
}

/* `latency`, from the table, is that of a write in stage 0: it is there in the cycle behind. */
static void write_later(tensix_step *s, unsigned word, uint32_t value)
{
    hook_config(s->tile, state_id(s), word, CHECK_WRITE | CHECK_LATER, s->cycle + s->latency);
    tensix_later_config(s->tile, s->tx, s->cycle + s->latency, state_id(s), word, UINT32_MAX, value);
}

step_result config_WRCFG(tensix_step *s, const struct op_WRCFG *op)
{
    if (op->CfgIndex >= CFG_WORDS)
        return past_the_end(s, "TensixCoprocessor/WRCFG", "WRCFG", op->CfgIndex, CFG_WORDS);
    if (!enter(s, CONFIG_ENTER_WRCFG))
        return STEP_STALLED;
    hook_gpr(s->tile, s->thread, op->Is128Bit ? op->InputReg & ~3u : op->InputReg, op->Is128Bit ? 4 : 1, CHECK_READ);
    if (!op->Is128Bit) {
        write_later(s, op->CfgIndex, s->t->gpr[op->InputReg]);
        return STEP_RETIRED;
    }
    for (unsigned i = 0; i < 4; i++)
        write_later(s, (op->CfgIndex & ~3u) + i, s->t->gpr[(op->InputReg & ~3u) + i]);
    return STEP_RETIRED;
}

step_result config_RDCFG(tensix_step *s, const struct op_RDCFG *op)
{
    if (op->CfgIndex >= CFG_WORDS)
        return past_the_end(s, "TensixCoprocessor/RDCFG", "RDCFG", op->CfgIndex, CFG_WORDS);
    if (!enter(s, CONFIG_ENTER_RDCFG))
        return STEP_STALLED;
    if (UNLIKELY(s->tx->shake.on))
        s->latency += s->tile->shake(s->tile->owner, SHAKE_CONFIG, s->thread, s->tx->shake.config[s->thread]++);
    hook_config(s->tile, state_id(s), op->CfgIndex, CHECK_READ, s->cycle);
    hook_gpr(s->tile, s->thread, op->ResultReg, 1, CHECK_WRITE);
    tensix_later_gpr(s->tile, s->tx, s->cycle + s->latency, s->thread, op->ResultReg, UINT32_MAX,
                     s->tx->config[state_id(s)][op->CfgIndex]);
    return STEP_RETIRED;
}

/* Byte `Index1` of a word.  STATE_RESET_EN does not act when written like this. */
static step_result rmwcib(tensix_step *s, const char *name, unsigned Index1, uint32_t Mask, uint32_t NewValue,
                          uint32_t Index4)
{
    if (Index4 >= CFG_WORDS)
        return past_the_end(s, "TensixCoprocessor/RMWCIB", name, Index4, CFG_WORDS);
    if (!enter(s, CONFIG_ENTER_RMWCIB))
        return STEP_STALLED;
    const unsigned bank = state_id(s), shift = 8 * Index1;
    const uint32_t old = s->tx->config[bank][Index4];
    hook_config(s->tile, bank, Index4, CHECK_ATOMIC, s->cycle);
    config_keep_word(s->tile, s->tx, bank, Index4, (old & ~(Mask << shift)) | (NewValue & Mask) << shift, s->cycle);
    return STEP_RETIRED;
}

step_result config_RMWCIB0(tensix_step *s, const struct op_RMWCIB0 *op)
{
    return rmwcib(s, "RMWCIB0", 0, op->Mask, op->NewValue, op->Index4);
}

step_result config_RMWCIB1(tensix_step *s, const struct op_RMWCIB1 *op)
{
    return rmwcib(s, "RMWCIB1", 1, op->Mask, op->NewValue, op->Index4);
}

step_result config_RMWCIB2(tensix_step *s, const struct op_RMWCIB2 *op)
{
    return rmwcib(s, "RMWCIB2", 2, op->Mask, op->NewValue, op->Index4);
}

step_result config_RMWCIB3(tensix_step *s, const struct op_RMWCIB3 *op)
{
    return rmwcib(s, "RMWCIB3", 3, op->Mask, op->NewValue, op->Index4);
}

/* Each thread has a way of its own to ThreadConfig. */
step_result config_SETC16(tensix_step *s, const struct op_SETC16 *op)
{
    if (op->CfgIndex >= THD_STATE_SIZE)
        return past_the_end(s, "TensixCoprocessor/SETC16", "SETC16", op->CfgIndex, THD_STATE_SIZE);
    hook_config(s->tile, CHECK_THREAD_CONFIG + s->thread, op->CfgIndex, CHECK_WRITE, s->cycle);
    s->t->config[op->CfgIndex] = (uint16_t)op->NewValue;
    if (op->CfgIndex == UNPACK_MISC_CFG_CfgContextCntReset_0_ADDR32)
        unpack_misc_cfg_written(s);
    return STEP_RETIRED;
}

step_result config_CFGSHIFTMASK(tensix_step *s, const struct op_CFGSHIFTMASK *op)
{
    if (op->CfgIndex >= CFG_WORDS)
        return past_the_end(s, "TensixCoprocessor/CFGSHIFTMASK", "CFGSHIFTMASK", op->CfgIndex, CFG_WORDS);
    if (!enter(s, CONFIG_ENTER_CFGSHIFTMASK))
        return STEP_STALLED;
    const uint32_t *config = s->tx->config[state_id(s)];
    const unsigned scratch = config_shift_scratch(op, s->thread);
    hook_config(s->tile, state_id(s), op->CfgIndex, CHECK_READ, s->cycle);
    hook_config(s->tile, state_id(s), scratch, CHECK_READ, s->cycle);
    write_later(s, op->CfgIndex, config_shift(op, config[op->CfgIndex], config[scratch]));
    return STEP_RETIRED;
}

/* OPEN: the request leaves in stage -3 and is answered by stage 0; what the stream's register shows is taken in the cycle in
 * which the instruction enters.  Would settle it: a card, with a core that counts the register up. */
step_result config_STREAMWRCFG(tensix_step *s, const struct op_STREAMWRCFG *op)
{
    if (op->CfgIndex >= CFG_WORDS)
        return past_the_end(s, "TensixCoprocessor/STREAMWRCFG", "STREAMWRCFG", op->CfgIndex, CFG_WORDS);
    const unsigned stream = CFG_FIELD(s->t->config + op->StreamSelect, STREAM_ID_SYNC_SEC0_BankSel);
    const uint32_t address = NOC_OVERLAY_START_ADDR + STREAM_BYTES * stream + 4 * op->RegIndex;
    if (!s->tile->has_stream_register(address)) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/STREAMWRCFG",
                     "STREAMWRCFG: stream %u has no register %u", stream, op->RegIndex);
        return STEP_FAULTED;
    }
    if (!enter(s, CONFIG_ENTER_STREAMWRCFG))
        return STEP_STALLED;
    uint32_t value;
    if (s->tile->stream_read(s->tile->owner, KERR_CORE_T0 + s->thread, address, s->cycle, &value) != DEV_OK)
        return STEP_FAULTED;
    write_later(s, op->CfgIndex, value);
    return STEP_RETIRED;
}
