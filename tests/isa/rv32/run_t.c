/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the instruction cases of tests/isa/rv32/NAME.t on a chip and prints TAP.
 *
 *   run_t FILE...           every case of every file
 *   run_t --words FILE...   prints the words of all 'exec' lines and vectors with their text, for a look by eye
 *
 * A file is named after its instruction.  Its lines:
 *   core B T2 ...           cores on which the cases below run ('all': every core); B if not given
 *   op add                  the instruction of the vectors below
 *   case WHAT IT PINS       opens a case
 *   A B -> R                a vector for 'op': operands, result.  By the shape of the instruction:
 *                             rd,rs1,rs2     A B -> R        rd,rs1,imm or shamt   A I -> R      rd,rs1   A -> R
 *                             rs1,rs2,offset A B -> taken | not                    rd,imm20      I -> R
 *                             rd,rs2,(rs1)   MEMORY B -> MEMORY_AFTER (rd gets MEMORY)
 *   pre  x5=1 [0x8000]=2 cfg0=3    registers, words of L1 and CSRs before (CSRs are written by the program itself)
 *   exec addi x6, x5, -1    one instruction, or '.word N'; 'pc' below is the address of the first one
 *   post x6=0 [0x8000]=2 h[0x8002]=7 b[0x8003]=1 cfg0=3    values after; pc+8 is a value too
 *   fault UNDEFINED pc+4 address=0x... says=TEXT           the case ends in one stopping fault, there
 *   state HALTED pc+4       the case ends in that state (default: it runs to the end of its exec lines)
 */
#include "../../support/chip.h"

#include <ctype.h>
#include <stdarg.h>

enum { PROGRAM = 0x4000, DATA = 0x8000, CYCLES = 6000, MAX_ITEMS = 64, MAX_EXEC = 64, MAX_LINE = 512 };

typedef struct item { /* one 'place=value' */
    enum { PLACE_X, PLACE_CSR, PLACE_WORD, PLACE_HALF, PLACE_BYTE } place;
    uint32_t number;
    uint32_t value;
    bool from_pc; /* value is relative to the first exec word */
} item;

typedef struct test_case {
    char name[160];
    size_t pre_count, post_count, exec_count;
    item pre[MAX_ITEMS], post[MAX_ITEMS];
    uint32_t exec[MAX_EXEC];
    bool has_fault;
    kerr_fault_kind fault_kind;
    bool fault_has_pc, fault_has_address;
    uint32_t fault_pc, fault_address;
    char fault_says[96];
    bool has_state;
    kerr_core_state state;
    uint32_t state_pc;
    bool state_has_pc;
} test_case;

typedef struct named_instruction {
    const char *name;
    enum rv_format format;
    uint32_t base;
} named_instruction;
#define NAMED(id, text, format, base) {text, format, base},
static const named_instruction instructions[] = {RV_INSTRUCTIONS(NAMED)};

/* clang-format off */
#define CSR_NAMES(X)                                                                                                   \
    X(fcsr) X(vstart) X(vxsat) X(vxrm) X(mstatus) X(misa) X(mcountinhibit) X(mhpmevent3) X(mhpmevent4) X(cfg0)         \
    X(pmacfg0) X(pmacfg1) X(cfg1) X(hwa_mask) X(hwa_cfg) X(vgsrc) X(mcycle) X(minstret) X(mhpmcounter3)                \
    X(mhpmcounter4) X(mcycleh) X(minstreth) X(mhpmcounter3h) X(mhpmcounter4h) X(tt_cfg_qstatus) X(tt_cfg_bstatus)      \
    X(tt_cfg_sstatus0) X(tt_cfg_sstatus1) X(tt_cfg_sstatus2) X(tt_cfg_sstatus3) X(tt_cfg_sstatus4)                     \
    X(tt_cfg_sstatus5) X(tt_cfg_sstatus6) X(tt_cfg_sstatus7) X(intp_restore_pc) X(cycle) X(instret) X(vl) X(vtype)     \
    X(vlenb) X(cycleh) X(instreth) X(mhartid)
