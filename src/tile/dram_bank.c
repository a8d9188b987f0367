/* SPDX-License-Identifier: Apache-2.0 */
/* See dram_bank.h.
 *
 * OPEN: the bank's size.  The vendor's soc descriptor and kernel headers count 0xFF000000 bytes a bank, its host library
 * and the manual 4 GiB.  All 4 GiB are memory here; what shadows the top of them for requests over the NoC is decided in
 * dram_tile.c.  Would settle it: a read-back of the last 16 MiB on a card. */
#include "tile/dram_bank.h"

#include <string.h>
#include <sys/mman.h>

enum { BITMAP_BYTES = DRAM_PAGES / 8 };

bool dram_bank_create(struct dram_bank *bank)
{
    void *memory = mmap(NULL, DRAM_BANK_BYTES + BITMAP_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    madvise(memory, DRAM_BANK_BYTES + BITMAP_BYTES, MADV_NOHUGEPAGE);
    bank->memory = memory;
    bank->touched = (uint64_t *)(void *)((uint8_t *)memory + DRAM_BANK_BYTES);
    return true;
}

void dram_bank_destroy(struct dram_bank *bank)
{
    if (bank->memory != NULL) {
        munmap(bank->memory, DRAM_BANK_BYTES + BITMAP_BYTES);
    }
    bank->memory = NULL;
}

void dram_bank_clear(struct dram_bank *bank)
{
    madvise(bank->memory, DRAM_BANK_BYTES + BITMAP_BYTES, MADV_DONTNEED);
}

static bool within(uint64_t address, size_t size)
{
    return address <= DRAM_BANK_BYTES && size <= DRAM_BANK_BYTES - address;
}

static bool is_touched(const struct dram_bank *bank, uint64_t page)
{
    return bank->touched[page / 64] >> page % 64 & 1;
}

/* Bytes from `address` on, at most `size`, in pages that are all touched or all not, as the first. */
static size_t alike(const struct dram_bank *bank, uint64_t address, size_t size, bool touched)
{
    size_t part = DRAM_PAGE - address % DRAM_PAGE;
    while (part < size && is_touched(bank, (address + part) / DRAM_PAGE) == touched) {
        part += DRAM_PAGE;
    }
    return part < size ? part : size;
}

bool dram_bank_read(const struct dram_bank *bank, uint64_t address, void *data, size_t size)
{
    if (!within(address, size)) {
        return false;
    }
    for (uint8_t *out = data; size != 0;) {
        const bool touched = is_touched(bank, address / DRAM_PAGE);
        const size_t part = alike(bank, address, size, touched);
        if (touched) {
            memcpy(out, bank->memory + address, part);
        } else {
            memset(out, 0, part);
        }
        out += part;
        address += part;
        size -= part;
    }
    return true;
}

bool dram_bank_write(struct dram_bank *bank, uint64_t address, const void *data, size_t size)
{
    if (!within(address, size)) {
        return false;
    }
    if (size == 0) {
        return true;
    }
    for (uint64_t page = address / DRAM_PAGE; page <= (address + size - 1) / DRAM_PAGE; page++) {
        bank->touched[page / 64] |= UINT64_C(1) << page % 64;
    }
    memcpy(bank->memory + address, data, size);
    return true;
}

uint32_t dram_bank_next_page(const struct dram_bank *bank, uint32_t from)
{
    for (uint32_t word = from / 64; word < DRAM_PAGES / 64; word++) {
        uint64_t bits = bank->touched[word];
        if (word == from / 64) {
            bits &= ~UINT64_C(0) << from % 64;
        }
        if (bits != 0) {
            return word * 64 + (uint32_t)__builtin_ctzll(bits);
        }
    }
    return DRAM_NO_PAGE;
}
