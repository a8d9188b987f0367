/* SPDX-License-Identifier: Apache-2.0 */
/* The drop-in: the libttsim C ABI over kerr.h, for hosts such as tt-umd that open a simulator by path.  That ABI has
 * no handle and no status, so this is the one file with state of its own, the one that prints, and the one that the
 * environment sets up (kerr_create looks at KERR_THREADS only: threads_from in chip.c).  What a host sees is in
 * docs/drop-in.md:
 *
 *   KERR_THREADS   worker threads (default: what the machine offers, at most 8)
 *   KERR_SEED      of everything the hardware leaves to chance (default 0)
 *   KERR_SHAKE     seed of shaken timing (default 0: none)
 *   KERR_ON_FAULT  dead: the card falls off the bus (default);  exit: the process ends with status 1;
 *                  card: go on as the hardware would;  throw: as dead, after a C++ exception
 *   KERR_HOST_TIME cycles that pass before a read is answered (default 1000);  0: host time off
 *   KERR_HARVEST   what is switched off: p150, p100, full, with masks (kerr.h; default p150,eth=0x3000)
 *   KERR_POLICY    what a finding does (kerr_findings.h): card, report, strict, KIND=stop, ...
 *   KERR_CHECK     checks to make: memory, sync, hazard, all
 *   KERR_FINDINGS  a file for faults and what checks found, as lines of JSON
 * and, set by `kerr exec` as a rule (docs/exec.md):
 *   KERR_STATS     a page to keep statistics in (kerr_stats.h)
 *   KERR_RECORD    a file to log all calls into (kerr_record.h)
 *   KERR_TRACE     a file for the chip's trace (kerr_feed.h)
 *   KERR_KERNELS   a file for the times of kernels (kernels.h)
 *   KERR_SAVE_EVERY, KERR_SAVE_DIR, KERR_SAVE_KEEP   the chip saved every so many cycles (series.h)
 *   KERR_HANG_MS   the card dies when the host has only polled a chip that has nothing to do for so long
 *   KERR_DEAD_MS   the process ends when it goes on talking to a dead card for longer
 *   KERR_ATTACH    serve those who want to look while it runs (attach/attach.h): 1, or the path of the socket
 *   KERR_ATTACH_WAIT 1: the first call waits for a debugger
 * Without these a call costs one look at sim.watch.on more than it would.  variables.def is the whole list: a name or a value that is
 * not in it, or a file that cannot be written, and there is no card to open (refuse_to_open).
 *
 * Nothing here survives libttsim_exit but the DMA callbacks and the list of messages already printed. */
#include "attach/attach.h"
#include "base/text_number.h"
#include "chip/chip.h"
#include "host/findings_file.h"
#include "host/pci.h"
#include "host/raise.h"
#include "host/watch.h"
#include "kerr.h"
#include "kerr_findings.h"
#include "noc/niu_fields.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef void (*dma_read_fn)(uint64_t physical, void *data, uint32_t size);
typedef void (*dma_write_fn)(uint64_t physical, const void *data, uint32_t size);

void libttsim_init(void);
void libttsim_exit(void);
void libttsim_set_pci_dma_mem_callbacks(dma_read_fn read, dma_write_fn write);
uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset);
void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data);
void libttsim_pci_mem_rd_bytes(uint64_t physical, void *data, uint32_t size);
void libttsim_pci_mem_wr_bytes(uint64_t physical, const void *data, uint32_t size);
void libttsim_clock(uint32_t cycles);
void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *data, uint32_t size);
void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *data, uint32_t size);

enum {
    READ_CYCLES = 1000,    /* a card answers a read after about a microsecond (estimate) */
    RUN_ON_READS = 16,     /* a repeated question runs on for at most so many times that */
    POLLED_BYTES_MAX = 64, /* longer reads fetch results, they do not poll */
    POLLS = 1024,          /* power of two: ranges remembered, several for each node */
    SHORTCUTS = 256,       /* power of two, enough for all windows of BAR0 */
    SHORTCUT_BITS = 21,    /* of physical address: no window is smaller */
    MESSAGES = 32,         /* different ones printed before we fall silent */
    CONFIG_BYTES = 4096,
    DMA_PIECE = 1 << 30, /* callbacks take pieces of 32-bit size */
};
#define REGISTERS_START 0xFF000000u

typedef enum on_fault { ON_FAULT_DEAD, ON_FAULT_EXIT, ON_FAULT_CARD, ON_FAULT_THROW } on_fault;

/* A range that the host has read, and what it got. */
typedef struct poll {
    uint64_t address;
    kerr_xy tile;
    uint8_t size; /* 0: empty */
    uint8_t bytes[POLLED_BYTES_MAX];
} poll;

/* Where in memory a piece of the host's address space leads. */
typedef struct shortcut {
    uint64_t epoch;    /* of sim, in which it holds */
    uint64_t physical; /* the piece: aligned, this many bytes of it are memory */
    uint64_t bytes;
    struct tile *tile;
    struct dram_bank *bank; /* NULL: L1 of the tile */
    uint64_t local;         /* address in L1 or bank */
    uint64_t address;       /* in the tile, over the NoC */
    kerr_xy at;
    uint8_t noc;
} shortcut;

static struct {
    kerr_chip *chip; /* NULL: not between init and exit */
    pci_device pci;
    on_fault on_fault;
    bool dead;   /* a fault has stopped the chip; the card no longer answers */
    bool absent; /* libttsim_init was asked for what it cannot do: no chip, until the next one or exit */

