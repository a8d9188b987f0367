/* SPDX-License-Identifier: Apache-2.0 */
/* CSRs of the baby cores (manual BabyRISCV/CSRs). */
#include "base/bits.h"
#include "kerr.h"
#include "riscv/core.h"

enum {
    CSR_FCSR = 0x003,
    CSR_VSTART = 0x008,
    CSR_VXSAT = 0x009,
    CSR_VXRM = 0x00A,
    CSR_MSTATUS = 0x300,
    CSR_MISA = 0x301,
    CSR_MCOUNTINHIBIT = 0x320,
    CSR_MHPMEVENT3 = 0x323,
    CSR_MHPMEVENT4 = 0x324,
    CSR_CFG0 = 0x7C0,
    CSR_PMACFG0 = 0x7C1,
    CSR_PMACFG1 = 0x7C2,
    CSR_CFG1 = 0x7C3,
    CSR_HWA_MASK = 0x7C4,
    CSR_HWA_CFG = 0x7C5,
    CSR_VGSRC = 0x7C6,
    CSR_MCYCLE = 0xB00,
    CSR_MINSTRET = 0xB02,
    CSR_MHPMCOUNTER3 = 0xB03,
    CSR_MHPMCOUNTER4 = 0xB04,
    CSR_MCYCLEH = 0xB80,
    CSR_MINSTRETH = 0xB82,
    CSR_MHPMCOUNTER3H = 0xB83,
    CSR_MHPMCOUNTER4H = 0xB84,
    CSR_TT_CFG_QSTATUS = 0xBC0,
    CSR_TT_CFG_SSTATUS7 = 0xBC9,
    CSR_INTP_RESTORE_PC = 0xBCA,
    CSR_CYCLE = 0xC00,
    CSR_INSTRET = 0xC02,
    CSR_VL = 0xC20,
    CSR_VTYPE = 0xC21,
    CSR_VLENB = 0xC22,
    CSR_CYCLEH = 0xC80,
    CSR_INSTRETH = 0xC82,
    CSR_MHARTID = 0xF14,
};

/* mcycle counts the tile's cycles; it is one clock with the wall clock up to an offset. */
static uint64_t cycles(const rv_core *core, uint64_t now)
{
    return now - core->mcycle_offset;
}
static uint64_t instructions(const rv_core *core)
{
    return core->instret - core->instret_offset;
}

bool rv_csr_read(const rv_core *core, uint32_t number, uint64_t now, uint32_t *value)
{
    switch (number) {
    case CSR_FCSR: *value = core->fp.fcsr; return true;
    case CSR_VSTART: *value = 0; return true;
    case CSR_VXSAT: *value = core->vec.vxsat; return true;
    case CSR_VXRM: *value = core->vec.vxrm; return true;
    case CSR_MSTATUS: *value = 0x80006600; return true;
    case CSR_MISA: *value = 0x40201123; return true;
    case CSR_MCOUNTINHIBIT: *value = core->mcountinhibit; return true;
    case CSR_MHPMEVENT3:
    case CSR_MHPMEVENT4: *value = core->mhpmevent[number - CSR_MHPMEVENT3]; return true;
    case CSR_CFG0: *value = core->cfg0; return true;
    case CSR_PMACFG0:
    case CSR_PMACFG1: *value = core->pmacfg[number - CSR_PMACFG0]; return true;
    case CSR_CFG1: *value = core->cfg1; return true;
    case CSR_HWA_MASK: *value = core->hwa_mask; return true;
    case CSR_HWA_CFG: *value = core->hwa_cfg; return true;
    case CSR_VGSRC: *value = core->vgsrc; return true;
    case CSR_MCYCLE:
    case CSR_CYCLE: *value = (uint32_t)cycles(core, now); return true;
    case CSR_MCYCLEH:
    case CSR_CYCLEH: *value = (uint32_t)(cycles(core, now) >> 32); return true;
    case CSR_MINSTRET:
    case CSR_INSTRET: *value = (uint32_t)instructions(core); return true;
    case CSR_MINSTRETH:
    case CSR_INSTRETH: *value = (uint32_t)(instructions(core) >> 32); return true;
    case CSR_MHPMCOUNTER3:
    case CSR_MHPMCOUNTER4:
        /* OPEN: the event encodings are not published, so nothing is counted; written values are kept. */
        *value = (uint32_t)core->mhpmcounter[number - CSR_MHPMCOUNTER3];
        return true;
    case CSR_MHPMCOUNTER3H:
    case CSR_MHPMCOUNTER4H: *value = (uint32_t)(core->mhpmcounter[number - CSR_MHPMCOUNTER3H] >> 32); return true;
    case CSR_INTP_RESTORE_PC: *value = core->intp_restore_pc; return true;
    case CSR_VL: *value = core->vec.vl; return true;
    case CSR_VTYPE: *value = core->vec.vtype; return true;
    case CSR_VLENB: *value = core->vec.vlenb; return true;
    case CSR_MHARTID: *value = 0; return true;
    default:
        if (number >= CSR_TT_CFG_QSTATUS && number <= CSR_TT_CFG_SSTATUS7) {
            /* OPEN: on T cores the sstatus CSRs are STREAM_CURR_PHASE (0 to 3) and STREAM_NUM_MSGS_RECEIVED (4 to 7) of
             * "some NoC Overlay stream" (manual CSRs); which one is not said.  By its name ThreadConfig's
             * STREAM_ID_TRISC_SEC[i].BankSel picks it, and only the coprocessor writes that.  Would settle it: two
             * streams with different phases, SETC16 to that field, and the CSR, on a card.  The first two follow the
             * coprocessor's queues.  Until then all keep what is written. */
            *value = core->tt_status[number - CSR_TT_CFG_QSTATUS];
            return true;
        }
        return false;
    }
}

