/* SPDX-License-Identifier: Apache-2.0 */
/* Counters are exact: they are the chip's own (kerr_activity, kerr_noc_flits), brought over in samples at the
 * end of calls, at most every SAMPLE_CYCLES cycles and in no more than a thirtieth of the time (a short run has some more).  A sample looks at tiles
 * that have something to do; what others did meanwhile is brought over later, at the latest when the chip ends.  Sampled,
 * and so approximate, are the times of code and of active tiles. */
#include "dropin/stats.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    SAMPLE_CYCLES = 1000,
    SAMPLE_SHARE = 30,
    SAMPLE_ALLOWANCE_NS = 5000000,
    PROBES = 16, /* places of the table of code that are looked at */
};
/* What was brought over of a tile. */
struct stats_seen {
    uint64_t instret[KERR_CORE_COUNT];
    uint64_t busy[KERR_UNIT_COUNT];
    uint64_t ops[KERR_UNIT_COUNT];
    uint32_t stalled[3][KERR_STALL_KINDS];
    bool due; /* it had something to do */
};

uint64_t stats_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- Life ------------------------------------------------------------------------------------------------ */

static bool take_record(stats *s)
{
    for (unsigned i = 0; i < KERR_STATS_RECORDS; i++) {
        kerr_stats_record *record = &s->page->record[i];
        uint32_t free = KERR_RECORD_FREE;
        if (!__atomic_compare_exchange_n(&record->state, &free, KERR_RECORD_LIVE, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        record->pid = (int32_t)getpid();
        record->begin_ns = record->last_ns = stats_clock_ns();
        record->span_cycles = KERR_STATS_SPAN_CYCLES;
        s->record = record;
        return true;
    }
    __atomic_add_fetch(&s->page->refused, 1, __ATOMIC_RELAXED);
    s->record = NULL;
    return false;
}

bool stats_open(stats *s, const char *path, const char **why)
{
    struct stat about;
    *s = (stats){.file = open(path, O_RDWR | O_CLOEXEC)};
    *why = "cannot be opened";
    if (s->file < 0)
        return false;
    *why = "is not a statistics page of this build";
    if (fstat(s->file, &about) != 0 || (uint64_t)about.st_size < KERR_STATS_BYTES) {
        close(s->file);
        return false;
    }
    void *page = mmap(NULL, KERR_STATS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, s->file, 0);
    void *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *seen = mmap(NULL, KERR_TILES * sizeof *s->seen, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    s->page = page != MAP_FAILED ? page : NULL;
    s->own = own != MAP_FAILED ? own : NULL;
    s->seen = seen != MAP_FAILED ? seen : NULL;
    if (s->page == NULL || s->own == NULL || s->seen == NULL || memcmp(s->page->magic, "kerrstat", 8) != 0 ||
        s->page->version != KERR_STATS_VERSION || s->page->bytes != sizeof(kerr_stats_page) ||
        madvise(s->own, 4096, MADV_WIPEONFORK) != 0) {
        stats_close(s);
        return false;
    }
    *s->own = 1;
    take_record(s);
    return true;
}

void stats_close(stats *s)
{
    if (s->record != NULL && *s->own != 0)
        __atomic_store_n(&s->record->state, KERR_RECORD_ENDED, __ATOMIC_RELEASE);
    if (s->page != NULL)
        munmap(s->page, KERR_STATS_BYTES);
    if (s->own != NULL)
        munmap(s->own, 4096);
    if (s->seen != NULL)
        munmap(s->seen, KERR_TILES * sizeof *s->seen);
    if (s->file >= 0)
        close(s->file);
    *s = (stats){.file = -1};
}

/* A forked child counts what it does itself: what its chip has done so far is its parent's. */
static void after_fork(stats *s, const kerr_chip *chip)
{
    *s->own = 1;
    s->depth = 0;
    s->findings_before = s->findings = 0;
    s->hang_cycle = 0;
    take_record(s);
    if (s->record == NULL || chip == NULL)
        return;
    kerr_noc_flits flits;
    (void)kerr_noc_flits_query(chip, &flits);
    for (unsigned noc = 0; noc < 2; noc++)
        for (unsigned node = 0; node < KERR_STATS_NODES; node++)
            for (unsigned k = 0; k < KERR_STATS_LINKS; k++)
                s->link_base[noc][node][k] = -flits.of[noc][node][k];
    s->now = s->sampled_at = cycle_of(chip);
    s->record->chips = 1;
    (void)kerr_threads(chip, &s->record->threads);
}

void stats_chip_begins(stats *s, const kerr_chip *chip)
{
    memset(s->seen, 0, KERR_TILES * sizeof *s->seen);
    s->now = s->sampled_at = cycle_of(chip);
    s->flits = 0;
    s->faults = 0;
    s->findings_before += s->findings;
    s->findings = 0;
    s->hang_cycle = 0;
    if (s->record != NULL) {
        s->record->chips++;
        (void)kerr_threads(chip, &s->record->threads);
    }
}

/* ---- Samples ----------------------------------------------------------------------------------------------- */

static void count_cycles(stats *s, const kerr_chip *chip)
{
    const uint64_t now = cycle_of(chip);
    s->record->cycles += now - s->now;
    s->now = now;
}

static void add_span(kerr_stats_span *to, const kerr_stats_span *more, uint64_t part, uint64_t whole)
{
    to->active += more->active * part / whole;
    to->kernel += more->kernel * part / whole;
    to->flits += more->flits * part / whole;
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++)
        to->busy[u] += more->busy[u] * part / whole;
}

/* Pieces of time get twice as long when there are too many of them. */
static void make_room(kerr_stats_record *record)
{
    while (record->cycles / record->span_cycles >= KERR_STATS_SPANS) {
        for (unsigned i = 0; i < KERR_STATS_SPANS / 2; i++) {
            kerr_stats_span sum = record->spans[2 * i];
            add_span(&sum, &record->spans[2 * i + 1], 1, 1);
            record->spans[i] = sum;
        }
        memset(&record->spans[KERR_STATS_SPANS / 2], 0, sizeof *record->spans * (KERR_STATS_SPANS / 2));
        record->span_cycles *= 2;
    }
}

/* What happened in the last `cycles` cycles, evenly over the pieces of time that they are in. */
static void spread(kerr_stats_record *record, const kerr_stats_span *more, uint64_t cycles)
{
    make_room(record);
    const uint64_t end = record->cycles;
    if (cycles == 0 || cycles > end) {
        add_span(&record->spans[end / record->span_cycles], more, 1, 1);
        return;
    }
    for (uint64_t from = end - cycles, to; from < end; from = to) {
        to = (from / record->span_cycles + 1) * record->span_cycles;
        to = to < end ? to : end;
        add_span(&record->spans[from / record->span_cycles], more, to - from, cycles);
    }
}

/* What the coprocessor of a tile did since it was looked at. */
struct stats_did {
    uint64_t busy[KERR_UNIT_COUNT], stalled[3][KERR_STALL_KINDS];
};

static bool sample_units(kerr_stats_record *record, kerr_stats_tile *into, kerr_stats_span *span,
                         struct stats_seen *seen, const kerr_activity *activity, struct stats_did *did)
{
    uint64_t moved = 0;
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
        const uint64_t ops = activity->unit_taken[u] - seen->ops[u], more = activity->unit_busy[u] - seen->busy[u];
        moved |= ops;
        record->unit_ops[u] += ops;
        record->unit_busy[u] += more;
        into->busy[u] += more;
        span->busy[u] += more;
        did->busy[u] = more;
    }
    memcpy(seen->ops, activity->unit_taken, sizeof seen->ops);
    memcpy(seen->busy, activity->unit_busy, sizeof seen->busy);
    return moved != 0;
}

static void sample_stalls(kerr_stats_record *record, struct stats_seen *seen, const kerr_activity *activity,
                          struct stats_did *did)
{
    for (unsigned i = 0; i < 3; i++)
        for (unsigned r = 1; r < KERR_STALL_KINDS; r++) {
            did->stalled[i][r] = activity->stalled_by[i][r] - seen->stalled[i][r];
            record->stalled[i][r] += did->stalled[i][r];
        }
    memcpy(seen->stalled, activity->stalled_by, sizeof seen->stalled);
}

/* The piece of code at pc: the place in the table that has it, or gets it; NULL: there is none. */
static kerr_stats_code *sample_code(kerr_stats_record *record, const kerr_chip *chip, uint32_t index, unsigned core,
                                    uint32_t pc, uint64_t weight)
{
    const uint32_t address = pc & ~(uint32_t)(KERR_STATS_CODE_BYTES - 1);
    const kerr_xy at = tile_at(index);
    uint64_t size;
    const uint8_t *bytes = l1_at(chip, at, address, &size);
    if (bytes == NULL || size < KERR_STATS_CODE_BYTES)
        return NULL;
    uint64_t hash = address, word;
    for (unsigned i = 0; i < KERR_STATS_CODE_BYTES; i += 8) {
        memcpy(&word, bytes + i, 8);
        hash = (hash ^ word) * UINT64_C(0xD1342543DE82EF95);
        hash ^= hash >> 32;
    }
    for (unsigned k = 0; k < PROBES; k++) {
        kerr_stats_code *code = &record->codes[(hash + k) % KERR_STATS_CODES];
        if (code->samples == 0) {
            code->address = address;
            memcpy(code->bytes, bytes, sizeof code->bytes);
        } else if (code->address != address || memcmp(code->bytes, bytes, sizeof code->bytes) != 0) {
            continue;
        }
        code->samples++;
        code->cycles += weight;
        code->cores |= KERR_STATS_CORE(kerr_tile_kind_at(at), core);
        code->hottest = pc;
        code->tiles[index / 64] |= UINT64_C(1) << index % 64;
        return code;
    }
    record->codes_lost += weight;
    return NULL;
}

/* Where the cores of a tile are, and what their coprocessor did meanwhile.  True: one of them runs a kernel. */
static bool sample_cores(kerr_stats_record *record, const kerr_chip *chip, uint32_t index,
                         const kerr_activity *activity, uint64_t weight, const struct stats_did *did)
{
    static const uint8_t order[KERR_CORE_COUNT] = {KERR_CORE_T1, KERR_CORE_T0, KERR_CORE_T2, KERR_CORE_NC, KERR_CORE_B};
    bool runs = false;
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        const unsigned core = order[i];
        if (core >= activity->cores || activity->core[core].in_reset)
            continue;
        kerr_stats_code *code = sample_code(record, chip, index, core, activity->core[core].pc, weight);
        if (!kerr_core_has_kernel(chip, tile_at(index), (kerr_core)core))
            continue;
        if (code != NULL) {
            code->kernel_cycles += weight;
            for (unsigned u = 0; u < KERR_UNIT_COUNT && !runs; u++)
                code->busy[u] += did->busy[u];
            for (unsigned r = 1; r < KERR_STALL_KINDS && core >= KERR_CORE_T0 && core <= KERR_CORE_T2; r++)
                code->stalled[r] += did->stalled[core - KERR_CORE_T0][r];
        }
        runs = true;
    }
    return runs;
}

