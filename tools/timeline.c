/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core_gaps.h"

enum { THREADS = 3, MAILBOX_CORES = 4, SEMAPHORES = 8, NOCS = 2, LANES = 3, NAME_MAX_BYTES = 192, FUNCTIONS = 64 };
enum { STAGE_FIFO, STAGE_MOP, STAGE_REPLAY, STAGE_GATE, STAGES };
enum { WAITING_PUSHES = 64 };

typedef struct core_line {
    uint64_t track;  /* 0: none yet */
    uint64_t latest; /* cycle of what was written last: nothing comes before it */
    const char *doing;
    bool waits; /* a second slice is open, below that of `doing` */
    uint32_t wait_address;
    kerr_core_state state;
    core_gaps gaps;
    struct {
        uint32_t pc;
        const char *name; /* NULL: not looked up, or nothing known */
        bool known;
    } function[FUNCTIONS];
} core_line;

typedef struct stage_line {
    uint64_t track;
    uint64_t latest;
    bool is_open;
    uint32_t word;
    uint8_t reason;
    uint32_t detail;
    uint32_t semaphores; /* wait gate: waited for since the last instruction went */
    uint64_t begin;
} stage_line;

/* Words that were pushed and of which more may come, oldest first. */
typedef struct push_queue {
    uint32_t head, count;
    struct {
        uint32_t word, pc;
        uint64_t flow; /* 0: its arrow has come to a unit */
    } entry[WAITING_PUSHES];
} push_queue;

typedef struct unit_line {
    uint64_t track[LANES], latest[LANES]; /* more than one if threads use it at once; the UI shows them as one */
    bool is_open[LANES];
    uint8_t thread[LANES]; /* whose instruction is open */
} unit_line;

struct tile_line {
    kerr_xy at;
    kerr_tile_kind kind;
    uint64_t process;
    core_line core[KERR_CORE_COUNT];
    stage_line stage[THREADS][STAGES];
    unit_line unit[KERR_UNIT_COUNT];
    push_queue pushes[THREADS], pushes_of_b[THREADS];
    uint64_t noc[NOCS];
    /* Arrows that have begun: words in mailboxes and PCBufs, posts of semaphores. */
    uint64_t mailbox_flow[MAILBOX_CORES][MAILBOX_CORES], pcbuf_flow[THREADS], semaphore_flow[SEMAPHORES];
};

/* ---- Tracks --------------------------------------------------------------------------------------------------- */

bool timeline_begin(timeline *line, FILE *file, timeline_function_fn function, void *context, bool functions_stay)
{
    *line = (timeline){.function = function, .context = context, .functions_stay = functions_stay};
    return perfetto_begin(&line->out, file);
}

static tile_line *tile_of(timeline *line, kerr_xy at)
{
    tile_line **place = &line->tiles[at.y][at.x];
    if (*place == NULL) {
        *place = calloc(1, sizeof **place);
        if (*place == NULL) {
            line->out_of_memory = true;
            return NULL;
        }
        char name[32];
        (void)snprintf(name, sizeof name, "tile (%u,%u)", at.x, at.y);
        (*place)->at = at;
        (*place)->kind = kerr_tile_kind_at(at);
        (*place)->process = perfetto_process(&line->out, name, 10000u + at.x * 100u + at.y);
    }
    return *place;
}

/* The UI orders tracks of a process by name where it does not heed the rank: these names come out the same both ways. */
static uint64_t track_of(timeline *line, const tile_line *tile, uint64_t *track, unsigned rank, const char *name)
{
    if (*track == 0) {
        *track = perfetto_track(&line->out, tile->process, name, rank);
    }
    return *track;
}

static void core_track(timeline *line, const tile_line *tile, unsigned core, core_line *c)
{
    if (c->track == 0) {
        char name[32];
        (void)snprintf(name, sizeof name, "RISCV %s", kerr_core_name_of(tile->kind, (kerr_core)core));
        track_of(line, tile, &c->track, 10 + core, name);
    }
}

static void stage_track(timeline *line, const tile_line *tile, unsigned thread, unsigned stage, stage_line *s)
{
    static const char *const names[STAGES] = {"FIFO", "MOP expander", "replay expander", "wait gate"};
    if (s->track == 0) {
        char name[48];
        (void)snprintf(name, sizeof name, "Tensix T%u %s", thread, names[stage]);
        track_of(line, tile, &s->track, 20 + thread * STAGES + stage, name);
    }
}

