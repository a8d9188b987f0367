/* SPDX-License-Identifier: Apache-2.0 */
/* Random instruction streams on the three threads of a tile (tests/support/tensix_stream.h), through a library with the
 * libttsim C ABI: final GPRs, configuration, semaphores and L1 must be those of the plain model, and, for streams that
 * the vendor's simulator (REF) takes, those that were recorded from it.  Each stream is a process of its own, since that
 * ABI has one chip a process and may end it.
 *
 *   streams LIBRARY model SEEDS [FIRST_SEED]       everything, against the model
 *   streams LIBRARY vectors FILE                   against what was recorded
 *   streams LIBRARY reference SEEDS [FIRST_SEED]   LIBRARY and the one that REF names, against the model
 *   streams record FILE SEEDS                      makes FILE with the library that REF names
 *   streams LIBRARY shrink model|reference SEED    the first items of that stream that go wrong, word by word
 *
 * REF (ttsim 1.10) takes: NOP and DMANOP without operands; MOP with template 0 (flags 0..3, up to 32 turns) and
 * template 1 (outer 1..32, inner 1..64, no counts in the instruction); MOP_CFG; REPLAY with start 0..31 and 1..32
 * instructions, all of them recorded before; SETDMAREG immediate; ADDDMAREG and MULDMAREG of two GPRs; WRCFG (128 bits:
 * both indices multiples of 4), RDCFG and RMWCIB of some words; SETC16 of some; CFGSHIFTMASK as an addition of a whole
 * scratch word; STALLWAIT with conditions 0-4, 10 and 11; one semaphore an instruction, no post at Max and no get at
 * zero; mutex 0; the ADC instructions, and SETRWC and INCRWC without most of the CR forms.  It does not take SUBDMAREG,
 * BITWOPDMAREG, SHIFTDMAREG, CMPDMAREG, constants, LOADIND, STOREIND, LOADREG, STOREREG, the atomics, FLUSHDMA,
 * CFGSHIFTMASK otherwise, STALLWAIT condition 12, nor a core that looks at ThreadConfig or at bank 1: for these there is
 * the model alone.  It ends its process, about once in 500 streams, when an expansion finds an instruction FIFO full
 * behind a thread that waits. */
#include "../abi/simlib.h"
#include "../support/tap.h"
#include "../support/tensix_stream.h"
#include "../support/ttasm.h"

#include "../support/chip.h"

#include <sys/wait.h>
#include <unistd.h>

enum { X = 1, Y = 2, CLOCKS = 5000, ROUNDS = 2000, SHOWN = 6, HASHES = 16, SECONDS = 60 };

/* What a child has to say. */
typedef struct outcome {
    enum { ENDED_BADLY, NO_LIBRARY, NO_END, RAN } how;
    unsigned different;    /* words that are not the model's */
    uint64_t hash[HASHES]; /* a section each */
    uint32_t gpr[64 * STREAM_THREADS];
} outcome;

static uint64_t hash_more(uint64_t hash, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        hash = (hash ^ (word >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
    }
    return hash;
}
#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Of programs and memory: tells a stream that is another one by now from one with another result. */
static uint64_t stimulus(const stream *s)
{
    uint64_t hash = HASH_START;
    for (unsigned core = 0; core < 4; core++) {
        const rvasm *code = stream_code(s, core);
        for (size_t i = 0; code && i < code->count; i++) {
            hash = hash_more(hash, code->word[i]);
        }
    }
    for (unsigned i = 0; i < STREAM_L1_BYTES; i++) {
        hash = hash_more(hash, stream_before(s)[i]);
    }
    return hash;
}

static outcome through(const char *library, const stream *s, bool talk)
{
    outcome o = {.how = NO_LIBRARY};
    struct simlib sim;
    setenv("KERR_HOST_TIME", "0", 1);
    if (!simlib_open(&sim, library)) {
        return o;
    }
    simlib_start(&sim);
    simlib_write32(&sim, X, Y, SIM_SOFT_RESET, SIM_RESET_ALL);
    static const uint8_t zeros[0x100];
    simlib_write(&sim, X, Y, STREAM_FLAGS, zeros, sizeof zeros);
    simlib_write(&sim, X, Y, STREAM_L1, stream_before(s), STREAM_L1_BYTES);
    uint32_t held = SIM_RESET_ALL;
    for (unsigned core = 0; core < 4; core++) {
        const rvasm *code = stream_code(s, core);
        if (code) {
            simlib_write(&sim, X, Y, code->base, code->word, (uint32_t)code->count * 4);
            held &= ~sim_reset_bit[core];
        }
    }
    sim.clock(1);
    simlib_write32(&sim, X, Y, SIM_SOFT_RESET, held);
    o.how = NO_END;
    for (unsigned i = 0; i < ROUNDS && o.how == NO_END; i++) {
        sim.clock(CLOCKS);
        if (simlib_read32(&sim, X, Y, STREAM_DONE) == STREAM_MARK) {
            o.how = RAN;
        }
    }
    for (unsigned i = 0; o.how == RAN && i < stream_sections(s); i++) {
        const stream_section *section = stream_section_at(s, i);
        uint32_t *got = calloc(section->words, 4);
        if (!got) {
            abort();
        }
        simlib_read(&sim, X, Y, section->address, got, section->words * 4);
        o.hash[i] = HASH_START;
        for (unsigned k = 0; k < section->words; k++) {
            uint32_t is = got[k] & section->mask, must = section->expected[k] & section->mask;
            o.hash[i] = hash_more(o.hash[i], is);
            if (is != must && o.different++ < SHOWN && talk) {
                char name[64];
                stream_word_name(s, i, k, name, sizeof name);
                printf("# %s is %#x, not %#x\n", name, is, must);
            }
        }
        if (i == 0) {
            memcpy(o.gpr, got, sizeof o.gpr);
        }
        free(got);
    }
    if (o.how == RAN) {
        sim.exit();
    }
    return o;
}

static outcome in_child(const char *library, const stream *s, bool talk)
{
    outcome o = {.how = ENDED_BADLY};
    int ends[2], status = 0;
    fflush(stdout);
    if (pipe(ends) != 0) {
        return o;
    }
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS); /* a library whose time stands still */
        outcome mine = through(library, s, talk);
        fflush(stdout);
        _exit(write(ends[1], &mine, sizeof mine) == (ssize_t)sizeof mine ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &o, sizeof o) != (ssize_t)sizeof o) {
        o.how = ENDED_BADLY;
    }
    close(ends[0]);
    if (child > 0) {
        waitpid(child, &status, 0);
    }
    return o;
}

