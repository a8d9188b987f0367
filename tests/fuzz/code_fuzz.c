/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: random RV32 code on the five cores of a tile, through kerr.h.  Whatever it does, the library neither
 * crashes nor prints, and two chips that must agree do: one runs blocks, parks loops and runs in one piece, the other
 * runs instruction by instruction, without parking, in slices and windows as short as the input says.
 *
 * The input: 8 bytes of choices, then words.  A word is not used raw (nearly all would be illegal) but picks an
 * instruction of a class and its fields, so that loads, stores and branches mostly go somewhere. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kerr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CODE_BASE = 0x4000, CODE_STEP = 0x4000, DATA_BASE = 0x20000, WORDS_MAX = 512, PROLOGUE_WORDS = 10 };

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

/* A destination that is no pointer. */
static uint32_t destination(uint32_t word)
{
    const uint32_t rd = field(word, 7, 5);
    return rd >= X_L1 && rd <= X_CODE ? rd + 8 : rd;
}

static uint32_t branch_offset(uint32_t word)
{
    /* -64 .. 60 bytes, whole instructions; 0 is a loop onto itself and wanted. */
    const uint32_t offset = (field(word, 20, 5) << 2) - 64;
    return (offset >> 12 & 1) << 31 | (offset >> 5 & 0x3F) << 25 | (offset >> 1 & 0xF) << 8 | (offset >> 11 & 1) << 7;
}

static uint32_t jump_offset(uint32_t word)
{
    const uint32_t offset = (field(word, 20, 5) << 2) - 64;
    return (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3FF) << 21 | (offset >> 11 & 1) << 20 |
           (offset >> 12 & 0xFF) << 12;
}

/* An address: one of the pointers and a small offset, mostly aligned. */
static uint32_t pointer(uint32_t word)
{
    return (X_L1 + field(word, 15, 2)) << 15;
}

static uint32_t small_offset(uint32_t word)
{
    const uint32_t offset = field(word, 20, 8);
    return field(word, 28, 3) != 0 ? offset & ~3u : offset;
}

static uint32_t make_store(uint32_t word, uint32_t opcode)
{
    const uint32_t offset = small_offset(word);
    return (offset >> 5 & 0x7F) << 25 | field(word, 4, 5) << 20 | pointer(word) | field(word, 12, 3) << 12 |
           (offset & 0x1F) << 7 | opcode;
}

static uint32_t make_instruction(uint32_t word)
{
    static const uint32_t funct7[] = {0x00, 0x20, 0x01, 0x10, 0x05, 0x30, 0x04, 0x24,
                                      0x14, 0x34, 0x60, 0x00, 0x01, 0x00, 0x20, 0x7F};
    static const uint32_t csrs[] = {0x001, 0x002, 0x003, 0x008, 0x009, 0x00A, 0x00F, 0x300, 0x301, 0x304, 0x305,
                                    0x340, 0x341, 0x342, 0x344, 0x7C0, 0x7C1, 0xB00, 0xB02, 0xB80, 0xB82, 0xBC0,
                                    0xBC1, 0xC00, 0xC01, 0xC02, 0xC20, 0xC21, 0xC22, 0xF11, 0xF14, 0xFC0};
    const uint32_t rd = destination(word) << 7, rs1 = word & 0x1Fu << 15, rs2 = word & 0x1Fu << 20,
                   funct3 = word & 7u << 12;
    switch (word & 15) {
    case 0:
    case 1:
    case 2: return funct7[field(word, 25, 4)] << 25 | rs2 | rs1 | funct3 | rd | 0x33;
    case 3:
    case 4: return (word & 0xFFF00000) | rs1 | funct3 | rd | 0x13;
    case 5: return small_offset(word) << 20 | pointer(word) | funct3 | rd | 0x03;
    case 6: return make_store(word, 0x23);
    case 7: return branch_offset(word) | rs1 | field(word, 4, 5) << 20 | funct3 | 0x63;
    case 8: return jump_offset(word) | (word >> 31 != 0 ? rd : 0) | 0x6F;
    case 9: return (word & 0xFFFFF000) | rd | ((word & 0x10) != 0 ? 0x37 : 0x17);
    case 10: return (word & 0xF8000000) | rs2 | pointer(word) | 2 << 12 | rd | 0x2F;
    case 11: return csrs[field(word, 20, 5)] << 20 | rs1 | funct3 | rd | 0x73;
    case 12: return (word & 0xFE000000) | rs2 | rs1 | funct3 | rd | 0x53;
    case 13:
        return (word & 0x10) != 0 ? (word & 0xFFFFF000) | rd | 0x57
                                  : (word & 0xFFF00000 & 0x1FFFFFFF) | pointer(word) | funct3 | (word & 0xF80) |
                                        ((word & 0x20) != 0 ? 0x27u : 0x07u);
    case 14:
        return (word & 0x30) == 0      ? 0x0000000F
               : (word & 0x30) == 0x10 ? 0x0000100F
                                       : (word & 0xFFFFFFFC) | (word >> 4 & 3);
    default: return word;
    }
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
static size_t make_program(uint32_t *program, unsigned core, uint32_t device, const uint8_t *data, size_t words)
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
    for (size_t i = 0; i < words; i++) {
        uint32_t word;
        memcpy(&word, data + 4 * i, 4);
        program[n++] = make_instruction(word);
    }
    const uint32_t back = (uint32_t)(4 * PROLOGUE_WORDS) - (uint32_t)(4 * n);
    program[n++] =
        (back >> 20 & 1) << 31 | (back >> 1 & 0x3FF) << 21 | (back >> 11 & 1) << 20 | (back >> 12 & 0xFF) << 12 | 0x6F;
    return n;
}

