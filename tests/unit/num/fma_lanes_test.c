/* SPDX-License-Identifier: Apache-2.0 */
/* 32 multiply-adds at once against one after the other. */
#include "num/fma.h"
#include "num/fma_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1;
static uint32_t draw(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 32);
}

static const uint32_t edges[] = {0,          1,          0x007FFFFF, 0x00800000, 0x00800001, 0x00FFFFFF, 0x01000000,
                                 0x0C000000, 0x1F800000, 0x20000000, 0x33FFFFFF, 0x34000000, 0x3EFFFFFF, 0x3F000000,
                                 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FFFFFFF, 0x40000000, 0x4B7FFFFF, 0x5F800000,
                                 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF};
enum { EDGES = sizeof edges / sizeof *edges };

struct lanes {
    uint32_t x[FMA_LANES], y[FMA_LANES], z[FMA_LANES];
};

static void assert_right(const uint32_t d[FMA_LANES], const struct lanes *l)
{
    uint32_t flags = 0;
    for (unsigned i = 0; i < FMA_LANES; i++) {
        const uint32_t one = fma_f32(l->x[i], l->y[i], l->z[i], &flags);
        if (d[i] != one)
            fail_msg("%08x * %08x + %08x: %08x, not %08x", l->x[i], l->y[i], l->z[i], d[i], one);
    }
}

/* x * y + z, and with the same operands x * y + 0, x * y - 0 and x * 1 + z, in every form that the processor has. */
static void assert_same(const struct lanes *l)
{
    uint32_t d[FMA_LANES];
    struct lanes product = *l, sum = *l;
    for (unsigned i = 0; i < FMA_LANES; i++) {
        product.z[i] &= F32_SIGN;
        sum.y[i] = F32_ONE;
    }
    for (enum fma_form form = FMA_ON_ANY; form < FMA_FORMS; form++) {
        if (!fma_has(form))
            continue;
        fma_f32_lanes_on(form, d, l->x, l->y, l->z);
        assert_right(d, l);
        fma_f32_lanes_mul_on(form, d, product.x, product.y, product.z);
        assert_right(d, &product);
        fma_f32_lanes_add_on(form, d, sum.x, sum.z);
        assert_right(d, &sum);
    }
}

/* The same in all lanes: one odd lane must not hide what the others do by themselves. */
static void assert_alone(uint32_t x, uint32_t y, uint32_t z)
{
    struct lanes l;
    for (unsigned i = 0; i < FMA_LANES; i++)
        l.x[i] = x, l.y[i] = y, l.z[i] = z;
    assert_same(&l);
}

static void edges_times_edges_plus_edges(void **state)
{
    (void)state;
    for (unsigned i = 0; i < EDGES * EDGES * EDGES * 4; i++)
        assert_alone(edges[i / 4 % EDGES] ^ i << 31, edges[i / 4 / EDGES % EDGES],
                     edges[i / 4 / EDGES / EDGES] ^ i >> 1 << 31);
}

static uint32_t near_one(unsigned span)
{
    return (draw() & 0x807FFFFF) | (127 - span / 2 + draw() % span) << 23;
}

static void random_operands(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 100000; round++) {
        struct lanes l;
        const unsigned span = 1 + draw() % 64;
        for (unsigned i = 0; i < FMA_LANES; i++) {
            l.x[i] = round % 3 ? near_one(span) : draw();
            l.y[i] = round % 3 ? near_one(span) : draw();
            l.z[i] = round % 3 ? near_one(span) : draw();
        }
        assert_same(&l);
    }
}

/* z close to -x * y: what is left are the bits below an FP32 significand. */
static void cancellation(void **state)
{
    (void)state;
    uint32_t flags = 0;
    for (unsigned round = 0; round < 100000; round++) {
        struct lanes l;
        for (unsigned i = 0; i < FMA_LANES; i++) {
            l.x[i] = near_one(round % 2 ? 2 : 60);
            l.y[i] = near_one(round % 2 ? 2 : 60);
            l.z[i] = (fma_f32_mul(l.x[i], l.y[i], &flags) ^ F32_SIGN) + draw() % 9 - 4;
        }
        assert_same(&l);
    }
}

/* Sums of what is nearly the same, and of what is far apart. */
static void sums(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 100000; round++) {
        struct lanes l;
        for (unsigned i = 0; i < FMA_LANES; i++) {
            l.x[i] = near_one(round % 2 ? 2 : 60);
            l.y[i] = near_one(60);
            l.z[i] = round % 4 < 2 ? (l.x[i] ^ F32_SIGN) + draw() % 9 - 4 : l.x[i] - (20 + draw() % 10) * 0x800000;
        }
        assert_same(&l);
    }
}

/* Products and sums around the smallest normal number. */
static void near_the_denormals(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 30000; round++) {
        struct lanes l;
        for (unsigned i = 0; i < FMA_LANES; i++) {
            const uint32_t exponent = 1 + draw() % 126;
            l.x[i] = (draw() & 0x807FFFFF) | exponent << 23;
            l.y[i] = (draw() & 0x807FFFFF) | (125 + draw() % 5 - exponent) << 23;
            l.z[i] = (draw() & 0x807FFFFF) | draw() % 4 << 23;
        }
        assert_same(&l);
    }
}

static void assert_alone_mad(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t flags = 0, xs[FMA_LANES], ys[FMA_LANES], zs[FMA_LANES], r[FMA_LANES];
    for (unsigned i = 0; i < FMA_LANES; i++)
        xs[i] = x, ys[i] = y, zs[i] = z;
    const uint32_t one = fma_f32(x, y, z, &flags);
    for (enum fma_form form = FMA_ON_ANY; form < FMA_FORMS; form++) {
        if (!fma_has(form))
            continue;
        fma_f32_lanes_on(form, r, xs, ys, zs);
        for (unsigned i = 0; i < FMA_LANES; i++)
            if (r[i] != one)
                fail_msg("form %u: %08x * %08x + %08x: %08x, not %08x", (unsigned)form, x, y, z, r[i], one);
    }
}

/* Operands that the host's multiply-add has right in some cases and not in others: short and long significands, z from far below the
 * product to far above it, close to what cancels.  Each in all lanes, so that none is done another way because of its neighbours. */
static void around_the_hosts_own(void **state)
{
    (void)state;
    uint32_t flags = 0;
    for (unsigned round = 0; round < 400000; round++) {
        const uint32_t cut_x = UINT32_MAX << draw() % 24, cut_y = UINT32_MAX << draw() % 24;
        const uint32_t x = near_one(60) & (cut_x | 0xFF800000), y = near_one(60) & (cut_y | 0xFF800000);
        const uint32_t product = fma_f32_mul(x, y, &flags);
        const uint32_t exponent = (product & F32_INFINITY) + (draw() % 16 - (round % 2 ? 8 : 40)) * 0x800000;
        const uint32_t z =
            round % 4 ? (draw() & 0x807FFFFF) | (exponent & F32_INFINITY) : (product ^ F32_SIGN) + draw() % 65 - 32;
        assert_alone_mad(x, y, z);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_times_edges_plus_edges),
        cmocka_unit_test(random_operands),
        cmocka_unit_test(cancellation),
        cmocka_unit_test(sums),
        cmocka_unit_test(near_the_denormals),
        cmocka_unit_test(around_the_hosts_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
