/* SPDX-License-Identifier: Apache-2.0 */
/* All line tables of a file are flattened into one array, sorted by address.  libdw's own search by address needs
 * .debug_aranges, which clang leaves out. */
#include "dwarf_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct line_row {
    uint32_t address;
    int line; /* 0: the end of a sequence */
    uint32_t order;
    const char *file;
} line_row;

typedef struct function_row {
    uint32_t address, size;
    const char *name;
} function_row;

struct dwarf_lines {
    Dwarf *dwarf;
    line_row *rows;
    size_t row_count, row_room;
    function_row *functions;
    size_t function_count;
    bool broken;
};

static bool push_row(dwarf_lines *lines, line_row row)
{
    if (lines->row_count == lines->row_room) {
        const size_t room = lines->row_room == 0 ? 1024 : lines->row_room * 2;
        line_row *more = realloc(lines->rows, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        lines->rows = more;
        lines->row_room = room;
    }
    lines->rows[lines->row_count++] = row;
    return true;
}

static bool read_unit(dwarf_lines *lines, Dwarf_Die *unit)
{
    Dwarf_Lines *table;
    size_t count;
    if (dwarf_getsrclines(unit, &table, &count) != 0) { /* the others may still help */
        lines->broken = lines->broken || dwarf_hasattr(unit, DW_AT_stmt_list) != 0;
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(table, i);
        Dwarf_Addr address;
        int number = 0;
        bool end = false;
        if (line == NULL || dwarf_lineaddr(line, &address) != 0 || address > UINT32_MAX) {
            continue;
        }
        (void)dwarf_lineendsequence(line, &end);
        (void)dwarf_lineno(line, &number);
        const line_row row = {(uint32_t)address, end ? 0 : number, (uint32_t)lines->row_count,
                              dwarf_linesrc(line, NULL, NULL)};
        if (!push_row(lines, row)) {
            return false;
        }
    }
    return true;
}

/* By address; at the same address an end of a sequence first, so that the one that begins there wins;
 * else the last of the table. */
static int compare_rows(const void *a, const void *b)
{
    const line_row *p = a, *q = b;
    if (p->address != q->address) {
        return p->address < q->address ? -1 : 1;
    }
    const int end = (p->line != 0) - (q->line != 0);
    return end != 0 ? end : (p->order > q->order) - (p->order < q->order);
}

static int compare_functions(const void *a, const void *b)
{
    const function_row *p = a, *q = b;
    return (p->address > q->address) - (p->address < q->address);
}

static void read_symbols(dwarf_lines *lines, Elf *elf)
{
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) {
            continue;
        }
        Elf_Data *data = elf_getdata(section, NULL);
        const size_t count = (size_t)(header.sh_size / header.sh_entsize);
        if (data == NULL || count > data->d_size / sizeof(Elf32_Sym)) {
            continue;
        }
        lines->functions = calloc(count > 0 ? count : 1, sizeof *lines->functions);
        for (size_t i = 0; lines->functions != NULL && i < count && i <= INT32_MAX; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(data, (int)i, &symbol) == NULL || GELF_ST_TYPE(symbol.st_info) != STT_FUNC) {
                continue;
            }
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name != NULL) {
                lines->functions[lines->function_count++] =
                    (function_row){(uint32_t)symbol.st_value, (uint32_t)symbol.st_size, name};
            }
        }
        break; /* an executable has one symbol table */
    }
}

static bool has_section(Elf *elf, const char *wanted)
{
    size_t names;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL && elf_getshdrstrndx(elf, &names) == 0;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name != NULL && strcmp(name, wanted) == 0) {
            return true;
        }
    }
    return false;
}

dwarf_state dwarf_lines_state(const dwarf_lines *lines)
{
    return lines->broken ? DWARF_BROKEN : lines->row_count == 0 ? DWARF_NONE : DWARF_GOOD;
}

dwarf_lines *dwarf_lines_open(Elf *elf)
{
    dwarf_lines *lines = calloc(1, sizeof *lines);
    if (lines == NULL) {
        return NULL;
    }
    read_symbols(lines, elf);
    lines->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    int more = lines->dwarf != NULL ? 0 : has_section(elf, ".debug_info") ? -1 : 1;
    while (more == 0 && (more = dwarf_get_units(lines->dwarf, cu, &cu, NULL, NULL, &unit, NULL)) == 0) {
        if (!read_unit(lines, &unit)) {
            break;
        }
    }
    lines->broken = lines->broken || more < 0 || (lines->row_count == 0 && has_section(elf, ".debug_line"));
    if (lines->rows != NULL) {
        qsort(lines->rows, lines->row_count, sizeof *lines->rows, compare_rows);
    }
    if (lines->functions != NULL) {
        qsort(lines->functions, lines->function_count, sizeof *lines->functions, compare_functions);
    }
    return lines;
}