static uint64_t unit_track(timeline *line, const tile_line *tile, unsigned unit, uint64_t *track)
{
    char name[64];
    (void)snprintf(name, sizeof name, "Tensix: %s", kerr_tensix_unit_name((kerr_tensix_unit)unit));
    return track_of(line, tile, track, 40 + unit, name);
}

static uint64_t no_earlier(uint64_t *latest, uint64_t cycle)
{
    *latest = cycle > *latest ? cycle : *latest;
    return *latest;
}

/* ---- Baby cores ------------------------------------------------------------------------------------------------ */

static void end_wait(timeline *line, core_line *c, uint64_t cycle)
{
    if (c->waits) {
        c->gaps.wait_end = no_earlier(&c->latest, cycle);
        perfetto_slice_end(&line->out, c->track, c->gaps.wait_end);
        c->waits = false;
    }
}

static void begin_wait(timeline *line, core_line *c, const char *name, uint32_t address, uint64_t cycle)
{
    perfetto_slice_begin(&line->out, &(perfetto_event){.track = c->track,
                                                       .cycle = no_earlier(&c->latest, cycle),
                                                       .name = name,
                                                       .detail = {{.name = "address", .number = address}}});
    c->waits = true;
    c->wait_address = address;
}

static void end_doing(timeline *line, core_line *c, uint64_t cycle)
{
    end_wait(line, c, cycle);
    if (c->doing != NULL) {
        perfetto_slice_end(&line->out, c->track, no_earlier(&c->latest, cycle));
        c->doing = NULL;
    }
}

static void begin_doing(timeline *line, core_line *c, const char *name, uint32_t pc, uint64_t cycle)
{
    end_doing(line, c, cycle);
    perfetto_slice_begin(&line->out, &(perfetto_event){.track = c->track,
                                                       .cycle = no_earlier(&c->latest, cycle),
                                                       .name = name,
                                                       .detail = {{.name = "pc", .number = pc}}});
    c->doing = name;
}

static bool is_mailbox(const tile_line *tile, unsigned core, uint32_t address)
{
    return tile->kind == KERR_TILE_TENSIX && core < MAILBOX_CORES && (address & 0xFFFFCFFFu) == 0xFFEC0000u;
}

/* The thread whose PCBuf this is; THREADS: it is none. */
static unsigned pcbuf_of(const tile_line *tile, unsigned core, uint32_t address)
{
    const unsigned region = address >> 16;
    if (tile->kind != KERR_TILE_TENSIX || core > KERR_CORE_T2 || region < 0xFFE8 || region > 0xFFEA) {
        return THREADS;
    }
    if (core == KERR_CORE_B) {
        return region - 0xFFE8;
    }
    return address == 0xFFE80000u ? core - KERR_CORE_T0 : THREADS;
}

/* The arrow that ends where core c no longer waits for this address; NULL: none can. */
static uint64_t *arrow_to(tile_line *tile, unsigned core, uint32_t address)
{
    if (is_mailbox(tile, core, address)) {
        return &tile->mailbox_flow[address >> 12 & 3][core];
    }
    const unsigned thread = pcbuf_of(tile, core, address);
    return core != KERR_CORE_B && thread < THREADS ? &tile->pcbuf_flow[thread] : NULL;
}

/* The arrow that begins with a store of core c to this address. */
static uint64_t *arrow_from(tile_line *tile, unsigned core, uint32_t address)
{
    if (is_mailbox(tile, core, address)) {
        return &tile->mailbox_flow[core][address >> 12 & 3];
    }
    const unsigned thread = pcbuf_of(tile, core, address);
    return core == KERR_CORE_B && thread < THREADS ? &tile->pcbuf_flow[thread] : NULL;
}