/* Or a part of one: a kernel that waits is one that runs. */
static bool has_kernel(const kerr_chip *chip, uint32_t index)
{
    return index < KERR_TENSIX_TILES && kerr_core_has_kernel(chip, tile_at(index), KERR_CORE_B);
}

static void sample_tile(stats *s, const kerr_chip *chip, uint32_t index, uint64_t weight, kerr_stats_span *span)
{
    kerr_stats_record *record = s->record;
    struct stats_seen *seen = &s->seen[index];
    kerr_stats_tile *into = &record->tiles[place_of(tile_at(index))];
    struct stats_did did = {.busy = {0}};
    kerr_activity activity;
    bool active = false;
    if (kerr_activity_query(chip, tile_at(index), &activity) != KERR_OK)
        return; /* it is switched off */
    for (unsigned c = 0; c < activity.cores; c++) {
        const uint64_t instret = activity.core[c].instructions;
        const bool fell = instret < seen->instret[c]; /* reset */
        into->instructions += fell ? instret : instret - seen->instret[c];
        active = active || instret != seen->instret[c];
        seen->instret[c] = instret;
    }
    if (index < KERR_TENSIX_TILES) {
        active = sample_units(record, into, span, seen, &activity, &did) || active;
        sample_stalls(record, seen, &activity, &did);
    }
    if (weight == 0 || (!active && !has_kernel(chip, index)))
        return;
    if (active) {
        record->active_tiles++;
        into->active += weight;
        span->active += weight;
    }
    if (sample_cores(record, chip, index, &activity, weight, &did)) {
        into->kernel += weight;
        span->kernel += weight;
    }
}

