/* SPDX-License-Identifier: Apache-2.0 */
/* The stream of a saved chip, for who writes it (snapshot.c) and who reads it (restore.c).
 *
 * A header; then for each tile what stands before the line "Derived" in struct tile, and its L1; the DRAM banks; tiles without cores;
 * routers; packets.  Memory is pages that are not zero, each behind its number, and an end mark. */
#ifndef KERR_CHIP_SNAPSHOT_H
#define KERR_CHIP_SNAPSHOT_H

#include "chip/chip.h"

#include "base/bits.h"

#include <string.h>

enum { SNAPSHOT_VERSION = 7, PAGE = 4096 };
#define STATE_FIRST offsetof(struct tile, core)
#define STATE_BYTES (offsetof(struct tile, environment) - STATE_FIRST)

typedef struct snapshot_header {
    char magic[8];
    uint32_t version, tile_count;
    uint64_t state_bytes, l1_bytes, passive_bytes;
    uint64_t seed, shake, now, stop_cycle;
} snapshot_header;

#define SNAPSHOT_MAGIC "KERRsnap" /* without the zero at its end */
enum { END_OF_REGION = UINT32_MAX & 0x7FFFFFFF };

/* Packets and events: where each is, then the packet.  A multicast is saved once for each receiver. */
enum {
    AT_PENDING = NOC_PORTS,
    AT_NIU_EVENTS,
    AT_ROUTER_EVENTS,
    AT_NIU,                              /* + 2 * tile + NoC: responses that wait */
    AT_ROUTER = AT_NIU + 2 * CHIP_TILES, /* + list of fabric_list */
    NOWHERE = AT_ROUTER + FABRIC_LISTS,  /* the end */
};

typedef struct packet_record {
    uint64_t cycle, order;
    uint32_t where, value;
    uint32_t has_packet, data_bytes;
    _Alignas(8) uint8_t packet[sizeof(noc_packet)];
} packet_record;

static inline bool snapshot_page_is_zero(const uint8_t *page)
{
    uint64_t any = 0;
    for (size_t i = 0; i < PAGE; i += 64) {
        uint64_t word[8];
        memcpy(word, page + i, sizeof word);
        any |= word[0] | word[1] | word[2] | word[3] | word[4] | word[5] | word[6] | word[7];
    }
    return any == 0;
}

/* Of what was restored (bools.c). */
bool tile_bools_are_sane(const struct tile *tile);
bool passive_bools_are_sane(const passive *p);
bool router_bools_are_sane(const noc_router *router);

#endif
