/* SPDX-License-Identifier: Apache-2.0 */
#include "elf_ends.h"

#include <gelf.h>
#include <stdio.h>
#include <string.h>

#include "place.h"

enum { INSTRUCTION = 4 };
static const char end_name[] = "__kerr_end", idle_name[] = "__kerr_idle", core_name[] = "__kerr_core";

typedef bool (*symbol_fn)(void *context, const char *name, const GElf_Sym *symbol, tool_error *error);

/* Symbols that are defined, until fn returns false. */
static bool each_symbol(const elf_image *image, symbol_fn fn, void *context, tool_error *error)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(image->elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) {
            continue;
        }
        Elf_Data *data = elf_getdata(section, NULL);
        const size_t count = data == NULL ? 0 : header.sh_size / header.sh_entsize;
        for (size_t i = 0; i < count; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(data, (int)i, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF) {
                continue;
            }
            const char *name = elf_strptr(image->elf, header.sh_link, symbol.st_name);
            if (name != NULL && name[0] != '\0' && !fn(context, name, &symbol, error)) {
                return false;
            }
        }
    }
    return true;
}

static bool add(elf_ends *ends, const char *program, uint32_t first, uint32_t size, tool_error *error)
{
    for (size_t i = 0; i < ends->count; i++) {
        if (ends->of[i].first == first && ends->of[i].size == size) {
            return true;
        }
    }
    if (ends->count == KERR_ENDS_MAX) {
        return tool_fail(error, "%s: names more than %d places where a core may stay", program, KERR_ENDS_MAX);
    }
    ends->of[ends->count++] = (kerr_code){.first = first, .size = size == 0 ? INSTRUCTION : size};
    return true;
}

/* Where it was linked and, should that differ, where it is loaded. */
static bool add_linked(elf_ends *ends, const elf_image *image, uint32_t first, uint32_t size, tool_error *error)
{
    const uint32_t loaded = elf_image_loaded(image, first);
    return add(ends, image->name, first, size, error) &&
           (loaded == first || add(ends, image->name, loaded, size, error));
}

typedef struct wanted {
    const elf_image *image;
    const char *name; /* NULL: those that a program names itself */
    elf_ends *ends;
    bool found;
} wanted;

static bool take_end(void *context, const char *name, const GElf_Sym *symbol, tool_error *error)
{
    wanted *w = context;
    const bool takes = w->name != NULL ? strcmp(name, w->name) == 0
                                       : strncmp(name, end_name, strlen(end_name)) == 0 ||
                                             strncmp(name, idle_name, strlen(idle_name)) == 0;
    w->found = w->found || takes;
    return !takes || add_linked(w->ends, w->image, (uint32_t)symbol->st_value, (uint32_t)symbol->st_size, error);
}

bool elf_image_ends(const elf_image *image, elf_ends *ends, tool_error *error)
{
    wanted w = {.image = image, .ends = ends};
    *ends = (elf_ends){.count = 0};
    return each_symbol(image, take_end, &w, error);
}

bool elf_image_add_end(const elf_image *image, const char *text, elf_ends *ends, bool *found, tool_error *error)
{
    *found = true;
    if (text[0] >= '0' && text[0] <= '9') {
        char first_text[64];
        uint32_t first = 0, size = INSTRUCTION;
        const char *plus = strchr(text, '+');
        (void)snprintf(first_text, sizeof first_text, "%.*s", plus == NULL ? 63 : (int)(plus - text), text);
        return parse_number32(first_text, &first, error) && (plus == NULL || parse_number32(plus + 1, &size, error)) &&
               add_linked(ends, image, first, size, error);
    }
    wanted w = {.image = image, .name = text, .ends = ends};
    const bool good = each_symbol(image, take_end, &w, error);
    *found = w.found;
    return good;
}

static bool take_core(void *context, const char *name, const GElf_Sym *symbol, tool_error *error)
{
    (void)error;
    if (strcmp(name, core_name) == 0 && symbol->st_value < KERR_CORE_COUNT) {
        *(int *)context = (int)symbol->st_value;
    }
    return true;
}

bool elf_image_core(const elf_image *image, kerr_core *core)
{
    int number = -1;
    tool_error ignored;
    (void)each_symbol(image, take_core, &number, &ignored);
    *core = (kerr_core)(number < 0 ? 0 : number);
    return number >= 0;
}
