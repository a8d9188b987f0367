/* SPDX-License-Identifier: Apache-2.0 */
/* Debug interface of RISCV B, T0, T1, T2, of E0 and E1, of D: pause, resume, step, registers, memory, eight
 * watchpoints.  NC has none.
 *
 * Manual WormholeB0 BabyRISCV/DebugInterface; where it and the vendor's debugger differ on Blackhole, the debugger
 * (marked).  14 DR registers for each core, reached through RISC_DBG_CNTL_0/1 and STATUS_0/1: a rising bit 31 of
 * CNTL_0 reads or writes one.  A write to DR(1) is a set of commands.
 * Effects are immediate; the driver polls for what takes a few cycles on the chip and finds it done.  A breakpoint
 * or watchpoint lets its instruction finish and pauses before the next one, as ebreak does.
 * Left out: slow execution mode's slowness (bit 31 is stored), and two bugs of the chip that only the debugger's
 * comments mention: DR(4) reading 0 for pc, and a pause that comes back after continuing from ebreak without a
 * flush.  Software that works around them works here. */
#include "tile/blocks.h"

enum {
    DR_STATUS = 0,
    DR_COMMAND = 1,
    DR_ARGUMENT0 = 2,
    DR_ARGUMENT1 = 3,
    DR_RESULT = 4,
    DR_MODES = 5,
    DR_ADDRESSES = 10
};
enum {
    COMMAND_PAUSE = 1 << 0,
    COMMAND_STEP = 1 << 1,
    COMMAND_CONTINUE = 1 << 2,
    COMMAND_READ_REGISTER = 1 << 3,
    COMMAND_WRITE_REGISTER = 1 << 4,
    COMMAND_READ_MEMORY = 1 << 5,
    COMMAND_WRITE_MEMORY = 1 << 6,
    COMMAND_CLEAR_REGISTERS = 1 << 7,
    COMMAND_WRITE_PC = 1 << 8,
};
#define COMMAND_SLOW_MODE 0x80000000u
enum { MODE_BREAKPOINT = 8, MODE_READ = 9, MODE_WRITE = 10, MODE_ACCESS = 11 };
enum { CNTL_DR = 0x7FF, CNTL_WRITE_SHIFT = 16, CNTL_CORE_SHIFT = 17, CNTL_TRIGGER_SHIFT = 31 };
enum { STATUS_WRITE_SHIFT = 13 };
#define STATUS_VALID 0x40000000u
enum { REGISTER_PC = 32 };

/* Cores of this tile that have the hardware; Which_RISCV is their number. */
static unsigned debug_cores(const struct tile *tile)
{
    unsigned cores = devices_cores(tile_devices_const(tile));
    return cores < DEBUG_CORES ? cores : DEBUG_CORES;
}

static unsigned mode_of(const struct core_debug *d, unsigned i)
{
    return d->watchpoint_mode >> 4 * i & 0xF;
}

static void tell_engine(struct tile *tile, unsigned core)
{
    const struct core_debug *d = &tile_devices(tile)->core_debug[core];
    bool any = false;
    for (unsigned i = 0; i < WATCHPOINTS; i++)
        any |= mode_of(d, i) >= MODE_BREAKPOINT && mode_of(d, i) <= MODE_ACCESS;
    tile_core_set_breakpoints(tile, core, any);
}

static void forget_reason(struct core_debug *d)
{
    d->hit = 0;
    d->breakpoint_hit = d->memory_hit = d->ebreak_hit = false;
}

/* ---- Called by the engine ---- */

bool devices_breakpoint(struct tile *tile, unsigned core, uint32_t pc, uint64_t cycle)
{
    (void)cycle;
    if (core >= debug_cores(tile))
        return false;
    struct core_debug *d = &tile_devices(tile)->core_debug[core];
    bool any = false;
    for (unsigned i = 0; i < WATCHPOINTS; i++) {
        if (mode_of(d, i) == MODE_BREAKPOINT && d->watchpoint_address[i] == pc) {
            d->hit |= (uint8_t)(1u << i);
            any = d->breakpoint_hit = true;
        }
    }
    return any;
}

/* OPEN: the page says "the address in DR(10+i)" and not how wide; any access that covers that byte counts here. */
bool devices_watchpoint(struct tile *tile, unsigned core, uint32_t address, unsigned size, bool is_store,
                        uint64_t cycle)
{
    (void)cycle;
    if (core >= debug_cores(tile))
        return false;
    struct core_debug *d = &tile_devices(tile)->core_debug[core];
    bool any = false;
    for (unsigned i = 0; i < WATCHPOINTS; i++) {
        unsigned mode = mode_of(d, i);
        if (mode != MODE_ACCESS && mode != (is_store ? MODE_WRITE : MODE_READ))
            continue;
        if (d->watchpoint_address[i] - address < size) {
            d->hit |= (uint8_t)(1u << i);
            any = d->memory_hit = true;
        }
    }
    return any;
}

