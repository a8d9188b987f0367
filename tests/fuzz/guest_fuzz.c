/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: what a guest and a host can ask of the chip's units, rather than instructions.  Cores of a few tiles
 * (Tensix, Ethernet, DRAM) store to NIUs, overlay streams, TDMA, the DMA of a DRAM tile and any other register, in any
 * order and with any lengths and addresses; meanwhile the host works through TLB windows, config space, the outbound iATU
 * and kerr.h.  Whatever they do, the library neither crashes nor prints nor reads what is not its own, and two chips that
 * must agree do: one runs in one piece, the other in slices, and in short windows, without parking and instruction by
 * instruction, or on two threads.  Before every call their stacks are smeared with different bytes: what depends on them shows.
 *
 * The input: CHOICES bytes, then records.  A record is a step: one of an actor's program, or one of the host's. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kerr_pci.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHOICES = 8, RECORDS_MAX = 160, PROGRAM_MAX = 6000, CODE = 0x6000, HOST_BYTES = 1 << 16, DATA_MAX = 4096 };

/* ---- Places --------------------------------------------------------------------------------------------------------- */

enum { ACTORS = 5 };
static const struct actor {
    uint8_t x, y;
    kerr_core core;
} actors[ACTORS] = {
    {1, 2, KERR_CORE_B}, {1, 2, KERR_CORE_T1}, {2, 2, KERR_CORE_NC}, {1, 1, (kerr_core)0}, {0, 0, (kerr_core)0},
};

/* Where requests go: the actors' tiles, others, nodes without cores, and nowhere. */
static const uint8_t ends[][2] = {{1, 2}, {2, 2},  {1, 1}, {0, 0}, {1, 2},  {2, 2},   {7, 5},   {9, 11},
                                  {0, 1}, {9, 11}, {8, 0}, {2, 0}, {11, 0}, {8, 3},   {8, 2},   {1, 0},
                                  {3, 1}, {16, 9}, {1, 2}, {5, 7}, {17, 3}, {63, 63}, {20, 25}, {18, 18}};

