/* SPDX-License-Identifier: Apache-2.0 */
/* The mover: XMOV, and the command processor of TDMA-RISC (tile/tdma_risc.c has its registers).
 *
 * Manual WormholeB0 TensixTile/Mover (29e53cf9), TDMA-RISC, TensixCoprocessor/XMOV.  A transfer copies or clears 16 bytes at a
 * time at the manual's rate "under ideal conditions"; each 16 bytes are read when they are written.  Wormhole's window onto
 * the instruction RAM of RISCV NC is refused: Blackhole has no such RAM.
 *
 * Left out: contention at L1.
 * OPEN: who goes first when XMOV and a command wait for the mover; here the command.
 * OPEN: a comment of the vendor's says that moving to above 1 MiB hangs the chip; the manual allows all of L1, and so do we. */
#include "tensix/events.h"
#include "tensix_units.h"

#include "base/bits.h"
#include "base/shake.h"
#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "tensix/config_pipe.h"
#include "tensix/frontend/frontend.h"
#include "tensix/later.h"
#include "tile_regs.h"

enum { TO_L1, TO_CONFIG, TO_NOWHERE };
enum { COMMAND_MOVE = 0x40, COMMAND_WAIT = 0x46, COMMAND_WRITE = 0x66, COMMAND_NOP = 0x89 };
enum { WRITE_64 = 0x100, WRITE_ALWAYS = 0x600 };
enum { UNIT = 16, CONFIG_WINDOW = 0x10000, IRAM_WINDOW = 0x40000 };
enum { RESET_MOVER = 6, RESET_GLUE = 8 };

static bool to_l1(unsigned mode)
{
    return mode == XMOV_L0_TO_L1 || mode == XMOV_L1_TO_L1;
}

static bool copies(unsigned mode)
{
    return mode == XMOV_L1_TO_L0 || mode == XMOV_L1_TO_L1;
}

static bool is_config(uint32_t destination)
{
    return destination < CONFIG_WINDOW;
}

static unsigned target_of(uint32_t destination, unsigned mode)
{
    return to_l1(mode) ? TO_L1 : is_config(destination) ? TO_CONFIG : TO_NOWHERE;
}

const char *mover_refuses(uint32_t destination, uint32_t source, uint32_t bytes, unsigned mode)
{
    const uint64_t end = (uint64_t)destination + bytes;
    if (copies(mode) && (source >= TENSIX_L1_BYTES || (uint64_t)source + bytes > TENSIX_L1_BYTES))
        return "source is not in L1";
    if (to_l1(mode))
        return destination >= TENSIX_L1_BYTES || end > TENSIX_L1_BYTES ? "destination is not in L1" : NULL;
    if (is_config(destination)) {
        if (end > CONFIG_WINDOW)
            return "destination leaves the window of backend configuration";
        if (end > 3 * CFG_WORDS * 4)
            return "destination is not in Config: there it ends, and ThreadConfig is written by SETC16 only";
        return NULL;
    }
    if (destination >= IRAM_WINDOW && destination < IRAM_WINDOW + 0x10000)
        return "destination is the instruction RAM of RISCV NC, which Blackhole does not have";
    return NULL;
}

/* From which cycle on the first `count` units are there. */
static uint64_t there_at(const struct tensix_mover *m, uint32_t count)
{
    const uint64_t rate_16 = copies(m->mode) ? COST_MOVER_COPY_16 : COST_MOVER_ZERO_16;
    return m->started + COST_MOVER_START + (count * rate_16 + 15) / 16;
}

static void start(const tensix_tile *tile, struct tensix *tx, uint32_t destination, uint32_t source, uint32_t units,
                  unsigned mode, uint64_t cycle)
{
    struct tensix_mover *m = &tx->mover;
    tensix_changing(tile, tx, TENSIX_WATCH_MOVER, cycle);
    hook_mover_starts(tile);
    m->started = cycle + (UNLIKELY(tx->shake.on) ? tile->shake(tile->owner, SHAKE_MOVER, 0, tx->shake.mover++) : 0);
    m->destination = destination;
    m->source = source;
    m->left = units;
    m->done = 0;
    m->mode = (uint8_t)mode;
    m->target = (uint8_t)target_of(destination, mode);
    m->busy_until = there_at(m, units);
    if (units != 0)
        tensix_event_at(tx, there_at(m, 1) - 1);
}

