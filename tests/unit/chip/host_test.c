/* SPDX-License-Identifier: Apache-2.0 */
/* What the host does to a chip from outside: accesses that do not fit, hooks that call back, snapshots that lie. */
#include "../../support/saved.h"
#include "../../support/unit.h"

#include "chip/chip.h"
#include "kerr_findings.h"

enum { PROGRAM = 0x1000, FLAG = 0x4000, GRID = 4096 };
#define SLOW_B 0xffb14000u
#define SLOW_NC 0xffb16000u
#define SLOW_T0 0xffb18000u
#define NOC_REGISTER 0xffb20038u /* between NOC_SEC_CTRL and NOC_CMD_CTRL: nothing there */
#define NOT_COUNTED 0xffb1211cu  /* OUT_H of a performance counter whose event is not counted yet: a note */
#define DAISY_CONTROL 0xffb12050u
#define DAISY_MODE_NOBODY_KNOWS 0x1002u
#define DBG_CNTL 0xffb12080u
#define SW_INT 0xffb13018u

static const kerr_xy at = {1, 2};

static int set_up(void **state)
{
    *state = chip_new_one_thread();
    return 0;
}
static int tear_down(void **state)
{
    kerr_destroy(*state);
    return 0;
}
static uint32_t faults(const kerr_chip *chip)
{
    uint32_t count = 0;
    assert_ok(kerr_fault_count(chip, &count));
    return count;
}
static void start_counting(kerr_chip *chip, kerr_core core)
{
    const uint32_t words[] = {rv_addi(A0, A0, 1), rv_j(-4)};
    assert_ok(kerr_poke(chip, at, PROGRAM, words, sizeof words));
    assert_ok(kerr_core_start(chip, at, core, PROGRAM));
}

/* ---- Registers of which one is not there ------------------------------------------------------------------------- */