typedef struct place {
    uint64_t base;
    uint32_t span; /* offsets below it */
} place;
static const place memory_places[] = {
    {0x10000, 0x8000},
    {0x17FF00, 0x200},
    {0x7FF00, 0x200},
    {0x1FF00, 0x200},
    {0x2000000000, 0x20100},
    {0xFEFFFF00, 0x200},
    {0xFFFFFF00, 0x100},
    {0xFF000000, 0x100},
    {0x10000000, 0x80100},
    {0x80000000, 0x100},
    {0x8000000000000000, 0x100},
    {0x1000000000000000, 0x10100},
    {0x20000000, 0x80000},
    {0xFFFFF7FEFFF00000, 0x80000},
    {0, 0x100},
};
static const place register_places[] = {
    {0xFFB20000, 0x2000}, {0xFFB30000, 0x2000},   {0xFFB20000, 0x100},          {0xFFB40000, 0x40000},
    {0xFFB40000, 0x200},  {0xFFB11000, 0x200},    {0xFFB12000, 0x300},          {0xFFB13000, 0x200},
    {0xFFB14000, 0x100},  {0xFFB80000, 0x40},     {0xFFE00000, 0x1000},         {0xFFE40000, 0x10},
    {0xFFE80000, 0x100},  {0xFFE90000, 0x100},    {0xFFEC0000, 0x1000},         {0xFFEF0000, 0x1000},
    {0xFFBD8000, 0x8000}, {0xFFB00000, 0x2000},   {0xFFFFFFFFFF000000, 0x2000}, {0xFC000000, 0x200},
    {0xFC001000, 0x40},   {0x100FFB20000, 0x200}, {0xFFB90000, 0x2000},         {0xFF000000, 0x100},
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const uint32_t lengths[] = {0,    1,     2,     3,     4,     5,     6,      7,       8,        12,        15,
                                   16,   17,    31,    32,    33,    48,    63,     64,      65,       100,       1024,
                                   4096, 16320, 16383, 16384, 16385, 20000, 0x8000, 0x10000, 0x100000, 0x7FFFFFFF};

typedef struct record {
    uint8_t kind, who, a, b;
    uint32_t x, y, z;
} record;
_Static_assert(sizeof(record) == 16, "as it stands in the input");

static void require(bool truth, const char *what)
{
    if (!truth) {
        (void)fprintf(stderr, "guest_fuzz: %s\n", what);
        abort();
    }
}

/* Mostly where something is, in a sixteenth of all cases anywhere. */
static uint64_t address_of(uint32_t choice, bool registers)
{
    const place *from = registers ? register_places : memory_places;
    const size_t count = registers ? COUNT(register_places) : COUNT(memory_places);
    if ((choice & 15) == 15) {
        return (uint64_t)choice * 0x9E3779B97F4A7C15u;
    }
    const place p = from[(choice >> 4) % count];
    const uint32_t aligned = choice & 8 ? 0 : choice & 4 ? 3 : 15; /* off by nothing, within a word, within a line */
    return p.base + ((choice >> 12) % p.span & ~aligned);
}

static uint32_t length_of(uint32_t choice)
{
    return (choice & 31) == 31 ? choice : lengths[(choice >> 5) % COUNT(lengths)];
}

static uint32_t end_of(uint32_t choice)
{
    const uint8_t *at = ends[choice % COUNT(ends)];
    return at[0] | (uint32_t)at[1] << 6;
}

/* ---- Programs of the actors ------------------------------------------------------------------------------------------ */

typedef struct program {
    uint32_t word[PROGRAM_MAX];
    size_t count;
} program;

enum { X_ADDRESS = 5, X_VALUE = 6, X_RESULT = 7 };

static void emit(program *p, uint32_t word)
{
    if (p->count < PROGRAM_MAX - 1) {
        p->word[p->count++] = word;
    }
}

static void load_immediate(program *p, unsigned rd, uint32_t value)
{
    emit(p, ((value + 0x800) & 0xFFFFF000) | rd << 7 | 0x37);
    emit(p, (value & 0xFFF) << 20 | rd << 15 | rd << 7 | 0x13);
}

static void store(program *p, uint32_t address, uint32_t value, unsigned size_log)
{
    load_immediate(p, X_ADDRESS, address);
    load_immediate(p, X_VALUE, value);
    emit(p, X_VALUE << 20 | X_ADDRESS << 15 | size_log << 12 | 0x23);
}

static void load(program *p, uint32_t address, unsigned function)
{
    static const uint8_t functions[] = {0, 1, 2, 2, 2, 2, 4, 5};
    load_immediate(p, X_ADDRESS, address);
    emit(p, X_ADDRESS << 15 | (uint32_t)functions[function & 7] << 12 | X_RESULT << 7 | 0x03);
}

/* A request at an NIU: most of its registers, then NOC_CMD_CTRL.  What is not written stays from the one before. */
static void request(program *p, const record *r)
{
    static const uint32_t kinds[16] = {0, 0, 0, 2, 2, 2, 2, 1, 1, 2 | 4, 2 | 8, 2 | 8, 2 | 4 | 8, 3, 2, 0};
    const uint32_t base = 0xFFB20000u + (r->a & 1u) * 0x10000 + (r->a >> 1 & 3u) * 0x800;
    const uint64_t here = address_of(r->x, (r->b & 7) == 7), there = address_of(r->y, (r->b & 0x18) == 0x18);
    const bool to_target = (r->b & 0x20) != 0;
    const uint64_t target = to_target ? there : here, back = to_target ? here : there;
    uint32_t ctrl = kinds[r->a >> 4];
    ctrl |= (r->z & 0x30) | (r->z >> 8 & 0xFF) * ((r->z & 3) == 0) << 4; /* marked, broadcast; seldom the other flags */
    ctrl |= (r->z >> 16 & 7) == 7 ? r->z & 0xFFFE0000 : 0;
    const uint32_t start = end_of(r->x >> 8), end = end_of(r->z >> 3);
    store(p, base + 0x00, (uint32_t)target, 2);
    store(p, base + 0x04, (uint32_t)(target >> 32), 2);
    store(p, base + 0x08, (to_target ? end : end_of(r->who >> 3)) | start << 12, 2);
    store(p, base + 0x0C, (uint32_t)back, 2);
    store(p, base + 0x10, (uint32_t)(back >> 32), 2);
    store(p, base + 0x14, (to_target ? end_of(r->who >> 3) : end) | start << 12, 2);
    store(p, base + 0x18, (r->z >> 20 & 15) << 10 | ((r->z & 0x7000000) == 0x7000000 ? r->x & 0x3FF : 0), 2);
    store(p, base + 0x1C, ctrl, 2);
    store(p, base + 0x20, (ctrl & 3) == 1 ? r->z * 0x9E3779B9u : length_of(r->y ^ r->z >> 7), 2);
    if ((r->b & 0xC0) == 0xC0) {
        store(p, base + 0x24, (ctrl & 12) != 0 ? r->x : r->x >> 30, 2);
        store(p, base + 0x2C, r->y, 2);
        store(p, base + 0x30, r->z >> 12, 2);
    }
    store(p, base + 0x28, r->z, 2);
    store(p, base + 0x40, 1, 2);
}

/* The registers that a transfer of a DRAM tile's DMA needs. */
static void dma(program *p, const record *r)
{
    const uint32_t stream = 0xFC000000u + (r->a & 1u) * 0x100;
    const bool reads = (r->a & 2) != 0;
    const uint64_t bank = (r->a & 4) != 0 ? 0x100000000u - (r->x & 0xFFFF) : r->x & ~63u;
    store(p, 0xFC001004, 0x31001, 2);
    store(p, stream + (reads ? 0x38 : 0x10), (r->a & 8) != 0 ? 0x20000 - (r->y & 0xFFF) : r->y & 0x1FFF0, 2);
    store(p, stream + (reads ? 0x30 : 0x14), (uint32_t)bank, 2);
    store(p, stream + (reads ? 0x34 : 0x18), (uint32_t)(bank >> 32) ^ ((r->a & 0x30) == 0x30), 2);
    store(p, stream + 0x50, (reads ? 1u << 31 : 1u << 28) | (length_of(r->z) / 16 & 0x3FFF) | (r->b == 0 ? r->z : 0),
          2);
}

/* A stream: its buffer, headers and phase, then what pushes and clears messages. */
static void stream(program *p, const record *r)
{
    static const uint16_t registers[] = {0, 1, 2, 2, 3, 8, 10, 12, 17, 18, 19, 20, 22, 23, 28, 29, 30, 31, 32, 33};
    const uint32_t base = 0xFFB40000u + (r->who & 0x38 ? r->a & 7u : r->a & 63u) * 0x1000;
    if ((r->b & 3) == 0) { /* as software that begins a phase */
        store(p, base + 4 * 17, r->x & 0xFFF, 2);
        store(p, base + 4 * 18, r->x >> 12 & 0xFF, 2);
        store(p, base + 4 * 3, 1u << 4 | (r->z & 1u << 6), 2);
        store(p, base + 4 * 22, r->y & 0x1FFFF, 2);
        store(p, base + 4 * 23, (r->y & 0x1FFFF) + (r->y >> 17 & 15), 2);
        store(p, base + 4 * 32, (r->y >> 21 & 0x7F) << 12, 2);
        store(p, base + 4 * 2, 3, 2);
        return;
    }
    const uint32_t index = (r->b & 4) != 0 ? registers[(r->b >> 3) % COUNT(registers)] : r->x >> 23;
    store(p, base + 4 * index, r->y & (r->b & 0x80 ? 0x1FFFFu : UINT32_MAX), 2);
}

/* A transfer of the mover, as TDMA registers have it. */
static void mover(program *p, const record *r)
{
    static const uint32_t commands[] = {0x40, 0x40, 0x66 | 0x600, 0x66 | 0x700, 0x46, 0x89, 0x40 | 1u << 31, 0x67};
    store(p, 0xFFB11000, r->a & 1 ? r->x : r->x & 0x17FFF, 2);
    store(p, 0xFFB11004, r->a & 2 ? r->y : r->y & 0x17FFF, 2);
    store(p, 0xFFB11008, length_of(r->z) / 16, 2);
    store(p, 0xFFB1100C, r->z, 2);
    store(p, 0xFFB11010, commands[r->b & 7] | (r->b & 8 ? r->z & 0x3FFFFF00 : 0), 2);
}

enum kind {
    REQUEST = 0, /* .. 6 */
    STORE = 7,   /* .. 9 */
    LOAD = 10,
    DMA = 11,
    STREAM = 12, /* .. 13 */
    MOVER = 14,
    PUSH = 15,
    HOST = 16, /* .. 23: the host's */
    KINDS = 24,
};

static unsigned kind_of(const record *r)
{
    return r->kind % KINDS;
}

static void add_step(program programs[ACTORS], const record *r)
{
    const unsigned kind = kind_of(r);
    program *p = &programs[kind == DMA ? ACTORS - 1 : (r->who & 7) % ACTORS];
    const bool tensix = (r->who & 7) % ACTORS < 3;
    if (kind < STORE) {
        request(p, r);
    } else if (kind < LOAD) {
        store(p, (uint32_t)address_of(r->x, (r->b & 7) != 0), (r->b & 8) != 0 ? r->y : r->y & 0xFF,
              (r->b & 0x70) == 0 ? r->b >> 7 : 2);
    } else if (kind == LOAD) {
        load(p, (uint32_t)address_of(r->x, (r->b & 7) != 0), r->a);
    } else if (kind == DMA) {
        dma(p, r);
    } else if (kind < MOVER) {
        stream(p, r);
    } else if (kind == MOVER && tensix) {
        mover(p, r);
    } else if (kind == PUSH && tensix) {
        store(p, 0xFFE40000, r->y, 2);
    }
}

/* ---- Two chips --------------------------------------------------------------------------------------------------------- */

typedef struct side {
    kerr_chip *chip;
    kerr_pci *pci;
    uint8_t host[HOST_BYTES];
    uint8_t data[DATA_MAX + 16]; /* of the host's reads */
    uint64_t slice;
    uint8_t smear;
    kerr_status status; /* of the last step */
    char text[256];
} side;
static side all[3];
static side *sides[2]; /* those of this input */

/* What the next call finds on its stack. */
__attribute__((noinline)) static void smear(const side *s)
{
    volatile uint8_t below[24000];
    for (size_t i = 0; i < sizeof below; i++) {
        below[i] = s->smear;
    }
}

static void host_read(void *context, uint64_t address, void *data, size_t size)
{
    side *s = context;
    for (size_t i = 0; i < size; i++) {
        ((uint8_t *)data)[i] = s->host[(address + i) % HOST_BYTES];
    }
}

static void host_write(void *context, uint64_t address, const void *data, size_t size)
{
    side *s = context;
    for (size_t i = 0; i < size; i++) {
        s->host[(address + i) % HOST_BYTES] = ((const uint8_t *)data)[i];
    }
}

static void make_chips(void)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    require(kerr_create(&config, &all[0].chip) == KERR_OK, "create");
    config.threads = 2; /* which wait for each other: seldom taken */
    require(kerr_create(&config, &all[2].chip) == KERR_OK, "create");
    config.threads = 1;
    config.no_parking = true;
    config.max_block = 1;
    config.window_cycles = 5;
    require(kerr_create(&config, &all[1].chip) == KERR_OK, "create");
    for (unsigned i = 0; i < 3; i++) {
        all[i].smear = i == 0 ? 0xA5 : 0x3C;
        require(kerr_set_host_memory(all[i].chip, host_read, host_write, &all[i]) == KERR_OK, "host memory");
    }
}

