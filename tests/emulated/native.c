/* SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,fma")))
#define TABLE(name) name##_native
#include "table.h"