/* The last mapped word before a hole, from first on. */
static uint32_t last_mapped(const kerr_chip *chip, uint32_t first)
{
    uint32_t value;
    uint32_t address = first;
    assert_ok(kerr_peek(chip, at, address, &value, 4));
    while (kerr_peek(chip, at, address + 4, &value, 4) == KERR_OK) {
        address += 4;
    }
    return address;
}
static void a_write_over_a_hole_changes_nothing(void **state)
{
    kerr_chip *chip = *state;
    uint32_t last = last_mapped(chip, SW_INT);
    const uint32_t ones[2] = {0x11111111, 0x22222222};
    uint64_t before = chip_hash(chip);
    assert_int_equal(kerr_write(chip, at, last, ones, 8), KERR_BAD_ADDRESS);
    assert_true(chip_hash(chip) == before);
    assert_int_equal(kerr_write(chip, at, SW_INT, ones, 8), KERR_OK);
    assert_true(chip_hash(chip) != before);
    assert_ok(kerr_reset(chip));
    uint32_t many[64];
    memset(many, 0x33, sizeof many);
    size_t words = (last - SW_INT) / 4 + 2;
    assert_true(words <= 512);
    uint32_t *all = calloc(words, 4);
    assert_non_null(all);
    memset(all, 0x44, words * 4);
    assert_int_equal(kerr_write(chip, at, SW_INT, all, words * 4), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_poke(chip, at, SW_INT, all, words * 4), KERR_BAD_ADDRESS);
    free(all);
    assert_int_equal(kerr_write(chip, at, 0xffb12238, many, sizeof many), KERR_BAD_ADDRESS);
    assert_true(chip_hash(chip) == before);
    assert_int_equal(faults(chip), 0);
}
static void a_read_over_a_hole_takes_nothing(void **state)
{
    kerr_chip *chip = *state;
    uint32_t value = 7, got[512];
    assert_ok(kerr_write(chip, at, SW_INT, &value, 4)); /* a read takes it */
    uint64_t before = chip_hash(chip);
    uint32_t last = last_mapped(chip, SW_INT);
    assert_true(last + 8 - SW_INT <= sizeof got);
    assert_int_equal(kerr_read(chip, at, SW_INT, got, last + 8 - SW_INT), KERR_BAD_ADDRESS);
    assert_true(chip_hash(chip) == before);
    assert_int_equal(faults(chip), 0);
    assert_ok(kerr_read(chip, at, SW_INT, got, 8));
    assert_int_equal(got[0], 7);
    assert_int_equal(chip_word(chip, at, SW_INT), 0);
}
static void odd_sizes_and_places_of_registers_are_refused(void **state)
{
    kerr_chip *chip = *state;
    uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t before = chip_hash(chip);
    static const struct {
        uint64_t address;
        size_t size;
    } bad[] = {{SW_INT + 1, 4},   {SW_INT, 3},         {SW_INT + 2, 8},  {0xfffffffc, 8}, {0xffffffff, 4},
               {0x1ffb13018u, 4}, {UINT64_MAX - 3, 4}, {UINT64_MAX, 16}, {0x17ffff, 2},   {SLOW_T0 + 0x1fff, 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(kerr_write(chip, at, bad[i].address, bytes, bad[i].size), KERR_BAD_ADDRESS);
        assert_int_equal(kerr_poke(chip, at, bad[i].address, bytes, bad[i].size), KERR_BAD_ADDRESS);
        assert_int_equal(kerr_read(chip, at, bad[i].address, bytes, bad[i].size), KERR_BAD_ADDRESS);
    }
    assert_true(chip_hash(chip) == before);
}

/* ---- Local RAM through the slow path ------------------------------------------------------------------------------ */

static void all_of_a_local_ram_goes_through_the_slow_path(void **state)
{
    kerr_chip *chip = *state;
    uint8_t bytes[8192], back[8192];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    }
    static const struct {
        kerr_core core;
        uint32_t address;
        size_t size;
    } rams[] = {{KERR_CORE_B, SLOW_B, 8192}, {KERR_CORE_NC, SLOW_NC, 8192}, {KERR_CORE_T0, SLOW_T0, 4096}};
    for (size_t i = 0; i < sizeof rams / sizeof *rams; i++) {
        start_counting(chip, rams[i].core); /* local RAM is cleared when a core leaves reset */
        assert_ok(kerr_poke(chip, at, rams[i].address, bytes, rams[i].size));
        memset(back, 0, sizeof back);
        assert_ok(kerr_peek(chip, at, rams[i].address, back, rams[i].size));
        assert_memory_equal(back, bytes, rams[i].size);
        memset(back, 0, sizeof back);
        assert_ok(kerr_core_peek(chip, at, rams[i].core, 0xffb00000, back, rams[i].size));
        assert_memory_equal(back, bytes, rams[i].size);
        memset(back, 0, sizeof back);
        assert_ok(kerr_read(chip, at, rams[i].address, back, rams[i].size));
        assert_memory_equal(back, bytes, rams[i].size);
        assert_ok(kerr_write(chip, at, rams[i].address + 0xffc, bytes, rams[i].size > 4096 ? 8 : 4));
        assert_int_equal(kerr_peek(chip, at, rams[i].address, back, rams[i].size + 4), KERR_BAD_ADDRESS);
    }
}

/* ---- Hooks -------------------------------------------------------------------------------------------------------- */

