/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose loops the compiler turns into vector instructions, in one copy for each kind of machine.
 *
 * A function marked SIMD_CLONES is plain C.  The loader picks the copy for the machine at hand; all copies do the same
 * arithmetic on the same bits.  Sanitizers start after the loader, so with them there is one copy only;
 * clang before 17 names the copies so that other files do not find them. */
#ifndef KERR_BASE_SIMD_H
#define KERR_BASE_SIMD_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SIMD_ONE_COPY 1
#endif
#endif
#if defined(__clang__) && __clang_major__ < 17
#define SIMD_ONE_COPY 1
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__x86_64__) || !defined(__OPTIMIZE__)
#define SIMD_ONE_COPY 1
#endif

#ifdef SIMD_ONE_COPY
#define SIMD_CLONES
#else
#define SIMD_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#endif

#endif
