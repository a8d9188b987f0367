/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as people write them into variables of the environment: decimal, or hexadecimal behind 0x, and nothing else. */
#ifndef KERR_BASE_TEXT_NUMBER_H
#define KERR_BASE_TEXT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* False, and *value untouched, if it is no number or a larger one. */
static inline bool text_number(const char *text, uint64_t most, uint64_t *value)
{
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const uint64_t base = hexadecimal ? 16 : 10;
    uint64_t sum = 0;
    text += hexadecimal ? 2 : 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        const char small = (char)(*text | 0x20);
        const uint64_t digit = *text >= '0' && *text <= '9'   ? (uint64_t)(*text - '0')
                               : small >= 'a' && small <= 'f' ? (uint64_t)(small - 'a' + 10)
                                                              : 16;
        if (digit >= base || __builtin_mul_overflow(sum, base, &sum) || __builtin_add_overflow(sum, digit, &sum)) {
            return false;
        }
    }
    if (sum > most) {
        return false;
    }
    *value = sum;
    return true;
}

#endif