void devices_ebreak(struct tile *tile, unsigned core, uint64_t cycle)
{
    (void)cycle;
    if (core < debug_cores(tile))
        tile_devices(tile)->core_debug[core].ebreak_hit = true;
}

void debug_interface_core_reset(struct tile *tile, unsigned core, uint64_t cycle)
{
    if (core >= debug_cores(tile))
        return;
    tile_devices(tile)->core_debug[core] = (struct core_debug){.hit = 0};
    tile_core_set_breakpoints(tile, core, false);
    tile_core_set_slow_mode(tile, core, false, cycle);
}

/* ---- Commands ---- */

/* Loads from T2's local data RAM at these addresses "do not work" (vendor's debugger); what they give is unknown.  Stores
 * it refused too up to 0.3, and no longer does. */
static void complain_about_t2(struct tile *tile, unsigned client, unsigned core, uint32_t address, uint64_t cycle)
{
    if (debug_cores(tile) == DEBUG_CORES && core == KERR_CORE_T2 && address >> 12 == 0xFFB00 && address % 16 > 4)
        tile_fault(tile, KERR_FAULT_UNKNOWN, client, address, cycle, NULL,
                   "debug load from T2's local data RAM at 0x%08x: does not work on the chip", address);
}

static void memory(struct tile *tile, unsigned client, unsigned core, bool is_store, uint64_t cycle)
{
    struct core_debug *d = &tile_devices(tile)->core_debug[core];
    uint32_t address = d->argument0 & ~3u;
    /* A debugger that looks: a load of nothing by its hand stops nothing. */
    const enum host_acts acts = tile_host_acts(tile, HOST_NOT);
    tile_host_acts(tile, acts != HOST_NOT && !is_store ? HOST_READS : acts);
    if (!is_store)
        complain_about_t2(tile, client, core, address, cycle);
    uint32_t loaded = 0;
    bool there = is_store ? tile_core_store(tile, core, address, 4, d->argument1, cycle)
                          : tile_core_load(tile, core, address, 4, &loaded, cycle);
    if (!there)
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, address, cycle, "WormholeB0 BabyRISCV/DebugInterface",
                   "debug %s of nothing at 0x%08x", is_store ? "store" : "load", address);
    if (!is_store)
        d->result = loaded;
    tile_host_acts(tile, acts);
}

/* "Writing pc".  The page takes it from DR(4), which software cannot write; the debugger puts it into DR(3). */
static void write_pc(struct tile *tile, unsigned core)
{
    struct devices *dev = tile_devices(tile);
    struct core_debug *d = &dev->core_debug[core];
    uint32_t pc = d->command & COMMAND_SLOW_MODE ? d->argument1 : soft_reset_pc(dev, core);
    tile_core_set_register(tile, core, REGISTER_PC, pc);
    forget_reason(d);
}

/* On Blackhole a step takes two step commands (vendor's debugger): the first arms, the second steps. */
static void step(struct tile *tile, unsigned core, uint64_t cycle)
{
    struct core_debug *d = &tile_devices(tile)->core_debug[core];
    d->step_armed = !d->step_armed;
    if (!d->step_armed) {
        forget_reason(d);
        tile_core_step(tile, core, cycle);
    }
}

static void command(struct tile *tile, unsigned client, unsigned core, uint64_t cycle)
{
    struct core_debug *d = &tile_devices(tile)->core_debug[core];
    uint32_t bits = d->command;
    if (!tile_core_is_halted(tile, core)) {
        if (bits & COMMAND_PAUSE) {
            forget_reason(d);
            tile_core_halt(tile, core, cycle);
        }
        return; /* everything else is only for a paused core */
    }
    if (bits & COMMAND_READ_REGISTER && d->argument0 <= REGISTER_PC)
        d->result = tile_core_register(tile, core, d->argument0);
    if (bits & COMMAND_WRITE_REGISTER && d->argument0 >= 1 && d->argument0 < REGISTER_PC)
        tile_core_set_register(tile, core, d->argument0, d->argument1);
    if (bits & COMMAND_CLEAR_REGISTERS)
        for (unsigned i = 1; i < REGISTER_PC; i++)
            tile_core_set_register(tile, core, i, 0);
    if (bits & COMMAND_READ_MEMORY)
        memory(tile, client, core, false, cycle);
    if (bits & COMMAND_WRITE_MEMORY)
        memory(tile, client, core, true, cycle);
    if (bits & COMMAND_WRITE_PC)
        write_pc(tile, core); /* bit 1 set beside it is a workaround, not a step */
    else if (bits & COMMAND_STEP && !(bits & COMMAND_CONTINUE))
        step(tile, core, cycle);
    if (bits & COMMAND_CONTINUE) {
        forget_reason(d);
        d->step_armed = false;
        tile_core_continue(tile, core, cycle);
    }
}

