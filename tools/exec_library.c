/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_library.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(EXEC_PATH >= PATH_MAX, "realpath writes that much");

/* Whether a section of dynamic symbols has the first call of the ABI. */
static bool has_init(Elf *elf, Elf_Scn *section)
{
    GElf_Shdr header;
    GElf_Sym symbol;
    if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_DYNSYM || header.sh_entsize == 0) {
        return false;
    }
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data != NULL && i < header.sh_size / header.sh_entsize; i++) {
        const char *name =
            gelf_getsym(data, (int)i, &symbol) != NULL ? elf_strptr(elf, header.sh_link, symbol.st_name) : NULL;
        if (name != NULL && symbol.st_shndx != SHN_UNDEF && strcmp(name, "libttsim_init") == 0) {
            return true;
        }
    }
    return false;
}

/* A program would only say that it cannot load it, in words of its own. */
static bool is_drop_in(const char *path, tool_error *error)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    (void)elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    bool found = false;
    for (Elf_Scn *section = elf != NULL ? elf_nextscn(elf, NULL) : NULL; section != NULL && !found;
         section = elf_nextscn(elf, section)) {
        found = has_init(elf, section);
    }
    (void)elf_end(elf);
    (void)close(file);
    return found || tool_fail(error, "%s: is no library of a simulator: it has no libttsim_init", path);
}

bool exec_library_find(const char *given, char path[EXEC_PATH], tool_error *error)
{
    static const char *const places[] = {"sim/libttsim.so", "../lib/kerr/sim/libttsim.so"};
    if (given != NULL) {
        return (realpath(given, path) != NULL || tool_fail(error, "--library: %s: %s", given, strerror(errno))) &&
               (is_drop_in(path, error) || tool_fail_at(error, "--library"));
    }
    char own[PATH_MAX], place[PATH_MAX + 64];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    char *slash = length > 0 ? memrchr(own, '/', (size_t)length) : NULL;
    if (slash == NULL) {
        return tool_fail(error, "cannot find out where this command is; give --library");
    }
    slash[1] = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        (void)snprintf(place, sizeof place, "%s%s", own, places[i]);
        if (realpath(place, path) != NULL) {
            return true;
        }
    }
    return tool_fail(error, "%s%s is not there; give --library", own, places[0]);
}
