/* SPDX-License-Identifier: Apache-2.0 */
/* Auto TTSync: which of eight resources the pushes in flight use (manual BabyRISCV/AutoTTSync; for RESOURCEDECL the
 * instruction list of the vendor's kernel library, assembly.yaml).
 *
 * A push notes its opcode and the bank of Config that the thread's instructions use, in order of pushes; what its class
 * uses is looked up when a load or store of RISCV Ti asks.  Only the push counts: what a MOP or REPLAY becomes is under its
 * declaration until the last of it has passed the gate.  Whether a load or store tracks at all, and which resources its
 * address stands for, is tile/ttsync.c's.
 *
 * The other direction, an instruction that waits at the gate for an earlier load or store, comes by itself: stores leave a
 * core in order, a push behind one that waits waits with it; and a load that waits is offered again in the cycle after the
 * last instruction that it waits for has passed, before the next may pass.  Hence linger_time, which holds such an
 * instruction a little longer, is kept and never felt.  OPEN: whether it would be on a card, where the push may be in the
 * FIFO before the store is done.
 *
 * The manual's hardware bug is here as well: a push that is still in the core's store queue is not in flight.  Left out:
 * instructions behind SETC16 of CFG_STATE_ID in one fused group have the new bank, not the old; the manual tells software
 * not to let it matter.  OPEN: whether a declaration changes what earlier pushes of its class use; here it does not. */
#include "tensix/frontend/frontend.h"
#include "tensix/tensix.h"

#include "base/bits.h"
#include "tensix_isa.h"

/* Of RESOURCEDECL, bit by bit. */
enum {
    READS_CFG = 1 << 0,
    WRITES_CFG = 1 << 1,
    PART_UNPACKER0 = 1 << 2,
    PART_UNPACKER1 = 1 << 3,
    PART_REMAINDER = 1 << 4,
    READS_GPR = 1 << 5,
    WRITES_GPR = 1 << 6,
    READS_TDMA = 1 << 7,
    WRITES_TDMA = 1 << 8,
    USES = (1 << 9) - 1,
    PARTS = PART_UNPACKER0 | PART_UNPACKER1 | PART_REMAINDER,
    RW_CFG = READS_CFG | WRITES_CFG,
    RW_GPR = READS_GPR | WRITES_GPR,
    RW_TDMA = READS_TDMA | WRITES_TDMA,
    LINGER = 1 << 9, /* 0b0001, the default */
};

static const uint16_t default_uses[AUTO_CLASSES] = {
    [0] = LINGER | RW_GPR,
    [1] = LINGER | RW_GPR,
    [2] = LINGER | RW_GPR | RW_TDMA,
    [3] = LINGER | RW_GPR,
    [4] = LINGER | RW_CFG | PARTS,
    [5] = LINGER | READS_GPR,
    [6] = LINGER | WRITES_GPR,
    [7] = LINGER | WRITES_TDMA,
    [8] = LINGER | READS_GPR | WRITES_CFG | PARTS,
    [9] = LINGER | READS_CFG | PARTS | WRITES_GPR,
    [10] = LINGER | RW_GPR | RW_CFG | PARTS,
    [11] = LINGER | RW_TDMA | READS_CFG | PARTS,
    [12] = LINGER | RW_TDMA | READS_CFG | PART_REMAINDER,
    [13] = LINGER | RW_GPR | RW_TDMA | RW_CFG | PARTS,
    [14] = LINGER | RW_GPR | RW_TDMA | RW_CFG | PARTS,
    [15] = LINGER | READS_CFG | PART_REMAINDER,
};

enum { CLASS_UNPACR = 11, CLASS_OTHER = 15, CLASS_NONE };

static unsigned class_of(unsigned opcode)
{
    switch ((unsigned)tensix_op_of[opcode]) {
    case TENSIX_NOP:
    case TENSIX_MOP_CFG:
    case TENSIX_RESOURCEDECL: return CLASS_NONE;
    case TENSIX_ADDDMAREG:
    case TENSIX_SUBDMAREG:
    case TENSIX_MULDMAREG:
    case TENSIX_BITWOPDMAREG:
    case TENSIX_SHIFTDMAREG:
    case TENSIX_CMPDMAREG:
    case TENSIX_SETDMAREG: return 0;
    case TENSIX_ATINCGET:
    case TENSIX_ATINCGETPTR:
    case TENSIX_ATSWAP:
    case TENSIX_ATCAS: return 1;
    case TENSIX_REG2FLOP: return 2;
    case TENSIX_LOADIND:
    case TENSIX_STOREIND: return 3;
    case TENSIX_STREAMWRCFG:
    case TENSIX_CFGSHIFTMASK: return 4;
    case TENSIX_STOREREG: return 5;
    case TENSIX_LOADREG: return 6;
    case TENSIX_FLUSHDMA: return 7;
    case TENSIX_WRCFG: return 8;
    case TENSIX_RDCFG: return 9;
    case TENSIX_XMOV: return 10;
    case TENSIX_UNPACR:
    case TENSIX_UNPACR_NOP: return CLASS_UNPACR;
    case TENSIX_PACR: return 12;
    case TENSIX_MOP: return 13;
    case TENSIX_REPLAY: return 14;
    default: return CLASS_OTHER;
    }
}

