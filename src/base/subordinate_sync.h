/* SPDX-License-Identifier: Apache-2.0 */
/* How tt-metal's firmware tells cores of a tile to run kernels (tt_metal/hw/inc/hostdev/dev_msgs.h): a byte of L1 for each of NC, T0,
 * T1 and T2, written by RISCV B and, when its kernel is over, by the core. */
#ifndef KERR_BASE_SUBORDINATE_SYNC_H
#define KERR_BASE_SUBORDINATE_SYNC_H

enum {
    SYNC = 96 + 8, /* MEM_MAILBOX_BASE + offsetof(mailboxes_t, subordinate_sync) */
    SYNC_BYTES = 4,
    MSG_DONE = 0,
    MSG_LOAD = 1,
    MSG_CLEAR = 3, /* RUN_SYNC_MSG_INIT_SYNC_REGISTERS */
    MSG_GO = 0x80,
};

#endif
