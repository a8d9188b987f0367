/* SPDX-License-Identifier: Apache-2.0 */
/* usage: arc LIBRARY
 * What the kernel driver and tt-umd's silicon path do with the ARC: the same registers in the same order (tt-kmd
 * blackhole.c, msgqueue.c; tt-umd blackhole_tt_device.cpp, arc_telemetry_reader.cpp, blackhole_arc_message_queue.cpp).
 * Once over the NoC, as behind PCIe 0, and once through BAR0, as behind PCIe 1.  Kerr only. */
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>

#define NOC_ID UINT64_C(0x1FD04044) /* BAR0 */
#define NIU_CFG_0 UINT64_C(0x1FD04100)
#define APB_IN_BAR0 UINT64_C(0x1FF00000)
#define APB_ON_NOC UINT64_C(0x80000000)
enum {
    KERNEL_WINDOW = 201,
    SCRATCH_0 = 0x30060,
    ARC_MISC_CNTL = 0x30100,
    BOOT_STATUS = 0x30408,
    QUEUE_INFO = 0x3042C,
    TELEMETRY_DATA = 0x30430,
    TELEMETRY_TABLE = 0x30434,
    MSI_FIFO = 0xB0000,
    TAGS_MAX = 128,
};

static bool through_bar0; /* the host is on PCIe 1 */

static uint32_t bar0_read(struct simlib *sim, uint64_t offset)
{
    uint32_t value = 0;
    sim->mem_rd(sim->bar0 + offset, &value, 4);
    return value;
}

/* As the driver does it: its own window, strict ordering. */
static uint32_t noc_read(struct simlib *sim, uint64_t address)
{
    uint32_t value = 0;
    sim->mem_rd(simlib_point(sim, KERNEL_WINDOW, 8, 0, address), &value, 4);
    return value;
}
static void noc_write(struct simlib *sim, uint64_t address, uint32_t value)
{
    sim->mem_wr(simlib_point(sim, KERNEL_WINDOW, 8, 0, address), &value, 4);
}
static uint32_t apb_read(struct simlib *sim, uint32_t offset)
{
    return through_bar0 ? bar0_read(sim, APB_IN_BAR0 + offset) : noc_read(sim, APB_ON_NOC + offset);
}
static void apb_write(struct simlib *sim, uint32_t offset, uint32_t value)
{
    if (through_bar0)
        simlib_word(sim, APB_IN_BAR0 + offset, value);
    else
        noc_write(sim, APB_ON_NOC + offset, value);
}

/* One value by tag, as tt-umd's reader finds it; false: no such tag. */
static bool telemetry(struct simlib *sim, uint32_t tag, uint32_t *value)
{
    uint32_t table = apb_read(sim, TELEMETRY_TABLE), data = apb_read(sim, TELEMETRY_DATA);
    uint32_t count = noc_read(sim, table + 4), entry[TAGS_MAX];
    if (count > TAGS_MAX)
        return false;
    simlib_read(sim, 8, 0, table + 8, entry, 4 * count);
    for (uint32_t i = 0; i < count; i++)
        if ((entry[i] & 0xFFFF) == tag) {
            *value = noc_read(sim, data + 4 * (entry[i] >> 16));
            return true;
        }
    return false;
}
static uint32_t telemetry_value(struct simlib *sim, uint32_t tag)
{
    uint32_t value = 0xDEAD;
    return telemetry(sim, tag, &value) ? value : 0xDEAD;
}

/* Pushes a request into a queue, rings the bell, takes the response; false: none came. */
static bool message(struct simlib *sim, uint32_t queue_number, bool by_driver, uint32_t words[8])
{
    uint32_t info[2], control = apb_read(sim, QUEUE_INFO);
    info[0] = noc_read(sim, control);
    info[1] = noc_read(sim, control + 4);
    uint32_t entries = info[1] & 0xFF, queue = info[0] + queue_number * (32 + 2 * entries * 32);
    uint32_t wptr = noc_read(sim, queue), rptr = noc_read(sim, queue + 16);
    if ((wptr - rptr) % (2 * entries) >= entries)
        return false;
    for (unsigned i = 0; i < 8; i++)
        noc_write(sim, queue + 32 + wptr % entries * 32 + 4 * i, words[i]);
    noc_write(sim, queue, (wptr + 1) % (2 * entries));
    if (by_driver)
        noc_write(sim, APB_ON_NOC + MSI_FIFO, 0);
    else
        apb_write(sim, ARC_MISC_CNTL, 1 << 16);
    rptr = noc_read(sim, queue + 4);
    wptr = noc_read(sim, queue + 20);
    if (wptr == rptr)
        return false;
    for (unsigned i = 0; i < 8; i++)
        words[i] = noc_read(sim, queue + 32 + (entries + rptr % entries) * 32 + 4 * i);
    noc_write(sim, queue + 4, (rptr + 1) % (2 * entries));
    return noc_read(sim, queue + 16) == noc_read(sim, queue);
}
/* The first word of the response to a message with one argument. */
static uint32_t ask(struct simlib *sim, uint32_t code, uint32_t argument, uint32_t *answer)
{
    uint32_t words[8] = {code, argument};
    if (!message(sim, 2, false, words))
        return 0xDEAD;
    *answer = words[1];
    return words[0];
}

static void boot(struct tap *tap, struct simlib *sim, unsigned pcie_x)
{
    tap_ok(tap, (bar0_read(sim, NOC_ID) & 0x3F) == pcie_x, "the host is on %u-0", pcie_x);
    tap_ok(tap, bar0_read(sim, NIU_CFG_0) >> 14 & 1, "coordinates are translated");
    tap_ok(tap, (apb_read(sim, BOOT_STATUS) & 7) == 5, "the ARC has booted and takes messages");
    tap_ok(tap, apb_read(sim, SCRATCH_0) >> 16 == 0xC0DE, "it shows a post code");
}