/* A store that somebody may wait for: an instant where an arrow begins. */
static void note_store(timeline *line, tile_line *tile, unsigned core, core_line *c, const kerr_trace_event *event)
{
    char name[NAME_MAX_BYTES];
    uint64_t *flow = arrow_from(tile, core, event->address);
    if (flow != NULL) {
        *flow = perfetto_new_flow(&line->out);
        core_gaps_place(tile->kind, core, event->address, true, name, sizeof name);
        perfetto_instant(&line->out, &(perfetto_event){.track = c->track,
                                                       .cycle = no_earlier(&c->latest, event->cycle),
                                                       .name = name,
                                                       .flow = *flow,
                                                       .detail = {{.name = "pc", .number = event->pc}}});
        return;
    }
    if ((event->address & 0xFFFE0000u) == 0xFFB20000u) {
        (void)kerr_address_format(tile->kind, (kerr_core)core, event->address, true, name, sizeof name);
        if (strncmp(name, "NOC_CMD_CTRL", 12) == 0) {
            const unsigned noc = event->address >> 16 & 1;
            char track[16], what[48];
            (void)snprintf(track, sizeof track, "NoC %u", noc);
            (void)snprintf(what, sizeof what, "request of %s", kerr_core_name_of(tile->kind, (kerr_core)core));
            perfetto_instant(&line->out, &(perfetto_event){.track = track_of(line, tile, &tile->noc[noc], noc, track),
                                                           .cycle = event->cycle,
                                                           .name = what,
                                                           .detail = {{.name = "pc", .number = event->pc}}});
        }
    }
}

static const char *ask_function(const timeline *line, const tile_line *tile, unsigned core, uint32_t pc)
{
    return line->function != NULL ? line->function(line->context, tile->at, core, pc) : NULL;
}

static const char *function_at(timeline *line, const tile_line *tile, unsigned core, core_line *c, uint32_t pc)
{
    const unsigned i = pc >> 2 & (FUNCTIONS - 1);
    if (!line->functions_stay) {
        const char *name = ask_function(line, tile, core, pc);
        return name != NULL ? name : "code without symbols";
    }
    if (!c->function[i].known || c->function[i].pc != pc) {
        c->function[i].pc = pc;
        c->function[i].known = true;
        c->function[i].name = ask_function(line, tile, core, pc);
    }
    return c->function[i].name != NULL ? c->function[i].name : "code without symbols";
}

static void core_issues(timeline *line, tile_line *tile, unsigned core, core_line *c, const kerr_trace_event *event)
{
    core_gap gap;
    end_wait(line, c, event->cycle);
    if (core_gaps_issue(&c->gaps, tile->kind, core, event, &gap)) {
        begin_wait(line, c, gap.text, gap.address, gap.since);
        end_wait(line, c, event->cycle);
    }
    const char *function = function_at(line, tile, core, c, event->pc);
    if (c->doing != function) {
        begin_doing(line, c, function, event->pc, event->cycle);
    }
    if (event->is_store) {
        note_store(line, tile, core, c, event);
    }
    c->state = KERR_CORE_RUNNING;
}

/* ---- States of a core -------------------------------------------------------------------------------------------- */

static void core_waits(timeline *line, const tile_line *tile, unsigned core, core_line *c,
                       const kerr_trace_event *event)
{
    char name[NAME_MAX_BYTES], place[NAME_MAX_BYTES];
    (void)kerr_address_format(tile->kind, (kerr_core)core, event->address, event->is_store, place, sizeof place);
    (void)snprintf(name, sizeof name, event->is_store ? "waits, full: %.150s" : "waits for %.150s", place);
    begin_wait(line, c, name, event->address, event->cycle);
}

static void core_parks(timeline *line, const tile_line *tile, unsigned core, core_line *c,
                       const kerr_trace_event *event)
{
    char name[NAME_MAX_BYTES] = "loops, waits for nothing or for time", place[NAME_MAX_BYTES];
    uint32_t address = event->address;
    if (address != 0) {
        /* Of a line that the L0 data cache holds the library knows no more than the line. */
        address = (c->gaps.load_address ^ address) < 16 ? c->gaps.load_address : address;
        (void)kerr_address_format(tile->kind, (kerr_core)core, address, false, place, sizeof place);
        (void)snprintf(name, sizeof name, "polls %.150s", place);
    }
    begin_wait(line, c, name, address, event->cycle);
}

static void core_goes_on(timeline *line, tile_line *tile, unsigned core, core_line *c, const kerr_trace_event *event)
{
    if (!c->waits) {
        return;
    }
    uint64_t *flow = c->state == KERR_CORE_WAITING ? arrow_to(tile, core, c->wait_address) : NULL;
    end_wait(line, c, event->cycle);
    if (flow != NULL && *flow != 0) {
        char name[NAME_MAX_BYTES], place[NAME_MAX_BYTES];
        core_gaps_place(tile->kind, core, c->wait_address, false, place, sizeof place);
        (void)snprintf(name, sizeof name, "answer: %.150s", place);
        perfetto_instant(&line->out,
                         &(perfetto_event){.track = c->track, .cycle = c->latest, .name = name, .arrives = {*flow}});
        *flow = 0;
    }
}

