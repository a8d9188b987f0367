/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar Unit (ThCon): loads, stores and atomics.
 *
 * Manual WormholeB0 TensixCoprocessor/LOADIND, STOREIND_L1, STOREIND_MMIO, LOADREG, STOREREG, ATINCGET, ATINCGETPTR, ATSWAP,
 * ATCAS.  An instruction makes a request, which leaves when the unit is done with the instruction and the port to memory is
 * free; it reaches memory or the register COST_SCALAR_MEMORY later, and only then is memory read or written.  Requests stay
 * in order.  The results of loads are in the GPRs later still: a program that does not wait for them (STALLWAIT C0,
 * FLUSHDMA) reads the old value, as on the chip.  ATCAS and ATINCGETPTR keep the unit and the thread until they succeed.
 *
 * Left out: contention with other clients of L1.
 * OPEN: which registers of 0xFFB11000 and up the unit reaches, and as whom; here those of RISCV B.  Would settle it: a card.
 * OPEN: a load from a register that makes its reader wait (TDMA-RISC's FIFO of packed tile sizes) is tried again in every
 * cycle; a FLUSHDMA that has begun before does not wait longer for it. */
#include "tensix/events.h"
#include "tensix/scalar.h"

#include "base/bits.h"
#include "base/shake.h"
#include "tensix/frontend/frontend.h"
#include "tensix/trace.h"

enum { LOAD, STORE, LOAD_REGISTER, STORE_REGISTER, INCREMENT, SWAP, COMPARE, POINTER };
/* Below are the local data RAMs of the cores, which each sees for itself. */
#define REGISTERS_BASE 0xFFB00000u
#define REGISTERS_FIRST 0xFFB11000u

/* ---- Instructions ------------------------------------------------------------------------------------------- */

/* There is always room but behind a register that makes its reader wait. */
static bool cannot_start(tensix_step *s)
{
    if (scalar_in_reset(s))
        return true;
    s->again = s->cycle + 1;
    s->reason = TENSIX_STALL_MEMORY;
    return s->tx->scalar.count == SCALAR_REQUESTS;
}

/* Makes the request.  `issue` is that of the instruction up to where its request could leave; the port is taken for `hold`
 * cycles from then on. */
static struct tensix_request *request(tensix_step *s, unsigned kind, uint32_t address, unsigned issue, unsigned hold)
{
    struct tensix_scalar *u = &s->tx->scalar;
    const uint64_t leaves = max64(s->cycle + issue, u->port_free);
    s->issue = s->latency = (uint32_t)(leaves - s->cycle);
    u->port_free = leaves + hold;
    uint64_t there = leaves + COST_SCALAR_MEMORY;
    if (UNLIKELY(s->tx->shake.on)) {
        there += s->tile->shake(s->tile->owner, SHAKE_SCALAR, 0, s->tx->shake.scalar++);
        if (u->count != 0)
            there = max64(there, u->request[(u->head + u->count - 1u) % SCALAR_REQUESTS].cycle);
    }
    struct tensix_request *r = &u->request[(u->head + u->count++) % SCALAR_REQUESTS];
    *r = (struct tensix_request){
        .cycle = there, .word = s->word, .pc = s->pc, .address = address, .kind = (uint8_t)kind, .thread = s->thread};
    tensix_event_at(s->tx, r->cycle - 1);
    return r;
}

/* STALLWAIT condition C0. */
static void outstanding(struct tensix_thread *t, uint64_t until)
{
    t->loads_until = max64(t->loads_until, until);
}

/* Address and size of LOADIND and STOREIND. */
static const uint8_t bytes_of[4] = {16, 4, 2, 1};
static const uint8_t increment_of[4] = {0, 2, 4, 16};

static void increment(tensix_step *s, unsigned half, unsigned which)
{
    if (which != 0)
        scalar_set_half(s, half, (uint16_t)(scalar_half(s, half) + increment_of[which]));
}

static bool outside_l1(tensix_step *s, uint32_t address)
{
    if (address < TENSIX_L1_BYTES)
        return false;
    tensix_fault(s, KERR_FAULT_UNDEFINED, tensix_ops[s->op].page, "%s at 0x%08x: L1 ends at 0x%08x",
                 tensix_ops[s->op].name, address, (unsigned)TENSIX_L1_BYTES);
    return true;
}

step_result scalar_LOADIND(tensix_step *s, const struct op_LOADIND *op)
{
    if (cannot_start(s))
        return STEP_STALLED;
    const uint32_t address = scalar_gpr(s, op->AddrReg) * 16 + scalar_half(s, op->OffsetHalfReg);
    if (outside_l1(s, address))
        return STEP_FAULTED;
    const unsigned bytes = bytes_of[op->Size];
    struct tensix_request *r = request(s, LOAD, address & ~(bytes - 1), s->issue, 1);
    r->bytes = (uint8_t)bytes;
    r->gpr = (uint8_t)(op->ResultReg & (bytes == 16 ? 0x3C : 0x3F));
    r->answer = r->cycle + COST_SCALAR_LOAD - COST_SCALAR_MEMORY;
    outstanding(s->t, r->answer);
    increment(s, op->OffsetHalfReg, op->OffsetIncrement);
    return STEP_RETIRED;
}

static step_result store_l1(tensix_step *s, const struct op_STOREIND *op)
{
    const uint32_t address = scalar_gpr(s, op->AddrReg) * 16 + scalar_half(s, op->OffsetHalfReg);
    if (outside_l1(s, address))
        return STEP_FAULTED;
    const unsigned bytes = bytes_of[op->Size];
    struct tensix_request *r =
        request(s, STORE, address & ~(bytes - 1), s->issue, bytes == 16 ? 1 : COST_SCALAR_NARROW);
    r->bytes = (uint8_t)bytes;
    for (unsigned i = 0; i < (bytes == 16 ? 4 : 1); i++)
        r->data[i] = scalar_gpr(s, (op->DataReg & (bytes == 16 ? 0x3C : 0x3F)) + i);
    outstanding(s->t, r->cycle);
    increment(s, op->OffsetHalfReg, op->OffsetIncrement);
    return STEP_RETIRED;
}

static step_result store_register(tensix_step *s, uint32_t address, uint32_t value)
{
    if (address < REGISTERS_FIRST) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, tensix_ops[s->op].page, "%s to 0x%08x: only 0x%08x and up are reached",
                     tensix_ops[s->op].name, address, REGISTERS_FIRST);
        return STEP_FAULTED;
    }
    struct tensix_request *r = request(s, STORE_REGISTER, address, s->issue, 1);
    r->data[0] = value;
    outstanding(s->t, r->cycle);
    return STEP_RETIRED;
}