typedef struct called_back {
    kerr_chip *chip;
    unsigned count;
    uint32_t id;
    bool good;
} called_back;
static void on_write(void *context, const kerr_watch_event *event)
{
    called_back *c = context;
    uint32_t value = 1, id;
    bool reached;
    const kerr_until until = {.kind = KERR_UNTIL_WORD_EQ, .at = at, .address = FLAG + 64, .mask = 1, .value = 1};
    uint64_t cycle = chip_cycle(c->chip), after;
    c->count++;
    c->good = c->good && event->address <= FLAG && kerr_run(c->chip, 10) == KERR_BAD_STATE &&
              kerr_run_until(c->chip, &until, 10, &reached) == KERR_BAD_STATE &&
              kerr_poke(c->chip, at, FLAG + 64, &value, 4) == KERR_BAD_STATE &&
              kerr_write(c->chip, at, FLAG + 64, &value, 4) == KERR_BAD_STATE &&
              kerr_read(c->chip, at, FLAG + 64, &value, 4) == KERR_BAD_STATE &&
              kerr_core_poke(c->chip, at, KERR_CORE_B, FLAG + 64, &value, 4) == KERR_BAD_STATE &&
              kerr_core_start(c->chip, at, KERR_CORE_B, 0) == KERR_BAD_STATE &&
              kerr_core_reset(c->chip, at, KERR_CORE_B, true) == KERR_BAD_STATE &&
              kerr_reg_set(c->chip, at, KERR_CORE_B, 1, 1) == KERR_BAD_STATE && kerr_reset(c->chip) == KERR_BAD_STATE &&
              kerr_watch_add(c->chip, at, FLAG, 4, on_write, c, &id) == KERR_BAD_STATE &&
              kerr_watch_remove(c->chip, c->id) == KERR_BAD_STATE &&
              kerr_peek(c->chip, at, FLAG, &value, 4) == KERR_OK && kerr_cycle(c->chip, &after) == KERR_OK &&
              after == cycle;
}
static void a_hook_cannot_change_the_chip(void **state)
{
    kerr_chip *chip = *state;
    called_back c = {.chip = chip, .good = true};
    uint32_t value = 5;
    assert_ok(kerr_watch_add(chip, at, FLAG, 4, on_write, &c, &c.id));
    assert_ok(kerr_poke(chip, at, FLAG, &value, 4));
    assert_int_equal(c.count, 1);
    assert_ok(kerr_write(chip, at, FLAG, &value, 4));
    assert_int_equal(c.count, 2);
    assert_ok(kerr_core_poke(chip, at, KERR_CORE_B, FLAG, &value, 4));
    assert_int_equal(c.count, 3);
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, T0, FLAG);
    rva(a, rv_sw(T0, 0, T0));
    rva_end(a);
    chip_start(chip, at, KERR_CORE_B, a);
    free(a);
    assert_ok(kerr_run(chip, 500));
    assert_int_equal(c.count, 4);
    assert_true(c.good);
    assert_int_equal(chip_word(chip, at, FLAG + 64), 0);
    assert_ok(kerr_run(chip, 10)); /* and afterwards all is as before */
    assert_ok(kerr_poke(chip, at, FLAG + 64, &value, 4));
}
/* ---- Snapshots ---------------------------------------------------------------------------------------------------- */

/* magic 8, version 4, tiles 4, state bytes 8, L1 bytes 8, seed 8, now 8, stop cycle 8 */
enum { AT_NOW = 56, AT_STOP = 64, AT_TILES = 72 };

static kerr_chip *chip_with_seed(uint64_t seed)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    config.seed = seed;
    return chip_new(&config);
}

/* The seed of the stream must not stay either. */
static void a_broken_restore_leaves_the_chip_as_it_was(void **state)
{
    (void)state;
    kerr_chip *saved = chip_with_seed(9), *chip = chip_with_seed(5);
    start_counting(saved, KERR_CORE_B);
    assert_ok(kerr_run(saved, 300));
    saved_bytes s = {0};
    assert_ok(kerr_save(saved, saved_put, &s));
    size_t whole = s.size;
    static const size_t cuts[] = {AT_TILES, AT_TILES + 4, 200, 5000, 100000};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts + 1; i++) {
        s.at = 0;
        s.size = i < sizeof cuts / sizeof *cuts ? cuts[i] : whole - 1;
        start_counting(chip, KERR_CORE_T1);
        assert_ok(kerr_run(chip, 100));
        const uint64_t before = chip_hash(chip), cycle = chip_cycle(chip);
        kerr_status status = kerr_restore(chip, saved_get, &s);
        assert_true(status == KERR_IO || status == KERR_BAD_SNAPSHOT);
        assert_true(chip_hash(chip) == before);
        assert_int_equal(chip_cycle(chip), cycle);
    }
    s.size = whole;
    s.at = 0;
    assert_ok(kerr_restore(chip, saved_get, &s));
    assert_true(chip_hash(chip) == chip_hash(saved));
    free(s.data);
    kerr_destroy(saved);
    kerr_destroy(chip);
}

