/* SPDX-License-Identifier: Apache-2.0 */
#include "code_match.h"

#include <fcntl.h>
#include <ftw.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dwarf_lines.h"
#include "progress.h"

enum {
    WINDOW = 4,         /* instructions that must agree in a row */
    CANDIDATES = 8,     /* distances of a piece within one file */
    ENOUGH_WINDOWS = 6, /* that must agree for a match, unless the piece is short */
    NO_FILE = -1,
    HASH_BITS = 17,
    OPEN_FOLDERS = 16,
};

typedef struct candidate {
    uint32_t distance; /* address in memory less address in the file */
    uint32_t votes;
} candidate;

typedef struct piece {
    uint32_t address;
    uint32_t words;
    uint32_t *code;
    uint32_t windows; /* that say anything */
    int file;         /* NO_FILE: none yet */
    candidate best;
    candidate now[CANDIDATES]; /* in the file that is looked at */
} piece;

typedef struct window {
    uint64_t hash;
    uint32_t piece, at; /* word */
    int32_t next;
} window;

typedef struct elf_file {
    char *path;
    const char *name; /* within path: below its folder */
    int64_t changed;  /* ns */
    void *mapping;    /* NULL: not open */
    size_t size;
    Elf *elf;
    dwarf_lines *lines;
} elf_file;

struct code_match {
    piece *pieces;
    size_t piece_count, piece_room;
    window *windows;
    size_t window_count, window_room;
    int32_t first[1 << HASH_BITS];
    elf_file *files;
    size_t file_count, file_room, searched;
};

static bool grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    const size_t more = *room == 0 ? 64 : *room * 2;
    void **at = array;
    void *moved = realloc(*at, more * size);
    if (moved == NULL) {
        return false;
    }
    *at = moved;
    *room = more;
    return true;
}

code_match *code_match_new(void)
{
    code_match *match = calloc(1, sizeof *match);
    if (match != NULL) {
        memset(match->first, 0xFF, sizeof match->first);
        (void)elf_version(EV_CURRENT);
    }
    return match;
}

static void close_file(elf_file *file)
{
    dwarf_lines_close(file->lines);
    if (file->elf != NULL) {
        (void)elf_end(file->elf);
    }
    if (file->mapping != NULL) {
        (void)munmap(file->mapping, file->size);
    }
    file->lines = NULL;
    file->elf = NULL;
    file->mapping = NULL;
}

void code_match_free(code_match *match)
{
    if (match == NULL) {
        return;
    }
    for (size_t i = 0; i < match->file_count; i++) {
        close_file(&match->files[i]);
        free(match->files[i].path);
    }
    for (size_t i = 0; i < match->piece_count; i++) {
        free(match->pieces[i].code);
    }
    free(match->files);
    free(match->pieces);
    free(match->windows);
    free(match);
}

