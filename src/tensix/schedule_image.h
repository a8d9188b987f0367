/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the schedules share: the state that decides about one, relative to the cycle in which it begins. */
#ifndef KERR_TENSIX_SCHEDULE_IMAGE_H
#define KERR_TENSIX_SCHEDULE_IMAGE_H

#include "tensix/schedules.h"

#define ASLEEP (UINT64_C(1) << 63) /* in place of a cycle: never */

/* schedule_record.c: what a schedule does with an instruction. */
typedef enum schedule_class {
    CLASS_OTHER,   /* it does or waits for something that no schedule knows */
    CLASS_CONTROL, /* all that it changes is in the state of the schedule */
    CLASS_DATA,    /* its unit must do it again; how long that takes is in the word */
} schedule_class;
schedule_class schedule_class_of(uint32_t word, unsigned op);

/* From one state a long schedule may be known, and for when there is not much time a brief one, and others that last just as long as
 * there was time: bit 0 of the hash says brief. */
#define BRIEF UINT64_C(1)

struct schedule *schedule_enter(struct tensix_schedules *schedules, uint64_t hash);
struct schedule *schedule_under(struct tensix_schedules *schedules, uint64_t hash); /* NULL: there is none */

void schedule_thread_image(const struct tensix *tx, unsigned i, uint64_t now, struct schedule_thread *image);
void schedule_shared_image(const struct tensix *tx, uint64_t now, struct schedule_shared *image);
/* mop_cfg and replay. */
const void *schedule_words(const struct tensix_thread *t);
/* A push as the MOP expander will find it: when it came makes no difference if the expander was busy still. */
struct tensix_entry schedule_push_image(const struct tensix_thread *t, unsigned k, uint64_t now);

#endif
