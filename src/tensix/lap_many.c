/* SPDX-License-Identifier: Apache-2.0 */
/* Many laps of data in few (lap_data.c).
 *
 * Of the words that a lap changes most are made anew each time from others.  What goes on from lap to lap are words that gain the same
 * each time: the word at the end of the lap is itself, and something that depends on words alone which no lap changes.  Those are
 * counted on over all laps at once.  Any other word is right after some laps from there if what it is made of leads
 * back, in so many laps, to nothing but words that are counted on or never change, and to bits of its own that no lap touches. */
#include "tensix/laps.h"

#include <string.h>

enum { SETS = (LAP_DATA + 63) / 64 };

/* What a word is made of, in what the lap found. */
typedef enum made_of {
    MADE_OF_FIXED, /* words that no lap changes */
    MADE_OF_ONE,   /* ... and one other, `base`, to which something was added */
    MADE_OF_ANY,
} made_of;

struct analysis {
    uint8_t kind[LAP_DATA]; /* made_of */
    uint16_t base[LAP_DATA];
    bool counted_on[LAP_DATA];
    bool changes[LAP_DATA];
    uint32_t own[LAP_DATA];        /* bits that are still the word's own */
    uint64_t from[LAP_DATA][SETS]; /* other words that the rest is made of */
    uint8_t depth[LAP_DATA];       /* laps until it is right; 0: not known yet */
};

/* ---- Words that are counted on ------------------------------------------------------------------------------ */

static made_of both(made_of a, made_of b)
{
    return a == MADE_OF_FIXED && b == MADE_OF_FIXED ? MADE_OF_FIXED : MADE_OF_ANY;
}

/* Of a sum. */
static void add(struct analysis *a, const struct lap_piece *p, unsigned left, unsigned right)
{
    const made_of l = a->kind[left], r = a->kind[right];
    const unsigned base = l == MADE_OF_ONE ? a->base[left] : a->base[right];
    const bool one = (l == MADE_OF_ONE && r == MADE_OF_FIXED) || (l == MADE_OF_FIXED && r == MADE_OF_ONE);
    a->kind[p->result] = (uint8_t)(one ? MADE_OF_ONE : both(l, r));
    a->base[p->result] = (uint16_t)base;
}

static bool find_what_it_is_made_of(struct analysis *a, const struct lap_piece *p)
{
    const made_of left = a->kind[p->left], right = a->kind[p->right], result = a->kind[p->result];
    switch ((lap_kind)p->kind) {
    case LAP_COPY:
    case LAP_ADD_CONST:
        a->kind[p->result] = (uint8_t)left;
        a->base[p->result] = a->base[p->left];
        return true;
    case LAP_BLEND: a->kind[p->result] = (uint8_t)both(result, left); return true;
    case LAP_MERGE:
        a->kind[p->result] = (uint8_t)(p->x == UINT32_MAX ? MADE_OF_FIXED : both(result, result));
        return true;
    case LAP_ADD: add(a, p, p->left, p->right); return true;
    case LAP_ADD_TIMES: a->kind[p->result] = (uint8_t)(left == MADE_OF_FIXED ? result : MADE_OF_ANY); return true;
    case LAP_SUB:
        a->kind[p->result] = (uint8_t)(right == MADE_OF_FIXED ? left : MADE_OF_ANY);
        a->base[p->result] = a->base[p->left];
        return true;
    case LAP_MUL: a->kind[p->result] = (uint8_t)both(left, right); return true;
    case LAP_MUL_CONST: a->kind[p->result] = (uint8_t)both(left, left); return true;
    }
    return false;
}

static bool find_counted_on(struct analysis *a, const struct lap_data *d)
{
    for (unsigned i = 0; i < d->changed; i++)
        a->changes[d->change[i]] = true;
    for (unsigned i = 0; i < LAP_DATA; i++) {
        a->kind[i] = a->changes[i] ? MADE_OF_ONE : MADE_OF_FIXED;
        a->base[i] = (uint16_t)i;
    }
    for (unsigned i = 0; i < d->pieces; i++)
        if (!find_what_it_is_made_of(a, &d->piece[i]))
            return false;
    for (unsigned i = 0; i < d->changed; i++) {
        const unsigned w = d->change[i];
        a->counted_on[w] = a->kind[w] == MADE_OF_ONE && a->base[w] == w;
    }
    return true;
}

/* ---- All others --------------------------------------------------------------------------------------------- */

/* What reads the word is made of what that is made of. */
static void include(struct analysis *a, unsigned word, uint64_t set[SETS])
{
    for (unsigned i = 0; i < SETS; i++)
        set[i] |= a->from[word][i];
    if (a->changes[word] && !a->counted_on[word] && a->own[word] != 0)
        set[word / 64] |= UINT64_C(1) << word % 64;
}

static void follow_piece(struct analysis *a, const struct lap_piece *p)
{
    const bool blends = p->kind == LAP_BLEND, merges = p->kind == LAP_MERGE;
    const uint32_t kept = blends || merges ? ~p->x : 0;
    uint64_t set[SETS] = {0};
    if (!merges)
        include(a, p->left, set);
    if (p->kind == LAP_ADD || p->kind == LAP_SUB || p->kind == LAP_MUL)
        include(a, p->right, set);
    if (p->kind == LAP_ADD_TIMES)
        include(a, p->result, set);
    for (unsigned i = 0; i < SETS && kept != 0; i++)
        set[i] |= a->from[p->result][i];
    memcpy(a->from[p->result], set, sizeof set);
    a->own[p->result] &= kept;
}

/* Laps until all of these are right, each from those that it is made of.  False: some never are. */
static bool find_depth(struct analysis *a, const struct lap_data *d, uint32_t *depth)
{
    bool goes_on = true;
    *depth = 0;
    for (unsigned round = 1; goes_on && round <= LAP_MANY; round++) {
        bool left = false;
        goes_on = false;
        for (unsigned i = 0; i < d->changed; i++) {
            const unsigned w = d->change[i];
            if (a->counted_on[w] || a->depth[w] != 0 || w >= LAP_SLOT + d->begin.count)
                continue; /* ... or nothing is in it at the end */
            bool ready = true;
            for (unsigned k = 0; k < d->changed; k++) {
                const unsigned of = d->change[k];
                if (a->from[w][of / 64] >> of % 64 & 1)
                    ready &= a->depth[of] != 0 && a->depth[of] < round;
            }
            left |= !ready;
            if (ready) {
                a->depth[w] = (uint8_t)round;
                *depth = round;
                goes_on = true;
            }
        }
        if (!left)
            return true;
    }
    return false;
}

void lap_many_make(struct lap_data *d)
{
    struct analysis a = {0};
    memset(a.own, 0xFF, sizeof a.own);
    d->many = 0;
    d->counts = 0;
    if (!find_counted_on(&a, d))
        return;
    for (unsigned i = 0; i < d->pieces; i++)
        follow_piece(&a, &d->piece[i]);
    uint32_t depth;
    if (!find_depth(&a, d, &depth))
        return;
    for (unsigned i = 0; i < d->changed; i++)
        if (a.counted_on[d->change[i]])
            d->count[d->counts++] = d->change[i];
    d->many = 1 + depth;
}
