/* SPDX-License-Identifier: Apache-2.0 */
/* Sync Unit: the semaphores and mutexes that the three threads share, and the instructions that wait.
 *
 * Manual BlackholeA0 SyncUnit and the pages of its instructions.  A semaphore's Value saturates at 15 whatever Max is: Max
 * is only compared, by SEMWAIT.  Waits are handed to the wait gate (frontend/wait_gate.c).  Semaphores and waits share one
 * issue port, mutexes have none (run.c).  RISCV T cores read and write semaphores too: tile/tensix_fifo.c. */
#include "tensix/sync.h"

#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "tensix_units.h"
#include "tile_regs.h"

enum { SEMAPHORE_VALUE_MAX = 15, NO_MUTEX = 1 };

void sync_set_semaphore(tensix_tile *tile, struct tensix *tx, unsigned index, unsigned value, uint64_t cycle,
                        uint64_t seen)
{
    if (tx->semaphore[index].value == value)
        return;
    tensix_changing(tile, tx, TENSIX_WATCH_SEMAPHORES, cycle);
    tx->yield |= tile->register_changes(tile->owner, PC_BUF_SEMAPHORE + 4 * index, value, seen);
    tx->semaphore[index].value = (uint8_t)value;
}

static void every(tensix_step *s, uint32_t mask, int change)
{
    for (unsigned left = mask; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left), value = s->tx->semaphore[i].value;
        hook_semaphore(s->tile, i, change, value);
        if (change > 0 ? value < SEMAPHORE_VALUE_MAX : value > 0)
            sync_set_semaphore(s->tile, s->tx, i, (unsigned)((int)value + change), s->cycle, s->cycle + 1);
    }
}

step_result sync_SEMPOST(tensix_step *s, const struct op_SEMPOST *op)
{
    every(s, op->SemaphoreMask, 1);
    return STEP_RETIRED;
}

step_result sync_SEMGET(tensix_step *s, const struct op_SEMGET *op)
{
    every(s, op->SemaphoreMask, -1);
    return STEP_RETIRED;
}

step_result sync_SEMINIT(tensix_step *s, const struct op_SEMINIT *op)
{
    for (unsigned left = op->SemaphoreMask; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        hook_semaphore(s->tile, i, 0, op->NewValue);
        tensix_changing(s->tile, s->tx, TENSIX_WATCH_SEMAPHORES, s->cycle);
        sync_set_semaphore(s->tile, s->tx, i, op->NewValue, s->cycle, s->cycle + 1);
        s->tx->semaphore[i].max = (uint8_t)op->NewMax;
    }
    return STEP_RETIRED;
}

/* A block mask of zero means the Matrix Unit. */
static uint16_t blocks(uint32_t mask)
{
    return (uint16_t)(mask ? mask : 1u << 6);
}

step_result sync_STALLWAIT(tensix_step *s, const struct op_STALLWAIT *op)
{
    tensix_latch_wait(s, (struct tensix_latch){.opcode = s->word >> 24,
                                               .conditions = op->ConditionMask ? op->ConditionMask : 0x0F,
                                               .blocks = blocks(op->BlockMask)});
    return STEP_RETIRED;
}

/* A condition mask of zero: undefined in the newer page (25376754); the older one makes it a STALLWAIT of C0 to C3. */
step_result sync_SEMWAIT(tensix_step *s, const struct op_SEMWAIT *op)
{
    if (op->ConditionMask == 0 && tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SEMWAIT",
                                               "SEMWAIT with no condition: its ConditionMask is 0"))
        return STEP_FAULTED;
    const bool waits = op->ConditionMask != 0;
    tensix_latch_wait(s, (struct tensix_latch){.opcode = waits ? OPCODE_SEMWAIT : OPCODE_STALLWAIT,
                                               .conditions = waits ? op->ConditionMask : 0x0F,
                                               .blocks = blocks(op->BlockMask),
                                               .semaphores = waits ? (uint8_t)op->SemaphoreMask : 0});
    return STEP_RETIRED;
}

step_result sync_STREAMWAIT(tensix_step *s, const struct op_STREAMWAIT *op)
{
    const uint32_t high = op->ConditionIndex
                              ? s->t->config[STREAMWAIT_NUM_MSGS_HI_Val_ADDR32] & STREAMWAIT_NUM_MSGS_HI_Val_MASK
                              : s->t->config[STREAMWAIT_PHASE_HI_Val_ADDR32] & STREAMWAIT_PHASE_HI_Val_MASK;
    const uint32_t stream =
        s->t->config[STREAM_ID_SYNC_SEC0_BankSel_ADDR32 + op->StreamSelect] & STREAM_ID_SYNC_SEC0_BankSel_MASK;
    tensix_latch_wait(s, (struct tensix_latch){.opcode = s->word >> 24,
                                               .conditions = 1u << op->ConditionIndex,
                                               .target = high << 10 | op->TargetValueLo,
                                               .blocks = blocks(op->BlockMask),
                                               .stream = (uint8_t)stream});
    return STEP_RETIRED;
}

/* The manual: a mutex that is not there makes the instruction wait for ever. */
static bool exists(tensix_step *s, uint32_t index)
{
    if (index != NO_MUTEX && index < MUTEXES)
        return true;
    if (s->t->stall != TENSIX_STALL_MUTEX) /* once */
        tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/ATGETM",
                     "mutex %u does not exist (0, 2, 3 and 4 do): the instruction waits for ever", index);
    s->reason = TENSIX_STALL_MUTEX;
    s->again = UINT64_MAX;
    return false;
}

/* If both others wait for a mutex that thread i releases, thread (i + 1) % 3 gets it: whoever waits is offered it in that
 * order, since run.c serves threads behind the one that was served last. */
step_result sync_ATGETM(tensix_step *s, const struct op_ATGETM *op)
{
    if (!exists(s, op->Index))
        return STEP_STALLED;
    uint8_t *holder = &s->tx->mutex[op->Index];
    if (*holder != 0 && *holder != s->thread + 1) {
        s->reason = TENSIX_STALL_MUTEX;
        s->again = UINT64_MAX;
        return STEP_STALLED;
    }
    *holder = (uint8_t)(s->thread + 1);
    return STEP_RETIRED;
}

step_result sync_ATRELM(tensix_step *s, const struct op_ATRELM *op)
{
    if (!exists(s, op->Index))
        return STEP_STALLED;
    uint8_t *holder = &s->tx->mutex[op->Index];
    if (*holder == s->thread + 1) {
        *holder = 0;
        tensix_changing(s->tile, s->tx, TENSIX_WATCH_MUTEX, s->cycle);
    }
    return STEP_RETIRED;
}
