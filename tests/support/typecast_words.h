/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of sdk/examples/typecast.h, for tests whose headers have names in common with the sdk's. */
#ifndef TESTS_SUPPORT_TYPECAST_WORDS_H
#define TESTS_SUPPORT_TYPECAST_WORDS_H

#include <stdbool.h>
#include <stdint.h>

struct typecast_words {
    const char *name;
    const uint32_t *setup, *block;
    unsigned setup_words, block_words, block_rows, drain, cycles;
    bool halves_in, halves_out;
};

enum { TYPECAST_WORDS_COUNT = 10 };
struct typecast_words typecast_words_of(unsigned kind, bool plain);
/* What the conversion makes of a datum: 16 bits are low in both; of bf16 all 32 bits of the float. */
uint32_t typecast_expected(unsigned kind, uint32_t x);

#endif
