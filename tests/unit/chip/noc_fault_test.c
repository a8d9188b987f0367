/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that cannot be done, from RISCV B of 1-2: a fault of the right kind that names both ends, under either
 * policy; where the chip goes on, so does the core, and what the request could not reach is as before. */
#include "../../support/unit.h"
#include "kerr_findings.h"
#include "noc_regs.h"

static const kerr_xy here = {1, 2}, there = {3, 4};
enum { HERE = 1 | 2 << 6, THERE = 3 | 4 << 6, DRAM = 17 | 12 << 6, ETH = 20 | 25 << 6, ROUTER = 8 | 4 << 6 };
enum { RD = 0, AT = 1, WR = 2, RESERVED = 3, BE = 1 << 2, INLINE = 1 << 3, MARKED = 1 << 4, BROADCAST = 1 << 5 };
enum { LINKED = 1 << 6, STATIC = 1 << 7, ACCUMULATE = (int)0x80000000, L1_END = 0x180000, DONE = 0x8000 };

typedef struct request {
    uint32_t ctrl;
    uint64_t targ;
    uint32_t targ_hi;
    uint64_t ret;
    uint32_t ret_hi, length, initiator;
} request;

static void emit(rvasm *a, const request *r)
{
    const uint32_t value[] = {(uint32_t)r->targ,
                              (uint32_t)(r->targ >> 32),
                              r->targ_hi,
                              (uint32_t)r->ret,
                              (uint32_t)(r->ret >> 32),
                              r->ret_hi,
                              0,
                              r->ctrl,
                              r->length,
                              0,
                              77};
    rva_li(a, S0, 0xFFB20000 + 0x800 * r->initiator);
    for (unsigned i = 0; i < sizeof value / sizeof *value; i++) {
        rva_li(a, T0, value[i]);
        rva(a, rv_sw(T0, (int32_t)i * 4, S0));
    }
    rva_li(a, T0, 1);
    rva(a, rv_sw(T0, NOC_CMD_CTRL, S0));
}

/* A chip on which RISCV B has made these requests one after the other without waiting, then written DONE. */
static kerr_chip *after(kerr_policy policy, const request *r, unsigned count, const kerr_harvesting *harvesting)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 1;
    for (unsigned i = 0; i < KERR_FAULT_KINDS; i++) {
        config.policy[i] = policy;
    }
    if (harvesting) {
        config.harvesting = *harvesting;
    }
    kerr_chip *chip = chip_new(&config);
    rvasm *a = rva_new(0x4000);
    for (unsigned i = 0; i < count; i++) {
        emit(a, &r[i]);
    }
    rva_li(a, T0, 1);
    rva_li(a, T1, DONE);
    rva(a, rv_sw(T0, 0, T1));
    rva_end(a);
    chip_set_word(chip, here, 0x1000, 0x11223344);
    chip_start(chip, here, KERR_CORE_B, a);
    free(a);
    kerr_status status = kerr_run(chip, 6000);
    assert_int_equal(status, policy == KERR_POLICY_STOP ? KERR_FAULTED : KERR_OK);
    if (policy != KERR_POLICY_STOP) {
        assert_int_equal(chip_word(chip, here, DONE), 1);
    }
    return chip;
}

static kerr_fault fault_of(const kerr_chip *chip)
{
    uint32_t count = 0;
    kerr_fault fault = {0};
    assert_ok(kerr_fault_count(chip, &count));
    assert_int_not_equal(count, 0);
    assert_ok(kerr_fault_get(chip, 0, &fault));
    return fault;
}

static void must_have(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("\"%s\" does not say \"%s\"", text, part);
    }
}

/* Whoever raises it, wherever: the fault knows the store of RISCV B to NOC_CMD_CTRL that asked for the request, and as a
 * finding says so. */
