/* SPDX-License-Identifier: Apache-2.0 */
/* A tile without an engine, for the tests of the devices: every tile_* function that devices call, recording what
 * was asked.  Included by one program each. */
#ifndef FAKE_TILE_H
#define FAKE_TILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tensix/matrix/kernel.h"
#include "tensix/regs/dst.h"
#include "tensix/vector/row.h"
#include "tile/devices.h"
#include "tile/overlay.h"
#include "tile_regs.h"

enum { B = KERR_CORE_B, T0 = KERR_CORE_T0, T1 = KERR_CORE_T1, T2 = KERR_CORE_T2, NC = KERR_CORE_NC, NOC = CLIENT_NOC };

enum { FAKE_PACKETS = 64 };

struct tile {
    tensix_tile lent; /* without checks; first, as in a tile */
    struct devices dev;
    overlay overlay;
    union own_regs own;
    struct tensix_files files;
    struct matrix_cache matrix_cache;
    struct vector_cache vector_cache;
    uint8_t *l1;
    struct {
        bool in_reset, halted, line, breakpoints, slow_mode;
        uint32_t reset_pc, vector, pc, reg[33];
        unsigned resets, steps, continues, halts;
    } core[KERR_CORE_COUNT];
    uint32_t stored_address, stored_value;  /* by tile_core_store */
    unsigned changed, invalidated;          /* calls; cores */
    uint32_t changing_first, changing_last; /* of the last tile_device_changing */
    bool goes_on;                           /* what the policy says after a fault of the coprocessor */
    unsigned faults;
    kerr_fault_kind fault_kind;
    char fault_text[200];
    unsigned changing; /* calls */
    uint8_t *packet[FAKE_PACKETS];
    packet_ref sent_ref[FAKE_PACKETS]; /* in the order of tile_noc_send */
    unsigned sent;
    const noc_packet *served; /* tile_noc_serves */
    enum host_acts host;
    unsigned fault_asker; /* of the last fault, 1 + core */
    bool nothing_there;   /* what tile_core_load and store say */
};

/* No core goes on within a run of the coprocessor: who asks must look. */
uint64_t tile_pusher_told(struct tile *tile, unsigned thread, uint64_t cycle)
{
    (void)tile, (void)thread, (void)cycle;
    return 0;
}

bool tile_pusher_holds_swallowed(const struct tile *tile, unsigned thread)
{
    (void)tile, (void)thread;
    return true;
}

uint64_t tile_pusher_turn(struct tile *tile, unsigned thread, uint64_t cycle, uint64_t most)
{
    (void)most;
    return tile_pusher_told(tile, thread, cycle);
}

bool tile_pusher_open(struct tile *tile, unsigned thread, struct rv_pusher *pusher)
{
    (void)tile, (void)thread, (void)pusher;
    return false;
}

unsigned tile_shake(const struct tile *tile, unsigned site, unsigned sub, uint64_t number) /* never */
{
    (void)tile, (void)site, (void)sub, (void)number;
    return 0;
}

struct tensix_files *tile_tensix_files(struct tile *tile)
{
    return &tile->files;
}

struct matrix_cache *tile_matrix_cache(struct tile *tile)
{
    return &tile->matrix_cache;
}

tensix_tile *tile_lent(const struct tile *tile)
{
    return (tensix_tile *)(uintptr_t)&tile->lent;
}

const struct tensix_files *tile_tensix_files_const(const struct tile *tile)
{
    return &tile->files;
}

union own_regs *tile_own(struct tile *tile)
{
    return &tile->own;
}

const union own_regs *tile_own_const(const struct tile *tile)
{
    return &tile->own;
}

struct devices *tile_devices(struct tile *tile)
{
    return &tile->dev;
}

const struct devices *tile_devices_const(const struct tile *tile)
{
    return &tile->dev;
}

overlay *tile_overlay(struct tile *tile)
{
    return &tile->overlay;
}

