/* SPDX-License-Identifier: Apache-2.0 */
/* Config space, BARs and TLB windows.  Pages: PCIExpressTile/README, PCIExpressTile/HostToDeviceTLBs, NoC/Coordinates.
 *
 * A window's coordinates are translated by the tables of the tile's own NIU, as those of any request.  The host's
 * requests take effect at once and in order, whatever ordering, static_vc and their kin say; what the page forbids
 * (linked, a virtual channel class that does not fit) is an error.  Left out, an error too: the DMA engines in the lower
 * part of BAR2. */
#include "host/pci.h"

#include "noc/niu.h"
#include "noc/niu_fields.h"
#include "noc_regs.h"
#include "tile/fault_list.h"
#include "tile_regs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static const uint64_t bar_size[PCI_BARS] = {512 * MIB, 1 * MIB, 32 * GIB};
/* Where the machine's firmware put them: each aligned to its size, as the bus demands. */
static const uint64_t bar_base[PCI_BARS] = {96 * GIB, 96 * GIB + 512 * MIB, 64 * GIB};
enum { BAR0, BAR2, BAR4 };

enum {
    BAR_IS_64BIT = 4,
    COMMAND_MEMORY_AND_MASTER = 6,
    CLASS_PROCESSING_ACCELERATOR = 0x120000,
    WINDOW_2M_BITS = 21,
    WINDOW_4G_BITS = 32,
    WINDOW_CONFIG = 0x1FC00000, /* BAR0 */
    NIU_0 = 0x1FD04000,         /* BAR0 */
    NIU_1 = 0x1FD14000,
    NIU_BYTES = 0x2000,
    ARC_CSM = 0x1FE80000, /* BAR0 of PCIe 1: the ARC without the NoC, half a megabyte and a megabyte */
    ARC_APB = 0x1FF00000,
    ARC_APB_BYTES = 0x100000,
    IATU = 0x1000, /* BAR2 */
};
#define NIU_ON_NOC UINT64_C(0xFFFFFFFFFF000000)
#define ARC_CSM_ON_NOC UINT64_C(0x10000000)
#define ARC_APB_ON_NOC UINT64_C(0x80000000)
_Static_assert(PCI_WINDOWS_2M == 404 / 2, "the windows fill the low 404 MiB of BAR0");

void pci_describe(pci_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

void pci_reset(pci_registers *device)
{
    memset(device, 0, sizeof *device);
    device->command = COMMAND_MEMORY_AND_MASTER;
    device->interrupt_line = 0xFF; /* none */
    memcpy(device->base, bar_base, sizeof bar_base);
}

/* ---- Config space ------------------------------------------------------------------------ */

uint32_t pci_config_read(const pci_registers *device, uint32_t offset)
{
    switch (offset) {
    case 0x00: return KERR_PCI_VENDOR | (uint32_t)KERR_PCI_DEVICE << 16;
    case 0x04: return device->command;
    case 0x08: return (uint32_t)CLASS_PROCESSING_ACCELERATOR << 8;
    case 0x0C: return device->cache_line;
    case 0x10:
    case 0x18:
    case 0x20: return (uint32_t)device->base[(offset - 0x10) / 8] | BAR_IS_64BIT;
    case 0x14:
    case 0x1C:
    case 0x24: return (uint32_t)(device->base[(offset - 0x10) / 8] >> 32);
    case 0x3C: return device->interrupt_line;
    default: return 0; /* no capabilities, no expansion ROM, no subsystem */
    }
}

void pci_config_write(pci_registers *device, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case 0x04: device->command = value & 0xFFFF; break;
    case 0x0C: device->cache_line = value & 0xFFFF; break;
    case 0x3C: device->interrupt_line = value & 0xFF; break;
    case 0x10:
    case 0x14:
    case 0x18:
    case 0x1C:
    case 0x20:
    case 0x24: {
        /* Address bits below the size read as zero: that is how a host finds the size. */
        uint64_t *base = &device->base[(offset - 0x10) / 8];
        uint64_t wanted =
            offset % 8 == 0 ? (*base & ~(uint64_t)UINT32_MAX) | value : (*base & UINT32_MAX) | (uint64_t)value << 32;
        *base = wanted & ~(bar_size[(offset - 0x10) / 8] - 1);
        break;
    }
    default: break; /* read-only or not there */
    }
}

