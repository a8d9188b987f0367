/* SPDX-License-Identifier: Apache-2.0 */
/* UNPACR_NOP: manual WormholeB0 UNPACR_NOP and its five pages, in Blackhole's encoding (assembly.yaml).
 *
 * What it does comes behind the UNPACRs before it that have the same unpacker: what they wrote is there already, and what it
 * tells others waits until they have read L1.
 * Two p150a cards (metalium-rs, docs/learnings/silicon-operating-notes.md, "Stage D") have tried the ways to
 * hand over: Set_Dvalid counts in the clearing mode only, and Clr_to1_fmt_Ctrl 3 only beside clear value 2, where nothing is
 * cleared then.
 * OPEN: clear values 2 ("one") and 3 (UNP?_NOP_REG_CLR_VAL), of which assembly.yaml has the names only.  The cards find one as
 * TF32 has it in a bank of TF32; here it is one in the unpacker's output format.  The register's low 19 bits are taken as a
 * cell.  A card that reads back such banks in other formats would tell. */
#include "tensix_units.h" /* before the names of registers */

#include "tensix/unpack/unpack.h"

#include "tensix/regs/matrix_unit.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "overlay_regs.h"
#include "tile_regs.h"

#define PAGE "WormholeB0 TensixCoprocessor/UNPACR_NOP"

enum { POP, CLEAR_SRC, NOP, POP_STREAM };       /* Unpack_Pop */
enum { TO_ZERO, TO_NEGATIVE_INFINITY, TO_ONE }; /* Src_ClrVal_Ctrl; 3: to a configured value */
enum { KEEP = 3 };                              /* Clr_to1_fmt_Ctrl beside TO_ONE */
enum { STREAM_BYTES = 0x1000, CELL_MASK = (1 << SRC_CELL_BITS) - 1, ACC_MASK = 0x1FFFF };

static uint64_t end_of_reads(const tensix_step *s, unsigned which)
{
    return max64(s->cycle, s->tx->unpacker[which].data_until);
}

/* ---- Hand over ----------------------------------------------------------------------------------------------------- */

/* UNPACR_NOP_SETDVALID: the implied format is the configured one, whatever a context has. */
static void hand_over(tensix_step *s, unsigned which, uint64_t there)
{
    const uint32_t *section = unpack_bank_of_config(s) + 48 * which;
    src_unpacker_hands_over_at(s, which, CFG_FIELD(section, THCON_SEC0_REG2_Out_data_format), there);
}

/* ---- Clear ------------------------------------------------------------------------------------------------------------ */

static uint32_t one_of(unsigned format)
{
    enum { ONE_FP16 = 15, ONE_BF16 = 127, ONE_INT8 = 1 << 8 | 16 }; /* exponents; Integer "8" has 16 and a magnitude */
    return format == FORMAT_INT8 ? ONE_INT8 : format_has_8b_exponent(format) ? ONE_BF16 : ONE_FP16;
}

static uint32_t clear_value(const tensix_step *s, const struct op_UNPACR_NOP *op)
{
    const uint32_t *config = unpack_bank_of_config(s);
    switch (op->Src_ClrVal_Ctrl) {
    case TO_ZERO: return 0;
    case TO_NEGATIVE_INFINITY: return CELL_MASK;
    case TO_ONE: return one_of(CFG_FIELD(config + 48 * op->Unpacker_Select, THCON_SEC0_REG2_Out_data_format));
    default:
        return CELL_MASK & (op->Unpacker_Select ? CFG_FIELD(config, UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val)
                                                : CFG_FIELD(config, UNP0_NOP_REG_CLR_VAL_nop_reg_clr_val));
    }
}

static void fill(struct tensix_files *files, unsigned which, unsigned bank, uint32_t value)
{
    src_row *rows = src_bank(files, which, bank);
    for (unsigned row = 0; row < SRC_ROWS; row++)
        for (unsigned column = 0; column < SRC_COLUMNS; column++)
            rows[row][column] = value;
}

/* Stall_Clr_Cntrl (the manual's WaitLikeUnpacr): for the bank that is to be cleared, else for the one that the Matrix Unit
 * is at. */
