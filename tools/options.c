/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a command line by the table in options.def, and shows the table as help, man page and Markdown. */
#include "options.h"

#include <ctype.h>
#include <string.h>

#include "kerr.h"
#include "kerr_findings.h"

const verb_row verb_table[VERB_COUNT] = {
#define VERB(id, name, operands, summary, text) [VERB_##id] = {name, operands, summary, text},
#include "options.def"
};

const option_row option_table[OPTION_COUNT] = {
#define OPTION(verb, id, name, letter, argument, text) [OPTION_##id] = {VERB_##verb, letter, name, argument, text},
#include "options.def"
};

const job_key_row job_key_table[JOB_KEY_COUNT] = {
#define JOB_KEY(section, id, key, value, text) [JOB_##id] = {JOB_SECTION_##section, key, value, text},
#include "options.def"
};

static const struct {
    int number;
    const char *text;
} status_table[] = {
#define STATUS(number, text) {number, text},
#include "options.def"
};

static const char *const job_section_titles[JOB_SECTION_COUNT] = {
    [JOB_SECTION_TOP] = "Keys of the file",
    [JOB_SECTION_PROGRAM] = "Keys of an item of programs",
    [JOB_SECTION_PRELOAD] = "Keys of an item of preload (file, words or fill with size)",
    [JOB_SECTION_BUFFER] = "Keys of an item of buffers",
    [JOB_SECTION_DUMP] = "Keys of an item of dump",
    [JOB_SECTION_UNTIL] = "Keys of until, or of its items (idle; tile, address and eq or ne; tile, core and state)",
};

static const char job_text[] =
    "A job file is a YAML map with the keys below and no others. Paths in it are relative to the file itself. Inside "
    "{ } or [ ] a tile needs quotes, because of its comma: {tile: \"1,2\", address: 0x10000}. Anchors and aliases "
    "are refused. Example:"
    "\n    cycles: 10M"
    "\n    programs:"
    "\n      - elf: worker.elf"
    "\n        tiles: 1-16,2-11"
    "\n        cores: [B, NC]"
    "\n    preload:"
    "\n      - {tile: \"1,2\", address: 0x10000, words: [1, 2, 3]}"
    "\n    until: {tile: \"1,2\", address: 0x10010, eq: 1}"
    "\n    dump:"
    "\n      - {tile: all, address: 0x20000, size: 4096, file: out.bin}";

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

verb_id verb_by_name(const char *name)
{
    unsigned i = 0;
    while (i < VERB_COUNT && strcmp(verb_table[i].name, name) != 0) {
        i++;
    }
    return (verb_id)i;
}

const char *meant_text(char *text, size_t size, const char *before, const char *near)
{
    text[0] = '\0';
    if (near != NULL) {
        (void)snprintf(text, size, "; did you mean %s%s?", before, near);
    }
    return text;
}

const char *verb_near(const char *name)
{
    const char *names[VERB_COUNT];
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        names[i] = verb_table[i].name;
    }
    return kerr_name_near(name, names, VERB_COUNT);
}

/* ---- Reading --------------------------------------------------------------------------------------------- */

static option_id find_long(verb_id verb, const char *name, size_t length)
{
    unsigned i = 0;
    while (i < OPTION_COUNT && !(option_table[i].verb == verb && strlen(option_table[i].name) == length &&
                                 memcmp(option_table[i].name, name, length) == 0)) {
        i++;
    }
    return (option_id)i;
}

static option_id find_letter(verb_id verb, char letter)
{
    unsigned i = 0;
    while (i < OPTION_COUNT && !(option_table[i].verb == verb && option_table[i].letter == letter)) {
        i++;
    }
    return (option_id)i;
}

