/* SPDX-License-Identifier: Apache-2.0 */
/* make bench: how fast a library with the libttsim ABI is, and another one beside it.
 *
 *   cc -std=c17 -O2 -D_GNU_SOURCE bench/bench.c -o bench-abi -ldl
 *   ./bench-abi [options] LIBRARY
 *     --ref LIBRARY     measure this one too, turn by turn
 *     --reps N          turns for each line (3)
 *     --best            the best turn counts, not the median: on a machine that others use too
 *     --only NAME       only lines whose name starts with NAME
 *     --commit TEXT --compiler TEXT   what to print and record
 *     --record FILE     append the results to a CSV
 *
 * Every measurement is a process of its own, forked here, that opens the library, loads its programs through TLB
 * windows, and clocks; both libraries take turns so that a slow moment of the machine hits both, and the median
 * counts.  Work is useful instructions: steps of the load done by working cores times instructions a step; what
 * polling cores execute does not count.  The memory each working core leaves behind is compared with a model in C,
 * and a wrong byte voids the line.  Exits 1 if any line is void. */
#include "../tests/abi/simlib.h"
#include "rv_load.h"

#include <getopt.h>
#include <math.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK_CYCLES = 10000, MAX_REPS = 25, GIVE_UP_CYCLES_A_STEP = 2000 };

typedef struct measurement {
    bool valid;
    double value[3]; /* in the line's units */
    char error[120];
} measurement;

struct line {
    const char *name;
    const char *unit[3]; /* of up to three figures */
    void (*run)(struct simlib *sim, const struct line *line, measurement *m);
    uint32_t steps;
    bool all_work, others_poll, firmware_csr;
    const char *kerr_threads; /* NULL: 1 */
    bool more_is_better;
    double goal_ratio;   /* at least so many times the reference */
    double goal_most[3]; /* at most so much, whatever the reference does; 0: no goal */
};

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool check_tile(struct simlib *sim, unsigned tile, uint32_t steps, measurement *m)
{
    struct rv_memory want, got;
    rv_load_start(&want, steps, tile);
    rv_load_model(&want);
    simlib_read(sim, sim_tensix_x(tile), sim_tensix_y(tile), RV_BUFFER, &got, sizeof got);
    for (unsigned i = 0; i < sizeof want; i++)
        if (((const uint8_t *)&got)[i] != ((const uint8_t *)&want)[i]) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: byte 0x%x is %02x, not %02x", sim_tensix_x(tile),
                     sim_tensix_y(tile), RV_BUFFER + i, ((const uint8_t *)&got)[i], ((const uint8_t *)&want)[i]);
            return false;
        }
    return true;
}

/* rv-one, rv-idle, rv-all: the first tile's B works, or every tile's; the other cores poll or stay in reset. */
static void run_load(struct simlib *sim, const struct line *line, measurement *m)
{
    simlib_start(sim);
    unsigned workers = line->all_work ? SIM_TENSIX : 1;
    unsigned tiles = line->all_work || line->others_poll ? SIM_TENSIX : 1;
    struct rv_program program;
    for (unsigned i = 0; i < tiles; i++) {
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        if (i < workers) {
            struct rv_memory memory;
            rv_load_start(&memory, line->steps, i);
            simlib_write(sim, x, y, RV_BUFFER, &memory, sizeof memory);
        }
        for (unsigned core = 0; core < 5; core++) {
            bool works = core == 0 && i < workers;
            if (works)
                rv_load_program(&program, line->firmware_csr);
            else
                rv_poll_program(&program, RV_POLL + 16 * core, line->firmware_csr);
            simlib_write(sim, x, y, sim_reset_pc[core], program.word, program.size_bytes);
        }
    }
    for (unsigned i = 0; i < tiles; i++)
        simlib_write32(sim, sim_tensix_x(i), sim_tensix_y(i), SIM_SOFT_RESET,
                       line->others_poll ? 0 : SIM_RESET_ALL & ~sim_reset_bit[0]);

    double start = now_seconds();
    uint64_t cycles = 0;
    for (unsigned i = 0; i < workers;) {
        sim->clock(CHUNK_CYCLES);
        cycles += CHUNK_CYCLES;
        while (i < workers && simlib_read32(sim, sim_tensix_x(i), sim_tensix_y(i), RV_BLOCK + 4 * BLOCK_DONE) == 1)
            i++;
        if (cycles > (uint64_t)line->steps * GIVE_UP_CYCLES_A_STEP) {
            snprintf(m->error, sizeof m->error, "tile %u-%u: not done after %llu cycles", sim_tensix_x(i),
                     sim_tensix_y(i), (unsigned long long)cycles);
            return;
        }
    }
    double seconds = now_seconds() - start;
    for (unsigned i = 0; i < workers; i++)
        if (!check_tile(sim, i, line->steps, m))
            return;
    m->value[0] = 1e-6 * RV_STEP_INSTRUCTIONS * line->steps * workers / seconds;
    m->valid = true;
}

