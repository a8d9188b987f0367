// SPDX-License-Identifier: Apache-2.0
/* A libttsim.so that forwards every call to another one and measures the time spent inside.
 *
 *   KERR_METER_TARGET=path/to/libttsim.so   the library that does the work
 *   KERR_METER_FILE=file                    where the figures stand, mapped and current after every call
 *
 * The file is an array of struct meter, one for each function in the order of enum call: number of calls, nanoseconds,
 * and an argument's sum (bytes of reads and writes, cycles of clock).  A host program maps it too and sees what each of
 * its own steps cost; a process that is ended leaves it behind.  Calls back into host memory count as the library's
 * time, for every library alike. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef void (*dma_read_fn)(uint64_t address, void *data, uint32_t size);
typedef void (*dma_write_fn)(uint64_t address, const void *data, uint32_t size);

void libttsim_init(void);
void libttsim_exit(void);
void libttsim_set_pci_dma_mem_callbacks(dma_read_fn read, dma_write_fn write);
uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset);
void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data);
void libttsim_pci_mem_rd_bytes(uint64_t physical, void *data, uint32_t size);
void libttsim_pci_mem_wr_bytes(uint64_t physical, const void *data, uint32_t size);
void libttsim_clock(uint32_t cycles);
void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *data, uint32_t size);
void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *data, uint32_t size);

enum call { INIT, EXIT, CONFIG, READ, WRITE, CLOCK, TILE_READ, TILE_WRITE, CALLS };

struct meter {
    uint64_t calls, nanoseconds, sum;
};

static struct {
    void *target;
    struct meter *meters;
    struct meter unseen[CALLS]; /* without a file */

    void (*init)(void);
    void (*exit)(void);
    void (*callbacks)(dma_read_fn, dma_write_fn);
    uint32_t (*config_read)(uint32_t, uint32_t);
    void (*config_write)(uint32_t, uint32_t, uint32_t);
    void (*read)(uint64_t, void *, uint32_t);
    void (*write)(uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
    void (*tile_read)(uint32_t, uint32_t, uint64_t, void *, uint32_t);
    void (*tile_write)(uint32_t, uint32_t, uint64_t, const void *, uint32_t);
} m;

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "abi_meter: %s: %s\n", what, why);
    _exit(3);
}

/* The function of that name, into a pointer of any function type. */
static void find(void *pointer, const char *name)
{
    *(void **)pointer = dlsym(m.target, name);
    if (!*(void **)pointer)
        give_up(name, "not in the target");
}

static void map_file(void)
{
    const char *name = getenv("KERR_METER_FILE");

    m.meters = m.unseen;
    if (!name)
        return;
    int file = open(name, O_RDWR | O_CREAT, 0666);
    if (file < 0 || ftruncate(file, sizeof m.unseen))
        give_up(name, "cannot be written");
    void *place = mmap(NULL, sizeof m.unseen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (place == MAP_FAILED)
        give_up(name, "cannot be mapped");
    m.meters = place;
}

static void load(void)
{
    const char *name = getenv("KERR_METER_TARGET");

    if (m.target)
        return;
    m.target = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!m.target)
        give_up("KERR_METER_TARGET", name ? dlerror() : "not set");
    find(&m.init, "libttsim_init");
    find(&m.exit, "libttsim_exit");
    find(&m.callbacks, "libttsim_set_pci_dma_mem_callbacks");
    find(&m.config_read, "libttsim_pci_config_rd32");
    find(&m.config_write, "libttsim_pci_config_wr32");
    find(&m.read, "libttsim_pci_mem_rd_bytes");
    find(&m.write, "libttsim_pci_mem_wr_bytes");
    find(&m.clock, "libttsim_clock");
    find(&m.tile_read, "libttsim_tile_rd_bytes");
    find(&m.tile_write, "libttsim_tile_wr_bytes");
    map_file();
}

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void count(enum call call, uint64_t start, uint64_t sum)
{
    struct meter *meter = &m.meters[call];

    meter->calls++;
    meter->nanoseconds += now() - start;
    meter->sum += sum;
}

void libttsim_init(void)
{
    load();
    uint64_t start = now();
    m.init();
    count(INIT, start, 0);
}

void libttsim_exit(void)
{
    load();
    uint64_t start = now();
    m.exit();
    count(EXIT, start, 0);
}

void libttsim_set_pci_dma_mem_callbacks(dma_read_fn read, dma_write_fn write)
{
    load();
    m.callbacks(read, write);
}

uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset)
{
    load();
    uint64_t start = now();
    uint32_t value = m.config_read(bus_device_function, offset);
    count(CONFIG, start, 4);
    return value;
}

void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data)
{
    load();
    uint64_t start = now();
    m.config_write(bus_device_function, offset, data);
    count(CONFIG, start, 4);
}

void libttsim_pci_mem_rd_bytes(uint64_t physical, void *data, uint32_t size)
{
    load();
    uint64_t start = now();
    m.read(physical, data, size);
    count(READ, start, size);
}

void libttsim_pci_mem_wr_bytes(uint64_t physical, const void *data, uint32_t size)
{
    load();
    uint64_t start = now();
    m.write(physical, data, size);
    count(WRITE, start, size);
}

void libttsim_clock(uint32_t cycles)
{
    load();
    uint64_t start = now();
    m.clock(cycles);
    count(CLOCK, start, cycles);
}

void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *data, uint32_t size)
{
    load();
    uint64_t start = now();
    m.tile_read(x, y, address, data, size);
    count(TILE_READ, start, size);
}

void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *data, uint32_t size)
{
    load();
    uint64_t start = now();
    m.tile_write(x, y, address, data, size);
    count(TILE_WRITE, start, size);
}
