/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions as lines of text, for kerr dis and for dumps. */
#ifndef KERR_TOOLS_LISTING_H
#define KERR_TOOLS_LISTING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Whose instruction a word is. */
typedef enum listing_kind { LISTING_RISCV, LISTING_TENSIX } listing_kind;

/* Prints the word and its text; a baby core's .ttinsn with the Tensix instruction it pushes.  False if the word, or what it
 * pushes, is no instruction. */
bool listing_word(FILE *to, uint64_t address, uint32_t word, listing_kind kind);
/* "address: " before it, and a line end. */
bool listing_line(FILE *to, uint64_t address, uint32_t word, listing_kind kind);

#endif