/* Flits since the last sample. */
static uint64_t sample_links(stats *s, const kerr_chip *chip)
{
    uint64_t sum = 0;
    kerr_noc_flits flits;
    (void)kerr_noc_flits_query(chip, &flits);
    for (unsigned noc = 0; noc < 2; noc++)
        for (unsigned node = 0; node < KERR_STATS_NODES; node++)
            for (unsigned k = 0; k < KERR_STATS_LINKS; k++) {
                const uint64_t load = flits.of[noc][node][k];
                s->record->link_flits[noc][node][k] = s->link_base[noc][node][k] + load;
                sum += load;
            }
    const uint64_t more = sum - s->flits;
    s->flits = sum;
    return more;
}

/* all: also tiles that have nothing to do. */
static void sample(stats *s, const kerr_chip *chip, bool all)
{
    kerr_stats_record *record = s->record;
    const uint64_t now = cycle_of(chip), weight = now - s->sampled_at;
    kerr_stats_span span = {.active = 0};
    uint64_t tile_due[KERR_TILES];
    (void)kerr_due_query(chip, tile_due);
    record->active_tiles = 0;
    record->samples++;
    for (uint32_t i = 0; i < KERR_TILES; i++) {
        const bool due = tile_due[i] != UINT64_MAX;
        if (all || due || s->seen[i].due || has_kernel(chip, i))
            sample_tile(s, chip, i, weight, &span);
        s->seen[i].due = due;
    }
    span.flits = sample_links(s, chip);
    record->kernel_cycles += span.kernel != 0 ? weight : 0;
    spread(record, &span, weight);
    s->sampled_at = now;
}

