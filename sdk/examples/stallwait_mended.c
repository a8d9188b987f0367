/* SPDX-License-Identifier: Apache-2.0 */
/* stallwait_race.c without its bug: STALLWAIT holds the Scalar Unit back until the load is there. */
#define MENDED
#include "stallwait_race.c"