/* An entry of `tracked` that has kept what its class used when it was declared anew: RESOURCEDECL's bits, the bank where
 * it was, and for UNPACR which unpacker. */
enum { KEPT = 1 << 15, KEPT_UNPACR = 10, KEPT_UNPACKER = 11, UNTRACKED = OPCODE_NOP << 1 };

static unsigned tail(const struct tensix_thread *t)
{
    return (unsigned)t->fifo_head + t->fifo_count;
}

/* The oldest in flight is number 0. */
static uint16_t *in_flight(struct tensix_thread *t, unsigned number)
{
    return &t->tracked[(tail(t) - t->in_flight + number) % TENSIX_FIFO_CAPACITY];
}

void auto_forget(struct tensix_thread *t, unsigned older)
{
    if (older >= t->in_flight)
        return;
    for (; older != 0; older--)
        *in_flight(t, older) = *in_flight(t, older - 1);
}

/* What a push uses, as RESOURCEDECL has it. */
static unsigned uses_of(const struct tensix_thread *t, unsigned tracked, bool subdivided)
{
    unsigned uses, unpacker = tracked & 1;
    bool unpacr;
    if (tracked & KEPT) {
        uses = tracked & USES;
        unpacr = tracked >> KEPT_UNPACR & 1;
        unpacker = tracked >> KEPT_UNPACKER & 1;
    } else {
        const unsigned class = class_of(tracked >> 1 & 0xFF);
        uses = class == CLASS_NONE ? 0 : (unsigned)(t->declared[class] ^ default_uses[class]) & USES;
        unpacr = class == CLASS_UNPACR;
    }
    if (unpacr && subdivided)
        uses = (uses & ~(unsigned)PARTS) | (unpacker ? PART_UNPACKER1 : PART_UNPACKER0);
    return uses;
}

void auto_declare(struct tensix_thread *t, uint32_t word)
{
    const struct op_RESOURCEDECL op = decode_RESOURCEDECL(word);
    for (unsigned i = 0; i < t->in_flight; i++) {
        uint16_t *tracked = in_flight(t, i);
        if ((*tracked & KEPT) || class_of(*tracked >> 1 & 0xFF) != op.op_class)
            continue;
        const unsigned unpacr = op.op_class == CLASS_UNPACR;
        *tracked = (uint16_t)(KEPT | uses_of(t, *tracked, false) | (*tracked & 1u << AUTO_STATE) |
                              unpacr << KEPT_UNPACR | (*tracked & unpacr) << KEPT_UNPACKER);
    }
    t->declared[op.op_class] = (uint16_t)((op.resources | op.linger_time << 9) ^ default_uses[op.op_class]);
}

bool tensix_auto_waits(struct tensix *tx, unsigned thread, unsigned resources, bool is_store, bool subdivided,
                       uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    tensix_expand(tx, thread, cycle); /* what the expanders swallow is gone */
    unsigned before = t->in_flight;
    if (!is_store && t->auto_load) { /* what was pushed since comes behind it */
        const unsigned since = (tail(t) - t->auto_load_tail) % TENSIX_FIFO_CAPACITY;
        before = before > since ? before - since : 0;
    }
    unsigned taken = 0;
    for (unsigned i = 0; i < before; i++) {
        const unsigned tracked = *in_flight(t, i), uses = uses_of(t, tracked, subdivided);
        const unsigned parts = bits(uses, 4, 2) << (tracked >> AUTO_STATE & 1 ? AUTO_CONFIG1 : AUTO_CONFIG0);
        if ((uses & WRITES_CFG) || (is_store && (uses & READS_CFG)))
            taken |= parts;
        if ((uses & WRITES_GPR) || (is_store && (uses & READS_GPR)))
            taken |= 1u << AUTO_GPR;
        if ((uses & WRITES_TDMA) || (is_store && (uses & READS_TDMA)))
            taken |= 1u << AUTO_TDMA;
    }
    const bool waits = taken & resources;
    if (!is_store) {
        if (waits && !t->auto_load)
            t->auto_load_tail = (uint8_t)(tail(t) % TENSIX_FIFO_CAPACITY);
        t->auto_load = waits;
    }
    if (waits)
        tensix_wait(tx, thread, TENSIX_WAITS_AUTO, cycle);
    return waits;
}

void auto_make_real(struct tensix_thread *t)
{
    for (unsigned i = t->in_flight; i < TENSIX_FIFO_CAPACITY; i++)
        *in_flight(t, i) = 0;
}

void tensix_auto_reset(struct tensix *tx)
{
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        struct tensix_thread *t = &tx->thread[i];
        for (unsigned k = 0; k < TENSIX_FIFO_CAPACITY; k++)
            t->tracked[k] = UNTRACKED;
        for (unsigned k = 0; k < AUTO_CLASSES; k++)
            t->declared[k] = 0;
        t->auto_state = 0;
        t->auto_load = false;
    }
}