static void told(void *context, kerr_pci_call call, kerr_status status, const char *text)
{
    side *s = context;
    (void)snprintf(s->text, sizeof s->text, "%d %d %s", (int)call, (int)status, text);
}

static void set_up(side *s, const uint8_t *choices, const program programs[ACTORS])
{
    static const kerr_policy policies[4] = {KERR_POLICY_GO_ON, KERR_POLICY_GO_ON, KERR_POLICY_IGNORE, KERR_POLICY_STOP};
    require(kerr_reset(s->chip) == KERR_OK, "reset");
    for (unsigned kind = 0; kind < KERR_FAULT_KINDS; kind++) {
        require(kerr_set_policy(s->chip, (kerr_fault_kind)kind, policies[choices[0] & 3]) == KERR_OK, "policy");
    }
    kerr_pci_setup setup;
    kerr_pci_setup_init(&setup);
    setup.context = s;
    setup.tell = told;
    kerr_pci_close(s->pci);
    require(kerr_pci_open(s->chip, &setup, &s->pci) == KERR_OK, "open");
    for (size_t i = 0; i < HOST_BYTES; i++) {
        s->host[i] = (uint8_t)(i * 7 + i / 256);
    }
    memset(s->data, 0, sizeof s->data);
    memset(s->text, 0, sizeof s->text);
    for (unsigned a = 0; a < ACTORS; a++) {
        const kerr_xy at = {actors[a].x, actors[a].y};
        const uint32_t bytes = (uint32_t)(4 * programs[a].count), code = CODE * a;
        const kerr_segment segment = {code, bytes, bytes, programs[a].word};
        smear(s);
        require(kerr_load(s->chip, at, actors[a].core, &segment, 1) == KERR_OK, "load");
        require(kerr_core_start(s->chip, at, actors[a].core, code) == KERR_OK, "start");
    }
    s->slice = 16 + 2u * choices[1];
    s->status = KERR_OK;
}

