/* SPDX-License-Identifier: Apache-2.0 */
/* A host program's view of any library with the libttsim C ABI: opened by path, driven through config space and the
 * TLB windows of BAR0 and BAR4 alone.  Used by tests/abi and bench; knows nothing about Kerr.
 * Window fields: manual PCIExpressTile/HostToDeviceTLBs. */
#ifndef KERR_TESTS_ABI_SIMLIB_H
#define KERR_TESTS_ABI_SIMLIB_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct simlib {
    void *handle;
    void (*init)(void);
    void (*exit)(void);
    void (*set_dma)(void (*)(uint64_t, void *, uint32_t), void (*)(uint64_t, const void *, uint32_t));
    uint32_t (*config_rd32)(uint32_t, uint32_t);
    void (*config_wr32)(uint32_t, uint32_t, uint32_t);
    void (*mem_rd)(uint64_t, void *, uint32_t);
    void (*mem_wr)(uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
    void (*tile_rd)(uint32_t, uint32_t, uint64_t, void *, uint32_t);
    void (*tile_wr)(uint32_t, uint32_t, uint64_t, const void *, uint32_t);
    uint64_t bar0, bar2, bar4;
};

enum {
    SIM_WINDOWS_2M = 202, /* index 0..201 in BAR0 */
    SIM_WINDOWS = 210,    /* 202..209: 4 GiB each, BAR4 */
    SIM_TENSIX = 140,
    SIM_L1_BYTES = 1536 * 1024,
};
#define SIM_TLB_CONFIG UINT64_C(0x1FC00000)
#define SIM_TLB_STRIDED (SIM_TLB_CONFIG + 12 * SIM_WINDOWS)
#define SIM_SOFT_RESET UINT32_C(0xFFB121B0)

/* Soft reset bits of B, T0, T1, T2, NC and where each starts without an override (manual SoftReset). */
static const uint32_t sim_reset_bit[5] = {0x800, 0x1000, 0x2000, 0x4000, 0x40000};
static const uint32_t sim_reset_pc[5] = {0, 0x6000, 0xA000, 0xE000, 0x12000};
#define SIM_RESET_ALL UINT32_C(0x47800)

static inline bool simlib_symbol(struct simlib *sim, const char *name, void *function)
{
    void *symbol = dlsym(sim->handle, name);
    if (symbol == NULL)
        fprintf(stderr, "%s: not in the library\n", name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static inline bool simlib_open(struct simlib *sim, const char *path)
{
    memset(sim, 0, sizeof *sim);
    sim->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (sim->handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    return simlib_symbol(sim, "libttsim_init", &sim->init) && simlib_symbol(sim, "libttsim_exit", &sim->exit) &&
           simlib_symbol(sim, "libttsim_set_pci_dma_mem_callbacks", &sim->set_dma) &&
           simlib_symbol(sim, "libttsim_pci_config_rd32", &sim->config_rd32) &&
           simlib_symbol(sim, "libttsim_pci_config_wr32", &sim->config_wr32) &&
           simlib_symbol(sim, "libttsim_pci_mem_rd_bytes", &sim->mem_rd) &&
           simlib_symbol(sim, "libttsim_pci_mem_wr_bytes", &sim->mem_wr) &&
           simlib_symbol(sim, "libttsim_clock", &sim->clock) &&
           simlib_symbol(sim, "libttsim_tile_rd_bytes", &sim->tile_rd) &&
           simlib_symbol(sim, "libttsim_tile_wr_bytes", &sim->tile_wr);
}

static inline uint64_t simlib_bar(struct simlib *sim, uint32_t offset)
{
    uint64_t base = sim->config_rd32(0, offset) | (uint64_t)sim->config_rd32(0, offset + 4) << 32;
    return base & ~UINT64_C(15);
}

static inline void simlib_start(struct simlib *sim)
{
    sim->init();
    sim->bar0 = simlib_bar(sim, 0x10);
    sim->bar2 = simlib_bar(sim, 0x18);
    sim->bar4 = simlib_bar(sim, 0x20);
}

/* One window's 96 bits. */
struct sim_window {
    uint64_t address; /* any in the window */
    unsigned x_end, y_end, x_start, y_start;
    bool noc1, mcast;
};

static inline void simlib_word(struct simlib *sim, uint64_t bar0_offset, uint32_t value)
{
    sim->mem_wr(sim->bar0 + bar0_offset, &value, 4);
}

static inline void simlib_configure(struct simlib *sim, unsigned index, const struct sim_window *w)
{
    uint64_t fields = w->x_end | (uint64_t)w->y_end << 6 | (uint64_t)w->x_start << 12 | (uint64_t)w->y_start << 18 |
                      (uint64_t)w->noc1 << 24 | (uint64_t)w->mcast << 26;
    uint32_t word[3];
    if (index < SIM_WINDOWS_2M) {
        uint64_t local_offset = w->address >> 21;
        word[0] = (uint32_t)local_offset;
        word[1] = (uint32_t)(local_offset >> 32 | fields << 11);
        word[2] = (uint32_t)(fields >> 21);
    } else {
        word[0] = (uint32_t)(w->address >> 32);
        word[1] = (uint32_t)fields;
        word[2] = (uint32_t)(fields >> 32);
    }
    for (unsigned i = 0; i < 3; i++)
        simlib_word(sim, SIM_TLB_CONFIG + 12 * index + 4 * i, word[i]);
}

/* Where the host finds a tile's address behind a window that covers it. */
static inline uint64_t simlib_behind(const struct simlib *sim, unsigned index, uint64_t address)
{
    if (index < SIM_WINDOWS_2M)
        return sim->bar0 + ((uint64_t)index << 21) + (address & 0x1FFFFF);
    return sim->bar4 + ((uint64_t)(index - SIM_WINDOWS_2M) << 32) + (address & 0xFFFFFFFF);
}

static inline uint64_t simlib_point(struct simlib *sim, unsigned index, unsigned x, unsigned y, uint64_t address)
{
    struct sim_window w = {.address = address, .x_end = x, .y_end = y};
    simlib_configure(sim, index, &w);
    return simlib_behind(sim, index, address);
}

/* Through window 0 and, for memory and registers alike, not across 2 MiB. */
static inline void simlib_write(struct simlib *sim, unsigned x, unsigned y, uint64_t address, const void *data,
                                uint32_t size)
{
    sim->mem_wr(simlib_point(sim, 0, x, y, address), data, size);
}
static inline void simlib_read(struct simlib *sim, unsigned x, unsigned y, uint64_t address, void *data, uint32_t size)
{
    sim->mem_rd(simlib_point(sim, 0, x, y, address), data, size);
}
static inline void simlib_write32(struct simlib *sim, unsigned x, unsigned y, uint64_t address, uint32_t value)
{
    simlib_write(sim, x, y, address, &value, 4);
}
static inline uint32_t simlib_read32(struct simlib *sim, unsigned x, unsigned y, uint64_t address)
{
    uint32_t value = 0;
    simlib_read(sim, x, y, address, &value, 4);
    return value;
}

/* The i-th Tensix tile, NoC 0: x 1..7 and 10..16, y 2..11. */
static inline unsigned sim_tensix_x(unsigned i)
{
    return i % 14 < 7 ? i % 14 + 1 : i % 14 + 3;
}
static inline unsigned sim_tensix_y(unsigned i)
{
    return i / 14 + 2;
}

#endif