/* What is wrong with an option that the verb does not have, with the one that is most like it. */
static bool refuse_option(verb_id verb, const char *argument, tool_error *error)
{
    const char *names[OPTION_COUNT];
    char given[64], meant[96];
    size_t count = 0;
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        if (option_table[i].verb == verb) {
            names[count++] = option_table[i].name;
        }
    }
    (void)snprintf(given, sizeof given, "%.*s", (int)strcspn(argument, "="), argument);
    const char *name = given + strspn(given, "-");
    /* -x is one letter, and near to nothing. */
    const char *near = given[1] == '-' || strlen(name) > 2 ? kerr_name_near(name, names, count) : NULL;
    return tool_fail(error, "unknown option '%s'%s; see kerr %s --help", argument,
                     meant_text(meant, sizeof meant, "--", near), verb_table[verb].name);
}

/* Whether an argument asks for help, given that it is read as an option. */
static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

bool options_parse(verb_id verb, int count, char *const *arguments, option_fn fn, void *context, bool *help,
                   tool_error *error)
{
    bool options_over = false;
    *help = false;
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        if (options_over || argument[0] != '-' || argument[1] == '\0') {
            options_over = options_over || verb == VERB_EXEC; /* what follows is the program's */
            if (!fn(context, OPTION_COUNT, argument, error)) {
                return false;
            }
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            options_over = true;
            continue;
        }
        if (is_help(argument)) {
            *help = true;
            return true;
        }
        option_id id;
        const char *value = NULL;
        if (argument[1] == '-') {
            const size_t length = strcspn(argument + 2, "=");
            id = find_long(verb, argument + 2, length);
            if (argument[2 + length] == '=') {
                value = argument + 2 + length + 1;
            }
        } else {
            id = find_letter(verb, argument[1]);
            if (argument[2] != '\0') {
                value = argument + 2;
            }
        }
        if (id == OPTION_COUNT) {
            return refuse_option(verb, argument, error);
        }
        const option_row *found = &option_table[id];
        if (found->argument == NULL && value != NULL) {
            return tool_fail(error, "--%s takes no value, but got '%s'", found->name, value);
        }
        if (found->argument != NULL && found->argument[0] != '[' && value == NULL) {
            if (i + 1 >= count) {
                return tool_fail(error, "--%s needs a value: %s", found->name, found->argument);
            }
            value = arguments[++i];
        }
        if (!fn(context, id, value, error)) {
            return tool_fail_at(error, "--%s", found->name);
        }
    }
    kerr_text_error wrong;
    return kerr_environment_check(&wrong) || tool_fail(error, "%s", wrong.text);
}

/* ---- Plain text ------------------------------------------------------------------------------------------ */

enum { WIDTH = 80 };

/* Puts text out in lines of at most WIDTH columns behind an indent.  "\n\n" begins a paragraph, "\n    " a line
 * shown as it is. */
static void put_wrapped(FILE *to, const char *text, int indent)
{
    int column = 0;
    while (*text != '\0') {
        if (text[0] == '\n' && text[1] == '\n') {
            (void)fprintf(to, "\n\n");
            column = 0;
            text += 2;
        } else if (*text == '\n') {
            const int length = (int)strcspn(text + 1, "\n");
            (void)fprintf(to, "\n%*s%.*s", indent, "", length, text + 1);
            column = WIDTH;
            text += 1 + length;
        } else if (*text == ' ') {
            text++;
        } else {
            const int length = (int)strcspn(text, " \n");
            if (column == 0) {
                (void)fprintf(to, "%*s%.*s", indent, "", length, text);
                column = indent + length;
            } else if (column + 1 + length > WIDTH) {
                (void)fprintf(to, "\n%*s%.*s", indent, "", length, text);
                column = indent + length;
            } else {
                (void)fprintf(to, " %.*s", length, text);
                column += 1 + length;
            }
            text += length;
        }
    }
    (void)fprintf(to, "\n");
}

/* "[=VALUE]" may be left out, and stands without a blank. */
static const char *before_argument(const char *argument)
{
    return argument != NULL && argument[0] != '[' ? " " : "";
}

static void put_option(FILE *to, const option_row *shown)
{
    (void)fprintf(to, "  ");
    if (shown->letter != 0) {
        (void)fprintf(to, "-%c, ", shown->letter);
    }
    (void)fprintf(to, "--%s%s%s\n", shown->name, before_argument(shown->argument),
                  shown->argument != NULL ? shown->argument : "");
    put_wrapped(to, shown->text, 6);
}

