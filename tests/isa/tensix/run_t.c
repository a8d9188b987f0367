/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the cases of tests/isa/tensix/NAME.t on the coprocessor of a tile without cores and prints TAP.
 *
 *   run_t FILE...
 *
 * A file is named after its instruction.  Its lines, '#' opening a comment:
 *   thread 1                which thread the cases below are about; 0 if not given
 *   base  PLACE=VALUE ...   before each of the cases below, until the next base line
 *   also  PLACE=VALUE ...   the same, in addition
 *   case WHAT IT PINS       opens a case
 *   pre   PLACE=VALUE ...   before
 *   exec  NAME FIELD=VALUE, ...    pushed by the thread, as kerr asm reads it; 'exec T2 NAME ...' by another
 *   write N PLACE=VALUE ... somebody else writes in cycle N, before the units have their turn
 *   at    N PLACE=VALUE ... what is there for a core in cycle N
 *   passes N N ...          the cycle in which each exec line passes its wait gate; '-' if it never does
 *   fault KIND says=TEXT    the case ends in this fault, which says so
 *   post  PLACE=VALUE ...   after, when nothing is left to do
 * Cycles count from the one in which the first exec line passes.  Numbers are as C has them.  Places:
 *   gpr[i] gpr[t][i]  [address] h[address] b[address] of L1  cfg[bank][word]  thd[i] thd[t][i] of ThreadConfig
 *   sem[i] max[i] mutex[i]  adc[set][channel].x adc[t][set][channel].z_cr  reg[address], as RISCV B sees it
 *   rwc.dst rwc[t].src_a_cr  src[which].matrix, .unpacker: its bank, .owns[bank]: by the Matrix Unit, .row[t]
 *   src[which].implied[bank], .last: the row that SHIFTXA starts from  srca[bank][row][column] srcb[bank][row][column]
 *   dst[row][column] of DstBits; these three without a column: all columns  valid[row]  undefined: how many rows are not valid
 *   lreg[i][lane] laneconfig[lane] template[i][lane] sequence[i][lane] misc[lane], all lanes if none is given  flags useflags
 *   prng[lane]  stack: entries in the flag stack of each lane, stackflags[i] stackuse[i] of entry i
 *   mop[i] mop[t][i] of the MOP expander's configuration  ctx[which] ctx[t][which]: an unpacker's context counter
 *   mover, 1 while busy; packer.acc packer.size packer.zero packer.thread packer.exponent, packer.histogram[i],
 *   packer.position packer.plane packer.context packer.value packer.tiles, packer.prng[i] */
#include "unit/tile/fake_tile.h"

#include "tensix/events.h"
#include "tensix/tensix.h"
#include "tensix/text.h"
#include "tensix/vector/macro.h"

#include <ctype.h>

enum { FIRST_CYCLE = 1000, MOST_CYCLES = 4000, MAX_ITEMS = 96, MAX_EXEC = 48, MAX_LINE = 512, NOT_YET = -1 };

enum place_kind {
    GPR,
    WORD,
    HALF,
    BYTE,
    CFG,
    THD,
    MOP,
    SEM,
    MAX,
    MUTEX,
    ADC,
    REG,
    MOVER,
    PACKER,
    RWC,
    SRC,
    CTX,
    SRCA,
    SRCB,
    DST,
    VALID,
    UNDEFINED,
    LREG,
    LANE_CONFIG,
    TEMPLATE,
    SEQUENCE,
    MISC,
    FLAGS,
    USE_FLAGS,
    PRNG,
    STACK,
    STACK_FLAGS,
    STACK_USE
};
typedef struct item {
    enum place_kind kind;
    unsigned index[3];
    unsigned indices; /* that were given */
    char member[16];
    uint32_t value;
    long cycle; /* of write and at */
    char text[64];
} item;

typedef struct test_case {
    char name[200];
    unsigned thread;
    unsigned pre_count, write_count, at_count, post_count, exec_count, passes_count;
    item pre[MAX_ITEMS], write[MAX_ITEMS], at[MAX_ITEMS], post[MAX_ITEMS];
    uint32_t exec[MAX_EXEC];
    unsigned exec_thread[MAX_EXEC];
    long passes[MAX_EXEC], passed[MAX_EXEC];
    bool has_fault;
    kerr_fault_kind fault_kind;
    char says[160];
} test_case;

