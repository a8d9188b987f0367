/* SPDX-License-Identifier: Apache-2.0 */
/* Tensix instructions as text, made from isa/tensix.isa: NAME FIELD=VALUE, FIELD=VALUE.  Disassembler (disasm.c) and
 * assembler (asm.c) are each other's inverse for every word whose opcode exists.  They know no chip. */
#ifndef KERR_TENSIX_TEXT_H
#define KERR_TENSIX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the text, cut to size with its 0 byte.  Fields that are zero are left out; reserved bits that are set come last,
 * as reserved=BITS, in their places in the word.  False, and ".word 0x..." is written, if the opcode does not exist. */
bool tensix_disassemble(uint32_t word, char *buffer, size_t size);

typedef struct tensix_text_error {
    uint32_t column; /* of the text, from 1 */
    char text[160];
} tensix_text_error;

/* Reads what tensix_disassemble writes: fields in any order, those that are missing are zero, values decimal or 0x
 * hexadecimal, negative ones for signed fields.  On false *word is unchanged and *error says where and why. */
bool tensix_assemble(const char *text, uint32_t *word, tensix_text_error *error);

#endif
