/* SPDX-License-Identifier: Apache-2.0 */
/* kerr dis: words, ELF files and files of raw words as instructions. */
#include <elf.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "kerr.h"
#include "listing.h"
#include "options.h"
#include "place.h"
#include "verbs.h"

enum { DIS_FILE_MAX = 256 << 20, DIS_OPERANDS_MAX = 4096 };

typedef struct dis {
    const char **operands;
    size_t count;
    listing_kind kind;
    bool raw, has_address;
    uint32_t address;
    uint64_t words, unknown; /* shown so far, and how many of them are no instruction */
} dis;

static void show(dis *d, uint64_t address, uint32_t word, listing_kind kind)
{
    d->words++;
    d->unknown += listing_line(stdout, address, word, kind) ? 0 : 1;
}

static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* ---- ELF files --------------------------------------------------------------------------------------------------- */

typedef struct label {
    uint32_t address;
    const char *name;
} label;

typedef struct labels {
    label *list;
    size_t count;
} labels;

static int by_address(const void *a, const void *b)
{
    const label *left = a, *right = b;
    if (left->address != right->address) {
        return left->address < right->address ? -1 : 1;
    }
    return strcmp(left->name, right->name);
}

/* Names of functions and places in code.  A file without symbols has none. */
static bool read_labels(Elf *elf, labels *made, tool_error *error)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr header;
        Elf_Data *data = NULL;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB ||
            (data = elf_getdata(section, NULL)) == NULL) {
            continue;
        }
        const size_t count = data->d_size / sizeof(Elf32_Sym);
        label *list = realloc(made->list, (made->count + count + 1) * sizeof *list);
        if (list == NULL) {
            return tool_fail(error, "out of memory");
        }
        made->list = list;
        for (size_t i = 0; i < count; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(data, (int)i, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF) {
                continue;
            }
            const unsigned type = GELF_ST_TYPE(symbol.st_info);
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name != NULL && name[0] != '\0' && name[0] != '$' && (type == STT_FUNC || type == STT_NOTYPE)) {
                made->list[made->count++] = (label){.address = (uint32_t)symbol.st_value, .name = name};
            }
        }
    }
    if (made->count > 1) {
        qsort(made->list, made->count, sizeof *made->list, by_address);
    }
    return true;
}

static void show_section(dis *d, const char *name, uint32_t address, const unsigned char *bytes, size_t size,
                         const labels *named)
{
    size_t next = 0, end = size & ~(size_t)3;
    while (end >= 4 && word_at(bytes + end - 4) == 0) { /* what linkers fill a section up with is no mistake */
        end -= 4;
    }
    (void)printf("\nsection %s, %zu bytes at 0x%08" PRIx32 "\n", name, size, address);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        const uint32_t at = address + (uint32_t)i;
        while (next < named->count && named->list[next].address < at) {
            next++;
        }
        for (; next < named->count && named->list[next].address == at; next++) {
            (void)printf("\n%08" PRIx32 " <%s>:\n", at, named->list[next].name);
        }
        if (i < end) {
            show(d, at, word_at(bytes + i), LISTING_RISCV);
        } else {
            (void)printf("%8" PRIx32 ":  .word 0x00000000\n", at);
        }
    }
    for (size_t i = size & ~(size_t)3; i < size; i++) {
        (void)printf("%8" PRIx32 ":  .byte 0x%02x\n", address + (uint32_t)i, bytes[i]);
        d->unknown++;
    }
}

/* Every section with code, whatever the mapping symbols say: Tensix instructions may have been written as data. */
static bool show_sections(dis *d, const char *path, Elf *elf, tool_error *error)
{
    GElf_Ehdr header;
    size_t names = 0, found = 0;
    labels named = {NULL, 0};
    Elf_Scn *section = NULL;
    if (gelf_getehdr(elf, &header) == NULL || elf_getshdrstrndx(elf, &names) != 0) {
        return tool_fail(error, "%s: is a damaged ELF file: %s", path, elf_errmsg(-1));
    }
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_RISCV) {
        return tool_fail(error, "%s: is not a 32-bit little-endian RISC-V file", path);
    }
    if (!read_labels(elf, &named, error)) {
        free(named.list);
        return false;
    }
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr about;
        Elf_Data *data = NULL;
        if (gelf_getshdr(section, &about) == NULL || (about.sh_flags & SHF_EXECINSTR) == 0 ||
            about.sh_type != SHT_PROGBITS || (data = elf_rawdata(section, NULL)) == NULL || data->d_buf == NULL) {
            continue;
        }
        const char *name = elf_strptr(elf, names, about.sh_name);
        found++;
        show_section(d, name == NULL ? "?" : name, (uint32_t)about.sh_addr, data->d_buf, data->d_size, &named);
    }
    free(named.list);
    return found > 0 || tool_fail(error, "%s: has no section with code", path);
}

