/* SPDX-License-Identifier: Apache-2.0 */
/* Who lets time pass for a debugger.  A chip that belongs to the debugger alone is run by it, and has a past to go back to
 * (tools/gdb_past.h); one that a host program drives goes on only when that program's calls let it (attach/attach_gdb.h). */
#ifndef KERR_GDB_TIME_H
#define KERR_GDB_TIME_H

#include "kerr.h"

typedef struct gdb_thread {
    kerr_xy at;
    kerr_core core;
} gdb_thread;

typedef enum gdb_result {
    GDB_STOPPED = 0, /* at a stop, or at the cycle */
    GDB_INTERRUPTED,
    GDB_FAULTED, /* the chip has stopped */
    GDB_BEGIN,   /* there is nothing before */
    GDB_IDLE,    /* no core runs any more */
    GDB_GONE,    /* the chip is no more */
    GDB_BROKEN,  /* out of memory, or the chip refuses */
} gdb_result;

/* `index` of a hit that is none of the stops: a place that `watched` told of was written (pc: by which core, -1 somebody else);
 * the instruction of `step` is done. */
#define GDB_WATCHED (UINT32_MAX - 1)
#define GDB_STEPPED (UINT32_MAX - 2)

typedef struct gdb_time {
    /* Around each packet, if other threads use the chip too; false: it is no more.  Either may be NULL. */
    bool (*begin)(void *context);
    void (*end)(void *context);
    /* To the first stop after the present cycle. */
    gdb_result (*go_on)(void *context, const kerr_stop *stops, size_t count, kerr_stop_hit *hit);
    /* One instruction of that core, or to a stop that comes before it is done. */
    gdb_result (*step)(void *context, const gdb_thread *of, const kerr_stop *stops, size_t count, kerr_stop_hit *hit);
    /* To the last stop before the present cycle; to a cycle, forward or back.  NULL: this time does not go back. */
    gdb_result (*back)(void *context, const kerr_stop *stops, size_t count, kerr_stop_hit *hit);
    gdb_result (*go_to)(void *context, uint64_t cycle);
    /* The debugger has written to the chip; false: no memory.  NULL: it makes no difference. */
    bool (*changed)(void *context);
    /* A write to a watched place, from the function of a kerr_watch. */
    void (*watched)(void *context, uint64_t cycle, int core);
    /* Whether the debugger wants a long run to end. */
    bool (*interrupted)(void *context);
} gdb_time;

#endif
