/* SPDX-License-Identifier: Apache-2.0 */
/* kerr_pci.h over the registers of the card (pci.h): which accesses take time, and the short way to memory.
 *
 * Most accesses find memory of a chip that has nothing to do meanwhile.  What they need to know, where a window leads and up to when
 * nothing happens, holds as long as nothing else asks to change the chip: chip->changes says so. */
#include "host/pci.h"
#include "noc/niu_fields.h"

#include <stdlib.h>
#include <string.h>

enum {
    READ_CYCLES_MAX = 1000000,
    RUN_ON_READS = 16,     /* a repeated question runs on for at most so many times read_cycles */
    POLLED_BYTES_MAX = 64, /* longer reads fetch results, they do not poll */
    POLLS = 1024,          /* power of two: ranges remembered, several for each node */
    SHORTCUTS = 256,       /* power of two, enough for all windows of BAR0 */
    SHORTCUT_BITS = 21,    /* of physical address: no window is smaller */
};
#define REGISTERS_START 0xFF000000u

/* A range that the host has read, and what it got. */
typedef struct poll {
    uint64_t address;
    kerr_xy tile;
    uint8_t size; /* 0: empty */
    uint8_t bytes[POLLED_BYTES_MAX];
} poll;

/* Where in memory a piece of the host's address space leads.  A line of the cache. */
typedef struct shortcut {
    uint64_t changes;  /* of the chip, for which it holds; 0: none */
    uint64_t physical; /* the piece: aligned, this many bytes of it are memory */
    uint32_t bytes;
    bool in_bank; /* of the tile's DRAM, else in L1 */
    struct tile *tile;
    struct niu *niu; /* of the tile, that requests come to */
    uint8_t *memory;
    uint64_t address;     /* in the tile, over the NoC */
    uint64_t rests_until; /* as in kerr_pci; 0: not known.  It will not be before the chip changes */
} shortcut;
_Static_assert(sizeof(shortcut) == 64, "as it says");

struct kerr_pci {
    kerr_chip *chip;
    kerr_pci_setup setup;
    pci_registers registers;
    bool clocked_once;    /* the last call was for one cycle of time */
    uint64_t tile_writes; /* kerr_pci_tile_writes */
    uint64_t rests_until; /* cycle before which nothing happens on the chip, while its changes are rests_changes */
    uint64_t rests_changes;
    poll polls[POLLS];          /* in order of their first use, which keeps them on few pages */
    uint16_t poll_place[POLLS]; /* 1 + index into polls; 0: none yet */
    uint16_t poll_count;
    shortcut shortcuts[SHORTCUTS];
};

/* ---- Life -------------------------------------------------------------------------------- */

void kerr_pci_setup_init(kerr_pci_setup *setup)
{
    if (setup != NULL)
        *setup = (kerr_pci_setup){.struct_size = sizeof *setup};
}

kerr_status kerr_pci_open(kerr_chip *chip, const kerr_pci_setup *setup, kerr_pci **pci)
{
    if (chip == NULL || pci == NULL ||
        (setup != NULL && (setup->struct_size != sizeof *setup || setup->read_cycles > READ_CYCLES_MAX)))
        return KERR_BAD_ARGUMENT;
    *pci = calloc(1, sizeof **pci); /* pages of the system's, most of them never touched */
    if (*pci == NULL)
        return KERR_NO_MEMORY;
    (*pci)->chip = chip;
    if (setup != NULL)
        (*pci)->setup = *setup;
    pci_reset(&(*pci)->registers);
    return KERR_OK;
}

void kerr_pci_close(kerr_pci *pci)
{
    free(pci);
}

static kerr_status end(kerr_pci *pci, kerr_pci_call call, kerr_status status, const char *text)
{
    if (pci->setup.tell != NULL && (status != KERR_OK || *text != '\0'))
        pci->setup.tell(pci->setup.context, call, status, status == KERR_FAULTED ? "" : text);
    return status;
}

/* A pointer of the caller's is NULL, or its size 0. */
static kerr_status refuse(kerr_pci *pci, kerr_pci_call call, const void *data)
{
    return pci == NULL ? KERR_BAD_ARGUMENT
                       : end(pci, call, KERR_BAD_ARGUMENT, data == NULL ? "a null pointer" : "size 0");
}

kerr_status kerr_pci_tile_writes(const kerr_pci *pci, uint64_t *count)
{
    if (pci == NULL || count == NULL)
        return KERR_BAD_ARGUMENT;
    *count = pci->tile_writes;
    return KERR_OK;
}

