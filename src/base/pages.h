/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is asked for ahead of its use. */
#ifndef KERR_BASE_PAGES_H
#define KERR_BASE_PAGES_H

#include <stddef.h>

/* Gives every page of a private mapping that [at, at + bytes) touches a frame of its own; what is in them stays.  A page that
 * is read first and written later shares the kernel's page of zeros in between, and leaving that one makes the kernel
 * interrupt all processors that run threads of this process: tens of microseconds, or milliseconds on a virtual machine whose
 * other processor is not running just then.  Best effort: without it everything works, only later. */
void pages_populate(void *at, size_t bytes);

#endif
