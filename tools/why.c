/* SPDX-License-Identifier: Apache-2.0 */
#include "why.h"

#include <inttypes.h>
#include <string.h>

#include "why_graph.h"

enum { KEY_ACTOR = 0, KEY_THING = 64, KEY_NEVER = 1 << 20, NC = KERR_WAITERS, TRANSACTION_IDS = 16 };
/* Addresses as docs/noc-registers.md and docs/overlay-registers.md have them. */
#define NIU_BASE(noc) (0xFFB20000u + 0x10000u * (noc))
#define NIU_MST_REQS_OUTSTANDING_ID 0x240u
#define STREAMS_BASE 0xFFB40000u
#define STREAMS_BYTES 0x40000u
/* What tt-metal keeps of circular buffer i in stream i (its stream_io_map.h). */
enum { TILES_ACKED = 8, TILES_RECEIVED = 10 };

typedef struct looker {
    const kerr_chip *chip;
    const place_source *places;
    why_graph *graph;
    kerr_waiter waiter[KERR_WAITERS];
    kerr_sync_info sync;
    uint32_t under_way;
} looker;

/* ---- Who --------------------------------------------------------------------------------------------------------- */

static bool is_thread(unsigned actor)
{
    return actor < KERR_WAITER_CORE;
}

static kerr_core core_of(unsigned actor)
{
    return actor == NC ? KERR_CORE_NC : (kerr_core)(actor - KERR_WAITER_CORE);
}

static void name_actor(unsigned actor, char *text, size_t size)
{
    if (is_thread(actor)) {
        (void)snprintf(text, size, "Tensix T%u", actor);
    } else {
        (void)snprintf(text, size, "RISCV %s", kerr_core_name(core_of(actor)));
    }
}

static void place_of(const looker *l, int core, uint32_t pc, char *text, size_t size)
{
    kerr_place place = {.line = 0};
    if (l->places != NULL && l->places->fn != NULL) {
        l->places->fn(l->places->context, l->graph->at, core, pc, &place);
    }
    place_format(&place, false, text, size);
    if (text[0] == '\0') {
        (void)snprintf(text, size, "pc 0x%05" PRIx32, pc);
    }
}

static void describe_thread(const looker *l, unsigned thread, why_node *n)
{
    kerr_thread_info info;
    char word[KERR_INSTRUCTION_TEXT_MAX], place[WHY_TEXT];
    if (kerr_thread_query(l->chip, l->graph->at, thread, &info) != KERR_OK || !info.waits) {
        (void)snprintf(n->state, sizeof n->state, "has no instruction");
        return;
    }
    (void)kerr_disassemble_tensix(info.word, word, sizeof word);
    place_of(l, info.pushed_by_b ? (int)KERR_CORE_B : (int)(KERR_CORE_T0 + thread), info.pc, place, sizeof place);
    (void)snprintf(n->state, sizeof n->state, "%s, pushed %s %s", word, strstr(place, "()") != NULL ? "in" : "at",
                   place);
}

static void describe_core(const looker *l, kerr_core core, kerr_wait_for what, why_node *n)
{
    static const char *const does[] = {
        [KERR_CORE_IN_RESET] = "is in reset", [KERR_CORE_RUNNING] = "runs",
        [KERR_CORE_PARKED] = "polls",         [KERR_CORE_WAITING] = "waits",
        [KERR_CORE_HALTED] = "is halted",     [KERR_CORE_STOPPED] = "was stopped by a fault"};
    kerr_core_info info;
    char place[WHY_TEXT];
    if (kerr_core_query(l->chip, l->graph->at, core, &info) != KERR_OK) {
        return;
    }
    const char *doing = what == KERR_FOR_ENDED && info.state != KERR_CORE_STOPPED ? "has ended"
                        : (unsigned)info.state < sizeof does / sizeof *does       ? does[info.state]
                                                                                  : "?";
    place_of(l, (int)core, info.pc, place, sizeof place);
    if (info.state == KERR_CORE_IN_RESET) {
        (void)snprintf(n->state, sizeof n->state, "%s", doing);
    } else {
        (void)snprintf(n->state, sizeof n->state, "%s %s %s", doing, strstr(place, "()") != NULL ? "in" : "at", place);
    }
}

static unsigned actor_node(looker *l, unsigned actor)
{
    char name[32];
    bool is_new;
    name_actor(actor, name, sizeof name);
    const unsigned n =
        why_add_node(l->graph, is_thread(actor) ? WHY_THREAD : WHY_CORE, KEY_ACTOR + actor, &is_new, "%s", name);
    if (is_new) {
        const kerr_wait_for what = actor < KERR_WAITERS ? (kerr_wait_for)l->waiter[actor].what : KERR_FOR_OUTSIDE;
        why_node *made = &l->graph->node[n];
        made->stuck = actor < KERR_WAITERS && l->waiter[actor].stuck;
        if (is_thread(actor)) {
            describe_thread(l, actor, made);
        } else {
            describe_core(l, core_of(actor), what, made);
        }
    }
    return n;
}