static bool show_elf(dis *d, const char *path, char *bytes, size_t size, tool_error *error)
{
    if (elf_version(EV_CURRENT) == EV_NONE) {
        return tool_fail(error, "libelf: %s", elf_errmsg(-1));
    }
    Elf *elf = elf_memory(bytes, size);
    if (elf == NULL || elf_kind(elf) != ELF_K_ELF) {
        (void)elf_end(elf);
        return tool_fail(error, "%s: is a damaged ELF file", path);
    }
    (void)printf("%s\n", path);
    const bool ok = show_sections(d, path, elf, error);
    (void)elf_end(elf);
    return ok;
}

static bool show_file(dis *d, const char *path, tool_error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    bool ok = true;
    if (!file_read(path, DIS_FILE_MAX, &bytes, &size, error)) {
        return false;
    }
    if (d->raw) {
        if (size % 4 != 0) {
            ok = tool_fail(error, "%s: has %zu bytes, which is not a multiple of 4", path, size);
        }
        for (size_t i = 0; ok && i < size; i += 4) {
            show(d, d->address + i, word_at((const unsigned char *)bytes + i), d->kind);
        }
    } else if (size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0) {
        ok = show_elf(d, path, bytes, size, error);
    } else {
        ok = tool_fail(error, "%s: is not an ELF file; --raw takes it as words", path);
    }
    free(bytes);
    return ok;
}

/* ---- The verb ---------------------------------------------------------------------------------------------------- */

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    dis *d = context;
    switch ((unsigned)id) {
    case OPTION_DIS_RISCV: d->kind = LISTING_RISCV; return true;
    case OPTION_DIS_RAW: d->raw = true; return true;
    case OPTION_DIS_ADDRESS:
        d->has_address = true;
        return parse_number32(value, &d->address, error) || tool_fail_at(error, "--address: ");
    default: break;
    }
    if (d->count == DIS_OPERANDS_MAX) {
        return tool_fail(error, "more than %d words and files", DIS_OPERANDS_MAX);
    }
    d->operands[d->count++] = value;
    return true;
}

static bool is_number(const char *text)
{
    return text[0] >= '0' && text[0] <= '9';
}

static bool show_all(dis *d, tool_error *error)
{
    if (d->count == 0) {
        return tool_fail(error, "nothing to do: give words, or a file");
    }
    for (size_t i = 0; i < d->count; i++) {
        uint32_t word = 0;
        if (d->raw || !is_number(d->operands[i])) {
            if (!show_file(d, d->operands[i], error)) {
                return false;
            }
            continue;
        }
        if (!parse_number32(d->operands[i], &word, error)) {
            return false;
        }
        if (d->has_address) {
            show(d, d->address, word, d->kind);
        } else {
            d->unknown += listing_word(stdout, 0, word, d->kind) ? 0 : 1;
            (void)putchar('\n');
        }
        d->address += 4;
    }
    return true;
}

int dis_main(int count, char *const *arguments)
{
    const char *operands[DIS_OPERANDS_MAX];
    dis d = {.operands = operands, .kind = LISTING_TENSIX};
    tool_error error;
    bool help = false;
    if (!options_parse(VERB_DIS, count, arguments, take_argument, &d, &help, &error)) {
        return verb_refuse(VERB_DIS, &error);
    }
    if (help) {
        options_help_verb(stdout, VERB_DIS);
        return EXIT_OK;
    }
    if (!show_all(&d, &error)) {
        return verb_refuse(VERB_DIS, &error);
    }
    if (d.unknown > 0) {
        (void)fflush(stdout);
        (void)fprintf(stderr, "kerr dis: %" PRIu64 " %s no instruction\n", d.unknown,
                      d.unknown == 1 ? "word is" : "words are");
        return EXIT_FAULT;
    }
    return EXIT_OK;
}