static const char *text_of(const outcome *o)
{
    static const char *const how[] = {"its process ended", "no library", "does not end"};
    return o->how != RAN ? how[o->how] : o->different ? "different" : "the same";
}

/* items: 0 for as many as the seed says. */
static stream *stream_of(uint64_t seed, bool reference, unsigned items)
{
    static const uint8_t riscvb[] = {0, 0, 0, 0, 0, 7, 1, 2, 4, 6};
    test_random random = {.state = ~seed};
    stream_options options = {.seed = seed,
                              .items = 10 + test_below(&random, 250),
                              .reference = reference,
                              .riscvb = riscvb[test_below(&random, sizeof riscvb)]};
    options.items = items && items < options.items ? items : options.items;
    return stream_new(&options);
}

static void against_model(tap *t, const char *who, const char *library, const stream *s, uint64_t seed)
{
    outcome o = in_child(library, s, true);
    tap_ok(t, o.how == RAN && o.different == 0, "seed %" PRIu64 ", %u instructions: %s as the model (%s)", seed,
           stream_instructions(s), who, text_of(&o));
}

/* ---- Recorded ------------------------------------------------------------------------------ */

enum { WHOLE = 2 /* streams whose GPRs are in the file word by word */ };

static int record(const char *path, uint64_t seeds)
{
    const char *library = getenv("REF");
    FILE *f = fopen(path, "w");
    if (!library || !f) {
        fprintf(stderr, "REF is not set, or %s cannot be written\n", path);
        return 2;
    }
    fprintf(f,
            "# Origin: reference simulator ttsim, version 1.10 (libttsim.so, Blackhole).  Made by\n"
            "#   REF=libttsim.so streams record FILE %" PRIu64 "\n"
            "# stream SEED STIMULUS then the hash of what is seen of GPRs, semaphores, Config, L1 (FNV-1a, 64 bits)\n"
            "# gpr SEED THREAD then 64 GPRs\n",
            seeds);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        stream *s = stream_of(seed, true, 0);
        outcome o = in_child(library, s, true);
        if (o.how == RAN && o.different) {
            fprintf(stderr, "seed %" PRIu64 ": REF and the model differ\n", seed);
            fclose(f);
            return 1;
        }
        if (o.how != RAN) {
            fprintf(f, "# seed %" PRIu64 " is left out: %s\n", seed, text_of(&o));
            stream_free(s);
            continue;
        }
        fprintf(f, "stream %" PRIu64 " %016" PRIx64, seed, stimulus(s));
        for (unsigned i = 0; i < stream_sections(s); i++) {
            fprintf(f, " %016" PRIx64, o.hash[i]);
        }
        fprintf(f, "\n");
        for (unsigned t = 0; seed < WHOLE && t < STREAM_THREADS; t++) {
            fprintf(f, "gpr %" PRIu64 " %u", seed, t);
            for (unsigned i = 0; i < 64; i++) {
                fprintf(f, " %" PRIx32, o.gpr[64 * t + i]);
            }
            fprintf(f, "\n");
        }
        stream_free(s);
    }
    return fclose(f) == 0 ? 0 : 2;
}