static test_case base; /* what all cases have before */
static const char *where;
static unsigned line_number, number, failures;

static _Noreturn void refuse(const char *what, const char *text)
{
    fprintf(stderr, "%s:%u: %s: %s\n", where, line_number, what, text);
    exit(2);
}

/* ---- Places ------------------------------------------------------------------------------------------------- */

static const char *read_place(const char *text, unsigned thread, item *out)
{
    static const struct {
        const char *name;
        enum place_kind kind;
        unsigned least, most; /* indices */
    } names[] = {{"gpr", GPR, 1, 2},
                 {"", WORD, 1, 1},
                 {"h", HALF, 1, 1},
                 {"b", BYTE, 1, 1},
                 {"cfg", CFG, 2, 2},
                 {"thd", THD, 1, 2},
                 {"mop", MOP, 1, 2},
                 {"sem", SEM, 1, 1},
                 {"max", MAX, 1, 1},
                 {"mutex", MUTEX, 1, 1},
                 {"adc", ADC, 2, 3},
                 {"reg", REG, 1, 1},
                 {"mover", MOVER, 0, 0},
                 {"packer", PACKER, 0, 0},
                 {"rwc", RWC, 0, 1},
                 {"src", SRC, 1, 1},
                 {"ctx", CTX, 1, 2},
                 {"srca", SRCA, 2, 3},
                 {"srcb", SRCB, 2, 3},
                 {"dst", DST, 1, 2},
                 {"valid", VALID, 1, 1},
                 {"undefined", UNDEFINED, 0, 0},
                 {"lreg", LREG, 1, 2},
                 {"laneconfig", LANE_CONFIG, 0, 1},
                 {"template", TEMPLATE, 1, 2},
                 {"sequence", SEQUENCE, 1, 2},
                 {"misc", MISC, 0, 1},
                 {"flags", FLAGS, 0, 0},
                 {"useflags", USE_FLAGS, 0, 0},
                 {"prng", PRNG, 0, 1},
                 {"stack", STACK, 0, 0},
                 {"stackflags", STACK_FLAGS, 1, 1},
                 {"stackuse", STACK_USE, 1, 1}};
    const char *start = text;
    while (isalnum((unsigned char)*text))
        text++;
    unsigned which = 0, count = 0;
    const size_t length = (size_t)(text - start);
    while (which < sizeof names / sizeof *names &&
           (strlen(names[which].name) != length || strncmp(names[which].name, start, length) != 0))
        which++;
    if (which == sizeof names / sizeof *names)
        refuse("no such place", start);
    *out = (item){.kind = names[which].kind};
    uint32_t index[3] = {0};
    while (*text == '[' && count < 3) {
        char *end;
        index[count++] = (uint32_t)strtoul(text + 1, &end, 0);
        if (*end != ']')
            refuse("']' is missing", start);
        text = end + 1;
    }
    if (count < names[which].least || count > names[which].most)
        refuse("wrong number of indices", start);
    /* The thread may be left out. */
    const bool has_thread = out->kind == GPR || out->kind == THD || out->kind == MOP || out->kind == ADC ||
                            out->kind == RWC || out->kind == CTX;
    const bool given = has_thread && count == names[which].most;
    out->index[0] = has_thread && !given ? thread : index[0];
    for (unsigned i = 1; i < 3; i++)
        out->index[i] = has_thread && !given ? index[i - 1] : index[i];
    out->indices = count;
    if (*text == '.') {
        size_t i = 0;
        for (text++; isalnum((unsigned char)*text) || *text == '_' || *text == '[' || *text == ']'; text++)
            if (i < sizeof out->member - 1)
                out->member[i++] = *text;
    }
    snprintf(out->text, sizeof out->text, "%.*s", (int)(text - start), start);
    return text;
}