/* clang-format on */
#define CSR_ENTRY(name) {#name, CSR_##name},
static const struct {
    const char *name;
    uint32_t number;
} csrs[] = {CSR_NAMES(CSR_ENTRY)};

static const char *const abi_names[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                          "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                          "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

/* ---- Reading ------------------------------------------------------------------------------- */

typedef struct reader {
    const char *path;
    unsigned line;
    bool words_only;
} reader;

static void __attribute__((format(printf, 2, 3), noreturn)) refuse(const reader *r, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fprintf(stderr, "%s:%u: ", r->path, r->line);
    vfprintf(stderr, format, ap);
    fputc('\n', stderr);
    va_end(ap);
    exit(2);
}

/* Takes the next token (letters, digits and what numbers and names need), or "". */
static void next_token(const char **at, char *token, size_t size)
{
    size_t n = 0;
    while (**at == ' ' || **at == '\t' || **at == ',') {
        (*at)++;
    }
    while (**at && !strchr(" \t,()", **at) && n + 1 < size) {
        token[n++] = *(*at)++;
    }
    token[n] = 0;
}

static uint32_t read_number(const reader *r, const char *text)
{
    char *end = NULL;
    long long value = strtoll(text, &end, 0);
    if (!*text || *end || value < -(1ll << 31) || value >= 1ll << 32) {
        refuse(r, "'%s' is not a 32-bit number", text);
    }
    return (uint32_t)value;
}

static uint32_t read_value(const reader *r, const char *text, bool *from_pc)
{
    *from_pc = strncmp(text, "pc", 2) == 0;
    if (!*from_pc) {
        return read_number(r, text);
    }
    return text[2] ? read_number(r, text + 2) : 0;
}

static int find_register(const char *text)
{
    for (int i = 0; i < 32; i++) {
        char x[8];
        snprintf(x, sizeof x, "x%d", i);
        if (strcmp(text, x) == 0 || strcmp(text, abi_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static unsigned read_register(const reader *r, const char *text)
{
    int reg = find_register(text);
    if (reg < 0) {
        refuse(r, "'%s' is not a register", text);
    }
    return (unsigned)reg;
}

static bool find_csr(const char *text, uint32_t *number)
{
    for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++) {
        if (strcmp(csrs[i].name, text) == 0) {
            *number = csrs[i].number;
            return true;
        }
    }
    return false;
}

static const named_instruction *find_instruction(const char *name)
{
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        if (strcmp(instructions[i].name, name) == 0) {
            return &instructions[i];
        }
    }
    return NULL;
}

static uint32_t assemble(const reader *r, const char *text)
{
    char t[4][64];
    const char *at = text;
    char name[64];
    next_token(&at, name, sizeof name);
    for (int i = 0; i < 4; i++) {
        if (*at == '(' || *at == ')') {
            at++;
        }
        while (*at == ' ' || *at == ',' || *at == '(' || *at == ')') {
            at++;
        }
        next_token(&at, t[i], sizeof t[i]);
    }
    if (strcmp(name, ".word") == 0) {
        return read_number(r, t[0]);
    }
    const named_instruction *in = find_instruction(name);
    if (!in) {
        refuse(r, "no instruction '%s'", name);
    }
    uint32_t csr;
    switch (in->format) {
    case RV_R: return rv_word_R(in->base, read_register(r, t[0]), read_register(r, t[1]), read_register(r, t[2]));
    case RV_I:
        return rv_word_I(in->base, read_register(r, t[0]), read_register(r, t[1]), (int32_t)read_number(r, t[2]));
    case RV_SH: return rv_word_R(in->base, read_register(r, t[0]), read_register(r, t[1]), read_number(r, t[2]));
    case RV_U1: return rv_word_R(in->base, read_register(r, t[0]), read_register(r, t[1]), 0);
    case RV_L:
        return rv_word_I(in->base, read_register(r, t[0]), read_register(r, t[2]), (int32_t)read_number(r, t[1]));
    case RV_S:
        return rv_word_S(in->base, read_register(r, t[0]), read_register(r, t[2]), (int32_t)read_number(r, t[1]));
    case RV_B:
        return rv_word_B(in->base, read_register(r, t[0]), read_register(r, t[1]), (int32_t)read_number(r, t[2]));
    case RV_U: return in->base | read_register(r, t[0]) << 7 | read_number(r, t[1]) << 12;
    case RV_J: return rv_word_J(in->base, read_register(r, t[0]), (int32_t)read_number(r, t[1]));
    case RV_A: return rv_word_R(in->base, read_register(r, t[0]), read_register(r, t[2]), read_register(r, t[1]));
    case RV_C:
    case RV_CI:
        csr = 0;
        if (!find_csr(t[1], &csr)) {
            csr = read_number(r, t[1]);
        }
        return rv_word_I(in->base, read_register(r, t[0]),
                         in->format == RV_C ? read_register(r, t[2]) : read_number(r, t[2]), (int32_t)csr);
    case RV_N: return in->base;
    }
    return 0;
}

static void read_items(const reader *r, const char *text, item *items, size_t *count)
{
    char token[MAX_LINE];
    for (const char *at = text;;) {
        next_token(&at, token, sizeof token);
        if (!*token) {
            return;
        }
        char *equals = strchr(token, '=');
        if (!equals || *count == MAX_ITEMS) {
            refuse(r, "'%s' is not PLACE=VALUE (or too many)", token);
        }
        *equals = 0;
        item it = {.place = PLACE_X};
        it.value = read_value(r, equals + 1, &it.from_pc);
        char *bracket = strchr(token, '[');
        if (bracket) {
            it.place = token[0] == 'h' ? PLACE_HALF : token[0] == 'b' ? PLACE_BYTE : PLACE_WORD;
            char *close = strchr(bracket, ']');
            if (!close) {
                refuse(r, "'%s' lacks ]", token);
            }
            *close = 0;
            it.number = read_number(r, bracket + 1);
        } else if (find_register(token) >= 0) {
            it.number = (uint32_t)find_register(token);
        } else if (find_csr(token, &it.number)) {
            it.place = PLACE_CSR;
        } else {
            refuse(r, "'%s' is neither register, CSR nor [address]", token);
        }
        items[(*count)++] = it;
    }
}

static void add_item(test_case *tc, bool post, int place, uint32_t number, uint32_t value)
{
    item it = {.number = number, .value = value};
    it.place = (__typeof__(it.place))place;
    if (post) {
        tc->post[tc->post_count++] = it;
    } else {
        tc->pre[tc->pre_count++] = it;
    }
}

/* Turns 'A B -> R' into pre, exec and post. */
static void read_vector(const reader *r, const named_instruction *in, const char *text, test_case *tc)
{
    char t[4][64];
    size_t n = 0;
    if (!in) {
        refuse(r, "a vector before any 'op'");
    }
    for (const char *at = text;;) {
        char token[64];
        next_token(&at, token, sizeof token);
        if (!*token) {
            break;
        }
        if (strcmp(token, "->") == 0) {
            continue;
        }
        if (n == 4) {
            refuse(r, "too many values");
        }
        snprintf(t[n++], sizeof t[0], "%s", token);
    }
    size_t want = in->format == RV_U1 || in->format == RV_U ? 2 : 3;
    if (n != want) {
        refuse(r, "%s takes %zu values here, not %zu", in->name, want, n);
    }
    snprintf(tc->name + strlen(tc->name), sizeof tc->name - strlen(tc->name), " (%s)", text);
    uint32_t a = read_number(r, t[0]);
    switch (in->format) {
    case RV_R:
        add_item(tc, false, PLACE_X, T0, a);
        add_item(tc, false, PLACE_X, T1, read_number(r, t[1]));
        tc->exec[tc->exec_count++] = rv_word_R(in->base, T2, T0, T1);
        add_item(tc, true, PLACE_X, T2, read_number(r, t[2]));
        break;
    case RV_I:
    case RV_SH:
        add_item(tc, false, PLACE_X, T0, a);
        tc->exec[tc->exec_count++] = in->format == RV_I ? rv_word_I(in->base, T2, T0, (int32_t)read_number(r, t[1]))
                                                        : rv_word_R(in->base, T2, T0, read_number(r, t[1]));
        add_item(tc, true, PLACE_X, T2, read_number(r, t[2]));
        break;
    case RV_U1:
        add_item(tc, false, PLACE_X, T0, a);
        tc->exec[tc->exec_count++] = rv_word_R(in->base, T2, T0, 0);
        add_item(tc, true, PLACE_X, T2, read_number(r, t[1]));
        break;
    case RV_U:
        tc->exec[tc->exec_count++] = in->base | (uint32_t)T2 << 7 | a << 12;
        add_item(tc, true, PLACE_X, T2, read_number(r, t[1]));
        break;
    case RV_B: {
        bool taken = strcmp(t[2], "taken") == 0;
        if (!taken && strcmp(t[2], "not") != 0) {
            refuse(r, "a branch is 'taken' or 'not'");
        }
        add_item(tc, false, PLACE_X, T0, a);
        add_item(tc, false, PLACE_X, T1, read_number(r, t[1]));
        add_item(tc, false, PLACE_X, T2, 1);
        tc->exec[tc->exec_count++] = rv_word_B(in->base, T0, T1, 8);
        tc->exec[tc->exec_count++] = rv_addi(T2, X0, 0);
        tc->exec[tc->exec_count++] = rv_nop();
        add_item(tc, true, PLACE_X, T2, taken);
        break;
    }
    case RV_A:
        add_item(tc, false, PLACE_WORD, DATA, a);
        add_item(tc, false, PLACE_X, T0, DATA);
        add_item(tc, false, PLACE_X, T1, read_number(r, t[1]));
        tc->exec[tc->exec_count++] = rv_word_R(in->base, T2, T0, T1);
        add_item(tc, true, PLACE_X, T2, a);
        add_item(tc, true, PLACE_WORD, DATA, read_number(r, t[2]));
        break;
    default: refuse(r, "no vectors for the shape of %s; use pre, exec, post", in->name);
    }
}

/* ---- Running ------------------------------------------------------------------------------- */

typedef struct runner {
    kerr_chip *chip;
    uint32_t next_tile;
    unsigned tests, failed;
} runner;

static const char *const state_names[] = {"IN_RESET", "RUNNING", "PARKED", "WAITING", "HALTED", "STOPPED"};

typedef struct verdict {
    bool failed;
    char text[1024];
} verdict;

static void __attribute__((format(printf, 2, 3))) wrong(verdict *v, const char *format, ...)
{
    size_t used = strlen(v->text);
    va_list ap;
    va_start(ap, format);
    v->failed = true;
    vsnprintf(v->text + used, sizeof v->text - used, format, ap);
    va_end(ap);
}

static void check_items(const runner *run, const test_case *tc, kerr_xy at, kerr_core core, uint32_t pc, verdict *v)
{
    for (size_t i = 0; i < tc->post_count; i++) {
        const item *it = &tc->post[i];
        uint32_t want = it->value + (it->from_pc ? pc : 0), got = 0;
        const char *what = "x";
        switch (it->place) {
        case PLACE_X: got = chip_x(run->chip, at, core, it->number); break;
        case PLACE_CSR:
            what = "csr ";
            MUST(run->chip, kerr_reg_get(run->chip, at, core, KERR_REG_CSR + it->number, &got));
            break;
        default: {
            size_t size = it->place == PLACE_WORD ? 4 : it->place == PLACE_HALF ? 2 : 1;
            what = "memory ";
            MUST(run->chip, kerr_core_peek(run->chip, at, core, it->number, &got, size));
        }
        }
        if (got != want) {
            wrong(v, "# %s%s%" PRIx32 ": got 0x%08" PRIx32 ", want 0x%08" PRIx32 "\n", what,
                  it->place == PLACE_X ? "" : "0x", it->number, got, want);
        }
    }
}

static void check_fault(const runner *run, const test_case *tc, kerr_xy at, kerr_core core, uint32_t pc,
                        uint64_t started, verdict *v)
{
    uint32_t count = 0;
    MUST(run->chip, kerr_fault_count(run->chip, &count));
    if (count != 1) {
        wrong(v, "# %" PRIu32 " faults, want 1\n", count);
        if (count == 0) {
            return;
        }
    }
    kerr_fault f;
    char line[512];
    MUST(run->chip, kerr_fault_get(run->chip, 0, &f));
    (void)kerr_fault_format(&f, line, sizeof line);
    bool good = f.kind == tc->fault_kind && f.stopping && f.tile.x == at.x && f.tile.y == at.y && f.core == (int)core &&
                f.cycle > started && f.cycle <= started + CYCLES;
    good &= !tc->fault_has_pc || f.pc == pc + tc->fault_pc;
    good &= !tc->fault_has_address || f.address == tc->fault_address;
    good &= strstr(line, tc->fault_says) != NULL;
    if (!good) {
        wrong(v,
              "# fault is '%s' (kind %s, stopping %d, core %d, pc 0x%" PRIx32 ", address 0x%" PRIx32 ", cycle %" PRIu64
              "), exec starts at 0x%" PRIx32 "\n",
              line, kerr_fault_kind_name(f.kind), f.stopping, f.core, f.pc, f.address, f.cycle, pc);
    }
    kerr_core_info info;
    MUST(run->chip, kerr_core_query(run->chip, at, core, &info));
    if (info.state != KERR_CORE_STOPPED) {
        wrong(v, "# state is %s, want STOPPED\n", state_names[info.state]);
    }
    /* Memory stays readable for the post-mortem. */
    uint32_t word = 0;
    if (kerr_peek(run->chip, at, pc, &word, 4) != KERR_OK || word != tc->exec[0]) {
        wrong(v, "# after the fault the program reads 0x%08" PRIx32 "\n", word);
    }
}

static void run_case(runner *run, const test_case *tc, kerr_core core, bool name_core, const char *file)
{
    if (run->next_tile == KERR_TENSIX_TILES) {
        MUST(run->chip, kerr_reset(run->chip));
        run->next_tile = 0;
    }
    kerr_xy at = kerr_tensix_xy(run->next_tile++);
    rvasm *a = rva_new(PROGRAM);
    for (size_t i = 0; i < tc->pre_count; i++) {
        if (tc->pre[i].place == PLACE_CSR) {
            rva_li(a, T6, tc->pre[i].value);
            rva(a, rv_csrw(tc->pre[i].number, T6));
        } else if (tc->pre[i].place == PLACE_WORD) {
            MUST(run->chip, kerr_poke(run->chip, at, tc->pre[i].number, &tc->pre[i].value, 4));
        }
    }
    uint32_t pre_x = rva_here(a);
    for (size_t i = 0; i < tc->pre_count; i++) {
        pre_x += tc->pre[i].place == PLACE_X ? 8 : 0;
    }
    for (size_t i = 0; i < tc->pre_count; i++) {
        if (tc->pre[i].place == PLACE_X) {
            rva_li(a, tc->pre[i].number, tc->pre[i].value + (tc->pre[i].from_pc ? pre_x : 0));
        }
    }
    uint32_t pc = rva_here(a);
    for (size_t i = 0; i < tc->exec_count; i++) {
        rva(a, tc->exec[i]);
    }
    uint32_t end = rva_end(a);
    chip_start(run->chip, at, core, a);
    uint64_t started = chip_cycle(run->chip);
    kerr_status status = kerr_run(run->chip, CYCLES);

    verdict v = {0};
    kerr_core_info info;
    MUST(run->chip, kerr_core_query(run->chip, at, core, &info));
    if (status != (tc->has_fault ? KERR_FAULTED : KERR_OK)) {
        wrong(&v, "# kerr_run: %s\n", kerr_status_text(status));
        chip_print_faults(run->chip);
    }
    if (tc->has_fault) {
        check_fault(run, tc, at, core, pc, started, &v);
    } else if (tc->has_state) {
        if (info.state != tc->state || (tc->state_has_pc && info.pc != pc + tc->state_pc)) {
            wrong(&v, "# state is %s at 0x%" PRIx32 ", exec starts at 0x%" PRIx32 "\n", state_names[info.state],
                  info.pc, pc);
        }
    } else if (info.pc != end) {
        wrong(&v, "# pc is 0x%" PRIx32 " (%s), the program ends at 0x%" PRIx32 "\n", info.pc, state_names[info.state],
              end);
    }
    check_items(run, tc, at, core, pc, &v);
    run->tests++;
    run->failed += v.failed;
    printf("%s %u - %s: %s%s%s\n%s", v.failed ? "not ok" : "ok", run->tests, file, tc->name, name_core ? " on " : "",
           name_core ? kerr_core_name(core) : "", v.text);
    if (status == KERR_FAULTED) {
        MUST(run->chip, kerr_reset(run->chip));
        run->next_tile = 0;
    } else {
        MUST(run->chip, kerr_core_reset(run->chip, at, core, true));
    }
    free(a);
}

/* ---- One file ------------------------------------------------------------------------------ */

static void finish(runner *run, const reader *r, test_case *tc, bool *open, uint32_t cores, const char *file)
{
    if (!*open) {
        return;
    }
    *open = false;
    if (tc->exec_count == 0) {
        refuse(r, "case '%s' executes nothing", tc->name);
    }
    if (tc->post_count == 0 && !tc->has_fault && !tc->has_state) {
        refuse(r, "case '%s' checks nothing", tc->name);
    }
    if (r->words_only) {
        for (size_t i = 0; i < tc->exec_count; i++) {
            printf("%08" PRIx32 "\n", tc->exec[i]);
        }
        return;
    }
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        if (cores >> c & 1) {
            run_case(run, tc, (kerr_core)c, (cores & (cores - 1)) != 0, file);
        }
    }
}

static void read_fault(const reader *r, const char *text, test_case *tc)
{
    char token[96];
    const char *at = text;
    next_token(&at, token, sizeof token);
    tc->has_fault = true;
    unsigned kind = 0;
    while (kind < KERR_FAULT_KINDS && strcasecmp(kerr_fault_kind_name((kerr_fault_kind)kind), token) != 0) {
        kind++;
    }
    if (kind == KERR_FAULT_KINDS) {
        refuse(r, "no fault kind '%s'", token);
    }
    tc->fault_kind = (kerr_fault_kind)kind;
    for (;;) {
        next_token(&at, token, sizeof token);
        if (!*token) {
            return;
        }
        if (strncmp(token, "pc", 2) == 0) {
            bool from_pc;
            tc->fault_has_pc = true;
            tc->fault_pc = read_value(r, token, &from_pc);
        } else if (strncmp(token, "address=", 8) == 0) {
            tc->fault_has_address = true;
            tc->fault_address = read_number(r, token + 8);
        } else if (strncmp(token, "says=", 5) == 0) {
            snprintf(tc->fault_says, sizeof tc->fault_says, "%s", token + 5);
        } else {
            refuse(r, "'%s' in a fault line", token);
        }
    }
}

static void read_state(const reader *r, const char *text, test_case *tc)
{
    char token[64];
    const char *at = text;
    next_token(&at, token, sizeof token);
    for (size_t i = 0; i < sizeof state_names / sizeof *state_names; i++) {
        if (strcmp(state_names[i], token) == 0) {
            tc->has_state = true;
            tc->state = (kerr_core_state)i;
        }
    }
    if (!tc->has_state) {
        refuse(r, "no state '%s'", token);
    }
    next_token(&at, token, sizeof token);
    if (*token) {
        tc->state_pc = read_value(r, token, &tc->state_has_pc);
    }
}

static uint32_t read_cores(const reader *r, const char *text)
{
    uint32_t mask = 0;
    char token[16];
    for (const char *at = text;;) {
        kerr_core core;
        next_token(&at, token, sizeof token);
        if (!*token) {
            return mask;
        }
        if (strcmp(token, "all") == 0) {
            mask |= (1u << KERR_CORE_COUNT) - 1;
        } else if (kerr_core_by_name(token, &core)) {
            mask |= 1u << core;
        } else {
            refuse(r, "no core '%s'", token);
        }
    }
}

static void run_file(runner *run, const char *path, bool words_only)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(2);
    }
    const char *slash = strrchr(path, '/');
    char file[64];
    snprintf(file, sizeof file, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(file, '.');
    if (dot) {
        *dot = 0;
    }
    reader r = {.path = path, .words_only = words_only};
    static test_case tc; /* the case being read; a test program, not the library */
    char case_name[120] = "";
    bool open = false;
    uint32_t cores = 1u << KERR_CORE_B;
    const named_instruction *op = NULL;
    char line[MAX_LINE];
    while (fgets(line, sizeof line, f)) {
        r.line++;
        char *hash = strchr(line, '#');
        if (hash) {
            *hash = 0;
        }
        size_t length = strlen(line);
        while (length > 0 && isspace((unsigned char)line[length - 1])) {
            line[--length] = 0;
        }
        const char *text = line;
        while (isspace((unsigned char)*text)) {
            text++;
        }
        if (!*text) {
            continue;
        }
        char word[64];
        const char *rest = text;
        next_token(&rest, word, sizeof word);
        while (*rest == ' ') {
            rest++;
        }
        if (strcmp(word, "core") == 0) {
            finish(run, &r, &tc, &open, cores, file);
            cores = read_cores(&r, rest);
        } else if (strcmp(word, "op") == 0) {
            finish(run, &r, &tc, &open, cores, file);
            op = find_instruction(rest);
            if (!op) {
                refuse(&r, "no instruction '%s'", rest);
            }
        } else if (strcmp(word, "case") == 0) {
            finish(run, &r, &tc, &open, cores, file);
            snprintf(case_name, sizeof case_name, "%s", rest);
            memset(&tc, 0, sizeof tc);
            snprintf(tc.name, sizeof tc.name, "%s", case_name);
        } else if (!*case_name) {
            refuse(&r, "'%s' outside a case", word);
        } else if (strcmp(word, "pre") == 0) {
            open = true;
            read_items(&r, rest, tc.pre, &tc.pre_count);
        } else if (strcmp(word, "exec") == 0) {
            open = true;
            if (tc.exec_count == MAX_EXEC) {
                refuse(&r, "too many exec lines");
            }
            tc.exec[tc.exec_count++] = assemble(&r, rest);
        } else if (strcmp(word, "post") == 0) {
            open = true;
            read_items(&r, rest, tc.post, &tc.post_count);
        } else if (strcmp(word, "fault") == 0) {
            open = true;
            read_fault(&r, rest, &tc);
        } else if (strcmp(word, "state") == 0) {
            open = true;
            read_state(&r, rest, &tc);
        } else if (isdigit((unsigned char)*word) || *word == '-') {
            if (open) {
                refuse(&r, "a vector inside a pre/exec/post case");
            }
            read_vector(&r, op, text, &tc);
            open = true;
            finish(run, &r, &tc, &open, cores, file);
            memset(&tc, 0, sizeof tc);
            snprintf(tc.name, sizeof tc.name, "%s", case_name);
        } else {
            refuse(&r, "what is '%s'?", word);
        }
    }
    finish(run, &r, &tc, &open, cores, file);
    fclose(f);
}

int main(int argc, char **argv)
{
    bool words_only = argc > 1 && strcmp(argv[1], "--words") == 0;
    runner run = {.chip = words_only ? NULL : chip_new_one_thread()};
    for (int i = 1 + words_only; i < argc; i++) {
        run_file(&run, argv[i], words_only);
    }
    if (words_only) {
        return 0;
    }
    kerr_destroy(run.chip);
    printf("1..%u\n", run.tests);
    return run.failed != 0;
}