/* ---- Time -------------------------------------------------------------------------------- */

/* As kerr_run would let so many cycles pass, if nothing happens in them. */
static inline bool rests(const kerr_pci *pci, uint64_t cycles)
{
    return pci->rests_changes == pci->chip->changes && pci->chip->now + cycles <= pci->rests_until;
}

static kerr_status run(kerr_pci *pci, uint64_t cycles)
{
    if (rests(pci, cycles)) {
        pci->chip->now += cycles;
        return KERR_OK;
    }
    const kerr_pci_setup *setup = &pci->setup;
    const kerr_status status =
        setup->run != NULL ? setup->run(setup->context, pci->chip, cycles) : kerr_run(pci->chip, cycles);
    pci->rests_until = status == KERR_OK ? chip_rests_until(pci->chip) : 0;
    pci->rests_changes = pci->chip->changes;
    return status;
}

kerr_status kerr_pci_clock(kerr_pci *pci, uint64_t cycles)
{
    if (pci == NULL)
        return KERR_BAD_ARGUMENT;
    if (cycles == 0)
        return KERR_OK;
    /* A host that waits for something that is not on the card asks for one cycle again and again. */
    const bool waits = cycles == 1 && pci->clocked_once && pci->setup.read_cycles != 0;
    const uint64_t step = waits ? pci->setup.read_cycles : cycles, all = waits ? RUN_ON_READS * step : step;
    pci->clocked_once = cycles == 1;
    if (rests(pci, all)) {
        pci->chip->now += all;
        return KERR_OK;
    }
    const uint64_t before = pci->chip->host_writes;
    kerr_status status = KERR_OK;
    for (uint64_t done = 0; done < all && status == KERR_OK && pci->chip->host_writes == before; done += step)
        status = run(pci, step);
    return end(pci, KERR_PCI_CALL_CLOCK, status, status != KERR_OK ? kerr_status_text(status) : "");
}

static void forget_polls(kerr_pci *pci)
{
    memset(pci->polls, 0, pci->poll_count * sizeof pci->polls[0]);
    memset(pci->poll_place, 0, sizeof pci->poll_place);
    pci->poll_count = 0;
}

/* The nodes of a sweep over one address never share a place. */
static poll *poll_of(kerr_pci *pci, kerr_xy tile, uint64_t address)
{
    uint64_t node = (uint64_t)tile.y * KERR_GRID_X + tile.x;
    uint64_t spread = address * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    uint16_t *place = &pci->poll_place[(node + spread) & (POLLS - 1)];
    if (*place == 0)
        *place = ++pci->poll_count;
    return &pci->polls[*place - 1];
}

static bool poll_is(const poll *p, kerr_xy tile, uint64_t address, uint32_t size)
{
    return p->size == size && p->address == address && p->tile.x == tile.x && p->tile.y == tile.y;
}

/* Single words and lines are what a host asks for most. */
static inline void copy(void *to, const void *from, uint32_t size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 64)
        memcpy(to, from, 64);
    else
        memcpy(to, from, size);
}

static bool same_bytes(const void *a, const void *b, uint32_t size)
{
    return size == 4 ? memcmp(a, b, 4) == 0 : memcmp(a, b, size) == 0;
}

static void poll_set(poll *p, kerr_xy tile, uint64_t address, uint32_t size, const void *data)
{
    p->address = address;
    p->tile = tile;
    p->size = (uint8_t)size;
    copy(p->bytes, data, size);
}

/* Host time: a read is answered some time after it is asked, and a question that got the same answer last time is
 * held back until the answer changes, at most RUN_ON_READS times as long.  Only peeks look ahead; what the host gets
 * is one real read. */
static kerr_status time_before_read(kerr_pci *pci, const pci_target *target)
{
    if (pci->setup.read_cycles == 0)
        return KERR_OK;
    kerr_status status = run(pci, pci->setup.read_cycles);
    const poll *p = poll_of(pci, target->tile, target->address);
    if (target->size > POLLED_BYTES_MAX || !poll_is(p, target->tile, target->address, target->size))
        return status;
    uint8_t now[POLLED_BYTES_MAX];
    for (int reads = 1; reads < RUN_ON_READS && status == KERR_OK; reads++) {
        if (kerr_peek(pci->chip, target->tile, target->address, now, target->size) != KERR_OK ||
            memcmp(now, p->bytes, target->size) != 0)
            return KERR_OK;
        status = run(pci, pci->setup.read_cycles);
    }
    return status;
}