step_result scalar_STOREIND(tensix_step *s, const struct op_STOREIND *op)
{
    if (cannot_start(s))
        return STEP_STALLED;
    if (op->MemHierSel)
        return store_l1(s, op);
    if (!op->SizeSel) {
        const step_result stored = scalar_store_src(s, op);
        if (stored == STEP_RETIRED)
            increment(s, op->OffsetHalfReg, op->OffsetIncrement);
        return stored;
    }
    if (op->StoreToSrcB) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 STOREIND_MMIO", "STOREIND to a register with bit 21 set");
        return STEP_FAULTED;
    }
    const uint32_t address = scalar_gpr(s, op->AddrReg) + (scalar_half(s, op->OffsetHalfReg) >> 4);
    const step_result result = store_register(s, REGISTERS_BASE + (address & 0x000FFFFC), scalar_gpr(s, op->DataReg));
    if (result == STEP_RETIRED)
        increment(s, op->OffsetHalfReg, op->OffsetIncrement);
    return result;
}

step_result scalar_STOREREG(tensix_step *s, const struct op_STOREREG *op)
{
    if (cannot_start(s))
        return STEP_STALLED;
    return store_register(s, REGISTERS_BASE + (op->AddrLo << 2), scalar_gpr(s, op->DataReg));
}

step_result scalar_LOADREG(tensix_step *s, const struct op_LOADREG *op)
{
    if (cannot_start(s))
        return STEP_STALLED;
    const uint32_t address = REGISTERS_BASE + (op->AddrLo << 2);
    if (address < REGISTERS_FIRST) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, tensix_ops[s->op].page,
                     "LOADREG from 0x%08x: only 0x%08x and up are reached", address, REGISTERS_FIRST);
        return STEP_FAULTED;
    }
    struct tensix_request *r = request(s, LOAD_REGISTER, address, s->issue, 1);
    r->bytes = 4;
    r->gpr = (uint8_t)op->ResultReg;
    r->answer = r->cycle + COST_SCALAR_LOAD - COST_SCALAR_MEMORY;
    outstanding(s->t, r->answer);
    return STEP_RETIRED;
}

