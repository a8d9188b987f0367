/* SPDX-License-Identifier: Apache-2.0 */
/* What one `kerr run` is to do, whether it came from the command line or from a YAML job file. */
#ifndef KERR_TOOLS_JOB_H
#define KERR_TOOLS_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "kerr.h"
#include "kerr_findings.h"
#include "place.h"
#include "tool_error.h"

enum { JOB_LIST_MAX = 4096, JOB_THREADS_MAX = 64, JOB_FILE_MAX = 1 << 20 };

enum { JOB_IDLE_MAX = 16 };
typedef struct job_program {
    char *elf;
    tile_set tiles;
    core_set cores;
    bool has_entry;
    uint32_t entry;
    char *idle[JOB_IDLE_MAX]; /* where its cores may stay for good: SYMBOL, ADDRESS or ADDRESS+SIZE */
    size_t idle_count;
} job_program;

/* One of file, words and fill: file != NULL; words != NULL; else fill. */
typedef struct job_preload {
    tile_set tiles;
    uint64_t address;
    char *file;
    uint32_t *words;
    size_t word_count;
    uint32_t fill;
    uint64_t size; /* bytes of fill */
} job_preload;

/* What L1 holds there, for checks. */
typedef struct job_buffer {
    tile_set tiles;
    uint64_t address, size;
    uint32_t format;
} job_buffer;

typedef enum job_dump_format {
    DUMP_TO_FILE,
    DUMP_TO_HEX,
    DUMP_TO_WORDS,
    DUMP_TO_RISCV,
    DUMP_TO_TENSIX,
} job_dump_format;
/* "hex", "words", "riscv" or "tensix"; false for anything else. */
bool job_dump_format_by_name(const char *name, job_dump_format *format);

typedef struct job_dump {
    tile_set tiles;
    bool has_core; /* the address is this core's own */
    kerr_core core;
    uint64_t address, size;
    job_dump_format format;
    char *file;
} job_dump;

/* Holds if it holds on every one of the tiles (and cores). */
typedef struct job_until {
    kerr_until_kind kind;
    tile_set tiles;
    core_set cores;
    uint32_t address, mask, value;
} job_until;

typedef struct job {
    kerr_config config; /* threads, seed */
    kerr_policies policies;
    uint32_t checks; /* mask of kerr_check */
    bool has_cycles;
    uint64_t cycles;
    uint32_t every;
    double timeout_seconds; /* 0: none */
    char *findings, *trace, *save, *save_start,
        *report; /* files that `kerr run` writes unless its line says otherwise, or NULL */
    job_program *programs;
    job_preload *preloads;
    job_buffer *buffers;
    job_dump *dumps;
    job_until *untils;
    size_t program_count, preload_count, buffer_count, dump_count, until_count;
} job;

void job_init(job *made);
void job_free(job *old);

/* Adds what a job file says.  On false the job may hold a part of it; nothing else has changed. */
bool job_read_file(job *to, const char *path, tool_error *error);
/* The same from memory; name is for messages and for the folder paths are relative to. */
bool job_read(job *to, const char *name, const char *data, size_t size, tool_error *error);

/* The forms of the command line. */
bool job_add_program(job *to, const char *text, tool_error *error);
bool job_add_preload(job *to, const char *text, tool_error *error);
bool job_add_buffer(job *to, const char *text, tool_error *error);
bool job_add_dump(job *to, const char *text, tool_error *error);
bool job_add_until(job *to, const char *text, tool_error *error);

/* For the two readers: one more item of a list, which is taken over only when they return true... */
bool job_push_program(job *to, const job_program *item, tool_error *error);
bool job_push_preload(job *to, const job_preload *item, tool_error *error);
bool job_push_buffer(job *to, const job_buffer *item, tool_error *error);
bool job_push_dump(job *to, const job_dump *item, tool_error *error);
bool job_push_until(job *to, const job_until *item, tool_error *error);
/* ... else it is theirs to free; and the checks that both make. */
void job_free_program(job_program *old);
void job_free_preload(job_preload *old);
void job_free_dump(job_dump *old);
bool job_add_idle(job_program *to, const char *text, tool_error *error);
bool job_check_word_address(uint32_t address, tool_error *error);
bool job_check_format(const char *name, uint32_t *format, tool_error *error);
bool job_check_dump_range(uint64_t address, uint64_t size, tool_error *error);

/* Tells the chip of the buffers, after kerr_set_checks; nothing to tell if memory is not checked. */
bool job_tell_buffers(const job *of, kerr_chip *chip, tool_error *error);

#endif