static void set_up(kerr_chip *chip, const uint8_t *choices, const uint8_t *data, size_t words)
{
    static uint32_t program[PROLOGUE_WORDS + WORDS_MAX + 1];
    const kerr_xy at = kerr_tensix_xy(choices[1] % KERR_TENSIX_TILES);
    require(kerr_reset(chip) == KERR_OK, "reset");
    for (unsigned kind = 0; kind < KERR_FAULT_KINDS; kind++) {
        require(kerr_set_policy(chip, (kerr_fault_kind)kind, (kerr_policy)(choices[0] % 3)) == KERR_OK, "policy");
    }
    const size_t share = words / KERR_CORE_COUNT;
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        const uint32_t device = devices[(choices[2] + core) % (sizeof devices / sizeof devices[0])];
        const size_t n = make_program(program, core, device, data + 4 * share * core, share);
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

/* For the one who has to find it: the first cycle after which the two differ, and all that differs then. */
static void explain(const uint8_t *choices, const uint8_t *data, size_t words, uint64_t cycles, uint64_t slice)
{
    kerr_status status[2];
    uint64_t same = 0, different = cycles;
    while (different - same > 1) {
        const uint64_t middle = same + (different - same) / 2;
        set_up(chips[0], choices, data, words);
        set_up(chips[1], choices, data, words);
        run_both(middle, slice, status);
        if (differ()) {
            different = middle;
        } else {
            same = middle;
        }
    }
    set_up(chips[0], choices, data, words);
    set_up(chips[1], choices, data, words);
    run_both(different, slice, status);
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
    if (size < 8 + 4 * KERR_CORE_COUNT) {
        return 0;
    }
    if (chips[0] == NULL) {
        make_chips();
    }
    const uint8_t *choices = data;
    size_t words = (size - 8) / 4;
    words = words > WORDS_MAX ? WORDS_MAX : words;
    const uint64_t cycles = 1 + (choices[4] | (uint64_t)(choices[5] & 15) << 8);
    const uint64_t slice = 1 + choices[6];
    for (unsigned i = 0; i < 2; i++) {
        set_up(chips[i], choices, data + 8, words);
    }
    require(!differ(), "the chips differ before the first cycle");
    kerr_status status[2] = {KERR_OK, KERR_OK};
    run_both(cycles, slice, status);
    for (unsigned i = 0; i < 2; i++) {
        require(status[i] == KERR_OK || status[i] == KERR_FAULTED, kerr_status_text(status[i]));
    }
    if (status[0] != status[1] || differ()) {
        explain(choices, data + 8, words, cycles, slice);
    }
    compare_faults();
    return 0;
}
