/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to nodes without baby cores, their NIUs, and faults that belong to no tile.  Pages: NoC/MemoryMap for where
 * the NIU registers of a node are; PCIExpressTile/README, L2CPUTile/MemoryMap for the rest.
 *
 * Left out: initiators (software cannot use them here).  NIU counters count packets (the fabric does that), not what the
 * host does directly. */
#include "chip/passive.h"

#include "base/bits.h"
#include "chip/chip.h"
#include "tile/fault_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char map_page[] = "NoC/MemoryMap";

enum {
    NIU_REGION_BYTES = 0x2000, /* four copies of 0x800: initiators and identification in each, the rest in the first */
    NIU_COPY_BYTES = 0x800,
};

int passive_index(noc_node node)
{
    /* Rows 0 to 11 of the grid; a letter is an index. */
    static const char nodes[NOC_GRID_Y][NOC_GRID_X + 1] = {
        ".IAJKLMNC.OBPQRST", "........U........", "........H........", "........D........",
        "........V........", "........F........", "........W........", "........G........",
        "........X........", "........E........", "........Y........", "........Z........",
    };
    const char letter = node < NOC_NODES ? nodes[node / NOC_GRID_X][node % NOC_GRID_X] : '.';
    return letter == '.' ? -1 : letter - 'A';
}
enum { INDEX_PCIE_0 = 0, INDEX_PCIE_1, INDEX_ARC, INDEX_L2CPU, INDEX_SECURITY = INDEX_L2CPU + PASSIVE_L2CPUS };
_Static_assert('Z' - 'A' + 1 == PASSIVE_NODES, "each node has a letter");

noc_node passive_host_node(const passive *state)
{
    return state->harvesting.pcie ? noc_node_at(11, 0) : noc_node_at(2, 0);
}

void passive_create(passive *state, const kerr_harvesting *harvesting)
{
    state->harvesting = *harvesting;
    for (unsigned node = 0; node < NOC_NODES; node++) {
        const int index = passive_index((noc_node)node);
        for (unsigned noc = 0; index >= 0 && noc < NOC_COUNT; noc++) {
            niu_reset(&state->niu[index][noc], noc, node % NOC_GRID_X, node / NOC_GRID_X);
            noc_tables(harvesting, (noc_node)node, noc, state->niu[index][noc].cfg);
        }
    }
    arc_create(&state->arc, harvesting);
}

bool passive_is_sane(const passive *state)
{
    for (unsigned node = 0; node < NOC_NODES; node++) {
        const int index = passive_index((noc_node)node);
        for (unsigned noc = 0; index >= 0 && noc < NOC_COUNT; noc++) {
            const struct niu *niu = &state->niu[index][noc];
            if (niu->node != node || niu->noc != noc || niu->queue_count != 0) {
                return false;
            }
        }
    }
    return noc_harvesting_is_sane(&state->harvesting);
}

/* ---- Faults ---------------------------------------------------------------------------------------------------- */

passive_result passive_refuse(passive_fault *fault, passive_result result, kerr_fault_kind kind, const char *manual,
                              const char *text, ...)
{
    fault->kind = kind;
    fault->manual = manual;
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(fault->text, sizeof fault->text, text, arguments);
    va_end(arguments);
    return result;
}

/* What the host only reads stops nothing, and is noted once. */
static bool record(kerr_chip *chip, const kerr_fault *fault)
{
    passive *state = chip->passive;
    const kerr_policy policy = chip->environment.policy[fault->kind];
    const bool note = fault->asker == KERR_ASKER_HOST_READ, stops = policy == KERR_POLICY_STOP && !note;
    bool noted = note && state->fault_count >= CHIP_FAULTS;
    for (uint32_t i = 0; note && i < state->fault_count && !noted; i++) {
        noted = state->fault[i].asker == fault->asker && strcmp(state->fault[i].text, fault->text) == 0;
    }
    if (policy == KERR_POLICY_IGNORE || noted) {
        return false;
    }
    kerr_fault kept = *fault;
    kept.stopping = stops;
    fault_list_put(state->fault, &state->fault_count, CHIP_FAULTS, &kept);
    if (stops) {
        chip->stop_cycle = min64(chip->stop_cycle, (fault->cycle / STOP_GRID + 1) * STOP_GRID);
    }
    return stops;
}

bool chip_fault(kerr_chip *chip, kerr_fault_kind kind, noc_node node, uint64_t address, uint64_t cycle,
                const char *manual, const char *text, ...)
{
    kerr_fault fault = {.kind = kind,
                        .tile = {(uint8_t)(node % NOC_GRID_X), (uint8_t)(node / NOC_GRID_X)},
                        .core = -1,
                        .address = (uint32_t)address,
                        .cycle = cycle,
                        .manual = manual};
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(fault.text, sizeof fault.text, text, arguments);
    va_end(arguments);
    return record(chip, &fault);
}

