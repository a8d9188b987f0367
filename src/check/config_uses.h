/* SPDX-License-Identifier: Apache-2.0 */
/* Which bits of Config an instruction reads while it executes: those of fields that isa/cfg.regs says its unit uses, less those of
 * the other unpacker, of other contexts and of modes that are off. */
#ifndef KERR_CHECK_CONFIG_USES_H
#define KERR_CHECK_CONFIG_USES_H

#include <stdbool.h>
#include <stdint.h>

struct tensix_step;

/* What the bits depend on.  Told before the instruction is executed, which counts contexts on. */
struct config_reader {
    uint8_t reader;  /* enum cfg_reader, CFG_READERS: it reads none */
    uint8_t bank;    /* of Config */
    uint8_t which;   /* unpacker */
    uint8_t context; /* of an unpacker or the packer */
    uint8_t flags;   /* CONFIG_* */
};
enum {
    CONFIG_MULTI = 1,           /* unpackers: contexts are used */
    CONFIG_CONTEXT_FORMATS = 2, /* unpackers: which have formats of their own */
    CONFIG_SRCA_FORMAT = 4,     /* the Matrix Unit takes it from Config, not from the bank */
    CONFIG_SRCB_FORMAT = 8,     /* the same, and the Vector Unit if its instruction says so */
    CONFIG_SOURCES = 16,        /* the Matrix Unit computes */
    CONFIG_DESCALES = 32,       /* the packer has a table of shifts */
};
struct config_reader config_reader_of(const struct tensix_step *s);

/* Bits of a word that it reads; and those of them that the packer does not read when the instruction starts, but at some time
 * before it ends. */
uint32_t config_bits_read(const struct config_reader *r, unsigned word);
uint32_t config_bits_late(const struct config_reader *r, unsigned word);

#endif