const overlay *tile_overlay_const(const struct tile *tile)
{
    return &tile->overlay;
}

bool tile_device_is_watched(const struct tile *tile, uint32_t first, uint32_t last)
{
    (void)tile, (void)first, (void)last;
    return true;
}

void tile_device_changing(struct tile *tile, uint32_t first, uint32_t last, uint64_t cycle)
{
    (void)cycle;
    tile->changing_first = first;
    tile->changing_last = last;
    tile->changing++;
}

bool tile_register_changes(struct tile *tile, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)value;
    tile_device_changing(tile, address, address + 3, cycle);
    return false;
}

void tile_tensix_trace(const struct tile *tile, const kerr_trace_tensix *record)
{
    (void)tile, (void)record;
}

bool tile_core_requests_tensix(const struct tile *tile, unsigned core)
{
    (void)tile, (void)core;
    return false;
}

bool tile_tensix_fault(struct tile *tile, kerr_fault_kind kind, unsigned thread, bool by_b, uint32_t pc, uint32_t word,
                       uint64_t cycle, const char *manual, const char *text)
{
    (void)thread, (void)by_b, (void)pc, (void)word, (void)cycle, (void)manual;
    snprintf(tile->fault_text, sizeof tile->fault_text, "%s", text);
    tile->fault_kind = kind;
    tile->faults++;
    return !tile->goes_on && kind != KERR_FAULT_HAZARD; /* which is ignored unless asked for */
}

void tile_has_event(struct tile *tile, uint64_t cycle)
{
    (void)tile, (void)cycle;
}

uint32_t tile_l1_size(const struct tile *tile)
{
    (void)tile;
    return DEVICES_L1_BYTES;
}

void tile_devices_changed(struct tile *tile, uint64_t cycle)
{
    (void)cycle;
    tile->changed++;
}
void tile_core_told(struct tile *tile, unsigned core, uint64_t cycle)
{
    (void)core;
    tile_devices_changed(tile, cycle);
}

void tile_core_reset(struct tile *tile, unsigned core, bool in_reset, uint32_t pc, uint64_t cycle)
{
    (void)cycle;
    tile->core[core].in_reset = in_reset;
    tile->core[core].reset_pc = pc;
    tile->core[core].resets++;
}

void tile_core_interrupt(struct tile *tile, unsigned core, bool level, uint32_t vector_pc, uint64_t cycle)
{
    (void)cycle;
    tile->core[core].line = level;
    tile->core[core].vector = vector_pc;
}

void tile_core_halt(struct tile *tile, unsigned core, uint64_t cycle)
{
    (void)cycle;
    tile->core[core].halted = true;
    tile->core[core].halts++;
}

void tile_core_continue(struct tile *tile, unsigned core, uint64_t cycle)
{
    (void)cycle;
    tile->core[core].halted = false;
    tile->core[core].continues++;
}

void tile_core_step(struct tile *tile, unsigned core, uint64_t cycle)
{
    (void)cycle;
    tile->core[core].pc += 4;
    tile->core[core].steps++;
}

bool tile_core_is_halted(const struct tile *tile, unsigned core)
{
    return tile->core[core].halted;
}

uint32_t tile_core_pc(const struct tile *tile, unsigned core, uint64_t cycle)
{
    (void)cycle;
    return tile->core[core].pc;
}

uint32_t tile_core_register(const struct tile *tile, unsigned core, unsigned reg)
{
    return reg == 32 ? tile->core[core].pc : tile->core[core].reg[reg];
}

void tile_core_set_register(struct tile *tile, unsigned core, unsigned reg, uint32_t value)
{
    if (reg == 32)
        tile->core[core].pc = value;
    else
        tile->core[core].reg[reg] = value;
}

