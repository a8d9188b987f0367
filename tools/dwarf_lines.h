/* SPDX-License-Identifier: Apache-2.0 */
/* From an address in an ELF file to function, source file and line, as far as the file knows them. */
#ifndef KERR_TOOLS_DWARF_LINES_H
#define KERR_TOOLS_DWARF_LINES_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

#include "tool_error.h"

typedef struct dwarf_lines dwarf_lines;

/* Reads the line tables and the symbols.  NULL without memory; a file without them gives an empty one.  Borrows elf,
 * which must live longer. */
dwarf_lines *dwarf_lines_open(Elf *elf);
void dwarf_lines_close(dwarf_lines *lines);

/* What can be expected of it. */
typedef enum dwarf_state {
    DWARF_GOOD,
    DWARF_NONE,   /* the file has no line numbers */
    DWARF_BROKEN, /* it has, and (a part of) them cannot be read */
} dwarf_state;
dwarf_state dwarf_lines_state(const dwarf_lines *lines);
/* The names in a mangled one of C++, with :: between; others as they are. */
void dwarf_demangle(const char *name, char *text, size_t size);

typedef struct dwarf_place {
    const char *function; /* or NULL */
    const char *file;     /* or NULL */
    int line;             /* 0 if unknown */
    const char *from;     /* if the function was inlined, the file of the call in the function that was not; or NULL */
    int from_line;
} dwarf_place;
/* False if nothing is known about the address. */
bool dwarf_lines_find(const dwarf_lines *lines, uint32_t address, dwarf_place *place);
/* Adds to a place that was found: the innermost function if it was inlined, and where the outermost one is called.  Slow. */
void dwarf_lines_find_inlined(const dwarf_lines *lines, uint32_t address, dwarf_place *place);
/* "function() at file:line", as much of it as is known. */
void dwarf_place_format(const dwarf_place *place, char *text, size_t size);

#endif