static void run(side *s, uint64_t cycles)
{
    const uint64_t slice = s == &all[0] ? cycles : s->slice;
    for (uint64_t done = 0; done < cycles; done += slice) {
        smear(s);
        s->status = kerr_run(s->chip, cycles - done < slice ? cycles - done : slice);
        require(s->status == KERR_OK || s->status == KERR_FAULTED, kerr_status_text(s->status));
    }
}

/* ---- The host ------------------------------------------------------------------------------------------------------------ */

static uint64_t bar(side *s, uint32_t number)
{
    uint32_t low = 0, high = 0;
    require(kerr_pci_config_read(s->pci, 0x10 + 4 * number, &low) == KERR_OK &&
                kerr_pci_config_read(s->pci, 0x14 + 4 * number, &high) == KERR_OK,
            "BAR");
    return (low & ~15u) | (uint64_t)high << 32;
}

static void through_bar(side *s, uint64_t physical, uint32_t size, bool writes)
{
    smear(s);
    s->status =
        writes ? kerr_pci_write(s->pci, physical, s->data, size) : kerr_pci_read(s->pci, physical, s->data, size);
}

static uint32_t host_size(uint32_t choice)
{
    const uint32_t size = length_of(choice);
    return size > DATA_MAX ? size % DATA_MAX : size;
}