static void core_changes(timeline *line, tile_line *tile, unsigned core, core_line *c, const kerr_trace_event *event)
{
    switch (event->state) {
    case KERR_CORE_RUNNING:
        core_goes_on(line, tile, core, c, event);
        if (c->state == KERR_CORE_IN_RESET || c->state == KERR_CORE_HALTED || c->state == KERR_CORE_STOPPED) {
            end_doing(line, c, event->cycle);
            c->gaps.has_issued = false;
        }
        break;
    case KERR_CORE_WAITING:
        end_wait(line, c, event->cycle);
        core_waits(line, tile, core, c, event);
        break;
    case KERR_CORE_PARKED:
        end_wait(line, c, event->cycle);
        core_parks(line, tile, core, c, event);
        break;
    case KERR_CORE_IN_RESET: begin_doing(line, c, "in reset", event->pc, event->cycle); break;
    case KERR_CORE_HALTED: begin_doing(line, c, "halted", event->pc, event->cycle); break;
    case KERR_CORE_STOPPED: begin_doing(line, c, "stopped by a fault", event->pc, event->cycle); break;
    }
    c->state = event->state;
}

/* ---- The coprocessor --------------------------------------------------------------------------------------------- */

enum { OPCODE_MOP = 0x01, OPCODE_REPLAY = 0x04, OPCODE_SEMPOST = 0xA4 };

/* All of it, and its first word for the name of a slice. */
static void name_instruction(uint32_t word, char text[NAME_MAX_BYTES], char name[NAME_MAX_BYTES])
{
    (void)kerr_disassemble_tensix(word, text, NAME_MAX_BYTES);
    (void)snprintf(name, NAME_MAX_BYTES, "%.*s", (int)strcspn(text, " "), text);
}

/* Each with its name: "C0 this, C3 that". */
static void list_conditions(uint32_t mask, const char *const *names, unsigned count, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < count && length < size; i++) {
        if ((mask >> i & 1) != 0) {
            const int more = snprintf(text + length, size - length, "%sC%u %s", length > 0 ? ", " : "", i, names[i]);
            length += more > 0 ? (size_t)more : 0;
        }
    }
}

/* " 1 is" or "s 1, 3 are". */
static void list_semaphores(uint32_t mask, char *text, size_t size)
{
    const bool several = (mask & (mask - 1)) != 0;
    size_t length = (size_t)snprintf(text, size, several ? "s" : "");
    const char *between = " ";
    for (unsigned i = 0; i < SEMAPHORES && length < size; i++) {
        if ((mask >> i & 1) != 0) {
            const int more = snprintf(text + length, size - length, "%s%u", between, i);
            length += more > 0 ? (size_t)more : 0;
            between = ", ";
        }
    }
    if (length < size) {
        (void)snprintf(text + length, size - length, several ? " are" : " is");
    }
}