/* ---- DR registers ---- */

static uint32_t dr_read(const struct tile *tile, unsigned core, unsigned index)
{
    const struct core_debug *d = &tile_devices_const(tile)->core_debug[core];
    switch (index) {
    case DR_STATUS:
        if (!tile_core_is_halted(tile, core))
            return 0;
        return 1u | (uint32_t)d->breakpoint_hit << 1 | (uint32_t)d->memory_hit << 2 | (uint32_t)d->ebreak_hit << 3 |
               (uint32_t)d->hit << 8;
    case DR_COMMAND: return d->command;
    case DR_ARGUMENT0: return d->argument0;
    case DR_ARGUMENT1: return d->argument1;
    case DR_RESULT: return d->result;
    case DR_MODES: return d->watchpoint_mode;
    default: return index - DR_ADDRESSES < WATCHPOINTS ? d->watchpoint_address[index - DR_ADDRESSES] : 0;
    }
}

static void dr_write(struct tile *tile, unsigned client, unsigned core, unsigned index, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    struct core_debug *d = &dev->core_debug[core];
    if (soft_reset_holds(dev, core) && devices_clears_debug_registers(dev, core))
        return;
    switch (index) {
    case DR_COMMAND:
        d->command = value;
        tile_core_set_slow_mode(tile, core, value & COMMAND_SLOW_MODE, cycle);
        if (!soft_reset_holds(dev, core))
            command(tile, client, core, cycle);
        break;
    case DR_ARGUMENT0: d->argument0 = value; break;
    case DR_ARGUMENT1: d->argument1 = value; break;
    case DR_MODES:
        d->watchpoint_mode = value;
        tell_engine(tile, core);
        break;
    default:
        if (index - DR_ADDRESSES < WATCHPOINTS)
            d->watchpoint_address[index - DR_ADDRESSES] = value;
        break;
    }
}

/* ---- RISC_DBG_CNTL_0, STATUS_0, STATUS_1 ---- */

dev_result debug_interface_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (address != RISCV_DEBUG_REG_RISC_DBG_CNTL_0)
        return DEV_OK; /* both status registers: "writes discarded" */
    uint32_t *status = debug_reg(dev, RISCV_DEBUG_REG_RISC_DBG_STATUS_0);
    bool triggered = value & ~debug_reg_peek(dev, address) & 1u << CNTL_TRIGGER_SHIFT;
    unsigned core = value >> CNTL_CORE_SHIFT & 3, index = value & CNTL_DR;
    bool is_write = value >> CNTL_WRITE_SHIFT & 1;
    *debug_reg(dev, address) = value;
    uint32_t valid = *status & STATUS_VALID; /* stays up until the next trigger: the driver looks for it then */
    if (core >= debug_cores(tile)) {         /* Ethernet tiles have two cores, DRAM tiles one */
        if (triggered)
            valid = 0;
    } else if (triggered && is_write) {
        valid = 0;
        dr_write(tile, client, core, index, debug_reg_peek(dev, RISCV_DEBUG_REG_RISC_DBG_CNTL_1), cycle);
    } else if (triggered) {
        valid = STATUS_VALID;
        *debug_reg(dev, RISCV_DEBUG_REG_RISC_DBG_STATUS_1) = dr_read(tile, core, index);
    }
    *status = index | (uint32_t)is_write << (STATUS_WRITE_SHIFT + core) | valid | (value & 1u << CNTL_TRIGGER_SHIFT);
    return DEV_OK;
}

bool debug_interface_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client, (void)cycle;
    *value = debug_reg_peek(tile_devices_const(tile), address);
    return true;
}

dev_result debug_interface_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    debug_interface_peek(tile, client, address, cycle, value);
    return DEV_OK;
}

bool debug_interface_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client, (void)cycle;
    *debug_reg(tile_devices(tile), address) = value;
    return true;
}