static void set_words(side *s, uint64_t physical, const uint32_t *words, unsigned count)
{
    memcpy(s->data, words, 4 * count);
    through_bar(s, physical, 4 * count, true);
}

/* A window that leads somewhere, or anywhere. */
static void use_window(side *s, const record *r)
{
    const uint32_t window = (r->a & 0x80) != 0 ? 202u + (r->a & 7u) : (r->a & 0x3Fu) % 40;
    const bool small = window < 202;
    const uint64_t address = address_of(r->x, (r->b & 1) != 0);
    const unsigned bits = small ? 21 : 32, place_bits = small ? 43 : 32;
    const uint64_t local = address >> bits, end = end_of(r->z), start = end_of(r->z >> 8);
    const uint64_t noc = r->b >> 1 & 1, mcast = (r->b & 12) == 12;
    uint32_t words[3] = {0};
    for (unsigned bit = 0; bit < 96; bit++) {
        const uint64_t field = bit < place_bits         ? local >> bit
                               : bit < place_bits + 12  ? end >> (bit - place_bits)
                               : bit < place_bits + 24  ? start >> (bit - place_bits - 12)
                               : bit == place_bits + 24 ? noc
                               : bit == place_bits + 26 ? mcast
                                                        : 0;
        words[bit / 32] |= (uint32_t)(field & 1) << bit % 32;
    }
    if ((r->b & 0xF0) == 0xF0) {
        words[r->y % 3] ^= r->y;
    }
    set_words(s, bar(s, 0) + 0x1FC00000 + 12 * (uint64_t)window, words, 3);
    const uint64_t offset = address & ((UINT64_C(1) << bits) - 1);
    const uint64_t physical =
        small ? bar(s, 0) + ((uint64_t)window << 21) + offset : bar(s, 4) + ((uint64_t)(window - 202) << 32) + offset;
    through_bar(s, physical, host_size(r->y), (r->z >> 31) != 0);
}

