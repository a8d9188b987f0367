/* SPDX-License-Identifier: Apache-2.0 */
/* Random Tensix instruction streams for the three threads of a tile, the RISC-V programs that push them and copy what
 * is to be compared into L1, and what a plain sequential model of the manual's pages says must be there.
 *
 * A stream has one result whatever the timing: what a thread writes is its own, or is handed on under a semaphore, or
 * is changed under a mutex or by one atomic instruction in a way in which order does not matter.  It never uses a value
 * before the manual says that it is there.  It is made in an order in which no instruction would have to wait, which
 * is the order of the model; waits hold only until the one other thread that can end them does.
 *
 * Programs start at the cores' reset PCs.  The tile needs stream_before() at STREAM_L1 and zeros at STREAM_FLAGS; all
 * is over when the word at STREAM_DONE is STREAM_MARK. */
#ifndef KERR_TESTS_TENSIX_STREAM_H
#define KERR_TESTS_TENSIX_STREAM_H

#include "rvasm.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    STREAM_THREADS = 3,
    STREAM_FLAGS = 0x20000, /* 0x100 bytes */
    STREAM_DONE = STREAM_FLAGS,
    STREAM_MARK = 0x600d,
    STREAM_L1 = 0x40000, /* 1 KiB a thread and 64 bytes for all */
    STREAM_L1_THREAD_BYTES = 1024,
    STREAM_L1_SHARED = STREAM_THREADS * STREAM_L1_THREAD_BYTES,
    STREAM_L1_BYTES = STREAM_L1_SHARED + 64,
    STREAM_SEEN = 0x50000,
};

typedef struct stream_options {
    uint64_t seed;
    unsigned items;
    bool reference;  /* only what the vendor's simulator takes */
    unsigned riscvb; /* bit t: RISCV B pushes for thread t, behind the MOP Expander; else its T core does */
} stream_options;

typedef struct stream stream;
stream *stream_new(const stream_options *options);
void stream_free(stream *s);

/* 0 = RISCV B, 1..3 = RISCV T0..T2; NULL if the core stays in reset. */
const rvasm *stream_code(const stream *s, unsigned core);
const uint8_t *stream_before(const stream *s); /* STREAM_L1_BYTES for STREAM_L1 */
unsigned stream_instructions(const stream *s); /* that reach a Wait Gate, without the programs' own */
unsigned stream_count(const stream *s, unsigned opcode);

/* What to compare, in sections: words at an address of L1. */
typedef struct stream_section {
    const char *name;
    uint32_t address;
    unsigned words;
    const uint32_t *expected;
    uint32_t mask; /* the bits of each word that are compared */
} stream_section;
unsigned stream_sections(const stream *s);
const stream_section *stream_section_at(const stream *s, unsigned i);
/* "T1 GPR 17", for messages. */
void stream_word_name(const stream *s, unsigned section, unsigned word, char *text, size_t size);

/* What each thread is told, step by step, in the order of the model. */
void stream_print(const stream *s, FILE *f);

#endif