/* ---- What --------------------------------------------------------------------------------------------------------- */

typedef struct thing {
    char is[WHY_TEXT];    /* "semaphore 2 is 0 of 1" */
    char until[64];       /* what the waiter waits for */
    char event[WHY_TEXT]; /* what would end it */
    char by[64];          /* the same, short, for an edge */
} thing;

__attribute__((format(printf, 5, 6))) static void say(thing *t, const char *until, const char *by, const char *what,
                                                      const char *is, ...)
{
    va_list arguments;
    va_start(arguments, is);
    (void)vsnprintf(t->is, sizeof t->is, is, arguments);
    va_end(arguments);
    (void)snprintf(t->until, sizeof t->until, "%s", until);
    (void)snprintf(t->by, sizeof t->by, "%s", by);
    (void)snprintf(t->event, sizeof t->event, "%s", what);
}

static void say_semaphore(const looker *l, thing *t, unsigned i, const char *until, const char *by)
{
    char what[64];
    (void)snprintf(what, sizeof what, "a %s of semaphore %u", by, i);
    say(t, until, by, what, "semaphore %u is %u of %u", i, l->sync.semaphore[i & 7].value,
        l->sync.semaphore[i & 7].max);
}

static void say_mailbox(thing *t, unsigned from, unsigned to, bool room)
{
    char what[96];
    const char *a = kerr_core_name((kerr_core)from), *b = kerr_core_name((kerr_core)to);
    if (room) {
        (void)snprintf(what, sizeof what, "a load of a reader of RISCV %s's mailboxes", a);
        say(t, "waits for room", "load", what, "mailboxes of RISCV %s are full", a);
    } else {
        (void)snprintf(what, sizeof what, "a word of RISCV %s for RISCV %s's mailbox", a, b);
        say(t, "waits for a word", "store", what, "mailbox from RISCV %s to RISCV %s is empty", a, b);
    }
}

static void say_polled(const looker *l, thing *t, unsigned actor, uint32_t mask)
{
    const unsigned first = mask != 0 ? (unsigned)__builtin_ctz(mask) : 0;
    if (first < 8) {
        say_semaphore(l, t, first, "polls", "SEMPOST, SEMGET");
        (void)snprintf(t->event, sizeof t->event, "a SEMPOST, SEMGET or SEMINIT of semaphore %u", first);
    } else {
        say_mailbox(t, first - 8, (unsigned)core_of(actor), false);
    }
}

static void say_source(thing *t, uint32_t number)
{
    static const char *const is[] = {"SrcA is not the unpackers'", "SrcB is not the unpackers'",
                                     "SrcA is not the Matrix Unit's", "SrcB is not the Matrix Unit's",
                                     "SrcA or SrcB is not handed over"};
    const bool matrix = number >= 7;
    const unsigned i = number >= 5 && number <= 9 ? number - 5 : 4;
    say(t, matrix ? "waits to be given it" : "waits for it to be free",
        matrix ? "UNPACR, SETDVALID" : "CLEARDVALID, SETRWC",
        matrix ? "an UNPACR or SETDVALID that hands SrcA or SrcB over"
               : "a CLEARDVALID, SETRWC or the like that gives SrcA or SrcB back",
        "%s", is[i]);
}

