/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded host program (kerr exec --record) whose chip is saved and restored at random cycles gives what it gave: every byte that
 * it read, every cycle, the state in the end.
 *
 *   replay_snapshots LOG [COUNT [SEED]]
 *
 * The drop-in library is compiled into this program, with a kerr_run that stops in each of COUNT random cycles.  Played once, the hash
 * of the state there is noted.  Played again, the chip is saved there, a new one with another number of threads is restored from that
 * and goes on in its place. */
#include "kerr.h"

#include "chip/chip.h"

/* All time passes in kerr_run, also where the library knows that nothing happens in it. */
#define chip_rests_until(chip) ((void)(chip), UINT64_C(0))
static kerr_status run_with_stops(kerr_chip *chip, uint64_t cycles);
#define kerr_run run_with_stops
#include "../../src/dropin/libttsim.c"
#include "../../src/host/api_pci.c" /* its chip is what we exchange */
#undef kerr_run

#include "../support/saved.h"
#include "../support/tap.h"

#include <inttypes.h>

enum { TEST_COUNT = 12, ENTRY_MAX = 1 << 30 };

typedef struct player {
    FILE *file;
    kerr_record_entry entry; /* the next one; kind 0: the end */
    uint8_t *data;           /* of the entry before it */
    size_t room;
    uint64_t number;

    uint64_t cycles; /* of all chips of the log */
    uint64_t *stop;  /* in cycles that have passed on all of them, in order */
    uint64_t *hash;  /* there, when it was played straight on */
    uint32_t count, next;
    uint64_t passed, last; /* cycles; that of the chip */
    bool exchanges;
    uint32_t wrong_state, wrong_restored, wrong_results, chips_wrong, ends;
} player;

static player play;

/* Not support/chip.h: the library has names that it has too. */
static void must(kerr_status status, const char *what)
{
    if (status != KERR_OK) {
        printf("Bail out! %s: %s\n", what, kerr_status_text(status));
        exit(1);
    }
}

