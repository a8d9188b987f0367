/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of fma.c without branches, so that all lanes go side by side.  Infinities, NaNs, a product that overflows and a
 * result below the normal range are left to fma.c: they are rare and cost the whole call.
 *
 * Two steps borrow the host's floats.  The product of the significands is known modulo 2^32 from an integer multiplication,
 * its high bits from a multiplication of floats that is off by far less than that.  And the sum, an integer of at most 29
 * bits whose lowest is sticky, is rounded to 24 bits by the conversion to float: nearest even, like rule 5.
 * tests/unit/num/fma_lanes_test.c compares with fma.c. */
#include "num/fma_lanes.h"

#include "base/simd.h"
#include "num/fma.h"
#include "num/fma_avx2.h"

enum {
    BIAS = 127,
    FRACTION = 0x7fffff,
    HIDDEN = 0x800000,
    CUT = 20,            /* bits of the product that only the sticky bit remembers */
    TOP = 26,            /* where the leading bit of an addend is */
    OUT_OF_REACH = 1024, /* taken from the exponent of a product that is zero: the sum is z */
    SURE = 64,           /* an exponent above which no cancellation reaches the denormals */
};

static inline __attribute__((always_inline)) float as_float(uint32_t bits)
{
    union {
        uint32_t bits;
        float value;
    } both = {.bits = bits};
    return both.value;
}

static inline __attribute__((always_inline)) uint32_t as_bits(float value)
{
    union {
        float value;
        uint32_t bits;
    } both = {.value = value};
    return both.bits;
}

/* All ones where a number, taken as signed, is below zero. */
static inline __attribute__((always_inline)) uint32_t below_zero(uint32_t number)
{
    return (uint32_t)((int32_t)number >> 31);
}

/* Zero if every lane of d is right. */
SIMD_CLONES static uint32_t fma_plain_lanes(uint32_t d[restrict FMA_LANES], const uint32_t xs[restrict FMA_LANES],
                                            const uint32_t ys[restrict FMA_LANES],
                                            const uint32_t zs[restrict FMA_LANES])
{
    uint32_t odd[FMA_LANES];
    for (unsigned i = 0; i < FMA_LANES; i++) {
        const uint32_t x = xs[i], y = ys[i], z = zs[i];
        const uint32_t x_exponent = x >> 23 & 255, y_exponent = y >> 23 & 255, z_exponent = z >> 23 & 255;
        const uint32_t x_fraction = x & FRACTION, y_fraction = y & FRACTION;

        const uint32_t low = (x_fraction | HIDDEN) * (y_fraction | HIDDEN); /* modulo 2^32 */
        const uint32_t about = (uint32_t)(int32_t)(as_float(x_fraction | (BIAS + TOP) << 23) *
                                                   as_float(y_fraction | BIAS << 23)); /* product >> CUT, nearly */
        const uint32_t low12 = low >> CUT;
        const uint32_t high = (about - low12 + 2048) & ~UINT32_C(4095);
        const uint32_t sticky = ((low & ((1u << CUT) - 1)) + ((1u << CUT) - 1)) >> CUT;
        const int32_t product_exponent = (int32_t)(x_exponent + y_exponent) - BIAS;
        const uint32_t no_product = below_zero((x_exponent - 1) | (y_exponent - 1) | (uint32_t)product_exponent);
        const uint32_t product = (high | low12 | sticky) & ~no_product;
        const int32_t exponent_p = product_exponent - (int32_t)(no_product & OUT_OF_REACH);
        const uint32_t addend =
            ((z & FRACTION) << FMA_ROUND_BITS | HIDDEN << FMA_ROUND_BITS) & ~below_zero(z_exponent - 1);

        const int32_t gap = exponent_p - (int32_t)z_exponent;
        const uint32_t product_sign = x ^ y; /* in bit 31 */
        const uint32_t large = gap > 0 ? product : addend, small = gap > 0 ? addend : product;
        const uint32_t large_sign = gap > 0 ? product_sign : z;
        const int32_t exponent = gap > 0 ? exponent_p : (int32_t)z_exponent;
        uint32_t distance = (uint32_t)(gap > 0 ? gap : -gap);
        distance = distance > 31 ? 31 : distance;
        uint32_t kept = small >> distance;
        const uint32_t lost = small - (kept << distance);
        kept |= ((0u - lost) & (0u - kept)) >> 31; /* rule 4 */

        const uint32_t differ = below_zero(product_sign ^ z);
        const int32_t sum = (int32_t)(large + ((kept ^ differ) - differ));
        const int32_t magnitude = sum < 0 ? -sum : sum;
        const uint32_t rounded = as_bits((float)magnitude) + ((uint32_t)(exponent - BIAS - TOP) << 23);
        const uint32_t finite = rounded > F32_INFINITY ? F32_INFINITY : rounded;
        const uint32_t sign = (large_sign ^ (uint32_t)sum) & F32_SIGN;
        d[i] = sum == 0 ? product_sign & z & F32_SIGN : finite | sign;

        const uint32_t top_factor = x_exponent > y_exponent ? x_exponent : y_exponent;
        const uint32_t top = top_factor > z_exponent ? top_factor : z_exponent;
        const uint32_t tiny = (rounded - HIDDEN) & (uint32_t)(exponent - SURE) & ~(uint32_t)(magnitude - 1);
        odd[i] = (top + 1) >> 8 | ((uint32_t)(254 - product_exponent) | tiny) >> 31;
    }
    uint32_t any = 0;
    for (unsigned i = 0; i < FMA_LANES; i++)
        any |= odd[i];
    return any;
}

