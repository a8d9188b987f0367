/* SPDX-License-Identifier: Apache-2.0 */
/* Baby cores: loads that decide, registers and FIFOs by which they wait for each other and for the coprocessor. */
#include "check/sync.h"

#include "base/bits.h"
#include "check/hooks.h"
#include "check/launch.h"
#include "tensix/step.h"
#include "tile/tile.h"

#include "cfg_fields.h"
#include "overlay_regs.h"
#include "tensix_isa.h"
#include "tile_regs.h"

#include <stdio.h>

void sync_core_acts(struct tile_check *check, unsigned core, uint32_t pc, uint32_t instruction, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    const kerr_access who = {
        .actor = KERR_ACTOR_CORE, .tile = check->tile->at, .core = (int8_t)core, .pc = pc, .instruction = instruction};
    const uint8_t actor = (uint8_t)(SYNC_CORE + core);
    sync->who = (struct sync_who){
        .reads = actor, .writes = actor, .issuer = actor, .site = sync_site(sync, &who), .cycle = cycle};
}

/* ---- Loads that decide ------------------------------------------------------------------------------------------------- */

enum { LOOK_AHEAD = 24, STACK = 2, FRAME = 8, FIRST_ARGUMENT = 10, LAST_ARGUMENT = 17 };

static int32_t offset_of_branch(uint32_t w)
{
    const uint32_t offset = (w >> 8 & 15) << 1 | (w >> 25 & 63) << 5 | (w >> 7 & 1) << 11 | (w >> 31 ? 0xFFFFF000u : 0);
    return (int32_t)offset;
}
static int32_t offset_of_jump(uint32_t w)
{
    const uint32_t offset = (w >> 21 & 0x3FF) << 1 | (w >> 20 & 1) << 11 | (w & 0xFF000) | (w >> 31 ? 0xFFF00000u : 0);
    return (int32_t)offset;
}

/* A load at pc whose value comes to a branch, a computed jump, a caller or a callee (as an argument), or onto the stack: what it
 * reads is a message.  Compilers leave no other trace of `volatile`. */
bool sync_load_decides(const uint8_t *l1, uint32_t l1_bytes, uint32_t pc)
{
    const uint32_t arguments = (2u << LAST_ARGUMENT) - (1u << FIRST_ARGUMENT);
    uint32_t from = 0; /* registers that hold something made of it */
    for (unsigned n = 0; n < LOOK_AHEAD && pc + 4 <= l1_bytes; n++) {
        const uint32_t w = load32(l1 + pc), rd = 1u << (w >> 7 & 31), rs1 = 1u << (w >> 15 & 31),
                       rs2 = 1u << (w >> 20 & 31);
        uint32_t next = pc + 4;
        if (n == 0) {
            from = rd & ~1u;
        } else {
            switch (w & 0x7F) {
            case 0x63: /* branches */
                if (from & (rs1 | rs2))
                    return true;
                (void)offset_of_branch;
                break;
            case 0x6F: /* jal */
                if (rd != 1)
                    return (from & arguments) != 0;
                next = pc + (uint32_t)offset_of_jump(w);
                break;
            case 0x67: return (from & (rs1 | arguments)) != 0; /* jalr */
            case 0x23:                                         /* stores */
                if ((from & rs2) && (rs1 & (1u << STACK | 1u << FRAME)))
                    return true;
                break;
            case 0x33: from = from & (rs1 | rs2) ? from | rd : from & ~rd; break;
            case 0x13: from = from & rs1 ? from | rd : from & ~rd; break;
            case 0x03:
            case 0x37:
            case 0x17:
            case 0x2F: from &= ~rd; break;
            default: break;
            }
            from &= ~1u;
        }
        if (from == 0)
            return false;
        pc = next;
    }
    return false;
}

/* ---- Registers --------------------------------------------------------------------------------------------------------- */

#define TDMA_REGS 0xFFB11000u
#define TDMA_REGS_LAST 0xFFB11FFFu
enum { STREAM_BYTES = 0x1000, STREAMS = 64, COUNTERS = 0x200, COUNTER_WORDS = 62, MAILBOX_STRIDE = 0x1000 };

static bool is_between(uint32_t address, uint32_t first, uint32_t last)
{
    return address >= first && address <= last;
}