static void put_environment(FILE *to)
{
    (void)fprintf(to, "\nExit status:\n");
    for (size_t i = 0; i < COUNT_OF(status_table); i++) {
        (void)fprintf(to, "  %d\n", status_table[i].number);
        put_wrapped(to, status_table[i].text, 6);
    }
    (void)fprintf(to, "\nEnvironment:\n");
    kerr_variable variable;
    for (uint32_t i = 0; kerr_variable_at(i, &variable); i++) {
        (void)fprintf(to, "  %s=%s\n", variable.name, variable.value);
        put_wrapped(to, variable.text, 6);
    }
}

void options_help(FILE *to)
{
    (void)fprintf(to, "Kerr %s: a Tenstorrent Blackhole in software.\n\nusage: kerr VERB [options] [operands]\n\n",
                  kerr_version());
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        (void)fprintf(to, "  %-8s %s\n", verb_table[i].name, verb_table[i].summary);
    }
    (void)fprintf(to, "\n  kerr VERB --help or kerr help VERB says more; kerr --version prints the version.\n");
    put_environment(to);
}

static void put_usage(FILE *to, verb_id verb)
{
    (void)fprintf(to, "kerr %s [options]%s%s\n", verb_table[verb].name, verb_table[verb].operands[0] != '\0' ? " " : "",
                  verb_table[verb].operands);
}

void options_help_verb(FILE *to, verb_id verb)
{
    (void)fprintf(to, "usage: ");
    put_usage(to, verb);
    (void)fprintf(to, "\n");
    put_wrapped(to, verb_table[verb].text, 0);
    (void)fprintf(to, "\nOptions:\n");
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        if (option_table[i].verb == verb) {
            put_option(to, &option_table[i]);
        }
    }
    (void)fprintf(to, "  -h, --help\n      Show this.\n");
    if (verb == VERB_RUN) {
        (void)fprintf(to, "\nJob files:\n");
        put_wrapped(to, job_text, 2);
        for (unsigned s = 0; s < JOB_SECTION_COUNT; s++) {
            (void)fprintf(to, "\n  %s:\n", job_section_titles[s]);
            for (unsigned i = 0; i < JOB_KEY_COUNT; i++) {
                if (job_key_table[i].section == s) {
                    (void)fprintf(to, "    %-9s %-13s %s\n", job_key_table[i].key, job_key_table[i].value,
                                  job_key_table[i].text);
                }
            }
        }
    }
    put_environment(to);
}

/* ---- Man page -------------------------------------------------------------------------------------------- */

/* One line of troff text: backslashes and hyphens escaped, and no line that begins with a dot or quote. */
static void put_troff_piece(FILE *to, const char *text, size_t length)
{
    if (length > 0 && (text[0] == '.' || text[0] == '\'')) {
        (void)fputs("\\&", to);
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\') {
            (void)fputs("\\e", to);
        } else if (text[i] == '-') {
            (void)fputs("\\-", to);
        } else {
            (void)fputc(text[i], to);
        }
    }
}

static void put_troff(FILE *to, const char *text)
{
    bool verbatim = false;
    while (*text != '\0') {
        if (text[0] == '\n' && text[1] == '\n') {
            (void)fprintf(to, "%s\n.PP\n", verbatim ? "\n.EE" : "");
            verbatim = false;
            text += 2;
        } else if (*text == '\n') {
            (void)fprintf(to, "%s\n", verbatim ? "" : "\n.PP\n.EX");
            verbatim = true;
            const size_t length = strcspn(text + 1, "\n");
            put_troff_piece(to, text + 1, length);
            text += 1 + length;
        } else {
            const size_t length = strcspn(text, "\n");
            put_troff_piece(to, text, length);
            text += length;
        }
    }
    (void)fprintf(to, "%s\n", verbatim ? "\n.EE" : "");
}

