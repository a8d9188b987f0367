/* SPDX-License-Identifier: Apache-2.0 */
#include "core_gaps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { STORE_MEMORY_CYCLES = 64, FETCH_BYTES = 16, STORE_PLACES = CORE_GAPS_STORES };

void core_gaps_place(kerr_tile_kind tile, unsigned core, uint32_t address, bool is_store, char *text, size_t size)
{
    (void)kerr_address_format(tile, (kerr_core)core, address, is_store, text, size);
    char *end = strstr(text, " 0x");
    if (end != NULL && (strncmp(text, "L1 ", 3) == 0 || strncmp(text, "local RAM ", 10) == 0)) {
        *end = '\0';
    }
}

enum {
    OP_LOAD = 0x03,
    OP_LOAD_FP = 0x07,
    OP_FENCE = 0x0F,
    OP_IMMEDIATE = 0x13,
    OP_AUIPC = 0x17,
    OP_STORE = 0x23,
    OP_STORE_FP = 0x27,
    OP_ATOMIC = 0x2F,
    OP_REGISTER = 0x33,
    OP_LUI = 0x37,
    OP_FLOAT_FIRST = 0x43,
    OP_FLOAT_LAST = 0x53,
    OP_VECTOR = 0x57,
    OP_BRANCH = 0x63,
    OP_JALR = 0x67,
    OP_JAL = 0x6F,
    OP_SYSTEM = 0x73,
};

static bool is_float(unsigned opcode)
{
    return opcode >= OP_FLOAT_FIRST && opcode <= OP_FLOAT_LAST;
}

/* Registers that the instruction takes, as indices of late[]; -1: none. */
static void sources_of(uint32_t word, int source[2])
{
    const unsigned opcode = word & 0x7F;
    const int rs1 = (int)(word >> 15 & 31), rs2 = (int)(word >> 20 & 31);
    source[0] = source[1] = -1;
    if ((word & 3) != 3 || opcode == OP_LUI || opcode == OP_AUIPC || opcode == OP_JAL || opcode == OP_FENCE) {
        return;
    }
    source[0] = is_float(opcode) ? rs1 + 32 : rs1;
    if (opcode == OP_REGISTER || opcode == OP_BRANCH || opcode == OP_STORE || opcode == OP_ATOMIC) {
        source[1] = rs2;
    }
    if (opcode == OP_STORE_FP || is_float(opcode)) {
        source[1] = rs2 + 32;
    }
}

/* Which source makes it wait, if one does: what it takes is no longer late then. */
static late_register take_sources(core_gaps *c, uint32_t word)
{
    late_register found = {.kind = LATE_NOT};
    int source[2];
    sources_of(word, source);
    for (unsigned i = 0; i < 2; i++) {
        if (source[i] >= 0 && c->late[source[i]].kind != LATE_NOT) {
            found = c->late[source[i]];
            c->late[source[i]].kind = LATE_NOT;
        }
    }
    return found;
}

static void write_result(core_gaps *c, const kerr_trace_event *event)
{
    const uint32_t word = event->instruction;
    const unsigned opcode = word & 0x7F, rd = word >> 7 & 31;
    late_register late = {.kind = LATE_NOT, .address = event->address};
    unsigned to = rd;
    if ((word & 3) != 3 || opcode == OP_STORE || opcode == OP_STORE_FP || opcode == OP_BRANCH || opcode == OP_VECTOR ||
        opcode == OP_FENCE) {
        return;
    }
    if (opcode == OP_LOAD || opcode == OP_LOAD_FP) {
        late.kind = LATE_LOAD;
        c->load_address = event->address;
    } else if (opcode == OP_ATOMIC) {
        late.kind = LATE_ATOMIC;
    } else if (opcode == OP_REGISTER && word >> 25 == 1) {
        late.kind = (word >> 12 & 7) < 4 ? LATE_MULTIPLY : LATE_DIVIDE;
    } else if (is_float(opcode)) {
        late.kind = LATE_MULTIPLY;
    }
    if (opcode == OP_LOAD_FP || is_float(opcode)) {
        to += 32;
    }
    if (to != 0) {
        c->late[to] = late;
    }
}

/* Which leaves the store queue alone unless its FIFO is full. */
static bool is_push(const kerr_trace_event *event)
{
    return event->is_store && event->address >= 0xFFE40000u && event->address < 0xFFE70000u;
}