bool chip_fault_of_host(kerr_chip *chip, const passive_fault *why, noc_node node, uint64_t address, bool is_read)
{
    kerr_fault fault = {.kind = why->kind,
                        .tile = {(uint8_t)(node % NOC_GRID_X), (uint8_t)(node / NOC_GRID_X)},
                        .core = -1,
                        .asker = is_read ? KERR_ASKER_HOST_READ : KERR_ASKER_HOST,
                        .address = (uint32_t)address,
                        .cycle = chip->now,
                        .manual = why->manual};
    snprintf(fault.text, sizeof fault.text, "host: %.*s", (int)sizeof fault.text - 7, why->text);
    return record(chip, &fault);
}

/* ---- NIU registers ---------------------------------------------------------------------------------------------- */

bool passive_niu_read(const passive *state, noc_node node, unsigned noc, uint32_t offset, uint32_t *value)
{
    return niu_reg_peek(&state->niu[passive_index(node)][noc], offset, value);
}

bool passive_niu_write(passive *state, noc_node node, unsigned noc, uint32_t offset, uint32_t value)
{
    return niu_reg_write(&state->niu[passive_index(node)][noc], offset, value) == NIU_OK;
}

/* Where NIU registers are: in the topmost 16 MiB, or of 32 bits at a bare router.  Both names in the manual, and the one
 * of system firmware, give the NIU of the NoC that the request came on. */
static bool is_niu(noc_node node, uint64_t address, uint32_t *offset)
{
    const bool bare = passive_index(node) > INDEX_SECURITY;
    const uint64_t top = bare ? 0xFF000000u : UINT64_C(0xFFFFFFFFFF000000);
    static const uint32_t base[] = {0, 0xB20000, 0xB30000};
    for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
        if (address >= top + base[i] && address - top - base[i] < NIU_REGION_BYTES) {
            *offset = (uint32_t)(address - top - base[i]);
            return true;
        }
    }
    return false;
}

static passive_result no_such_register(noc_node node, unsigned noc, uint64_t address, uint32_t length,
                                       passive_fault *fault)
{
    return passive_refuse(fault, PASSIVE_NOTHING, KERR_FAULT_UNDEFINED, map_page,
                          "NIU of node %u-%u, NoC %u: no register for %u bytes at 0x%llx", node % NOC_GRID_X,
                          node / NOC_GRID_X, noc, length, (unsigned long long)address);
}

static passive_result niu_read_words(const passive *state, noc_node node, unsigned noc, uint64_t address,
                                     uint32_t offset, uint8_t *data, uint32_t length, passive_fault *fault)
{
    for (uint32_t i = 0; i < length; i += 4) {
        uint32_t value;
        if (address % 4 != 0 || length % 4 != 0 || !passive_niu_read(state, node, noc, offset + i, &value)) {
            return no_such_register(node, noc, address + i, length - i, fault);
        }
        memcpy(data + i, &value, 4);
    }
    return PASSIVE_OK;
}

static passive_result niu_write_words(passive *state, noc_node node, unsigned noc, uint64_t address, uint32_t offset,
                                      const uint8_t *data, uint32_t length, passive_fault *fault)
{
    if (offset % NIU_COPY_BYTES < 0x44) {
        return passive_refuse(
            fault, PASSIVE_FAULT, KERR_FAULT_UNDEFINED, map_page,
            "write of %u bytes to a request initiator of node %u-%u, NoC %u (0x%llx): requests cannot "
            "be started there",
            length, node % NOC_GRID_X, node / NOC_GRID_X, noc, (unsigned long long)address);
    }
    uint32_t value;
    for (uint32_t i = 0; i < length; i += 4) { /* all or nothing */
        if (address % 4 != 0 || length % 4 != 0 || !passive_niu_read(state, node, noc, offset + i, &value)) {
            return no_such_register(node, noc, address + i, length - i, fault);
        }
    }
    for (uint32_t i = 0; i < length; i += 4) {
        memcpy(&value, data + i, 4);
        passive_niu_write(state, node, noc, offset + i, value);
    }
    return PASSIVE_OK;
}

/* ---- Requests --------------------------------------------------------------------------------------------------- */

static passive_result nothing(noc_node node, const char *what, uint64_t address, uint32_t length, passive_fault *fault)
{
    static const char *const kind[] = {"PCI Express tile", "PCI Express tile", "ARC tile",   "L2CPU tile",
                                       "L2CPU tile",       "L2CPU tile",       "L2CPU tile", "security tile"};
    const int index = passive_index(node);
    const bool security = index == INDEX_SECURITY;
    return passive_refuse(fault, security ? PASSIVE_FAULT : PASSIVE_NOTHING,
                          security ? KERR_FAULT_UNKNOWN : KERR_FAULT_UNDEFINED, map_page,
                          "%s of %u bytes at 0x%llx of %s %u-%u: %s", what, length, (unsigned long long)address,
                          index <= INDEX_SECURITY ? kind[index] : "bare router", node % NOC_GRID_X, node / NOC_GRID_X,
                          security ? "nothing is published but its NIU" : "nothing there");
}