/* What was waited for, in words. */
void timeline_reason(const kerr_trace_tensix *t, char *text, size_t size)
{
    /* Of the conditions of STALLWAIT, what must be over or there (manual STALLWAIT "Condition mask"). */
    static const char *const conditions[] = {
        "memory requests of the Scalar Unit (ThCon)",
        "Unpacker 0",
        "Unpacker 1",
        "Packer",
        "Matrix Unit (FPU)",
        "SrcA free for Unpacker 0",
        "SrcB free for Unpacker 1",
        "SrcA filled for the Matrix Unit (FPU)",
        "SrcB filled for the Matrix Unit (FPU)",
        "Mover",
        "accesses of RISCV T to GPRs, configuration, TDMA-RISC",
        "Vector Unit (SFPU)",
        "Configuration Unit",
    };
    char list[128], by[24] = "";
    if (t->by >= 0) {
        (void)snprintf(by, sizeof by, " (T%d)", t->by);
    }
    switch ((kerr_tensix_reason)t->reason) {
    case KERR_WAIT_STALLWAIT:
        list_conditions(t->detail, conditions, sizeof conditions / sizeof *conditions, list, sizeof list);
        (void)snprintf(text, size, "STALLWAIT: %s", t->detail != 0 ? list : "met, lets go");
        return;
    case KERR_WAIT_SEM_ZERO:
        list_semaphores(t->detail, list, sizeof list);
        (void)snprintf(text, size, t->detail != 0 ? "SEMWAIT: semaphore%s zero" : "SEMWAIT: met, lets go", list);
        return;
    case KERR_WAIT_SEM_MAX:
        list_semaphores(t->detail, list, sizeof list);
        (void)snprintf(text, size, "SEMWAIT: semaphore%s at maximum", list);
        return;
    case KERR_WAIT_STREAM: (void)snprintf(text, size, "STREAMWAIT: stream %" PRIu32, t->detail); return;
    case KERR_WAIT_MUTEX: (void)snprintf(text, size, "mutex %" PRIu32 "%s", t->detail, by); return;
    case KERR_WAIT_UNIT_BUSY:
        (void)snprintf(text, size, "%s busy%s", kerr_tensix_unit_name((kerr_tensix_unit)t->detail), by);
        return;
    case KERR_WAIT_UNIT_STALLS:
        (void)snprintf(text, size, "%s does not take it", kerr_tensix_unit_name((kerr_tensix_unit)t->detail));
        return;
    case KERR_WAIT_SRCA: (void)snprintf(text, size, "bank of SrcA"); return;
    case KERR_WAIT_SRCB: (void)snprintf(text, size, "bank of SrcB"); return;
    case KERR_WAIT_CORE: (void)snprintf(text, size, "Auto TTSync: an access of RISCV T%u", t->thread); return;
    case KERR_WAIT_MEMORY: (void)snprintf(text, size, "memory"); return;
    case KERR_WAIT_RESET: (void)snprintf(text, size, "unit in soft reset"); return;
    case KERR_WAIT_NONE:
    case KERR_WAIT_REASONS: break;
    }
    (void)snprintf(text, size, "waits");
}

static void close_stage(timeline *line, stage_line *s, uint64_t cycle)
{
    if (s->is_open) {
        perfetto_slice_end(&line->out, s->track, no_earlier(&s->latest, cycle));
        s->is_open = false;
    }
}

/* ---- Arrows from a push.  The front end keeps the order of pushes. */

static void push_word(push_queue *q, const kerr_trace_tensix *t, uint64_t flow)
{
    if (q->count == WAITING_PUSHES) { /* nothing has come of the oldest */
        q->head = (q->head + 1) % WAITING_PUSHES;
        q->count--;
    }
    const uint32_t i = (q->head + q->count++) % WAITING_PUSHES;
    q->entry[i].word = t->word;
    q->entry[i].pc = t->pc;
    q->entry[i].flow = flow;
}

/* Whether other instructions come of this one. */
static bool expands(uint32_t word)
{
    return word >> 24 == OPCODE_MOP || (word >> 24 == OPCODE_REPLAY && (word & 1) == 0);
}

/* The arrow of the push that an instruction at a unit came from, if it is the first that did; 0: it is not, or not known.
 * Older pushes that it does not fit have come to their end in the front end. */
static uint64_t take_push(push_queue *q, const kerr_trace_tensix *t)
{
    uint32_t skipped = 0, i = q->head;
    while (skipped < q->count &&
           (q->entry[i].pc != t->pc || (q->entry[i].word != t->word && !expands(q->entry[i].word)))) {
        i = (i + 1) % WAITING_PUSHES;
        skipped++;
    }
    if (skipped == q->count) {
        return 0;
    }
    const uint64_t flow = q->entry[i].flow;
    q->entry[i].flow = 0;
    skipped += t->last;
    q->head = (q->head + skipped) % WAITING_PUSHES;
    q->count -= skipped;
    return flow;
}

/* The arrow of the oldest push of this word; it goes on from here. */
static uint64_t pass_push(const push_queue *q, uint32_t word)
{
    for (uint32_t k = 0; k < q->count; k++) {
        const uint32_t i = (q->head + k) % WAITING_PUSHES;
        if (q->entry[i].word == word) {
            return q->entry[i].flow;
        }
    }
    return 0;
}

