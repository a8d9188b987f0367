/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a trace for the Perfetto UI (https://ui.perfetto.dev): a protobuf message Trace of TracePackets, as
 * google/perfetto's protos/perfetto/trace describes them.  Only the few fields that are used are known here.
 *
 * Knows nothing of chips: tracks, slices and instants with a time in cycles, which becomes nanoseconds at 1.35 GHz:
 * ns = floor(cycle * 20 / 27), exact for every 27th cycle and never more than one too few.  Every event also has its cycle,
 * as the annotation "cycle".  Events of one track are to be given in order of time; tracks are independent. */
#ifndef KERR_TOOLS_PERFETTO_H
#define KERR_TOOLS_PERFETTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PERFETTO_DETAILS = 4 };

/* One annotation of an event. */
typedef struct perfetto_detail {
    const char *name; /* a literal; NULL: none */
    const char *text; /* or NULL: number */
    uint64_t number;
} perfetto_detail;

typedef struct perfetto_event {
    uint64_t track;
    uint64_t cycle;
    const char *name;          /* of a slice's begin, or an instant */
    uint64_t flow, arrives[2]; /* an arrow begins here, arrows end here; 0: none */
    perfetto_detail detail[PERFETTO_DETAILS];
} perfetto_event;

typedef struct perfetto_name {
    char *text;
    uint32_t iid;
} perfetto_name;

typedef struct perfetto {
    FILE *file;
    bool failed; /* out of memory, or the file could not be written */
    uint32_t name_count, name_room;
    perfetto_name *names; /* open hash table, name_room places, a power of two */
    const char *details[16];
    uint32_t detail_count;
    uint64_t last_track, last_flow;
    uint64_t packets;
} perfetto;

/* The file stays the caller's. */
bool perfetto_begin(perfetto *p, FILE *file);
/* False: something was not written, errno may say why. */
bool perfetto_end(perfetto *p);

/* Tracks belong to a process, which the UI shows as a group.  rank: order among its siblings. */
uint64_t perfetto_process(perfetto *p, const char *name, unsigned pid);
uint64_t perfetto_track(perfetto *p, uint64_t process, const char *name, unsigned rank);

void perfetto_slice_begin(perfetto *p, const perfetto_event *event);
void perfetto_slice_end(perfetto *p, uint64_t track, uint64_t cycle);
void perfetto_instant(perfetto *p, const perfetto_event *event);
/* A number for `flow`. */
uint64_t perfetto_new_flow(perfetto *p);

#endif