/* What a waiter of kerr_waiters waits for. */
static void say_thing(const looker *l, thing *t, unsigned actor)
{
    const kerr_waiter *w = &l->waiter[actor];
    const unsigned n = w->number;
    char what[WHY_TEXT];
    switch ((kerr_wait_for)w->what) {
    case KERR_FOR_SEMAPHORE_POST: say_semaphore(l, t, n, "waits until it is above 0", "SEMPOST"); return;
    case KERR_FOR_SEMAPHORE_GET: say_semaphore(l, t, n, "waits until it is below its maximum", "SEMGET"); return;
    case KERR_FOR_SOURCE: say_source(t, n); return;
    case KERR_FOR_CORE_REQUEST:
        say(t, "waits for it", "answer", "the end of an access of its core", "an access of RISCV T%u is under way",
            actor);
        return;
    case KERR_FOR_MUTEX:
        (void)snprintf(what, sizeof what, "an ATRELM of mutex %u", n);
        say(t, "waits for it", "ATRELM", what, w->released_by == 0 ? "mutex %u does not exist" : "mutex %u is held", n);
        return;
    case KERR_FOR_FIFO:
        (void)snprintf(what, sizeof what, "room in the FIFO of Tensix T%u", n);
        say(t, "waits to push", "must take one", what, "FIFO of Tensix T%u is full", n);
        return;
    case KERR_FOR_DONE:
    case KERR_FOR_MOP:
    case KERR_FOR_AUTO_SYNC:
        (void)snprintf(what, sizeof what, "the end of what Tensix T%u has to do", n);
        say(t, "waits until it is done", "must get on", what, "%s of T%u",
            w->what == KERR_FOR_DONE  ? "CoprocessorDoneCheck"
            : w->what == KERR_FOR_MOP ? "MOPExpanderDoneCheck"
                                      : "Auto TTSync",
            n);
        return;
    case KERR_FOR_MAILBOX_WORD: say_mailbox(t, n, (unsigned)core_of(actor), false); return;
    case KERR_FOR_MAILBOX_ROOM: say_mailbox(t, (unsigned)core_of(actor), n, true); return;
    case KERR_FOR_PCBUF_WORD:
        say(t, "waits for a word", "store", "a word of RISCV B for a PCBuf", "PCBuf of its is empty");
        return;
    case KERR_FOR_PCBUF_ROOM:
        (void)snprintf(what, sizeof what, "a load of RISCV T%u from its PCBuf", n);
        say(t, "waits for room", "load", what, "PCBuf %u is full", n);
        return;
    case KERR_FOR_PCBUF_DONE:
        (void)snprintf(what, sizeof what, "the end of what RISCV T%u and Tensix T%u have to do", n, n);
        say(t, "waits until they are done", "must get on", what, "PCBuf %u: T%u is not done", n, n);
        return;
    case KERR_FOR_POLLED: say_polled(l, t, actor, n); return;
    default: say(t, "waits", "", "something", "something"); return;
    }
}

static void list_candidates(looker *l, unsigned actor, char *text, size_t size)
{
    const kerr_waiter *w = &l->waiter[actor];
    size_t used = 0;
    for (unsigned i = 0; i < KERR_WAITERS; i++) {
        if ((w->released_by >> i & 1) == 0) {
            continue;
        }
        const why_node *n = &l->graph->node[actor_node(l, i) % WHY_NODES];
        const bool waits = l->waiter[i].what >= KERR_FOR_SEMAPHORE_POST;
        const bool back = waits && (l->waiter[i].released_by >> actor & 1) != 0;
        const int k = snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "", n->text,
                               back                                    ? "waits for it in turn"
                               : waits                                 ? "waits itself"
                               : l->waiter[i].what == KERR_FOR_ENDED   ? "has ended"
                               : l->waiter[i].what == KERR_FOR_WORK    ? "has no instruction"
                               : l->waiter[i].what == KERR_FOR_OUTSIDE ? n->state
                                                                       : "could");
        used += k > 0 && (size_t)k < size - used ? (size_t)k : 0;
    }
}

/* Whether it waits for exactly one other, who waits himself, and not for this one alone. */
static bool passes_on(const looker *l, unsigned actor)
{
    const unsigned by = l->waiter[actor].released_by;
    if (__builtin_popcount(by) != 1) {
        return false;
    }
    const kerr_waiter *other = &l->waiter[__builtin_ctz(by)];
    return other->what >= KERR_FOR_SEMAPHORE_POST && other->released_by != 1u << actor;
}

static void add_waiter(looker *l, unsigned actor)
{
    const kerr_waiter *w = &l->waiter[actor];
    char list[WHY_EVENT - 2 * WHY_TEXT] = "";
    thing t;
    bool is_new;
    say_thing(l, &t, actor);
    const unsigned from = actor_node(l, actor);
    const unsigned to =
        why_add_node(l->graph, WHY_THING, KEY_THING + w->what * 512u + (w->number & 511), &is_new, "%s", t.is);
    l->graph->node[from % WHY_NODES].waits = true;
    why_add_edge(l->graph, from, to, t.until);
    for (unsigned i = 0; i < KERR_WAITERS; i++) {
        if ((w->released_by >> i & 1) != 0) {
            why_add_edge(l->graph, to, actor_node(l, i), t.by);
        }
    }
    list_candidates(l, actor, list, sizeof list);
    if (!passes_on(l, actor)) { /* else what that one waits for says more */
        why_add_event(l->graph, "%s: %s, which %s waits for: %s", w->stuck ? "never comes" : "does not come", t.event,
                      l->graph->node[from % WHY_NODES].text, list[0] != '\0' ? list : "there is nobody who could");
    }
}

/* ---- What comes from outside the tile --------------------------------------------------------------------------- */

static uint32_t peek_word(const kerr_chip *chip, kerr_xy at, uint32_t address)
{
    uint32_t word = 0;
    return kerr_peek(chip, at, address, &word, sizeof word) == KERR_OK ? word : 0;
}