static bool access_packer(struct tensix_packer *p, item *i, bool set, unsigned thread)
{
    unsigned index = 0;
#define MEMBER(name, field)                                                                                            \
    if (strcmp(i->member, name) == 0) {                                                                                \
        if (set)                                                                                                       \
            (field) = (__typeof__(field))i->value;                                                                     \
        i->value = (field);                                                                                            \
        return true;                                                                                                   \
    }
    MEMBER("acc", p->acc_tile_size[thread])
    MEMBER("size", p->last_tile_size)
    MEMBER("zero", p->all_zero_flags)
    MEMBER("thread", p->last_thread)
    MEMBER("exponent", p->max_exponent)
    MEMBER("position", p->tile_position)
    MEMBER("plane", p->tile_plane)
    MEMBER("context", p->context)
    MEMBER("value", p->register_value)
    MEMBER("tiles", p->fifo_count)
    if (sscanf(i->member, "prng[%u]", &index) == 1 && index < 16) {
        i->member[4] = 0;
        MEMBER("prng", p->prng[index])
    }
    if (sscanf(i->member, "histogram[%u]", &index) == 1 && index < 32) {
        i->member[9] = 0;
        MEMBER("histogram", p->exponent_histogram[index])
    }
    return false;
}

static bool access_adc(struct tensix_adc_channel *c, item *i, bool set)
{
    MEMBER("x", c->x)
    MEMBER("x_cr", c->x_cr)
    MEMBER("y", c->y)
    MEMBER("y_cr", c->y_cr)
    MEMBER("z", c->z)
    MEMBER("z_cr", c->z_cr)
    MEMBER("w", c->w)
    MEMBER("w_cr", c->w_cr)
    return false;
}

static bool access_rwc(struct tensix_rwc *r, item *i, bool set)
{
    MEMBER("dst", r->dst)
    MEMBER("dst_cr", r->dst_cr)
    MEMBER("src_a", r->src_a)
    MEMBER("src_a_cr", r->src_a_cr)
    MEMBER("src_b", r->src_b)
    MEMBER("src_b_cr", r->src_b_cr)
    MEMBER("fidelity", r->fidelity_phase)
    MEMBER("sp", r->sp)
    return false;
}

static bool access_src(struct tensix_src *s, item *i, bool set)
{
    unsigned index = 0;
    MEMBER("matrix", s->matrix_bank)
    MEMBER("unpacker", s->unpacker_bank)
    if (sscanf(i->member, "owns[%u]", &index) == 1 && index < 2) {
        i->member[4] = 0;
        MEMBER("owns", s->matrix_owns[index])
    }
    MEMBER("last", s->last_row)
    if (sscanf(i->member, "implied[%u]", &index) == 1 && index < 2) {
        i->member[7] = 0;
        MEMBER("implied", s->implied_format[index])
    }
    if (sscanf(i->member, "row[%u]", &index) == 1 && index < TENSIX_THREADS) {
        i->member[3] = 0;
        MEMBER("row", s->unpacker_row[index])
    }
#undef MEMBER
    return false;
}

/* One lane, or all of them: then they must agree. */
static bool access_lanes(uint32_t lanes[LANES], item *i, bool set, bool one, unsigned lane)
{
    if (one && lane >= LANES)
        return false;
    for (unsigned l = 0; set && l < LANES; l++)
        if (!one || l == lane)
            lanes[l] = i->value;
    i->value = lanes[one ? lane : 0];
    for (unsigned l = 0; !one && l < LANES; l++)
        if (lanes[l] != i->value)
            return false;
    return true;
}

