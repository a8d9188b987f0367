/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fast.h"

#include <string.h>

const fast_text fast_texts[FAST_MECHANISMS] = {
#define FAST(id, name, text) {name, text},
#include "base/fast.def"
#undef FAST
};

/* The bits that a name stands for; 0: there is no such name. */
static uint32_t bits_of(const char *name, size_t length)
{
    for (unsigned i = 0; i < FAST_MECHANISMS; i++) {
        if (strlen(fast_texts[i].name) == length && memcmp(fast_texts[i].name, name, length) == 0) {
            return UINT32_C(1) << i;
        }
    }
    return 0;
}

static bool is_word(const char *piece, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(piece, word, length) == 0;
}

bool fast_parse(const char *text, uint32_t *without, const char **bad, size_t *length)
{
    uint32_t off = 0;
    for (const char *piece = text;; piece += *length + 1) {
        *length = strcspn(piece, ",");
        *bad = piece;
        if (is_word(piece, *length, "none")) {
            off = FAST_ALL;
        } else if (is_word(piece, *length, "all")) {
            off = 0;
        } else {
            const bool sign = *piece == '-' || *piece == '+';
            const uint32_t named = bits_of(piece + sign, *length - sign);
            if (named == 0) {
                return false;
            }
            off = *piece == '-' ? off | named : off & ~named;
        }
        if (piece[*length] == '\0') {
            *without = off;
            return true;
        }
    }
}
