/* SPDX-License-Identifier: Apache-2.0 */
/* A pair of kernels with a bug: B of tile 1-2 sends 256 bytes to tile 4-2, then a flag that says so, on another virtual channel of
 * the same NoC.  Nothing keeps packets of different channels in order (manual WormholeB0 NoC/Ordering), so the flag may overtake
 * the data.  NC of tile 4-2 waits for the flag, counts words that are not what they should be, and answers.  noc_mended.c waits
 * for the acknowledgement of the data before it sends the flag.
 *
 *   kerr run 1,2:B=noc_race_B.elf 4,2:NC=noc_race_NC.elf --dump 4,2@0x20000+4=words    0 is right */
#include "kerr_sdk.h"

enum { ROUNDS = 8, WORDS = 64 };
enum { WRONG = KERR_SHARED_BASE, FLAG = KERR_SHARED_BASE + 0x40, DATA = KERR_SHARED_BASE + 0x100 };
enum { ANSWER = KERR_SHARED_BASE + 0x80, MINE = KERR_SHARED_BASE + 0x400 };
/* Registers of a request initiator, and of the NIU (manual NoC/MemoryMap). */
enum { NIU = NOC0_REGS_START_ADDR, TARG_ADDR_LO = 0x00, TARG_ADDR_MID = 0x04, TARG_ADDR_HI = 0x08 };
enum { RET_ADDR_LO = 0x0c, RET_ADDR_MID = 0x10, RET_ADDR_HI = 0x14, CTRL = 0x1c, AT_LEN_BE = 0x20, CMD_CTRL = 0x40 };
enum { WRITE_ACKS = 0x204 };
/* A write with acknowledgement on static virtual channel 0 or 1. */
enum { CHANNEL_0 = 0x92, CHANNEL_1 = 0x2092 };
enum { SENDER = 1 | 2 << 6, RECEIVER = 4 | 2 << 6 };

enum { FIRST = NIU, SECOND = NIU + 0x800 }; /* request initiators */

static void prepare(uint32_t initiator, uint32_t control, uint32_t here, uint32_t from, uint32_t there, uint32_t to,
                    uint32_t bytes)
{
    *KERR_WORD(initiator + TARG_ADDR_LO) = from;
    *KERR_WORD(initiator + TARG_ADDR_MID) = 0;
    *KERR_WORD(initiator + TARG_ADDR_HI) = here;
    *KERR_WORD(initiator + RET_ADDR_LO) = to;
    *KERR_WORD(initiator + RET_ADDR_MID) = 0;
    *KERR_WORD(initiator + RET_ADDR_HI) = there;
    *KERR_WORD(initiator + CTRL) = control;
    *KERR_WORD(initiator + AT_LEN_BE) = bytes;
}

static void send(uint32_t initiator)
{
    *KERR_WORD(initiator + CMD_CTRL) = 1;
}

#if KERR_CORE == KERR_CORE_B
int main(void)
{
    uint32_t acks = kerr_settle(*KERR_WORD(NIU + WRITE_ACKS));
    prepare(FIRST, CHANNEL_0, SENDER, MINE, RECEIVER, DATA, 4 * WORDS);
    prepare(SECOND, CHANNEL_1, SENDER, MINE + 4 * WORDS, RECEIVER, FLAG, 16);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        for (unsigned i = 0; i < WORDS; i++)
            KERR_WORD(MINE)[i] = round << 16 | i;
        KERR_WORD(MINE)[WORDS] = round;
        kerr_publish(KERR_WORD(MINE) + WORDS);
        send(FIRST);
#ifdef MENDED
        while (kerr_settle(*KERR_WORD(NIU + WRITE_ACKS)) != acks + 2 * round - 1)
            ;
#endif
        send(SECOND);
        while (kerr_settle(*KERR_WORD(NIU + WRITE_ACKS)) != acks + 2 * round)
            ;
        kerr_wait_equal(KERR_WORD(ANSWER), UINT32_MAX, round);
    }
    kerr_finish(ROUNDS);
}
#else
int main(void)
{
    uint32_t wrong = 0;
    prepare(FIRST, CHANNEL_1, RECEIVER, MINE, SENDER, ANSWER, 16);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        kerr_wait_equal(KERR_WORD(FLAG), UINT32_MAX, round);
        for (unsigned i = 0; i < WORDS; i++)
            wrong += KERR_WORD(DATA)[i] != (round << 16 | i);
        KERR_WORD(MINE)[0] = round;
        *KERR_WORD(WRONG) = wrong;
        kerr_publish(KERR_WORD(WRONG));
        send(FIRST);
    }
    kerr_finish((int32_t)wrong);
}
#endif