void dwarf_lines_close(dwarf_lines *lines)
{
    if (lines == NULL) {
        return;
    }
    if (lines->dwarf != NULL) {
        (void)dwarf_end(lines->dwarf);
    }
    free(lines->rows);
    free(lines->functions);
    free(lines);
}

/* ---- Inlined functions -------------------------------------------------------------------------------------------- */

/* Not one of assembler: nothing is inlined there, and its end is that before the linker has made it shorter. */
static bool find_unit(const dwarf_lines *lines, uint32_t address, Dwarf_Die *unit)
{
    Dwarf_CU *cu = NULL;
    while (lines->dwarf != NULL && dwarf_get_units(lines->dwarf, cu, &cu, NULL, NULL, unit, NULL) == 0) {
        if (dwarf_srclang(unit) != DW_LANG_Mips_Assembler && dwarf_haspc(unit, address) == 1) {
            return true;
        }
    }
    return false;
}

static bool find_call(Dwarf_Die *unit, Dwarf_Die *inlined, dwarf_place *place)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files *files;
    size_t count = 0;
    const char *name = dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) == 0 &&
                               dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0 &&
                               dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count && line <= INT32_MAX
                           ? dwarf_filesrc(files, (size_t)file, NULL, NULL)
                           : NULL;
    place->from = name;
    place->from_line = name != NULL ? (int)line : 0;
    return name != NULL;
}

void dwarf_lines_find_inlined(const dwarf_lines *lines, uint32_t address, dwarf_place *place)
{
    Dwarf_Die unit, *around = NULL, *scopes = NULL;
    const char *inner = NULL;
    if (!find_unit(lines, address, &unit)) {
        return;
    }
    /* From an inlined function dwarf_getscopes goes on to where it was written, and leaves out into what it was inlined. */
    int count = dwarf_getscopes(&unit, address, &around);
    if (count > 0) {
        count = dwarf_getscopes_die(&around[0], &scopes);
    }
    free(around);
    for (int i = 0; i < count; i++) {
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram) {
            break;
        }
        if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine) {
            inner = inner == NULL ? dwarf_diename(&scopes[i]) : inner;
            (void)find_call(&unit, &scopes[i], place);
        }
    }
    free(scopes);
    if (inner != NULL && place->from != NULL) {
        place->function = inner;
    }
}

bool dwarf_lines_find(const dwarf_lines *lines, uint32_t address, dwarf_place *place)
{
    *place = (dwarf_place){.line = 0};
    /* The last row at or before the address. */
    size_t low = 0, high = lines->row_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (lines->rows[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low > 0 && lines->rows[low - 1].line != 0 && lines->rows[low - 1].file != NULL) {
        place->file = lines->rows[low - 1].file;
        place->line = lines->rows[low - 1].line;
    }
    for (size_t i = lines->function_count; i > 0; i--) {
        const function_row *function = &lines->functions[i - 1];
        /* Hand-written assembly often gives no size: take the nearest label before. */
        if (address >= function->address && (function->size == 0 || address - function->address < function->size)) {
            place->function = function->name;
            break;
        }
    }
    return place->file != NULL || place->function != NULL;
}

/* Templates' and functions' arguments are left out.  What is not understood stays as it is. */
void dwarf_demangle(const char *name, char *text, size_t size)
{
    (void)snprintf(text, size, "%s", name);
    const char *at = name;
    if (strncmp(at, "_Z", 2) != 0) {
        return;
    }
    at += 2 + strspn(at + 2, "NKL");
    size_t used = 0;
    while (*at >= '1' && *at <= '9') {
        char *end;
        const unsigned long length = strtoul(at, &end, 10);
        if (length > strlen(end)) {
            break;
        }
        const int n = snprintf(text + used, size - used, "%s%.*s", used > 0 ? "::" : "", (int)length, end);
        used += n < 0 ? 0 : (size_t)n;
        if (used >= size) {
            return;
        }
        at = end + length;
    }
}

void dwarf_place_format(const dwarf_place *place, char *text, size_t size)
{
    int length = 0;
    text[0] = '\0';
    if (place->function != NULL) {
        char name[160];
        dwarf_demangle(place->function, name, sizeof name);
        length = snprintf(text, size, "%s()", name);
    }
    if (place->file != NULL && length >= 0 && (size_t)length < size) {
        length += snprintf(text + length, size - (size_t)length, "%s%s:%d", length > 0 ? " at " : "", place->file,
                           place->line);
    }
    if (place->from != NULL && length >= 0 && (size_t)length < size) {
        (void)snprintf(text + length, size - (size_t)length, ", called at %s:%d", place->from, place->from_line);
    }
}