/* Whether the store queue may be full: its places were all taken a short time ago. */
static bool stores_are_many(const core_gaps *c)
{
    return c->store_count >= STORE_PLACES &&
           c->issued.cycle - c->stores[c->store_count % STORE_PLACES] < STORE_MEMORY_CYCLES;
}

/* What comes between the instruction before and this one.  That a store or load before it was held up is seen here only;
 * a cycle at the beginning of a new line is the fetch's. */
static core_gap_kind name_gap(kerr_tile_kind tile, unsigned core, const core_gaps *c, const kerr_trace_event *event,
                              uint64_t cycles, late_register late, char *text, size_t size)
{
    const unsigned before = c->issued.instruction & 0x7F;
    const bool pushed = is_push(&c->issued), stored = c->issued.is_store && before != OP_ATOMIC;
    const bool new_line = cycles == 1 && event->pc % FETCH_BYTES == 0;
    const bool local = c->issued.address >> 16 == 0xFFB0;
    char place[CORE_GAP_TEXT];
    switch (late.kind) {
    case LATE_LOAD:
        core_gaps_place(tile, core, late.address, false, place, sizeof place);
        (void)snprintf(text, size, "waits for load: %.150s", place);
        return GAP_LOAD;
    case LATE_MULTIPLY: (void)snprintf(text, size, "waits for multiplier"); return GAP_ARITHMETIC;
    case LATE_DIVIDE: (void)snprintf(text, size, "waits for divider"); return GAP_ARITHMETIC;
    case LATE_ATOMIC: (void)snprintf(text, size, "waits for atomic"); return GAP_ATOMIC;
    case LATE_NOT: break;
    }
    if (before == OP_BRANCH || before == OP_JAL || before == OP_JALR) {
        (void)snprintf(text, size, "fetch after branch");
        return GAP_FETCH;
    } else if (before == OP_REGISTER && c->issued.instruction >> 25 == 1) { /* nothing issues beside it */
        (void)snprintf(text, size, "waits for %s", (c->issued.instruction >> 12 & 7) < 4 ? "multiplier" : "divider");
        return GAP_ARITHMETIC;
    } else if (before == OP_FENCE || before == OP_ATOMIC) {
        (void)snprintf(text, size, "waits for stores before fence or atomic");
        return GAP_STORES;
    } else if (before == OP_SYSTEM) {
        (void)snprintf(text, size, "CSR");
        return GAP_ARITHMETIC;
    } else if (before == OP_VECTOR) {
        (void)snprintf(text, size, "vector instruction");
        return GAP_ARITHMETIC;
    } else if (local && c->issued.address != 0 && cycles > 1) {
        (void)snprintf(text, size, "local RAM clears itself");
        return GAP_STORES;
    } else if (pushed ? c->wait_end + STORE_PLACES > c->issued.cycle && c->wait_end != 0
                      : stored && !local && !new_line && stores_are_many(c)) {
        core_gaps_place(tile, core, c->issued.address, true, place, sizeof place);
        (void)snprintf(text, size, "store queue full: %.150s", place);
        return GAP_STORES;
    } else if ((before == OP_LOAD || before == OP_LOAD_FP) && !new_line) {
        core_gaps_place(tile, core, c->issued.address, false, place, sizeof place);
        (void)snprintf(text, size, "load held up: %.150s", place);
        return GAP_LOAD;
    } else {
        (void)snprintf(text, size, "fetch");
    }
    return GAP_FETCH;
}

bool core_gaps_issue(core_gaps *c, kerr_tile_kind tile, unsigned core, const kerr_trace_event *event, core_gap *gap)
{
    const late_register late = take_sources(c, event->instruction);
    const uint64_t since = c->issued.cycle + 1 > c->wait_end ? c->issued.cycle + 1 : c->wait_end;
    const bool late_there = c->has_issued && since < event->cycle;
    if (late_there) {
        gap->since = since;
        gap->pc = late.kind != LATE_NOT ? event->pc : c->issued.pc;
        gap->address = late.kind == LATE_LOAD || late.kind == LATE_ATOMIC ? late.address : c->issued.address;
        gap->kind = name_gap(tile, core, c, event, event->cycle - since, late, gap->text, sizeof gap->text);
    }
    if (event->is_store && !is_push(event)) {
        c->stores[c->store_count++ % STORE_PLACES] = event->cycle;
    }
    write_result(c, event);
    c->issued = *event;
    c->has_issued = true;
    return late_there;
}
