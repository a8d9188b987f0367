/* SPDX-License-Identifier: Apache-2.0 */
/* noc_race.c without its bug: the flag leaves when the data has been acknowledged. */
#define MENDED
#include "noc_race.c"
