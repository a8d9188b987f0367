/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of the NIU's registers (manual NoC/MemoryMap) and short ways to its words; for tile/niu.c and noc/niu_regs.c. */
#ifndef KERR_NOC_NIU_FIELDS_H
#define KERR_NOC_NIU_FIELDS_H

#include "noc/niu_state.h"
#include "noc/packet.h"
#include "noc_regs.h"

/* NOC_CTRL */
enum { NOC_CMD_RD = 0, NOC_CMD_AT = 1, NOC_CMD_WR = 2, NOC_CMD_TYPE = 3 };
#define NOC_CMD_WR_BE (1u << 2)
#define NOC_CMD_WR_INLINE (1u << 3)
#define NOC_CMD_RESP_MARKED (1u << 4)
#define NOC_CMD_BRCST_PACKET (1u << 5)
#define NOC_CMD_VC_LINKED (1u << 6)
#define NOC_CMD_VC_STATIC (1u << 7)
#define NOC_CMD_PATH_RESERVE (1u << 8)
#define NOC_CMD_STATIC_VC_SHIFT 13 /* buddy bit, then two class bits */
#define NOC_CMD_BRCST_XY (1u << 16)
#define NOC_CMD_BRCST_SRC_INCLUDE (1u << 17)
#define NOC_CMD_ARB_PRIORITY_SHIFT 27
#define NOC_CMD_L1_ACC_AT_EN (1u << 31)

/* NOC_PACKET_TAG */
#define TAG_TO_OVERLAY (1u << 6)
#define TAG_HEADER_STORE (1u << 9)
#define TAG_TRANSACTION_ID_SHIFT 10

/* NIU_CFG_0 */
#define CFG_REQUEST_FIFO (1u << 16)

/* NIU_TRANS_COUNT_RTZ_CFG */
#define RTZ_CFG_RC_DISABLE (1u << 28)

/* Virtual channel without the dateline bit: two class bits, one buddy bit (manual NoC/README). */
enum { CHANNEL_UNICAST = 0, CHANNEL_BROADCAST = 2 << 1, CHANNEL_RESPONSE = 3 << 1 };

static inline uint32_t *niu_cfg(struct niu *niu, uint32_t offset)
{
    return &niu->cfg[(offset - NIU_CFG_0) / 4];
}

static inline uint32_t *niu_counter(struct niu *niu, uint32_t offset)
{
    return &niu->counter[(offset - NIU_MST_ATOMIC_RESP_RECEIVED) / 4];
}

/* Counters of eight bits. */
static inline bool niu_is_narrow(uint32_t offset)
{
    return offset >= NIU_MST_REQS_OUTSTANDING_ID && offset < NIU_SLV_ATOMIC_RESP_SENT;
}

/* The data of an inline write rides in the header flit and counts as one at the receiver. */
static inline uint32_t niu_write_flits(const noc_packet *packet)
{
    if (packet->flags & NOC_INLINE)
        return 1;
    return noc_data_flits(packet->flags & NOC_BYTE_ENABLE ? packet->address & ~(uint64_t)15 : packet->address,
                          packet->length);
}

/* An acknowledged write, or a read with its response, of so many flits of data. */
static inline void niu_count_plain(struct niu *niu, bool is_write, uint32_t flits)
{
    if (is_write) {
        ++*niu_counter(niu, NIU_SLV_NONPOSTED_WR_REQ_STARTED);
        ++*niu_counter(niu, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED);
        *niu_counter(niu, NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED) += flits;
        ++*niu_counter(niu, NIU_SLV_WR_ACK_SENT);
    } else {
        ++*niu_counter(niu, NIU_SLV_REQ_ACCEPTED);
        ++*niu_counter(niu, NIU_SLV_RD_REQ_RECEIVED);
        ++*niu_counter(niu, NIU_SLV_RD_RESP_SENT);
        *niu_counter(niu, NIU_SLV_RD_DATA_WORD_SENT) += flits;
    }
}

#endif
