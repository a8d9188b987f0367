/* SPDX-License-Identifier: Apache-2.0 */
/* A saved chip in a file: a header that says what it is, then the stream of kerr_save as one zstd frame with a checksum. */
#include "chip_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "kerr_chip_file.h"

enum {
    FORMAT = KERR_CHIP_FILE_FORMAT,
    LEVEL = 1,   /* a chip is mostly zero: more effort gains little */
    WORKERS = 2, /* where libzstd has them */
    ASK_BYTES = 1 << 22,
    SCRATCH = 1 << 18,
};

typedef kerr_chip_file_header header;
static const char magic[8] = {'K', 'E', 'R', 'R', 'C', 'H', 'I', 'P'};

/* Whoever waits for it is asked each time so many bytes have passed. */
typedef struct asking {
    chip_file_ask fn; /* or NULL */
    void *context;
    size_t bytes;
    bool stopped;
} asking;

static bool may_go_on(asking *a, size_t bytes)
{
    a->bytes += bytes;
    if (a->fn != NULL && a->bytes >= ASK_BYTES) {
        a->bytes = 0;
        a->stopped = a->stopped || !a->fn(a->context);
    }
    return !a->stopped;
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

typedef struct packer {
    FILE *file;
    ZSTD_CCtx *stream;
    bool failed; /* the file, not the chip */
    asking ask;
    uint8_t out[1 << 16];
} packer;

static bool compress(packer *p, const void *data, size_t size, ZSTD_EndDirective how)
{
    ZSTD_inBuffer in = {data, size, 0};
    for (;;) {
        ZSTD_outBuffer out = {p->out, sizeof p->out, 0};
        const size_t left = ZSTD_compressStream2(p->stream, &out, &in, how);
        if (ZSTD_isError(left) || fwrite(p->out, 1, out.pos, p->file) != out.pos) {
            p->failed = true;
            return false;
        }
        if (how == ZSTD_e_end ? left == 0 : in.pos == in.size) {
            return true;
        }
    }
}

static bool put(void *context, const void *data, size_t size)
{
    packer *p = context;
    return may_go_on(&p->ask, size) && compress(p, data, size, ZSTD_e_continue);
}

static bool write_stream(packer *p, const char *path, const kerr_chip *chip, tool_error *error)
{
    header h = {.format = FORMAT};
    memcpy(h.magic, magic, sizeof magic);
    (void)snprintf(h.version, sizeof h.version, "%s", kerr_version());
    (void)kerr_cycle(chip, &h.cycle);
    p->failed = fwrite(&h, sizeof h, 1, p->file) != 1;
    if (!p->failed) {
        const kerr_status status = kerr_save(chip, put, p);
        if (p->ask.stopped) {
            return tool_fail(error, "%s: was not written to the end: stopped", path);
        }
        if (status != KERR_OK && !p->failed) {
            return tool_fail(error, "%s: the chip cannot be saved: %s", path, kerr_status_text(status));
        }
        p->failed = p->failed || !compress(p, NULL, 0, ZSTD_e_end);
    }
    if (!p->failed && fflush(p->file) != 0) {
        p->failed = true;
    }
    return !p->failed ||
           tool_fail(error, "%s: cannot be written to the end: %s", path, strerror(errno != 0 ? errno : EIO));
}

static bool write_asking(const char *path, const kerr_chip *chip, asking ask, tool_error *error)
{
    packer *p = calloc(1, sizeof *p);
    bool good = p != NULL && (p->stream = ZSTD_createCCtx()) != NULL;
    if (!good) {
        free(p);
        return tool_fail(error, "out of memory");
    }
    (void)ZSTD_CCtx_setParameter(p->stream, ZSTD_c_compressionLevel, LEVEL);
    (void)ZSTD_CCtx_setParameter(p->stream, ZSTD_c_checksumFlag, 1);
    (void)ZSTD_CCtx_setParameter(p->stream, ZSTD_c_nbWorkers, WORKERS);
    p->ask = ask;
    p->file = fopen(path, "wb");
    if (p->file == NULL) {
        good = tool_fail(error, "%s: %s", path, strerror(errno));
    } else {
        errno = 0;
        good = write_stream(p, path, chip, error);
        if (fclose(p->file) != 0 && good) {
            good = tool_fail(error, "%s: cannot be written to the end: %s", path, strerror(errno));
        }
    }
    ZSTD_freeCCtx(p->stream);
    free(p);
    return good;
}

bool chip_file_write(const char *path, const kerr_chip *chip, tool_error *error)
{
    return write_asking(path, chip, (asking){.fn = NULL}, error);
}

bool chip_file_write_whole(const char *path, const kerr_chip *chip, tool_error *error)
{
    return chip_file_write_asking(path, chip, NULL, NULL, error);
}

bool chip_file_write_asking(const char *path, const kerr_chip *chip, chip_file_ask ask, void *context,
                            tool_error *error)
{
    char beside[PATH_MAX];
    if ((size_t)snprintf(beside, sizeof beside, "%s.part", path) >= sizeof beside) {
        return tool_fail(error, "%s: the name is too long", path);
    }
    bool good = write_asking(beside, chip, (asking){.fn = ask, .context = context}, error);
    if (good && rename(beside, path) != 0) {
        good = tool_fail(error, "%s: %s", path, strerror(errno));
    }
    if (!good) {
        (void)unlink(beside);
    }
    return good;
}

/* ---- Reading ---------------------------------------------------------------------------------------------- */

typedef struct unpacker {
    FILE *file;
    ZSTD_DCtx *stream;
    ZSTD_inBuffer in;
    bool cut, damaged, over;
    asking ask;
    uint8_t data[1 << 16];
} unpacker;

static bool get(void *context, void *data, size_t size)
{
    unpacker *u = context;
    if (!may_go_on(&u->ask, size)) {
        return false;
    }
    ZSTD_outBuffer out = {data, size, 0};
    while (out.pos < size) {
        if (u->in.pos == u->in.size) {
            u->in = (ZSTD_inBuffer){u->data, fread(u->data, 1, sizeof u->data, u->file), 0};
            if (u->in.size == 0) {
                u->cut = true;
                return false;
            }
        }
        const size_t left = ZSTD_decompressStream(u->stream, &out, &u->in);
        if (ZSTD_isError(left)) {
            u->damaged = true;
            return false;
        }
        u->over = left == 0;
        if (u->over && out.pos < size) {
            u->damaged = true;
            return false;
        }
    }
    return true;
}

/* The frame's checksum stands behind its last byte. */
static bool ends_well(unpacker *u)
{
    uint8_t more;
    if (!u->over) {
        (void)get(u, &more, 0);
        ZSTD_outBuffer out = {&more, 1, 0};
        for (size_t left = 1; left != 0 && !u->cut;) {
            if (u->in.pos == u->in.size) {
                u->in = (ZSTD_inBuffer){u->data, fread(u->data, 1, sizeof u->data, u->file), 0};
                u->cut = u->in.size == 0;
            }
            left = ZSTD_decompressStream(u->stream, &out, &u->in);
            if (ZSTD_isError(left) || out.pos != 0) {
                return false;
            }
        }
    }
    return !u->cut;
}

static bool read_header(FILE *file, const char *path, header *h, tool_error *error)
{
    const size_t size = fread(h, 1, sizeof *h, file);
    if (size < sizeof magic || memcmp(h->magic, magic, sizeof magic) != 0) {
        return tool_fail(error, "%s: is not a saved chip (kerr run --save writes them)", path);
    }
    if (size < sizeof *h) {
        return tool_fail(error, "%s: is cut short: it ends within its header", path);
    }
    h->version[sizeof h->version - 1] = '\0';
    if (h->format != FORMAT) {
        return tool_fail(error, "%s: was saved by %s Kerr (%s, format %u); this one reads format %d", path,
                         h->format > FORMAT ? "a newer" : "an older", h->version, h->format, FORMAT);
    }
    return true;
}

/* What the stream says of a file, if the chip took it as `status` says. */
static bool judge(unpacker *u, const char *path, const header *h, kerr_status status, tool_error *error)
{
    if (u->ask.stopped) {
        return tool_fail(error, "%s: was not read to the end: stopped", path);
    }
    if (u->cut || (status == KERR_OK && !ends_well(u) && u->cut)) {
        return tool_fail(error, "%s: is cut short", path);
    }
    if (u->damaged || (status == KERR_OK && !ends_well(u))) {
        return tool_fail(error, "%s: is damaged: what it holds does not fit its checksum", path);
    }
    if (status == KERR_BAD_SNAPSHOT) {
        return tool_fail(
            error,
            "%s: was saved in cycle %llu by a build of Kerr %s whose state is laid out differently; save it "
            "again with this one",
            path, (unsigned long long)h->cycle, h->version);
    }
    return status == KERR_OK || tool_fail(error, "%s: cannot be restored: %s", path, kerr_status_text(status));
}

/* From the present place of the file on. */
static void rewind_stream(unpacker *u)
{
    (void)ZSTD_DCtx_reset(u->stream, ZSTD_reset_session_only);
    u->in = (ZSTD_inBuffer){u->data, 0, 0};
    u->cut = u->damaged = u->over = false;
}

/* Whether the whole stream is there and fits its checksum. */
static bool is_whole(unpacker *u, const char *path, const header *h, tool_error *error)
{
    uint8_t *bytes = malloc(SCRATCH);
    if (bytes == NULL) {
        return tool_fail(error, "out of memory");
    }
    for (bool more = true; more && !u->over;) {
        ZSTD_outBuffer out = {bytes, SCRATCH, 0};
        if (u->in.pos == u->in.size) {
            u->in = (ZSTD_inBuffer){u->data, fread(u->data, 1, sizeof u->data, u->file), 0};
            u->cut = u->in.size == 0;
        }
        const size_t left = u->cut ? 1 : ZSTD_decompressStream(u->stream, &out, &u->in);
        u->damaged = ZSTD_isError(left);
        u->over = left == 0;
        more = !u->cut && !u->damaged && may_go_on(&u->ask, out.pos);
    }
    free(bytes);
    return judge(u, path, h, KERR_OK, error);
}

static bool read_into(FILE *file, const char *path, kerr_chip *chip, bool keep, asking ask, tool_error *error)
{
    header h;
    unpacker *u = calloc(1, sizeof *u);
    bool good = read_header(file, path, &h, error);
    if (good && (u == NULL || (u->stream = ZSTD_createDCtx()) == NULL)) {
        good = tool_fail(error, "out of memory");
    }
    if (good) {
        u->file = file;
        u->ask = ask;
        if (keep) {
            good = is_whole(u, path, &h, error);
            if (good && fseek(file, (long)sizeof h, SEEK_SET) != 0) {
                good = tool_fail(error, "%s: %s", path, strerror(errno));
            }
            rewind_stream(u);
        }
        good = good && judge(u, path, &h, (keep ? kerr_restore : kerr_rewind)(chip, get, u), error);
    }
    if (u != NULL) {
        ZSTD_freeDCtx(u->stream);
    }
    free(u);
    return good;
}

bool chip_file_restore(const char *path, kerr_chip *chip, bool keep, chip_file_ask ask, void *context,
                       tool_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    const bool good = read_into(file, path, chip, keep, (asking){.fn = ask, .context = context}, error);
    (void)fclose(file);
    return good;
}

bool chip_file_read(const char *path, kerr_chip **chip, tool_error *error)
{
    *chip = NULL;
    if (kerr_create(NULL, chip) != KERR_OK) {
        return tool_fail(error, "cannot make a chip: out of memory");
    }
    const bool good = chip_file_restore(path, *chip, false, NULL, NULL, error);
    if (!good) {
        kerr_destroy(*chip);
        *chip = NULL;
    }
    return good;
}