static void wrong_pages(struct tile_check *check, unsigned stream, unsigned index, const char *more)
{
    struct check_sync *sync = check->sync;
    struct order_cell now = order_cell_of(&sync->order, sync->who.writes, sync->who.site, sync->who.cycle, 0xF, true);
    const kerr_access access = sync_access_of(sync, &now, NOC_OVERLAY_START_ADDR + STREAM_BYTES * stream + 4 * index);
    check_report(check, FINDING_CB_PROTOCOL, &access, NULL, NULL, NULL,
                 "circular buffer %u: %u pages popped, %u pushed%s", stream, sync->tiles_acked[stream],
                 sync->tiles_received[stream], more);
}

/* tt-metal keeps the pages that were pushed to and popped from a circular buffer in registers of a stream of their own, whose
 * names say something else (circular_buffer_interface.h). */
static void circular_buffer(struct tile_check *check, unsigned stream, unsigned index, uint32_t value)
{
    struct check_sync *sync = check->sync;
    if (index != STREAM_REMOTE_DEST_BUF_START_REG_INDEX && index != STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX)
        return;
    const bool received = index == STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX;
    uint16_t *counter = received ? &sync->tiles_received[stream] : &sync->tiles_acked[stream];
    *counter = (uint16_t)value;
    const int ahead = (int16_t)(uint16_t)(sync->tiles_received[stream] - sync->tiles_acked[stream]);
    const uint32_t pages = launch_pages(check, stream);
    char more[40];
    if (value == 0)
        return; /* set up */
    if (!received && ahead < 0) {
        wrong_pages(check, stream, index, "");
    } else if (received && pages != 0 && ahead > (int)pages) {
        snprintf(more, sizeof more, ", of which it holds %u", pages);
        wrong_pages(check, stream, index, more);
    }
}

/* Registers that hold what was written: who reads is behind all who wrote. */
void sync_registers_touched(struct tile_check *check, unsigned actor, uint32_t address, uint32_t value, unsigned how)
{
    struct check_sync *sync = check->sync;
    struct order_clock *clock = &sync->registers[(address >> 2 ^ address >> 12) % SYNC_REGISTERS];
    if (is_between(address, NOC_OVERLAY_START_ADDR, NOC_OVERLAY_START_ADDR_LAST)) {
        const unsigned stream = (address - NOC_OVERLAY_START_ADDR) / STREAM_BYTES % STREAMS;
        clock = &sync->stream[stream];
        if (how & CHECK_WRITE)
            circular_buffer(check, stream, address % STREAM_BYTES / 4, value);
    }
    if (how & CHECK_WRITE) {
        order_release(&sync->order, actor, clock);
        sync_stores_known(sync, actor, clock);
    } else {
        order_acquire(&sync->order, actor, clock);
    }
}

/* All that a thread has given to units, and the thread itself. */
static void follow_thread(struct order *o, unsigned actor, unsigned thread)
{
    for (unsigned a = SYNC_THREAD + thread; a < SYNC_TDMA; a += 3)
        order_follow(o, actor, a);
}

void sync_auto_waits(struct tile_check *check, uint32_t resource)
{
    struct check_sync *sync = check->sync;
    const unsigned core = sync->who.issuer;
    if (core < KERR_CORE_T0 || core > KERR_CORE_T2)
        return;
    const unsigned thread = core - KERR_CORE_T0;
    const uint32_t track =
        check->tile->dev.tensix.thread[thread].config[TENSIX_TRISC_SYNC_TrackTensixInstructions_ADDR32];
    if ((track & TENSIX_TRISC_SYNC_TrackTensixInstructions_MASK) && (track & resource))
        order_follow(&sync->order, SYNC_CORE + core, SYNC_THREAD + thread);
}

static void mailbox(struct check_sync *sync, unsigned core, uint32_t address, unsigned how)
{
    const unsigned other = address / MAILBOX_STRIDE % 4;
    if (core >= 4)
        return;
    if (how & CHECK_WRITE) {
        order_release(&sync->order, SYNC_CORE + core, &sync->mailbox[core][other]);
        sync_stores_known(sync, core, &sync->mailbox[core][other]);
    } else {
        order_acquire(&sync->order, SYNC_CORE + core, &sync->mailbox[other][core]);
    }
}

