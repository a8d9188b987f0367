/* SPDX-License-Identifier: Apache-2.0 */
/* pack_race.c without its bug: STALLWAIT holds the packer back until the core's store is there. */
#define MENDED
#include "pack_race.c"