static double resident_mb(void)
{
    unsigned long size = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL) {
        if (fscanf(f, "%lu %lu", &size, &resident) != 2)
            resident = 0;
        fclose(f);
    }
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1048576.0;
}

/* Creating a chip: time, resident memory, and whether a fork of the process that holds it succeeds. */
static void run_start(struct simlib *sim, const struct line *line, measurement *m)
{
    (void)line;
    double start = now_seconds();
    simlib_start(sim);
    sim->clock(1);
    m->value[0] = 1e3 * (now_seconds() - start);
    m->value[1] = resident_mb();
    pid_t child = fork();
    if (child == 0) {
        sim->clock(1000);
        _exit(0);
    }
    int status = 1;
    m->value[2] = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    m->valid = true;
}

static void run_idle_clock(struct simlib *sim, const struct line *line, measurement *m)
{
    (void)line;
    simlib_start(sim);
    sim->clock(1);
    double start = now_seconds();
    for (int i = 0; i < 1000; i++)
        sim->clock(1000);
    m->value[0] = 1e3 * (now_seconds() - start);
    m->valid = true;
}

static const char unit_forks[] = "forks"; /* 1: yes */
static const struct line lines[] = {
    {.name = "rv-one",
     .unit = {"Minstr/s"},
     .run = run_load,
     .steps = 60000,
     .firmware_csr = true,
     .more_is_better = true,
     .goal_ratio = 15},
    {.name = "rv-one-l0", .unit = {"Minstr/s"}, .run = run_load, .steps = 60000, .more_is_better = true},
    {.name = "rv-idle",
     .unit = {"Minstr/s"},
     .run = run_load,
     .steps = 15000,
     .firmware_csr = true,
     .others_poll = true,
     .more_is_better = true,
     .goal_ratio = 300},
    {.name = "rv-all-1",
     .unit = {"Minstr/s"},
     .run = run_load,
     .steps = 10000,
     .firmware_csr = true,
     .all_work = true,
     .more_is_better = true},
    {.name = "rv-all",
     .unit = {"Minstr/s"},
     .run = run_load,
     .steps = 10000,
     .firmware_csr = true,
     .all_work = true,
     .kerr_threads = "2",
     .more_is_better = true,
     .goal_ratio = 3},
    {.name = "start", .unit = {"ms", "MB", unit_forks}, .run = run_start, .goal_most = {10, 64}},
    {.name = "idle-clock", .unit = {"ms"}, .run = run_idle_clock, .goal_most = {1}},
};
enum { LINES = sizeof lines / sizeof lines[0] };