bool tile_core_load(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t *value, uint64_t cycle)
{
    (void)core, (void)cycle;
    if (!tile->nothing_there)
        memcpy(value, tile->l1 + address % DEVICES_L1_BYTES, size);
    return !tile->nothing_there;
}

bool tile_core_store(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t value, uint64_t cycle)
{
    (void)core, (void)size, (void)cycle;
    tile->stored_address = address;
    tile->stored_value = value;
    return !tile->nothing_there;
}

void tile_core_set_breakpoints(struct tile *tile, unsigned core, bool any)
{
    tile->core[core].breakpoints = any;
}

void tile_core_set_slow_mode(struct tile *tile, unsigned core, bool on, uint64_t cycle)
{
    (void)cycle;
    tile->core[core].slow_mode = on;
}

void tile_tag_search_changes(struct tile *tile, uint64_t cycle)
{
    (void)tile, (void)cycle;
}

void tile_invalidate_instruction_cache(struct tile *tile, unsigned core_mask, uint64_t cycle)
{
    (void)cycle;
    tile->invalidated |= core_mask;
}

const uint8_t *tile_l1(const struct tile *tile)
{
    return tile->l1;
}

bool tile_l1_write(struct tile *tile, uint32_t address, const void *data, unsigned size, uint64_t cycle)
{
    (void)cycle;
    assert_true(address + size <= DEVICES_L1_BYTES);
    memcpy(tile->l1 + address, data, size);
    return true;
}

uint8_t *tile_l1_unheeded(struct tile *tile, uint32_t address, unsigned size)
{
    assert_true(address + size <= DEVICES_L1_BYTES);
    return tile->l1 + address;
}

/* Packets: a stack of blocks, and the list of those that were sent. */
noc_packet *tile_noc_packet(const struct tile *tile, packet_ref ref)
{
    return ref < FAKE_PACKETS ? (noc_packet *)(void *)tile->packet[ref] : NULL;
}

noc_packet *tile_noc_new(struct tile *tile, uint32_t bytes, packet_ref *ref)
{
    assert_true(bytes <= NOC_MAX_PAYLOAD);
    for (*ref = 0; *ref < FAKE_PACKETS; ++*ref) {
        if (!tile->packet[*ref]) {
            tile->packet[*ref] = calloc(1, sizeof(noc_packet) + bytes);
            return tile_noc_packet(tile, *ref);
        }
    }
    *ref = NO_PACKET;
    return NULL;
}

bool tile_local_word(const struct tile *tile, uint32_t address, uint32_t *value)
{
    (void)tile, (void)address, (void)value;
    return false;
}

bool tile_set_local_word(struct tile *tile, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)address, (void)value, (void)cycle;
    return false;
}

uint64_t tile_unit_turn(struct tile *tile, uint32_t address, bool store, uint64_t cycle)
{
    (void)tile, (void)address, (void)store;
    return cycle;
}

uint64_t tile_meeting(struct tile *tile, uint32_t address, uint64_t cycle)
{
    (void)tile, (void)address;
    return cycle;
}

void tile_noc_release(struct tile *tile, packet_ref ref)
{
    free(tile->packet[ref]);
    tile->packet[ref] = NULL;
}

enum host_acts tile_host_acts(struct tile *tile, enum host_acts acts)
{
    const enum host_acts was = tile->host;
    tile->host = acts;
    return was;
}

void tile_noc_serves(struct tile *tile, const noc_packet *packet)
{
    tile->served = packet;
}

/* Nothing waits here: tests call niu_event in every cycle that niu_next_event names. */
void tile_noc_catch_up(struct tile *tile, uint64_t cycle)
{
    (void)tile, (void)cycle;
}

void tile_noc_mode_changes(struct tile *tile, unsigned noc, unsigned was, uint64_t cycle)
{
    (void)tile, (void)noc, (void)was, (void)cycle;
}

void tile_noc_send(struct tile *tile, packet_ref ref, uint64_t cycle)
{
    assert_true(tile->sent < FAKE_PACKETS && tile_noc_packet(tile, ref)->cycle == cycle);
    tile->sent_ref[tile->sent++] = ref;
}

