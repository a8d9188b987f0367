/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: random RV32 code on the five cores of a tile, through kerr.h.  Whatever it does, the library neither
 * crashes nor prints, and two chips that must agree do: one runs blocks, parks loops and runs in one piece, the other
 * runs instruction by instruction, without parking, in slices and windows as short as the input says.
 *
 * The input: 8 bytes of choices, then pairs of words.  The first of a pair picks an instruction from isa/rv32.isa, the
 * second fills its fields, which are then bent so that loads, stores and branches mostly go somewhere. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_patterns.h"
#include "kerr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CODE_BASE = 0x4000, CODE_STEP = 0x4000, DATA_BASE = 0x20000, PAIRS_MAX = 512, PROLOGUE_WORDS = 10 };

/* Registers with these numbers hold pointers; generated code does not write them (raw words may). */
enum { X_L1 = 8, X_LOCAL = 9, X_DEVICE = 10, X_CODE = 11 };

/* Places in the tile's address map that have something to say. */
static const uint32_t devices[] = {0xFFB11000, 0xFFB12000, 0xFFB121B0, 0xFFB13000, 0xFFB14000, 0xFFB80000,
                                   0xFFE40000, 0xFFE80000, 0xFFEC0000, 0xFFEF0000, 0xFFB20000, 0xFFB30000,
                                   0xFFB40000, 0xFFE80020, 0xFFB12240, 0x00180000};

static kerr_chip *chips[2];

static void require(bool truth, const char *what)
{
    if (!truth) {
        (void)fprintf(stderr, "code_fuzz: %s\n", what);
        abort();
    }
}

static uint32_t field(uint32_t word, unsigned low, unsigned width)
{
    return word >> low & ((1u << width) - 1);
}

/* Replaces some bits of an instruction. */
static uint32_t with(uint32_t instruction, unsigned low, unsigned width, uint32_t value)
{
    const uint32_t mask = ((1u << width) - 1) << low;
    return (instruction & ~mask) | (value << low & mask);
}

/* One of the pointers as base register: mostly the data in L1. */
static uint32_t with_pointer(uint32_t instruction, uint32_t choice)
{
    static const uint8_t often[8] = {X_L1, X_L1, X_L1, X_L1, X_L1, X_LOCAL, X_DEVICE, X_CODE};
    return with(instruction, 15, 5, often[field(choice, 8, 3)]);
}

/* An offset of a load or store: small, and mostly aligned. */
static uint32_t small_offset(uint32_t choice)
{
    const uint32_t offset = field(choice, 16, 7);
    return field(choice, 24, 4) != 0 ? offset & ~3u : offset;
}

/* -64 .. 60 bytes, whole instructions; 0 is a loop onto itself and wanted. */
static uint32_t near_target(uint32_t choice)
{
    return (field(choice, 16, 5) << 2) - 64;
}

static uint32_t with_branch_offset(uint32_t instruction, uint32_t offset)
{
    instruction = with(with(instruction, 31, 1, offset >> 12), 25, 6, offset >> 5);
    return with(with(instruction, 8, 4, offset >> 1), 7, 1, offset >> 11);
}

static uint32_t with_jump_offset(uint32_t instruction, uint32_t offset)
{
    instruction = with(with(instruction, 31, 1, offset >> 20), 21, 10, offset >> 1);
    return with(with(instruction, 20, 1, offset >> 11), 12, 8, offset >> 12);
}

static uint32_t with_store_offset(uint32_t instruction, uint32_t offset)
{
    return with(with(instruction, 25, 7, offset >> 5), 7, 5, offset);
}

/* Keeps a result from landing in a pointer. */
static uint32_t with_free_destination(uint32_t instruction)
{
    const uint32_t rd = field(instruction, 7, 5);
    return rd >= X_L1 && rd <= X_CODE ? with(instruction, 7, 5, rd + 8) : instruction;
}

/* OP-FP: an operation that exists more often than not. */
static uint32_t bend_fp(uint32_t instruction, uint32_t choice)
{
    static const uint8_t operations[16] = {0x00, 0x01, 0x02, 0x04, 0x05, 0x14, 0x18, 0x1A,
                                           0x1C, 0x1E, 0x00, 0x01, 0x02, 0x04, 0x08, 0x1F}; /* bits 31:27 */
    if (field(instruction, 0, 7) == 0x53) {
        instruction = with(instruction, 27, 5, operations[field(choice, 16, 4)]);
    }
    return with(with_free_destination(instruction), 25, 2, field(choice, 20, 1) * 2);
}

/* Vector loads and stores: no segments, unit stride more often than not. */
static uint32_t bend_vector(uint32_t instruction, uint32_t choice)
{
    if (field(instruction, 0, 7) == 0x57) {
        return with_free_destination(instruction);
    }
    instruction = with_pointer(with(instruction, 28, 4, 0), choice);
    return field(choice, 20, 1) != 0 ? with(with(instruction, 26, 2, 0), 20, 5, 0) : instruction;
}

