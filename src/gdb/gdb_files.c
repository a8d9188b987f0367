/* SPDX-License-Identifier: Apache-2.0 */
/* Files that gdb reads from us: the programs of the cores (qXfer:exec-file, qXfer:libraries, vFile), and no others.
 *
 * gdb 13 takes the registers of a second inferior from its executable and not from our target description, so a tile without a known program
 * has one too: a header that says 32-bit RISC-V, and nothing else. */
#include "gdb_session.h"

#include "gdb_packet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_NO_ENTRY = 2, ERROR_BAD_FILE = 9, ERROR_INVALID = 22, ERROR_MANY_FILES = 24, PATH_BYTES = 1024 };

static const char no_program[] = "/kerr/no-program";
static const uint8_t no_program_bytes[52] = {
    0x7F, 'E', 'L', 'F', 1, 1, 1, [16] = 2, [18] = 243, [20] = 1, [40] = 52, [42] = 32, [46] = 40};

static const char *path_of(const gdb_session *s, kerr_xy at, unsigned index)
{
    const char *path = s->programs != NULL ? s->programs->path(s->programs->context, at, index) : NULL;
    return path != NULL || index > 0 ? path : no_program;
}

void gdb_exec_file(const gdb_session *s, uint32_t process, gdb_text *to)
{
    gdb_thread of;
    gdb_add(to, "%s", path_of(s, gdb_thread_of(process, 1, &of) ? of.at : s->general.at, 0));
}

static void add_escaped(gdb_text *to, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("<>&\"", *text) != NULL) {
            gdb_add(to, "&#%u;", (unsigned)(unsigned char)*text);
        } else {
            gdb_add_bytes(to, text, 1);
        }
    }
}

/* As gdb of a bare-metal target asks for them (libraries) or one that takes RISC-V for GNU/Linux (libraries-svr4: Debian's). */
void gdb_libraries_xml(const gdb_session *s, bool svr4, gdb_text *to)
{
    const char *path;
    gdb_add(to, svr4 ? "<library-list-svr4 version=\"1.0\">\n" : "<library-list>\n");
    for (unsigned i = 1; (path = path_of(s, s->general.at, i)) != NULL; i++) {
        gdb_add(to, "<library name=\"");
        add_escaped(to, path);
        gdb_add(to,
                svr4 ? "\" lm=\"0x%x\" l_addr=\"0x0\" l_ld=\"0x0\" lmid=\"0x0\"/>\n"
                     : "\"><segment address=\"0x0\"/></library><!-- %u -->\n",
                i);
    }
    gdb_add(to, svr4 ? "</library-list-svr4>\n" : "</library-list>\n");
}

bool gdb_new_libraries(gdb_session *s, uint32_t only, gdb_thread *of)
{
    for (bool begun = false; gdb_next_thread(s->chip, of, &begun);) {
        const uint32_t process = gdb_process(of->at);
        if ((only == 0 || process == only) && !s->libraries[process] && !s->detached[process] &&
            path_of(s, of->at, 1) != NULL) {
            s->libraries[process] = true;
            return true;
        }
    }
    return false;
}

/* ---- vFile ------------------------------------------------------------------------------------------------------ */

static void fail(gdb_session *s, int error)
{
    gdb_add(&s->reply, "F-1,%x", (unsigned)error);
}