static void a_hostile_cycle_is_refused(void **state)
{
    kerr_chip *chip = *state;
    start_counting(chip, KERR_CORE_B);
    assert_ok(kerr_run(chip, 300));
    saved_bytes s = {0};
    assert_ok(kerr_save(chip, saved_put, &s));
    uint64_t before = chip_hash(chip);
    static const uint64_t cycles[] = {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 101, UINT64_MAX / 2, UINT64_MAX / 4 + 1};
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        memcpy(s.data + AT_NOW, &cycles[i], 8);
        s.at = 0;
        assert_int_equal(kerr_restore(chip, saved_get, &s), KERR_BAD_SNAPSHOT);
        assert_true(chip_hash(chip) == before); /* refused at its header: unchanged */
    }
    assert_ok(kerr_run(chip, 10));
    free(s.data);
}

/* Where a byte of a tile's state is in the stream: pages of 4096 behind their numbers, zero pages left out. */
static uint8_t *state_at(const saved_bytes *s, size_t offset)
{
    size_t place = AT_TILES;
    for (;;) {
        uint32_t page;
        memcpy(&page, s->data + place, 4);
        assert_true(page < 0x7fffffff);
        if (page == offset / 4096) {
            return s->data + place + 4 + offset % 4096;
        }
        place += 4 + 4096;
    }
}
#define LIE(number, field, value)                                                                                      \
    {                                                                                                                  \
        (number) * sizeof(rv_core) + offsetof(rv_core, field), value, sizeof(((rv_core *)0)->field)                    \
    }
#define OF_DEVICES(field, value)                                                                                       \
    {                                                                                                                  \
        offsetof(struct tile, dev.field) - offsetof(struct tile, core), value, sizeof(((struct tile *)0)->dev.field)   \
    }
static void hostile_numbers_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t offset;
        uint32_t value;
        uint8_t size;
    } lies[] = {
        LIE(0, local_size, 1 << 20),
        LIE(0, local_size, 4096),
        LIE(1, local_size, 8192),
        LIE(0, local_size, 0),
        LIE(0, kind, 3),
        LIE(0, state, 99),
        LIE(0, stores.head, STORE_RING),
        LIE(0, stores.count, STORE_RING + 1),
        LIE(0, stores.entry[3].line, L1_BYTES),
        LIE(0, stores.entry[3].line, 8),
        LIE(0, stores.entry[3].device, 5),
        LIE(0, blocked.rd, 255),
        LIE(0, blocked.size, 5),
        LIE(0, merge_cycles, 0),
        LIE(0, park.watches, 9),
        LIE(0, ic_pending_count, IC_PENDING + 1),
        LIE(0, ic_tag[0][0], UINT32_MAX),
        OF_DEVICES(x, 77),
        OF_DEVICES(niu[0].node, 0),
        OF_DEVICES(niu[1].noc, 0),
        OF_DEVICES(niu[0].queue_count, 1),       /* an initiator waits that is not busy */
        OF_DEVICES(niu[0].initiator[2].busy, 1), /* one is busy that does not wait */
        OF_DEVICES(niu[0].initiator[3].destination, KERR_GRID_X * KERR_GRID_Y),
        OF_DEVICES(niu[1].initiator[0].return_to, 255),
        OF_DEVICES(niu[0].initiator[1].start_x, KERR_GRID_X),
        OF_DEVICES(niu[0].initiator[1].end_y, KERR_GRID_Y),
    };
    kerr_chip *saved = chip_with_seed(1), *chip = chip_with_seed(1);
    uint64_t fresh = chip_hash(chip);
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        start_counting(saved, (kerr_core)c);
    }
    assert_ok(kerr_run(saved, 300));
    saved_bytes s = {0};
    assert_ok(kerr_save(saved, saved_put, &s));
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        uint8_t *place = state_at(&s, lies[i].offset), keep[4];
        assert_true(lies[i].size <= 4);
        memcpy(keep, place, lies[i].size);
        memcpy(place, &lies[i].value, lies[i].size);
        s.at = 0;
        kerr_status status = kerr_restore(chip, saved_get, &s);
        if (status != KERR_BAD_SNAPSHOT) {
            fail_msg("lie %u: %s", (unsigned)i, kerr_status_text(status));
        }
        assert_true(chip_hash(chip) == fresh);
        assert_ok(kerr_run(chip, 10));
        assert_ok(kerr_reset(chip));
        memcpy(place, keep, lies[i].size);
    }
    s.at = 0;
    assert_ok(kerr_restore(chip, saved_get, &s));
    assert_true(chip_hash(chip) == chip_hash(saved));
    free(s.data);
    kerr_destroy(saved);
    kerr_destroy(chip);
}