/* ---- Windows ----------------------------------------------------------------------------- */

/* Where a field starts in the 96 bits of a 2 MiB and of a 4 GiB window, and how wide it is (HostToDeviceTLBs).
 * ordering and static_vc_buddy say how packets travel; they do not change where a write ends up. */
typedef struct window_field {
    uint8_t first_2m, first_4g, bits;
} window_field;
static const window_field field_x_end = {43, 32, 6}, field_y_end = {49, 38, 6}, field_x_start = {55, 44, 6},
                          field_y_start = {61, 50, 6}, field_noc_sel = {67, 56, 1}, field_mcast = {69, 58, 1},
                          field_linked = {72, 61, 1}, field_static_vc = {73, 62, 1},
                          field_static_vc_class = {76, 65, 2};
enum { LOCAL_OFFSET_BITS_2M = 43, LOCAL_OFFSET_BITS_4G = 32 };

static uint64_t window_bits(const pci_registers *device, uint32_t window, unsigned first, unsigned count)
{
    const uint32_t *words = &device->window[3 * window];
    uint64_t low = words[0] | (uint64_t)words[1] << 32;
    uint64_t value = first < 64 ? low >> first : words[2] >> (first - 64);
    if (first < 64 && first + count > 64)
        value |= (uint64_t)words[2] << (64 - first);
    return value & ((UINT64_C(1) << count) - 1);
}

static uint32_t window_get(const pci_registers *device, uint32_t window, window_field field)
{
    unsigned first = window < PCI_WINDOWS_2M ? field.first_2m : field.first_4g;
    return (uint32_t)window_bits(device, window, first, field.bits);
}

/* NoC 1 counts from the other corner (NoC/Coordinates). */
static kerr_xy noc0_from_raw(uint32_t x, uint32_t y, bool noc1)
{
    if (noc1)
        return (kerr_xy){(uint8_t)(KERR_GRID_X - 1 - x), (uint8_t)(KERR_GRID_Y - 1 - y)};
    return (kerr_xy){(uint8_t)x, (uint8_t)y};
}

/* One axis of a multicast: how far along its way from start, in hops, each coordinate lies.  The grid is a torus,
 * so start may be greater than end. */
typedef struct axis {
    uint32_t size, start, end;         /* start and end included */
    uint32_t keep, skip;               /* 0 in either: no pattern */
    uint32_t exclude, exclude_up_from; /* coordinate; 1: from it on, 0: up to it */
} axis;

static uint32_t axis_hops(const axis *a, uint32_t coordinate)
{
    return coordinate >= a->start ? coordinate - a->start : coordinate + a->size - a->start;
}

static bool axis_in_range(const axis *a, uint32_t coordinate)
{
    return axis_hops(a, coordinate) <= axis_hops(a, a->end);
}

/* OPEN: where start > end, "keep/skip" is said to need a period that is a power of two and start <= end otherwise;
 * we read this as a difference taken modulo a power of two.  Would settle it: a strided multicast on a card. */
static bool axis_kept(const axis *a, uint32_t coordinate)
{
    return a->keep == 0 || a->skip == 0 || (coordinate - a->start) % (a->keep + a->skip) < a->keep;
}

/* OPEN: where start > end the page says that the rule is more complex, not what it is.  We compare hops from start,
 * which is the given rule where start <= end.  Would settle it: a multicast across the seam on a card. */
static bool axis_excluded(const axis *a, uint32_t coordinate)
{
    uint32_t here = axis_hops(a, coordinate), border = axis_hops(a, a->exclude);
    if (a->start <= a->end)
        return a->exclude_up_from ? coordinate >= a->exclude : coordinate <= a->exclude;
    return a->exclude_up_from ? here >= border : here <= border;
}

/* The configuration of the NIU that the host's requests go through. */
static const uint32_t *host_cfg(const kerr_chip *chip, unsigned noc)
{
    return chip->passive->niu[passive_index(passive_host_node(chip->passive))][noc].cfg;
}

bool pci_find_tile(const kerr_chip *chip, unsigned noc, uint32_t x, uint32_t y, kerr_xy *tile)
{
    const noc_raw_xy raw = noc_find(host_cfg(chip, noc), x, y);
    if (raw.x >= KERR_GRID_X || raw.y >= KERR_GRID_Y)
        return false;
    *tile = noc0_from_raw(raw.x, raw.y, noc != 0);
    return true;
}