/* MemHierSel of the four atomics: the manual has L1 with 0, assembly.yaml with 1; both give L1 here. */

step_result scalar_ATINCGET(tensix_step *s, const struct op_ATINCGET *op)
{
    if (cannot_start(s))
        return STEP_STALLED;
    const uint32_t address = scalar_gpr(s, op->AddrReg) * 16 + op->Ofs * 4;
    if (outside_l1(s, address))
        return STEP_FAULTED;
    struct tensix_request *r = request(s, INCREMENT, address, s->issue, COST_SCALAR_ATOMIC);
    r->bytes = 4;
    r->gpr = (uint8_t)op->InOutReg;
    r->data[0] = scalar_gpr(s, op->InOutReg);
    r->data[1] = (2u << op->IntWidth) - 1;
    r->answer = r->cycle + COST_SCALAR_ATOMIC - COST_SCALAR_MEMORY;
    outstanding(s->t, r->answer);
    return STEP_RETIRED;
}

step_result scalar_ATSWAP(tensix_step *s, const struct op_ATSWAP *op)
{
    if (cannot_start(s))
        return STEP_STALLED;
    const uint32_t address = scalar_gpr(s, op->AddrReg) * 16;
    if (outside_l1(s, address))
        return STEP_FAULTED;
    struct tensix_request *r = request(s, SWAP, address, s->issue, COST_SCALAR_ATOMIC);
    r->bytes = (uint8_t)op->Mask;
    if (op->SingleDataReg)
        r->data[op->DataReg & 3] = scalar_gpr(s, op->DataReg);
    else
        for (unsigned i = 0; i < 4; i++)
            r->data[i] = scalar_gpr(s, (op->DataReg & 0x3C) + i);
    r->answer = r->cycle + COST_SCALAR_ATOMIC - COST_SCALAR_MEMORY;
    outstanding(s->t, r->answer);
    return STEP_RETIRED;
}

/* The unit is kept until an attempt succeeds (release in scalar_event). */
static step_result attempt(tensix_step *s, unsigned kind, uint32_t address, unsigned gpr)
{
    if (outside_l1(s, address))
        return STEP_FAULTED;
    struct tensix_request *r = request(s, kind, address, s->issue - COST_SCALAR_ATOMIC, COST_SCALAR_ATOMIC);
    r->gpr = (uint8_t)gpr;
    s->issue = TENSIX_HELD;
    s->t->loads_until = NEVER;
    return STEP_RETIRED;
}

step_result scalar_ATCAS(tensix_step *s, const struct op_ATCAS *op)
{
    if (cannot_start(s))
        return STEP_STALLED;
    return attempt(s, COMPARE, scalar_gpr(s, op->AddrReg) * 16 + op->Ofs * 4, 0);
}

step_result scalar_ATINCGETPTR(tensix_step *s, const struct op_ATINCGETPTR *op)
{
    if (cannot_start(s))
        return STEP_STALLED;
    return attempt(s, POINTER, scalar_gpr(s, op->AddrReg) * 16, op->ResultReg);
}

/* ---- Requests at memory ------------------------------------------------------------------------------------- */

static void answer(tensix_tile *tile, struct tensix *tx, const struct tensix_request *r, uint64_t cycle,
                   const uint32_t *value)
{
    static const uint32_t mask[5] = {0, 0xFF, 0xFFFF, 0, UINT32_MAX};
    const uint64_t when = max64(r->answer, cycle + COST_SCALAR_LOAD - COST_SCALAR_MEMORY);
    outstanding(&tx->thread[r->thread], when);
    hook_seen_from(tile, when);
    hook_gpr(tile, r->thread, r->gpr, r->bytes == 16 ? 4 : 1, CHECK_WRITE);
    for (unsigned i = 0; i < (r->bytes == 16 ? 4 : 1); i++)
        tensix_later_gpr(tile, tx, when, r->thread, r->gpr + i, r->bytes == 16 ? UINT32_MAX : mask[r->bytes], value[i]);
}

