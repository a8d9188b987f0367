/* SPDX-License-Identifier: Apache-2.0 */
/* One NoC interface unit: its registers and counters.  Manual NoC/MemoryMap, NoC/Counters, NoC/Interrupts.
 *
 * It needs no tile and serves nodes without cores (PCIe, ARC, L2CPU, security, empty) too; offsets count from NIU_BASE, see
 * isa/noc.regs.  What the NIUs of a tile do with requests and packets is tile/niu.h. */
#ifndef KERR_NOC_NIU_H
#define KERR_NOC_NIU_H

#include "noc/niu_state.h"
#include "noc/packet.h"

typedef enum niu_access {
    NIU_OK,
    NIU_NOTHING, /* no such register */
    NIU_START,   /* NOC_CMD_CTRL was written with bit 0 set: nothing done yet */
    NIU_BUSY,    /* done, but to an initiator whose request has not been injected yet */
} niu_access;

/* Power-on state of the NIU of NoC `noc` at NoC 0 coordinates x, y. */
void niu_reset(struct niu *niu, unsigned noc, unsigned x, unsigned y);

/* As hardware: NIU_TRANS_COUNT_RTZ_NUM may clear a bit. */
niu_access niu_reg_read(struct niu *niu, uint32_t offset, uint32_t *value);
niu_access niu_reg_write(struct niu *niu, uint32_t offset, uint32_t value);
/* The most frequent write: to a register of an initiator with nothing under way.  False: something else, nothing done. */
static inline bool niu_store(struct niu *niu, uint32_t offset, uint32_t value)
{
    enum { PACKET_TAG = 0x18 / 4 };
    struct niu_initiator *initiator = &niu->initiator[offset >> 11 & (NIU_INITIATORS - 1)];
    const uint32_t word = (offset & 0x7FF) / 4;
    if (offset >> 11 >= NIU_INITIATORS || word >= NIU_INITIATOR_WORDS || initiator->busy)
        return false;
    initiator->reg[word] = word == PACKET_TAG ? value & 0xFFFF : value;
    return true;
}
/* As a debugger.  Counters may be poked, identification and NOC_CMD_CTRL may not. */
bool niu_reg_peek(const struct niu *niu, uint32_t offset, uint32_t *value);
bool niu_reg_poke(struct niu *niu, uint32_t offset, uint32_t value);

/* The level of the IRQ to the PIC. */
bool niu_irq(const struct niu *niu);

/* ROUTER_CFG_1 and ROUTER_CFG_3: this node takes broadcasts. */
bool niu_takes_broadcasts(const struct niu *niu);

/* What packets look at before they are here: enum noc_mode.  NOC_SHOWS_BANK means something in DRAM tiles only. */
unsigned niu_mode(const struct niu *niu);

/* Counters of a packet of any kind that arrives here, all at once at the cycle in which it takes effect. */
void niu_count_arrival(struct niu *niu, const noc_packet *packet);
/* The same of an acknowledgement. */
void niu_count_ack(struct niu *niu, unsigned transaction_id);
/* Counters of the response to a read, when it is injected.  (Those to writes and atomics count on arrival.) */
void niu_count_read_response(struct niu *niu, const noc_packet *response);

/* The same of what the bank behind a DRAM tile gets and answers, which its NIU does not see otherwise: one word for
 * noc_entry.value, which is no transaction id.  The response is one to a read. */
uint32_t niu_bank_request(const noc_packet *request);
uint32_t niu_bank_response(const noc_packet *response);
enum { NIU_BANK_COUNT = 1 << 30 }; /* set in these */
void niu_count_bank(struct niu *niu, uint32_t word);

/* Fills the response to a read or an atomic: all but data and immediate. */
void niu_make_response(struct niu *niu, const noc_packet *request, noc_packet *response);

#endif