static void remember_read(kerr_pci *pci, const pci_target *target, const void *data)
{
    if (pci->setup.read_cycles != 0 && target->size <= POLLED_BYTES_MAX)
        poll_set(poll_of(pci, target->tile, target->address), target->tile, target->address, target->size, data);
}

/* Registers are above memory in every tile. */
static bool is_register(const pci_target *target)
{
    return target->kind == PCI_TARGET_TILE && target->address >= REGISTERS_START && target->address <= UINT32_MAX;
}

/* ---- Memory ------------------------------------------------------------------------------ */

static inline shortcut *shortcut_place(kerr_pci *pci, uint64_t physical)
{
    return &pci->shortcuts[physical >> SHORTCUT_BITS & (SHORTCUTS - 1)];
}

/* NULL: none is known, or size is 0. */
static inline const shortcut *shortcut_of(kerr_pci *pci, uint64_t physical, uint32_t size)
{
    const shortcut *s = shortcut_place(pci, physical);
    const uint64_t offset = physical - s->physical;
    return s->changes == pci->chip->changes && offset < s->bytes && size - 1 < s->bytes - offset ? s : NULL;
}

/* How many bytes of memory there are from `address` on; 0: it is not memory of a tile, or so high that a write takes time.  The address
 * is in the target's piece. */
static uint64_t target_memory(const kerr_pci *pci, const pci_target *target, uint64_t address, shortcut *s)
{
    const int index = target->kind == PCI_TARGET_TILE ? chip_tile_index(target->tile) : -1;
    uint64_t local, bytes = 0;
    if (index < 0 || is_register(target) || !kerr_tile_is_on(pci->chip, target->tile))
        return 0;
    s->tile = chip_tile(pci->chip, index);
    s->niu = &s->tile->dev.niu[target->noc];
    s->address = address;
    const tile_place place = tile_memory_at(s->tile, address, pci->chip->now, &local, &bytes);
    if (place == PLACE_NOTHING)
        return 0;
    s->in_bank = place == PLACE_BANK;
    s->memory = (s->in_bank ? s->tile->bank->memory : s->tile->l1) + local;
    return bytes;
}

static void shortcut_learn(kerr_pci *pci, uint64_t physical, const pci_target *target)
{
    const uint64_t piece = UINT64_C(1) << SHORTCUT_BITS, offset = physical & (piece - 1);
    shortcut s = {.changes = pci->chip->changes,
                  .physical = physical - offset,
                  .rests_until = pci->rests_changes == pci->chip->changes ? pci->rests_until : 0};
    /* A callback of the host's may not reach in; the next write, whatever it is, resets the chip. */
    if (pci->chip->running || pci->chip->passive->arc.wants_reset)
        return;
    const uint64_t bytes = target_memory(pci, target, target->address - offset, &s);
    s.bytes = (uint32_t)(bytes < piece ? bytes : piece);
    if (bytes != 0)
        *shortcut_place(pci, physical) = s;
}

/* As pci_count_requests. */
static inline void count(const kerr_pci *pci, const shortcut *s, uint64_t address, uint32_t size, bool is_write)
{
    if (s->tile->live != 0 || size > NOC_MAX_PAYLOAD)
        pci_count_requests(pci->chip, s->tile, s->niu != s->tile->dev.niu, address, size, is_write);
    else
        niu_count_plain(s->niu, is_write, noc_data_flits(address, size));
}

/* What time_before_read, pci_read and remember_read come to where the chip rests; false: it may not, nothing is done. */
static inline bool shortcut_read(kerr_pci *pci, const shortcut *s, uint64_t physical, void *data, uint32_t size)
{
    const uint64_t offset = physical - s->physical, address = s->address + offset, cycles = pci->setup.read_cycles;
    const uint8_t *from = s->memory + offset;
    if (cycles != 0 && pci->chip->now + RUN_ON_READS * cycles > s->rests_until)
        return false;
    if (s->in_bank && dram_bank_at(s->tile->bank, (uint64_t)(from - s->tile->bank->memory), size) == NULL)
        dram_bank_read(s->tile->bank, (uint64_t)(from - s->tile->bank->memory), data, size);
    else
        copy(data, from, size);
    pci->chip->now += cycles;
    count(pci, s, address, size, false);
    if (cycles == 0 || size > POLLED_BYTES_MAX)
        return true;
    poll *p = poll_of(pci, s->tile->at, address);
    if (poll_is(p, s->tile->at, address, size) && same_bytes(p->bytes, data, size))
        pci->chip->now += (RUN_ON_READS - 1) * cycles;
    else
        poll_set(p, s->tile->at, address, size, data);
    return true;
}