static void put_troff_item(FILE *to, const char *name, const char *value, const char *separator)
{
    (void)fprintf(to, ".TP\n\\fB");
    put_troff_piece(to, name, strlen(name));
    (void)fprintf(to, "\\fR");
    if (value != NULL) {
        (void)fprintf(to, "%s\\fI", separator);
        put_troff_piece(to, value, strlen(value));
        (void)fprintf(to, "\\fR");
    }
    (void)fprintf(to, "\n");
}

void options_dump_man(FILE *to)
{
    (void)fprintf(to,
                  ".\\\" SPDX-License-Identifier: Apache-2.0\n"
                  ".\\\" Made from tools/options.def by make cli-docs; do not edit.\n"
                  ".TH KERR 1 \"\" \"Kerr %s\" \"User Commands\"\n"
                  ".SH NAME\nkerr \\- a Tenstorrent Blackhole in software\n.SH SYNOPSIS\n",
                  kerr_version());
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        (void)fprintf(to, "%s\\fBkerr %s\\fR [\\fIoptions\\fR]%s%s\n", i > 0 ? ".br\n" : "", verb_table[i].name,
                      verb_table[i].operands[0] != '\0' ? " " : "", verb_table[i].operands);
    }
    (void)fprintf(to, ".br\n\\fBkerr help\\fR [\\fIVERB\\fR]\n.br\n\\fBkerr \\-\\-version\\fR\n");
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        (void)fprintf(to, ".SH KERR ");
        for (const char *c = verb_table[i].name; *c != '\0'; c++) {
            (void)fputc(toupper((unsigned char)*c), to);
        }
        (void)fprintf(to, "\n");
        put_troff(to, verb_table[i].text);
        for (unsigned k = 0; k < OPTION_COUNT; k++) {
            const option_row *shown = &option_table[k];
            if (shown->verb == i) {
                char name[64];
                if (shown->letter != 0) {
                    (void)snprintf(name, sizeof name, "-%c, --%s", shown->letter, shown->name);
                } else {
                    (void)snprintf(name, sizeof name, "--%s", shown->name);
                }
                put_troff_item(to, name, shown->argument, before_argument(shown->argument));
                put_troff(to, shown->text);
            }
        }
    }
    (void)fprintf(to, ".SH JOB FILES\n");
    put_troff(to, job_text);
    for (unsigned s = 0; s < JOB_SECTION_COUNT; s++) {
        (void)fprintf(to, ".SS \"%s\"\n", job_section_titles[s]);
        for (unsigned i = 0; i < JOB_KEY_COUNT; i++) {
            if (job_key_table[i].section == s) {
                put_troff_item(to, job_key_table[i].key, job_key_table[i].value, ": ");
                put_troff(to, job_key_table[i].text);
            }
        }
    }
    (void)fprintf(to, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < COUNT_OF(status_table); i++) {
        (void)fprintf(to, ".TP\n%d\n", status_table[i].number);
        put_troff(to, status_table[i].text);
    }
    (void)fprintf(to, ".SH ENVIRONMENT\n");
    kerr_variable variable;
    for (uint32_t i = 0; kerr_variable_at(i, &variable); i++) {
        put_troff_item(to, variable.name, variable.value, "=");
        put_troff(to, variable.text);
    }
}

/* ---- Markdown -------------------------------------------------------------------------------------------- */

static void put_walks(FILE *to, verb_id verb)
{
    static const struct {
        verb_id verb;
        const char *mark;
    } walks[] = {
#define WALK(verb, mark) {VERB_##verb, mark},
#include "options.def"
    };
    for (size_t i = 0; i < COUNT_OF(walks); i++) {
        if (walks[i].verb == verb) {
            (void)fprintf(to, "<!-- walk: %s -->\n", walks[i].mark);
        }
    }
}