/* A packet in flight that says of itself what nobody has sent: its receivers would read behind its data. */
static void hostile_packets_are_refused(void **state)
{
    enum { FROM = 0x12340, TO = 0x54340, BYTES = 48, WRITE = 2, HIGH = 7 | 5 << 6 };
    static const struct {
        uint16_t flags;
        uint8_t op;
    } lies[] = {{NOC_BYTE_ENABLE, NOC_WRITE}, {NOC_INLINE, NOC_WRITE}, {NOC_MULTICAST, NOC_READ_RESPONSE}};
    kerr_chip *chip = *state;
    const uint32_t fields[] = {FROM, 0, 0, TO, 0, HIGH, 0, WRITE, BYTES, 0, 0}, one = 1;
    assert_ok(kerr_write(chip, at, 0xFFB20000, fields, sizeof fields));
    assert_ok(kerr_write(chip, at, 0xFFB20040, &one, 4));
    saved_bytes s = {0};
    noc_packet *packet = NULL;
    for (unsigned cycle = 0; packet == NULL && cycle < 100; cycle++) {
        const uint64_t addresses[2] = {TO, FROM};
        assert_ok(kerr_run(chip, 1));
        s.size = 0;
        assert_ok(kerr_save(chip, saved_put, &s));
        for (size_t i = offsetof(noc_packet, address); i + sizeof *packet < s.size && packet == NULL; i++) {
            if (memcmp(s.data + i, addresses, sizeof addresses) == 0) {
                packet = (noc_packet *)(void *)(s.data + i - offsetof(noc_packet, address));
            }
        }
    }
    assert_non_null(packet);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        noc_packet keep, lie;
        memcpy(&keep, packet, sizeof keep);
        lie = keep;
        lie.flags |= lies[i].flags;
        lie.op = lies[i].op;
        lie.byte_enable = UINT64_MAX;
        memcpy(packet, &lie, sizeof lie);
        s.at = 0;
        assert_int_equal(kerr_restore(chip, saved_get, &s), KERR_BAD_SNAPSHOT);
        memcpy(packet, &keep, sizeof keep);
    }
    s.at = 0;
    assert_ok(kerr_restore(chip, saved_get, &s));
    free(s.data);
}

/* ---- Faults that the host raises ----------------------------------------------------------------------------------- */

static void a_register_that_is_not_there_is_only_a_status(void **state)
{
    kerr_chip *chip = *state;
    uint32_t value = 0;
    uint64_t before = chip_hash(chip);
    assert_int_equal(kerr_read(chip, at, NOC_REGISTER, &value, 4), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_write(chip, at, NOC_REGISTER, &value, 4), KERR_BAD_ADDRESS);
    assert_int_equal(faults(chip), 0);
    assert_true(chip_hash(chip) == before);
    assert_ok(kerr_run(chip, 3 * GRID));
}