/* The fields of an instruction, bent as its format wants it. */
static uint32_t bend(uint32_t instruction, unsigned format, unsigned kind, uint32_t choice)
{
    /* Most are implemented somewhere, some nowhere. */
    static const uint16_t csrs[32] = {0x003, 0x008, 0x009, 0x00A, 0x300, 0x301, 0x320, 0x323, 0x324, 0x7C0, 0x7C3,
                                      0x7C4, 0x7C5, 0x7C6, 0xB00, 0xB02, 0xB03, 0xB04, 0xB80, 0xB82, 0xBC0, 0xBC9,
                                      0xBCA, 0xC00, 0xC02, 0xC20, 0xC21, 0xC22, 0xC80, 0xF14, 0x7C0, 0x340};
    switch (format) {
    case FORMAT_B: return with_branch_offset(instruction, near_target(choice));
    case FORMAT_J: return with_jump_offset(with_free_destination(instruction), near_target(choice));
    case FORMAT_S: return with_pointer(with_store_offset(instruction, small_offset(choice)), choice);
    case FORMAT_AMO: return with_pointer(with_free_destination(instruction), choice);
    case FORMAT_CSR:
    case FORMAT_CSRI: return with(with_free_destination(instruction), 20, 12, csrs[field(choice, 16, 5)]);
    case FORMAT_FP: return bend_fp(instruction, choice);
    case FORMAT_V: return bend_vector(instruction, choice);
    case FORMAT_TT: return instruction;
    default: break;
    }
    instruction = with_free_destination(instruction);
    if (kind == CLASS_load || kind == CLASS_fload) {
        return with_pointer(with(instruction, 20, 12, small_offset(choice)), choice);
    }
    if (kind == CLASS_jump) {
        return with(with(instruction, 15, 5, X_CODE), 20, 12, field(choice, 16, 5) << 2);
    }
    return instruction;
}

static uint32_t make_instruction(uint32_t choice, uint32_t fields, unsigned core)
{
    enum { ROWS = sizeof patterns / sizeof patterns[0] };
    unsigned row = (choice & 0xFF) % ROWS;
    if (field(choice, 28, 4) == 15 && field(choice, 24, 4) >= 14) {
        return fields; /* anything at all */
    }
    /* What ends a core at once (ecall, another core's vectors) and what fills a FIFO nobody empties comes seldom. */
    while ((patterns[row].t2_only && core != KERR_CORE_T2) ||
           ((patterns[row].kind == CLASS_system || patterns[row].format == FORMAT_TT) && field(choice, 24, 4) != 7)) {
        row = (row + 1) % ROWS;
    }
    const uint32_t instruction = patterns[row].value | (fields & ~patterns[row].mask);
    return bend(instruction, patterns[row].format, patterns[row].kind, choice);
}

static uint32_t upper(unsigned rd, uint32_t value)
{
    return ((value + 0x800) & 0xFFFFF000) | rd << 7 | 0x37;
}

static uint32_t add_lower(unsigned rd, uint32_t value)
{
    return (value & 0xFFF) << 20 | rd << 15 | rd << 7 | 0x13;
}

/* The program of one core: pointers, generated code, and a jump back behind the pointers. */
static size_t make_program(uint32_t *program, unsigned core, uint32_t device, const uint8_t *data, size_t pairs)
{
    const uint32_t code = CODE_BASE + core * CODE_STEP;
    const uint32_t pointers[4] = {DATA_BASE + 0x100 * core, 0xFFB00000, device, code + 4 * PROLOGUE_WORDS};
    size_t n = 0;
    for (unsigned i = 0; i < 4; i++) {
        program[n++] = upper(X_L1 + i, pointers[i]);
        program[n++] = add_lower(X_L1 + i, pointers[i]);
    }
    program[n++] = upper(2, 0xFFB00400); /* a stack, for code that thinks it has one */
    program[n++] = add_lower(2, 0xFFB00400);
    for (size_t i = 0; i < pairs; i++) {
        uint32_t pair[2];
        memcpy(pair, data + sizeof pair * i, sizeof pair);
        program[n++] = make_instruction(pair[0], pair[1], core);
    }
    const uint32_t back = (uint32_t)(4 * PROLOGUE_WORDS) - (uint32_t)(4 * n);
    program[n++] =
        (back >> 20 & 1) << 31 | (back >> 1 & 0x3FF) << 21 | (back >> 11 & 1) << 20 | (back >> 12 & 0xFF) << 12 | 0x6F;
    return n;
}