/* A text of this verb, or of none (VERB_COUNT). */
static void put_markdown(FILE *to, verb_id verb, const char *text)
{
    bool verbatim = false;
    while (*text != '\0') {
        if (text[0] == '\n' && text[1] == '\n') {
            (void)fprintf(to, "%s\n\n", verbatim ? "\n```" : "");
            verbatim = false;
            text += 2;
        } else if (*text == '\n') {
            const int length = (int)strcspn(text + 1, "\n");
            const int margin = length < 4 ? length : 4;
            if (!verbatim) {
                (void)fprintf(to, "\n\n");
                put_walks(to, verb);
                (void)fprintf(to, "%s```",
                              verb == VERB_COUNT ? "<!-- walk: skip files of the reader's: cli/run -->\n" : "");
            }
            (void)fprintf(to, "\n%.*s", length - margin, text + 1 + margin);
            verbatim = true;
            text += 1 + length;
        } else {
            const int length = (int)strcspn(text, "\n");
            (void)fprintf(to, "%.*s", length, text);
            text += length;
        }
    }
    (void)fprintf(to, "%s\n", verbatim ? "\n```" : "");
}

/* A table cell: a bar would end it. */
static void put_cell(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        (void)fprintf(to, *text == '|' ? "\\%c" : "%c", *text);
    }
}

void options_dump_docs(FILE *to)
{
    (void)fprintf(to, "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
                      "<!-- Made from tools/options.def by make cli-docs; do not edit. -->\n"
                      "# The kerr command\n\n| verb | what it does |\n|---|---|\n");
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        (void)fprintf(to, "| `kerr %s` | %s |\n", verb_table[i].name, verb_table[i].summary);
    }
    (void)fprintf(to, "\n`kerr --help`, `kerr VERB --help` and `kerr help VERB` show the same as this page; "
                      "`kerr --version` prints the version.\n");
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        (void)fprintf(to, "\n## kerr %s\n\n<!-- walk: skip synopsis -->\n```\n", verb_table[i].name);
        put_usage(to, (verb_id)i);
        (void)fprintf(to, "```\n\n");
        put_markdown(to, (verb_id)i, verb_table[i].text);
        (void)fprintf(to, "\n| option | |\n|---|---|\n");
        for (unsigned k = 0; k < OPTION_COUNT; k++) {
            const option_row *shown = &option_table[k];
            if (shown->verb == i) {
                (void)fprintf(to, "| ");
                if (shown->letter != 0) {
                    (void)fprintf(to, "`-%c`, ", shown->letter);
                }
                (void)fprintf(to, "`--%s%s%s` | ", shown->name, before_argument(shown->argument),
                              shown->argument != NULL ? shown->argument : "");
                put_cell(to, shown->text);
                (void)fprintf(to, " |\n");
            }
        }
    }
    (void)fprintf(to, "\n## Job files\n\n");
    put_markdown(to, VERB_COUNT, job_text);
    for (unsigned s = 0; s < JOB_SECTION_COUNT; s++) {
        (void)fprintf(to, "\n### %s\n\n| key | value | |\n|---|---|---|\n", job_section_titles[s]);
        for (unsigned i = 0; i < JOB_KEY_COUNT; i++) {
            if (job_key_table[i].section == s) {
                (void)fprintf(to, "| `%s` | %s | ", job_key_table[i].key, job_key_table[i].value);
                put_cell(to, job_key_table[i].text);
                (void)fprintf(to, " |\n");
            }
        }
    }
    (void)fprintf(to, "\n## Exit status\n\n| status | meaning |\n|---|---|\n");
    for (size_t i = 0; i < COUNT_OF(status_table); i++) {
        (void)fprintf(to, "| %d | %s |\n", status_table[i].number, status_table[i].text);
    }
    (void)fprintf(to, "\n## Environment\n\n| variable | value | |\n|---|---|---|\n");
    kerr_variable variable;
    for (uint32_t i = 0; kerr_variable_at(i, &variable); i++) {
        (void)fprintf(to, "| `%s` | `", variable.name);
        put_cell(to, variable.value);
        (void)fprintf(to, "` | ");
        put_cell(to, variable.text);
        (void)fprintf(to, " |\n");
    }
}
