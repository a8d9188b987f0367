/* SPDX-License-Identifier: Apache-2.0 */
/* The multiply-add of fma.h for the 32 lanes of the Vector Unit at once. */
#ifndef KERR_NUM_FMA_LANES_H
#define KERR_NUM_FMA_LANES_H

#include <stdbool.h>
#include <stdint.h>

enum { FMA_LANES = 32 };

/* d = x * y + z in each lane, as fma_f32 has it, without flags.  d is none of the others. */
void fma_f32_lanes(uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                   const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES]);
/* The same where all of z are zeros, of either sign. */
void fma_f32_lanes_mul(uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                       const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES]);
/* The same where all of y are F32_ONE. */
void fma_f32_lanes_add(uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                       const uint32_t z[restrict FMA_LANES]);

/* The same in a form that a test wants, if the processor has it. */
enum fma_form { FMA_ON_ANY, FMA_ON_AVX2, FMA_FORMS };
bool fma_has(enum fma_form form);
void fma_f32_lanes_on(enum fma_form form, uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                      const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES]);
void fma_f32_lanes_mul_on(enum fma_form form, uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                          const uint32_t y[restrict FMA_LANES], const uint32_t z[restrict FMA_LANES]);
void fma_f32_lanes_add_on(enum fma_form form, uint32_t d[restrict FMA_LANES], const uint32_t x[restrict FMA_LANES],
                          const uint32_t z[restrict FMA_LANES]);

#endif