static bool access_vector(struct vector_files *v, item *i, bool set)
{
    const unsigned a = i->index[0], b = i->index[1];
    const bool one = i->indices == 2;
    switch (i->kind) {
    case LREG: return a < LREGS && access_lanes(v->LReg[a], i, set, one, b);
    case TEMPLATE: return a < LOAD_MACROS && access_lanes(v->LoadMacroConfig.InstructionTemplate[a], i, set, one, b);
    case SEQUENCE: return a < LOAD_MACROS && access_lanes(v->LoadMacroConfig.Sequence[a], i, set, one, b);
    case LANE_CONFIG:
        if (!access_lanes(v->LaneConfig, i, set, i->indices == 1, a))
            return false;
        vector_lane_config_changed(v);
        return true;
    case MISC: return access_lanes(v->LoadMacroConfig.Misc, i, set, i->indices == 1, a);
    case PRNG: return access_lanes(v->prng, i, set, i->indices == 1, a);
    default: break;
    }
    if (i->kind == STACK) {
        if (set)
            memset(v->flag_stack_size, (int)i->value, LANES);
        i->value = v->flag_stack_size[0];
        return memcmp(v->flag_stack_size, v->flag_stack_size + 1, LANES - 1) == 0;
    }
    if ((i->kind == STACK_FLAGS || i->kind == STACK_USE) && a >= FLAG_STACK_DEPTH)
        return false;
    uint32_t *flags = i->kind == FLAGS         ? &v->LaneFlags
                      : i->kind == USE_FLAGS   ? &v->UseLaneFlagsForLaneEnable
                      : i->kind == STACK_FLAGS ? &v->FlagStack[a].LaneFlags
                                               : &v->FlagStack[a].UseLaneFlagsForLaneEnable;
    *flags = set ? i->value : *flags;
    i->value = *flags;
    return true;
}

/* One column of a row of 32-bit or 16-bit cells, or all of them: then they must agree. */
static bool access_cells(uint32_t *wide, uint16_t *narrow, item *i, bool set, bool one, unsigned column)
{
    if (one && column >= DST_COLUMNS)
        return false;
    for (unsigned c = 0; set && c < DST_COLUMNS; c++) {
        if (!one || c == column) {
            if (wide)
                wide[c] = i->value;
            else
                narrow[c] = (uint16_t)i->value;
        }
    }
    const unsigned first = one ? column : 0;
    i->value = wide ? wide[first] : narrow[first];
    for (unsigned c = 0; !one && c < DST_COLUMNS; c++)
        if ((wide ? wide[c] : narrow[c]) != i->value)
            return false;
    return true;
}

static unsigned undefined_rows(const struct tensix_files *files)
{
    unsigned count = 0;
    for (unsigned row = 0; row < DST_ROWS; row++)
        count += !dst_row_valid(files, row);
    return count;
}

/* Reads or writes the place; i->value is what is there, or what is to be. */
static bool access_place(struct tile *tile, item *i, bool set, unsigned thread, uint64_t cycle)
{
    struct tensix *tx = &tile->dev.tensix;
    const unsigned a = i->index[0], b = i->index[1];
    const unsigned bytes = i->kind == WORD ? 4 : i->kind == HALF ? 2 : 1;
#define SIMPLE(condition, field)                                                                                       \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return false;                                                                                              \
        if (set)                                                                                                       \
            (field) = (__typeof__(field))i->value;                                                                     \
        i->value = (field);                                                                                            \
        return true;                                                                                                   \
    } while (0)
    switch (i->kind) {
    case GPR: SIMPLE(a < TENSIX_THREADS && b < TENSIX_GPRS, tx->thread[a].gpr[b]);
    case CFG: SIMPLE(a < 2 && b < CFG_WORDS, tx->config[a][b]);
    case THD: SIMPLE(a < TENSIX_THREADS && b < THD_STATE_SIZE, tx->thread[a].config[b]);
    case MOP: SIMPLE(a < TENSIX_THREADS && b < MOP_CFG_WORDS, tx->thread[a].mop_cfg[b]);
    case SEM: SIMPLE(a < SEMAPHORES, tx->semaphore[a].value);
    case MAX: SIMPLE(a < SEMAPHORES, tx->semaphore[a].max);
    case MUTEX: SIMPLE(a < MUTEXES, tx->mutex[a]);
    case ADC:
        return a < TENSIX_THREADS && b < ADC_SETS && i->index[2] < 2 &&
               access_adc(&tx->thread[a].adc[b][i->index[2]], i, set);
    case RWC: return a < TENSIX_THREADS && access_rwc(&tx->thread[a].rwc, i, set);
    case SRC: return a < 2 && access_src(&tx->src[a], i, set);
    case CTX: SIMPLE(a < TENSIX_THREADS && b < 2, tx->context_counter[b][a]);
    case SRCA:
    case SRCB: {
        uint32_t(*bank)[SRC_COLUMNS] = i->kind == SRCA ? tile->files.SrcA[a & 1] : tile->files.SrcB[a & 1];
        return a < SRC_BANKS && b < SRC_ROWS && access_cells(bank[b], NULL, i, set, i->indices == 3, i->index[2]);
    }
    case DST: return a < DST_ROWS && access_cells(NULL, tile->files.DstBits[a], i, set, i->indices == 2, b);
    case VALID:
        if (set && a < DST_ROWS)
            dst_set_row_valid(&tile->files, a, i->value);
        i->value = a < DST_ROWS && dst_row_valid(&tile->files, a);
        return a < DST_ROWS;
    case UNDEFINED: i->value = undefined_rows(&tile->files); return !set;
    case LREG:
    case LANE_CONFIG:
    case TEMPLATE:
    case SEQUENCE:
    case MISC:
    case FLAGS:
    case USE_FLAGS:
    case PRNG:
    case STACK:
    case STACK_FLAGS:
    case STACK_USE: return access_vector(&tile->files.vector, i, set);
    case PACKER: return access_packer(&tx->packer, i, set, thread);
    case MOVER: i->value = mover_is_busy(tx, cycle); return !set;
    case REG:
        if (set)
            return devices_write(tile, B, a, 4, i->value, cycle) == DEV_OK;
        return devices_peek(tile, B, a, &i->value, cycle);
    default:
        if (a > DEVICES_L1_BYTES - bytes)
            return false;
        if (set)
            memcpy(tile->l1 + a, &i->value, bytes);
        i->value = 0;
        memcpy(&i->value, tile->l1 + a, bytes);
        return true;
    }