static bool resolve_multicast(const pci_registers *device, const kerr_chip *chip, pci_target *target, pci_error *error)
{
    uint32_t window = target->window;
    bool noc1 = window_get(device, window, field_noc_sel) != 0;
    uint32_t strided = window < PCI_STRIDED ? device->strided[window] : 0;
    axis x = {.size = KERR_GRID_X,
              .start = window_get(device, window, field_x_start),
              .end = window_get(device, window, field_x_end),
              .keep = strided & 3,
              .skip = strided >> 2 & 3,
              .exclude = strided >> 8 & 31,
              .exclude_up_from = strided >> 17 & 1};
    axis y = {.size = KERR_GRID_Y,
              .start = window_get(device, window, field_y_start),
              .end = window_get(device, window, field_y_end),
              .keep = strided >> 4 & 3,
              .skip = strided >> 6 & 3,
              .exclude = strided >> 13 & 15,
              .exclude_up_from = strided >> 18 & 1};
    const uint32_t *cfg = host_cfg(chip, noc1);
    const noc_raw_xy start = noc_find(cfg, x.start, y.start), end = noc_find(cfg, x.end, y.end);
    x.start = start.x, y.start = start.y;
    x.end = end.x, y.end = end.y;
    bool apply_exclusion = strided >> 19 & 1;
    uint32_t destinations_override = strided >> 21 & 255;

    if (x.start >= x.size || x.end >= x.size || y.start >= y.size || y.end >= y.size) {
        pci_describe(error, "window %u multicasts from %u-%u to %u-%u: outside the grid of 17 x 12", window, x.start,
                     y.start, x.end, y.end);
        return false;
    }
    uint32_t count = 0;
    memset(target->rows, 0, sizeof target->rows);
    for (uint32_t raw_y = 0; raw_y < y.size; raw_y++)
        for (uint32_t raw_x = 0; raw_x < x.size; raw_x++) {
            kerr_xy at = noc0_from_raw(raw_x, raw_y, noc1);
            if (kerr_tile_kind_at(at) != KERR_TILE_TENSIX || (cfg[NOC_CFG_ROUTER_CFG_1] >> raw_x & 1) ||
                (cfg[NOC_CFG_ROUTER_CFG_3] >> raw_y & 1) || !axis_in_range(&x, raw_x) || !axis_in_range(&y, raw_y) ||
                !axis_kept(&x, raw_x) || !axis_kept(&y, raw_y) ||
                (apply_exclusion && axis_excluded(&x, raw_x) && axis_excluded(&y, raw_y)))
                continue;
            target->rows[at.y] |= UINT32_C(1) << at.x;
            count++;
        }
    if (count == 0) {
        pci_describe(error, "window %u multicasts from %u-%u to %u-%u: no Tensix tile there", window, x.start, y.start,
                     x.end, y.end);
        return false;
    }
    bool rectangle = !apply_exclusion && (x.keep == 0 || x.skip == 0) && (y.keep == 0 || y.skip == 0);
    if (destinations_override != count && !(rectangle && destinations_override == 0)) {
        pci_describe(error, "window %u: num_destinations_override is %u, but %u tiles receive the multicast", window,
                     destinations_override, count);
        return false;
    }
    return true;
}

/* What the page calls unsafe or says must not be. */
static bool window_is_allowed(const pci_registers *device, uint32_t window, pci_error *error)
{
    if (window_get(device, window, field_linked)) {
        pci_describe(error, "window %u has linked set: it is never safe to hold a path through the NoC from there",
                     window);
        return false;
    }
    bool multicast = window_get(device, window, field_mcast) != 0;
    uint32_t class = window_get(device, window, field_static_vc_class);
    if (window_get(device, window, field_static_vc) && (multicast ? class != 2 : class > 1)) {
        pci_describe(error, "window %u asks for virtual channel class %u, which %s requests cannot have", window, class,
                     multicast ? "multicast" : "unicast");
        return false;
    }
    return true;
}

