/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of a job: read and checked together, loaded, started, and asked later what a pc means. */
#ifndef KERR_TOOLS_PROGRAMS_H
#define KERR_TOOLS_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "dwarf_lines.h"
#include "elf_ends.h"
#include "elf_load.h"
#include "job.h"
#include "kerr.h"
#include "kerr_findings.h"
#include "tool_error.h"

typedef struct programs {
    const job *of;
    elf_image *images;   /* one for each program of the job */
    dwarf_lines **lines; /* opened when first asked */
    elf_ends *ends;      /* where each may stay for good */
} programs;

/* Reads every ELF file and checks that it was linked for the cores that it is for, and that no two want the same core, or the same
 * bytes of a tile. */
bool programs_read(programs *made, const job *of, tool_error *error);
void programs_free(programs *old);
bool programs_load(const programs *loaded, kerr_chip *chip, tool_error *error);
bool programs_start(const programs *loaded, kerr_chip *chip, tool_error *error);
/* "function() at file:line", as much of it as is known; empty if nothing is.  core may be -1. */
void programs_describe(programs *loaded, kerr_xy at, int core, uint32_t pc, char *text, size_t size);
/* The name of the function alone, which lives as long as the programs; NULL if it is not known. */
const char *programs_function(programs *loaded, kerr_xy at, int core, uint32_t pc);

/* The same as data: who wants to know asks through this.  The strings live until the next question. */
typedef struct program_places {
    programs *loaded;
    char function[160];
} program_places;
void programs_place(void *places, kerr_xy at, int core, uint32_t pc, kerr_place *place); /* a kerr_place_fn */
/* Of programs that were asked for lines and have none to give: a sentence each. */
void programs_tell_of_lines(const programs *loaded, FILE *to);

#endif