static bool bank_is_taken(tensix_step *s, const struct op_UNPACR_NOP *op)
{
    const struct tensix_src *src = &s->tx->src[op->Unpacker_Select];
    if (!src->matrix_owns[op->Stall_Clr_Cntrl ? src->unpacker_bank : src->matrix_bank])
        return false;
    s->again = UINT64_MAX; /* whoever gives it back wakes it */
    s->reason = TENSIX_STALL_SOURCE;
    return true;
}

/* Manual UNPACR_NOP_ZEROSRC "Instruction scheduling": in the cycle of a ZEROSRC that takes the Matrix Unit's bank, or both,
 * this one takes the same. */
static bool races_with_zerosrc(tensix_step *s)
{
    return s->tx->zerosrc_at == tensix_due_at(s->cycle) &&
           tensix_fault(s, KERR_FAULT_HAZARD, PAGE "_ZEROSRC",
                        "UNPACR_NOP clears in the cycle of a ZEROSRC of %s: it takes that one's bank, not its own",
                        s->tx->zerosrc_both ? "both banks" : "the Matrix Unit's bank");
}

void unpack_zerosrc(tensix_step *s, bool both)
{
    s->tx->zerosrc_at = tensix_due_at(s->cycle);
    s->tx->zerosrc_both = both;
    for (unsigned which = SRC_A; which <= SRC_B; which++)
        if (UNLIKELY(s->tx->unpacker[which].cleared_at == tensix_due_at(s->cycle)))
            tensix_fault(
                s, KERR_FAULT_HAZARD, PAGE "_ZEROSRC",
                "ZEROSRC of %s in the cycle of an UNPACR_NOP that clears Src%c: on the chip that one takes this "
                "one's bank; here it has cleared its own",
                both ? "both banks" : "the Matrix Unit's bank", 'A' + (int)which);
}

static void clear_banks(tensix_step *s, const struct op_UNPACR_NOP *op)
{
    const unsigned which = op->Unpacker_Select;
    const struct tensix_src *src = &s->tx->src[which];
    const bool race = s->tx->zerosrc_at == tensix_due_at(s->cycle);
    const bool both = race ? s->tx->zerosrc_both : op->Bank_Clr_Ctrl;
    const unsigned bank = race ? src->matrix_bank : src->unpacker_bank;
    struct tensix_files *files = s->tile->files;
    const uint32_t value = clear_value(s, op);
    fill(files, which, bank, value);
    hook_src(s->tile, which, bank, 0, SRC_ROWS, CHECK_WRITE);
    if (both) {
        fill(files, which, !bank, value);
        hook_src(s->tile, which, !bank, 0, SRC_ROWS, CHECK_WRITE);
    }
    s->tx->unpacker[which].cleared_at = tensix_due_at(s->cycle);
}

static step_result clear(tensix_step *s, const struct op_UNPACR_NOP *op)
{
    const unsigned which = op->Unpacker_Select;
    const bool keep = op->Src_ClrVal_Ctrl == TO_ONE && op->Clr_to1_fmt_Ctrl == KEEP;
    if (bank_is_taken(s, op))
        return STEP_STALLED;
    if (!keep) {
        if (races_with_zerosrc(s))
            return STEP_FAULTED;
        clear_banks(s, op);
    }
    const uint64_t there = unpack_occupy(s, which, s->cycle, COST_UNPACK_NOP, true);
    if (op->Set_Dvalid)
        hand_over(s, which, there);
    return STEP_RETIRED;
}

/* ---- Registers ----------------------------------------------------------------------------------------------------------- */

/* Writes a register of the tile when what was read before it has been read. */
static step_result write_register(tensix_step *s, unsigned which, uint32_t address, uint32_t value)
{
    switch (s->tile->write(s->tile->owner, address, value, s->cycle)) {
    case DEV_WAIT: return STEP_STALLED;
    case DEV_NOTHING:
        tensix_fault(s, KERR_FAULT_UNDEFINED, PAGE "_SETREG", "UNPACR_NOP writes 0x%x to 0x%08x: nothing is there",
                     value, address);
        return STEP_FAULTED;
    case DEV_FAULT: return STEP_FAULTED;
    default: break;
    }
    s->tx->yield = true;
    unpack_occupy(s, which, s->cycle, COST_UNPACK_NOP, true);
    return STEP_RETIRED;
}