static void debug_register(kerr_chip *chip, unsigned number, uint32_t value)
{
    const uint32_t words[2] = {0x80000000u | 1u << 16 | number, 0};
    assert_ok(kerr_write(chip, at, DBG_CNTL + 4, &value, 4));
    assert_ok(kerr_write(chip, at, DBG_CNTL, &words[0], 4));
    assert_ok(kerr_write(chip, at, DBG_CNTL, &words[1], 4));
}
/* A fault of no core is on record, and the chip runs up to the next multiple of 4096 and stays there, whether or not
 * the tile has anything to do and however it is called.  The access itself says KERR_BAD_ADDRESS if the register gave
 * nothing, KERR_OK if it only started what failed (a debug store to nothing by a halted core). */
static void a_fault_of_the_host_stops_the_chip_at_the_next_stop_point(void **state)
{
    static const struct {
        bool busy, debug;
        uint64_t before, step;
    } ways[] = {{false, false, 0, 5000},  {false, false, 100, 5000}, {true, false, 100, 5000},
                {true, false, 4096, 100}, {false, false, 4097, 100}, {true, true, 100, 5000},
                {true, true, 4095, 1}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        kerr_chip *chip = *state;
        assert_ok(kerr_reset(chip));
        if (ways[i].busy) {
            start_counting(chip, KERR_CORE_B);
        }
        assert_ok(kerr_run(chip, ways[i].before));
        const uint32_t address = ways[i].debug ? 0x40000000 : DAISY_CONTROL, mode = DAISY_MODE_NOBODY_KNOWS;
        if (ways[i].debug) {
            debug_register(chip, 1, 1); /* pause */
            debug_register(chip, 2, address);
            debug_register(chip, 1, 1 << 6); /* store */
        } else {
            assert_int_equal(kerr_write(chip, at, address, &mode, 4), KERR_BAD_ADDRESS);
        }
        assert_int_equal(faults(chip), 1);
        kerr_fault fault;
        assert_ok(kerr_fault_get(chip, 0, &fault));
        assert_true(fault.stopping);
        assert_int_equal(fault.core, -1);
        assert_int_equal(fault.asker, KERR_ASKER_HOST);
        assert_int_equal(fault.pc, 0);
        assert_int_equal(fault.address, address);
        assert_int_equal(fault.cycle, ways[i].before);
        uint64_t stop = (ways[i].before / GRID + 1) * GRID;
        for (unsigned k = 0; k < 60; k++) {
            uint64_t now = chip_cycle(chip);
            uint64_t want = now + ways[i].step < stop ? now + ways[i].step : stop;
            assert_int_equal(kerr_run(chip, ways[i].step), KERR_FAULTED);
            assert_int_equal(chip_cycle(chip), want);
        }
        assert_int_equal(chip_cycle(chip), stop);
        assert_ok(kerr_reset(chip));
        assert_ok(kerr_run(chip, 5000));
    }
}
/* With the policy to go on it is a record, with the policy to ignore nothing. */
static void a_fault_of_the_host_follows_the_policy(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t mode = DAISY_MODE_NOBODY_KNOWS, none = 0;
    assert_ok(kerr_set_policy(chip, KERR_FAULT_UNKNOWN, KERR_POLICY_GO_ON));
    (void)kerr_write(chip, at, DAISY_CONTROL, &mode, 4);
    assert_int_equal(faults(chip), 1);
    assert_ok(kerr_run(chip, 3 * GRID));
    assert_ok(kerr_set_policy(chip, KERR_FAULT_UNKNOWN, KERR_POLICY_IGNORE));
    (void)kerr_write(chip, at, DAISY_CONTROL, &none, 4);
    (void)kerr_write(chip, at, DAISY_CONTROL, &mode, 4);
    assert_int_equal(faults(chip), 1);
    assert_ok(kerr_run(chip, 3 * GRID));
}

/* ---- What the host only reads --------------------------------------------------------------------------------------- */