static void must_name_the_asker(const kerr_chip *chip, const kerr_fault *fault)
{
    kerr_finding finding;
    const bool own = fault->core >= 0;
    if (strlen(fault->text) >= sizeof fault->text - 1) {
        fail_msg("cut off: %s", fault->text);
    }
    assert_int_equal(own ? fault->core + 1 : fault->asker, 1 + KERR_CORE_B);
    assert_memory_equal(own ? &fault->tile : &fault->asker_tile, &here, sizeof here);
    if (!own) { /* else it may be the store of another register */
        assert_int_equal(chip_word(chip, here, fault->pc), rv_sw(T0, NOC_CMD_CTRL, S0));
    }
    assert_ok(kerr_finding_get(chip, 0, &finding));
    assert_int_equal(finding.access.actor, own ? KERR_ACTOR_CORE : KERR_ACTOR_NOC);
    assert_int_equal(finding.access.core, KERR_CORE_B);
    assert_int_equal(finding.access.pc, fault->pc);
    assert_memory_equal(&finding.access.tile, &here, sizeof here);
    assert_memory_equal(&finding.tile, &fault->tile, sizeof here);
}

static void check_all(const request *r, unsigned count, kerr_fault_kind kind, const char *far, const char *why,
                      const kerr_harvesting *harvesting)
{
    for (unsigned policy = KERR_POLICY_STOP; policy <= KERR_POLICY_GO_ON; policy++) {
        kerr_chip *chip = after((kerr_policy)policy, r, count, harvesting);
        kerr_fault fault = fault_of(chip);
        must_have(fault.text, "1-2");
        must_have(fault.text, far);
        must_have(fault.text, why);
        assert_int_equal(fault.kind, kind);
        assert_true(fault.stopping == (policy == KERR_POLICY_STOP));
        must_name_the_asker(chip, &fault);
        kerr_destroy(chip);
    }
}

static void check(request r, kerr_fault_kind kind, const char *far, const char *why)
{
    check_all(&r, 1, kind, far, why, NULL);
}

/* ---- Nobody there ----------------------------------------------------------------------------------------- */

/* With the tables of system firmware every name is that of a node; without translation some are not. */
static void coordinates_off_the_grid(void **state)
{
    (void)state;
    for (unsigned is_read = 0; is_read < 2; is_read++) {
        kerr_chip *chip = chip_new_one_thread();
        uint32_t nowhere = 40 | 40 << 6, word[] = {0x1000,
                                                   0,
                                                   is_read ? nowhere : HERE,
                                                   0x2000,
                                                   0,
                                                   is_read ? HERE : nowhere,
                                                   0,
                                                   is_read ? RD | MARKED : WR,
                                                   64};
        uint32_t raw = 0, go = 1;
        assert_ok(kerr_write(chip, here, 0xFFB20000 + NIU_CFG_0, &raw, 4));
        assert_ok(kerr_write(chip, here, 0xFFB20000, word, sizeof word));
        kerr_write(chip, here, 0xFFB20000 + NOC_CMD_CTRL, &go, 4);
        kerr_fault fault = fault_of(chip);
        assert_int_equal(fault.kind, KERR_FAULT_UNDEFINED);
        must_have(fault.text, "1-2 0x");
        must_have(fault.text, "not on the grid");
        assert_int_equal(kerr_run(chip, 6000), KERR_FAULTED);
        kerr_destroy(chip);
    }
}

static void a_router_without_a_tile(void **state)
{
    (void)state;
    check((request){WR | MARKED, 0x1000, HERE, 0x1000, ROUTER, 64, 0}, KERR_FAULT_UNDEFINED, "8-4", "");
    check((request){RD | MARKED, 0x1000, ROUTER, 0x1000, HERE, 64, 0}, KERR_FAULT_UNDEFINED, "8-4", "");
}

static void a_tile_that_is_off(void **state)
{
    (void)state;
    kerr_harvesting harvesting = {.tensix_columns = 1 << 1}; /* x = 16 */
    request write = {WR, 0x1000, HERE, 0x1000, 16 | 4 << 6, 64, 0};
    check_all(&write, 1, KERR_FAULT_UNDEFINED, "16-4", "switched off", &harvesting);
    request read = {RD | MARKED, 0x1000, 16 | 4 << 6, 0x1000, HERE, 64, 0};
    check_all(&read, 1, KERR_FAULT_UNDEFINED, "16-4", "switched off", &harvesting);
}

static void a_multicast_to_nobody(void **state)
{
    (void)state;
    uint32_t dram_columns = 9 | 5 << 6 | (uint32_t)(8 | 4 << 6) << 12;
    check((request){WR | BROADCAST, 0x1000, HERE, 0x1000, dram_columns, 64, 0}, KERR_FAULT_UNDEFINED, "1-2",
          "nobody receives it");
    uint32_t itself = HERE | (uint32_t)HERE << 12;
    check((request){WR | BROADCAST, 0x1000, HERE, 0x2000, itself, 64, 0}, KERR_FAULT_UNDEFINED, "1-2",
          "nobody receives it");
}

