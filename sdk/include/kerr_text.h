/* SPDX-License-Identifier: Apache-2.0 */
/* Text in L1 for the host to print: the smallest thing that deserves the name of an output. */
#ifndef KERR_TEXT_H
#define KERR_TEXT_H

#include <stdint.h>

/* A buffer in L1.  What does not fit is dropped; the text always ends in a zero byte. */
typedef struct kerr_text {
    char *next, *last; /* last: the place of the final zero */
} kerr_text;

static inline kerr_text kerr_text_at(uint32_t address, uint32_t size)
{
    char *start = (char *)(uintptr_t)address;
    *start = 0;
    return (kerr_text){start, start + size - 1};
}

static inline void kerr_text_char(kerr_text *text, char c)
{
    if (text->next < text->last) {
        *text->next++ = c;
        *text->next = 0;
    }
}

static inline void kerr_text_put(kerr_text *text, const char *string)
{
    while (*string)
        kerr_text_char(text, *string++);
}

static inline void kerr_text_number(kerr_text *text, uint32_t number)
{
    char digits[10];
    unsigned count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (count)
        kerr_text_char(text, digits[--count]);
}

#endif /* KERR_TEXT_H */
