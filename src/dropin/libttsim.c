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
#include "dropin/findings_file.h"
#include "dropin/raise.h"
#include "dropin/watch.h"
#include "kerr.h"
#include "kerr_findings.h"
#include "kerr_pci.h"

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
    READ_CYCLES = 1000,  /* a card answers a read after about a microsecond (estimate) */
    MESSAGES = 32,       /* different ones printed before we fall silent */
    DMA_PIECE = 1 << 30, /* callbacks take pieces of 32-bit size */
};

typedef enum on_fault { ON_FAULT_DEAD, ON_FAULT_EXIT, ON_FAULT_CARD, ON_FAULT_THROW } on_fault;

static struct {
    kerr_chip *chip;  /* NULL: not between init and exit */
    kerr_pci *pci;    /* the card that it is; NULL with the chip */
    kerr_pci *live;   /* the same as long as it answers: no fault has stopped the chip */
    kerr_pci *direct; /* the same as long as nobody watches */
    on_fault on_fault;
    bool dead;            /* live no more */
    bool absent;          /* libttsim_init was asked for what it cannot do: no chip, until the next one or exit */
    uint64_t tile_writes; /* kerr_pci_tile_writes, before the call that is watched */

    dma_read_fn dma_read;
    dma_write_fn dma_write;
    uint64_t printed[MESSAGES]; /* hashes of the messages shown */
    unsigned printed_count;

    bool findings_written; /* of this chip */

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
    sim.live = sim.direct = NULL;
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
    return text == NULL ? otherwise : strtoull(text, NULL, strncasecmp(text, "0x", 2) == 0 ? 16 : 10);
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
    const uint64_t writes = sim.tile_writes;
    (void)kerr_pci_tile_writes(sim.pci, &sim.tile_writes);
    if (!sim.dead && !patient && watch_sees_hang(&sim.watch, sim.chip, sim.tile_writes != writes, text, sizeof text))
        card_falls_off(KERR_POST_HANG, text);
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
    for (size_t done = 0; done < size; done += DMA_PIECE)
        sim.dma_write(address + done, (const uint8_t *)data + done,
                      (uint32_t)(size - done < DMA_PIECE ? size - done : DMA_PIECE));
    if (sim.watch.on)
        watch_dma(&sim.watch, KERR_LOG_DMA_WRITE, begin_ns, address, data, size);
}

/* ---- The card's ------------------------------------------------------------------------------ */

static const char *const call_name[] = {[KERR_PCI_CALL_CONFIG_READ] = "libttsim_pci_config_rd32",
                                        [KERR_PCI_CALL_CONFIG_WRITE] = "libttsim_pci_config_wr32",
                                        [KERR_PCI_CALL_READ] = "libttsim_pci_mem_rd_bytes",
                                        [KERR_PCI_CALL_WRITE] = "libttsim_pci_mem_wr_bytes",
                                        [KERR_PCI_CALL_TILE_READ] = "libttsim_tile_rd_bytes",
                                        [KERR_PCI_CALL_TILE_WRITE] = "libttsim_tile_wr_bytes",
                                        [KERR_PCI_CALL_CLOCK] = "libttsim_clock"};

static void told(void *context, kerr_pci_call call, kerr_status status, const char *text)
{
    (void)context;
    if (status == KERR_FAULTED)
        card_dies();
    else
        complain("%s: %s", call_name[call], text);
}

static kerr_status run_chip(void *context, kerr_chip *chip, uint64_t cycles)
{
    (void)context;
    return sim.attach == NULL ? kerr_run(chip, cycles) : attach_run(sim.attach, cycles);
}

static void resets(void *context, bool done)
{
    (void)context;
    watch_chip_resets(&sim.watch, sim.chip, !done);
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
    if (sim.on_fault == ON_FAULT_CARD)
        for (int kind = 0; kind < KERR_FAULT_KINDS; kind++)
            config.policy[kind] = config.policy[kind] == KERR_POLICY_STOP ? KERR_POLICY_GO_ON : config.policy[kind];
    environment_harvest(&config.harvesting);
    sim.dead = false;
    if (!watch_opens(text, sizeof text)) {
        refuse_to_open(text);
        return;
    }
    kerr_pci_setup setup;
    kerr_pci_setup_init(&setup);
    setup.read_cycles = (uint32_t)environment_number("KERR_HOST_TIME", READ_CYCLES);
    setup.run = run_chip;
    setup.tell = told;
    setup.resets = resets;
    kerr_status status = kerr_create(&config, &sim.chip);
    status = status == KERR_OK ? environment_findings() : status;
    status = status == KERR_OK ? kerr_pci_open(sim.chip, &setup, &sim.pci) : status;
    if (status != KERR_OK) {
        kerr_destroy(sim.chip);
        sim.chip = NULL;
        refuse_to_open(kerr_status_text(status));
        return;
    }
    sim.live = sim.pci;
    sim.tile_writes = 0;
    sim.findings_written = false;
    if (sim.dma_read != NULL && sim.dma_write != NULL)
        kerr_set_host_memory(sim.chip, host_read, host_write, NULL);
    else if (sim.dma_read != NULL || sim.dma_write != NULL)
        complain("libttsim_set_pci_dma_mem_callbacks: only one of the two was given, so the card has no host memory");
    if (sim.attach != NULL)
        attach_set_chip(sim.attach, sim.chip);
    watch_begins();
    sim.direct = sim.watch.on ? NULL : sim.live;
}