static int vectors(const char *library, const char *path)
{
    tap t = {0};
    char line[2048];
    outcome o = {.how = NO_LIBRARY};
    uint64_t ran = 0;
    FILE *f = fopen(path, "r");
    if (!f) {
        fprintf(stderr, "%s cannot be read\n", path);
        return 2;
    }
    while (fgets(line, sizeof line, f)) {
        char *at = line, kind[8];
        int used = 0;
        if (sscanf(line, "%7s %n", kind, &used) != 1 || *kind == '#') {
            continue;
        }
        at += used;
        uint64_t seed = strtoull(at, &at, 10);
        if (strcmp(kind, "stream") == 0) {
            stream *s = stream_of(seed, true, 0);
            if (strtoull(at, &at, 16) != stimulus(s)) {
                tap_ok(&t, false, "seed %" PRIu64 " makes the stream that was recorded (else record again)", seed);
                stream_free(s);
                continue;
            }
            o = in_child(library, s, true);
            ran = seed;
            for (unsigned i = 0; i < stream_sections(s); i++) {
                uint64_t want = strtoull(at, &at, 16);
                tap_ok(&t, o.how == RAN && o.hash[i] == want, "seed %" PRIu64 ", %u instructions: %s as recorded (%s)",
                       seed, stream_instructions(s), stream_section_at(s, i)->name, text_of(&o));
            }
            stream_free(s);
        } else if (seed == ran && o.how == RAN) {
            unsigned long thread = strtoul(at, &at, 10);
            unsigned wrong = 0;
            for (unsigned i = 0; thread < STREAM_THREADS && i < 64; i++) {
                uint32_t want = (uint32_t)strtoul(at, &at, 16);
                if (o.gpr[64 * thread + i] != want && wrong++ < SHOWN) {
                    printf("# T%lu GPR %u is %#x, recorded is %#x\n", thread, i, o.gpr[64 * thread + i], want);
                }
            }
            tap_ok(&t, wrong == 0 && thread < STREAM_THREADS, "seed %" PRIu64 ": the 64 GPRs of T%lu", seed, thread);
        }
    }
    fclose(f);
    return t.tests ? tap_end(&t) : 2;
}

static int shrink(const char *library, bool reference, uint64_t seed)
{
    for (unsigned items = 1; items < 1000; items++) {
        stream *s = stream_of(seed, reference, items);
        outcome o = in_child(library, s, false);
        if (o.how != RAN || o.different) {
            printf("# %u items: %s\n", items, text_of(&o));
            (void)in_child(library, s, true);
            stream_print(s, stdout);
            stream_free(s);
            return 1;
        }
        stream_free(s);
    }
    printf("# nothing goes wrong\n");
    return 0;
}

int main(int argc, char **argv)
{
    tap t = {0};
    const char *mode = argc > 2 ? argv[2] : "";
    if (argc == 4 && strcmp(argv[1], "record") == 0) {
        return record(argv[2], strtoull(argv[3], NULL, 0));
    }
    if (argc == 4 && strcmp(mode, "vectors") == 0) {
        return vectors(argv[1], argv[3]);
    }
    if (argc == 5 && strcmp(mode, "shrink") == 0) {
        return shrink(argv[1], strcmp(argv[3], "reference") == 0, strtoull(argv[4], NULL, 0));
    }
    bool reference = strcmp(mode, "reference") == 0;
    if (argc < 4 || (!reference && strcmp(mode, "model") != 0)) {
        fprintf(stderr, "streams LIBRARY model|reference SEEDS [FIRST], LIBRARY vectors FILE, "
                        "LIBRARY shrink model|reference SEED, or record FILE SEEDS\n");
        return 2;
    }
    const char *other = getenv("REF");
    if (reference && (!other || !*other)) {
        printf("optional: REF is not set to another library with the libttsim ABI\n");
        return 77;
    }
    uint64_t seeds = strtoull(argv[3], NULL, 0), first = argc > 4 ? strtoull(argv[4], NULL, 0) : 0;
    uint64_t given_up = 0;
    unsigned counts[256] = {0};
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        stream *s = stream_of(seed, reference, 0);
        against_model(&t, "LIBRARY is", argv[1], s, seed);
        if (reference) {
            outcome o = in_child(other, s, true);
            given_up += o.how == ENDED_BADLY;
            tap_ok(&t, o.how == ENDED_BADLY || (o.how == RAN && o.different == 0),
                   "seed %" PRIu64 ": and so is REF (%s)", seed, text_of(&o));
        }
        for (unsigned i = 0; i < 256; i++) {
            counts[i] += stream_count(s, i);
        }
        stream_free(s);
    }
    if (reference) {
        tap_ok(&t, given_up * 50 <= seeds, "REF has run nearly all of them (it gave up on %" PRIu64 ")", given_up);
    }
    for (unsigned i = 0; i < 256; i++) {
        if (counts[i]) {
            printf("# opcode %#04x: %u\n", i, counts[i]);
        }
    }
    return tap_end(&t);
}