static void pcbuf(struct check_sync *sync, unsigned core, uint32_t address, unsigned how)
{
    struct order *o = &sync->order;
    if (core == KERR_CORE_B) {
        const unsigned thread = address >> 16 & 3;
        if (thread >= 3)
            return;
        if (how & CHECK_WRITE) {
            order_release(o, SYNC_CORE + core, &sync->pcbuf[thread]);
        } else { /* RISCV Ti waits for more, and its thread is idle */
            order_follow(o, SYNC_CORE + core, SYNC_CORE + KERR_CORE_T0 + thread);
            order_follow(o, SYNC_CORE + core, SYNC_STORES + thread);
            follow_thread(o, SYNC_CORE + core, thread);
        }
    } else if (!(how & CHECK_WRITE)) {
        order_acquire(o, SYNC_CORE + core, &sync->pcbuf[core - KERR_CORE_T0]);
    }
}

static bool is_t(unsigned core)
{
    return core >= KERR_CORE_T0 && core <= KERR_CORE_T2;
}

void sync_core_device(struct tile_check *check, unsigned core, uint32_t pc, uint32_t instruction, uint32_t address,
                      uint32_t value, unsigned how, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    sync_core_acts(check, core, pc, instruction, cycle);
    sync->who.value = value;
    sync->who.flags = how & CHECK_WRITE ? SYNC_WHO_VALUE : 0;
    if (!(how & CHECK_WRITE))
        sync_stores_done(sync, core); /* it has the answer */
    if (is_between(address, NOC0_REGS_START_ADDR, NOC0_REGS_START_ADDR + 0x1FFFF)) {
        const uint32_t offset = address % 0x10000;
        if (!(how & CHECK_WRITE) && offset >= COUNTERS && offset < COUNTERS + 4 * COUNTER_WORDS)
            sync_counter_read(sync, core, address >> 16 & 1 ? 1 : 0, (offset - COUNTERS) / 4, cycle);
        return;
    }
    if (is_between(address, TENSIX_MAILBOX0_BASE, TENSIX_MAILBOX0_BASE_LAST)) {
        mailbox(sync, core, address, how);
    } else if (is_t(core) && address == TTSYNC_COPROCESSOR_DONE_CHECK) {
        if (!(how & CHECK_WRITE))
            follow_thread(&sync->order, SYNC_CORE + core, core - KERR_CORE_T0);
    } else if (is_t(core) && is_between(address, PC_BUF_SEMAPHORE, PC_BUF_SEMAPHORE + 31)) {
        if (!(how & CHECK_WRITE)) /* stores: sync_core_semaphore */
            order_acquire(&sync->order, SYNC_CORE + core, &sync->semaphore[(address - PC_BUF_SEMAPHORE) / 4]);
    } else if (is_between(address, PC_BUF_BASE, PC_BUF_BASE_LAST + 0x20000) && (is_t(core) || core == KERR_CORE_B)) {
        pcbuf(sync, core, address, how);
    } else if (is_between(address, TDMA_REGS, TDMA_REGS_LAST)) {
        if (how & CHECK_WRITE)
            order_follow(&sync->order, SYNC_TDMA, SYNC_CORE + core);
        else
            order_follow(&sync->order, SYNC_CORE + core, SYNC_TDMA);
    } else if (address >= 0xFFB00000u && address < REGFILE_BASE) {
        sync_registers_touched(check, SYNC_CORE + core, address, value, how);
    }
}

void sync_core_reset(struct tile_check *check, unsigned core, bool in_reset, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    (void)cycle;
    sync->core[core].ended = false;
    if (in_reset)
        return;
    for (unsigned a = 0; a < SYNC_ACTORS; a++) /* whoever lets it go does so at a time of his choice */
        if (a != SYNC_CORE + core)
            order_follow(&sync->order, SYNC_CORE + core, a);
}

/* ---- The end of a program --------------------------------------------------------------------------------------------- */

enum { JUMP_TO_ITSELF = 0x6F };

void sync_core_enters(struct tile_check *check, unsigned core, uint32_t pc, uint64_t cycle)
{
    const struct tile *tile = check->tile;
    struct sync_core *c = &check->sync->core[core];
    if (c->ended || pc + 4 > tile->l1_bytes || load32(tile->l1 + pc) != JUMP_TO_ITSELF)
        return;
    c->ended = true;
    sync_core_acts(check, core, pc, JUMP_TO_ITSELF, cycle);
    sync_core_ends(check, core, cycle);
}
