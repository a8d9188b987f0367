/* SPDX-License-Identifier: Apache-2.0 */
/* Everything in a Tensix tile that a baby core or the NoC reaches by address and that is not memory.
 *
 * Contract with the engine (src/tile/run.c and bus.c), which calls in strict order of cycle within a tile:
 *   devices_read / devices_write are what the hardware does, devices_peek / devices_poke are a debugger's.
 *   DEV_WAIT means: the request cannot be processed yet (empty FIFO, full FIFO, TTSync).  It changed nothing;
 *   the engine offers it again after the next change (tile_devices_changed) and at devices_next_event.
 *   DEV_NOTHING means: nothing answers at this address for this client; the engine raises the fault.
 *   DEV_FAULT means: devices.c has called tile_fault itself. */
#ifndef KERR_TILE_DEVICES_H
#define KERR_TILE_DEVICES_H

#include "kerr.h"

#include "noc/packet.h"
#include "riscv/core.h"
#include "tensix/tile.h"

#include <stdbool.h>
#include <stdint.h>

struct tile;
struct tensix_files;
struct matrix_cache;
struct vector_files;

enum { CLIENT_NOC = KERR_CORE_COUNT, CLIENT_TENSIX /* the Scalar Unit */, CLIENT_COUNT };

#include "tile/devices_state.h" /* struct devices: plain data, no pointers, so that a snapshot is a copy */

enum { DEVICES_L1_BYTES = TENSIX_L1_BYTES };
/* Where the NoC sees the L1 of a DRAM tile (the vendor's MEM_DRISC_L1_NOC_BASE). */
#define DRAM_L1_BASE UINT64_C(0x2000000000)

/* Which of the PIC's two outputs goes to a core; PIC_CORES: none. */
unsigned devices_pic_slot(const struct devices *dev, unsigned core);

/* Power-on state; kind and position stay. */
void devices_reset(struct devices *dev);
/* Which tile this is; comes before devices_reset.  A kind without cores counts as Tensix. */
void devices_set_kind(struct devices *dev, kerr_tile_kind kind);
/* The same for what only one kind has: the memory is zero. */
void devices_reset_own(union own_regs *own, kerr_tile_kind kind);
/* NoC 0 coordinates of the tile; its NIUs are as after power-on. */
void devices_set_position(struct devices *dev, unsigned x, unsigned y);

/* client is a kerr_core, CLIENT_NOC or CLIENT_TENSIX.  size is 1, 2 or 4, naturally aligned. */
dev_result devices_read(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint64_t cycle,
                        uint32_t *value);
dev_result devices_write(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint32_t value,
                         uint64_t cycle);
/* False where nothing is mapped. */
bool devices_peek(const struct tile *tile, unsigned client, uint32_t address, uint32_t *value, uint64_t cycle);
bool devices_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle);

/* True: a read here has no side effect (where it gives zero) and gives the same until tile_devices_changed. */
bool devices_is_steady(uint32_t address);

/* Whether a polling core may be parked: it is steady, and every change is announced by tile_device_changing; or it is the
 * clock. */
rv_steady devices_is_parkable(const struct devices *dev, uint32_t address);
/* Whether RISCV_DEBUG_REG_SOFT_RESET_0 has any of these bits. */
bool devices_soft_reset(const struct devices *dev, uint32_t bits);
/* Tensix GPRs, backend configuration, TDMA-RISC. */
bool devices_is_tensix(uint32_t address);
/* True: a store here changes nothing that anybody else waits for. */
bool devices_is_quiet(uint32_t address);
/* True: a store here reaches no core and no other tile but through what the coprocessor or a stream does of it. */
bool devices_only_keeps(uint32_t address);
/* Whether a store there can release nobody who waits at a register: GPRs, streams, configuration without what is global. */
bool devices_releases_nobody(uint32_t address);
/* Whether who waits for a load by this core is told when to look again, whatever else happens: TTSync of RISCV Ti, mailboxes. */
bool devices_tells(unsigned core, uint32_t address);
/* True: a store here may send something to another tile. */
bool devices_reach_out(const struct devices *dev, uint32_t address);

/* Cycles from EX1 to the consumer's EX1 for a load from here (manual BabyRISCV/README, load latency). */
unsigned devices_load_latency(uint32_t address);

