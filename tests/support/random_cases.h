/* SPDX-License-Identifier: Apache-2.0 */
/* How many cases a test draws: fewer where a sanitizer makes each of them slow, since the same test runs without one too. */
#ifndef KERR_TESTS_RANDOM_CASES_H
#define KERR_TESTS_RANDOM_CASES_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RANDOM_CASES(n) ((n) / 4)
#else
#define RANDOM_CASES(n) (n)
#endif

#endif