static void one_by_one(uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                       const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES])
{
    uint32_t flags = 0;
    for (unsigned i = 0; i < FMA_LANES; i++)
        d[i] = fma_f32(x[i], y[i], z[i], &flags);
}

static void lanes_plain(uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                        const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES])
{
    if (fma_plain_lanes(d, x, y, z) != 0)
        one_by_one(d, x, y, z);
}

/* ---- AVX2 ---- */

#if defined(__x86_64__)
/* False: some lanes of d are not right. */
#define WITH_AVX2 __attribute__((target("avx2,fma"), noinline)) static
#define AT(lanes) _mm256_loadu_si256((const __m256i *)(const void *)((lanes) + i))
#define SET(lanes, value) _mm256_storeu_si256((__m256i *)(void *)((lanes) + i), (value))
WITH_AVX2 bool lanes_avx2(uint32_t d[restrict FMA_LANES], const uint32_t *x, const uint32_t *y, const uint32_t *z)
{
    __m256i odd = _mm256_setzero_si256();
    for (unsigned i = 0; i < FMA_LANES; i += 8) {
        __m256i unsure = _mm256_setzero_si256(), r = fma_avx2_host(AT(x), AT(y), AT(z), &unsure);
        if (fma_avx2_any(unsure))
            r = fma_avx2(AT(x), AT(y), AT(z), &odd);
        SET(d, r);
    }
    return !fma_avx2_any(odd);
}
WITH_AVX2 bool lanes_mul_avx2(uint32_t d[restrict FMA_LANES], const uint32_t *x, const uint32_t *y, const uint32_t *z)
{
    __m256i odd = _mm256_setzero_si256();
    for (unsigned i = 0; i < FMA_LANES; i += 8)
        SET(d, fma_avx2_mul(AT(x), AT(y), AT(z), &odd));
    return !fma_avx2_any(odd);
}
WITH_AVX2 bool lanes_add_avx2(uint32_t d[restrict FMA_LANES], const uint32_t *x, const uint32_t *z)
{
    __m256i odd = _mm256_setzero_si256();
    for (unsigned i = 0; i < FMA_LANES; i += 8)
        SET(d, fma_avx2_add(AT(x), AT(z), &odd));
    return !fma_avx2_any(odd);
}
#undef AT
#undef SET

bool fma_has(enum fma_form form)
{
    return form == FMA_ON_ANY || fma_has_avx2();
}
#else
bool fma_has(enum fma_form form)
{
    return form == FMA_ON_ANY;
}
#define lanes_avx2(d, x, y, z) false
#define lanes_mul_avx2(d, x, y, z) false
#define lanes_add_avx2(d, x, z) false
#endif

/* ---- Which ---- */

static inline void fma_on(bool avx2, uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                          const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES])
{
    if (!avx2 || !lanes_avx2(d, x, y, z))
        lanes_plain(d, x, y, z);
}

static inline void mul_on(bool avx2, uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                          const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES])
{
    if (!avx2 || !lanes_mul_avx2(d, x, y, z))
        lanes_plain(d, x, y, z);
}

static __attribute__((noinline)) void add_plainly(uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                                                  const uint32_t z[restrict FMA_LANES])
{
    uint32_t ones[FMA_LANES];
    for (unsigned i = 0; i < FMA_LANES; i++)
        ones[i] = F32_ONE;
    lanes_plain(d, x, ones, z);
}
static inline void add_on(bool avx2, uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                          const uint32_t z[restrict FMA_LANES])
{
    if (!avx2 || !lanes_add_avx2(d, x, z))
        add_plainly(d, x, z);
}

void fma_f32_lanes_on(enum fma_form form, uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                      const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES])
{
    fma_on(form == FMA_ON_AVX2, d, x, y, z);
}

void fma_f32_lanes_mul_on(enum fma_form form, uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                          const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES])
{
    mul_on(form == FMA_ON_AVX2, d, x, y, z);
}

void fma_f32_lanes_add_on(enum fma_form form, uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                          const uint32_t z[restrict FMA_LANES])
{
    add_on(form == FMA_ON_AVX2, d, x, z);
}

void fma_f32_lanes(uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                   const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES])
{
    fma_on(fma_has(FMA_ON_AVX2), d, x, y, z);
}

void fma_f32_lanes_mul(uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                       const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES])
{
    mul_on(fma_has(FMA_ON_AVX2), d, x, y, z);
}

void fma_f32_lanes_add(uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                       const uint32_t z[restrict FMA_LANES])
{
    add_on(fma_has(FMA_ON_AVX2), d, x, z);
}