/* One measurement in a process of its own: libraries of this ABI keep state, and may end the process. */
static measurement measure(const char *library, const struct line *line)
{
    measurement m = {.error = "the library ended the process"};
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return m;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        setenv("KERR_HOST_TIME", "0", 1); /* clock(n) is exact and reads cost no cycles */
        setenv("KERR_THREADS", line->kerr_threads ? line->kerr_threads : "1", 1);
        struct simlib sim;
        measurement result = {.error = "the library could not be opened"};
        if (simlib_open(&sim, library)) {
            result.error[0] = '\0';
            line->run(&sim, line, &result);
        }
        _exit(write(ends[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
    }
    close(ends[1]);
    measurement result;
    if (child > 0 && read(ends[0], &result, sizeof result) == (ssize_t)sizeof result)
        m = result;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return m;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted values. */
static double median(const double *values, int count)
{
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Four digits, or nothing where there is nothing to say. */
static void number(char *text, size_t size, double value)
{
    if (isnan(value))
        *text = '\0';
    else
        snprintf(text, size, value >= 1000 ? "%.0f" : "%.4g", value);
}

static void cpu_name(char *name, size_t size)
{
    char text[256];
    snprintf(name, size, "unknown CPU");
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(text, sizeof text, f) != NULL) {
        char *colon = strchr(text, ':');
        if (strncmp(text, "model name", 10) == 0 && colon != NULL) {
            text[strcspn(text, "\n")] = '\0';
            snprintf(name, size, "%s", colon + 2);
            break;
        }
    }
    if (f != NULL)
        fclose(f);
}

static void usage(void)
{
    fprintf(stderr, "usage: bench [--ref LIBRARY] [--reps N] [--best] [--only NAME] [--commit TEXT] [--compiler TEXT] "
                    "[--record FILE] LIBRARY\n");
    exit(2);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"ref", required_argument, NULL, 'r'},      {"reps", required_argument, NULL, 'n'},
        {"only", required_argument, NULL, 'o'},     {"commit", required_argument, NULL, 'c'},
        {"compiler", required_argument, NULL, 'C'}, {"record", required_argument, NULL, 'R'},
        {"best", no_argument, NULL, 'b'},           {NULL, 0, NULL, 0},
    };
    const char *library[2] = {NULL, NULL}, *only = "", *commit = "unknown", *record = NULL;
    const char *compiler = __VERSION__;
    int reps = 3;
    bool best = false;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'r': library[1] = optarg; break;
        case 'n': reps = atoi(optarg); break;
        case 'o': only = optarg; break;
        case 'c': commit = optarg; break;
        case 'C': compiler = optarg; break;
        case 'R': record = optarg; break;
        case 'b': best = true; break;
        default: usage();
        }
    }
    if (optind + 1 != argc || reps < 1 || reps > MAX_REPS)
        usage();
    library[0] = argv[optind];

    char cpu[128], date[32];
    cpu_name(cpu, sizeof cpu);
    time_t seconds = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&seconds, &utc));
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    printf("machine  %s, %ld cores\ncompiler %s\ncommit   %s\n\n", cpu, cpus, compiler, commit);
    printf("%-12s %12s %12s %10s\n", "name", "kerr", library[1] ? "ref" : "", library[1] ? "ratio" : "");

    FILE *csv = NULL;
    if (record != NULL && (csv = fopen(record, "a")) == NULL) {
        perror(record);
        return 2;
    }
    int status = 0;
    for (unsigned l = 0; l < LINES; l++) {
        if (strncmp(lines[l].name, only, strlen(only)) != 0)
            continue;
        double value[2][3][MAX_REPS];
        char error[2][120] = {"", ""};
        for (int rep = 0; rep < reps; rep++)
            for (int which = 0; which < 2 && library[which] != NULL; which++) {
                if (error[which][0] != '\0')
                    continue;
                measurement m = measure(library[which], &lines[l]);
                if (!m.valid)
                    memcpy(error[which], m.error, sizeof m.error);
                for (int part = 0; part < 3; part++)
                    value[which][part][rep] = m.value[part];
            }
        for (int part = 0; part < 3 && lines[l].unit[part] != NULL; part++) {
            double result[2] = {NAN, NAN};
            for (int which = 0; which < 2 && library[which] != NULL; which++)
                if (error[which][0] == '\0') {
                    double *sorted = value[which][part];
                    qsort(sorted, (size_t)reps, sizeof *sorted, by_value);
                    result[which] = !best ? median(sorted, reps) : sorted[lines[l].more_is_better ? reps - 1 : 0];
                }
            double ratio = lines[l].more_is_better ? result[0] / result[1] : result[1] / result[0];
            if (lines[l].unit[part] == unit_forks)
                ratio = NAN;
            char name[24], text[3][24];
            snprintf(name, sizeof name, "%s%s%s", lines[l].name, part ? "-" : "", part ? lines[l].unit[part] : "");
            number(text[0], sizeof text[0], result[0]);
            number(text[1], sizeof text[1], result[1]);
            number(text[2], sizeof text[2], ratio);
            char goal[40] = "";
            if (lines[l].goal_ratio > 0 && library[1] != NULL)
                snprintf(goal, sizeof goal, ", goal: ratio %g %s", lines[l].goal_ratio,
                         ratio >= lines[l].goal_ratio ? "met" : "MISSED");
            else if (lines[l].goal_most[part] > 0)
                snprintf(goal, sizeof goal, ", goal: %g %s", lines[l].goal_most[part],
                         result[0] <= lines[l].goal_most[part] ? "met" : "MISSED");
            printf("%-12s %12s %12s %10s  %s%s\n", name, text[0], text[1], text[2], lines[l].unit[part], goal);
            if (csv != NULL)
                fprintf(csv, "%s,%s,\"%s\",%ld,\"%s\",%s,%s,%s,%s,%s\n", date, commit, cpu, cpus, compiler, name,
                        lines[l].unit[part], text[0], text[1], text[2]);
        }
        for (int which = 0; which < 2; which++)
            if (error[which][0] != '\0') {
                printf("  %s: %s\n", which ? "ref" : "kerr", error[which]);
                status = 1;
            }
    }
    if (csv != NULL)
        fclose(csv);
    return status;
}