static bool resolve_window(const pci_registers *device, const kerr_chip *chip, uint32_t window, uint64_t offset,
                           bool is_write, pci_target *target, pci_error *error)
{
    if (!window_is_allowed(device, window, error))
        return false;
    bool small = window < PCI_WINDOWS_2M;
    unsigned window_size_bits = small ? WINDOW_2M_BITS : WINDOW_4G_BITS;
    if (offset + target->size > UINT64_C(1) << window_size_bits) {
        pci_describe(error, "%u bytes at offset 0x%llx of window %u go past its end", target->size,
                     (unsigned long long)offset, window);
        return false;
    }
    uint64_t local_offset = window_bits(device, window, 0, small ? LOCAL_OFFSET_BITS_2M : LOCAL_OFFSET_BITS_4G);
    target->window = window;
    target->address = local_offset << window_size_bits | offset;
    if (window_get(device, window, field_mcast)) {
        target->kind = PCI_TARGET_MULTICAST;
        if (!is_write) {
            pci_describe(error, "read through window %u, which is set to multicast", window);
            return false;
        }
        return resolve_multicast(device, chip, target, error);
    }
    target->kind = PCI_TARGET_TILE;
    uint32_t x = window_get(device, window, field_x_end), y = window_get(device, window, field_y_end);
    unsigned noc = window_get(device, window, field_noc_sel);
    if (!pci_find_tile(chip, noc, x, y, &target->tile)) {
        pci_describe(error, "window %u points at %u-%u on NoC %u: no such tile in the grid of 17 x 12", window, x, y,
                     noc);
        return false;
    }
    target->noc = noc;
    return true;
}

/* ---- BARs -------------------------------------------------------------------------------- */

static bool resolve_words(uint32_t *words, uint64_t offset, const char *name, pci_target *target, pci_error *error)
{
    if (offset % 4 != 0 || target->size % 4 != 0) {
        pci_describe(error, "%s: %u bytes at offset 0x%llx are not whole words", name, target->size,
                     (unsigned long long)offset);
        return false;
    }
    target->kind = PCI_TARGET_REGISTER;
    target->words = words;
    return true;
}

static bool within(uint64_t offset, uint32_t size, uint64_t first, uint64_t bytes)
{
    return offset >= first && offset - first < bytes && size <= bytes - (offset - first);
}

/* Registers and memory that the host reaches without a window. */
static bool resolve_direct(const kerr_chip *chip, uint64_t offset, pci_target *target)
{
    const kerr_xy arc = {8, 0};
    uint32_t size = target->size;
    const noc_node host = passive_host_node(chip->passive);
    if (within(offset, size, NIU_0, NIU_BYTES) || within(offset, size, NIU_1, NIU_BYTES)) {
        target->kind = PCI_TARGET_NIU;
        target->noc = offset >= NIU_1;
        target->tile = (kerr_xy){(uint8_t)(host % NOC_GRID_X), (uint8_t)(host / NOC_GRID_X)};
        target->address = NIU_ON_NOC + offset - (target->noc ? NIU_1 : NIU_0);
        return true;
    }
    if (chip->passive->harvesting.pcie != 1)
        return false; /* PCIe 0 has no wire to the ARC */
    target->kind = PCI_TARGET_TILE;
    target->window = PCI_NO_WINDOW;
    target->tile = arc;
    if (within(offset, size, ARC_CSM, ARC_CSM_BYTES)) {
        target->address = ARC_CSM_ON_NOC + offset - ARC_CSM;
        return true;
    }
    target->address = ARC_APB_ON_NOC + offset - ARC_APB;
    return within(offset, size, ARC_APB, ARC_APB_BYTES);
}