static inline bool shortcut_write(kerr_pci *pci, const shortcut *s, uint64_t physical, const void *data, uint32_t size)
{
    const uint64_t offset = physical - s->physical;
    uint8_t *to = s->memory + offset;
    if (s->in_bank) {
        const uint64_t local = (uint64_t)(to - s->tile->bank->memory);
        if (dram_bank_to(s->tile->bank, local, size) != NULL)
            copy(to, data, size);
        else if (!dram_bank_write(s->tile->bank, local, data, size))
            return false;
    } else if (!tile_write_unnoticed(s->tile, (uint32_t)(to - s->tile->l1), data, size)) {
        return false;
    }
    count(pci, s, s->address + offset, size, true);
    pci->tile_writes++;
    return true;
}

/* ---- Access ------------------------------------------------------------------------------ */

static kerr_status target_read(kerr_pci *pci, kerr_pci_call call, const pci_target *target, void *data)
{
    pci_error error;
    error.text[0] = '\0';
    shortcut there;
    kerr_status status = target->kind == PCI_TARGET_TILE ? time_before_read(pci, target) : KERR_OK;
    if (status == KERR_OK) {
        /* Any other access may change more than it says. */
        if (target_memory(pci, target, target->address, &there) < target->size)
            (void)chip_may_change(pci->chip);
        status = pci_read(pci->chip, target, data, &error);
    }
    if (status != KERR_OK)
        memset(data, 0xFF, target->size);
    else if (target->kind == PCI_TARGET_TILE)
        remember_read(pci, target, data);
    return end(pci, call, status, error.text[0] == '\0' && status != KERR_OK ? kerr_status_text(status) : error.text);
}

/* A message to the ARC may ask for the whole chip to be reset.  The card keeps its addresses, as the driver puts them
 * back; its windows are gone. */
static void reset_if_asked(kerr_pci *pci)
{
    const kerr_pci_setup *setup = &pci->setup;
    if (!pci->chip->passive->arc.wants_reset)
        return;
    const pci_registers old = pci->registers;
    pci_reset(&pci->registers);
    memcpy(pci->registers.base, old.base, sizeof old.base);
    forget_polls(pci);
    if (setup->resets != NULL)
        setup->resets(setup->context, false);
    kerr_reset(pci->chip);
    if (setup->resets != NULL)
        setup->resets(setup->context, true);
}

/* A host writes a register to start something, and more than a microsecond goes by until its next access: a debugger
 * lets a core go on, then has its status latched, both by writes.  Memory is written in bulk and takes no time. */
static kerr_status target_write(kerr_pci *pci, kerr_pci_call call, const pci_target *target, const void *data)
{
    pci_error error;
    error.text[0] = '\0';
    kerr_status status =
        pci->setup.read_cycles != 0 && is_register(target) ? run(pci, pci->setup.read_cycles) : KERR_OK;
    if (status == KERR_OK) {
        (void)chip_may_change(pci->chip); /* or the windows */
        pci->tile_writes += target->kind == PCI_TARGET_TILE || target->kind == PCI_TARGET_MULTICAST;
        status = pci_write(pci->chip, target, data, &error);
        reset_if_asked(pci);
    }
    return end(pci, call, status, error.text[0] == '\0' && status != KERR_OK ? kerr_status_text(status) : error.text);
}

static __attribute__((noinline)) kerr_status read_slowly(kerr_pci *pci, uint64_t physical, void *data, uint32_t size)
{
    pci_target target;
    pci_error error;
    if (data == NULL || size == 0)
        return refuse(pci, KERR_PCI_CALL_READ, data);
    if (!pci_resolve(&pci->registers, pci->chip, physical, size, false, &target, &error)) {
        memset(data, 0xFF, size);
        return end(pci, KERR_PCI_CALL_READ, KERR_BAD_ADDRESS, error.text);
    }
    const uint64_t changes = pci->chip->changes;
    const kerr_status status = target_read(pci, KERR_PCI_CALL_READ, &target, data);
    if (pci->chip->changes == changes) /* the target is still what it was */
        shortcut_learn(pci, physical, &target);
    return status;
}

kerr_status kerr_pci_read(kerr_pci *pci, uint64_t physical, void *data, uint32_t size)
{
    if (pci == NULL)
        return KERR_BAD_ARGUMENT;
    pci->clocked_once = false;
    const shortcut *s = shortcut_of(pci, physical, size);
    return s != NULL && data != NULL && shortcut_read(pci, s, physical, data, size)
               ? KERR_OK
               : read_slowly(pci, physical, data, size);
}