static void tensix_pushes(timeline *line, tile_line *tile, const kerr_trace_tensix *t)
{
    stage_line *s = &tile->stage[t->thread][STAGE_FIFO];
    char name[NAME_MAX_BYTES], push[NAME_MAX_BYTES], text[NAME_MAX_BYTES];
    const bool by_thread = t->by == KERR_CORE_T0 + (int)t->thread;
    stage_track(line, tile, t->thread, STAGE_FIFO, s);
    name_instruction(t->word, text, name);
    (void)snprintf(push, sizeof push, "push %.150s", name);
    const uint64_t flow = perfetto_new_flow(&line->out);
    push_word(by_thread ? &tile->pushes[t->thread] : &tile->pushes_of_b[t->thread], t, flow);
    const char *by = t->by < 0 ? "debug bus" : kerr_core_name((kerr_core)t->by);
    perfetto_instant(&line->out, &(perfetto_event){.track = s->track,
                                                   .cycle = no_earlier(&s->latest, t->begin),
                                                   .name = push,
                                                   .flow = flow,
                                                   .detail = {{.name = "instruction", .text = text},
                                                              {.name = "by", .text = by},
                                                              {.name = "pc", .number = t->pc}}});
}

static void tensix_expands(timeline *line, tile_line *tile, const kerr_trace_tensix *t, unsigned stage)
{
    stage_line *s = &tile->stage[t->thread][stage];
    stage_track(line, tile, t->thread, stage, s);
    if (s->is_open && s->begin == t->begin && s->word == t->word) {
        if (t->end != KERR_TENSIX_OPEN) {
            close_stage(line, s, t->end);
        }
        return;
    }
    close_stage(line, s, t->begin);
    char text[NAME_MAX_BYTES], name[NAME_MAX_BYTES];
    name_instruction(t->word, text, name);
    perfetto_slice_begin(&line->out, &(perfetto_event){.track = s->track,
                                                       .cycle = no_earlier(&s->latest, t->begin),
                                                       .name = name,
                                                       .flow = pass_push(&tile->pushes[t->thread], t->word),
                                                       .detail = {{.name = "instruction", .text = text}}});
    s->is_open = true;
    s->begin = t->begin;
    s->word = t->word;
    if (t->end != KERR_TENSIX_OPEN) {
        close_stage(line, s, t->end);
    }
}

static void tensix_stands(timeline *line, tile_line *tile, const kerr_trace_tensix *t)
{
    stage_line *s = &tile->stage[t->thread][STAGE_GATE];
    stage_track(line, tile, t->thread, STAGE_GATE, s);
    if (s->is_open && s->word == t->word && s->reason == t->reason && s->detail == t->detail) {
        return;
    }
    close_stage(line, s, t->begin);
    char text[NAME_MAX_BYTES], name[NAME_MAX_BYTES];
    name_instruction(t->word, text, name);
    timeline_reason(t, name, sizeof name);
    perfetto_slice_begin(&line->out, &(perfetto_event){.track = s->track,
                                                       .cycle = no_earlier(&s->latest, t->begin),
                                                       .name = name,
                                                       .detail = {{.name = "instruction", .text = text}}});
    s->is_open = true;
    s->word = t->word;
    s->reason = t->reason;
    s->detail = t->detail;
    if (t->reason == KERR_WAIT_SEM_ZERO) {
        s->semaphores |= t->detail;
    }
    if (t->end != KERR_TENSIX_OPEN) {
        close_stage(line, s, t->end);
    }
}

/* The arrow from the post of a semaphore that this thread has waited for. */
static uint64_t take_post(tile_line *tile, const stage_line *gate)
{
    for (unsigned i = 0; i < SEMAPHORES; i++) {
        const uint64_t flow = tile->semaphore_flow[i];
        if ((gate->semaphores >> i & 1) != 0 && flow != 0) {
            tile->semaphore_flow[i] = 0;
            return flow;
        }
    }
    return 0;
}

static void close_unit(timeline *line, unit_line *unit, unsigned lane, uint64_t cycle)
{
    if (unit->is_open[lane]) {
        perfetto_slice_end(&line->out, unit->track[lane], no_earlier(&unit->latest[lane], cycle));
        unit->is_open[lane] = false;
    }
}