/* Zero, a note that is recorded once, and none where the policy wants none. */
static void what_the_host_reads_is_a_note(void **state)
{
    kerr_chip *chip = *state;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t value = 7;
        kerr_finding finding;
        char text[512];
        assert_ok(kerr_read(chip, at, NOT_COUNTED, &value, 4));
        assert_int_equal(value, 0);
        assert_int_equal(faults(chip), 1);
        assert_ok(kerr_finding_get(chip, 0, &finding));
        assert_int_equal(finding.severity, KERR_SEVERITY_NOTE);
        assert_int_equal(finding.access.actor, KERR_ACTOR_HOST);
        assert_int_equal(finding.access.core, -1);
        assert_false(finding.stopping);
        (void)kerr_finding_format(&finding, text, sizeof text);
        assert_non_null(strstr(text, "the host cycle"));
        assert_non_null(strstr(text, "PERF_CNT_OUT_H_DBG_L1: event 0 is not counted yet"));
        assert_ok(kerr_run(chip, 3 * GRID));
    }
    assert_ok(kerr_reset(chip));
    assert_ok(kerr_set_policy(chip, KERR_FAULT_UNIMPLEMENTED, KERR_POLICY_IGNORE));
    uint32_t value = 7;
    assert_ok(kerr_read(chip, at, NOT_COUNTED, &value, 4));
    assert_int_equal(value, 0);
    assert_int_equal(faults(chip), 0);
}

static void set(kerr_chip *chip, uint32_t address, uint32_t value)
{
    assert_ok(kerr_write(chip, at, address, &value, 4));
}

static void look(kerr_chip *chip, kerr_xy where, uint64_t address)
{
    uint32_t value = 0;
    const kerr_status status = kerr_read(chip, where, address, &value, 4);
    assert_true(status == KERR_OK || status == KERR_BAD_ADDRESS);
    (void)kerr_peek(chip, where, address, &value, 4);
    for (unsigned core = 0; core < KERR_CORE_COUNT && address <= UINT32_MAX; core += 2) {
        (void)kerr_core_peek(chip, where, (kerr_core)core, (uint32_t)address, &value, 4);
    }
}

/* Whoever looks, wherever, with whatever is selected: the chip goes on as if nobody had. */
static void nothing_that_is_read_stops_the_chip(void **state)
{
    static const struct {
        kerr_xy at;
        uint64_t first, last;
    } ranges[] = {
        {{1, 2}, 0xFFB00000, 0xFFBA0000},
        {{1, 2}, 0xFFE00000, 0xFFE02000},
        {{1, 2}, 0xFFE40000, 0xFFE40400},
        {{1, 2}, 0xFFE80000, 0xFFE80400},
        {{1, 2}, 0xFFEC0000, 0xFFEC4000},
        {{1, 2}, 0xFFEF0000, 0xFFEF4000},
        {{1, 2}, 0xFFFFF000, 0xFFFFFFFC},
        {{1, 1}, 0xFFB00000, 0xFFBB0000},
        {{0, 0}, 0x100FFB10000, 0x100FFBB0000},
        {{0, 0}, 0x100FC000000, 0x100FC004000},
        {{2, 0}, 0, 64},
        {{2, 0}, 0xF800000000000000, 0xF800000000000100},
        {{2, 0}, 0x1000000000000000, 0x1000000000000040},
        {{8, 0}, 0x80000000, 0x80040000},
        {{8, 0}, 0x10000000, 0x10000040},
        {{8, 0}, 0, 64},
        {{8, 3}, 0x20000000, 0x20080000},
        {{8, 3}, 0, 64},
        {{8, 2}, 0, 64},
        {{8, 4}, 0xFF000000, 0xFF002000},
        {{1, 0}, 0, 64},
    };
    enum { ENABLE = 1 << 29 };
    kerr_chip *chip = *state;
    start_counting(chip, KERR_CORE_B);
    assert_ok(kerr_run(chip, 100));
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        for (uint64_t address = ranges[i].first; address < ranges[i].last; address += 4) {
            look(chip, ranges[i].at, address);
        }
    }
    for (uint32_t select = 0; select < 512; select++) { /* of the five groups of performance counters */
        static const uint32_t mode[] = {0xFFB12004, 0xFFB12010, 0xFFB1201C, 0xFFB12034, 0xFFB120F4};
        for (unsigned group = 0; group < 5; group++) {
            set(chip, mode[group], select << 8);
            look(chip, at, 0xFFB12100 + 8 * group);
            look(chip, at, 0xFFB12104 + 8 * group);
        }
    }
    for (uint32_t daisy = 0; daisy < 16; daisy++) {
        for (uint32_t signal = 0; signal < 64; signal++) {
            set(chip, 0xFFB12054, (uint32_t)ENABLE | daisy << 16 | signal);
            look(chip, at, 0xFFB1205C);
        }
    }
    set(chip, 0xFFB12060, 1);
    for (uint32_t command = 0; command < 0x100; command++) { /* register files: array, word, a row that is not there */
        set(chip, 0xFFB12064, command << 12 | (command % 3 == 0 ? 0xFFF : 3));
        look(chip, at, 0xFFB1206C);
    }
    debug_register(chip, 1, 1); /* pause; loads of nothing and of what is not known, by the debug interface */
    static const uint32_t loads[] = {0x40000000, NOT_COUNTED, 0xFFB40080, 0xFFFFFFF0, 0xFFB80000};
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        debug_register(chip, 2, loads[i]);
        debug_register(chip, 1, 1 << 5);
    }
    debug_register(chip, 1, 1 << 2); /* go on */
    uint32_t count = 0;
    assert_ok(kerr_fault_count(chip, &count));
    assert_true(count > 10); /* there was something to be noted */
    for (uint32_t i = 0; i < count; i++) {
        kerr_fault fault;
        if (kerr_fault_get(chip, i, &fault) == KERR_OK && (fault.stopping || fault.asker != KERR_ASKER_HOST_READ)) {
            fail_msg("%s", fault.text);
        }
    }
    uint32_t before = 0, after = 0;
    assert_ok(kerr_reg_get(chip, at, KERR_CORE_B, KERR_REG_X + A0, &before));
    assert_ok(kerr_run(chip, 3 * GRID));
    assert_ok(kerr_reg_get(chip, at, KERR_CORE_B, KERR_REG_X + A0, &after));
    assert_true(after > before);
}

