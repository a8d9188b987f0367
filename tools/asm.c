/* SPDX-License-Identifier: Apache-2.0 */
/* kerr asm: text to Tensix words. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "kerr.h"
#include "options.h"
#include "verbs.h"

enum { ASM_FILE_MAX = 64 << 20 };

typedef struct assembler {
    const char *path, *output;
    bool ttinsn;
    uint32_t *words;
    size_t count;
} assembler;

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    assembler *a = context;
    switch ((unsigned)id) {
    case OPTION_ASM_OUTPUT: a->output = value; return true;
    case OPTION_ASM_TTINSN: a->ttinsn = true; return true;
    default: break;
    }
    if (a->path != NULL) {
        return tool_fail(error, "'%s' is too much: kerr asm takes one file", value);
    }
    a->path = value;
    return true;
}

/* Where a comment begins, or the end of the line. */
static size_t comment_at(const char *line)
{
    size_t i = 0;
    while (line[i] != '\0' && line[i] != '#' && line[i] != ';' && !(line[i] == '/' && line[i + 1] == '/')) {
        i++;
    }
    return i;
}

/* One line, which is changed: its comment goes. */
static bool assemble_line(assembler *a, char *line, size_t number, tool_error *error)
{
    kerr_text_error why;
    size_t length = comment_at(line);
    while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL) {
        length--;
    }
    line[length] = '\0';
    if (line[strspn(line, " \t")] == '\0') {
        return true;
    }
    if (kerr_assemble_tensix(line, &a->words[a->count], &why) != KERR_OK) {
        return tool_fail(error, "%s:%zu:%" PRIu32 ": %s", a->path, number, why.column, why.text);
    }
    if (a->ttinsn) {
        const uint32_t word = a->words[a->count];
        if (word >= 0xc0000000u) {
            return tool_fail(error, "%s:%zu:1: 0x%08" PRIx32 " is no word that .ttinsn can push", a->path, number,
                             word);
        }
        a->words[a->count] = word << 2 | word >> 30;
    }
    a->count++;
    return true;
}

static bool assemble(assembler *a, char *text, size_t size, tool_error *error)
{
    size_t lines = 1;
    if (memchr(text, '\0', size) != NULL) {
        return tool_fail(error, "%s: is not a text file", a->path);
    }
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n' ? 1 : 0;
    }
    a->words = calloc(lines, sizeof *a->words);
    if (a->words == NULL) {
        return tool_fail(error, "out of memory");
    }
    for (size_t number = 1; text != NULL; number++) {
        char *end = strchr(text, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        if (!assemble_line(a, text, number, error)) {
            return false;
        }
        text = end == NULL ? NULL : end + 1;
    }
    return true;
}

static bool write_words(const assembler *a, tool_error *error)
{
    if (a->output == NULL) {
        for (size_t i = 0; i < a->count; i++) {
            (void)printf("0x%08" PRIx32 "\n", a->words[i]);
        }
        return true;
    }
    FILE *file = fopen(a->output, "wbe");
    bool ok = file != NULL;
    for (size_t i = 0; ok && i < a->count; i++) {
        const uint32_t word = a->words[i];
        const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                        (unsigned char)(word >> 24)};
        ok = fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes;
    }
    if (file != NULL && fclose(file) != 0) {
        ok = false;
    }
    return ok || tool_fail(error, "%s: cannot write it: %s", a->output, strerror(errno));
}

/* Standard input as a whole. */
static bool read_stdin(char **text, size_t *size, tool_error *error)
{
    size_t room = 1 << 16;
    *text = malloc(room);
    for (*size = 0; *text != NULL;) {
        *size += fread(*text + *size, 1, room - 1 - *size, stdin);
        if (*size < room - 1) {
            (*text)[*size] = '\0';
            return !ferror(stdin) || tool_fail(error, "standard input: cannot read it");
        }
        if (room > ASM_FILE_MAX) {
            return tool_fail(error, "standard input: is larger than %d bytes", ASM_FILE_MAX);
        }
        room *= 2;
        char *larger = realloc(*text, room);
        if (larger == NULL) {
            break;
        }
        *text = larger;
    }
    return tool_fail(error, "out of memory");
}

static bool run(assembler *a, tool_error *error)
{
    char *text = NULL;
    size_t size = 0;
    bool ok = false;
    if (a->path == NULL) {
        return tool_fail(error, "nothing to do: give a file, or - for standard input");
    }
    if (strcmp(a->path, "-") == 0) {
        a->path = "standard input";
        ok = read_stdin(&text, &size, error);
    } else {
        ok = file_read(a->path, ASM_FILE_MAX, &text, &size, error);
    }
    ok = ok && assemble(a, text, size, error) && write_words(a, error);
    free(text);
    free(a->words);
    return ok;
}

int asm_main(int count, char *const *arguments)
{
    assembler a = {.path = NULL};
    tool_error error;
    bool help = false;
    if (!options_parse(VERB_ASM, count, arguments, take_argument, &a, &help, &error)) {
        return verb_refuse(VERB_ASM, &error);
    }
    if (help) {
        options_help_verb(stdout, VERB_ASM);
        return EXIT_OK;
    }
    return run(&a, &error) ? EXIT_OK : verb_refuse(VERB_ASM, &error);
}