/* kerr.h itself: any tile and node, as a request or as a debugger. */
static void use_api(side *s, const record *r)
{
    const uint8_t *end = ends[r->who % COUNT(ends)];
    const kerr_xy at = {end[0], end[1]};
    const uint64_t address = address_of(r->x, (r->b & 1) != 0);
    const size_t size = host_size(r->y);
    const kerr_core core = (kerr_core)(r->z % KERR_CORE_COUNT);
    smear(s);
    switch (r->a & 7) {
    case 0: s->status = kerr_read(s->chip, at, address, s->data, size); break;
    case 1: s->status = kerr_write(s->chip, at, address, s->data, size); break;
    case 2: s->status = kerr_peek(s->chip, at, address, s->data, size); break;
    case 3: s->status = kerr_poke(s->chip, at, address, s->data, size); break;
    case 4: s->status = kerr_core_peek(s->chip, at, core, (uint32_t)address, s->data, size); break;
    case 5: s->status = kerr_core_poke(s->chip, at, core, (uint32_t)address, s->data, size); break;
    case 6: s->status = kerr_core_reset(s->chip, at, core, (r->z & 8) != 0); break;
    default: {
        uint32_t value = 0;
        s->status = kerr_reg_get(s->chip, at, core, r->z >> 3 & 0x2FFF, &value);
        memcpy(s->data, &value, sizeof value);
        break;
    }
    }
    if (s->status != KERR_OK && ((r->a & 7) == 0 || (r->a & 7) == 2 || (r->a & 7) == 4)) {
        memset(s->data, 0, size);
    }
}

static void host_step(side *s, const record *r)
{
    static const uint64_t direct[] = {0x1FC00000, 0x1FC009D8, 0x1FC00A58, 0x1FD04000,
                                      0x1FD14000, 0x1FE80000, 0x1FF00000, 0x1FF30000};
    static const uint32_t config[] = {0, 4, 0xC, 0x10, 0x14, 0x20, 0x24, 0x3C};
    switch (kind_of(r) - HOST) {
    case 0:
    case 1:
    case 2: use_window(s, r); break;
    case 3:
    case 4: use_api(s, r); break;
    case 5: /* registers of the card that need no window */
        memcpy(s->data, &r->y, 8);
        through_bar(s, bar(s, 0) + direct[r->a & 7] + (r->x & 0xFFF), host_size(r->z), (r->b & 1) != 0);
        break;
    case 6: /* the iATU, where else requests to the host go; seldom config space */
        if ((r->b & 0xF0) == 0xF0) {
            (void)kerr_pci_config_write(s->pci, config[r->a & 7], r->x);
        } else {
            const uint32_t region[] = {
                r->b & 1 ? 1u << 13 : 0, 1u << 31,           r->x & 0xFFFF0000, 0, r->x | 0xFFF, r->y, 0,
                r->b & 2 ? r->z : 0,     r->b & 4 ? r->z : 0};
            set_words(s, bar(s, 2) + 0x1000 + 0x200 * (r->a & 15u), region, COUNT(region));
        }
        break;
    default: break;
    }
    run(s, 1 + (r->kind / KINDS) * 40 + (r->b & 15));
}

/* ---- Comparison ------------------------------------------------------------------------------------------------------------ */

static bool differ(const char **what)
{
    uint64_t cycle[2], hash[2];
    uint32_t faults[2];
    for (unsigned i = 0; i < 2; i++) {
        require(kerr_cycle(sides[i]->chip, &cycle[i]) == KERR_OK && kerr_hash(sides[i]->chip, &hash[i]) == KERR_OK &&
                    kerr_fault_count(sides[i]->chip, &faults[i]) == KERR_OK,
                "state");
    }
    *what = cycle[0] != cycle[1]                                                 ? "the cycle"
            : faults[0] != faults[1]                                             ? "the number of faults"
            : hash[0] != hash[1]                                                 ? "the hash"
            : sides[0]->status != sides[1]->status                               ? "the status"
            : strcmp(sides[0]->text, sides[1]->text) != 0                        ? "the message"
            : memcmp(sides[0]->data, sides[1]->data, sizeof sides[0]->data) != 0 ? "what the host has read"
            : memcmp(sides[0]->host, sides[1]->host, HOST_BYTES) != 0            ? "host memory"
                                                                                 : NULL;
    return *what != NULL;
}

static void print_faults(unsigned i)
{
    uint32_t count = 0;
    (void)kerr_fault_count(sides[i]->chip, &count);
    (void)fprintf(stderr, "  chip %u: %s, %u faults\n", i, kerr_status_text(sides[i]->status), count);
    for (uint32_t k = count > 8 ? count - 8 : 0; k < count; k++) {
        kerr_fault fault;
        char text[512];
        if (kerr_fault_get(sides[i]->chip, k, &fault) == KERR_OK) {
            (void)kerr_fault_format(&fault, text, sizeof text);
            (void)fprintf(stderr, "    %s\n", text);
        }
    }
}

