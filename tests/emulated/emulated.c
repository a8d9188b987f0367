/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled with -Itests/emulated/include, so that this is ours. */
#include <immintrin.h>

#define TARGET
#define TABLE(name) name##_emulated
#include "table.h"
