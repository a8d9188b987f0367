/* SPDX-License-Identifier: Apache-2.0 */
/* A debugger's view of a chip: what gdb's remote protocol asks and is answered.  Knows no socket: a packet comes in, a reply goes
 * out (gdb_handle), so that tests and the fuzzer need none.
 *
 * Inferiors are tiles, threads are cores: process 1 + x + 17 * y, thread 1 + kerr_core.  All cores run in one time, so to let one go
 * on is to let all go on (all-stop).  How time passes is the caller's: gdb_time.h. */
#ifndef KERR_GDB_SESSION_H
#define KERR_GDB_SESSION_H

#include "gdb_time.h"
#include "kerr.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GDB_POINTS_MAX = 64 };

typedef struct gdb_point {
    char type; /* as in Z: '0' to '4'; 0: free */
    kerr_xy at;
    uint32_t address, size;
    bool watched;   /* by a kerr_watch: a write of anybody to L1 */
    uint32_t watch; /* its id */
} gdb_point;

/* Text that grows. */
typedef struct gdb_text {
    char *data;
    size_t size, room;
    bool failed; /* no memory: it is cut */
} gdb_text;
void gdb_add(gdb_text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gdb_add_bytes(gdb_text *to, const void *data, size_t size);
void gdb_add_hex(gdb_text *to, const void *data, size_t size);

/* The ELF files of a tile's cores, for gdb to find by itself: the first is the executable of the tile's inferior, the others are
 * libraries of it, whose addresses are as they were linked. */
typedef struct gdb_programs {
    /* Of a tile, each once; an absolute path, that lives as long as the session.  NULL: there are no more. */
    const char *(*path)(void *context, kerr_xy at, unsigned index);
    /* The bytes of one of them, for the caller to free. */
    bool (*read)(void *context, const char *path, char **data, size_t *size);
    void *context;
} gdb_programs;

enum { GDB_FILES = 1024, GDB_PROCESSES = KERR_GRID_X * KERR_GRID_Y + 1 };

typedef struct gdb_session {
    kerr_chip *chip;              /* the caller's */
    const gdb_programs *programs; /* or NULL */
    const gdb_time *time;
    void *time_context;
    gdb_thread general, running; /* of Hg, and of what stopped last or goes on */
    uint32_t only;               /* the process that gdb has let go on; 0: all */
    gdb_point point[GDB_POINTS_MAX];
    gdb_text reply;
    gdb_text told; /* for the console, before the reply; sent as O packets */
    gdb_text xml;  /* what qXfer reads in pieces */
    struct {
        char *data; /* NULL: not open */
        size_t size;
    } file[GDB_FILES];             /* that gdb reads */
    bool detached[GDB_PROCESSES];  /* gdb has let go of the tile */
    bool libraries[GDB_PROCESSES]; /* gdb has been told of those of the tile */
    char stop[128];
    uint32_t findings;  /* that gdb has been told of */
    bool no_ack_wanted; /* QStartNoAckMode has come */
    bool gone;          /* the chip is no more */
    bool over;          /* detached or killed, or the chip is gone */
} gdb_session;

void gdb_begin(gdb_session *s, kerr_chip *chip, const gdb_time *time, void *time_context);
void gdb_end(gdb_session *s);
/* Answers a packet into s->reply (empty: not known, as the protocol wants it). */
void gdb_handle(gdb_session *s, const char *packet, size_t size);
/* Packets of a connection until it ends, gdb_serve.c. */
struct gdb_line;
void gdb_serve(gdb_session *s, struct gdb_line *line);
uint64_t gdb_now(const gdb_session *s);
bool gdb_is_idle(const kerr_chip *chip);

/* gdb_threads.c */
uint32_t gdb_process(kerr_xy at);
bool gdb_thread_of(uint32_t process, uint32_t thread, gdb_thread *made);
/* Those that are out of reset, in order; the first core of the first tile if none is.  False: there are no more. */
bool gdb_next_thread(const kerr_chip *chip, gdb_thread *at, bool *begun);
void gdb_threads_xml(gdb_session *s, gdb_text *to);
void gdb_describe(gdb_session *s, const gdb_thread *of, char *text, size_t size);

/* gdb_files.c */
void gdb_exec_file(const gdb_session *s, uint32_t process, gdb_text *to);
void gdb_libraries_xml(const gdb_session *s, bool svr4, gdb_text *to);
void gdb_file_packet(gdb_session *s, const char *packet);
/* A tile whose libraries gdb has not read yet, of all or of this process. */
bool gdb_new_libraries(gdb_session *s, uint32_t only, gdb_thread *of);

/* gdb_xml.c */
void gdb_target_xml(gdb_text *to);
void gdb_memory_xml(const gdb_session *s, gdb_text *to);

/* gdb_registers.c: numbers are those of gdb_target_xml. */
enum { GDB_PC = 32, GDB_F0 = 33, GDB_CSR = 65, GDB_V0 = 4162, GDB_REGISTERS = GDB_V0 + 32 };
/* Hex digits of the register, x's where the core has none; false: no such number. */
bool gdb_register_get(const gdb_session *s, uint32_t number, gdb_text *to);
bool gdb_register_set(gdb_session *s, uint32_t number, const uint8_t *bytes, size_t size);

/* gdb_run.c: continue, step and their ways back; the stop reply. */
void gdb_run(gdb_session *s, const char *packet);
void gdb_run_back(gdb_session *s, bool step);
bool gdb_point_add(gdb_session *s, char type, uint32_t address, uint32_t size);
bool gdb_point_remove(gdb_session *s, char type, uint32_t address, uint32_t size);

/* gdb_monitor.c: a line that somebody typed behind `monitor`. */
void gdb_monitor(gdb_session *s, const char *line, gdb_text *to);

#endif