uint32_t why_under_way(const kerr_chip *chip)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        for (unsigned noc = 0; noc < 2; noc++) {
            for (unsigned id = 0; id < TRANSACTION_IDS; id++) {
                sum += peek_word(chip, kerr_tensix_xy(i), NIU_BASE(noc) + NIU_MST_REQS_OUTSTANDING_ID + 4 * id);
            }
        }
    }
    return sum;
}

static void say_outside(const looker *l, thing *t, kerr_core core, uint32_t address)
{
    const uint32_t stream = (address - STREAMS_BASE) >> 12, index = (address & 0xFFF) / 4;
    char what[80] = "";
    uint32_t word = 0;
    if (address - STREAMS_BASE < STREAMS_BYTES && (index == TILES_ACKED || index == TILES_RECEIVED)) {
        const uint32_t base = STREAMS_BASE + 0x1000 * stream;
        (void)snprintf(what, sizeof what,
                       index == TILES_RECEIVED ? "a cb_push_back of circular buffer %" PRIu32
                                               : "a cb_pop_front of circular buffer %" PRIu32,
                       stream);
        say(t, index == TILES_RECEIVED ? "waits for tiles" : "waits for room", "", what,
            "circular buffer %" PRIu32 ": %" PRIu32 " in, %" PRIu32 " out", stream,
            peek_word(l->chip, l->graph->at, base + 4 * TILES_RECEIVED),
            peek_word(l->chip, l->graph->at, base + 4 * TILES_ACKED));
        return;
    }
    char event_text[WHY_TEXT];
    (void)kerr_address_format(KERR_TILE_TENSIX, core, address, false, what, sizeof what);
    (void)snprintf(event_text, sizeof event_text, "a write to %s", what);
    if (kerr_core_peek(l->chip, l->graph->at, core, address & ~3u, &word, sizeof word) == KERR_OK) {
        say(t, "polls", "", event_text, "%s is 0x%" PRIx32, what, word);
    } else {
        say(t, "polls", "", event_text, "%s", what);
    }
}

/* In a loop in which its program says it may stay. */
static bool is_idle(const looker *l, kerr_core core)
{
    kerr_core_end end;
    return kerr_core_end_query(l->chip, l->graph->at, core, &end) == KERR_OK && end.stand == KERR_STANDS_IDLE;
}

/* A core that polls memory or a register which the host, the NoC or another core can write. */
static void add_poller(looker *l, unsigned actor)
{
    kerr_core_info info;
    thing t;
    bool is_new;
    if (kerr_core_query(l->chip, l->graph->at, core_of(actor), &info) != KERR_OK || info.wait_address == 0 ||
        (info.state != KERR_CORE_PARKED && info.state != KERR_CORE_WAITING) || is_idle(l, core_of(actor))) {
        return;
    }
    say_outside(l, &t, core_of(actor), info.wait_address);
    const unsigned from = actor_node(l, actor);
    const unsigned to = why_add_node(l->graph, WHY_THING, KEY_NEVER + (info.wait_address >> 2), &is_new, "%s", t.is);
    l->graph->node[from % WHY_NODES].waits = true;
    why_add_edge(l->graph, from, to, t.until);
    if (l->under_way != 0) {
        const unsigned never =
            why_add_node(l->graph, WHY_NEVER, 1, &is_new, "%" PRIu32 " NoC requests have no answer yet", l->under_way);
        why_add_edge(l->graph, to, never, "perhaps");
        why_add_event(l->graph,
                      "does not come: %s, which %s waits for: %" PRIu32 " NoC requests of the chip have no answer yet",
                      t.event, l->graph->node[from % WHY_NODES].text, l->under_way);
    } else {
        const unsigned never =
            why_add_node(l->graph, WHY_NEVER, 0, &is_new, "no NoC request is on its way; the host could");
        why_add_edge(l->graph, to, never, "write");
        why_add_event(
            l->graph,
            "does not come: %s, which %s waits for: no NoC request is on its way; a core or the host could store it",
            t.event, l->graph->node[from % WHY_NODES].text);
    }
}

bool why_look(why_graph *made, const kerr_chip *chip, kerr_xy at, const place_source *places, uint32_t under_way)
{
    looker l = {.chip = chip, .places = places, .graph = made, .under_way = under_way};
    *made = (why_graph){.at = at};
    if (kerr_waiters(chip, at, l.waiter) != KERR_OK || kerr_sync_query(chip, at, &l.sync) != KERR_OK) {
        return false;
    }
    for (unsigned i = 0; i < KERR_WAITERS; i++) {
        if (l.waiter[i].what >= KERR_FOR_SEMAPHORE_POST) {
            add_waiter(&l, i);
        }
    }
    for (unsigned i = KERR_WAITER_CORE; i <= NC; i++) {
        if (i == NC || l.waiter[i].what == KERR_FOR_OUTSIDE) {
            add_poller(&l, i);
        }
    }
    return made->edge_count > 0;
}