static uint64_t random64(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* ---- The log --------------------------------------------------------------------------------------------------- */

static bool has_data(unsigned kind)
{
    return kind == KERR_LOG_INIT || kind == KERR_LOG_WRITE || kind == KERR_LOG_TILE_WRITE || kind == KERR_LOG_DMA_READ;
}

static void look_ahead(void)
{
    play.number++;
    if (fread(&play.entry, sizeof play.entry, 1, play.file) != 1 || play.entry.kind >= KERR_LOG_KINDS ||
        play.entry.size > ENTRY_MAX) {
        play.entry.kind = 0;
    }
}

static bool take(kerr_record_entry *entry)
{
    *entry = play.entry;
    if (entry->kind == 0) {
        return false;
    }
    if (has_data(entry->kind) && entry->size > 0) {
        if (entry->size > play.room) {
            play.room = entry->size;
            play.data = realloc(play.data, play.room);
        }
        if (play.data == NULL || fread(play.data, entry->size, 1, play.file) != 1) {
            play.entry.kind = 0;
            return false;
        }
    }
    look_ahead();
    return true;
}

static bool begin_log(const char *path)
{
    kerr_record_header header;
    if (play.file != NULL) {
        fclose(play.file);
    }
    play.file = fopen(path, "rb");
    play.number = 0;
    if (play.file == NULL || fread(&header, sizeof header, 1, play.file) != 1 ||
        memcmp(header.magic, "kerrlog\n", 8) != 0 || header.version != KERR_RECORD_VERSION) {
        return false;
    }
    look_ahead();
    return true;
}

static void measure(void)
{
    kerr_record_entry entry;
    uint64_t most = 0;
    while (take(&entry) && entry.kind != KERR_LOG_HANG) {
        if ((entry.kind == KERR_LOG_RESULT || entry.kind == KERR_LOG_END) && entry.address > most) {
            most = entry.address;
        }
        if (entry.kind == KERR_LOG_END || play.entry.kind == 0) {
            play.cycles += most;
            most = 0;
        }
    }
}

/* ---- The chip ---------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const kerr_chip *chip)
{
    uint64_t hash = 0;
    must(kerr_hash(chip, &hash), "hash");
    return hash;
}

/* Another chip, as card_init makes one, takes over; the one before is kept for the next time. */
static void exchange(void)
{
    static saved_bytes saved;
    static kerr_chip *spare;
    kerr_chip *old = sim.chip;
    saved.size = saved.at = 0;
    must(kerr_save(old, saved_put, &saved), "save");
    sim.chip = spare;
    spare = old;
    if (sim.chip == NULL) {
        kerr_config config;
        kerr_config_init(&config);
        config.threads = 2;
        for (int kind = 0; kind < KERR_FAULT_KINDS && sim.on_fault == ON_FAULT_CARD; kind++) {
            config.policy[kind] = config.policy[kind] == KERR_POLICY_STOP ? KERR_POLICY_GO_ON : config.policy[kind];
        }
        must(kerr_create(&config, &sim.chip), "create");
        environment_findings();
        if (sim.dma_read != NULL) {
            kerr_set_host_memory(sim.chip, host_read, host_write, NULL);
        }
    }
    sim.pci->chip = sim.chip;
    memset(sim.pci->shortcuts, 0, sizeof sim.pci->shortcuts);
    must(kerr_rewind(sim.chip, saved_get, &saved), "restore");
}

static void visit(void)
{
    const uint64_t hash = hash_of(sim.chip);
    if (!play.exchanges) {
        play.hash[play.next] = hash;
    } else {
        if (hash != play.hash[play.next] && play.wrong_state++ == 0) {
            printf("# cycle %" PRIu64 ": not the state of the straight run\n", sim.chip->now);
        }
        exchange();
        if (hash_of(sim.chip) != hash && play.wrong_restored++ == 0) {
            printf("# cycle %" PRIu64 ": restored is not what was saved\n", sim.chip->now);
        }
    }
    play.next++;
}

static void count_passed(void)
{
    const uint64_t now = sim.chip->now;
    play.passed += now >= play.last ? now - play.last : now; /* a reset begins again with 0 */
    play.last = now;
}

static kerr_status run_with_stops(kerr_chip *chip, uint64_t cycles)
{
    const uint64_t end = chip->now + cycles;
    for (count_passed(); play.next < play.count && play.stop[play.next] < play.passed + (end - sim.chip->now);
         count_passed()) {
        if (play.stop[play.next] > play.passed) {
            const kerr_status status = kerr_run(sim.chip, play.stop[play.next] - play.passed);
            if (status != KERR_OK) {
                return status;
            }
        }
        visit();
    }
    return kerr_run(sim.chip, end - sim.chip->now);
}

/* ---- The host ------------------------------------------------------------------------------------------------------ */

static void is_wrong(const char *what)
{
    if (play.wrong_results++ < 5) {
        printf("# entry %" PRIu64 ", cycle %" PRIu64 ": %s\n", play.number - 1, sim.chip != NULL ? sim.chip->now : 0,
               what);
    }
}

static void card_reads(uint64_t address, void *data, uint32_t size)
{
    kerr_record_entry entry;
    memset(data, 0, size);
    if (play.entry.kind != KERR_LOG_DMA_READ || !take(&entry) || entry.address != address || entry.size != size) {
        is_wrong("the card reads host memory as it did not");
        return;
    }
    memcpy(data, play.data, size);
}

static void card_writes(uint64_t address, const void *data, uint32_t size)
{
    kerr_record_entry entry;
    if (play.entry.kind != KERR_LOG_DMA_WRITE || !take(&entry) || entry.address != address || entry.size != size ||
        entry.value != kerr_record_hash(data, size)) {
        is_wrong("the card writes host memory as it did not");
    }
}

static void check_result(const void *data, uint32_t size)
{
    kerr_record_entry entry;
    if (play.entry.kind == KERR_LOG_RESULT && take(&entry) &&
        (entry.value != kerr_record_hash(data, size) || (sim.chip != NULL && entry.address != sim.chip->now))) {
        is_wrong("a read gives something else, or in another cycle");
    }
}

/* As kerr replay does. */
static void set_variables(const char *lines, size_t size)
{
    char *text = strndup(lines, size), *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        char *value = strchr(line, '=');
        if (value != NULL) {
            *value = '\0';
            const bool ends = strcmp(line, "KERR_ON_FAULT") == 0 && strcmp(value + 1, "card") != 0;
            setenv(line, ends ? "dead" : value + 1, 1);
        }
    }
    free(text);
    setenv("KERR_THREADS", "1", 1);
}

static void play_init(const kerr_record_entry *entry)
{
    set_variables((const char *)play.data, entry->size);
    const bool memory = (entry->address & 1) != 0;
    libttsim_set_pci_dma_mem_callbacks(memory ? card_reads : NULL, memory ? card_writes : NULL);
    play.last = 0;
    libttsim_init();
}

