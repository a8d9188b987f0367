/* SPDX-License-Identifier: Apache-2.0 */
/* The two NIUs of a tile: requests, and what a packet does on arrival.  Registers and counters are noc/niu.h; what a core or a packet
 * reaches by address is declared in tile/blocks.h (niu_read, niu_write, niu_peek, niu_poke).
 *
 * Time: a store of 1 to NOC_CMD_CTRL at cycle c queues the initiator.  It is injected at max(c + COST_NOC_ISSUE, port
 * free, hold), which is when the virtual channel is assigned: counters, NOC_CMD_CTRL back to 0, and the data read from
 * L1 into the packet.  The port is then busy for 1 + data flits cycles.  Responses share it. */
#ifndef KERR_TILE_NIU_H
#define KERR_TILE_NIU_H

#include "noc/niu.h"

struct tile;
struct devices;

/* The same but for the end of a write's data, which moves a counter and nothing else. */
uint64_t niu_next_but_counts(const struct devices *dev);
/* That the data of a write has left is counted, if it has by `cycle`. */
void niu_catch_up(struct tile *tile, uint64_t cycle);
/* Injects what is due at `cycle`, which is not before niu_next_event. */
void niu_event(struct tile *tile, uint64_t cycle);
/* A packet takes effect here.  The NIU holds it from now on. */
void niu_deliver(struct tile *tile, packet_ref ref, uint64_t cycle);
/* The acknowledgement of a write of this transaction id, or a word of niu_bank_request or _response. */
void niu_acknowledged(struct tile *tile, unsigned noc, uint32_t what, uint64_t cycle);
/* Back-pressure: nothing is injected before `until`. */
void niu_hold(struct devices *dev, unsigned noc, bool responses, uint64_t until);
/* A finished packet, data included, that is sent when it is its turn, not before `ready` (responses, the overlay). */
void niu_queue_packet(struct tile *tile, unsigned noc, packet_ref ref, uint64_t ready);

#endif
