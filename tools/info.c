/* SPDX-License-Identifier: Apache-2.0 */
/* kerr info: what this build is, what it simulates, what it runs on; and whether a soc descriptor fits. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "build_info.h"
#include "descriptor.h"
#include "kerr.h"
#include "kerr_findings.h"
#include "options.h"
#include "place.h"
#include "verbs.h"

static void print_chip(void)
{
    unsigned count[KERR_TILE_SECURITY + 1] = {0};
    for (unsigned y = 0; y < KERR_GRID_Y; y++) {
        for (unsigned x = 0; x < KERR_GRID_X; x++) {
            const kerr_tile_kind kind = kerr_tile_kind_at((kerr_xy){(uint8_t)x, (uint8_t)y});
            if ((unsigned)kind <= KERR_TILE_SECURITY) {
                count[kind]++;
            }
        }
    }
    (void)printf("chip       Tenstorrent Blackhole, grid %d x %d\n", KERR_GRID_X, KERR_GRID_Y);
    (void)printf("tiles     ");
    for (unsigned kind = KERR_TILE_TENSIX; kind <= KERR_TILE_SECURITY; kind++) {
        if (count[kind] > 0) {
            (void)printf("%s %u %s", kind > KERR_TILE_TENSIX ? "," : "", count[kind],
                         tile_kind_name((kerr_tile_kind)kind));
        }
    }
    unsigned cores = 0;
    for (unsigned kind = KERR_TILE_TENSIX; kind <= KERR_TILE_SECURITY; kind++) {
        cores += count[kind] * kerr_tile_cores((kerr_tile_kind)kind);
    }
    (void)printf("\ncores      %u baby RISC-V cores: B, T0, T1, T2, NC in each Tensix tile, E0, E1 in each Ethernet "
                 "tile, D in each DRAM "
                 "tile\n",
                 cores);
}

#if defined(__x86_64__)
#define PRINT_FEATURE(name)                                                                                            \
    do {                                                                                                               \
        if (__builtin_cpu_supports(name)) {                                                                            \
            (void)printf(" %s", name);                                                                                 \
        }                                                                                                              \
    } while (0)

static void print_features(void)
{
    __builtin_cpu_init();
    (void)printf("x86-64:");
    PRINT_FEATURE("sse4.2");
    PRINT_FEATURE("popcnt");
    PRINT_FEATURE("avx");
    PRINT_FEATURE("avx2");
    PRINT_FEATURE("bmi2");
    PRINT_FEATURE("fma");
    PRINT_FEATURE("avx512f");
    PRINT_FEATURE("avx512bw");
    PRINT_FEATURE("avx512vl");
    PRINT_FEATURE("avx512dq");
}
#elif defined(__aarch64__)
static void print_features(void)
{
    const unsigned long bits = getauxval(AT_HWCAP);
    (void)printf("aarch64:%s%s%s", (bits & HWCAP_ASIMD) != 0 ? " asimd" : "",
                 (bits & HWCAP_ATOMICS) != 0 ? " atomics" : "", (bits & HWCAP_SVE) != 0 ? " sve" : "");
}
#else
static void print_features(void)
{
    (void)printf("not known for this architecture");
}
#endif

static void print_threads(void)
{
    cpu_set_t set;
    const char *wish = getenv("KERR_THREADS");
    (void)printf("threads    ");
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        (void)printf("this process may use %d processors; ", CPU_COUNT(&set));
    }
    if (wish != NULL) {
        (void)printf("KERR_THREADS=%s\n", wish);
    } else {
        (void)printf("a chip takes at most 8 unless KERR_THREADS or --threads says more\n");
    }
}

static void print_fast(void)
{
    uint32_t without = 0;
    kerr_fast fast;
    const char *wish = getenv("KERR_FAST");
    if (wish != NULL && *wish != '\0') {
        (void)kerr_fast_parse(wish, &without, NULL); /* main has refused what is none */
    }
    for (uint32_t i = 0; kerr_fast_at(i, &fast); i++) {
        (void)printf("%-10s %c%-8s %s\n", i == 0 ? "KERR_FAST" : "", (without & fast.bit) != 0 ? '-' : '+', fast.name,
                     fast.text);
    }
}

static void print_info(void)
{
    (void)printf("kerr       %s\n", kerr_version());
    print_chip();
    (void)printf("build      %s, %s, flags %s\n", KERR_BUILD_COMMIT, KERR_BUILD_COMPILER, KERR_BUILD_FLAGS);
    (void)printf("processor  ");
    print_features();
    (void)printf("\n");
    print_threads();
    print_fast();
}

typedef struct wanted {
    const char *descriptor;
    kerr_harvesting shape; /* all zero: the whole chip */
    bool has_shape;
} wanted;

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    wanted *w = context;
    if (id == OPTION_INFO_HARVEST) {
        w->has_shape = true;
        return kerr_harvesting_by_name(value, &w->shape) ||
               tool_fail(error, "'%s' is not a shape such as p150, p100 or full,tensix=0x3000", value);
    }
    if (id != OPTION_INFO_DESCRIPTOR) {
        return tool_fail(error, "'%s' is too much: kerr info takes options only", value);
    }
    w->descriptor = value;
    return true;
}

int info_main(int count, char *const *arguments)
{
    wanted w = {.descriptor = NULL};
    tool_error error;
    bool help = false, fits = false;
    if (!options_parse(VERB_INFO, count, arguments, take_argument, &w, &help, &error)) {
        return verb_refuse(VERB_INFO, &error);
    }
    if (help) {
        options_help_verb(stdout, VERB_INFO);
        return EXIT_OK;
    }
    if (w.descriptor == NULL && w.has_shape) {
        (void)tool_fail(&error, "--harvest says what a descriptor is compared with, but there is no --descriptor FILE");
        return verb_refuse(VERB_INFO, &error);
    }
    if (w.descriptor == NULL) {
        print_info();
        return EXIT_OK;
    }
    if (!descriptor_compare(w.descriptor, &w.shape, stdout, &fits, &error)) {
        return verb_refuse(VERB_INFO, &error);
    }
    (void)printf("%s: %s\n", w.descriptor, fits ? "fits the chip" : "does not fit the chip");
    return fits ? EXIT_OK : EXIT_FAULT;
}