static void play_exit(void)
{
    if (play.entry.kind == KERR_LOG_END && sim.chip != NULL) {
        play.ends++;
        play.chips_wrong += play.entry.address != sim.chip->now || play.entry.value != hash_of(sim.chip);
    }
    libttsim_exit();
}

static void play_call(const kerr_record_entry *entry)
{
    const uint32_t high = (uint32_t)(entry->address >> 32), low = (uint32_t)entry->address;
    uint8_t *data = malloc(entry->size > 0 ? entry->size : 1);
    if (data == NULL) {
        abort();
    }
    switch ((kerr_record_kind)entry->kind) {
    case KERR_LOG_INIT: play_init(entry); break;
    case KERR_LOG_EXIT: play_exit(); break;
    case KERR_LOG_CLOCK: libttsim_clock(low); break;
    case KERR_LOG_READ:
        libttsim_pci_mem_rd_bytes(entry->address, data, entry->size);
        check_result(data, entry->size);
        break;
    case KERR_LOG_TILE_READ:
        libttsim_tile_rd_bytes(entry->x, entry->y, entry->address, data, entry->size);
        check_result(data, entry->size);
        break;
    case KERR_LOG_WRITE:
    case KERR_LOG_TILE_WRITE:
        memcpy(data, play.data, entry->size);
        if (entry->kind == KERR_LOG_WRITE) {
            libttsim_pci_mem_wr_bytes(entry->address, data, entry->size);
        } else {
            libttsim_tile_wr_bytes(entry->x, entry->y, entry->address, data, entry->size);
        }
        break;
    case KERR_LOG_CONFIG_READ: {
        const uint32_t value = libttsim_pci_config_rd32(high, low);
        check_result(&value, sizeof value);
        break;
    }
    case KERR_LOG_CONFIG_WRITE: libttsim_pci_config_wr32(high, low, (uint32_t)entry->value); break;
    case KERR_LOG_DMA_READ:
    case KERR_LOG_DMA_WRITE:
    case KERR_LOG_RESULT:
    case KERR_LOG_HANG:
    case KERR_LOG_END:
    case KERR_LOG_KINDS: break; /* what comes of calls */
    }
    free(data);
}

static bool play_all(const char *path)
{
    kerr_record_entry entry;
    if (!begin_log(path)) {
        return false;
    }
    play.next = 0;
    play.passed = play.last = 0;
    while (take(&entry) && entry.kind != KERR_LOG_HANG) {
        play_call(&entry);
    }
    if (sim.chip != NULL) {
        libttsim_exit(); /* the log breaks off */
    }
    return true;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    tap t = {0};
    if (argc < 2) {
        fprintf(stderr, "usage: replay_snapshots LOG [COUNT [SEED]]\n");
        return 2;
    }
    uint64_t random = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    play.count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : TEST_COUNT;
    play.stop = calloc(play.count, sizeof *play.stop);
    play.hash = calloc(play.count, sizeof *play.hash);
    if (play.stop == NULL || play.hash == NULL || !begin_log(argv[1])) {
        printf("Bail out! %s: no log of kerr exec --record\n", argv[1]);
        return 1;
    }
    measure();
    for (uint32_t i = 0; i < play.count; i++) {
        play.stop[i] = 1 + random64(&random) % (play.cycles > 1 ? play.cycles - 1 : 1);
    }
    qsort(play.stop, play.count, sizeof *play.stop, by_size);
    const bool straight = play_all(argv[1]);
    const uint32_t visited = play.next;
    tap_ok(&t, straight && visited > 0 && play.wrong_results == 0 && play.chips_wrong == 0,
           "played straight on, %" PRIu64 " cycles on %" PRIu32 " chips, the log comes out the same", play.passed,
           play.ends);
    play.exchanges = true;
    play.ends = 0;
    tap_ok(&t, play_all(argv[1]) && play.next == visited && play.wrong_results == 0,
           "saved and restored on 1 and 2 threads by turns in %" PRIu32
           " random cycles, the host gets the same in the same "
           "cycles",
           visited);
    tap_ok(&t, play.wrong_state == 0, "in each of them the state is that of the straight run");
    tap_ok(&t, play.wrong_restored == 0, "and what is restored is what was saved");
    tap_ok(&t, play.chips_wrong == 0, "the state in the end is the same");
    free(play.stop);
    free(play.hash);
    free(play.data);
    return tap_end(&t);
}
