/* SPDX-License-Identifier: Apache-2.0 */
/* PACR_SETREG: a register write in the order of PACRs.  Manual WormholeB0 PACR_SETREG for the address and the flush;
 * assembly.yaml for Blackhole's encoding, in which the value does not come with the instruction: another form of it sets the 32 bits
 * beforehand, half by half.
 *
 * OPEN: assembly.yaml has four addresses in TDMA-RISC to choose from; the Wormhole page and Blackhole's header know of two. */
#include "tensix/pack/pack.h"

#include "cfg_fields.h"
#include "tensix_units.h"

#define REGISTERS_BASE 0xFFB00000u
#define REGISTERS_FIRST 0xFFB11000u
#define REGISTERS_END 0xFFB80000u
enum { SOFT_RESET_PACKER = 2, ADDRESSES = 2 };

/* SetRegBase (manual WormholeB0 TDMA-RISC, SetPackRegAddr): ten bits each, then two high bits each. */
static uint32_t register_address(const tensix_step *s, const struct op_PACR_SETREG *op)
{
    const uint32_t raw = *s->tile->setreg_places;
    const uint32_t low = raw >> 10 * op->AddrSel & 0x3FF, high = raw >> (20 + 2 * op->AddrSel) & 3;
    return REGISTERS_BASE + (high << 18) + (op->StreamId << 12) + (low << 2);
}

/* Registers answer as they do to the Scalar Unit. */
static step_result write_register(tensix_step *s, uint32_t address, uint32_t value)
{
    const uint64_t turn = s->tile->unit_turn(s->tile->owner, address, true, s->cycle);
    s->again = turn != s->cycle ? turn : s->cycle + 1;
    s->reason = TENSIX_STALL_MEMORY;
    if (turn != s->cycle)
        return STEP_STALLED;
    if (s->tile->set_local_word(s->tile->owner, address, value, s->cycle))
        return STEP_RETIRED;
    switch (s->tile->write(s->tile->owner, address, value, s->cycle)) {
    case DEV_WAIT: return STEP_STALLED;
    case DEV_NOTHING:
        tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixCoprocessor/PACR_SETREG",
                     "PACR_SETREG to 0x%08x: there is no register", address);
        return STEP_FAULTED;
    default: return STEP_RETIRED;
    }
}

/* "Flush any data in the packer buffers just before L1". */
static bool flush(tensix_step *s)
{
    const struct tensix_packer *p = &s->tx->packer;
    const struct op_PACR op = {.Flush = 1};
    struct pack_job job;
    if (!p->data.open && !p->exponents.open && !p->row_starts.open)
        return true;
    if (!pack_begin(&job, s, &op))
        return false;
    pack_output_close(&job, false);
    return true;
}

step_result pack_PACR_SETREG(tensix_step *s, const struct op_PACR_SETREG *op)
{
    if (tensix_soft_reset(s->tile, SOFT_RESET_PACKER)) {
        s->again = UINT64_MAX; /* soft_reset.c says when */
        s->reason = TENSIX_STALL_RESET;
        return STEP_STALLED;
    }
    struct tensix_packer *p = &s->tx->packer;
    if (op->ModeSel) {
        const unsigned shift = op->HighHalf ? 16 : 0;
        p->register_value = (p->register_value & ~(UINT32_C(0xFFFF) << shift)) | op->Value16 << shift;
        return STEP_RETIRED;
    }
    if (!op->Push || !op->Flush)
        return STEP_RETIRED;
    if (op->AddrSel >= ADDRESSES) {
        tensix_fault(
            s, KERR_FAULT_UNKNOWN, "WormholeB0 TensixCoprocessor/PACR_SETREG",
            "PACR_SETREG with AddrSel %u: where TDMA-RISC keeps the third and fourth address is not documented",
            op->AddrSel);
        return STEP_FAULTED;
    }
    const uint32_t address = register_address(s, op);
    if (address < REGISTERS_FIRST) {
        tensix_fault(
            s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixCoprocessor/PACR_SETREG",
            "PACR_SETREG to 0x%08x (RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS, StreamId %u): only 0x%08x and up are "
            "reached",
            address, op->StreamId, REGISTERS_FIRST);
        return STEP_FAULTED;
    }
    if (address < REGISTERS_END) {
        const step_result result = write_register(s, address, p->register_value);
        if (result != STEP_RETIRED)
            return result;
    }
    s->tx->yield = true;
    return flush(s) ? STEP_RETIRED : STEP_FAULTED;
}
