/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h over the chip: arguments are checked here and nowhere below. */
#include "kerr.h"

#include "base/bits.h"
#include "base/host_floats.h"
#include "chip/chip.h"
#include "host/ends.h"
#include "riscv/block.h"
#include "tile/deadlock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Kerr needs a little-endian host"
#endif

/* ---- Names ------------------------------------------------------------------------------------------------ */

const char *kerr_status_text(kerr_status status)
{
    switch (status) {
    case KERR_OK: return "no error";
    case KERR_FAULTED: return "a fault stopped the chip";
    case KERR_BAD_ARGUMENT: return "an argument is out of range";
    case KERR_BAD_TILE: return "there is no such tile, it is switched off, or the call does not take its kind";
    case KERR_BAD_ADDRESS: return "nothing is mapped at that address, or not for that size and alignment";
    case KERR_BAD_STATE: return "the call does not fit the chip's present state";
    case KERR_BAD_SNAPSHOT: return "not a snapshot of this version";
    case KERR_NO_MEMORY: return "the system gave no memory";
    case KERR_IO: return "the stream broke off";
    case KERR_BAD_TEXT: return "the text is no instruction";
    }
    return "an unknown status";
}

#define TEXT(number) #number
#define TEXT_OF(name) TEXT(name)

const char *kerr_version(void)
{
    return TEXT_OF(KERR_VERSION_MAJOR) "." TEXT_OF(KERR_VERSION_MINOR) "." TEXT_OF(KERR_VERSION_PATCH);
}

const char *kerr_fault_kind_name(kerr_fault_kind kind)
{
    static const char *const name[KERR_FAULT_KINDS] = {"undefined", "unpredictable", "unimplemented", "unknown",
                                                       "hazard",    "deadlock",      "timeout",       "internal"};
    return (unsigned)kind < KERR_FAULT_KINDS ? name[kind] : "?";
}

/* ---- Lookups ------------------------------------------------------------------------------------------------ */