#undef SIMPLE
}

/* ---- One case ----------------------------------------------------------------------------------------------- */

static unsigned problems;

__attribute__((format(printf, 1, 2))) static void problem(const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    printf("# ");
    vprintf(text, arguments);
    printf("\n");
    va_end(arguments);
    problems++;
}

static void set_all(struct tile *tile, const test_case *c, const item *items, unsigned count, long cycle,
                    uint64_t absolute)
{
    for (unsigned i = 0; i < count; i++) {
        item copy = items[i];
        if (copy.cycle == cycle && !access_place(tile, &copy, true, c->thread, absolute))
            problem("%s cannot be written", copy.text);
    }
}

static void check_all(struct tile *tile, const test_case *c, const item *items, unsigned count, long cycle,
                      uint64_t absolute)
{
    for (unsigned i = 0; i < count; i++) {
        item copy = items[i];
        if (copy.cycle != cycle)
            continue;
        tensix_settle(&tile->lent, &tile->dev.tensix, absolute);
        if (!access_place(tile, &copy, false, c->thread, absolute))
            problem("%s cannot be read, or its lanes differ", copy.text);
        else if (copy.value != items[i].value)
            problem("cycle %ld: %s is 0x%x, not 0x%x", cycle, copy.text, copy.value, items[i].value);
    }
}

static unsigned issued(const struct tensix *tx, unsigned thread)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < TENSIX_UNITS; i++)
        sum += tx->issued[thread][i];
    return sum;
}

static void note_passes(const struct tensix *tx, test_case *c, uint64_t cycle)
{
    for (unsigned thread = 0; thread < TENSIX_THREADS; thread++) {
        unsigned left = issued(tx, thread);
        for (unsigned i = 0; i < c->exec_count && left != 0; i++)
            if (c->exec_thread[i] == thread && left-- != 0 && c->passed[i] == NOT_YET)
                c->passed[i] = (long)cycle;
    }
}

static long last_of(const item *items, unsigned count)
{
    long last = 0;
    for (unsigned i = 0; i < count; i++)
        last = items[i].cycle > last ? items[i].cycle : last;
    return last;
}

static void push(struct tile *tile, const test_case *c, unsigned next[TENSIX_THREADS], uint64_t cycle)
{
    for (unsigned thread = 0; thread < TENSIX_THREADS; thread++) {
        while (next[thread] < c->exec_count && c->exec_thread[next[thread]] != thread)
            next[thread]++;
        if (next[thread] < c->exec_count &&
            tensix_push(&tile->dev.tensix, thread, c->exec[next[thread]], 4 * next[thread], cycle))
            next[thread]++;
    }
}