static void print_memory(void)
{
    static uint8_t bytes[2][0x1000];
    unsigned shown = 0;
    for (unsigned a = 0; a < ACTORS; a++) {
        const kerr_xy at = {actors[a].x, actors[a].y};
        for (uint64_t page = 0; page < 0x180000 && shown < 10; page += sizeof bytes[0]) {
            const uint64_t address = page + (at.x == 0 ? UINT64_C(0x2000000000) : 0);
            for (unsigned i = 0; i < 2; i++) {
                (void)kerr_peek(sides[i]->chip, at, address, bytes[i], sizeof bytes[i]);
            }
            for (uint32_t k = 0; k < sizeof bytes[0] && shown < 10; k++) {
                if (bytes[0][k] != bytes[1][k]) {
                    (void)fprintf(stderr, "  %u-%u 0x%llx: %02x %02x\n", at.x, at.y, (unsigned long long)(address + k),
                                  bytes[0][k], bytes[1][k]);
                    shown++;
                }
            }
        }
    }
}

/* The same faults, word for word. */
static void compare_faults(void)
{
    uint32_t count = 0;
    require(kerr_fault_count(sides[0]->chip, &count) == KERR_OK, "count");
    for (uint32_t i = 0; i < count; i++) {
        kerr_fault fault[2] = {{.core = 0}, {.core = 0}};
        char text[2][512] = {"", ""};
        for (unsigned k = 0; k < 2; k++) {
            if (kerr_fault_get(sides[k]->chip, i, &fault[k]) == KERR_OK) {
                (void)kerr_fault_format(&fault[k], text[k], sizeof text[k]);
            }
        }
        if (strcmp(text[0], text[1]) != 0 || fault[0].asker != fault[1].asker || fault[0].pc != fault[1].pc ||
            memcmp(&fault[0].asker_tile, &fault[1].asker_tile, sizeof fault[0].asker_tile) != 0) {
            (void)fprintf(stderr, "guest_fuzz: fault %u differs:\n  %s\n  %s\n", i, text[0], text[1]);
            abort();
        }
    }
}

static void compare(unsigned step)
{
    const char *what;
    if (differ(&what)) {
        uint64_t cycle = 0;
        (void)kerr_cycle(sides[0]->chip, &cycle);
        (void)fprintf(stderr, "guest_fuzz: in one piece and in slices of %llu: %s differs after step %u, cycle %llu\n",
                      (unsigned long long)sides[1]->slice, what, step, (unsigned long long)cycle);
        (void)fprintf(stderr, "  %s\n  %s\n", sides[0]->text, sides[1]->text);
        print_faults(0);
        print_faults(1);
        print_memory();
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static program programs[ACTORS];
    static record records[RECORDS_MAX];
    if (size < CHOICES + sizeof *records) {
        return 0;
    }
    if (all[0].chip == NULL) {
        make_chips();
    }
    size_t count = (size - CHOICES) / sizeof *records;
    count = count > RECORDS_MAX ? RECORDS_MAX : count;
    memcpy(records, data + CHOICES, count * sizeof *records);
    for (unsigned a = 0; a < ACTORS; a++) {
        programs[a].count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (kind_of(&records[i]) < HOST) {
            add_step(programs, &records[i]);
        }
    }
    for (unsigned a = 0; a < ACTORS; a++) {
        programs[a].word[programs[a].count++] = 0x6F; /* j . */
    }
    sides[0] = &all[0];
    sides[1] = (data[4] & 15) == 15 ? &all[2] : &all[1];
    for (unsigned i = 0; i < 2; i++) {
        set_up(sides[i], data, programs);
    }
    unsigned step = 0;
    for (size_t i = 0; i < count; i++) {
        if (kind_of(&records[i]) < HOST) {
            continue;
        }
        host_step(sides[0], &records[i]);
        host_step(sides[1], &records[i]);
        if ((data[2] & 1) != 0) {
            compare(step);
        }
        step++;
    }
    for (unsigned i = 0; i < 2; i++) {
        run(sides[i], 200 + 8 * (uint64_t)data[3]);
    }
    compare(step);
    compare_faults();
    return 0;
}
