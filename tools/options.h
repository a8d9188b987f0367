/* SPDX-License-Identifier: Apache-2.0 */
/* The command line as data (options.def), and what reads and shows it. */
#ifndef KERR_TOOLS_OPTIONS_H
#define KERR_TOOLS_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

#include "tool_error.h"

typedef enum verb_id {
#define VERB(id, name, operands, summary, text) VERB_##id,
#include "options.def"
    VERB_COUNT
} verb_id;

typedef enum option_id {
#define OPTION(verb, id, name, letter, argument, text) OPTION_##id,
#include "options.def"
    OPTION_COUNT
} option_id;

typedef enum job_section {
    JOB_SECTION_TOP,
    JOB_SECTION_PROGRAM,
    JOB_SECTION_PRELOAD,
    JOB_SECTION_BUFFER,
    JOB_SECTION_DUMP,
    JOB_SECTION_UNTIL,
    JOB_SECTION_COUNT
} job_section;

typedef enum job_key_id {
#define JOB_KEY(section, id, key, value, text) JOB_##id,
#include "options.def"
    JOB_KEY_COUNT
} job_key_id;

enum exit_status {
    EXIT_OK = 0,
    EXIT_FAULT = 1,
    EXIT_BAD_INPUT = 2,
    EXIT_NOT_REACHED = 3,
    EXIT_HUNG = 4,
    EXIT_FINDINGS = 5,
};

typedef struct verb_row {
    const char *name, *operands, *summary, *text;
} verb_row;

typedef struct option_row {
    verb_id verb;
    char letter;
    const char *name, *argument, *text;
} option_row;

typedef struct job_key_row {
    job_section section;
    const char *key, *value, *text;
} job_key_row;

extern const verb_row verb_table[VERB_COUNT];
extern const option_row option_table[OPTION_COUNT];
extern const job_key_row job_key_table[JOB_KEY_COUNT];

/* Finds a verb by name; VERB_COUNT if there is none. */
verb_id verb_by_name(const char *name);
/* The one whose name is most like this; or NULL. */
const char *verb_near(const char *name);
/* "; did you mean BEFORENEAR?", the end of a message; nothing if near is NULL.  kerr_name_near finds it. */
const char *meant_text(char *text, size_t size, const char *before, const char *near);

/* One call for each option (value NULL if it takes none) and each operand (id OPTION_COUNT). */
typedef bool (*option_fn)(void *context, option_id id, const char *value, tool_error *error);

/* Reads the arguments behind the verb, and sees to it that the KERR_ variables make sense (kerr_environment_check).  *help is set, and nothing more read, at --help or -h. */
bool options_parse(verb_id verb, int count, char *const *arguments, option_fn fn, void *context, bool *help,
                   tool_error *error);

void options_help(FILE *to);
void options_help_verb(FILE *to, verb_id verb);
/* The same table as a man page (troff) and as docs/cli.md. */
void options_dump_man(FILE *to);
void options_dump_docs(FILE *to);

#endif