/* As a store of a core to TENSIX_CFG_BASE + destination: bank 0, bank 1, or both at once. */
static void to_config(tensix_tile *tile, struct tensix *tx, uint32_t destination, const uint8_t *from, uint64_t cycle)
{
    for (unsigned i = 0; i < UNIT / 4; i++) {
        const unsigned index = destination / 4 + i, bank = index / CFG_WORDS, word = index % CFG_WORDS;
        const uint32_t value = load32(from + 4 * i);
        hook_config(tile, bank == 1, word, CHECK_WRITE, cycle);
        if (bank == 2)
            hook_config(tile, 1, word, CHECK_WRITE, cycle);
        config_write_word(tile, tx, bank == 1, word, value, cycle);
        if (bank == 2 && word < GLOBAL_CFGREG_BASE_ADDR32)
            config_write_word(tile, tx, 1, word, value, cycle);
    }
    tile->devices_changed(tile->owner, cycle);
}

static void move_unit(tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    struct tensix_mover *m = &tx->mover;
    uint8_t data[UNIT] = {0};
    hook_mover_goes_on(tile, cycle);
    if (copies(m->mode))
        hook_l1(tile, m->source, UNIT, CHECK_READ);
    if (copies(m->mode))
        memcpy(data, tile->l1 + m->source, UNIT);
    if (m->target == TO_L1)
        tile->l1_write(tile->owner, m->destination, data, UNIT, cycle);
    else if (m->target == TO_CONFIG)
        to_config(tile, tx, m->destination, data, cycle);
    m->source += UNIT;
    m->destination += UNIT;
    m->left--;
    m->done++;
}

step_result mover_XMOV(tensix_step *s, const struct op_XMOV *op)
{
    if (tensix_soft_reset(s->tile, RESET_GLUE)) {
        s->again = NEVER;
        s->reason = TENSIX_STALL_RESET;
        return STEP_STALLED;
    }
    if (op->Mov_block_selection != 0) {
        tensix_fault(s, KERR_FAULT_UNKNOWN, tensix_ops[s->op].page, "XMOV of the second mover: there is one");
        return STEP_FAULTED;
    }
    if (tensix_soft_reset(s->tile, RESET_MOVER))
        return STEP_RETIRED; /* discarded */
    if (mover_is_busy(s->tx, s->cycle)) {
        s->again = s->tx->mover.busy_until;
        s->reason = TENSIX_STALL_MOVER;
        return STEP_STALLED;
    }
    const uint32_t *config = s->tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
    const uint32_t destination = CFG_FIELD(config, THCON_SEC0_REG6_Destination_address) << 4;
    const uint32_t source = CFG_FIELD(config, THCON_SEC0_REG6_Source_address) << 4;
    const uint32_t units = CFG_FIELD(config, THCON_SEC0_REG6_Buffer_size) & 0xFFFF;
    const unsigned mode = CFG_FIELD(config, THCON_SEC0_REG6_Transfer_direction);
    const char *problem = mover_refuses(destination, source, units * UNIT, mode);
    if (problem) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixTile/Mover",
                     "XMOV from 0x%08x to 0x%08x, %u bytes, direction %u: %s", source, destination, units * UNIT, mode,
                     problem);
        return STEP_FAULTED;
    }
    start(s->tile, s->tx, destination, source, units, mode, s->cycle);
    return STEP_RETIRED;
}

/* ---- TDMA-RISC ---------------------------------------------------------------------------------------------- */

void mover_enqueue(struct tensix *tx, struct tensix_mover_command command, uint64_t cycle)
{
    struct tensix_mover *m = &tx->mover;
    if (m->queued == 0)
        m->command_at = cycle + COST_MOVER_COMMAND;
    m->queue[(m->head + m->queued++) % MOVER_COMMANDS] = command;
    m->parameters = (uint8_t)(m->parameters + !(command.command >> 31));
    tensix_event_at(tx, m->command_at);
}

/* A mover command, compact or with parameters, as the arguments of the mover. */
struct transfer {
    uint32_t destination, source, units, mode;
};

static struct transfer transfer_of(const struct tensix_mover_command *c)
{
    const uint32_t command = c->command, *parameter = c->parameter;
    if (command >> 31)
        return (struct transfer){bits(command, 23, 16) << 4, (c->base + bits(command, 15, 8)) << 4,
                                 bits(command, 29, 24), command >> 30 & 1 ? XMOV_L1_TO_L1 : XMOV_L1_TO_L0};
    return (struct transfer){parameter[1] << 4, parameter[0] << 4, parameter[2] & 0xFFFF, parameter[3] & 3};
}

static unsigned write_bytes(uint32_t command)
{
    return command & WRITE_64 ? 8 : 4;
}