static void tensix_issues(timeline *line, tile_line *tile, const kerr_trace_tensix *t)
{
    stage_line *gate = &tile->stage[t->thread][STAGE_GATE];
    unit_line *unit = &tile->unit[t->unit];
    uint64_t pushed = take_push(&tile->pushes[t->thread], t);
    const uint64_t posted = take_post(tile, gate);
    if (pushed == 0 && t->last) {
        pushed = take_push(&tile->pushes_of_b[t->thread], t);
    }
    uint64_t flow = 0;
    close_stage(line, gate, t->begin);
    gate->semaphores = 0;
    unsigned lane = 0;
    while (lane + 1 < LANES && (unit->latest[lane] > t->begin || unit->is_open[lane])) {
        lane++;
    }
    close_unit(line, unit, lane, t->begin); /* a soft reset has ended it, or there are too many */
    if (t->word >> 24 == OPCODE_SEMPOST) {
        flow = perfetto_new_flow(&line->out);
        for (unsigned i = 0; i < SEMAPHORES; i++) {
            if ((t->word >> 2 >> i & 1) != 0) {
                tile->semaphore_flow[i] = flow;
            }
        }
    }
    static const char *const threads[THREADS] = {"T0", "T1", "T2"};
    char text[NAME_MAX_BYTES], name[NAME_MAX_BYTES];
    name_instruction(t->word, text, name);
    const uint64_t track = unit_track(line, tile, t->unit, &unit->track[lane]);
    perfetto_slice_begin(&line->out, &(perfetto_event){.track = track,
                                                       .cycle = no_earlier(&unit->latest[lane], t->begin),
                                                       .name = name,
                                                       .flow = flow,
                                                       .arrives = {pushed, posted},
                                                       .detail = {{.name = "instruction", .text = text},
                                                                  {.name = "thread", .text = threads[t->thread]},
                                                                  {.name = "pc", .number = t->pc}}});
    unit->is_open[lane] = t->end == KERR_TENSIX_OPEN;
    unit->thread[lane] = t->thread;
    if (!unit->is_open[lane]) {
        perfetto_slice_end(&line->out, track, no_earlier(&unit->latest[lane], t->end));
    }
}

static void tensix_is_done(timeline *line, tile_line *tile, const kerr_trace_tensix *t)
{
    unit_line *unit = &tile->unit[t->unit];
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (unit->thread[lane] == t->thread) {
            close_unit(line, unit, lane, t->begin);
        }
    }
}

static void tensix_event(timeline *line, tile_line *tile, const kerr_trace_tensix *t)
{
    if (t == NULL || t->thread >= THREADS) {
        return;
    }
    switch ((kerr_tensix_event)t->event) {
    case KERR_TENSIX_PUSH: tensix_pushes(line, tile, t); break;
    case KERR_TENSIX_MOP: tensix_expands(line, tile, t, STAGE_MOP); break;
    case KERR_TENSIX_REPLAY: tensix_expands(line, tile, t, STAGE_REPLAY); break;
    case KERR_TENSIX_GATE: tensix_stands(line, tile, t); break;
    case KERR_TENSIX_ISSUE:
        if (t->unit < KERR_UNIT_COUNT) {
            tensix_issues(line, tile, t);
        }
        break;
    case KERR_TENSIX_DONE:
        if (t->unit < KERR_UNIT_COUNT) {
            tensix_is_done(line, tile, t);
        }
        break;
    case KERR_TENSIX_SUB_UNIT: break; /* for kerr show --macro */
    }
}

/* ---- Both ----------------------------------------------------------------------------------------------------------- */

void timeline_event(timeline *line, const kerr_trace_event *event)
{
    tile_line *tile = tile_of(line, event->at);
    if (tile == NULL) {
        return;
    }
    if (event->kind == KERR_TRACE_TENSIX) {
        tensix_event(line, tile, event->tensix);
        return;
    }
    const unsigned core = (unsigned)event->core;
    core_line *c = &tile->core[core];
    core_track(line, tile, core, c);
    if (event->kind == KERR_TRACE_INSTRUCTION) {
        core_issues(line, tile, core, c, event);
    } else {
        core_changes(line, tile, core, c, event);
    }
}

static void end_tile(timeline *line, tile_line *tile, uint64_t cycle)
{
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        end_doing(line, &tile->core[i], cycle);
    }
    for (unsigned i = 0; i < THREADS * STAGES; i++) {
        close_stage(line, &tile->stage[i / STAGES][i % STAGES], cycle);
    }
    for (unsigned i = 0; i < KERR_UNIT_COUNT * LANES; i++) {
        close_unit(line, &tile->unit[i / LANES], i % LANES, cycle);
    }
}

bool timeline_end(timeline *line, uint64_t cycle)
{
    for (unsigned i = 0; i < KERR_GRID_Y * KERR_GRID_X; i++) {
        tile_line *tile = line->tiles[i / KERR_GRID_X][i % KERR_GRID_X];
        if (tile != NULL) {
            end_tile(line, tile, cycle);
            free(tile);
        }
    }
    return perfetto_end(&line->out) && !line->out_of_memory;
}