static uint64_t hash_window(const uint32_t *code)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < WINDOW; i++) {
        hash = (hash ^ code[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash;
}

/* Padding and tables of one word over and over are everywhere. */
static bool says_something(const uint32_t *code)
{
    unsigned different = 0;
    for (unsigned i = 0; i < WINDOW; i++) {
        bool first = code[i] != 0;
        for (unsigned k = 0; k < i; k++) {
            first = first && code[k] != code[i];
        }
        different += first;
    }
    return different >= 3;
}

static bool add_window(code_match *match, uint64_t hash, uint32_t number, uint32_t at)
{
    if (!grow(&match->windows, match->window_count, &match->window_room, sizeof *match->windows)) {
        return false;
    }
    int32_t *first = &match->first[hash >> (64 - HASH_BITS)];
    match->windows[match->window_count] = (window){hash, number, at, *first};
    *first = (int32_t)match->window_count++;
    return true;
}

size_t code_match_want(code_match *match, uint32_t address, const void *bytes, size_t size)
{
    if (!grow(&match->pieces, match->piece_count, &match->piece_room, sizeof *match->pieces)) {
        return SIZE_MAX;
    }
    piece made = {.address = address, .words = (uint32_t)(size / 4), .file = NO_FILE};
    made.code = malloc(size + 4);
    if (made.code == NULL) {
        return SIZE_MAX;
    }
    memcpy(made.code, bytes, (size_t)made.words * 4);
    const size_t number = match->piece_count++;
    for (uint32_t i = 0; i + WINDOW <= made.words; i++) {
        if (says_something(made.code + i)) {
            made.windows += add_window(match, hash_window(made.code + i), (uint32_t)number, i);
        }
    }
    match->pieces[number] = made;
    return number;
}

/* ---- Files ------------------------------------------------------------------------------------------------ */

/* nftw gives its function no argument of ours.  One search at a time. */
static code_match *walked;
static size_t walked_folder;

static int walk(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)where;
    const size_t length = strlen(path);
    const bool given = length == walked_folder; /* it is a file itself */
    if (kind != FTW_F || (!given && (length < 4 || strcmp(path + length - 4, ".elf") != 0)) ||
        !grow(&walked->files, walked->file_count, &walked->file_room, sizeof *walked->files)) {
        return 0;
    }
    elf_file file = {.path = strdup(path),
                     .changed = (int64_t)about->st_mtim.tv_sec * 1000000000 + about->st_mtim.tv_nsec};
    if (file.path != NULL) {
        const size_t skip = walked_folder < length ? walked_folder : 0;
        file.name = file.path + skip + (file.path[skip] == '/');
        walked->files[walked->file_count++] = file;
    }
    return 0;
}

static int newer_first(const void *a, const void *b)
{
    const elf_file *p = a, *q = b;
    if (p->changed != q->changed) {
        return p->changed > q->changed ? -1 : 1;
    }
    return strcmp(p->path, q->path);
}

static bool open_file(elf_file *file)
{
    struct stat about;
    const int handle = open(file->path, O_RDONLY | O_CLOEXEC);
    if (handle < 0) {
        return false;
    }
    void *mapping = MAP_FAILED;
    if (fstat(handle, &about) == 0 && about.st_size > 0) {
        file->size = (size_t)about.st_size;
        mapping = mmap(NULL, file->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, handle, 0);
    }
    (void)close(handle);
    if (mapping == MAP_FAILED) {
        return false;
    }
    file->mapping = mapping;
    file->elf = elf_memory(mapping, file->size);
    GElf_Ehdr header;
    if (file->elf == NULL || elf_kind(file->elf) != ELF_K_ELF || gelf_getehdr(file->elf, &header) == NULL ||
        header.e_machine != EM_RISCV) {
        close_file(file);
        return false;
    }
    return true;
}

/* ---- Votes ------------------------------------------------------------------------------------------------- */

static void vote(piece *p, uint32_t distance)
{
    candidate *least = &p->now[0];
    for (unsigned i = 0; i < CANDIDATES; i++) {
        if (p->now[i].votes != 0 && p->now[i].distance == distance) {
            p->now[i].votes++;
            return;
        }
        if (p->now[i].votes < least->votes) {
            least = &p->now[i];
        }
    }
    if (least->votes <= 1) {
        *least = (candidate){distance, 1};
    }
}

static void scan(code_match *match, const uint32_t *code, size_t words, uint32_t address)
{
    for (size_t i = 0; i + WINDOW <= words; i++) {
        const uint64_t hash = hash_window(code + i);
        for (int32_t w = match->first[hash >> (64 - HASH_BITS)]; w >= 0; w = match->windows[w].next) {
            const window *found = &match->windows[w];
            if (found->hash == hash) {
                piece *p = &match->pieces[found->piece];
                vote(p, p->address + found->at * 4 - (address + (uint32_t)i * 4));
            }
        }
    }
}

static void scan_file(code_match *match, elf_file *file)
{
    for (Elf_Scn *section = elf_nextscn(file->elf, NULL); section != NULL; section = elf_nextscn(file->elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_PROGBITS ||
            (header.sh_flags & SHF_EXECINSTR) == 0 || header.sh_offset % 4 != 0 || header.sh_offset > file->size ||
            header.sh_size > file->size - header.sh_offset) {
            continue;
        }
        const void *code = (const char *)file->mapping + header.sh_offset;
        scan(match, code, (size_t)header.sh_size / 4, (uint32_t)header.sh_addr);
    }
}

/* What the file's votes come to.  True: no piece can be found any better. */
static bool count_votes(code_match *match, int number)
{
    bool all = true;
    for (size_t i = 0; i < match->piece_count; i++) {
        piece *p = &match->pieces[i];
        for (unsigned k = 0; k < CANDIDATES; k++) {
            const uint32_t least = p->windows < ENOUGH_WINDOWS ? p->windows : ENOUGH_WINDOWS;
            if (p->now[k].votes >= least && p->now[k].votes > p->best.votes) {
                p->best = p->now[k];
                p->file = number;
            }
        }
        memset(p->now, 0, sizeof p->now);
        all = all && p->best.votes >= p->windows;
    }
    return all;
}

void code_match_search(code_match *match, const char *const *folders, size_t count, double seconds)
{
    const double end = progress_now() + seconds;
    if (match->piece_count == 0) {
        return;
    }
    walked = match;
    for (size_t i = 0; i < count; i++) {
        walked_folder = strlen(folders[i]);
        (void)nftw(folders[i], walk, OPEN_FOLDERS, 0);
    }
    walked = NULL;
    qsort(match->files, match->file_count, sizeof *match->files, newer_first);
    bool all = false;
    for (size_t i = 0; i < match->file_count && !all && progress_now() < end; i++) {
        match->searched++;
        if (!open_file(&match->files[i])) {
            continue;
        }
        scan_file(match, &match->files[i]);
        all = count_votes(match, (int)i);
        close_file(&match->files[i]);
    }
}

size_t code_match_files(const code_match *match)
{
    return match->searched;
}

const char *code_match_program(const code_match *match, size_t number)
{
    const bool found = number < match->piece_count && match->pieces[number].file != NO_FILE;
    return found ? match->files[match->pieces[number].file].name : NULL;
}

/* The line table of a piece's program; NULL if there is none. */
static const dwarf_lines *lines_of(code_match *match, size_t number)
{
    elf_file *file = code_match_program(match, number) != NULL ? &match->files[match->pieces[number].file] : NULL;
    if (file == NULL || (file->mapping == NULL && !open_file(file))) {
        return NULL;
    }
    if (file->lines == NULL) {
        file->lines = dwarf_lines_open(file->elf);
    }
    return file->lines;
}

bool code_match_place(code_match *match, size_t number, uint32_t pc, dwarf_place *place)
{
    const dwarf_lines *lines = lines_of(match, number);
    if (lines == NULL || !dwarf_lines_find(lines, pc - match->pieces[number].best.distance, place)) {
        return false;
    }
    dwarf_lines_find_inlined(lines, pc - match->pieces[number].best.distance, place);
    return true;
}

dwarf_state code_match_lines(const code_match *match, size_t number)
{
    const dwarf_lines *lines =
        code_match_program(match, number) != NULL ? match->files[match->pieces[number].file].lines : NULL;
    return lines != NULL ? dwarf_lines_state(lines) : DWARF_GOOD;
}

const char *code_match_function(code_match *match, size_t number, uint32_t pc)
{
    dwarf_place place;
    const dwarf_lines *lines = lines_of(match, number);
    const bool found = lines != NULL && dwarf_lines_find(lines, pc - match->pieces[number].best.distance, &place);
    return found ? place.function : NULL;
}

void code_match_describe(code_match *match, size_t number, uint32_t pc, char *text, size_t size)
{
    dwarf_place place;
    text[0] = '\0';
    if (code_match_place(match, number, pc, &place)) {
        dwarf_place_format(&place, text, size);
    }
}
