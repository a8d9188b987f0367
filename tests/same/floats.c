/* SPDX-License-Identifier: Apache-2.0 */
/* A host that has set its floating point otherwise has it back after a call, and while the chip runs it is what fast paths of the
 * units count on. */
#include "../support/tap.h"
#include "../support/workload.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

enum { TILES = 4, CYCLES = 2000, FLAGS = 0x3F, UP = _MM_MASK_MASK | _MM_ROUND_UP | _MM_FLUSH_ZERO_ON };

struct seen {
    unsigned events, others;
};

static void look(void *context, const kerr_trace_event *event)
{
    (void)event;
    struct seen *seen = context;
    seen->events++;
    seen->others += (_mm_getcsr() & ~(unsigned)FLAGS) != _MM_MASK_MASK;
}

static void check(tap *t)
{
    kerr_chip *chip = chip_new(NULL); /* traced, it runs on the calling thread */
    workload_start_mix(chip, TILES, 7);
    struct seen seen = {0};
    MUST(chip, kerr_set_trace(chip, look, &seen));
    const unsigned before = _mm_getcsr();
    _mm_setcsr(UP);
    MUST(chip, kerr_run(chip, CYCLES));
    const unsigned after = _mm_getcsr() & ~(unsigned)FLAGS;
    _mm_setcsr(before);
    tap_ok(t, seen.events != 0 && seen.others == 0, "to nearest while a chip runs");
    tap_ok(t, after == UP, "and as the caller has it afterwards");
    kerr_destroy(chip);
}

int main(void)
{
    tap t = {0};
    check(&t);
    return tap_end(&t);
}
#else
int main(void)
{
    tap t = {0};
    tap_ok(&t, true, "no fast path of this host depends on it");
    return tap_end(&t);
}
#endif