/* An answer of the bank to the DMA engine of a DRAM tile. */
void devices_dma_arrives(struct tile *tile, const noc_packet *packet, uint64_t cycle);

/* The next cycle at which something happens by itself (watchdog, PIC timer ...), UINT64_MAX if never. */
static inline uint64_t devices_next_timer(const struct devices *dev)
{
    const uint64_t overlay = dev->overlay_due, watchdog = dev->watchdog.deadline, sample = dev->daisychain.next_sample,
                   counters = dev->perf_due;
    if ((overlay | watchdog | sample | counters) == 0) { /* as nearly always */
        return UINT64_MAX;
    }
    /* Streams, watchdog, performance counters and daisychain: 0 is none, which less one comes last. */
    uint64_t timer = overlay - 1;
    timer = counters - 1 < timer ? counters - 1 : timer;
    timer = watchdog - 1 < timer ? watchdog - 1 : timer;
    timer = sample - 1 < timer ? sample - 1 : timer;
    return timer + 1;
}
static inline uint64_t niu_next_event(const struct devices *dev)
{
    const uint64_t a = dev->niu[0].next_event, b = dev->niu[1].next_event;
    return a < b ? a : b;
}
static inline uint64_t devices_next_event(const struct devices *dev)
{
    const uint64_t timer = devices_next_timer(dev), niu = niu_next_event(dev);
    return timer < niu ? timer : niu;
}
void devices_event(struct tile *tile, uint64_t cycle);

/* .ttinsn and stores to INSTRN_BUF: pushes into the first FIFO of a Tensix thread. DEV_WAIT when it is full. */
dev_result devices_push_tensix(struct tile *tile, unsigned client, unsigned thread, uint32_t instruction,
                               uint64_t cycle);

/* A load of RISCV B from L1 that misses its L0 data cache: true if the tag search accelerator answers instead. */
bool tag_search_read(struct tile *tile, uint32_t address, uint64_t cycle, uint32_t *value);

/* A core of the PIC (B or NC) has jumped to the handler given to tile_core_interrupt; its handler has executed
 * mret.  In between the line is down. */
void devices_interrupt_entered(struct tile *tile, unsigned core, uint64_t cycle);
void devices_interrupt_returned(struct tile *tile, unsigned core, uint64_t cycle);

/* A core has executed ebreak or ecall and is paused before the next instruction. */
void devices_ebreak(struct tile *tile, unsigned core, uint64_t cycle);
/* Asked while tile_core_set_breakpoints is on.  True: the core finishes this instruction, then halts before the
 * next (manual WormholeB0 BabyRISCV/DebugInterface). */
bool devices_breakpoint(struct tile *tile, unsigned core, uint32_t pc, uint64_t cycle);
bool devices_watchpoint(struct tile *tile, unsigned core, uint32_t address, unsigned size, bool is_store,
                        uint64_t cycle);

/* RISCV_DEBUG_REG_DISABLE_RESET: whether soft reset clears local data RAM, and the debug interface's registers. */
bool devices_clears_local_ram(const struct devices *dev, unsigned core);
bool devices_clears_debug_registers(const struct devices *dev, unsigned core);

/* The hardware's name of the register at an address of the tile, NULL if there is none. */
const char *devices_register_name(uint32_t address);

/* ---- What the engine offers to the devices (src/tile/parts.h names its files) --------------------- */

/* Called before the value of registers first .. last changes that cores may poll: parked ones come to this cycle. */
void tile_device_changing(struct tile *tile, uint32_t first, uint32_t last, uint64_t cycle);
/* The same of one register, when it is known what it becomes: who goes on polling it all the same stays parked. */
bool tile_register_changes(struct tile *tile, uint32_t address, uint32_t value,
                           uint64_t cycle); /* true: somebody woke */
/* Whether anybody could mind if one of these registers changed. */
bool tile_device_is_watched(const struct tile *tile, uint32_t first, uint32_t last);

/* A record of the coprocessor for whoever listens; called only if somebody does (tensix/trace.h). */
void tile_tensix_trace(const struct tile *tile, const kerr_trace_tensix *record);
/* A fault of an instruction of the coprocessor; pc is that of the push by RISCV Ti or, if by_b, RISCV B.  True: it stops the
 * chip, and the thread must not go on. */
bool tile_tensix_fault(struct tile *tile, kerr_fault_kind kind, unsigned thread, bool by_b, uint32_t pc, uint32_t word,
                       uint64_t cycle, const char *manual, const char *text);