    uint64_t read_cycles;       /* 0: host time off */
    bool clocked_once;          /* the last call was clock(1) */
    uint64_t host_writes;       /* by the card into host memory, since init */
    poll polls[POLLS];          /* in order of their first use, which keeps them on few pages */
    uint16_t poll_place[POLLS]; /* 1 + index into polls; 0: none yet */
    uint16_t poll_count;
    bool had_chip; /* before this one: else polls are as new */

    /* Most accesses find memory of a chip that has nothing to do meanwhile.  What they need to know holds until anything
     * else happens: forget(). */
    uint64_t epoch;
    uint64_t rests_until; /* cycle before which nothing happens on the chip; 0: unknown */
    shortcut shortcuts[SHORTCUTS];

    dma_read_fn dma_read;
    dma_write_fn dma_write;
    uint64_t printed[MESSAGES]; /* hashes of the messages shown */
    unsigned printed_count;

    bool findings_written; /* of this chip */

    bool wrote;  /* the host to a tile, during this call */
    bool throws; /* ON_FAULT_THROW: died_of is still to be thrown */
    char died_of[512];
    watch watch; /* whoever wants to know of calls: on if there is anybody */

    attach *attach; /* NULL: nobody can attach.  Then watch.on is set. */
    door *door;     /* its */
    uint32_t depth; /* of calls: the host may call from its DMA callbacks */
} sim;

/* ---- Messages ---------------------------------------------------------------------------- */

static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *text != '\0'; text++)
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001B3);
    return hash;
}

/* What the host did wrong, each thing once: a host that polls must not fill the terminal. */
static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void complain(const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    uint64_t hash = hash_text(text);
    for (unsigned i = 0; i < sim.printed_count; i++)
        if (sim.printed[i] == hash)
            return;
    if (sim.printed_count == MESSAGES)
        return;
    sim.printed[sim.printed_count++] = hash;
    fprintf(stderr, "kerr: %s\n", text);
    if (sim.printed_count == MESSAGES)
        fprintf(stderr, "kerr: further messages of this kind are not shown\n");
}

/* The chip, the windows or the addresses of the card are about to change. */
static void forget(void)
{
    sim.epoch++;
    sim.rests_until = 0;
}

static void forget_polls(void)
{
    memset(sim.polls, 0, sim.poll_count * sizeof sim.polls[0]);
    memset(sim.poll_place, 0, sizeof sim.poll_place);
    sim.poll_count = 0;
}

/* The only place that does: by the wish of who set KERR_ON_FAULT=exit or KERR_DEAD_MS, and never else. */
static void end_process(void)
{
    _Exit(1);
}

/* NULL: not given. */
static const char *environment_text(const char *name)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? text : NULL;
}

/* What was found on this chip, once, if anybody wants to know. */
static void write_findings(void)
{
    const char *path = environment_text("KERR_FINDINGS");
    if (path != NULL && !sim.findings_written && !findings_file_append(path, sim.chip))
        complain("KERR_FINDINGS=%s: cannot be written", path);
    sim.findings_written = true;
}

/* Says why, once, and takes the card off the bus. */
static void card_falls_off(kerr_post_reason reason, const char *text)
{
    sim.dead = true;
    forget();
    fprintf(stderr, "kerr: the chip has stopped: %s\n", text);
    write_findings();
    if (sim.watch.on)
        watch_chip_stops(&sim.watch, sim.chip, reason, text);
    if (sim.on_fault == ON_FAULT_EXIT)
        end_process();
    sim.throws = sim.on_fault == ON_FAULT_THROW;
    snprintf(sim.died_of, sizeof sim.died_of, "kerr: the chip has stopped: %s", text);
}

/* A fault has stopped the chip. */
static void card_dies(void)
{
    if (sim.dead)
        return;
    kerr_finding finding;
    char text[512] = "no fault is on record";
    uint32_t count = 0;
    kerr_finding_count(sim.chip, &count);
    for (uint32_t i = 0; i < count; i++)
        if (kerr_finding_get(sim.chip, i, &finding) == KERR_OK && finding.stopping) {
            kerr_finding_format(&finding, text, sizeof text);
            break;
        }
    card_falls_off(KERR_POST_FAULT, text);
}

/* Is there a chip to talk to?  A dead card takes every call in silence, and so does one that is not there. */
static bool running(const char *call)
{
    if (sim.chip == NULL && !sim.absent)
        complain("%s: called before libttsim_init", call);
    return sim.chip != NULL;
}

/* ---- Life -------------------------------------------------------------------------------- */

/* Those below are called when kerr_environment_check has found nothing wrong. */
static uint64_t environment_number(const char *name, uint64_t otherwise)
{
    const char *text = environment_text(name);
    uint64_t value = otherwise;
    return text != NULL && text_number(text, UINT64_MAX, &value) ? value : otherwise;
}

static on_fault environment_on_fault(void)
{
    static const char *const names[] = {
        [ON_FAULT_DEAD] = "dead", [ON_FAULT_EXIT] = "exit", [ON_FAULT_CARD] = "card", [ON_FAULT_THROW] = "throw"};
    const char *text = environment_text("KERR_ON_FAULT");
    for (unsigned i = 0; text != NULL && i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0)
            return (on_fault)i;
    return ON_FAULT_DEAD;
}

