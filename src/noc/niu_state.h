/* SPDX-License-Identifier: Apache-2.0 */
/* State of one NoC interface unit: plain data without pointers and without padding, so that a snapshot is a copy.
 * Owned by struct devices (two of them) or by a node without cores; written only by tile/niu.c and noc/niu_regs.c. */
#ifndef KERR_NOC_NIU_STATE_H
#define KERR_NOC_NIU_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    NIU_INITIATORS = 4,
    NIU_INITIATOR_WORDS = 14, /* NOC_TARG_ADDR_LO .. NOC_SEC_CTRL */
    NIU_CFG_WORDS = 32,       /* NIU_CFG_0 .. NIU_TRANS_COUNT_RTZ_CLR */
    NIU_CFG_RTZ = 30,         /* NIU_TRANS_COUNT_RTZ_CFG: which transaction ids interrupt */
    NIU_COUNTER_WORDS = 62,
    NIU_FENCE_WORDS = 41,
    NIU_TRANSACTION_IDS = 16,
};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

/* One request initiator ("command buffer").  What stands below reg is settled by the write to NOC_CMD_CTRL. */
struct niu_initiator {
    uint32_t reg[NIU_INITIATOR_WORDS];
    uint64_t ready;                 /* cycle: not injected before */
    uint32_t pc;                    /* of the core that asked, for messages */
    uint8_t core;                   /* kerr_core, 0xFF: none */
    bool busy;                      /* bit 0 of NOC_CMD_CTRL */
    uint8_t destination, return_to; /* noc_node */
    uint8_t start_x, start_y;       /* rectangle, raw coordinates of this NoC */
    uint8_t end_x, end_y;
    bool continues; /* a transaction that has its path */
    uint8_t reserved[3];
};

struct niu {
    struct niu_initiator initiator[NIU_INITIATORS];
    uint64_t next_event;     /* cycle, UINT64_MAX: nothing waits */
    uint64_t port_free[2];   /* cycle in which the way into the router is free again, for requests and for responses */
    uint64_t hold[2];        /* nothing is injected before this cycle: niu_hold */
    uint64_t response_ready; /* cycle of the first packet of the list below */
    uint32_t response_first; /* packet_ref: responses that wait for the port, linked by noc_packet.next */
    uint32_t response_last;
    uint32_t counter[NIU_COUNTER_WORDS];
    uint32_t cfg[NIU_CFG_WORDS];
    uint32_t fence[NIU_FENCE_WORDS];
    uint32_t node_id, endpoint_id;
    uint32_t sequence;     /* packets sent */
    uint32_t linked_where; /* destination of the open transaction, see linked */
    uint16_t rtz_source;
    uint8_t queue[NIU_INITIATORS]; /* initiators that wait for a virtual channel, first one first */
    uint8_t queue_count;
    uint8_t outgoing;    /* transaction id + 1 of the write whose data is read until port_free; 0: none */
    uint8_t noc;         /* 0 or 1 */
    uint8_t node;        /* noc_node it belongs to */
    uint8_t fraction[2]; /* see noc_sending */
    bool linked;         /* NOC_CMD_VC_LINKED: the next request belongs to the same transaction */
    uint8_t linked_channel;
    uint8_t reserved[6];
};

#pragma GCC diagnostic pop

_Static_assert(sizeof(struct niu) <= 1024, "two in each of 204 nodes");

#endif