static void set_up(kerr_chip *chip, const uint8_t *choices, const uint8_t *data, size_t pairs)
{
    static uint32_t program[PROLOGUE_WORDS + PAIRS_MAX + 1];
    const kerr_xy at = kerr_tensix_xy(choices[1] % KERR_TENSIX_TILES);
    require(kerr_reset(chip) == KERR_OK, "reset");
    for (unsigned kind = 0; kind < KERR_FAULT_KINDS; kind++) {
        require(kerr_set_policy(chip, (kerr_fault_kind)kind, (kerr_policy)(choices[0] % 3)) == KERR_OK, "policy");
    }
    const size_t share = pairs / KERR_CORE_COUNT;
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        const uint32_t device = devices[(choices[2] + core) % (sizeof devices / sizeof devices[0])];
        const size_t n = make_program(program, core, device, data + 8 * share * core, share);
        const uint32_t code = CODE_BASE + core * CODE_STEP;
        const kerr_segment segment = {code, (uint32_t)(4 * n), (uint32_t)(4 * n), program};
        require(kerr_load(chip, at, (kerr_core)core, &segment, 1) == KERR_OK, "load");
        if ((choices[3] >> core & 1) == 0) {
            require(kerr_core_start(chip, at, (kerr_core)core, code) == KERR_OK, "start");
        }
    }
}

/* Whether the chips differ now. */
static bool differ(void)
{
    uint64_t cycle[2], hash[2];
    uint32_t faults[2];
    for (unsigned i = 0; i < 2; i++) {
        require(kerr_cycle(chips[i], &cycle[i]) == KERR_OK && kerr_hash(chips[i], &hash[i]) == KERR_OK &&
                    kerr_fault_count(chips[i], &faults[i]) == KERR_OK,
                "state");
    }
    return cycle[0] != cycle[1] || faults[0] != faults[1] || hash[0] != hash[1];
}

/* One chip in one piece, the other in slices; also after a fault, since the rest of the chip runs on to its next stop
 * point. */
static void run_both(uint64_t cycles, uint64_t slice, kerr_status status[2])
{
    status[0] = kerr_run(chips[0], cycles);
    for (uint64_t done = 0; done < cycles; done += slice) {
        status[1] = kerr_run(chips[1], cycles - done < slice ? cycles - done : slice);
    }
}

static void print_faults(unsigned i)
{
    uint32_t count = 0;
    (void)kerr_fault_count(chips[i], &count);
    (void)fprintf(stderr, "  chip %u: %u faults\n", i, count);
    for (uint32_t k = 0; k < count && k < 5; k++) {
        kerr_fault fault;
        char text[512];
        if (kerr_fault_get(chips[i], k, &fault) == KERR_OK) {
            (void)kerr_fault_format(&fault, text, sizeof text);
            (void)fprintf(stderr, "    %s\n", text);
        }
    }
}

static void print_core_differences(kerr_xy at, kerr_core core)
{
    kerr_core_info info[2];
    for (unsigned i = 0; i < 2; i++) {
        require(kerr_core_query(chips[i], at, core, &info[i]) == KERR_OK, "query");
    }
    (void)fprintf(stderr, "  %-2s", kerr_core_name(core));
    for (unsigned i = 0; i < 2; i++) {
        (void)fprintf(stderr, "  state %d pc %08x cycles %llu instructions %llu", (int)info[i].state, info[i].pc,
                      (unsigned long long)info[i].cycles, (unsigned long long)info[i].instructions);
    }
    (void)fprintf(stderr, "\n");
    for (uint32_t reg = 0; reg < KERR_REG_V + 4 * 32; reg++) {
        uint32_t value[2] = {0, 0};
        if (kerr_reg_get(chips[0], at, core, reg, &value[0]) == KERR_OK &&
            kerr_reg_get(chips[1], at, core, reg, &value[1]) == KERR_OK && value[0] != value[1]) {
            (void)fprintf(stderr, "     register %x: %08x %08x\n", reg, value[0], value[1]);
        }
    }
    for (uint32_t offset = 0; offset < 0x2000; offset += 4) {
        uint32_t word[2] = {0, 0};
        for (unsigned i = 0; i < 2; i++) {
            (void)kerr_core_peek(chips[i], at, core, 0xFFB00000 + offset, &word[i], 4);
        }
        if (word[0] != word[1]) {
            (void)fprintf(stderr, "     local RAM %08x: %08x %08x\n", 0xFFB00000 + offset, word[0], word[1]);
        }
    }
}

static void print_memory_differences(kerr_xy at)
{
    unsigned shown = 0;
    for (uint32_t address = 0; address < 0x180000 && shown < 10; address += 4) {
        uint32_t word[2];
        for (unsigned i = 0; i < 2; i++) {
            require(kerr_peek(chips[i], at, address, &word[i], 4) == KERR_OK, "peek");
        }
        if (word[0] != word[1]) {
            (void)fprintf(stderr, "  L1 %06x: %08x %08x\n", address, word[0], word[1]);
            shown++;
        }
    }
}

