/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_code.h"

#include <stdlib.h>
#include <string.h>

#include "code_match.h"

enum {
    CODE_BYTES = 512, /* around a pc, to find its program by */
    PIECES = 512,
};

typedef struct known_code {
    uint32_t address;
    uint8_t bytes[CODE_BYTES];
    size_t piece;
} known_code;

struct chip_code {
    const kerr_chip *chip;
    code_match *match;
    bool searched;
    char function[160];
    size_t count;
    known_code known[PIECES];
};

chip_code *chip_code_new(const kerr_chip *chip)
{
    chip_code *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->chip = chip;
        made->match = code_match_new();
        if (made->match == NULL) {
            free(made);
            made = NULL;
        }
    }
    return made;
}

void chip_code_free(chip_code *code)
{
    if (code != NULL) {
        code_match_free(code->match);
        free(code);
    }
}

void chip_code_search(chip_code *code, const char *const *folders, size_t count, double seconds)
{
    code_match_search(code->match, folders, count, seconds);
    code->searched = true;
}

static const known_code *code_at(chip_code *c, kerr_xy at, uint32_t pc)
{
    known_code code = {.address = pc > CODE_BYTES / 2 ? (pc & ~3u) - CODE_BYTES / 2 : 0};
    if (kerr_peek(c->chip, at, code.address, code.bytes, sizeof code.bytes) != KERR_OK) {
        return NULL;
    }
    for (size_t i = 0; i < c->count; i++) {
        const known_code *there = &c->known[i];
        if (there->address == code.address && memcmp(there->bytes, code.bytes, sizeof code.bytes) == 0) {
            return there;
        }
    }
    if (c->count == PIECES || c->searched) {
        return NULL;
    }
    code.piece = code_match_want(c->match, code.address, code.bytes, sizeof code.bytes);
    c->known[c->count] = code;
    return &c->known[c->count++];
}

void chip_code_place(void *context, kerr_xy at, int core, uint32_t pc, kerr_place *place)
{
    chip_code *c = context;
    const known_code *code = code_at(c, at, pc);
    dwarf_place found;
    (void)core;
    *place = (kerr_place){.line = 0};
    if (code == NULL || !c->searched) {
        return;
    }
    place->program = code_match_program(c->match, code->piece);
    if (!code_match_place(c->match, code->piece, pc, &found)) {
        return;
    }
    place->file = found.file;
    place->line = found.line;
    place->from = found.from;
    place->from_line = found.from_line;
    if (found.function != NULL) {
        dwarf_demangle(found.function, c->function, sizeof c->function);
        place->function = c->function;
    }
}

void chip_code_tell_of_lines(const chip_code *code, FILE *to)
{
    for (size_t i = 0; i < code->count; i++) {
        const char *name = code_match_program(code->match, code->known[i].piece);
        bool again = name == NULL;
        for (size_t k = 0; k < i && !again; k++) {
            again = code_match_program(code->match, code->known[k].piece) == name;
        }
        if (again) {
            continue;
        }
        const dwarf_state state = code_match_lines(code->match, code->known[i].piece);
        if (state == DWARF_NONE) {
            (void)fprintf(to, "kerr: %s has no line numbers (compile with -g): addresses and functions only\n", name);
        } else if (state == DWARF_BROKEN) {
            (void)fprintf(to, "kerr: %s: its DWARF is broken: lines are missing\n", name);
        }
    }
}