static void l1_set(tensix_tile *tile, uint32_t address, uint32_t value, uint64_t cycle)
{
    tile->l1_write(tile->owner, address, &value, 4, cycle);
}

/* A request that nothing answers to: it is the last of its thread. */
static void fail(tensix_tile *tile, struct tensix *tx, const struct tensix_request *r, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[r->thread];
    const unsigned op = tensix_op_of[r->word >> 24];
    tensix_step s = {.tile = tile, .tx = tx, .t = t, .cycle = cycle, .word = r->word, .pc = r->pc, .thread = r->thread};
    tensix_fault(&s, KERR_FAULT_UNDEFINED, "BabyRISCV/README \"Memory map\"", "%s at 0x%08x: nothing there",
                 tensix_ops[op].name, r->address);
    t->stopped = true;
    t->due = 0;
}

/* False: not yet, and `cycle` of the request says when to look again. */
static bool at_register(tensix_tile *tile, struct tensix *tx, struct tensix_request *r, uint64_t cycle)
{
    const bool store = r->kind == STORE_REGISTER;
    uint32_t value = 0;
    const uint64_t turn = tile->unit_turn(tile->owner, r->address, store, cycle);
    if (turn != cycle) {
        r->cycle = turn;
        outstanding(&tx->thread[r->thread], r->cycle + COST_SCALAR_LOAD - COST_SCALAR_MEMORY);
        return false;
    }
    dev_result result = DEV_OK;
    if (store ? !tile->set_local_word(tile->owner, r->address, r->data[0], cycle)
              : !tile->local_word(tile->owner, r->address, &value))
        result = store ? tile->write(tile->owner, r->address, r->data[0], cycle)
                       : tile->read(tile->owner, r->address, cycle, &value);
    switch (result) {
    case DEV_WAIT:
        r->cycle = cycle + 1;
        outstanding(&tx->thread[r->thread], r->cycle + COST_SCALAR_LOAD - COST_SCALAR_MEMORY);
        return false;
    case DEV_NOTHING: fail(tile, tx, r, cycle); break;
    default:
        if (!store)
            answer(tile, tx, r, cycle, &value);
        break;
    }
    return true;
}

/* ATCAS */
static bool compare_and_set(tensix_tile *tile, const struct tensix_request *r, uint64_t cycle)
{
    const struct op_ATCAS op = decode_ATCAS(r->word);
    hook_l1(tile, r->address, 4, CHECK_ATOMIC);
    if (load32(tile->l1 + r->address) != op.CmpVal)
        return false;
    l1_set(tile, r->address, op.SetVal, cycle);
    return true;
}

/* ATINCGETPTR: a read and a write counter of a FIFO, in this order. */
static bool take_pointer(tensix_tile *tile, struct tensix *tx, const struct tensix_request *r, uint64_t cycle,
                         uint64_t done)
{
    const struct op_ATINCGETPTR op = decode_ATINCGETPTR(r->word);
    const uint8_t *fifo = tile->l1 + r->address;
    hook_l1(tile, r->address, 8, CHECK_ATOMIC);
    const uint32_t size = load32(fifo + 4) - load32(fifo);
    const uint32_t capacity = op.IntWidth ? 1u << (op.IntWidth - 1) : 0x8000;
    const bool empty = size == 0, full = !empty && size % capacity == 0;
    if (op.Ofs & 1 ? full : empty)
        return false;
    const uint32_t mask = (1u << op.IntWidth) - 1, before = load32(fifo + 4 * op.Ofs);
    const uint32_t after = before + (op.NoIncr ? 0 : 1u << op.IncrLog2);
    l1_set(tile, r->address + 4 * op.Ofs, (after & mask) | (before & ~mask), cycle);
    tensix_later_gpr(tile, tx, done - COST_SCALAR_SHADOW, r->thread, r->gpr, UINT32_MAX, before);
    return true;
}