static passive_result off(noc_node node, const char *what, uint64_t address, passive_fault *fault)
{
    return passive_refuse(fault, PASSIVE_FAULT, KERR_FAULT_UNDEFINED, map_page,
                          "%s at 0x%llx of tile %u-%u, which is switched off (harvested)", what,
                          (unsigned long long)address, node % NOC_GRID_X, node / NOC_GRID_X);
}

static passive_result read_node(kerr_chip *chip, noc_node node, unsigned noc, uint64_t address, void *data,
                                uint32_t length, uint64_t cycle, passive_fault *fault)
{
    const passive *state = chip->passive;
    const int index = passive_index(node);
    uint32_t offset;
    if (index < 0) {
        return passive_refuse(fault, PASSIVE_NOTHING, KERR_FAULT_INTERNAL, NULL, "node %u-%u is a tile with cores",
                              node % NOC_GRID_X, node / NOC_GRID_X);
    }
    if (length == 0) {
        return PASSIVE_OK;
    }
    if (is_niu(node, address, &offset)) {
        return niu_read_words(state, node, noc, address, offset, data, length, fault);
    }
    if (noc_is_off(&state->harvesting, node)) {
        return off(node, "read", address, fault);
    }
    if (index == INDEX_ARC) {
        return arc_read(state, address, data, length, cycle, fault);
    }
    if (index >= INDEX_L2CPU && index < INDEX_SECURITY) {
        return l2cpu_read(state, (unsigned)(index - INDEX_L2CPU), address, data, length, fault);
    }
    if (node == passive_host_node(state)) {
        return pcie_read(chip, address, data, length, fault);
    }
    return nothing(node, "read", address, length, fault);
}

passive_result passive_read(kerr_chip *chip, noc_node node, unsigned noc, uint64_t address, void *data, uint32_t length,
                            uint64_t cycle, passive_fault *fault)
{
    const passive_result result = read_node(chip, node, noc, address, data, length, cycle, fault);
    if (result != PASSIVE_OK) {
        memset(data, 0xFF, length);
    }
    return result;
}

passive_result passive_write(kerr_chip *chip, noc_node node, unsigned noc, uint64_t address, const void *data,
                             uint32_t length, uint64_t cycle, passive_fault *fault)
{
    (void)cycle;
    passive *state = chip->passive;
    const int index = passive_index(node);
    uint32_t offset;
    if (index < 0) {
        return passive_refuse(fault, PASSIVE_NOTHING, KERR_FAULT_INTERNAL, NULL, "node %u-%u is a tile with cores",
                              node % NOC_GRID_X, node / NOC_GRID_X);
    }
    if (length == 0) {
        return PASSIVE_OK;
    }
    if (is_niu(node, address, &offset)) {
        return niu_write_words(state, node, noc, address, offset, data, length, fault);
    }
    if (noc_is_off(&state->harvesting, node)) {
        return off(node, "write", address, fault);
    }
    if (index == INDEX_ARC) {
        return arc_write(state, address, data, length, fault);
    }
    if (index >= INDEX_L2CPU && index < INDEX_SECURITY) {
        return l2cpu_write(state, (unsigned)(index - INDEX_L2CPU), address, data, length, fault);
    }
    if (node == passive_host_node(state)) {
        return pcie_write(chip, address, data, length, fault);
    }
    return nothing(node, "write", address, length, fault);
}

bool passive_peek(const kerr_chip *chip, noc_node node, unsigned noc, uint64_t address, void *data, uint32_t length,
                  uint64_t cycle)
{
    const passive *state = chip->passive;
    const int index = passive_index(node);
    passive_fault ignored;
    uint32_t offset;
    if (index < 0) {
        return false;
    }
    if (is_niu(node, address, &offset)) {
        return niu_read_words(state, node, noc, address, offset, data, length, &ignored) == PASSIVE_OK;
    }
    if (index == INDEX_ARC) {
        return arc_read(state, address, data, length, cycle, &ignored) == PASSIVE_OK;
    }
    if (index >= INDEX_L2CPU && index < INDEX_SECURITY) {
        return l2cpu_read(state, (unsigned)(index - INDEX_L2CPU), address, data, length, &ignored) == PASSIVE_OK;
    }
    return node == passive_host_node(state) && pcie_peek(state, address, data, length);
}