static void messages(struct tap *tap, struct simlib *sim)
{
    uint32_t words[8] = {0x90, 41}, answer = 0;
    tap_ok(tap, message(sim, 0, true, words) && words[0] == 0 && words[1] == 42 && words[2] == 1,
           "TEST through the driver's bell: the number plus one, the serial number");
    bool good = true;
    for (uint32_t i = 0; i < 10; i++) { /* more than the queue has entries */
        uint32_t again[8] = {0x90, i};
        good = good && message(sim, 3, i % 2 == 0, again) && again[1] == i + 1 && again[2] == i + 1;
    }
    tap_ok(tap, good, "ten in a row through another queue");
    tap_ok(tap, ask(sim, 0x11, 0, &answer) == 0, "NOP");
    tap_ok(tap, telemetry_value(sim, 14) == 800, "AICLK is that of an idle chip");
    tap_ok(tap, ask(sim, 0x52, 0, &answer) == 0 && telemetry_value(sim, 14) == 1350, "AICLK_GO_BUSY raises it");
    tap_ok(tap, ask(sim, 0x54, 0, &answer) == 0 && telemetry_value(sim, 14) == 800, "AICLK_GO_LONG_IDLE lowers it");
    tap_ok(tap, ask(sim, 0x21 | 4 << 8 | 0xF << 16, 0, &answer) == 0 && telemetry_value(sim, 14) == 1350,
           "POWER_SETTING with its AI clock flag raises it");
    tap_ok(tap, ask(sim, 0x34, 0, &answer) == 0 && answer == 1350, "GET_AICLK says so too");
    tap_ok(tap, ask(sim, 0x21 | 1 << 8, 0, &answer) == 0 && telemetry_value(sim, 14) == 800, "and without lowers it");
    tap_ok(tap, ask(sim, 0xA0, 0, &answer) == 0 && ask(sim, 0xA3, 0, &answer) == 0, "ASIC_STATE0 and 3");
    tap_ok(tap, ask(sim, 0xC1, 5000, &answer) == 0 && ask(sim, 0xC1, 10, &answer) != 0,
           "SET_WDT_TIMEOUT takes 5 s and refuses 10 ms");
    tap_ok(tap, ask(sim, 0xB6, 3, &answer) == 0 && ask(sim, 0xB6, 8, &answer) != 0 && answer == 1,
           "TOGGLE_GDDR_RESET of bank 3, none of bank 8");
    tap_ok(tap, (ask(sim, 0x77, 0, &answer) & 0xFF) == 0xFF, "a code that does not exist is not recognised");
}

static void reset(struct tap *tap, struct simlib *sim)
{
    simlib_write32(sim, 1, 2, 0x100, 7);
    uint32_t words[8] = {0x56, 3};
    message(sim, 0, true, words);
    tap_ok(tap, simlib_read32(sim, 1, 2, 0x100) == 0 && (apb_read(sim, BOOT_STATUS) & 7) == 5,
           "TRIGGER_RESET: a fresh chip, booted");
    tap_ok(tap, telemetry_value(sim, 14) == 800, "with telemetry");
}

/* sim is started. */
static void masks(struct tap *tap, struct simlib *sim, const char *name, const uint32_t expected[5])
{
    bool good = true;
    for (uint32_t i = 0; i < 5; i++)
        good = good && telemetry_value(sim, 34 + i) == expected[i];
    tap_ok(tap, good, "%s: masks of columns, Ethernet, GDDR and L2CPU, PCIe usage", name);
}

static bool start(struct simlib *sim, const char *harvest)
{
    setenv("KERR_HARVEST", harvest, 1);
    simlib_start(sim);
    through_bar0 = (bar0_read(sim, NOC_ID) & 0x3F) == 11; /* tt-umd: is_arc_available_over_axi */
    return through_bar0;
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    struct simlib sim;
    if (argc != 2 || !simlib_open(&sim, argv[1]))
        return 2;
    setenv("KERR_HOST_TIME", "0", 1);
    start(&sim, "p150");
    boot(&tap, &sim, 2);
    messages(&tap, &sim);
    masks(&tap, &sim, "p150", (const uint32_t[]){0x3FFF, 0x3EDF, 0xFF, 0xF, 1});
    uint32_t beat = telemetry_value(&sim, 32);
    sim.clock(405000000); /* three periods of 100 ms */
    tap_ok(&tap, telemetry_value(&sim, 32) == beat + 3, "the heartbeat beats every 100 ms");
    tap_ok(&tap, telemetry_value(&sim, 1) >> 4 == 0x40 && telemetry_value(&sim, 40) == 1,
           "board id of a p150, translation enabled");
    reset(&tap, &sim);
    sim.exit();

    start(&sim, "p100");
    boot(&tap, &sim, 11);
    messages(&tap, &sim);
    masks(&tap, &sim, "p100", (const uint32_t[]){0x3FF5, 0, 0x7F, 0xF, 4});
    uint32_t csm_word = 0;
    sim.mem_rd(sim.bar0 + 0x1FE80000 + (apb_read(&sim, TELEMETRY_TABLE) & 0x7FFFF), &csm_word, 4);
    tap_ok(&tap, csm_word == 0x100, "the CSM is in BAR0 as well");
    sim.exit();

    start(&sim, "");
    masks(&tap, &sim, "default", (const uint32_t[]){0x3FFF, 0x0FFF, 0xFF, 0xF, 1});
    sim.exit();

    start(&sim, "full");
    masks(&tap, &sim, "full", (const uint32_t[]){0x3FFF, 0x3FFF, 0xFF, 0xF, 1});
    sim.exit();
    return tap_end(&tap);
}