static void run(struct tile *tile, test_case *c)
{
    struct tensix *tx = &tile->dev.tensix;
    unsigned next[TENSIX_THREADS] = {0};
    const long last = last_of(c->at, c->at_count) > last_of(c->write, c->write_count)
                          ? last_of(c->at, c->at_count)
                          : last_of(c->write, c->write_count);
    for (unsigned i = 0; i < c->exec_count; i++)
        c->passed[i] = NOT_YET;
    uint64_t cycle = FIRST_CYCLE;
    for (; cycle < FIRST_CYCLE + MOST_CYCLES; cycle++) {
        const bool started = c->exec_count != 0 && c->passed[0] != NOT_YET;
        const long relative = started ? (long)cycle - c->passed[0] : NOT_YET;
        if (started) {
            set_all(tile, c, c->write, c->write_count, relative, cycle);
            check_all(tile, c, c->at, c->at_count, relative, cycle);
        }
        push(tile, c, next, cycle);
        while (tensix_next(tx) <= cycle)
            tensix_run(&tile->lent, tx, cycle + 1);
        note_passes(tx, c, cycle);
        const bool pushed = next[0] + next[1] + next[2] == 3 * c->exec_count;
        if (pushed && tensix_next(tx) == UINT64_MAX && (tile->faults != 0 || (started && relative > last)))
            break;
    }
    check_all(tile, c, c->post, c->post_count, 0, cycle + 1);
    for (unsigned i = 0; i < c->passes_count && i < c->exec_count; i++) {
        const long passed = c->passed[i] == NOT_YET ? NOT_YET : c->passed[i] - c->passed[0];
        if (passed != c->passes[i])
            problem("line %u of exec passes in %ld, not in %ld", i + 1, passed, c->passes[i]);
    }
}

static const char *const kinds[] = {[KERR_FAULT_UNDEFINED] = "UNDEFINED",
                                    [KERR_FAULT_UNPREDICTABLE] = "UNPREDICTABLE",
                                    [KERR_FAULT_UNIMPLEMENTED] = "UNIMPLEMENTED",
                                    [KERR_FAULT_UNKNOWN] = "UNKNOWN",
                                    [KERR_FAULT_HAZARD] = "HAZARD",
                                    [KERR_FAULT_DEADLOCK] = "DEADLOCK",
                                    [KERR_FAULT_TIMEOUT] = "TIMEOUT",
                                    [KERR_FAULT_INTERNAL] = "INTERNAL"};

static void finish(test_case *c)
{
    if (c->name[0] == 0)
        return;
    void *state;
    if (fake_setup(&state) != 0)
        refuse("no memory", c->name);
    struct tile *tile = state;
    problems = 0;
    set_all(tile, c, c->pre, c->pre_count, 0, FIRST_CYCLE - 1);
    macro_config_changed(&tile->files.vector);
    run(tile, c);
    if (!c->has_fault && tile->faults != 0)
        problem("a fault of kind %s: %s", kinds[tile->fault_kind], tile->fault_text);
    if (c->has_fault && tile->faults != 1)
        problem("%u faults, not one", tile->faults);
    else if (c->has_fault && (tile->fault_kind != c->fault_kind || !strstr(tile->fault_text, c->says)))
        problem("a fault of kind %s: %s", kinds[tile->fault_kind], tile->fault_text);
    const char *file = strrchr(where, '/') ? strrchr(where, '/') + 1 : where;
    printf("%sok %u - %s: %s\n", problems ? "not " : "", ++number, file, c->name);
    failures += problems != 0;
    fake_teardown(&state);
    c->name[0] = 0;
}

/* ---- Files -------------------------------------------------------------------------------------------------- */

static void read_items(const char *text, unsigned thread, long cycle, item *items, unsigned *count)
{
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (*text == 0 || *text == '#')
            return;
        if (*count == MAX_ITEMS)
            refuse("too many", text);
        item *i = &items[*count];
        text = read_place(text, thread, i);
        i->cycle = cycle;
        if (*text != '=')
            refuse("'=' is missing", text);
        char *end;
        i->value = (uint32_t)strtoul(text + 1, &end, 0);
        if (end == text + 1)
            refuse("no number", text);
        text = end;
        ++*count;
    }
}