const char *mover_refuses_command(const struct tensix_mover_command *c)
{
    switch (c->command & 0xFF) {
    case COMMAND_WAIT:
    case COMMAND_NOP: return NULL;
    case COMMAND_WRITE:
        if (c->command >> 31 || (c->command & WRITE_ALWAYS) != WRITE_ALWAYS)
            return "a write to L1 has parameters, and bits 9 and 10 set";
        if (c->parameter[0] % write_bytes(c->command) || c->parameter[0] > TENSIX_L1_BYTES - write_bytes(c->command))
            return "destination is not aligned, or not in L1";
        return NULL;
    case COMMAND_MOVE: {
        const struct transfer t = transfer_of(c);
        return mover_refuses(t.destination, t.source, t.units * UNIT, t.mode);
    }
    default: return "there is no such command";
    }
}

/* Commands were looked at when they were queued. */
static void execute(tensix_tile *tile, struct tensix *tx, const struct tensix_mover_command *c, uint64_t cycle)
{
    const unsigned opcode = c->command & 0xFF;
    hook_acts(tile, KERR_ACTOR_DEVICE, cycle);
    if (opcode == COMMAND_WRITE)
        tile->l1_write(tile->owner, c->parameter[0], &c->parameter[2], write_bytes(c->command), cycle + 1);
    if (opcode == COMMAND_MOVE && !tensix_soft_reset(tile, RESET_MOVER)) {
        const struct transfer t = transfer_of(c);
        start(tile, tx, t.destination, t.source, t.units, t.mode, cycle);
    }
}

/* The command processor in `cycle`. */
static void process(tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    struct tensix_mover *m = &tx->mover;
    const struct tensix_mover_command c = m->queue[m->head];
    const unsigned opcode = c.command & 0xFF;
    if ((opcode == COMMAND_MOVE || opcode == COMMAND_WAIT) && mover_is_busy(tx, cycle)) {
        m->command_at = m->busy_until;
        return;
    }
    execute(tile, tx, &c, cycle);
    m->queue[m->head] = (struct tensix_mover_command){0};
    m->head = (uint8_t)((m->head + 1) % MOVER_COMMANDS);
    m->queued--;
    m->parameters = (uint8_t)(m->parameters - !(c.command >> 31));
    m->command_at = m->queued != 0 ? cycle + COST_MOVER_COMMAND : 0;
    tile->devices_changed(tile->owner, cycle + 1); /* who found the queue full */
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

uint64_t mover_next(const struct tensix *tx)
{
    const struct tensix_mover *m = &tx->mover;
    return min64(m->left != 0 ? there_at(m, m->done + 1) - 1 : NEVER, m->queued != 0 ? m->command_at : NEVER);
}

/* The Configuration Unit is at Config in this cycle (manual ConfigurationUnit). */
static void wait_a_cycle(const tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    tensix_changing(tile, tx, TENSIX_WATCH_MOVER, cycle);
    tx->mover.started++;
    tx->mover.busy_until++;
}

void mover_event(tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    struct tensix_mover *m = &tx->mover;
    while (m->left != 0 && there_at(m, m->done + 1) <= cycle + 1) {
        if (m->target == TO_CONFIG && !config_pipe_enter(&tx->config_unit, cycle, CONFIG_ENTER_REQUEST)) {
            wait_a_cycle(tile, tx, cycle);
            break;
        }
        move_unit(tile, tx, cycle + 1);
        tx->yield |= m->target != TO_NOWHERE;
    }
    if (m->queued != 0 && m->command_at <= cycle) {
        process(tile, tx, cycle);
        tx->yield = true;
    }
}

void mover_soft_reset(const tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    struct tensix_mover *m = &tx->mover;
    tensix_changing(tile, tx, TENSIX_WATCH_MOVER, cycle);
    m->left = 0;
    m->busy_until = min64(m->busy_until, cycle);
    if (m->queued != 0) {
        m->command_at = cycle + 1;
        tensix_event_at(tx, cycle + 1);
    }
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (tx->thread[i].stall == TENSIX_STALL_MOVER)
            tensix_look_at(tx, i, cycle + 1);
}

bool mover_is_sane(const struct tensix *tx)
{
    const struct tensix_mover *m = &tx->mover;
    bool sane = m->head < MOVER_COMMANDS && m->queued <= MOVER_COMMANDS && m->parameters <= m->queued && m->mode <= 3 &&
                m->left <= 0xFFFF && m->source % UNIT == 0 && m->destination % UNIT == 0 &&
                (m->left == 0 || mover_refuses(m->destination, m->source, m->left * UNIT, m->mode) == NULL) &&
                (m->left == 0 || m->target == target_of(m->destination, m->mode));
    for (unsigned i = 0; sane && i < m->queued; i++)
        sane = mover_refuses_command(&m->queue[(m->head + i) % MOVER_COMMANDS]) == NULL;
    return sane;
}