static bool waits_for_reads(tensix_step *s, unsigned which)
{
    s->again = end_of_reads(s, which);
    s->reason = TENSIX_STALL_UNIT;
    return s->again > s->cycle;
}

/* UNPACR_NOP_OverlayClear: the page writes 1 whatever the count is.  OPEN: by assembly.yaml and LLK hal/cfg so many
 * messages are popped; STREAM_MSG_DATA_CLEAR takes any value for as many as STREAM_MSG_INFO_CLEAR was given (TransmitToSoftware), so
 * that it makes no difference here. */
static step_result pop(tensix_step *s, unsigned which, unsigned stream)
{
    if (waits_for_reads(s, which))
        return STEP_STALLED;
    return write_register(s, which,
                          NOC_OVERLAY_START_ADDR + STREAM_BYTES * stream + 4 * STREAM_MSG_DATA_CLEAR_REG_INDEX, 1);
}

/* SetRegBase.  On Blackhole it is configuration: the two sections together have four of twelve bits each (the vendor's
 * descriptions of the fields).  OPEN: where they are in the 24 bits of a section: here as the manual has the same two in the 24 bits
 * of TDMA-RISC's SetPackRegAddr, ten bits each, then two high bits each. */
static uint32_t register_base(const tensix_step *s, unsigned select)
{
    const uint32_t raw = CFG_FIELD(unpack_bank_of_config(s) + 48 * (select / 2), THCON_SEC0_REG10_Unpacker_Reg_Wr_Addr);
    const unsigned at = select % 2;
    return (raw >> (20 + 2 * at) & 3) << 18 | (raw >> 10 * at & 0x3FF) << 2;
}

/* UNPACR_NOP_SETREG. */
static step_result set_register(tensix_step *s, const struct op_UNPACR_NOP *op)
{
    const unsigned which = op->Unpacker_Select, select = op->AddrSel1 << 1 | op->AddrSel0;
    const uint32_t value = op->Msg_Clr_Cnt << 8 | op->Msg_Clr_Cnt_Lo;
    if (waits_for_reads(s, which))
        return STEP_STALLED;
    const uint32_t address = 0xFFB00000 + register_base(s, select) + (op->Stream_Id << 12);
    uint32_t *sum = &s->tx->unpacker[which].SetRegAcc;
    if (!op->Accumulate)
        return write_register(s, which, address, value);
    if (value == 0) {
        *sum = 0;
        unpack_occupy(s, which, s->cycle, COST_UNPACK_NOP, true);
        return STEP_RETIRED;
    }
    const uint32_t next = (*sum + value) & ACC_MASK;
    const step_result result = write_register(s, which, address, next);
    if (result == STEP_RETIRED)
        *sum = next;
    return result;
}

/* ---- All -------------------------------------------------------------------------------------------------------------------- */

step_result unpack_UNPACR_NOP(tensix_step *s, const struct op_UNPACR_NOP *op)
{
    const unsigned which = op->Unpacker_Select;
    if (unpack_held(s))
        return STEP_STALLED;
    s->issue = COST_UNPACK_NOP;
    if (op->Unpack_Pop == POP_STREAM && op->SetReg)
        return set_register(s, op);
    const uint16_t *config = s->t->config;
    const unsigned own = which ? CFG_FIELD(config, NOC_OVERLAY_MSG_CLEAR_StreamId_1)
                               : CFG_FIELD(config, NOC_OVERLAY_MSG_CLEAR_StreamId_0);
    switch (op->Unpack_Pop) {
    case POP: return pop(s, which, own);
    case CLEAR_SRC: return clear(s, op);
    case NOP: unpack_occupy(s, which, s->cycle, COST_UNPACK_NOP, true); return STEP_RETIRED;
    default: return pop(s, which, op->Msg_Clr_Cnt != 0 ? op->Stream_Id : own);
    }
}
