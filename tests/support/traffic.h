/* SPDX-License-Identifier: Apache-2.0 */
/* Random traffic over both NoCs: programs for RISCV B and NC of Tensix tiles and both cores of Ethernet tiles, and a
 * plain model that says what memory, registers and counters must be when all of them have ended.
 *
 * Time goes in phases.  Within a phase a byte is read by any number of requests, or written by one, or added to by
 * atomics that commute; then every core waits for what it has asked for and for posted requests that come to its tile, and
 * all of them meet at a barrier (an atomic to the first tile, a write back).  So the result does not depend on time, and
 * the model need not know any.  A `racy` plan leaves the rule about bytes out: its programs end just the same, but what
 * they leave behind depends on every cycle.  T0, T1 and T2 look on in the same tiles, polling, storing and noting when they
 * saw what, and requests reach for streams, local RAMs, pc snapshots and T1's reset too.
 *
 * The model is written from the manual (NoC/MemoryMap, Counters, Atomics) and shares nothing with src/. */
#ifndef KERR_TESTS_TRAFFIC_H
#define KERR_TESTS_TRAFFIC_H

#include "chip.h"

#include <stdbool.h>

enum {
    TRAFFIC_TENSIX = 140,
    TRAFFIC_ETH = 12, /* those with a translated name */
    TRAFFIC_BANKS = 8,
    TRAFFIC_DRAM_TILES = 24, /* their L1 */
    TRAFFIC_MEMORIES = TRAFFIC_TENSIX + TRAFFIC_ETH + TRAFFIC_BANKS + TRAFFIC_DRAM_TILES,
    TRAFFIC_BYTES = 0x18000, /* of each memory */
    TRAFFIC_CONTROL = 0x1E000,
    TRAFFIC_DATA = 0x20000, /* in L1 */
    TRAFFIC_AGENTS = 48,
    TRAFFIC_COUNTERS = 62,
    TRAFFIC_REGISTERS = 4, /* of the last initiator of each NIU, used as plain words */
    TRAFFIC_DONE = 0x600D,
};

typedef struct traffic_options {
    uint64_t seed;
    unsigned tiles, phases, requests; /* tiles with programs; requests of a core in a phase */
    bool racy;
    bool faulty;    /* racy ones only: some requests are wrong, and the chip must go on */
    bool reference; /* only what the vendor's simulator takes */
} traffic_options;

/* Where a memory is: coordinates of the grid, and the name that requests use. */
typedef struct traffic_place {
    kerr_xy at;
    uint32_t name; /* x | y << 6 */
    uint64_t base; /* of the modelled bytes */
} traffic_place;

typedef struct traffic_agent {
    unsigned memory; /* of its tile */
    kerr_core core;
    bool alone; /* no other agent in this tile */

    rvasm *code;
} traffic_agent;

typedef struct traffic traffic;

traffic *traffic_new(const traffic_options *options);
void traffic_free(traffic *t);
unsigned traffic_agents(const traffic *t);
const traffic_agent *traffic_agent_at(const traffic *t, unsigned i);
/* Port 0..2 of a bank; else 0. */
traffic_place traffic_place_of(unsigned memory, unsigned port);
/* What a memory holds before and after; NULL: all zero. */
const uint8_t *traffic_before(const traffic *t, unsigned memory);
const uint8_t *traffic_after(const traffic *t, unsigned memory);
uint32_t traffic_counter(const traffic *t, kerr_xy at, unsigned noc, unsigned counter);
uint32_t traffic_register(const traffic *t, kerr_xy at, unsigned noc, unsigned i, uint32_t *address);
/* Where a core writes TRAFFIC_DONE at its end. */
uint32_t traffic_done_address(kerr_core core);
/* How many requests of each kind; the name of the i-th kind, NULL after the last. */
const char *traffic_kind(const traffic *t, unsigned i, unsigned *count);
const char *traffic_counter_name(unsigned counter);

/* On a chip of ours. */
void traffic_start(const traffic *t, kerr_chip *chip);
/* False: not ended after max_cycles, or faulted; *cycles is how long it took. */
bool traffic_run(const traffic *t, kerr_chip *chip, uint64_t max_cycles);
bool traffic_ended(const traffic *t, const kerr_chip *chip);
/* The number of differences; says what the first few are. */
unsigned traffic_compare(const traffic *t, const kerr_chip *chip);

#endif