/* chip and tile, or the status why not. */
static kerr_status find_tile(const kerr_chip *chip, kerr_xy at, struct tile **out)
{
    if (chip == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    const int index = chip_tile_index(at);
    if (index < 0 || !kerr_tile_is_on(chip, at)) {
        return KERR_BAD_TILE;
    }
    *out = chip_tile(chip, index);
    return KERR_OK;
}

static kerr_status find_core(const kerr_chip *chip, kerr_xy at, kerr_core core, struct tile **out)
{
    if ((unsigned)core >= KERR_CORE_COUNT) {
        return KERR_BAD_ARGUMENT;
    }
    const kerr_status status = find_tile(chip, at, out);
    return status == KERR_OK && (unsigned)core >= (*out)->cores ? KERR_BAD_ARGUMENT : status;
}

/* For calls that change something. */
static kerr_status find_tile_to_change(kerr_chip *chip, kerr_xy at, struct tile **out)
{
    const kerr_status status = find_tile(chip, at, out);
    return status == KERR_OK && !chip_may_change(chip) ? KERR_BAD_STATE : status;
}

kerr_status kerr_tensix_op_ran(const kerr_chip *chip, kerr_xy at, uint32_t op, uint64_t *times)
{
    struct tile *tile;
    const kerr_status status = find_tile(chip, at, &tile);
    if (status != KERR_OK) {
        return status;
    }
    if (op >= TENSIX_OPS || times == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    if (chip->running) {
        return KERR_BAD_STATE;
    }
    *times = tile->dev.tensix.ran[op];
    return KERR_OK;
}

/* ---- Faults --------------------------------------------------------------------------------------------------- */

enum { FAULT_LIST = 4096, UNTIL_EVERY = 1024 };

typedef struct fault_reference {
    uint64_t cycle;
    uint32_t tile, number;
    int8_t core;
} fault_reference;

static int by_time(const void *left, const void *right)
{
    const fault_reference *a = left, *b = right;
    if (a->cycle != b->cycle) {
        return a->cycle < b->cycle ? -1 : 1;
    }
    if (a->tile != b->tile) {
        return a->tile < b->tile ? -1 : 1;
    }
    if (a->core != b->core) {
        return a->core < b->core ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

kerr_status kerr_fault_count(const kerr_chip *chip, uint32_t *count)
{
    if (chip == NULL || count == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        const uint32_t here = chip->made[i] ? chip_tile(chip, i)->fault_count : 0;
        n += here < TILE_FAULTS ? here : TILE_FAULTS;
    }
    n += chip->passive->fault_count < CHIP_FAULTS ? chip->passive->fault_count : CHIP_FAULTS;
    *count = n < FAULT_LIST ? n : FAULT_LIST;
    return KERR_OK;
}

kerr_status kerr_fault_get(const kerr_chip *chip, uint32_t index, kerr_fault *fault)
{
    uint32_t count = 0;
    if (fault == NULL || kerr_fault_count(chip, &count) != KERR_OK || index >= count) {
        return KERR_BAD_ARGUMENT;
    }
    fault_reference *list = calloc((size_t)CHIP_TILES * TILE_FAULTS + CHIP_FAULTS, sizeof *list);
    if (list == NULL) {
        return KERR_NO_MEMORY;
    }
    size_t n = 0;
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        const struct tile *tile = &chip->tile_space[i];
        for (uint32_t f = 0; chip->made[i] && f < tile->fault_count && f < TILE_FAULTS; f++) {
            list[n++] = (fault_reference){tile->fault[f].cycle, i, f, tile->fault[f].core};
        }
    }
    for (uint32_t f = 0; f < chip->passive->fault_count && f < CHIP_FAULTS; f++) {
        list[n++] = (fault_reference){chip->passive->fault[f].cycle, CHIP_TILES, f, -1};
    }
    qsort(list, n, sizeof *list, by_time);
    const uint32_t number = list[index].number, tile = list[index].tile;
    *fault = tile == CHIP_TILES ? chip->passive->fault[number] : chip_tile(chip, tile)->fault[number];
    free(list);
    return KERR_OK;
}

kerr_status kerr_set_policy(kerr_chip *chip, kerr_fault_kind kind, kerr_policy policy)
{
    if (chip == NULL || (unsigned)kind >= KERR_FAULT_KINDS || (unsigned)policy > KERR_POLICY_IGNORE) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    chip->environment.policy[kind] = policy;
    return KERR_OK;
}

size_t kerr_fault_format(const kerr_fault *fault, char *buffer, size_t size)
{
    if (fault == NULL) {
        return 0;
    }
    char who[32] = "", what[64] = "", page[128] = "";
    if (fault->core >= 0) {
        snprintf(who, sizeof who, " %s", kerr_core_name_of(kerr_tile_kind_at(fault->tile), (kerr_core)fault->core));
        snprintf(what, sizeof what, " pc 0x%05x (%08x)", fault->pc, fault->instruction);
    }
    if (fault->thread != 0) {
        snprintf(who, sizeof who, " Tensix T%u", fault->thread - 1);
        snprintf(what, sizeof what, " %08x pushed by %s at pc 0x%05x", fault->instruction,
                 fault->core >= 0 ? kerr_core_name((kerr_core)fault->core) : "?", fault->pc);
    }
    if (fault->core < 0 && fault->asker >= KERR_ASKER_HOST_READ) {
        snprintf(who, sizeof who, " the host");
    }
    if (fault->manual != NULL) {
        snprintf(page, sizeof page, " [manual %s]", fault->manual);
    }
    const int length =
        snprintf(buffer, size, "tile (%u,%u)%s cycle %llu%s: %s: %s%s", fault->tile.x, fault->tile.y, who,
                 (unsigned long long)fault->cycle, what, kerr_fault_kind_name(fault->kind), fault->text, page);
    return length < 0 ? 0 : (size_t)length;
}

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

kerr_status kerr_reset(kerr_chip *chip)
{
    if (chip == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    chip_clear(chip);
    return KERR_OK;
}

kerr_status kerr_set_host_memory(kerr_chip *chip, kerr_host_read_fn read, kerr_host_write_fn write, void *context)
{
    if (chip == NULL || (read == NULL) != (write == NULL)) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    chip->host_read = read;
    chip->host_write = write;
    chip->host_context = context;
    return KERR_OK;
}

/* A node without cores, at the host's request: *node is it. */
static bool is_passive(const kerr_chip *chip, kerr_xy at, noc_node *node)
{
    if (chip == NULL || at.x >= KERR_GRID_X || at.y >= KERR_GRID_Y) {
        return false;
    }
    *node = noc_node_at(at.x, at.y);
    return passive_index(*node) >= 0;
}

kerr_status chip_passive_access(kerr_chip *chip, noc_node node, unsigned noc, uint64_t address, void *read_to,
                                const void *write_from, size_t size, passive_fault *fault)
{
    if (read_to == NULL && write_from == NULL && size != 0) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    if (size > UINT32_MAX) {
        return KERR_BAD_ADDRESS;
    }
    chip->running = true; /* host memory may be called */
    const passive_result result =
        read_to != NULL ? passive_read(chip, node, noc, address, read_to, (uint32_t)size, chip->now, fault)
                        : passive_write(chip, node, noc, address, write_from, (uint32_t)size, chip->now, fault);
    chip->running = false;
    if (result == PASSIVE_FAULT) {
        return chip_fault_of_host(chip, fault, node, address, read_to != NULL) ? KERR_FAULTED : KERR_OK;
    }
    return result == PASSIVE_OK ? KERR_OK : KERR_BAD_ADDRESS;
}

kerr_status kerr_peek(const kerr_chip *chip, kerr_xy at, uint64_t address, void *data, size_t size)
{
    struct tile *tile;
    noc_node node;
    if (is_passive(chip, at, &node)) {
        if (data == NULL && size != 0) {
            return KERR_BAD_ARGUMENT;
        }
        return size <= UINT32_MAX && passive_peek(chip, node, 0, address, data, (uint32_t)size, chip->now)
                   ? KERR_OK
                   : KERR_BAD_ADDRESS;
    }
    const kerr_status status = find_tile(chip, at, &tile);
    if (status != KERR_OK || (data == NULL && size != 0)) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    return tile_peek(tile, address, data, size, chip->now) ? KERR_OK : KERR_BAD_ADDRESS;
}

kerr_status kerr_memory_view(const kerr_chip *chip, kerr_xy at, uint64_t address, const uint8_t **bytes, uint64_t *size)
{
    struct tile *tile;
    const kerr_status status = find_tile(chip, at, &tile);
    if (status != KERR_OK || bytes == NULL || size == NULL) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    uint64_t local, left;
    switch (tile_memory_at(tile, address, chip->now, &local, &left)) {
    case PLACE_L1: *bytes = tile->l1 + local; break;
    case PLACE_BANK: *bytes = tile->bank->memory + local; break;
    default: return KERR_BAD_ADDRESS;
    }
    *size = left;
    return KERR_OK;
}

kerr_status kerr_poke(kerr_chip *chip, kerr_xy at, uint64_t address, const void *data, size_t size)
{
    struct tile *tile;
    const kerr_status status = find_tile_to_change(chip, at, &tile);
    if (status != KERR_OK || (data == NULL && size != 0)) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    chip->running = true; /* a watch may be called */
    const bool done = tile_poke(tile, address, data, size, chip->now);
    chip->running = false;
    return done ? KERR_OK : KERR_BAD_ADDRESS;
}

kerr_status kerr_read(kerr_chip *chip, kerr_xy at, uint64_t address, void *data, size_t size)
{
    struct tile *tile;
    noc_node node;
    if (is_passive(chip, at, &node)) {
        passive_fault ignored;
        return chip_passive_access(chip, node, 0, address, data, NULL, size, &ignored);
    }
    const kerr_status status = find_tile_to_change(chip, at, &tile);
    if (status != KERR_OK || (data == NULL && size != 0)) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    chip->running = true; /* a watch may be called */
    const bool done = tile_read(tile, address, data, size, chip->now);
    chip->running = false;
    return done ? KERR_OK : KERR_BAD_ADDRESS;
}

kerr_status kerr_write(kerr_chip *chip, kerr_xy at, uint64_t address, const void *data, size_t size)
{
    struct tile *tile;
    noc_node node;
    if (is_passive(chip, at, &node)) {
        passive_fault ignored;
        return chip_passive_access(chip, node, 0, address, NULL, data, size, &ignored);
    }
    const kerr_status status = find_tile_to_change(chip, at, &tile);
    if (status != KERR_OK || (data == NULL && size != 0)) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    chip->running = true; /* a watch may be called */
    const bool done = tile_write(tile, address, data, size, chip->now);
    chip->running = false;
    return done ? KERR_OK : KERR_BAD_ADDRESS;
}

kerr_status kerr_core_peek(const kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t address, void *data, size_t size)
{
    struct tile *tile;
    const kerr_status status = find_core(chip, at, core, &tile);
    if (status != KERR_OK || (data == NULL && size != 0)) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    return tile_core_peek(tile, core, address, data, size, chip->now) ? KERR_OK : KERR_BAD_ADDRESS;
}

kerr_status kerr_core_poke(kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t address, const void *data, size_t size)
{
    struct tile *tile;
    kerr_status status = find_core(chip, at, core, &tile);
    if (status == KERR_OK && (data == NULL && size != 0)) {
        status = KERR_BAD_ARGUMENT;
    }
    if (status == KERR_OK && !chip_may_change(chip)) {
        status = KERR_BAD_STATE;
    }
    if (status != KERR_OK) {
        return status;
    }
    chip->running = true; /* a watch may be called */
    const bool done = tile_core_poke(tile, core, address, data, size, chip->now);
    chip->running = false;
    return done ? KERR_OK : KERR_BAD_ADDRESS;
}

/* Where code and data may go: L1, or the core's own local RAM. */
static bool is_loadable(const struct tile *tile, kerr_core core, const kerr_segment *s)
{
    const uint32_t local = s->address - LOCAL_RAM_BASE;
    return (s->address < tile->l1_bytes && s->memory_size <= tile->l1_bytes - s->address) ||
           (local < tile->core[core].local_size && s->memory_size <= tile->core[core].local_size - local);
}

static bool segments_overlap(const kerr_segment *a, const kerr_segment *b)
{
    return a->memory_size != 0 && b->memory_size != 0 && a->address < b->address + b->memory_size &&
           b->address < a->address + a->memory_size;
}

kerr_status kerr_load(kerr_chip *chip, kerr_xy at, kerr_core core, const kerr_segment *segments, size_t count)
{
    struct tile *tile;
    kerr_status status = find_core(chip, at, core, &tile);
    if (status == KERR_OK && segments == NULL && count != 0) {
        status = KERR_BAD_ARGUMENT;
    }
    if (status == KERR_OK && !chip_may_change(chip)) {
        status = KERR_BAD_STATE;
    }
    for (size_t i = 0; i < count && status == KERR_OK; i++) {
        const kerr_segment *s = &segments[i];
        if (s->file_size > s->memory_size || (s->data == NULL && s->file_size != 0)) {
            status = KERR_BAD_ARGUMENT;
        } else if (!is_loadable(tile, core, s)) {
            status = KERR_BAD_ADDRESS;
        }
        for (size_t j = 0; j < i && status == KERR_OK; j++) {
            status = segments_overlap(s, &segments[j]) ? KERR_BAD_ARGUMENT : KERR_OK;
        }
    }
    static const uint8_t zeroes[4096];
    if (status != KERR_OK) {
        return status;
    }
    chip->running = true; /* a watch may be called */
    for (size_t i = 0; i < count && status == KERR_OK; i++) {
        const kerr_segment *s = &segments[i];
        if (s->file_size != 0) {
            tile_core_poke(tile, core, s->address, s->data, s->file_size, chip->now);
        }
        for (uint32_t done = s->file_size; done < s->memory_size;) {
            const uint32_t part = s->memory_size - done < sizeof zeroes ? s->memory_size - done : sizeof zeroes;
            tile_core_poke(tile, core, s->address + done, zeroes, part, chip->now);
            done += part;
        }
    }
    chip->running = false;
    return status;
}

/* ---- Cores ------------------------------------------------------------------------------------------------------ */

kerr_status kerr_core_query(const kerr_chip *chip, kerr_xy at, kerr_core core, kerr_core_info *info)
{
    struct tile *tile;
    const kerr_status status = find_core(chip, at, core, &tile);
    if (status != KERR_OK || info == NULL) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    static const kerr_core_state state[] = {
        [RV_IN_RESET] = KERR_CORE_IN_RESET, [RV_RUNNING] = KERR_CORE_RUNNING, [RV_PARKED] = KERR_CORE_PARKED,
        [RV_WAITING] = KERR_CORE_WAITING,   [RV_HALTED] = KERR_CORE_HALTED,   [RV_STOPPED] = KERR_CORE_STOPPED,
    };
    rv_core copy;
    const rv_core *c = tile_core_view(tile, core, chip->now, &copy);
    *info = (kerr_core_info){
        .state = state[tile->core[core].state],
        .pc = c->pc,
        .cycles = c->state == RV_IN_RESET ? 0 : chip->now - c->mcycle_offset,
        .instructions = c->instret - c->instret_offset,
        .wait_address = c->state == RV_WAITING ? c->wait_address : 0,
        .wait_is_store = c->state == RV_WAITING && !(c->blocked.active && c->blocked.address == c->wait_address),
    };
    if (info->state == KERR_CORE_RUNNING ||
        info->state == KERR_CORE_PARKED) { /* whoever watches, and if parking is off */
        const kerr_stand stand = tile_core_stand(tile, core, chip->now, NULL, 0, &info->wait_address);
        info->state = stand == KERR_STANDS_GOING_ON ? info->state : KERR_CORE_PARKED;
    }
    return KERR_OK;
}

kerr_status kerr_reg_get(const kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t reg, uint32_t *value)
{
    struct tile *tile;
    const kerr_status status = find_core(chip, at, core, &tile);
    if (status != KERR_OK || value == NULL) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    rv_core copy;
    const rv_core *c = tile_core_view(tile, core, chip->now, &copy);
    if (reg < 32) {
        *value = c->x[reg];
    } else if (reg < 64) {
        *value = c->fp.f[reg - KERR_REG_F];
    } else if (reg == KERR_REG_PC) {
        *value = c->pc;
    } else if (reg >= KERR_REG_CSR && reg < KERR_REG_CSR + 0x1000) {
        return rv_csr_read(c, reg - KERR_REG_CSR, chip->now, value) ? KERR_OK : KERR_BAD_ARGUMENT;
    } else if (reg >= KERR_REG_V && reg < KERR_REG_V + 128 && tile->core[core].kind == KERR_CORE_T2) {
        *value = c->vec.v[(reg - KERR_REG_V) / 4][(reg - KERR_REG_V) % 4];
    } else {
        return KERR_BAD_ARGUMENT;
    }
    return KERR_OK;
}

kerr_status kerr_reg_set(kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t reg, uint32_t value)
{
    struct tile *tile;
    const kerr_status status = find_core(chip, at, core, &tile);
    if (status != KERR_OK) {
        return status;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    uint32_t old;
    if (kerr_reg_get(chip, at, core, reg, &old) != KERR_OK) {
        return KERR_BAD_ARGUMENT;
    }
    tile_core_wake(tile, core, chip->now);
    rv_core *c = &tile->core[core];
    if (reg < 32) {
        if (reg != 0) {
            c->x[reg] = value;
        }
    } else if (reg < 64) {
        c->fp.f[reg - KERR_REG_F] = value;
    } else if (reg == KERR_REG_PC) {
        c->pc = value;
        c->end.at = 0;
        c->sequential = false;
    } else if (reg < KERR_REG_V) {
        rv_csr_write(c, reg - KERR_REG_CSR, chip->now, value);
    } else {
        c->vec.v[(reg - KERR_REG_V) / 4][(reg - KERR_REG_V) % 4] = value;
    }
    return KERR_OK;
}

/* Registers of the tile's debug block, as a host uses them (manual SoftReset). */
#define SOFT_RESET_0 0xFFB121B0u
#define TRISC0_RESET_PC 0xFFB12228u
#define TRISC_RESET_PC_OVERRIDE 0xFFB12234u
#define NCRISC_RESET_PC 0xFFB12238u
#define NCRISC_RESET_PC_OVERRIDE 0xFFB1223Cu
#define RISC_CTRL_RESET_PC_0 0xFFB14000u /* Ethernet and DRAM tiles */

static uint32_t reset_bit(kerr_core core)
{
    static const uint32_t bit[KERR_CORE_COUNT] = {0x800, 0x1000, 0x2000, 0x4000, 0x40000};
    return bit[core];
}

static uint32_t register_of(const struct tile *tile, uint32_t address, uint64_t now)
{
    uint32_t value = 0;
    tile_peek(tile, address, &value, 4, now);
    return value;
}

static void set_register(struct tile *tile, uint32_t address, uint32_t value, uint64_t now)
{
    tile_write(tile, address, &value, 4, now);
}

kerr_status kerr_core_reset(kerr_chip *chip, kerr_xy at, kerr_core core, bool in_reset)
{
    struct tile *tile;
    const kerr_status status = find_core(chip, at, core, &tile);
    if (status != KERR_OK) {
        return status;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    const uint32_t old = register_of(tile, SOFT_RESET_0, chip->now);
    set_register(tile, SOFT_RESET_0, in_reset ? old | reset_bit(core) : old & ~reset_bit(core), chip->now);
    return KERR_OK;
}

kerr_status kerr_core_start(kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t pc)
{
    kerr_status status = kerr_core_reset(chip, at, core, true);
    struct tile *tile;
    if (status == KERR_OK) {
        status = find_core(chip, at, core, &tile);
    }
    if (status != KERR_OK) {
        return status;
    }
    if (tile->kind == KERR_TILE_TENSIX && core >= KERR_CORE_T0 && core <= KERR_CORE_T2) {
        const uint32_t thread = (uint32_t)core - KERR_CORE_T0;
        set_register(tile, TRISC0_RESET_PC + 4 * thread, pc, chip->now);
        set_register(tile, TRISC_RESET_PC_OVERRIDE,
                     register_of(tile, TRISC_RESET_PC_OVERRIDE, chip->now) | 1u << thread, chip->now);
    } else if (tile->kind == KERR_TILE_TENSIX && core == KERR_CORE_NC) {
        set_register(tile, NCRISC_RESET_PC, pc, chip->now);
        set_register(tile, NCRISC_RESET_PC_OVERRIDE, 1, chip->now);
    }
    if (tile->kind != KERR_TILE_TENSIX) {
        set_register(tile, RISC_CTRL_RESET_PC_0 + 8 * (uint32_t)core, pc, chip->now);
    }
    status = kerr_core_reset(chip, at, core, false);
    if (status == KERR_OK && tile->kind == KERR_TILE_TENSIX && core == KERR_CORE_B) {
        tile->core[core].pc = pc; /* RISCV B has no register for it and starts at 0 by itself */
    }
    return status;
}

/* ---- Time ----------------------------------------------------------------------------------------------------------- */

kerr_status kerr_cycle(const kerr_chip *chip, uint64_t *cycle)
{
    if (chip == NULL || cycle == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    *cycle = chip->now;
    return KERR_OK;
}

kerr_status kerr_threads(const kerr_chip *chip, uint32_t *threads)
{
    if (chip == NULL || threads == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    *threads = chip->threads;
    return KERR_OK;
}

kerr_status kerr_set_slice(kerr_chip *chip, uint64_t nanoseconds)
{
    if (chip == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    if (chip->running) {
        return KERR_BAD_STATE;
    }
    chip->slice_ns = nanoseconds;
    return KERR_OK;
}

kerr_status kerr_cut(kerr_chip *chip)
{
    if (chip == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip->running) {
        return KERR_BAD_STATE;
    }
    chip->cut_at = 1; /* long ago */
    return KERR_OK;
}

bool kerr_was_cut(const kerr_chip *chip)
{
    return chip != NULL && chip->was_cut;
}

static kerr_status run_cycles(kerr_chip *chip, uint64_t cycles)
{
    chip->running = true;
    const unsigned floats = host_floats_take();
    const kerr_status status = chip_run(chip, cycles);
    host_floats_give_back(floats);
    chip->running = false;
    return status;
}

kerr_status kerr_run(kerr_chip *chip, uint64_t cycles)
{
    if (chip == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    chip_begin_slice(chip);
    return run_cycles(chip, cycles);
}

static bool holds(kerr_chip *chip, const struct tile *tile, const kerr_until *until)
{
    uint32_t word = 0;
    switch (until->kind) {
    case KERR_UNTIL_WORD_EQ:
    case KERR_UNTIL_WORD_NE:
        tile_peek(tile, until->address, &word, 4, chip->now);
        return ((word & until->mask) == until->value) == (until->kind == KERR_UNTIL_WORD_EQ);
    case KERR_UNTIL_CORE_STATE: {
        kerr_core_info info;
        return kerr_core_query(chip, until->at, until->core, &info) == KERR_OK && (uint32_t)info.state == until->value;
    }
    case KERR_UNTIL_IDLE: return chip_is_at_rest(chip);
    }
    return false;
}

kerr_status kerr_run_until(kerr_chip *chip, const kerr_until *until, uint64_t max_cycles, bool *reached)
{
    if (chip == NULL || until == NULL || reached == NULL || (unsigned)until->kind > KERR_UNTIL_IDLE) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE; /* a hook's call */
    }
    *reached = false;
    struct tile *tile = NULL;
    if (until->kind != KERR_UNTIL_IDLE) {
        const kerr_status status = find_core(chip, until->at, until->core, &tile);
        if (status != KERR_OK) {
            return status;
        }
    }
    uint32_t word;
    if (until->kind <= KERR_UNTIL_WORD_NE &&
        ((until->address & 3) != 0 || !tile_peek(tile, until->address, &word, 4, chip->now))) {
        return KERR_BAD_ADDRESS;
    }
    const uint32_t every = until->every == 0 ? UNTIL_EVERY : until->every;
    const uint64_t end = max_cycles > NEVER - 1 - chip->now ? NEVER - 1 : chip->now + max_cycles;
    chip_begin_slice(chip);
    while (chip->now < end) {
        if (chip->now % every == 0 && holds(chip, tile, until)) {
            *reached = true;
            return KERR_OK;
        }
        if (chip->now % every == 0 && until->kind != KERR_UNTIL_IDLE && chip_is_at_rest(chip)) {
            return KERR_OK; /* it would be in vain */
        }
        const uint64_t next = min64(end, (chip->now / every + 1) * every);
        const kerr_status status = run_cycles(chip, next - chip->now);
        if (status != KERR_OK) {
            *reached = holds(chip, tile, until);
            return status;
        }
        if (chip->now < end && chip_slice_is_over(chip)) {
            return KERR_OK;
        }
    }
    *reached = holds(chip, tile, until);
    return KERR_OK;
}

/* ---- Snapshots and hooks ---------------------------------------------------------------------------------------- */

static kerr_status save(const kerr_chip *chip, bool banks, kerr_write_fn write, void *context)
{
    if (chip == NULL || write == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    return chip->running ? KERR_BAD_STATE : chip_save(chip, banks, write, context);
}

kerr_status kerr_save(const kerr_chip *chip, kerr_write_fn write, void *context)
{
    return save(chip, true, write, context);
}

kerr_status kerr_save_without_dram(const kerr_chip *chip, kerr_write_fn write, void *context)
{
    return save(chip, false, write, context);
}

kerr_status kerr_restore(kerr_chip *chip, kerr_read_fn read, void *context)
{
    if (chip == NULL || read == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    return !chip_may_change(chip) ? KERR_BAD_STATE : chip_restore(chip, true, read, context);
}

kerr_status kerr_rewind(kerr_chip *chip, kerr_read_fn read, void *context)
{
    if (chip == NULL || read == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    return !chip_may_change(chip) ? KERR_BAD_STATE : chip_restore(chip, false, read, context);
}

kerr_status kerr_hash(const kerr_chip *chip, uint64_t *hash)
{
    if (chip == NULL || hash == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    if (chip->running) {
        return KERR_BAD_STATE;
    }
    *hash = chip_hash(chip);
    return KERR_OK;
}

kerr_status kerr_watch_add(kerr_chip *chip, kerr_xy at, uint32_t address, uint32_t size, kerr_watch_fn fn,
                           void *context, uint32_t *id)
{
    struct tile *tile;
    const kerr_status status = find_tile_to_change(chip, at, &tile);
    if (status != KERR_OK) {
        return status;
    }
    if (fn == NULL || id == NULL || size == 0) {
        return KERR_BAD_ARGUMENT;
    }
    if (address >= tile->l1_bytes || size > tile->l1_bytes - address) {
        return KERR_BAD_ADDRESS;
    }
    for (unsigned i = 0; i < TILE_WATCHES; i++) {
        if (tile->watch[i].id == 0) {
            *id = chip->next_watch_id++;
            chip->watches++;
            tile->watch[i] = (tile_watch){*id, address, size, fn, context};
            for (uint32_t line = address >> LINE_SHIFT; line <= (address + size - 1) >> LINE_SHIFT; line++) {
                tile->line_flags[line] |= LINE_WATCHED;
            }
            return KERR_OK;
        }
    }
    return KERR_BAD_STATE; /* all TILE_WATCHES in use */
}

kerr_status kerr_watch_remove(kerr_chip *chip, uint32_t id)
{
    if (chip == NULL || id == 0) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        for (unsigned w = 0; w < TILE_WATCHES; w++) {
            if (chip->made[i] && chip_tile(chip, i)->watch[w].id == id) {
                chip_tile(chip, i)->watch[w].id = 0;
                chip->watches--;
                return KERR_OK;
            }
        }
    }
    return KERR_BAD_ARGUMENT;
}