static void environment_harvest(kerr_harvesting *harvesting)
{
    const char *text = environment_text("KERR_HARVEST");
    /* Before it asks the chip, tt-umd 0.9.14 takes a simulator to have Ethernet tiles 0 to 11. */
    kerr_harvesting_by_name(text != NULL ? text : "p150,eth=0x3000", harvesting);
}

/* What is looked for, and what it does; before anything is in memory. */
static kerr_status environment_findings(void)
{
    const char *policy = environment_text("KERR_POLICY"), *check = environment_text("KERR_CHECK");
    kerr_policies policies;
    uint32_t checks = 0;
    if (policy == NULL && check == NULL)
        return KERR_OK;
    if (check != NULL)
        kerr_checks_parse(check, &checks, NULL);
    kerr_status status = kerr_set_checks(sim.chip, checks);
    kerr_policies_init(&policies);
    for (int kind = 0; kind < KERR_FAULT_KINDS && sim.on_fault == ON_FAULT_CARD; kind++)
        policies.of[kind] = KERR_POLICY_GO_ON;
    if (policy != NULL)
        kerr_policies_parse(&policies, policy, NULL);
    return status == KERR_OK ? kerr_set_policies(sim.chip, &policies) : status;
}

/* A host that asks for something that cannot be had must not take what it gets for an answer: it finds no card.  The calls of this ABI
 * give nothing back; a PCI function that is not there reads as all ones, and every host looks at the vendor first.  Where exceptions
 * were asked for it gets one. */
static void refuse_to_open(const char *text)
{
    fprintf(stderr, "kerr: libttsim_init: there is no card: %s\n", text);
    sim.absent = true;
    sim.watch.on = sim.attach != NULL; /* nobody else has anything to see */
    sim.throws = environment_on_fault() == ON_FAULT_THROW;
    snprintf(sim.died_of, sizeof sim.died_of, "kerr: libttsim_init: there is no card: %s", text);
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), most = strlen(end);
    return length >= most && strcasecmp(text + length - most, end) == 0;
}

