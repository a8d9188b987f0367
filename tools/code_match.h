/* SPDX-License-Identifier: Apache-2.0 */
/* Which program a piece of memory comes from: code found in L1 is looked for in ELF files by content.
 *
 * Four instructions in a row are looked up in the code sections of each file; the file and the distance for which most agree
 * win.  So a program is found wherever it was loaded, and with the instructions that a loader has changed for that (addresses,
 * far calls) as long as enough others are left. */
#ifndef KERR_TOOLS_CODE_MATCH_H
#define KERR_TOOLS_CODE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf_lines.h"

typedef struct code_match code_match;

/* NULL without memory. */
code_match *code_match_new(void);
void code_match_free(code_match *match);

/* A piece to look for, `address` where its first byte was found.  Returns its number, SIZE_MAX without memory. */
size_t code_match_want(code_match *match, uint32_t address, const void *bytes, size_t size);
/* Looks through all files *.elf below these folders, the newest first, until all is found or the time is over.  Folders that
 * are not there are none; a file in place of a folder is looked at itself. */
void code_match_search(code_match *match, const char *const *folders, size_t count, double seconds);
/* How many files were looked at. */
size_t code_match_files(const code_match *match);

/* The program of a piece as a path below its folder, NULL if none was found. */
const char *code_match_program(const code_match *match, size_t piece);
/* The function at a pc in a piece, NULL if there is none; good until the match is freed. */
const char *code_match_function(code_match *match, size_t piece, uint32_t pc);
/* Function (as it is mangled), file and line; false if nothing is known. */
bool code_match_place(code_match *match, size_t piece, uint32_t pc, dwarf_place *place);
/* What can be expected of the lines of a piece's program; DWARF_GOOD if nobody has asked. */
dwarf_state code_match_lines(const code_match *match, size_t piece);
/* "function() at file:line" of a pc in a piece; empty if nothing is known. */
void code_match_describe(code_match *match, size_t piece, uint32_t pc, char *text, size_t size);

#endif