/* The last instructions before the difference. */
enum { EVENTS = 24 };
typedef struct event_ring {
    kerr_trace_event event[EVENTS];
    size_t count;
} event_ring;

static void note_event(void *context, const kerr_trace_event *event)
{
    event_ring *ring = context;
    ring->event[ring->count++ % EVENTS] = *event;
}

static void print_events(const event_ring *ring)
{
    const size_t shown = ring->count < EVENTS ? ring->count : EVENTS;
    for (size_t i = ring->count - shown; i < ring->count; i++) {
        const kerr_trace_event *event = &ring->event[i % EVENTS];
        (void)fprintf(stderr, "  cycle %llu %-2s pc %08x instruction %08x\n", (unsigned long long)event->cycle,
                      kerr_core_name(event->core), event->pc, event->instruction);
    }
}

/* For the one who has to find it: the first cycle after which the two differ, and all that differs then. */
static void explain(const uint8_t *choices, const uint8_t *data, size_t pairs, uint64_t cycles, uint64_t slice)
{
    kerr_status status[2];
    uint64_t same = 0, different = cycles;
    while (different - same > 1) {
        const uint64_t middle = same + (different - same) / 2;
        set_up(chips[0], choices, data, pairs);
        set_up(chips[1], choices, data, pairs);
        run_both(middle, slice, status);
        if (differ()) {
            different = middle;
        } else {
            same = middle;
        }
    }
    set_up(chips[0], choices, data, pairs);
    set_up(chips[1], choices, data, pairs);
    event_ring ring = {.count = 0};
    (void)kerr_set_trace(chips[1], note_event, &ring);
    run_both(different, slice, status);
    (void)kerr_set_trace(chips[1], NULL, NULL);
    const kerr_xy at = kerr_tensix_xy(choices[1] % KERR_TENSIX_TILES);
    (void)fprintf(stderr,
                  "code_fuzz: in one piece (left) and in slices of %llu (right) first differ after %llu of %llu "
                  "cycles, tile %u,%u; policy %u\n",
                  (unsigned long long)slice, (unsigned long long)different, (unsigned long long)cycles, at.x, at.y,
                  choices[0] % 3u);
    (void)fprintf(stderr, "  status: %s / %s\n", kerr_status_text(status[0]), kerr_status_text(status[1]));
    print_faults(0);
    print_faults(1);
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        print_core_differences(at, (kerr_core)core);
    }
    print_memory_differences(at);
    print_events(&ring);
    abort();
}

/* The same faults, word for word. */
static void compare_faults(void)
{
    uint32_t count = 0;
    require(kerr_fault_count(chips[0], &count) == KERR_OK, "count");
    for (uint32_t i = 0; i < count; i++) {
        kerr_fault fault[2];
        char text[2][512];
        for (unsigned k = 0; k < 2; k++) {
            require(kerr_fault_get(chips[k], i, &fault[k]) == KERR_OK, "fault");
            (void)kerr_fault_format(&fault[k], text[k], sizeof text[k]);
        }
        if (strcmp(text[0], text[1]) != 0) {
            (void)fprintf(stderr, "code_fuzz: fault %u differs:\n  %s\n  %s\n", i, text[0], text[1]);
            abort();
        }
    }
}

static void make_chips(void)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    require(kerr_create(&config, &chips[0]) == KERR_OK, "create");
    config.no_parking = true;
    config.max_block = 1;
    config.window_cycles = 3;
    require(kerr_create(&config, &chips[1]) == KERR_OK, "create");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8 + 8 * KERR_CORE_COUNT) {
        return 0;
    }
    if (chips[0] == NULL) {
        make_chips();
    }
    const uint8_t *choices = data;
    size_t pairs = (size - 8) / 8;
    pairs = pairs > PAIRS_MAX ? PAIRS_MAX : pairs;
    const uint64_t cycles = 1 + (choices[4] | (uint64_t)(choices[5] & 15) << 8);
    const uint64_t slice = 1 + choices[6];
    for (unsigned i = 0; i < 2; i++) {
        set_up(chips[i], choices, data + 8, pairs);
    }
    kerr_status status[2] = {KERR_OK, KERR_OK};
    run_both(cycles, slice, status);
    for (unsigned i = 0; i < 2; i++) {
        require(status[i] == KERR_OK || status[i] == KERR_FAULTED, kerr_status_text(status[i]));
    }
    if (status[0] != status[1] || differ()) {
        explain(choices, data + 8, pairs, cycles, slice);
    }
    compare_faults();
    return 0;
}
