/* SPDX-License-Identifier: Apache-2.0 */
/* The four functions that gcc calls by itself, so that kernels need no C library.  Byte by byte: the store
 * queue joins neighbouring stores anyway.  kerr-cc compiles this file without turning the loops back into
 * calls of themselves. */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    while (size--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f)
        return memcpy(to, from, size);
    while (size--)
        t[size] = f[size];
    return to;
}

void *memset(void *to, int value, size_t size)
{
    unsigned char *t = to;
    while (size--)
        *t++ = (unsigned char)value;
    return to;
}

int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *l = left, *r = right;
    for (; size; size--, l++, r++) {
        if (*l != *r)
            return *l - *r;
    }
    return 0;
}
