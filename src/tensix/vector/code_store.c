/* SPDX-License-Identifier: Apache-2.0 */
/* Code that was made, in memory that is written or executed, never both. */
#include "tensix/vector/code.h"

#include "base/bits.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { CODES = 256, CODE_PLACES = 4 /* where one may be */, CODE_BYTES = 1 << 20 };

struct code {
    uint32_t words[PLAY_WORDS]; /* that it was made for */
    uint8_t count;
    uint32_t offset; /* of the function; 0: there is none */
};
struct code_store {
    enum code_form form;
    uint8_t *memory;
    uint32_t used;       /* bytes */
    uint32_t generation; /* another one whenever something is made, and maybe forgotten; 0: nothing was */
    struct code code[CODES];
};

enum code_form code_store_form(const struct code_store *store)
{
    return store->form;
}

bool code_has(enum code_form form)
{
    return form == CODE_AVX512 ? play_has_avx512() : play_has_avx2();
}

struct code_store *code_store_create(void)
{
    return code_store_create_for(code_has(CODE_AVX512) ? CODE_AVX512 : CODE_AVX2);
}

struct code_store *code_store_create_for(enum code_form form)
{
    struct code_store *store = code_has(form) ? calloc(1, sizeof *store) : NULL;
    if (store == NULL)
        return NULL;
    store->form = form;
    void *memory = mmap(NULL, CODE_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        free(store);
        return NULL;
    }
    store->memory = memory;
    return store;
}

void code_store_destroy(struct code_store *store)
{
    if (store == NULL)
        return;
    munmap(store->memory, CODE_BYTES);
    free(store);
}

bool code_is_possible(const struct play_program *p, const struct play_part *part)
{
    enum { EC = 1, EI = 2, IMM_E = 1 };
    int level = 0;
    for (unsigned i = part->from; i < (unsigned)part->from + part->count; i++) {
        const struct play_step *step = &p->step[i];
        switch ((enum play_code)step->code) {
        case PLAY_CALL:
        case PLAY_SWAP:
        case PLAY_MOVE: return false;
        case PLAY_ENCC: /* UseLaneFlagsForLaneEnable stays set */
            if (step->o.mod & EI ? !(step->o.imm & IMM_E) : step->o.mod & EC)
                return false;
            break;
        case PLAY_PUSHC: level++; break;
        case PLAY_POPC:
            if (level-- == 0)
                return false;
            break;
        case PLAY_COMPC:
            if (level == 0)
                return false;
            break;
        default: break;
        }
    }
    return true;
}

static void forget(struct code_store *store)
{
    store->used = 0;
    for (unsigned i = 0; i < CODES; i++)
        store->code[i].offset = 0;
}

/* Makes the code, and forgets all other if there is no room. */
static void make(struct code_store *store, struct code *code, const struct play_program *p,
                 const struct play_part *part)
{
    enum { ALIGNMENT = 64 };
    uint8_t *function = NULL, *end = NULL;
    memcpy(code->words, p->words + part->from, part->count * sizeof *code->words);
    code->count = part->count;
    code->offset = 0;
    store->generation++;
    if (mprotect(store->memory, CODE_BYTES, PROT_READ | PROT_WRITE) != 0)
        return;
    for (unsigned tries = 0; tries < 2 && end == NULL; tries++) {
        end = (store->form == CODE_AVX512 ? code_make_avx512 : code_make_avx2)(p, part, store->memory + store->used,
                                                                               store->memory + CODE_BYTES, &function);
        if (end == NULL)
            forget(store);
    }
    if (mprotect(store->memory, CODE_BYTES, PROT_READ | PROT_EXEC) != 0) {
        forget(store); /* none of it can be executed now */
        return;
    }
    if (end == NULL)
        return;
    code->offset = (uint32_t)(function - store->memory);
    store->used = (uint32_t)(end - store->memory + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool is_of(const struct code *code, const struct play_program *p, const struct play_part *part)
{
    return code->offset != 0 && code->count == part->count &&
           memcmp(code->words, p->words + part->from, part->count * sizeof *code->words) == 0;
}
/* Looks for it, and makes it if it is not there. */
static code_function *look(struct code_store *store, const struct play_program *p, const struct play_part *part)
{
    struct code *code = NULL, *place = &store->code[part->hash % CODES];
    for (unsigned i = 0; i < CODE_PLACES && code == NULL; i++) {
        struct code *next = &store->code[(part->hash + i) % CODES];
        if (is_of(next, p, part))
            code = next;
        else if (next->offset == 0)
            place = next;
    }
    if (code == NULL) {
        code = place;
        make(store, code, p, part);
    }
    union {
        uint8_t *at;
        code_function *function;
    } made = {.at = store->memory + code->offset};
    return code->offset != 0 ? made.function : NULL;
}

code_function *code_find(struct code_store *store, const struct play_program *p, struct play_part *part)
{
    if (UNLIKELY(part->store != store || part->generation != store->generation)) {
        part->function = look(store, p, part);
        part->store = store;
        part->generation = store->generation;
    }
    return part->function;
}
