/* SPDX-License-Identifier: Apache-2.0 */
/* The coprocessor as its tile sees it.
 *
 * It is one more actor in the tile's order of events: at equal cycles it comes after the cores.  tensix_run does all cycles
 * before `until` in which anything happens; the tile calls it up to where cores, packets and stores on their way stand.
 *
 * A push by RISCV Ti carries its cycle and need not wait its turn, as long as there is room for it whatever the
 * coprocessor has done in the meantime: cores that only push run ahead. */
#ifndef KERR_TENSIX_TENSIX_H
#define KERR_TENSIX_TENSIX_H

#include "tensix/later.h"
#include "tensix/state.h"
#include "tensix/tile.h"

/* The next cycle in which something happens by itself; UINT64_MAX: never. */
static inline uint64_t tensix_next(const struct tensix *tx)
{
    return tensix_when(tx->due);
}

/* Does everything before cycle `until`, or less: returns early when a core may have something to do. */
void tensix_run(tensix_tile *tile, struct tensix *tx, uint64_t until);

/* RISCV Ti pushes in `cycle`.  False: full; tell_when_room, and it is noted that somebody waits. */
bool tensix_push(struct tensix *tx, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle);
/* RISCV B or the debug bus, behind the MOP expander.  *lost: the word of RISCV Ti that went lost, if any. */
typedef enum tensix_push_result { TENSIX_PUSH_OK, TENSIX_PUSH_FULL, TENSIX_PUSH_COLLISION } tensix_push_result;
tensix_push_result tensix_push_replay(struct tensix *tx, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle,
                                      uint32_t *lost);
/* RISCV Ti goes into reset: what waits before the MOP expander is gone. */
void tensix_core_reset(struct tensix *tx, unsigned thread);

/* Auto TTSync (frontend/autosync.c): the resources that are tracked, bits of a mask.  Of each bank of Config the parts of
 * unpacker 0, of unpacker 1 and the remainder. */
enum { AUTO_CONFIG0 = 0, AUTO_CONFIG1 = 3, AUTO_GPR = 6, AUTO_TDMA = 7, AUTO_PARTS = 3 };
/* Whether a load or store of RISCV Ti must wait for instructions that it pushed before (then it is told when to look
 * again).  subdivided: TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr. */
bool tensix_auto_waits(struct tensix *tx, unsigned thread, unsigned resources, bool is_store, bool subdivided,
                       uint64_t cycle);
/* Soft reset. */
void tensix_auto_reset(struct tensix *tx);

/* Brings the expanders to where they are at the start of `cycle`, which usually waits until somebody looks. */
void tensix_expand(struct tensix *tx, unsigned thread, uint64_t cycle);
/* As seen at the start of `cycle`. */
bool tensix_thread_idle(const struct tensix *tx, unsigned thread, uint64_t cycle);
bool tensix_mop_busy(const struct tensix *tx, unsigned thread, uint64_t cycle);
/* Whether RISCV Ti could push. */
bool tensix_has_room(const struct tensix *tx, unsigned thread, uint64_t cycle);
/* Of a thread that has come to cycle `now`: up to which cycle nothing but pushes changes that, as nothing that RISCV Ti has pushed
 * can be through before; 0: not known. */
uint64_t tensix_room_holds(struct tensix *tx, unsigned thread, uint64_t now);
/* Whether something that is in the front end now may make room without passing the gate. */
bool tensix_may_swallow(struct tensix_thread *t);
/* Instructions in the FIFO before the MOP expander, and the first of them. */
unsigned tensix_fifo(const struct tensix *tx, unsigned thread, uint64_t cycle, uint32_t *front);
/* Instructions in the FIFO before the replay expander. */
unsigned tensix_replay_waiting(const struct tensix *tx, unsigned thread, uint64_t cycle);
/* Somebody waits for this thread (TENSIX_WAITS_*): he is told by tile_devices_changed or tile_core_told. */
void tensix_wait(struct tensix *tx, unsigned thread, unsigned what, uint64_t cycle);
/* An instruction has passed the gate of a thread of which RISCV Ti waits for the end of MOPs.  False: there it is; else he is told
 * when it may be. */
bool tensix_mop_goes_on(struct tensix *tx, unsigned thread, uint64_t cycle);
/* An instruction has passed the gate of a thread that RISCV Ti waits for the end of. */
void tensix_passed(struct tensix *tx, unsigned thread, uint64_t cycle);
/* Somebody waits for the Configuration Unit: he is told at `cycle`. */
void tensix_wait_config(struct tensix *tx, uint64_t cycle);

/* He is told in `cycle` at the latest. */
void tensix_notify(struct tensix *tx, unsigned thread, uint64_t cycle);
/* RISCV Ti has its next turn in that cycle, before the coprocessor (tile/pusher.c). */
void tensix_push_turn(struct tensix *tx, unsigned thread, uint64_t cycle);

/* --shake: instructions that have passed their gate and are not executed yet are, before what they use changes in `cycle`. */
void tensix_late_now(tensix_tile *tile, struct tensix *tx, uint64_t cycle);
static inline void tensix_config_changing(tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    if (__builtin_expect((tx->shake.late[0].due | tx->shake.late[1].due) != 0, 0))
        tensix_late_now(tile, tx, cycle);
}

/* The state as anybody would find it at `cycle`: nothing is left undone that only waits for somebody to look. */
void tensix_make_real(const tensix_tile *tile, struct tensix *tx, uint64_t cycle);
/* Whether counts and positions that came from outside stay within their arrays (restore). */
bool tensix_is_sane(const struct tensix *tx);

#endif