static uint64_t with_low(uint64_t old, uint32_t low)
{
    return (old & ~UINT64_C(0xFFFFFFFF)) | low;
}
static uint64_t with_high(uint64_t old, uint32_t high)
{
    return (old & UINT64_C(0xFFFFFFFF)) | (uint64_t)high << 32;
}

bool rv_csr_write(rv_core *core, uint32_t number, uint64_t now, uint32_t value)
{
    switch (number) {
    case CSR_FCSR: core->fp.fcsr = value & 0xFF; return true;
    case CSR_VSTART:
    case CSR_MSTATUS:
    case CSR_MISA:
    case CSR_MHARTID: return true; /* read-only; no trap is described */
    case CSR_VXSAT: core->vec.vxsat = value & 1; return true;
    case CSR_VXRM: core->vec.vxrm = value & 3; return true;
    case CSR_MCOUNTINHIBIT: core->mcountinhibit = value; return true;
    case CSR_MHPMEVENT3:
    case CSR_MHPMEVENT4: core->mhpmevent[number - CSR_MHPMEVENT3] = value; return true;
    /* OPEN: four bits with a meaning in the manual are kept without effect.  DisIcPrefetch (2): there is no prefetcher.
     * DisPmcWrapArnd (7): no counter counts.  DisRegForwarding (20): results are always forwarded.  DisTTStatusReg (29):
     * only software changes the tt_cfg status CSRs yet.  Would settle it: for 2 and 20 straight-line code and chains of
     * addi, mul and lw timed on a card with the bit set and clear; for 7 the event encodings; 29 comes with what drives
     * those CSRs (2 and 3 of 9). */
    case CSR_CFG0: rv_set_cfg0(core, value); return true;
    case CSR_PMACFG0:
    case CSR_PMACFG1: core->pmacfg[number - CSR_PMACFG0] = value; return true;
    case CSR_CFG1: core->cfg1 = value; return true;
    case CSR_HWA_MASK: core->hwa_mask = value; return true;
    case CSR_HWA_CFG: core->hwa_cfg = value; return true;
    case CSR_VGSRC: core->vgsrc = value; return true;
    case CSR_MCYCLE:
    case CSR_CYCLE: core->mcycle_offset = now - with_low(cycles(core, now), value); return true;
    case CSR_MCYCLEH:
    case CSR_CYCLEH: core->mcycle_offset = now - with_high(cycles(core, now), value); return true;
    case CSR_MINSTRET:
    case CSR_INSTRET: core->instret_offset = core->instret - with_low(instructions(core), value); return true;
    case CSR_MINSTRETH:
    case CSR_INSTRETH: core->instret_offset = core->instret - with_high(instructions(core), value); return true;
    case CSR_MHPMCOUNTER3:
    case CSR_MHPMCOUNTER4: {
        uint64_t *counter = &core->mhpmcounter[number - CSR_MHPMCOUNTER3];
        *counter = with_low(*counter, value);
        return true;
    }
    case CSR_MHPMCOUNTER3H:
    case CSR_MHPMCOUNTER4H: {
        uint64_t *counter = &core->mhpmcounter[number - CSR_MHPMCOUNTER3H];
        *counter = with_high(*counter, value);
        return true;
    }
    case CSR_INTP_RESTORE_PC:
        core->intp_restore_pc = value; /* a copy: mret does not look at it */
        return true;
    case CSR_VL: core->vec.vl = value; return true;
    case CSR_VTYPE: core->vec.vtype = value; return true;
    case CSR_VLENB: core->vec.vlenb = value; return true;
    default:
        if (number >= CSR_TT_CFG_QSTATUS && number <= CSR_TT_CFG_SSTATUS7) {
            core->tt_status[number - CSR_TT_CFG_QSTATUS] = value;
            return true;
        }
        return false;
    }
}

void rv_csr_read_effect(rv_core *core, uint32_t number)
{
    if (!(core->cfg0 & CFG0_PMC_CLR_ON_RD)) {
        return;
    }
    if (number == CSR_MHPMCOUNTER3 || number == CSR_MHPMCOUNTER4) {
        uint64_t *counter = &core->mhpmcounter[number - CSR_MHPMCOUNTER3];
        *counter = with_low(*counter, 0);
    } else if (number == CSR_MHPMCOUNTER3H || number == CSR_MHPMCOUNTER4H) {
        uint64_t *counter = &core->mhpmcounter[number - CSR_MHPMCOUNTER3H];
        *counter = with_high(*counter, 0);
    }
}
