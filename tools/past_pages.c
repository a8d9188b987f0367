/* SPDX-License-Identifier: Apache-2.0 */
#include "past_pages.h"

#include <stdlib.h>
#include <string.h>

enum { LISTS_FIRST = 1 << 12, RESYNC = 64 };

/* Four sums side by side, so that the multiplications overlap. */
static uint64_t hash_of(const uint8_t *data)
{
    uint64_t lane[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < PAST_PAGE; i += sizeof lane) {
        uint64_t word[4];
        memcpy(word, data + i, sizeof word);
        for (unsigned l = 0; l < 4; l++) {
            lane[l] = (lane[l] ^ word[l]) * UINT64_C(0x9E3779B97F4A7C15);
            lane[l] ^= lane[l] >> 32;
        }
    }
    uint64_t hash = lane[0];
    for (unsigned l = 1; l < 4; l++) {
        hash = (hash ^ lane[l]) * UINT64_C(0xD1342543DE82EF95);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool grow_lists(past_pages *p)
{
    const uint32_t lists = p->lists == 0 ? LISTS_FIRST : 4 * p->lists;
    uint32_t *list = calloc(lists, sizeof *list);
    if (list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        past_page *page = &p->page[i];
        if (page->data != NULL) {
            page->next = list[page->hash & (lists - 1)];
            list[page->hash & (lists - 1)] = i + 1;
        }
    }
    free(p->list);
    p->list = list;
    p->lists = lists;
    return true;
}

/* A place for one more page, with memory. */
static past_page *new_page(past_pages *p, uint32_t *number)
{
    if (p->free == 0) {
        if (p->count == p->room) {
            const uint32_t room = p->room == 0 ? 1024 : 2 * p->room;
            past_page *grown = realloc(p->page, room * sizeof *grown);
            if (grown == NULL) {
                return NULL;
            }
            p->page = grown;
            p->room = room;
        }
        p->page[p->count] = (past_page){0};
        p->free = ++p->count;
    }
    past_page *page = &p->page[p->free - 1];
    page->data = malloc(PAST_PAGE);
    if (page->data == NULL) {
        return NULL;
    }
    *number = p->free - 1;
    p->free = page->next;
    p->in_use++;
    return page;
}

static bool add_page(past_pages *p, const uint8_t *data, uint32_t *number)
{
    const uint64_t hash = hash_of(data);
    if (p->in_use >= p->lists && !grow_lists(p)) {
        return false;
    }
    for (uint32_t i = p->list[hash & (p->lists - 1)]; i != 0; i = p->page[i - 1].next) {
        past_page *page = &p->page[i - 1];
        if (page->hash == hash && memcmp(page->data, data, PAST_PAGE) == 0) {
            page->users++;
            *number = i - 1;
            return true;
        }
    }
    past_page *page = new_page(p, number);
    if (page == NULL) {
        return false;
    }
    memcpy(page->data, data, PAST_PAGE);
    page->hash = hash;
    page->users = 1;
    page->next = p->list[hash & (p->lists - 1)];
    p->list[hash & (p->lists - 1)] = *number + 1;
    return true;
}

static void leave_page(past_pages *p, uint32_t number)
{
    past_page *page = &p->page[number];
    if (--page->users > 0) {
        return;
    }
    uint32_t *link = &p->list[page->hash & (p->lists - 1)];
    while (*link != number + 1) {
        link = &p->page[*link - 1].next;
    }
    *link = page->next;
    free(page->data);
    page->data = NULL;
    page->next = p->free;
    p->free = number + 1;
    p->in_use--;
}

/* ---- Snapshots ----------------------------------------------------------------------------------------------- */

typedef struct writer {
    past_pages *pages;
    past_snapshot *to;
    const past_snapshot *like; /* or NULL */
    size_t at, misses;         /* in its pages: where we are, and how many of ours in a row were not there */
} writer;

/* Nearly always a page is that of the snapshot before, in the same place, or one further for each that has changed. */
static bool is_like(writer *w, size_t at, const uint8_t *data, uint32_t *number)
{
    if (w->like == NULL || at >= w->like->pages) {
        return false;
    }
    past_page *page = &w->pages->page[w->like->page[at]];
    if (memcmp(page->data, data, PAST_PAGE) != 0) {
        return false;
    }
    page->users++;
    *number = w->like->page[at];
    w->at = at + 1;
    w->misses = 0;
    return true;
}

static bool keep_page(writer *w, const uint8_t *data, uint32_t *number)
{
    if (is_like(w, w->at, data, number) || (w->misses != 0 && is_like(w, w->at + w->misses, data, number))) {
        return true;
    }
    if (!add_page(w->pages, data, number)) {
        return false;
    }
    w->misses++;
    for (size_t i = w->at; w->like != NULL && i < w->at + RESYNC && i < w->like->pages; i++) {
        if (w->like->page[i] == *number) {
            w->at = i + 1;
            w->misses = 0;
            break;
        }
    }
    return true;
}

static bool put_rest(past_snapshot *s, const void *data, size_t size)
{
    if (size > s->room - s->size) {
        const size_t room = (s->size + size) * 2;
        uint8_t *grown = realloc(s->rest, room);
        if (grown == NULL) {
            return false;
        }
        s->rest = grown;
        s->room = room;
    }
    memcpy(s->rest + s->size, data, size);
    s->size += size;
    return true;
}

static bool put(void *context, const void *data, size_t size)
{
    writer *w = context;
    past_snapshot *s = w->to;
    if (size != PAST_PAGE) {
        return put_rest(s, data, size);
    }
    if (s->pages == s->page_room) {
        const size_t room = s->page_room == 0 ? 1024 : 2 * s->page_room;
        uint32_t *grown = realloc(s->page, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        s->page = grown;
        s->page_room = room;
    }
    if (!keep_page(w, data, &s->page[s->pages])) {
        return false;
    }
    s->pages++;
    return true;
}

typedef struct reader {
    const past_pages *pages;
    const past_snapshot *from;
    size_t page, at;
} reader;

/* kerr_restore asks for the pieces that kerr_save gave. */
static bool take(void *context, void *data, size_t size)
{
    reader *r = context;
    if (size == PAST_PAGE) {
        if (r->page == r->from->pages) {
            return false;
        }
        memcpy(data, r->pages->page[r->from->page[r->page++]].data, PAST_PAGE);
        return true;
    }
    if (size > r->from->size - r->at) {
        return false;
    }
    memcpy(data, r->from->rest + r->at, size);
    r->at += size;
    return true;
}

bool past_pages_save(past_pages *p, past_snapshot *s, const past_snapshot *like, const kerr_chip *chip)
{
    writer w = {.pages = p, .to = s, .like = like};
    *s = (past_snapshot){.cycle = 0};
    if (kerr_cycle(chip, &s->cycle) == KERR_OK && kerr_save(chip, put, &w) == KERR_OK) {
        return true;
    }
    past_pages_drop(p, s);
    return false;
}

bool past_pages_restore(const past_pages *p, const past_snapshot *s, kerr_chip *chip)
{
    reader r = {.pages = p, .from = s};
    return kerr_rewind(chip, take, &r) == KERR_OK;
}

void past_pages_drop(past_pages *p, past_snapshot *s)
{
    for (size_t i = 0; i < s->pages; i++) {
        leave_page(p, s->page[i]);
    }
    free(s->page);
    free(s->rest);
    *s = (past_snapshot){0};
}

void past_pages_free(past_pages *p)
{
    free(p->page);
    free(p->list);
    *p = (past_pages){0};
}
