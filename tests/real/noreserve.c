/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded under a library that reserves a card's whole memory with mmap: the pages are not counted before they are
 * touched, so that a process that holds them can be forked on a machine with less.  llk.py builds and uses it for REF. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if ((flags & MAP_ANONYMOUS) && size >= ((size_t)1 << 28))
        flags |= MAP_NORESERVE;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
