/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of tt-metal, by what its firmware keeps in L1: when they begin and end, and their circular buffers.
 *
 * mailboxes_t of the vendor's dev_msgs.h (0.77) stands at MEM_MAILBOX_BASE.  The layout is that of one version: what does not look
 * like it is taken for something else, and nothing is known then. */
#ifndef KERR_CHECK_LAUNCH_H
#define KERR_CHECK_LAUNCH_H

#include "check/check.h"

/* Nothing of it is at this address or behind it. */
enum { LAUNCH_END = 96 + 16 + 144 * 8 };

/* A core has loaded from below LAUNCH_END, or stores there: the store is the last in its queue. */
void launch_read(struct tile_check *check, uint32_t address);
void launch_written(struct tile_check *check, unsigned core, uint32_t address, unsigned size, uint64_t cycle);

/* Pages that a circular buffer has; 0: nobody knows. */
uint32_t launch_pages(const struct tile_check *check, unsigned id);

#endif