bool pci_resolve(pci_registers *device, kerr_chip *chip, uint64_t physical, uint32_t size, bool is_write,
                 pci_target *target, pci_error *error)
{
    *target = (pci_target){.size = size};
    int bar = 0;
    while (bar < PCI_BARS && !within(physical, size, device->base[bar], bar_size[bar]))
        bar++;
    if (bar == PCI_BARS) {
        pci_describe(error, "%u bytes at physical address 0x%llx are not in one of the card's BARs", size,
                     (unsigned long long)physical);
        return false;
    }
    uint64_t offset = physical - device->base[bar];
    if (bar == BAR4)
        return resolve_window(device, chip, PCI_WINDOWS_2M + (uint32_t)(offset >> WINDOW_4G_BITS), offset & UINT32_MAX,
                              is_write, target, error);
    uint32_t *iatu = chip->passive->pcie.iatu;
    if (bar == BAR2 && within(offset, size, IATU, IATU_WORDS * sizeof *iatu))
        return resolve_words(&iatu[(offset - IATU) / 4], offset, "iATU registers", target, error);
    if (bar == BAR0) {
        if (offset < (uint64_t)PCI_WINDOWS_2M << WINDOW_2M_BITS)
            return resolve_window(device, chip, (uint32_t)(offset >> WINDOW_2M_BITS),
                                  offset & ((UINT64_C(1) << WINDOW_2M_BITS) - 1), is_write, target, error);
        if (within(offset, size, WINDOW_CONFIG, sizeof device->window))
            return resolve_words(&device->window[(offset - WINDOW_CONFIG) / 4], offset, "window configuration", target,
                                 error);
        if (within(offset, size, WINDOW_CONFIG + sizeof device->window, sizeof device->strided))
            return resolve_words(&device->strided[(offset - WINDOW_CONFIG - sizeof device->window) / 4], offset,
                                 "window configuration", target, error);
        if (resolve_direct(chip, offset, target))
            return true;
    }
    pci_describe(error, "%u bytes at BAR%d offset 0x%llx: nothing there", size, 2 * bar, (unsigned long long)offset);
    return false;
}

static void describe_status(pci_error *error, kerr_status status, const char *what, kerr_xy at,
                            const pci_target *target)
{
    char through[32] = "";
    if (target->window != PCI_NO_WINDOW)
        snprintf(through, sizeof through, " through window %u", target->window);
    pci_describe(error, "%s of %u bytes at 0x%llx in tile %u-%u%s: %s", what, target->size,
                 (unsigned long long)target->address, at.x, at.y, through, kerr_status_text(status));
}

/* What came through a window counts in the NIU that it came to.  OPEN: how many requests the PCI Express tile makes of a
 * long one; we count one for each of the longest that the NoC carries.  None is posted. */
void pci_count_requests(kerr_chip *chip, struct tile *tile, unsigned noc, uint64_t address, uint32_t size,
                        bool is_write)
{
    struct niu *niu = &tile->dev.niu[noc];
    const uint32_t base = noc == 0 ? NOC0_REGS_START_ADDR : NOC1_REGS_START_ADDR;
    if (tile->live != 0) /* somebody may poll the counters */
        tile_device_changing(tile, base + NIU_SLV_ATOMIC_RESP_SENT, base + NIU_SLV_POSTED_WR_REQ_STARTED, chip->now);
    for (uint32_t done = 0; done < size; done += NOC_MAX_PAYLOAD) {
        const uint32_t left = size - done, length = left < NOC_MAX_PAYLOAD ? left : NOC_MAX_PAYLOAD;
        niu_count_plain(niu, is_write, noc_data_flits(address + done, length));
    }
}

static void count_requests(kerr_chip *chip, const pci_target *target, kerr_xy at, bool is_write)
{
    if (target->kind == PCI_TARGET_TILE && target->window != PCI_NO_WINDOW)
        pci_count_requests(chip, chip_tile(chip, chip_tile_index(at)), target->noc, target->address, target->size,
                           is_write);
}

/* The router and the NIU of a tile that is switched off are alive (tt-exalens' test_noc asks each for its NOC_NODE_ID).
 * OPEN: which of its other registers answer; all that a debugger may look at do here. */
static bool read_niu_of_harvested(const kerr_chip *chip, kerr_xy at, const pci_target *target, void *data)
{
    const int index = chip_tile_index(at);
    const unsigned noc = target->address >= NOC1_REGS_START_ADDR;
    const uint64_t offset = target->address - (noc ? NOC1_REGS_START_ADDR : NOC0_REGS_START_ADDR);
    uint32_t value;
    if (index < 0 || target->size != 4 || offset > UINT32_MAX ||
        !niu_reg_peek(&chip_tile(chip, index)->dev.niu[noc], (uint32_t)offset, &value))
        return false;
    memcpy(data, &value, 4);
    return true;
}