/* ---- Nothing there ---------------------------------------------------------------------------------------- */

static void past_the_end_of_l1(void **state)
{
    (void)state;
    check((request){WR, 0x1000, HERE, L1_END - 16, THERE, 64, 0}, KERR_FAULT_UNDEFINED, "3-4", "past the end of L1");
    check((request){RD | MARKED, L1_END - 16, THERE, 0x1000, HERE, 64, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "past the end of L1");
    check((request){RD | MARKED, 0x1000, THERE, L1_END - 16, HERE, 64, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "past the end of L1");
    check((request){AT | MARKED, L1_END, THERE, 0x1000, HERE, 0x107C, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "atomics act on L1 only");
    check((request){WR, L1_END - 16, HERE, 0x1000, THERE, 64, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "the source runs past the end of L1");
}

static void past_the_end_of_an_ethernet_tile(void **state)
{
    (void)state;
    check((request){WR, 0x1000, HERE, 0x80000 - 16, ETH, 64, 0}, KERR_FAULT_UNDEFINED, "1-1", "past the end of L1");
}

static void past_the_end_of_a_bank(void **state)
{
    (void)state;
    check((request){WR, 0x1000, HERE, UINT64_C(0x100000000), DRAM, 64, 0}, KERR_FAULT_UNDEFINED, "0-0",
          "past the end of the bank");
    check((request){RD | MARKED, UINT64_C(0x100000000), DRAM, 0x1000, HERE, 64, 0}, KERR_FAULT_UNDEFINED, "0-0",
          "past the end of the bank");
}

static void no_register_there(void **state)
{
    (void)state;
    check((request){WR | INLINE, 0xFFB80000, THERE, 0, HERE, 0xF, 0}, KERR_FAULT_UNDEFINED, "3-4", "no register there");
    check((request){RD | MARKED, 0xFFB80000, THERE, 0x1000, HERE, 4, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "no register there");
    check((request){WR, 0xFFB80000, HERE, 0x1000, THERE, 4, 0}, KERR_FAULT_UNDEFINED, "3-4", "no register there");
}

/* Registers and nodes that are there and refuse: what they say is theirs, who asked is named all the same. */
#define UNKNOWN (0xFFB40000u + 32 * 4)
static void what_is_there_and_refuses(void **state)
{
    enum { HOST = 2, ARC = 8, L2CPU = 8 | 3 << 6, SECURITY = 8 | 2 << 6 };
    static const struct {
        request request;
        kerr_fault_kind kind;
        const char *text;
    } refused[] = {
        {{WR | INLINE, UNKNOWN, THERE, 0, HERE, 0xF, 0}, KERR_FAULT_UNKNOWN, "STREAM_RELOAD_PHASE_BLOB"},
        {{WR | MARKED, 0x1000, HERE, UNKNOWN, THERE, 4, 0}, KERR_FAULT_UNKNOWN, "STREAM_RELOAD_PHASE_BLOB"},
        {{WR | INLINE, UNKNOWN, HERE, 0, HERE, 0xF, 0}, KERR_FAULT_UNKNOWN, "STREAM_RELOAD_PHASE_BLOB"},
        {{WR, 0x1000, HERE, 0x1000, HOST, 64, 0}, KERR_FAULT_UNDEFINED, "no DMA callbacks"},
        {{RD | MARKED, 0x1000, ARC, 0x1000, HERE, 64, 0}, KERR_FAULT_UNDEFINED, "ARC tile"},
        {{WR, 0x1000, HERE, 0x1000, L2CPU, 64, 0}, KERR_FAULT_UNIMPLEMENTED, "X280"},
        {{WR, 0x1000, HERE, 0x1000, SECURITY, 64, 0}, KERR_FAULT_UNKNOWN, "security tile"},
        {{AT | MARKED, 0x1000, ARC, 0x1000, HERE, 0x107C, 0}, KERR_FAULT_UNDEFINED, "atomics act on the L1"},
    };
    (void)state;
    for (unsigned i = 0; i < 2 * sizeof refused / sizeof *refused; i++) {
        kerr_chip *chip = after(i & 1 ? KERR_POLICY_STOP : KERR_POLICY_GO_ON, &refused[i / 2].request, 1, NULL);
        const kerr_fault fault = fault_of(chip);
        must_have(fault.text, refused[i / 2].text);
        assert_int_equal(fault.kind, refused[i / 2].kind);
        assert_int_equal(fault.core, -1);
        must_name_the_asker(chip, &fault);
        kerr_destroy(chip);
    }
}

static void atomics_on_what_is_not_l1(void **state)
{
    (void)state;
    check((request){AT | MARKED, 0x1000, DRAM, 0x1000, HERE, 0x107C, 0}, KERR_FAULT_UNDEFINED, "0-0",
          "atomics act on the L1");
    check((request){AT | MARKED, 0xFFB20200, THERE, 0x1000, HERE, 0x107C, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "atomics act on L1 only");
}

/* ---- Not so ----------------------------------------------------------------------------------------------- */

static void addresses_that_do_not_go_together(void **state)
{
    (void)state;
    check((request){WR, 0x1004, HERE, 0x1008, THERE, 64, 0}, KERR_FAULT_UNDEFINED, "3-4", "differ modulo 16");
    check((request){RD | MARKED, 0x1004, THERE, 0x1008, HERE, 64, 0}, KERR_FAULT_UNDEFINED, "3-4", "differ modulo 16");
    check((request){AT, 0x1002, THERE, 0x1000, HERE, 0x107C, 0}, KERR_FAULT_UNDEFINED, "3-4", "multiples of 4");
    check((request){AT | MARKED, 0x1000, THERE, 0x1002, HERE, 0x107C, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "multiples of 4");
    check((request){WR, 0x1010, HERE, 0x2010, THERE, 20000, 0}, KERR_FAULT_UNDEFINED, "3-4", "multiples of 64");
}

static void what_registers_do_not_take(void **state)
{
    (void)state;
    check((request){WR, 0x1000, HERE, 0xFFB21800, THERE, 8, 0}, KERR_FAULT_UNDEFINED, "3-4", "a register takes four");
    check((request){WR, 0x1000, HERE, 0xFFB21800, THERE, 2, 0}, KERR_FAULT_UNDEFINED, "3-4", "a register takes four");
    check((request){WR | INLINE, 0xFFB21802, THERE, 0, HERE, 0xF, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "a register takes four");
    check((request){RD | MARKED, 0xFFB20200, THERE, 0x1000, HERE, 64, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "a register gives at most");
    check((request){RD | MARKED, 0xFFB20200, THERE, 0x1002, HERE, 2, 0}, KERR_FAULT_UNDEFINED, "3-4",
          "differ modulo 4");
    check((request){WR, 0xFFB20200, HERE, 0x1000, THERE, 64, 0}, KERR_FAULT_UNDEFINED, "3-4", "at most the rest");
}

static void lengths_that_no_packet_has(void **state)
{
    (void)state;
    check((request){WR, 0x1000, HERE, 0x1000, THERE, 0, 0}, KERR_FAULT_UNDEFINED, "3-4", "length 0");
    check((request){RD | MARKED, 0x1000, THERE, 0x1000, HERE, 0, 0}, KERR_FAULT_UNDEFINED, "3-4", "length 0");
}

static void a_read_that_is_a_multicast(void **state)
{
    (void)state;
    check((request){RD | MARKED | BROADCAST, 0x1000, THERE | (uint32_t)THERE << 12, 0x1000, HERE, 64, 0},
          KERR_FAULT_UNDEFINED, "3-4", "a read cannot be a broadcast");
}

static void the_reserved_type(void **state)
{
    (void)state;
    check((request){RESERVED, 0x1000, THERE, 0x1000, HERE, 64, 0}, KERR_FAULT_UNDEFINED, "3-4", "type 3 is reserved");
}

static void an_atomic_that_nobody_describes(void **state)
{
    (void)state;
    check((request){AT, 0x1000, THERE, 0x1000, HERE, 0x2000, 0}, KERR_FAULT_UNKNOWN, "3-4", "no document describes");
}

/* ---- Unpredictable: what is meant is done where the policy goes on ---------------------------------------- */

static void an_inline_write_to_l1(void **state)
{
    (void)state;
    request r = {WR | INLINE, 0x1000, THERE, 0, HERE, 0xF, 0};
    check(r, KERR_FAULT_UNPREDICTABLE, "3-4", "not safe");
    kerr_chip *chip = after(KERR_POLICY_GO_ON, &r, 1, NULL);
    assert_int_equal(chip_word(chip, there, 0x1000), 77);
    kerr_destroy(chip);
}

static void accumulation_in_l1(void **state)
{
    (void)state;
    check((request){WR | (uint32_t)ACCUMULATE, 0x1000, HERE, 0x1000, THERE, 16, 0}, KERR_FAULT_UNPREDICTABLE, "3-4",
          "cannot be used safely");
}

static void channels_of_the_wrong_class(void **state)
{
    (void)state;
    request r = {WR | STATIC | 4 << 13, 0x1000, HERE, 0x1000, THERE, 64, 0};
    check(r, KERR_FAULT_UNPREDICTABLE, "3-4", "must be of class");
    kerr_chip *chip = after(KERR_POLICY_GO_ON, &r, 1, NULL);
    assert_int_equal(chip_word(chip, there, 0x1000), 0x11223344);
    kerr_destroy(chip);
}

static void a_linked_request_that_goes_elsewhere(void **state)
{
    (void)state;
    request r[] = {{WR | LINKED, 0x1000, HERE, 0x1000, THERE, 64, 0}, {WR, 0x1000, HERE, 0x1000, 5 | 5 << 6, 64, 1}};
    check_all(r, 2, KERR_FAULT_UNPREDICTABLE, "5-5", "goes elsewhere", NULL);
}

static void an_initiator_that_is_busy(void **state)
{
    (void)state;
    request same[] = {{WR, 0x10000, HERE, 0x10000, THERE, 16384, 0}, /* for the port to be busy */
                      {WR, 0x10000, HERE, 0x20000, THERE, 64, 1},
                      {WR, 0x10000, HERE, 0x30000, THERE, 64, 1}};
    check_all(same, 3, KERR_FAULT_UNPREDICTABLE, "3-4", "written before NOC_CMD_CTRL went back to 0", NULL);
    kerr_chip *chip = after(KERR_POLICY_GO_ON, same, 3, NULL);
    uint32_t count = 0;
    kerr_fault last;
    assert_ok(kerr_fault_count(chip, &count));
    assert_ok(kerr_fault_get(chip, count - 1, &last));
    must_have(last.text, "NOC_CMD_CTRL was 1");
    kerr_destroy(chip);
}

static void a_request_while_another_is_being_split(void **state)
{
    (void)state;
    request r[] = {{WR, 0x10000, HERE, 0x10000, THERE, 40000, 0}, {WR, 0x10000, HERE, 0x20000, THERE, 64, 1}};
    check_all(r, 2, KERR_FAULT_UNPREDICTABLE, "3-4", "still being split", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_off_the_grid),
        cmocka_unit_test(a_router_without_a_tile),
        cmocka_unit_test(a_tile_that_is_off),
        cmocka_unit_test(a_multicast_to_nobody),
        cmocka_unit_test(past_the_end_of_l1),
        cmocka_unit_test(past_the_end_of_an_ethernet_tile),
        cmocka_unit_test(past_the_end_of_a_bank),
        cmocka_unit_test(no_register_there),
        cmocka_unit_test(what_is_there_and_refuses),
        cmocka_unit_test(atomics_on_what_is_not_l1),
        cmocka_unit_test(addresses_that_do_not_go_together),
        cmocka_unit_test(what_registers_do_not_take),
        cmocka_unit_test(lengths_that_no_packet_has),
        cmocka_unit_test(a_read_that_is_a_multicast),
        cmocka_unit_test(the_reserved_type),
        cmocka_unit_test(an_atomic_that_nobody_describes),
        cmocka_unit_test(an_inline_write_to_l1),
        cmocka_unit_test(accumulation_in_l1),
        cmocka_unit_test(channels_of_the_wrong_class),
        cmocka_unit_test(a_linked_request_that_goes_elsewhere),
        cmocka_unit_test(an_initiator_that_is_busy),
        cmocka_unit_test(a_request_while_another_is_being_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