static void maybe_sample(stats *s, const kerr_chip *chip, uint64_t ns)
{
    if (cycle_of(chip) - s->sampled_at < SAMPLE_CYCLES ||
        s->sampling_ns > SAMPLE_ALLOWANCE_NS + s->record->inside_ns / SAMPLE_SHARE)
        return;
    sample(s, chip, false);
    stats_findings(s, chip, false);
    s->sampling_ns += stats_clock_ns() - ns;
}

/* ---- The end of a chip --------------------------------------------------------------------------------------- */

void stats_chip_ends(stats *s, const kerr_chip *chip)
{
    if (s->record == NULL || *s->own == 0)
        return;
    count_cycles(s, chip);
    sample(s, chip, true);
    memcpy(s->link_base, s->record->link_flits, sizeof s->link_base);
    stats_faults(s, chip);
    stats_findings(s, chip, true);
}

void stats_chip_closes(stats *s, const kerr_chip *chip)
{
    if (s->record == NULL || *s->own == 0 || s->record->dead != 0)
        return;
    uint32_t hung = 0;
    (void)kerr_left_hanging(chip, &hung);
    s->record->hung += hung;
    if (hung != 0)
        stats_post_mortem(s, chip, KERR_POST_HANG, "the program closed a chip that hangs");
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

void stats_enter(stats *s, const kerr_chip *chip, kerr_stats_call call, uint64_t bytes)
{
    if (*s->own == 0)
        after_fork(s, chip);
    if (s->depth++ != 0 || s->record == NULL)
        return;
    s->begin_ns = stats_clock_ns();
    s->outside_ns = 0;
    s->record->calls[call]++;
    if (call == KERR_CALL_READ)
        s->record->read_bytes += bytes;
    else if (call == KERR_CALL_WRITE)
        s->record->written_bytes += bytes;
}

void stats_life(stats *s, uint64_t begin_ns)
{
    kerr_stats_record *record = s->record;
    if (record == NULL || *s->own == 0)
        return;
    record->calls[KERR_CALL_LIFE]++;
    record->last_ns = stats_clock_ns();
    record->inside_ns += record->last_ns - begin_ns;
    record->begin_ns = begin_ns < record->begin_ns ? begin_ns : record->begin_ns;
}

void stats_dma(stats *s, bool read, uint64_t ns, uint64_t bytes)
{
    s->outside_ns += ns;
    if (s->record != NULL)
        *(read ? &s->record->dma_read_bytes : &s->record->dma_written_bytes) += bytes;
}

void stats_leave(stats *s, const kerr_chip *chip)
{
    if (--s->depth != 0)
        return;
    kerr_stats_record *record = s->record;
    if (record == NULL)
        return;
    if (chip != NULL) {
        count_cycles(s, chip);
        maybe_sample(s, chip, stats_clock_ns());
        if (__atomic_load_n(&s->page->ask, __ATOMIC_RELAXED) == record->pid) {
            __atomic_store_n(&s->page->ask, 0, __ATOMIC_RELAXED);
            stats_post_mortem(s, chip, KERR_POST_ASKED, "");
        }
    }
    record->last_ns = stats_clock_ns();
    record->inside_ns += record->last_ns - s->begin_ns - s->outside_ns;
}