/* False: not yet. */
static bool perform(tensix_tile *tile, struct tensix *tx, struct tensix_request *r, uint64_t cycle)
{
    const uint8_t *at = tile->l1 + r->address;
    uint32_t value[4];
    hook_unit_goes_on(tile, UNIT_SCALAR, r->thread, r->pc, r->word, cycle);
    switch (r->kind) {
    case LOAD:
        hook_l1(tile, r->address, r->bytes, CHECK_READ);
        memcpy(value, at, r->bytes);
        answer(tile, tx, r, cycle, value);
        return true;
    case STORE: tile->l1_write(tile->owner, r->address, r->data, r->bytes, cycle); return true;
    case INCREMENT:
        hook_l1(tile, r->address, 4, CHECK_ATOMIC);
        value[0] = load32(at);
        l1_set(tile, r->address, ((value[0] + r->data[0]) & r->data[1]) | (value[0] & ~r->data[1]), cycle);
        answer(tile, tx, r, cycle, value);
        return true;
    case SWAP: /* what is in `bytes` is the mask of 16-bit parts */
        for (unsigned i = 0; i < 8; i++)
            if (r->bytes >> i & 1)
                tile->l1_write(tile->owner, r->address + 2 * i, (const uint8_t *)r->data + 2 * i, 2, cycle);
        return true;
    case COMPARE:
    case POINTER: {
        const uint64_t done = cycle - COST_SCALAR_MEMORY + COST_SCALAR_ATOMIC;
        if (r->kind == COMPARE ? !compare_and_set(tile, r, cycle) : !take_pointer(tile, tx, r, cycle, done)) {
            r->cycle = cycle + COST_SCALAR_RETRY;
            return false;
        }
        tx->scalar.port_free = done;
        tensix_release(tx, r->thread, done);
        tensix_trace_release(tile, tx, r->thread, done);
        return true;
    }
    default: return at_register(tile, tx, r, cycle);
    }
}

uint64_t scalar_next(const struct tensix *tx)
{
    const struct tensix_scalar *u = &tx->scalar;
    return u->count != 0 ? u->request[u->head].cycle - 1 : NEVER;
}

static void drop_first(struct tensix_scalar *u)
{
    u->request[u->head] = (struct tensix_request){0};
    u->head = (uint8_t)((u->head + 1) % SCALAR_REQUESTS);
    u->count--;
}

void scalar_event(tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    struct tensix_scalar *u = &tx->scalar;
    while (u->count != 0 && u->request[u->head].cycle <= cycle + 1) {
        if (!perform(tile, tx, &u->request[u->head], cycle + 1))
            break;
        drop_first(u);
    }
    tx->yield = true;
}

/* Manual SoftReset "Scalar Unit (ThCon) soft reset": likely to be aborted.  Requests that have left arrive. */
void scalar_soft_reset(struct tensix *tx, uint64_t cycle)
{
    struct tensix_scalar *u = &tx->scalar;
    if (u->count == 0)
        return;
    const unsigned last = (u->head + u->count - 1u) % SCALAR_REQUESTS;
    const struct tensix_request r = u->request[last];
    if (r.kind != COMPARE && r.kind != POINTER)
        return;
    u->request[last] = (struct tensix_request){0};
    u->count--;
    u->port_free = cycle + 1;
    tensix_release(tx, r.thread, cycle + 1);
}

bool scalar_is_sane(const struct tensix *tx)
{
    const struct tensix_scalar *u = &tx->scalar;
    bool sane = u->head < SCALAR_REQUESTS && u->count <= SCALAR_REQUESTS;
    for (unsigned i = 0; sane && i < u->count; i++) {
        const struct tensix_request *r = &u->request[(u->head + i) % SCALAR_REQUESTS];
        const bool in_l1 = r->kind != LOAD_REGISTER && r->kind != STORE_REGISTER;
        const bool sized = r->bytes == 1 || r->bytes == 2 || r->bytes == 4 || r->bytes == 16;
        sane = r->kind <= POINTER && r->thread < TENSIX_THREADS && r->gpr < TENSIX_GPRS &&
               (!in_l1 || r->address < TENSIX_L1_BYTES) &&
               (r->kind >= SWAP || r->kind == STORE_REGISTER || (sized && r->address % r->bytes == 0)) &&
               (r->kind != LOAD || r->bytes != 16 || r->gpr % 4 == 0) && (r->kind != COMPARE || r->address % 4 == 0) &&
               ((r->kind != SWAP && r->kind != POINTER) || r->address % 16 == 0);
    }
    return sane;
}