static void read_exec(test_case *c, const char *text)
{
    unsigned thread = c->thread;
    if (text[0] == 'T' && isdigit((unsigned char)text[1]) && text[2] == ' ') {
        thread = (unsigned)(text[1] - '0');
        text += 3;
    }
    tensix_text_error error;
    if (c->exec_count == MAX_EXEC || thread >= TENSIX_THREADS)
        refuse("too many exec lines, or no such thread", text);
    if (!tensix_assemble(text, &c->exec[c->exec_count], &error))
        refuse(error.text, text);
    c->exec_thread[c->exec_count++] = thread;
}

static void read_passes(test_case *c, const char *text)
{
    while (*text != 0 && c->passes_count < MAX_EXEC) {
        char *end = (char *)(uintptr_t)text;
        if (*text == '-') {
            c->passes[c->passes_count++] = NOT_YET;
            end++;
        } else {
            c->passes[c->passes_count++] = strtol(text, &end, 0);
            if (end == text)
                refuse("no number", text);
        }
        while (isspace((unsigned char)*end))
            end++;
        text = end;
    }
}

static void read_fault(test_case *c, const char *text)
{
    c->has_fault = true;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i]);
        if (strncmp(text, kinds[i], length) == 0 && (text[length] == 0 || text[length] == ' ')) {
            c->fault_kind = (kerr_fault_kind)i;
            const char *says = strstr(text, "says=");
            snprintf(c->says, sizeof c->says, "%s", says ? says + 5 : "");
            return;
        }
    }
    refuse("no such kind", text);
}

static void read_line(test_case *c, char *line, unsigned *thread)
{
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strlen(line);
    while (length != 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = 0;
    if (*line == 0 || *line == '#')
        return;
    char *rest = line + strcspn(line, " ");
    while (*rest == ' ')
        *rest++ = 0;
    if (strcmp(line, "thread") == 0) {
        finish(c);
        *thread = (unsigned)strtoul(rest, NULL, 0) % TENSIX_THREADS;
    } else if (strcmp(line, "case") == 0) {
        finish(c);
        *c = base;
        c->thread = *thread;
        snprintf(c->name, sizeof c->name, "%s", rest);
    } else if (strcmp(line, "base") == 0 || strcmp(line, "also") == 0) {
        finish(c);
        base.pre_count = line[0] == 'b' ? 0 : base.pre_count;
        read_items(rest, *thread, 0, base.pre, &base.pre_count);
    } else if (c->name[0] == 0) {
        refuse("no case is open", line);
    } else if (strcmp(line, "pre") == 0) {
        read_items(rest, c->thread, 0, c->pre, &c->pre_count);
    } else if (strcmp(line, "post") == 0) {
        read_items(rest, c->thread, 0, c->post, &c->post_count);
    } else if (strcmp(line, "exec") == 0) {
        read_exec(c, rest);
    } else if (strcmp(line, "write") == 0 || strcmp(line, "at") == 0) {
        char *end;
        const long cycle = strtol(rest, &end, 0);
        if (line[0] == 'w')
            read_items(end, c->thread, cycle, c->write, &c->write_count);
        else
            read_items(end, c->thread, cycle, c->at, &c->at_count);
    } else if (strcmp(line, "passes") == 0) {
        read_passes(c, rest);
    } else if (strcmp(line, "fault") == 0) {
        read_fault(c, rest);
    } else {
        refuse("no such line", line);
    }
}

int main(int argc, char **argv)
{
    static test_case c;
    for (int i = 1; i < argc; i++) {
        where = argv[i];
        line_number = 0;
        base.pre_count = 0;
        unsigned thread = 0;
        FILE *file = fopen(where, "r");
        if (!file)
            refuse("cannot be read", where);
        char line[MAX_LINE];
        while (fgets(line, sizeof line, file)) {
            line_number++;
            read_line(&c, line, &thread);
        }
        finish(&c);
        fclose(file);
    }
    printf("1..%u\n", number);
    return failures != 0;
}