/* What of it stays a note (kerr_asker), of a list that has become longer. */
static void describe_note(pci_error *error, const kerr_fault *list, uint32_t before, uint32_t count, uint32_t most)
{
    const kerr_fault *note = count > before && count <= most ? fault_list_last_note(list, count, most) : NULL;
    if (note != NULL)
        pci_describe(error, "%s; a read stops nothing", note->text);
}

static kerr_status read_passive(kerr_chip *chip, const pci_target *target, noc_node node, void *data,
                                passive_fault *fault, pci_error *error)
{
    const passive *state = chip->passive;
    const uint32_t before = state->fault_count;
    const kerr_status status =
        chip_passive_access(chip, node, target->noc, target->address, data, NULL, target->size, fault);
    describe_note(error, state->fault, before, state->fault_count, CHIP_FAULTS);
    return status;
}

static kerr_status read_tile(kerr_chip *chip, const pci_target *target, kerr_xy at, void *data, pci_error *error)
{
    if (!kerr_tile_is_on(chip, at))
        return KERR_BAD_TILE;
    if (chip->running)
        return KERR_BAD_STATE;
    struct tile *tile = chip_tile(chip, chip_tile_index(at));
    const uint32_t before = tile->fault_count;
    chip->running = true; /* a watch may be called */
    const bool done = tile_read(tile, target->address, data, target->size, chip->now);
    chip->running = false;
    describe_note(error, tile->fault, before, tile->fault_count, TILE_FAULTS);
    return done ? KERR_OK : KERR_BAD_ADDRESS;
}

/* One tile or node. */
static kerr_status access_tile(kerr_chip *chip, const pci_target *target, kerr_xy at, void *read_to,
                               const void *write_from, pci_error *error)
{
    const char *what = read_to != NULL ? "read" : target->kind == PCI_TARGET_MULTICAST ? "multicast write" : "write";
    const noc_node node = noc_node_at(at.x, at.y);
    kerr_status status;
    if (passive_index(node) >= 0) {
        passive_fault fault = {.text = ""};
        status = read_to != NULL ? read_passive(chip, target, node, read_to, &fault, error)
                                 : chip_passive_access(chip, node, target->noc, target->address, NULL, write_from,
                                                       target->size, &fault);
        if (status == KERR_BAD_ADDRESS)
            pci_describe(error, "%s", fault.text);
        else if (status != KERR_OK)
            describe_status(error, status, what, at, target);
        return status;
    }
    status = read_to != NULL ? read_tile(chip, target, at, read_to, error)
                             : kerr_write(chip, at, target->address, write_from, target->size);
    if (status == KERR_OK)
        count_requests(chip, target, at, write_from != NULL);
    if (status == KERR_BAD_TILE && read_to != NULL && read_niu_of_harvested(chip, at, target, read_to))
        return KERR_OK;
    if (status == KERR_BAD_TILE)
        pci_describe(error, "%s at 0x%llx of tile %u-%u, which is switched off (harvested)", what,
                     (unsigned long long)target->address, at.x, at.y);
    else if (status != KERR_OK)
        describe_status(error, status, what, at, target);
    return status;
}

kerr_status pci_read(kerr_chip *chip, const pci_target *target, void *data, pci_error *error)
{
    error->text[0] = '\0';
    if (target->kind == PCI_TARGET_REGISTER) {
        memcpy(data, target->words, target->size);
        return KERR_OK;
    }
    return access_tile(chip, target, target->tile, data, NULL, error);
}

kerr_status pci_write(kerr_chip *chip, const pci_target *target, const void *data, pci_error *error)
{
    error->text[0] = '\0';
    if (target->kind == PCI_TARGET_REGISTER) {
        memcpy(target->words, data, target->size);
        return KERR_OK;
    }
    if (target->kind != PCI_TARGET_MULTICAST)
        return access_tile(chip, target, target->tile, NULL, data, error);
    /* All Tensix tiles have the same map: what the first one refuses none of the others would have taken. */
    for (uint8_t y = 0; y < KERR_GRID_Y; y++)
        for (uint8_t x = 0; x < KERR_GRID_X; x++) {
            if (!(target->rows[y] >> x & 1))
                continue;
            kerr_status status = access_tile(chip, target, (kerr_xy){x, y}, NULL, data, error);
            if (status != KERR_OK)
                return status;
        }
    return KERR_OK;
}