/* Whether findings will have a place to go to. */
static bool findings_can_be_written(char *why, size_t size)
{
    const char *path = environment_text("KERR_FINDINGS");
    if (path == NULL)
        return true;
    if (ends_in(path, ".sarif") || ends_in(path, ".xml")) {
        snprintf(why, size,
                 "KERR_FINDINGS=%s: only kerr run and kerr exec write this format; here they are lines of JSON", path);
        return false;
    }
    FILE *file = fopen(path, "ae");
    if (file == NULL || fclose(file) != 0) {
        snprintf(why, size, "KERR_FINDINGS=%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    return true;
}

/* ---- Watched calls ------------------------------------------------------------------------- */

/* Others had the chip: not the host's time.  inside: of the call, by the clock of the statistics. */
static void excuse(bool inside)
{
    if (sim.attach != NULL && sim.door->held_ns != 0) {
        watch_excuse(&sim.watch, sim.door->held_ns, inside);
        sim.door->held_ns = 0;
    }
}

/* The chip is ours from here to door_out. */
static void door_in(void)
{
    if (sim.attach == NULL || sim.depth++ != 0)
        return;
    door_enter(sim.door);
    excuse(false);
    if (attach_was_changed(sim.attach))
        forget();
}

static void door_out(void)
{
    if (sim.attach == NULL || --sim.depth != 0)
        return;
    door_leave(sim.door);
}

static void watched_enter(kerr_stats_call call, const kerr_record_entry *entry, const void *data)
{
    door_in();
    watch_enter(&sim.watch, sim.chip, call, entry, data);
}

/* What the host got of a read: data, size; else NULL. */
static void watched_leave(const void *data, uint32_t size)
{
    char text[256];
    if (data != NULL && size != 0)
        watch_result(&sim.watch, sim.chip, data, size);
    excuse(true);
    const bool patient = sim.attach != NULL && attach_is_debugged(sim.attach);
    if (!sim.dead && !patient && watch_sees_hang(&sim.watch, sim.chip, sim.wrote, sim.rests_until, text, sizeof text))
        card_falls_off(KERR_POST_HANG, text);
    sim.wrote = false;
    watch_leave(&sim.watch, sim.chip);
    if (!sim.dead && !watch_saves(&sim.watch, sim.chip, text, sizeof text))
        complain("KERR_SAVE_EVERY: %s", text);
    door_out();
    if (sim.throws) { /* once: destructors that talk to the card come after it */
        sim.throws = false;
        raise_runtime_error(sim.died_of);
    }
    if (sim.dead && !patient && watch_loses_patience(&sim.watch)) {
        fprintf(stderr, "kerr: the host goes on talking to a card that is off the bus: the process ends\n");
        end_process();
    }
}

static void series_begins(void)
{
    const char *folder = environment_text("KERR_SAVE_DIR");
    const uint64_t every = environment_number("KERR_SAVE_EVERY", 0);
    const uint64_t keep = environment_number("KERR_SAVE_KEEP", 16);
    if (every != 0)
        watch_open_series(&sim.watch, folder != NULL ? folder : "kerr-chips", every, (uint32_t)keep);
}

/* Once, and then for all chips of the process. */
static void attach_begins(void)
{
    const char *where = getenv("KERR_ATTACH");
    char why[SOCKET_WHY];
    if (sim.attach != NULL && door_is_forked(sim.door)) /* the parent's: its threads are not here */
        sim.attach = NULL;
    if (where == NULL || *where == '\0' || strcmp(where, "0") == 0 || sim.attach != NULL)
        return;
    const attach_setup setup = {.chip = sim.chip,
                                .path = strcmp(where, "1") != 0 ? where : NULL,
                                .waits = environment_number("KERR_ATTACH_WAIT", 0) != 0};
    sim.attach = attach_open(&setup, why);
    if (sim.attach == NULL) {
        complain("KERR_ATTACH=%s: %s; nobody can attach", where, why);
        return;
    }
    sim.door = attach_door(sim.attach);
    sim.depth = 0;
    sim.watch.on = true;
}

/* Chips of KERR_SAVE_EVERY will have a folder; what cannot be written later is told of then. */
static bool chips_can_be_saved(char *why, size_t size)
{
    const char *folder = environment_text("KERR_SAVE_DIR");
    struct stat there;
    if (folder == NULL || environment_number("KERR_SAVE_EVERY", 0) == 0)
        return true;
    if ((mkdir(folder, 0777) == 0 || errno == EEXIST) && stat(folder, &there) == 0) {
        errno = S_ISDIR(there.st_mode) ? 0 : ENOTDIR;
        if (errno == 0 && access(folder, W_OK | X_OK) == 0)
            return true;
    }
    snprintf(why, size, "KERR_SAVE_DIR=%s: %s", folder, strerror(errno));
    return false;
}

/* Who watches is settled with the first chip of the process.  Before there is one: the files that were asked for. */
static bool watch_opens(char *text, size_t size)
{
    const char *page = environment_text("KERR_STATS"), *log = environment_text("KERR_RECORD"),
               *trace = environment_text("KERR_TRACE"), *times = environment_text("KERR_KERNELS");
    const char *name = NULL, *path = "", *why = "cannot be written";
    watch *w = &sim.watch;
    w->hang_ns = environment_number("KERR_HANG_MS", 0) * 1000000;
    w->dead_ns = environment_number("KERR_DEAD_MS", 0) * 1000000;
    w->on = w->hang_ns != 0 || w->dead_ns != 0 || sim.on_fault == ON_FAULT_THROW || sim.attach != NULL;
    if (page != NULL && !watch_open_page(w, page, &why))
        name = "KERR_STATS", path = page;
    else if (log != NULL && !watch_open_log(w, log))
        name = "KERR_RECORD", path = log;
    else if (trace != NULL && !watch_open_feed(w, trace))
        name = "KERR_TRACE", path = trace;
    else if (times != NULL && !watch_open_kernels(w, times))
        name = "KERR_KERNELS", path = times;
    if (name != NULL)
        snprintf(text, size, "%s=%s: %s", name, path, why);
    return name == NULL && findings_can_be_written(text, size) && chips_can_be_saved(text, size);
}

static void watch_begins(void)
{
    series_begins();
    attach_begins();
    watch_chip_begins(&sim.watch, sim.chip, sim.dma_read != NULL && sim.dma_write != NULL);
}

/* The card reaches into host memory. */
static void host_read(void *context, uint64_t address, void *data, size_t size)
{
    (void)context;
    const uint64_t begin_ns = sim.watch.on ? stats_clock_ns() : 0;
    for (size_t done = 0; done < size; done += DMA_PIECE)
        sim.dma_read(address + done, (uint8_t *)data + done,
                     (uint32_t)(size - done < DMA_PIECE ? size - done : DMA_PIECE));
    if (sim.watch.on)
        watch_dma(&sim.watch, KERR_LOG_DMA_READ, begin_ns, address, data, size);
}

static void host_write(void *context, uint64_t address, const void *data, size_t size)
{
    (void)context;
    const uint64_t begin_ns = sim.watch.on ? stats_clock_ns() : 0;
    sim.host_writes++;
    for (size_t done = 0; done < size; done += DMA_PIECE)
        sim.dma_write(address + done, (const uint8_t *)data + done,
                      (uint32_t)(size - done < DMA_PIECE ? size - done : DMA_PIECE));
    if (sim.watch.on)
        watch_dma(&sim.watch, KERR_LOG_DMA_WRITE, begin_ns, address, data, size);
}

static void card_init(void)
{
    if (sim.chip != NULL) {
        complain("libttsim_init: called twice without libttsim_exit");
        return;
    }
    kerr_text_error wrong;
    char text[512];
    sim.absent = sim.throws = false;
    if (!kerr_environment_check(&wrong)) {
        refuse_to_open(wrong.text);
        return;
    }
    kerr_config config;
    kerr_config_init(&config);
    config.threads = (uint32_t)environment_number("KERR_THREADS", 0);
    config.seed = environment_number("KERR_SEED", 0);
    config.shake = environment_number("KERR_SHAKE", 0);
    sim.on_fault = environment_on_fault();
    sim.read_cycles = environment_number("KERR_HOST_TIME", READ_CYCLES);
    if (sim.on_fault == ON_FAULT_CARD)
        for (int kind = 0; kind < KERR_FAULT_KINDS; kind++)
            config.policy[kind] = config.policy[kind] == KERR_POLICY_STOP ? KERR_POLICY_GO_ON : config.policy[kind];
    environment_harvest(&config.harvesting);
    sim.dead = false;
    sim.host_writes = 0;
    sim.clocked_once = false;
    if (sim.had_chip)
        forget_polls();
    sim.had_chip = true;
    forget();
    pci_reset(&sim.pci);
    if (!watch_opens(text, sizeof text)) {
        refuse_to_open(text);
        return;
    }
    kerr_status status = kerr_create(&config, &sim.chip);
    status = status == KERR_OK ? environment_findings() : status;
    if (status != KERR_OK) {
        kerr_destroy(sim.chip);
        sim.chip = NULL;
        refuse_to_open(kerr_status_text(status));
        return;
    }
    sim.findings_written = false;
    if (sim.dma_read != NULL && sim.dma_write != NULL)
        kerr_set_host_memory(sim.chip, host_read, host_write, NULL);
    else if (sim.dma_read != NULL || sim.dma_write != NULL)
        complain("libttsim_set_pci_dma_mem_callbacks: only one of the two was given, so the card has no host memory");
    if (sim.attach != NULL)
        attach_set_chip(sim.attach, sim.chip);
    watch_begins();
}

static void card_exit(void)
{
    if (!running("libttsim_exit")) {
        sim.absent = false;
        return;
    }
    forget();
    write_findings();
    if (sim.watch.on)
        watch_chip_ends(&sim.watch, sim.chip);
    if (sim.attach != NULL)
        attach_set_chip(sim.attach, NULL);
    kerr_destroy(sim.chip);
    sim.chip = NULL;
}

/* The library may be closed with the chip still there; no thread of ours may outlive its code. */
__attribute__((destructor)) static void library_closes(void)
{
    if (sim.chip != NULL)
        libttsim_exit();
    attach_close(sim.attach);
    sim.attach = NULL;
    watch_close(&sim.watch);
}

void libttsim_set_pci_dma_mem_callbacks(dma_read_fn read, dma_write_fn write)
{
    if (sim.chip != NULL) {
        complain("libttsim_set_pci_dma_mem_callbacks: called after libttsim_init");
        return;
    }
    sim.dma_read = read;
    sim.dma_write = write;
}

/* ---- Time -------------------------------------------------------------------------------- */

/* As kerr_run would let so many cycles pass, if nothing happens in them. */
static bool rests(uint64_t cycles)
{
    return sim.chip->now + cycles <= sim.rests_until;
}

static void run(uint64_t cycles)
{
    if (rests(cycles)) {
        sim.chip->now += cycles;
        return;
    }
    forget();
    kerr_status status = sim.attach == NULL ? kerr_run(sim.chip, cycles) : attach_run(sim.attach, cycles);
    if (status == KERR_OK)
        sim.rests_until = chip_rests_until(sim.chip);
    else if (status == KERR_FAULTED)
        card_dies();
    else
        complain("libttsim_clock: %s", kerr_status_text(status));
}

static void card_clock(uint32_t cycles)
{
    if (!running("libttsim_clock") || sim.dead || cycles == 0)
        return;
    /* A host that waits for something that is not on the card calls clock(1) again and again. */
    bool waiting = cycles == 1 && sim.clocked_once && sim.read_cycles != 0;
    sim.clocked_once = cycles == 1;
    if (!waiting) {
        run(cycles);
        return;
    }
    /* It waits for a write of the card into host memory: stop where one has come. */
    const uint64_t before = sim.host_writes;
    for (int reads = 0; reads < RUN_ON_READS && !sim.dead && sim.host_writes == before; reads++)
        run(sim.read_cycles);
}

/* The nodes of a sweep over one address never share a place. */
static poll *poll_of(kerr_xy tile, uint64_t address)
{
    uint64_t node = (uint64_t)tile.y * KERR_GRID_X + tile.x;
    uint64_t spread = address * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    uint16_t *place = &sim.poll_place[(node + spread) & (POLLS - 1)];
    if (*place == 0)
        *place = ++sim.poll_count;
    return &sim.polls[*place - 1];
}

static bool poll_is(const poll *p, kerr_xy tile, uint64_t address, uint32_t size)
{
    return p->size == size && p->address == address && p->tile.x == tile.x && p->tile.y == tile.y;
}

/* Single words and lines are what a host asks for most. */
static inline void copy(void *to, const void *from, uint32_t size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 64)
        memcpy(to, from, 64);
    else
        memcpy(to, from, size);
}

static bool same_bytes(const void *a, const void *b, uint32_t size)
{
    return size == 4 ? memcmp(a, b, 4) == 0 : memcmp(a, b, size) == 0;
}

static void poll_set(poll *p, kerr_xy tile, uint64_t address, uint32_t size, const void *data)
{
    p->address = address;
    p->tile = tile;
    p->size = (uint8_t)size;
    copy(p->bytes, data, size);
}

/* Host time: a read is answered some time after it is asked, and a question that got the same answer last time is
 * held back until the answer changes, at most RUN_ON_READS times as long.  Only peeks look ahead; what the host gets
 * is one real read. */
static void time_before_read(const pci_target *target)
{
    if (sim.read_cycles == 0)
        return;
    run(sim.read_cycles);
    const poll *p = poll_of(target->tile, target->address);
    if (target->size > POLLED_BYTES_MAX || !poll_is(p, target->tile, target->address, target->size))
        return;
    uint8_t now[POLLED_BYTES_MAX];
    for (int reads = 1; reads < RUN_ON_READS && !sim.dead; reads++) {
        if (kerr_peek(sim.chip, target->tile, target->address, now, target->size) != KERR_OK ||
            memcmp(now, p->bytes, target->size) != 0)
            return;
        run(sim.read_cycles);
    }
}

static void remember_read(const pci_target *target, const void *data)
{
    if (sim.read_cycles == 0 || target->size > POLLED_BYTES_MAX)
        return;
    poll_set(poll_of(target->tile, target->address), target->tile, target->address, target->size, data);
}

/* Registers are above memory in every tile. */
static bool is_register(const pci_target *target)
{
    return target->kind == PCI_TARGET_TILE && target->address >= REGISTERS_START && target->address <= UINT32_MAX;
}

/* ---- Memory ------------------------------------------------------------------------------ */

static shortcut *shortcut_place(uint64_t physical)
{
    return &sim.shortcuts[physical >> SHORTCUT_BITS & (SHORTCUTS - 1)];
}

/* NULL: none is known.  There are some only while the card is alive. */
static inline const shortcut *shortcut_of(uint64_t physical, uint32_t size)
{
    const shortcut *s = shortcut_place(physical);
    const uint64_t offset = physical - s->physical;
    return s->epoch == sim.epoch && offset < s->bytes && size <= s->bytes - offset ? s : NULL;
}

/* False: not memory of a tile, or so high that a write takes time.  The address is in the target's piece. */
static bool target_memory(const pci_target *target, uint64_t address, shortcut *s)
{
    const int index = target->kind == PCI_TARGET_TILE ? chip_tile_index(target->tile) : -1;
    if (index < 0 || is_register(target) || !kerr_tile_is_on(sim.chip, target->tile))
        return false;
    s->tile = chip_tile(sim.chip, index);
    s->at = target->tile;
    s->noc = (uint8_t)target->noc;
    s->address = address;
    const tile_place place = tile_memory_at(s->tile, address, sim.chip->now, &s->local, &s->bytes);
    s->bank = place == PLACE_BANK ? s->tile->bank : NULL;
    return place != PLACE_NOTHING;
}

/* Any other access may change more than it says. */
static bool is_memory(const pci_target *target)
{
    shortcut s;
    return target_memory(target, target->address, &s) && target->size <= s.bytes;
}

static void shortcut_learn(uint64_t physical, const pci_target *target)
{
    const uint64_t piece = UINT64_C(1) << SHORTCUT_BITS, offset = physical & (piece - 1);
    shortcut s = {.epoch = sim.epoch, .physical = physical - offset};
    /* A callback of the host's may not reach in; the next write, whatever it is, resets the chip. */
    if (sim.chip->running || sim.chip->passive->arc.wants_reset || !target_memory(target, target->address - offset, &s))
        return;
    s.bytes = s.bytes < piece ? s.bytes : piece;
    *shortcut_place(physical) = s;
}

/* As pci_count_requests. */
static inline void count(const shortcut *s, uint64_t address, uint32_t size, bool is_write)
{
    if (s->tile->live != 0 || size > NOC_MAX_PAYLOAD)
        pci_count_requests(sim.chip, s->tile, s->noc, address, size, is_write);
    else
        niu_count_plain(&s->tile->dev.niu[s->noc], is_write, noc_data_flits(address, size));
}

static inline void shortcut_copy(const shortcut *s, uint64_t offset, void *data, uint32_t size)
{
    const uint64_t local = s->local + offset;
    const uint8_t *from = s->bank != NULL ? dram_bank_at(s->bank, local, size) : s->tile->l1 + local;
    if (from != NULL)
        copy(data, from, size);
    else
        dram_bank_read(s->bank, local, data, size);
}

/* What time_before_read, pci_read and remember_read come to where the chip rests; false: it may not, nothing is done. */
static inline bool shortcut_read(const shortcut *s, uint64_t physical, void *data, uint32_t size)
{
    const uint64_t offset = physical - s->physical, address = s->address + offset;
    if (sim.read_cycles != 0 && !rests(RUN_ON_READS * sim.read_cycles))
        return false;
    shortcut_copy(s, offset, data, size);
    sim.chip->now += sim.read_cycles;
    count(s, address, size, false);
    if (sim.read_cycles == 0 || size > POLLED_BYTES_MAX)
        return true;
    poll *p = poll_of(s->at, address);
    if (poll_is(p, s->at, address, size) && same_bytes(p->bytes, data, size))
        sim.chip->now += (RUN_ON_READS - 1) * sim.read_cycles;
    else
        poll_set(p, s->at, address, size, data);
    return true;
}

static inline bool shortcut_write(const shortcut *s, uint64_t physical, const void *data, uint32_t size)
{
    const uint64_t offset = physical - s->physical, local = s->local + offset;
    uint8_t *to = s->bank != NULL ? dram_bank_to(s->bank, local, size) : NULL;
    if (to != NULL)
        copy(to, data, size);
    else if (!(s->bank != NULL ? dram_bank_write(s->bank, local, data, size)
                               : tile_write_unnoticed(s->tile, (uint32_t)local, data, size)))
        return false;
    count(s, s->address + offset, size, true);
    sim.wrote = true;
    return true;
}

/* ---- Access ------------------------------------------------------------------------------ */

static bool sensible(const char *call, const void *data, uint32_t size)
{
    if (data == NULL || size == 0)
        complain("%s: %s", call, data == NULL ? "a null pointer" : "size 0");
    return data != NULL && size != 0;
}

static void target_read(const char *call, const pci_target *target, void *data)
{
    pci_error error;
    if (target->kind == PCI_TARGET_TILE)
        time_before_read(target);
    if (sim.dead)
        return;
    if (!is_memory(target))
        forget();
    kerr_status status = pci_read(sim.chip, target, data, &error);
    if (error.text[0] != '\0')
        complain("%s: %s", call, error.text);
    if (status != KERR_OK)
        memset(data, 0xFF, target->size);
    else if (target->kind == PCI_TARGET_TILE)
        remember_read(target, data);
}

/* A message to the ARC may ask for the whole chip to be reset.  The card keeps its addresses, as the driver puts them
 * back; its windows are gone. */
static void reset_if_asked(void)
{
    if (sim.chip->passive->arc.wants_reset) {
        pci_device fresh;
        pci_reset(&fresh);
        memcpy(fresh.base, sim.pci.base, sizeof fresh.base);
        sim.pci = fresh;
        forget_polls();
        watch_chip_resets(&sim.watch, sim.chip, true);
        kerr_reset(sim.chip);
        watch_chip_resets(&sim.watch, sim.chip, false);
    }
}

/* A host writes a register to start something, and more than a microsecond goes by until its next access: a debugger
 * lets a core go on, then has its status latched, both by writes.  Memory is written in bulk and takes no time. */
static void time_before_write(const pci_target *target)
{
    if (sim.read_cycles != 0 && is_register(target))
        run(sim.read_cycles);
}

static void target_write(const char *call, const pci_target *target, const void *data)
{
    pci_error error;
    time_before_write(target);
    if (sim.dead)
        return;
    forget();
    sim.wrote = sim.wrote || target->kind == PCI_TARGET_TILE || target->kind == PCI_TARGET_MULTICAST;
    kerr_status status = pci_write(sim.chip, target, data, &error);
    reset_if_asked();
    if (status == KERR_FAULTED)
        card_dies();
    else if (status != KERR_OK)
        complain("%s: %s", call, error.text);
}

static void card_read(uint64_t physical, void *data, uint32_t size)
{
    static const char call[] = "libttsim_pci_mem_rd_bytes";
    if (!sensible(call, data, size))
        return;
    const shortcut *s = shortcut_of(physical, size);
    if (s != NULL && shortcut_read(s, physical, data, size)) {
        sim.clocked_once = false;
        return;
    }
    memset(data, 0xFF, size);
    if (!running(call) || sim.dead)
        return;
    sim.clocked_once = false;
    pci_target target;
    pci_error error;
    if (!pci_resolve(&sim.pci, sim.chip, physical, size, false, &target, &error)) {
        complain("%s: %s", call, error.text);
        return;
    }
    const uint64_t epoch = sim.epoch;
    target_read(call, &target, data);
    if (sim.epoch == epoch) /* the target is still what it was */
        shortcut_learn(physical, &target);
}

static void card_write(uint64_t physical, const void *data, uint32_t size)
{
    static const char call[] = "libttsim_pci_mem_wr_bytes";
    const shortcut *s = shortcut_of(physical, size);
    if (s != NULL && data != NULL && size != 0 && shortcut_write(s, physical, data, size)) {
        sim.clocked_once = false;
        return;
    }
    if (!running(call) || !sensible(call, data, size) || sim.dead)
        return;
    sim.clocked_once = false;
    pci_target target;
    pci_error error;
    if (!pci_resolve(&sim.pci, sim.chip, physical, size, true, &target, &error)) {
        complain("%s: %s", call, error.text);
        return;
    }
    shortcut_learn(physical, &target);
    s = shortcut_of(physical, size);
    if (s == NULL || !shortcut_write(s, physical, data, size))
        target_write(call, &target, data);
}

static bool config_offset(const char *call, uint32_t offset)
{
    if (offset % 4 != 0 || offset >= CONFIG_BYTES)
        complain("%s: offset 0x%x is not that of a config word", call, offset);
    return offset % 4 == 0 && offset < CONFIG_BYTES;
}

static uint32_t card_config_read(uint32_t bus_device_function, uint32_t offset)
{
    static const char call[] = "libttsim_pci_config_rd32";
    if (!running(call) || !config_offset(call, offset))
        return UINT32_MAX;
    sim.clocked_once = false;
    return pci_config_read(&sim.pci, bus_device_function, offset);
}

static void card_config_write(uint32_t bus_device_function, uint32_t offset, uint32_t data)
{
    static const char call[] = "libttsim_pci_config_wr32";
    if (!running(call) || !config_offset(call, offset))
        return;
    sim.clocked_once = false;
    forget();
    pci_config_write(&sim.pci, bus_device_function, offset, data);
}

/* Any node without a window, by coordinates as a window on NoC 0 takes them. */
static bool tile_target(const char *call, uint32_t x, uint32_t y, uint64_t address, uint32_t size, pci_target *target)
{
    kerr_xy tile;
    if (x > 63 || y > 63 || !pci_find_tile(sim.chip, 0, x, y, &tile)) {
        complain("%s: no tile %u-%u", call, x, y);
        return false;
    }
    *target =
        (pci_target){.kind = PCI_TARGET_TILE, .size = size, .window = PCI_NO_WINDOW, .address = address, .tile = tile};
    return true;
}

static void card_tile_read(uint32_t x, uint32_t y, uint64_t address, void *data, uint32_t size)
{
    static const char call[] = "libttsim_tile_rd_bytes";
    if (!sensible(call, data, size))
        return;
    memset(data, 0xFF, size);
    pci_target target;
    if (!running(call) || sim.dead || !tile_target(call, x, y, address, size, &target))
        return;
    sim.clocked_once = false;
    target_read(call, &target, data);
}

static void card_tile_write(uint32_t x, uint32_t y, uint64_t address, const void *data, uint32_t size)
{
    static const char call[] = "libttsim_tile_wr_bytes";
    pci_target target;
    if (!running(call) || !sensible(call, data, size) || sim.dead || !tile_target(call, x, y, address, size, &target))
        return;
    sim.clocked_once = false;
    target_write(call, &target, data);
}

/* ---- The ABI ------------------------------------------------------------------------------- */

/* Each call as it is, or, if anybody watches, between two looks: apart, so that nobody pays for what is not used. */
#define WATCHED __attribute__((noinline, cold))

void libttsim_init(void)
{
    const uint64_t begin_ns = stats_clock_ns();
    const bool attached = sim.attach != NULL; /* else there is nobody yet who could look */
    if (attached)
        door_in();
    card_init();
    watch_life(&sim.watch, begin_ns);
    if (attached)
        door_out();
    if (sim.absent && sim.throws) {
        sim.throws = false;
        raise_runtime_error(sim.died_of);
    }
}

void libttsim_exit(void)
{
    const uint64_t begin_ns = stats_clock_ns();
    door_in();
    card_exit();
    watch_life(&sim.watch, begin_ns);
    door_out();
}

static WATCHED void watched_clock(uint32_t cycles)
{
    watched_enter(KERR_CALL_CLOCK, &(kerr_record_entry){.kind = KERR_LOG_CLOCK, .address = cycles}, NULL);
    card_clock(cycles);
    watched_leave(NULL, 0);
}

static WATCHED void watched_pci_mem_rd_bytes(uint64_t physical, void *data, uint32_t size)
{
    watched_enter(KERR_CALL_READ, &(kerr_record_entry){.kind = KERR_LOG_READ, .size = size, .address = physical}, NULL);
    card_read(physical, data, size);
    watched_leave(data, size);
}

static WATCHED void watched_pci_mem_wr_bytes(uint64_t physical, const void *data, uint32_t size)
{
    watched_enter(KERR_CALL_WRITE,
                  &(kerr_record_entry){.kind = KERR_LOG_WRITE, .size = data != NULL ? size : 0, .address = physical},
                  data);
    card_write(physical, data, size);
    watched_leave(NULL, 0);
}

static WATCHED uint32_t watched_pci_config_rd32(uint32_t bus_device_function, uint32_t offset)
{
    watched_enter(
        KERR_CALL_CONFIG,
        &(kerr_record_entry){.kind = KERR_LOG_CONFIG_READ, .address = (uint64_t)bus_device_function << 32 | offset},
        NULL);
    const uint32_t value = card_config_read(bus_device_function, offset);
    watched_leave(&value, sizeof value);
    return value;
}

static WATCHED void watched_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data)
{
    watched_enter(KERR_CALL_CONFIG,
                  &(kerr_record_entry){.kind = KERR_LOG_CONFIG_WRITE,
                                       .address = (uint64_t)bus_device_function << 32 | offset,
                                       .value = data},
                  NULL);
    card_config_write(bus_device_function, offset, data);
    watched_leave(NULL, 0);
}