/* A fault of a core that stays as it is; pc is that of the instruction. */
void tile_core_fault(struct tile *tile, kerr_fault_kind kind, unsigned core, uint32_t pc, uint32_t address,
                     uint64_t cycle, const char *text);
/* The core has a load or store of Tensix GPRs, configuration or TDMA-RISC on its way (STALLWAIT condition C10). */
bool tile_core_requests_tensix(const struct tile *tile, unsigned core);

/* RISCV Ti within a run of the coprocessor (pusher.c): there may be room in the FIFO of its thread from `cycle` on; it has a turn in
 * this cycle, and what it pushes up to `most` finds the room that is there now.  When it has the next one: NEVER if it waits for room
 * again, 0 if the tile must look. */
uint64_t tile_pusher_told(struct tile *tile, unsigned thread, uint64_t cycle);
uint64_t tile_pusher_turn(struct tile *tile, unsigned thread, uint64_t cycle, uint64_t most);
/* The same in a loop that the coprocessor has for pushes: false if the core does or may do anything else. */
struct rv_pusher;
bool tile_pusher_open(struct tile *tile, unsigned thread, struct rv_pusher *pusher);
/* Whether something in its store queue may end in an expander. */
bool tile_pusher_holds_swallowed(const struct tile *tile, unsigned thread);

/* A device has an event now, and nothing else that cores may wait for has changed. */
void tile_has_event(struct tile *tile, uint64_t cycle);

/* The NIUs send packets.  A packet with room for `bytes` of data, or NULL when there are too many. */
noc_packet *tile_noc_new(struct tile *tile, uint32_t bytes, packet_ref *ref);
/* Its first flit leaves at `cycle`.  Source, destination, noc, sequence and the rest are filled in. */
void tile_noc_send(struct tile *tile, packet_ref ref, uint64_t cycle);
noc_packet *tile_noc_packet(const struct tile *tile, packet_ref ref);
void tile_noc_release(struct tile *tile, packet_ref ref);
/* The mode of an NIU (enum noc_mode) is another one from `cycle` on. */
void tile_noc_mode_changes(struct tile *tile, unsigned noc, unsigned was, uint64_t cycle);
/* Until it is NULL again, faults of CLIENT_NOC are put down to whoever asked for this packet. */
void tile_noc_serves(struct tile *tile, const noc_packet *packet);
/* What is done to the tile until the next of these is the host's, or nobody's in particular.  What it only reads, also by the
 * debug interface, stops nothing: faults are notes, each of which is recorded once.  Returns what it was. */
enum host_acts { HOST_NOT, HOST_READS, HOST_WRITES };
enum host_acts tile_host_acts(struct tile *tile, enum host_acts acts);
/* Acknowledgements and ends of writes move counters of the NIUs and nothing else, so they wait until somebody looks: now
 * those up to `cycle` count. */
void tile_noc_catch_up(struct tile *tile, uint64_t cycle);
/* A word of a core's local data RAM where the NoC finds it; false: there is none. */
bool tile_local_word(const struct tile *tile, uint32_t address, uint32_t *value);
bool tile_set_local_word(struct tile *tile, uint32_t address, uint32_t value, uint64_t cycle);
/* When an NIU may read this register of its own tile: `cycle`, or later if it shows what cores are doing and one of them
 * may be ahead. */
uint64_t tile_meeting(struct tile *tile, uint32_t address, uint64_t cycle);

/* When a unit of the coprocessor may read or write this register, as tile_meeting. */
uint64_t tile_unit_turn(struct tile *tile, uint32_t address, bool store, uint64_t cycle);

/* Set by devices_write whenever waiting cores may have something to look at again. */
void tile_devices_changed(struct tile *tile, uint64_t cycle);
/* The same for one core, in a cycle that may be yet to come: nobody else looks then, for what another one waits for has a cycle of its own,
 * in which it is told. */
void tile_core_told(struct tile *tile, unsigned core, uint64_t cycle);
/* Soft reset: bit set = held in reset.  pc is where a released core starts. */
void tile_core_reset(struct tile *tile, unsigned core, bool in_reset, uint32_t pc, uint64_t cycle);
/* Raise or clear the interrupt line of a core (B and NC only); the PIC has already done its masking.
 * vector_pc is the handler's address. */