void tile_fault(struct tile *tile, kerr_fault_kind kind, unsigned client, uint32_t address, uint64_t cycle,
                const char *manual, const char *text, ...)
{
    (void)address, (void)cycle, (void)manual;
    tile->fault_asker =
        client == CLIENT_NOC && tile->served && noc_has_asker(tile->served) ? 1u + tile->served->initiator_core : 0;
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(tile->fault_text, sizeof tile->fault_text, text, arguments);
    va_end(arguments);
    tile->fault_kind = kind;
    tile->faults++;
}

uint64_t tile_random(const struct tile *tile, uint32_t unit, uint64_t n)
{
    (void)tile, (void)unit;
    return 1000003 * n + 77;
}

/* ---- For the tests ---- */

static inline int fake_setup(void **state)
{
    struct tile *tile = aligned_alloc(_Alignof(struct tile), sizeof *tile);
    if (!tile)
        return -1;
    memset(tile, 0, sizeof *tile);
    tile->l1 = calloc(1, DEVICES_L1_BYTES);
    if (!tile->l1) {
        free(tile);
        return -1;
    }
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++)
        tile->core[i].in_reset = true;
    devices_set_kind(&tile->dev, KERR_TILE_TENSIX);
    devices_set_position(&tile->dev, 3, 4);
    devices_reset(&tile->dev);
    tensix_files_power_on(&tile->files);
    tile_lend(&tile->lent, tile); /* nothing is kept */
    tile->lent.vector_cache = &tile->vector_cache;
    *state = tile;
    return 0;
}

static inline int fake_teardown(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < FAKE_PACKETS; i++)
        free(tile->packet[i]);
    free(tile->l1);
    free(tile);
    return 0;
}

/* Reads that must answer at once. */
static inline uint32_t rd_at(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle)
{
    uint32_t value = 0xDEADBEEF;
    assert_int_equal(devices_read(tile, client, address, 4, cycle, &value), DEV_OK);
    return value;
}

/* Accesses that do not say when have a cycle of their own: the Configuration Unit takes one in each. */
static inline void another_cycle(struct tile *tile)
{
    tile->dev.tensix.config_unit = (struct tensix_config_unit){0};
}

static inline uint32_t rd(struct tile *tile, unsigned client, uint32_t address)
{
    another_cycle(tile);
    return rd_at(tile, client, address, 100);
}

static inline void wr_at(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    assert_int_equal(devices_write(tile, client, address, 4, value, cycle), DEV_OK);
}

static inline void wr(struct tile *tile, unsigned client, uint32_t address, uint32_t value)
{
    another_cycle(tile);
    wr_at(tile, client, address, value, 100);
}

/* Accesses with another outcome. */
static inline dev_result try_rd(struct tile *tile, unsigned client, uint32_t address)
{
    uint32_t value;
    another_cycle(tile);
    return devices_read(tile, client, address, 4, 100, &value);
}

static inline dev_result try_wr(struct tile *tile, unsigned client, uint32_t address, uint32_t value)
{
    another_cycle(tile);
    return devices_write(tile, client, address, 4, value, 100);
}

static inline uint32_t pk(const struct tile *tile, unsigned client, uint32_t address)
{
    uint32_t value = 0xDEADBEEF;
    assert_true(devices_peek(tile, client, address, &value, 100));
    return value;
}

static inline uint32_t l1_word(const struct tile *tile, uint32_t address)
{
    uint32_t value;
    memcpy(&value, tile->l1 + address, 4);
    return value;
}

static inline void set_l1_word(struct tile *tile, uint32_t address, uint32_t value)
{
    memcpy(tile->l1 + address, &value, 4);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
#define RUN(tests) cmocka_run_group_tests(tests, NULL, NULL)

#endif