static void card_exit(void)
{
    if (!running("libttsim_exit")) {
        sim.absent = false;
        return;
    }
    write_findings();
    if (sim.watch.on)
        watch_chip_ends(&sim.watch, sim.chip);
    if (sim.attach != NULL)
        attach_set_chip(sim.attach, NULL);
    kerr_pci_close(sim.pci);
    kerr_destroy(sim.chip);
    sim.pci = sim.live = sim.direct = NULL;
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

static void card_clock(uint32_t cycles)
{
    if (running("libttsim_clock") && sim.live != NULL)
        (void)kerr_pci_clock(sim.live, cycles);
}

/* ---- Access ------------------------------------------------------------------------------ */

/* No chip, or a dead card. */
static void nobody_answers(kerr_pci_call call, const void *data, uint32_t size)
{
    if (data == NULL || size == 0)
        complain("%s: %s", call_name[call], data == NULL ? "a null pointer" : "size 0");
    else
        (void)running(call_name[call]);
}

static void nobody_is_read(kerr_pci_call call, void *data, uint32_t size)
{
    nobody_answers(call, data, size);
    if (data != NULL)
        memset(data, 0xFF, size);
}

static void card_read(uint64_t physical, void *data, uint32_t size)
{
    if (sim.live != NULL)
        (void)kerr_pci_read(sim.live, physical, data, size);
    else
        nobody_is_read(KERR_PCI_CALL_READ, data, size);
}

static void card_write(uint64_t physical, const void *data, uint32_t size)
{
    if (sim.live != NULL)
        (void)kerr_pci_write(sim.live, physical, data, size);
    else
        nobody_answers(KERR_PCI_CALL_WRITE, data, size);
}

/* The config space of a dead card still answers. */
static uint32_t card_config_read(uint32_t bus_device_function, uint32_t offset)
{
    uint32_t value = UINT32_MAX;
    if (running("libttsim_pci_config_rd32"))
        (void)kerr_pci_config_read(sim.pci, offset, &value);
    return bus_device_function == 0 ? value : UINT32_MAX; /* only one device is there */
}

static void card_config_write(uint32_t bus_device_function, uint32_t offset, uint32_t data)
{
    if (bus_device_function != 0)
        (void)card_config_read(bus_device_function, offset);
    else if (running("libttsim_pci_config_wr32"))
        (void)kerr_pci_config_write(sim.pci, offset, data);
}

static void card_tile_read(uint32_t x, uint32_t y, uint64_t address, void *data, uint32_t size)
{
    if (sim.live != NULL)
        (void)kerr_pci_tile_read(sim.live, x, y, address, data, size);
    else
        nobody_is_read(KERR_PCI_CALL_TILE_READ, data, size);
}

static void card_tile_write(uint32_t x, uint32_t y, uint64_t address, const void *data, uint32_t size)
{
    if (sim.live != NULL)
        (void)kerr_pci_tile_write(sim.live, x, y, address, data, size);
    else
        nobody_answers(KERR_PCI_CALL_TILE_WRITE, data, size);
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
    if (sim.direct != NULL)
        (void)kerr_pci_clock(sim.direct, cycles);
    else if (!sim.watch.on)
        card_clock(cycles);
    else
        watched_clock(cycles);
}

void libttsim_pci_mem_rd_bytes(uint64_t physical, void *data, uint32_t size)
{
    if (sim.direct != NULL)
        (void)kerr_pci_read(sim.direct, physical, data, size);
    else if (!sim.watch.on)
        card_read(physical, data, size);
    else
        watched_pci_mem_rd_bytes(physical, data, size);
}

void libttsim_pci_mem_wr_bytes(uint64_t physical, const void *data, uint32_t size)
{
    if (sim.direct != NULL)
        (void)kerr_pci_write(sim.direct, physical, data, size);
    else if (!sim.watch.on)
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