/* Only what we have told of. */
static bool is_told(const gdb_session *s, const char *path)
{
    gdb_thread at;
    const char *known;
    for (bool begun = false; s->programs != NULL && gdb_next_thread(s->chip, &at, &begun);) {
        for (unsigned i = 0; (known = s->programs->path(s->programs->context, at.at, i)) != NULL; i++) {
            if (strcmp(known, path) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void on_open(gdb_session *s, const char *text)
{
    char path[PATH_BYTES];
    const size_t digits = strcspn(text, ",");
    const size_t length = gdb_from_hex(text, digits, (uint8_t *)path, sizeof path - 1);
    unsigned flags = 0, i = 0;
    path[length] = '\0';
    (void)sscanf(text + digits, ",%x", &flags);
    while (i < GDB_FILES && s->file[i].data != NULL) {
        i++;
    }
    if (flags != 0) {
        fail(s, ERROR_INVALID);
    } else if (i == GDB_FILES) {
        fail(s, ERROR_MANY_FILES);
    } else if (strcmp(path, no_program) == 0 && (s->file[i].data = malloc(sizeof no_program_bytes)) != NULL) {
        memcpy(s->file[i].data, no_program_bytes, sizeof no_program_bytes);
        s->file[i].size = sizeof no_program_bytes;
        gdb_add(&s->reply, "F%x", i);
    } else if (is_told(s, path) && s->programs->read(s->programs->context, path, &s->file[i].data, &s->file[i].size) &&
               s->file[i].data != NULL) {
        gdb_add(&s->reply, "F%x", i);
    } else {
        fail(s, ERROR_NO_ENTRY);
    }
}

static bool is_open(const gdb_session *s, uint32_t fd)
{
    return fd < GDB_FILES && s->file[fd].data != NULL;
}

static void on_pread(gdb_session *s, const char *text)
{
    uint32_t fd = 0, count = 0;
    uint64_t offset = 0;
    if (sscanf(text, "%" SCNx32 ",%" SCNx32 ",%" SCNx64, &fd, &count, &offset) != 3 || !is_open(s, fd)) {
        fail(s, ERROR_BAD_FILE);
        return;
    }
    const uint64_t size = s->file[fd].size, left = offset < size ? size - offset : 0;
    const uint64_t most = GDB_PACKET_MAX / 2 - 32; /* escapes may double it */
    uint64_t part = count < left ? count : left;
    part = part < most ? part : most;
    gdb_add(&s->reply, "F%" PRIx64 ";", part);
    gdb_add_bytes(&s->reply, s->file[fd].data + (left != 0 ? offset : 0), (size_t)part);
}

static void add_big(gdb_text *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = bytes; i-- > 0;) {
        const uint8_t byte = (uint8_t)(i < sizeof value ? value >> (8 * i) : 0);
        gdb_add_bytes(to, &byte, 1);
    }
}

/* gdb's struct stat: a plain file of this size. */
static void on_fstat(gdb_session *s, const char *text)
{
    enum { PLAIN_FILE = 0100444 };
    uint32_t fd = 0;
    if (sscanf(text, "%" SCNx32, &fd) != 1 || !is_open(s, fd)) {
        fail(s, ERROR_BAD_FILE);
        return;
    }
    gdb_add(&s->reply, "F40;");
    add_big(&s->reply, 0, 4);          /* device */
    add_big(&s->reply, 0, 4);          /* inode */
    add_big(&s->reply, PLAIN_FILE, 4); /* mode */
    add_big(&s->reply, 1, 4);          /* links */
    add_big(&s->reply, 0, 12);         /* user, group, special device */
    add_big(&s->reply, s->file[fd].size, 8);
    add_big(&s->reply, 4096, 8);
    add_big(&s->reply, (s->file[fd].size + 511) / 512, 8);
    add_big(&s->reply, 0, 12); /* times */
}

static void on_close(gdb_session *s, const char *text)
{
    uint32_t fd = 0;
    if (sscanf(text, "%" SCNx32, &fd) != 1 || !is_open(s, fd)) {
        fail(s, ERROR_BAD_FILE);
        return;
    }
    free(s->file[fd].data);
    s->file[fd].data = NULL;
    gdb_add(&s->reply, "F0");
}

void gdb_file_packet(gdb_session *s, const char *packet)
{
    static const struct {
        const char *verb;
        void (*fn)(gdb_session *s, const char *text);
    } verbs[] = {{"open:", on_open}, {"pread:", on_pread}, {"fstat:", on_fstat}, {"close:", on_close}};
    if (strncmp(packet, "setfs:", 6) == 0) { /* there is one file system for all */
        gdb_add(&s->reply, "F0");
    }
    for (unsigned i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const size_t length = strlen(verbs[i].verb);
        if (strncmp(packet, verbs[i].verb, length) == 0) {
            verbs[i].fn(s, packet + length);
        }
    }
}