static void a_chip_may_be_saved_without_its_dram(void **state)
{
    kerr_chip *chip = *state;
    saved_bytes all = {0}, small = {0};
    const uint32_t word = 77;
    uint32_t got = 0;
    assert_ok(kerr_poke(chip, at, FLAG, &word, 4));
    assert_ok(kerr_poke(chip, kerr_dram_xy(0), FLAG, &word, 4));
    assert_int_equal(kerr_save_without_dram(chip, NULL, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_save_without_dram(NULL, saved_put, &small), KERR_BAD_ARGUMENT);
    assert_ok(kerr_save(chip, saved_put, &all));
    assert_ok(kerr_save_without_dram(chip, saved_put, &small));
    assert_true(small.size < all.size);
    assert_ok(kerr_restore(chip, saved_get, &small));
    assert_ok(kerr_peek(chip, at, FLAG, &got, 4));
    assert_int_equal(got, word);
    assert_ok(kerr_peek(chip, kerr_dram_xy(0), FLAG, &got, 4));
    assert_int_equal(got, 0);
    free(all.data);
    free(small.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_chip_may_be_saved_without_its_dram),
        TEST(a_write_over_a_hole_changes_nothing),
        TEST(a_read_over_a_hole_takes_nothing),
        TEST(odd_sizes_and_places_of_registers_are_refused),
        TEST(all_of_a_local_ram_goes_through_the_slow_path),
        TEST(a_hook_cannot_change_the_chip),
        cmocka_unit_test(a_broken_restore_leaves_the_chip_as_it_was),
        TEST(a_hostile_cycle_is_refused),
        cmocka_unit_test(hostile_numbers_are_refused),
        TEST(hostile_packets_are_refused),
        TEST(a_register_that_is_not_there_is_only_a_status),
        TEST(a_fault_of_the_host_follows_the_policy),
        TEST(what_the_host_reads_is_a_note),
        TEST(nothing_that_is_read_stops_the_chip),
        TEST(a_fault_of_the_host_stops_the_chip_at_the_next_stop_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
