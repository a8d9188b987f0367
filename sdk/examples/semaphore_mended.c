/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore_race.c without its bug: T1 waits until the semaphore is set up. */
#define MENDED
#include "semaphore_race.c"