static __attribute__((noinline)) kerr_status write_slowly(kerr_pci *pci, uint64_t physical, const void *data,
                                                          uint32_t size)
{
    pci_target target;
    pci_error error;
    if (data == NULL || size == 0)
        return refuse(pci, KERR_PCI_CALL_WRITE, data);
    if (!pci_resolve(&pci->registers, pci->chip, physical, size, true, &target, &error))
        return end(pci, KERR_PCI_CALL_WRITE, KERR_BAD_ADDRESS, error.text);
    shortcut_learn(pci, physical, &target);
    const shortcut *s = shortcut_of(pci, physical, size);
    return s != NULL && shortcut_write(pci, s, physical, data, size)
               ? KERR_OK
               : target_write(pci, KERR_PCI_CALL_WRITE, &target, data);
}

kerr_status kerr_pci_write(kerr_pci *pci, uint64_t physical, const void *data, uint32_t size)
{
    if (pci == NULL)
        return KERR_BAD_ARGUMENT;
    pci->clocked_once = false;
    const shortcut *s = shortcut_of(pci, physical, size);
    return s != NULL && data != NULL && shortcut_write(pci, s, physical, data, size)
               ? KERR_OK
               : write_slowly(pci, physical, data, size);
}

static kerr_status config_offset(kerr_pci *pci, kerr_pci_call call, uint32_t offset)
{
    if (pci == NULL)
        return KERR_BAD_ARGUMENT;
    pci_error error;
    pci->clocked_once = false;
    if (offset % 4 == 0 && offset < KERR_PCI_CONFIG_BYTES)
        return KERR_OK;
    pci_describe(&error, "offset 0x%x is not that of a config word", offset);
    return end(pci, call, KERR_BAD_ADDRESS, error.text);
}

kerr_status kerr_pci_config_read(kerr_pci *pci, uint32_t offset, uint32_t *value)
{
    if (pci == NULL || value == NULL)
        return refuse(pci, KERR_PCI_CALL_CONFIG_READ, NULL);
    const kerr_status status = config_offset(pci, KERR_PCI_CALL_CONFIG_READ, offset);
    *value = status == KERR_OK ? pci_config_read(&pci->registers, offset) : UINT32_MAX;
    return status;
}

kerr_status kerr_pci_config_write(kerr_pci *pci, uint32_t offset, uint32_t value)
{
    const kerr_status status = config_offset(pci, KERR_PCI_CALL_CONFIG_WRITE, offset);
    if (status == KERR_OK) {
        (void)chip_may_change(pci->chip); /* where the BARs are */
        pci_config_write(&pci->registers, offset, value);
    }
    return status;
}

/* Any node without a window, by coordinates as a window on NoC 0 takes them. */
static kerr_status tile_target(kerr_pci *pci, kerr_pci_call call, uint32_t x, uint32_t y, uint64_t address,
                               const void *data, uint32_t size, pci_target *target)
{
    pci_error error;
    if (pci == NULL || data == NULL || size == 0)
        return refuse(pci, call, data);
    pci->clocked_once = false;
    *target = (pci_target){.kind = PCI_TARGET_TILE, .size = size, .window = PCI_NO_WINDOW, .address = address};
    if (x <= 63 && y <= 63 && pci_find_tile(pci->chip, 0, x, y, &target->tile))
        return KERR_OK;
    pci_describe(&error, "no tile %u-%u", x, y);
    return end(pci, call, KERR_BAD_TILE, error.text);
}

kerr_status kerr_pci_tile_read(kerr_pci *pci, uint32_t x, uint32_t y, uint64_t address, void *data, uint32_t size)
{
    pci_target target;
    const kerr_status status = tile_target(pci, KERR_PCI_CALL_TILE_READ, x, y, address, data, size, &target);
    if (status == KERR_OK)
        return target_read(pci, KERR_PCI_CALL_TILE_READ, &target, data);
    if (status == KERR_BAD_TILE)
        memset(data, 0xFF, size);
    return status;
}

kerr_status kerr_pci_tile_write(kerr_pci *pci, uint32_t x, uint32_t y, uint64_t address, const void *data,
                                uint32_t size)
{
    pci_target target;
    const kerr_status status = tile_target(pci, KERR_PCI_CALL_TILE_WRITE, x, y, address, data, size, &target);
    return status == KERR_OK ? target_write(pci, KERR_PCI_CALL_TILE_WRITE, &target, data) : status;
}