static WATCHED void watched_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *data, uint32_t size)
{
    watched_enter(KERR_CALL_READ,
                  &(kerr_record_entry){
                      .kind = KERR_LOG_TILE_READ, .x = (uint8_t)x, .y = (uint8_t)y, .size = size, .address = address},
                  NULL);
    card_tile_read(x, y, address, data, size);
    watched_leave(data, size);
}

static WATCHED void watched_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *data, uint32_t size)
{
    watched_enter(KERR_CALL_WRITE,
                  &(kerr_record_entry){.kind = KERR_LOG_TILE_WRITE,
                                       .x = (uint8_t)x,
                                       .y = (uint8_t)y,
                                       .size = data != NULL ? size : 0,
                                       .address = address},
                  data);
    card_tile_write(x, y, address, data, size);
    watched_leave(NULL, 0);
}

void libttsim_clock(uint32_t cycles)
{
    if (!sim.watch.on)
        card_clock(cycles);
    else
        watched_clock(cycles);
}

void libttsim_pci_mem_rd_bytes(uint64_t physical, void *data, uint32_t size)
{
    if (!sim.watch.on)
        card_read(physical, data, size);
    else
        watched_pci_mem_rd_bytes(physical, data, size);
}

void libttsim_pci_mem_wr_bytes(uint64_t physical, const void *data, uint32_t size)
{
    if (!sim.watch.on)
        card_write(physical, data, size);
    else
        watched_pci_mem_wr_bytes(physical, data, size);
}

uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset)
{
    return !sim.watch.on ? card_config_read(bus_device_function, offset)
                         : watched_pci_config_rd32(bus_device_function, offset);
}

void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data)
{
    if (!sim.watch.on)
        card_config_write(bus_device_function, offset, data);
    else
        watched_pci_config_wr32(bus_device_function, offset, data);
}

void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *data, uint32_t size)
{
    if (!sim.watch.on)
        card_tile_read(x, y, address, data, size);
    else
        watched_tile_rd_bytes(x, y, address, data, size);
}

void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *data, uint32_t size)
{
    if (!sim.watch.on)
        card_tile_write(x, y, address, data, size);
    else
        watched_tile_wr_bytes(x, y, address, data, size);
}
