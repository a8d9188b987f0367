/* SPDX-License-Identifier: Apache-2.0 */
/* Findings (kerr_findings.h) for people, as lines with their places in the source, and for programs, as lines of JSON. */
#ifndef KERR_TOOLS_FINDINGS_H
#define KERR_TOOLS_FINDINGS_H

#include <stdio.h>

#include "kerr_findings.h"
#include "tool_error.h"

/* Who knows where code comes from. */
typedef struct place_source {
    kerr_place_fn fn;
    void *context;
    void (*select)(void *context, uint32_t index); /* told which finding of a list is next; may be NULL */
} place_source;

/* "function() at file:line of program", as much of it as is known; `with_program`: the last part too. */
void place_format(const kerr_place *place, bool with_program, char *text, size_t size);

typedef struct finding_list {
    kerr_finding *of;
    uint32_t count, dropped; /* dropped: there was no room for them in the chip */
} finding_list;
/* All of a chip's; free with findings_free. */
bool findings_read(finding_list *made, const kerr_chip *chip, tool_error *error);
void findings_free(finding_list *old);

/* What comes under a finding's own line: source lines, the other end, the configuration field, and of one that stopped the chip the
 * last instructions.  `before` begins each line. */
void finding_details(FILE *to, const char *before, const kerr_finding *finding, const place_source *places);
/* The first `most`, and all that stopped the chip. */
void findings_print(FILE *to, const finding_list *list, uint32_t most, const place_source *places);
/* "2 findings: 1 race-l1, 1 uninit-l1; kerr explain ID says more"; nothing if there are none. */
void findings_count(FILE *to, const finding_list *list);
/* A line of JSON each; SARIF or JUnit if the name ends in .sarif or .xml.  "-" is standard output. */
bool findings_write(const char *path, const finding_list *list, const place_source *places, tool_error *error);
/* How many make a run fail that ended well: all but notes. */
uint32_t findings_that_fail(const finding_list *list);

#endif