void tile_core_interrupt(struct tile *tile, unsigned core, bool level, uint32_t vector_pc, uint64_t cycle);
/* Hardware debug interface (manual WormholeB0/.../DebugInterface). */
void tile_core_halt(struct tile *tile, unsigned core, uint64_t cycle);
void tile_core_continue(struct tile *tile, unsigned core, uint64_t cycle);
void tile_core_step(struct tile *tile, unsigned core, uint64_t cycle);
bool tile_core_is_halted(const struct tile *tile, unsigned core);
uint32_t tile_core_pc(const struct tile *tile, unsigned core, uint64_t cycle);
/* reg: 0..31 integer, 32 = pc, 33 and up floating point. */
uint32_t tile_core_register(const struct tile *tile, unsigned core, unsigned reg);
void tile_core_set_register(struct tile *tile, unsigned core, unsigned reg, uint32_t value);
/* Memory as the halted core sees it.  False: nothing there. */
bool tile_core_load(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t *value, uint64_t cycle);
bool tile_core_store(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t value, uint64_t cycle);
/* Breakpoints and watchpoints on or off for a core: while any is on the engine runs it instruction by
 * instruction and asks devices_breakpoint before each one and devices_watchpoint on each access. */
void tile_core_set_breakpoints(struct tile *tile, unsigned core, bool any);
/* The debug interface's slow execution mode. */
void tile_core_set_slow_mode(struct tile *tile, unsigned core, bool on, uint64_t cycle);
/* The tag search of RISCV B is about to be another one: its loads may no longer be loads, or be loads again, from its next turn on. */
void tile_tag_search_changes(struct tile *tile, uint64_t cycle);
void tile_invalidate_instruction_cache(struct tile *tile, unsigned core_mask, uint64_t cycle);
/* What only this kind of tile has; untouched in Tensix tiles. */
union own_regs *tile_own(struct tile *tile);
const union own_regs *tile_own_const(const struct tile *tile);
/* What the tile lends to its coprocessor; lent.c fills it in, of a tile whose other members are there. */
tensix_tile *tile_lent(const struct tile *tile);
void tile_lend(tensix_tile *lent, struct tile *tile);
/* Dst and the other large register files of the coprocessor. */
struct tensix_files *tile_tensix_files(struct tile *tile);
const struct tensix_files *tile_tensix_files_const(const struct tile *tile);
/* tensix/matrix/kernel.h */
struct matrix_cache *tile_matrix_cache(struct tile *tile);
/* Nobody has run past the next multiple of this: where a chip stops, cores look into each other and deadlocks are looked for. */
enum { RENDEZVOUS_GRID = 4096 };
static inline bool tile_is_between_lines(uint64_t first, uint64_t last)
{
    return first / RENDEZVOUS_GRID == last / RENDEZVOUS_GRID;
}

/* --shake: the cycles that are drawn for the event `number` of (site, sub) here.  Only where something is shaken. */
unsigned tile_shake(const struct tile *tile, unsigned site, unsigned sub, uint64_t number);
/* The devices embedded in this tile. */
struct devices *tile_devices(struct tile *tile);
const struct devices *tile_devices_const(const struct tile *tile);
/* 1.5 MiB of L1 for devices that read or write it by themselves (timestamper, tag search); writes go through
 * tile_l1_write so that parked cores and decoded code notice.  It says whether anybody heeds these lines: if not, no core has
 * anything to do because of the write. */
const uint8_t *tile_l1(const struct tile *tile);
uint32_t tile_l1_size(const struct tile *tile);
bool tile_l1_write(struct tile *tile, uint32_t address, const void *data, unsigned size, uint64_t cycle);
/* The same in two: where the bytes are to go; NULL if somebody heeds these lines.  Without checks. */
uint8_t *tile_l1_unheeded(struct tile *tile, uint32_t address, unsigned size);
/* A fault raised by a device on behalf of a client. text is printf-like. */
void tile_fault(struct tile *tile, kerr_fault_kind kind, unsigned client, uint32_t address, uint64_t cycle,
                const char *manual, const char *text, ...) __attribute__((format(printf, 7, 8)));
/* Counter-based randomness: the n-th draw of this tile and unit. */
uint64_t tile_random(const struct tile *tile, uint32_t unit, uint64_t n);

#endif
