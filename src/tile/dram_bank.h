/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of one DRAM bank: 4 GiB of GDDR6 behind three DRAM tiles, which all show the same bytes.  Owned by
 * kerr_chip.  There is no Blackhole page on it; manual NoC/Coordinates says "same 4 GiB exposed on each".
 *
 * A private mapping that the system backs when it is touched.  Pages ever written have a bit in `touched`; all others
 * are zero, and reading them touches nothing. */
#ifndef KERR_TILE_DRAM_BANK_H
#define KERR_TILE_DRAM_BANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DRAM_BANK_BYTES (UINT64_C(4) << 30)
enum { DRAM_PAGE = 4096, DRAM_PAGES = (int)((UINT64_C(4) << 30) / DRAM_PAGE), DRAM_NO_PAGE = DRAM_PAGES };

struct dram_bank {
    uint8_t *memory;   /* DRAM_BANK_BYTES; state, with `touched` */
    uint64_t *touched; /* a bit for each page */
};

/* False: the system gave no address space.  The bank is zero. */
bool dram_bank_create(struct dram_bank *bank);
void dram_bank_destroy(struct dram_bank *bank);
/* Zero again, pages given back. */
void dram_bank_clear(struct dram_bank *bank);

/* False: not wholly within the bank; nothing is done. */
bool dram_bank_read(const struct dram_bank *bank, uint64_t address, void *data, size_t size);
bool dram_bank_write(struct dram_bank *bank, uint64_t address, const void *data, size_t size);

/* The bytes themselves, to read, if they are in one page that was written; else NULL. */
static inline const uint8_t *dram_bank_at(const struct dram_bank *bank, uint64_t address, size_t size)
{
    const uint64_t page = address / DRAM_PAGE;
    const bool here = address < DRAM_BANK_BYTES && size <= DRAM_PAGE - address % DRAM_PAGE;
    return here && (bank->touched[page / 64] >> page % 64 & 1) ? bank->memory + address : NULL;
}

/* The bytes themselves, to write, if they are in one page; else NULL. */
static inline uint8_t *dram_bank_to(struct dram_bank *bank, uint64_t address, size_t size)
{
    const uint64_t page = address / DRAM_PAGE;
    if (address >= DRAM_BANK_BYTES || size > DRAM_PAGE - address % DRAM_PAGE) {
        return NULL;
    }
    bank->touched[page / 64] |= UINT64_C(1) << page % 64;
    return bank->memory + address;
}

/* The first page ever written with a number of at least `from`; DRAM_NO_PAGE if there is none. */
uint32_t dram_bank_next_page(const struct dram_bank *bank, uint32_t from);

#endif
