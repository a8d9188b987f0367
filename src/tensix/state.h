/* SPDX-License-Identifier: Apache-2.0 */
/* State of the Tensix coprocessor of one tile, but for its large register files.
 *
 * Plain data without pointers and without padding: a snapshot is a copy.  Owned by struct devices (tile/devices_state.h),
 * written by the files of src/tensix and, for what baby cores reach by address, by tile/tensix_fifo.c.  After power-on all
 * of it is zero, which every member is made to mean.
 *
 * Cycles: what has happened before cycle `c` is in here when the tile stands at c; what an instruction does later than in
 * the cycle it is taken waits in `later`. */
#ifndef KERR_TENSIX_STATE_H
#define KERR_TENSIX_STATE_H

#include "num/pack_convert.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TENSIX_THREADS = 3,
    TENSIX_FIFO_CAPACITY = 32,    /* the FIFO before the MOP expander */
    TENSIX_FIFO_ALMOST_FULL = 28, /* with more than this in flight, it takes nothing */
    REPLAY_FIFO_CAPACITY = 8,     /* the FIFO between MOP expander and replay expander */
    GATE_FIFO_CAPACITY = 2,       /* the FIFO between replay expander and wait gate; its head stands at the gate */
    REPLAY_ENTRIES = 32,
    AUTO_CLASSES = 16, /* of instructions, for Auto TTSync */
    TENSIX_GPRS = 64,
    TENSIX_UNITS = 10,   /* enum tensix_unit */
    TENSIX_OPS = 137,    /* enum tensix_op */
    CFG_STATE_SIZE = 56, /* rows of four words */
    CFG_WORDS = CFG_STATE_SIZE * 4,
    THD_STATE_SIZE = 68, /* 16-bit fields of one thread's configuration */
    SEMAPHORES = 8,
    MUTEXES = 5, /* 0, 2, 3 and 4 exist */
    MOP_CFG_WORDS = 9,
    ADC_SETS = 3,         /* unpacker 0, unpacker 1, packer */
    LATER_CAPACITY = 32,  /* writes on their way */
    SCALAR_REQUESTS = 8,  /* of the Scalar Unit to memory and registers, on their way */
    MOVER_COMMANDS = 4,   /* the queue of TDMA-RISC */
    MOVER_PARAMETERS = 2, /* how many of these may have parameters */
};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

/* An instruction on its way through the front end. */
struct tensix_entry {
    uint64_t cycle; /* first FIFO: of the push; behind: in which it came in */
    uint32_t word;
    uint32_t pc; /* of the push that it comes from, with TENSIX_ENTRY_* in the two low bits */
};
enum {
    TENSIX_ENTRY_LAST = 1, /* with it all of a push by RISCV Ti has passed */
    TENSIX_ENTRY_BY_B = 2, /* pushed by RISCV B or the debug bus */
};

/* frontend/wait_gate.c: the latched wait instruction. */
struct tensix_latch {
    uint64_t since;      /* the first cycle in which its conditions are looked at */
    uint32_t opcode;     /* OPCODE_STALLWAIT, OPCODE_SEMWAIT, OPCODE_STREAMWAIT; 0: nothing is latched */
    uint32_t conditions; /* ConditionMask */
    uint32_t target;     /* STREAMWAIT: TargetValue */
    uint16_t blocks;     /* BlockMask */
    uint8_t semaphores;  /* SemaphoreMask */
    uint8_t stream;      /* STREAMWAIT: StreamSelect */
};

/* frontend/mop_expander.c: a MOP that is being expanded. */
struct tensix_mop {
    uint32_t pc;       /* of the push; TENSIX_ENTRY_* as in tensix_entry */
    uint32_t mask;     /* template 0: what is left of the mask */
    uint16_t mask_hi;  /* from MOP_CFG */
    uint16_t outer;    /* iterations of the outer (template 0: only) loop that are left, the present one included */
    uint16_t inner;    /* template 1: iterations of the inner loop, all of them */
    uint16_t position; /* template 1: of the inner loop */
    uint8_t step;      /* which instruction of an iteration comes next */
    uint8_t template_1;
    bool active;
    bool after; /* the last thing it did was the end of an expansion */
};

/* When an expander worked on what, for a trace (tensix/trace.h): kept always, since expanders are brought up to a cycle in
 * places that know of no trace, and no part of what the chip is. */
enum { TENSIX_SPANS = 16 }; /* more than expanders finish between two looks at the gate */
struct tensix_span {
    uint64_t begin, end;
    uint32_t word, reserved;
};
struct tensix_spans {
    struct tensix_span span[TENSIX_SPANS]; /* what is over, a ring */
    uint32_t count, told;
    uint64_t mop_begin, replay_begin; /* of what is not */
    uint32_t mop_word, replay_word;
};

/* ADCs: the address counters of one channel of one unit (manual ADCs; Z and W have 13 bits on Blackhole). */
struct tensix_adc_channel {
    uint32_t x, x_cr; /* 18 bits */
    uint16_t y, y_cr, z, z_cr, w, w_cr;
};

/* RWCs (manual RWCs). */
struct tensix_rwc {
    uint16_t dst, dst_cr;
    uint8_t src_a, src_a_cr, src_b, src_b_cr;
    uint8_t fidelity_phase, extra_addr_mod_bit;
    uint16_t sp; /* SFPU_STACK_Incr: the stack counter of SFPLOAD and SFPSTORE */
    uint8_t reserved[4];
};

/* One Tensix thread. */
struct tensix_thread {
    struct tensix_entry fifo[TENSIX_FIFO_CAPACITY];        /* before the MOP expander: pushed by RISCV Ti */
    struct tensix_entry replay_fifo[REPLAY_FIFO_CAPACITY]; /* after it: also pushed by RISCV B and the debug bus */
    struct tensix_entry gate_fifo[GATE_FIFO_CAPACITY];
    uint64_t last_push;                   /* cycle of the last push by RISCV Ti */
    uint64_t mop_next;                    /* the first cycle in which the MOP expander may emit again */
    uint64_t replay_next;                 /* the same of the replay expander */
    uint64_t taken[REPLAY_FIFO_CAPACITY]; /* when the last ones left the replay FIFO, a ring */
    uint64_t passed[GATE_FIFO_CAPACITY];  /* when the last ones left the gate FIFO, a ring */
    uint64_t gate_next;                   /* the first cycle in which another instruction may pass the gate */
    uint64_t due;                         /* the next cycle in which to look at the gate, as tensix_due_at has it */
    uint64_t stall_since;                 /* counts.c: from here on `stall` is not counted yet */
    uint64_t auto_until;                  /* AUTO_LOAD_LINGERS: the gate is held before this cycle */
    uint64_t notify;                      /* cycle at which somebody who waits should look again; 0: none */
    uint64_t push_turn;                   /* the next turn of RISCV Ti within a run (pushing.h); 0: none */
    uint64_t busy_until[TENSIX_UNITS];    /* the last instruction of this thread leaves that unit then */
    uint64_t unpacker_until[2];           /* the same for each unpacker (conditions C1 and C2) */
    uint64_t loads_until;                 /* scalar.c: the last load or atomic has answered (condition C0) */
    struct tensix_latch latch;
    struct tensix_mop mop;
    uint32_t gpr[TENSIX_GPRS];
    uint32_t mop_cfg[MOP_CFG_WORDS];
    uint32_t replay[REPLAY_ENTRIES];
    uint32_t replay_pc;              /* of the REPLAY that plays */
    uint16_t config[THD_STATE_SIZE]; /* ThreadConfig: written by SETC16 only */
    /* frontend/autosync.c: what each push in flight uses, at the place that it has or had in `fifo`; what RESOURCEDECL has
     * declared, as the difference to the default; CFG_STATE_ID_StateID in order of pushes, where `tracked` has it. */
    uint16_t tracked[TENSIX_FIFO_CAPACITY];
    uint16_t declared[AUTO_CLASSES];
    uint16_t auto_state;
    uint8_t auto_load;      /* AUTO_LOAD_*: a load of RISCV Ti waits ... */
    uint8_t auto_load_tail; /* ... for pushes before this place */
    bool after_hold;        /* counts.c: the last instruction held the thread for more than its cycle */
    uint8_t unlooked;       /* fifo.c: how many pushes have come since the first FIFO was looked through */
    /* fifo.c: so many may pass before a wait for the end of MOPs is looked at again; MOP_ANNOUNCED: any number. */
    uint8_t mop_quiet;
    bool swallow_told; /* fifo.c: `notify` is no later than the first push that ends in an expander */
    struct tensix_adc_channel adc[ADC_SETS][2];
    struct tensix_rwc rwc;
    uint8_t fifo_head, fifo_count;
    uint8_t in_flight; /* instructions pushed by RISCV Ti that have not passed the gate with all that became of them */
    uint8_t replay_head, replay_count;
    uint8_t gate_head, gate_count;
    uint8_t taken_at, passed_at; /* the oldest of the rings */
    uint8_t replay_mode;         /* enum in replay.c */
    uint8_t replay_index;        /* of the next entry */
    uint8_t replay_left;
    uint8_t waiting; /* TENSIX_WAITS_*: who should be told */
    bool stopped;    /* a fault that no way leads on from */
    uint8_t stall;   /* TENSIX_STALL_*: why the instruction at the gate waits */
    uint8_t bad;     /* TENSIX_BAD_*: something in the front end that a fault should name */
    uint32_t bad_word, bad_pc;
    uint32_t told; /* 1: reserved bits of what stands at the gate have been reported */
    struct tensix_spans spans;
};
enum { MOP_ANNOUNCED = 255 }; /* `notify` has the cycle */
enum { AUTO_LOAD_WAITS = 1, AUTO_LOAD_LINGERS };
enum { TENSIX_BAD_MOP = 1 /* of length zero */, TENSIX_BAD_REPLAY /* of more than 32 */ };
enum {
    TENSIX_WAITS_PUSH = 1,  /* RISCV Ti for room in its FIFO */
    TENSIX_WAITS_DONE = 2,  /* RISCV Ti for the end of all instructions */
    TENSIX_WAITS_MOP = 4,   /* RISCV Ti for the end of MOP expansions */
    TENSIX_WAITS_AUTO = 8,  /* RISCV Ti for a resource (Auto TTSync) */
    TENSIX_WAITS_B = 16,    /* RISCV B for room before the replay expander */
    TENSIX_WAITS_GATE = 32, /* with PUSH: known is that only the gate can make room, nothing ends in an expander */
    TENSIX_WAITS_STANDS =
        64, /* something will, but the expanders stand: who waits looks again when one has passed the gate */
};

/* sync.c */
struct semaphore {
    uint8_t value, max;
};

/* later.c: a write that becomes visible in a cycle to come. */
struct tensix_write {
    uint64_t cycle;
    uint32_t value, mask;
    uint16_t place; /* GPR: thread * 64 + index; Config: bank * 256 + word */
    uint8_t kind;   /* LATER_* */
    uint8_t reserved[5];
};
enum { LATER_GPR = 0, LATER_CONFIG };

/* config_pipe.c: the stages of the Configuration Unit's pipeline that are taken, as bits. */
struct tensix_config_unit {
    uint64_t cycle;   /* of the masks */
    uint64_t tell;    /* cycle at which a core that found stage 0 taken looks again; 0: none */
    uint8_t inside;   /* by what entered before that cycle */
    uint8_t entering; /* by what entered in it */
    uint8_t reserved[6];
};

/* scalar_memory.c: a load, store or atomic that the Scalar Unit has sent. */
struct tensix_request {
    uint64_t cycle;  /* in which it is at memory, or at the register */
    uint64_t answer; /* loads and atomics: in which its result is in the GPRs */
    uint32_t word, pc;
    uint32_t address;
    uint32_t data[4];
    uint8_t kind; /* enum in scalar_memory.c */
    uint8_t bytes;
    uint8_t thread;
    uint8_t gpr;
};
struct tensix_scalar {
    struct tensix_request request[SCALAR_REQUESTS]; /* in order, from `head` */
    uint64_t port_free;                             /* the first cycle in which another request can leave */
    uint8_t head, count;
    uint8_t reserved[6];
};

/* mover.c */
struct tensix_mover_command {
    uint32_t command;
    uint32_t base; /* of compact ones: MovCmdBase of who wrote it */
    uint32_t parameter[4];
};
struct tensix_mover {
    uint64_t busy_until;  /* the first cycle in which it is not busy */
    uint64_t started;     /* cycle */
    uint64_t command_at;  /* the cycle in which the command processor looks at the front of its queue */
    uint32_t source;      /* of the next 16 bytes, in bytes */
    uint32_t destination; /* likewise; of configuration: of its first word */
    uint32_t left, done;  /* in units of 16 bytes */
    uint8_t mode;         /* XMOV_* */
    uint8_t target;       /* enum in mover.c */
    uint8_t head, queued;
    uint8_t parameters; /* queued commands that have any */
    uint8_t reserved[3];
    struct tensix_mover_command queue[MOVER_COMMANDS];
};

/* pack/: one of the packer's output streams: 16 bytes are written to L1 at a time. */
struct tensix_pack_stream {
    uint32_t address; /* of the next 16 bytes */
    uint8_t bits;     /* that wait in the buffer: fewer than 128 */
    bool open;        /* `address` is set: NeedsNewAddress is false */
    uint8_t reserved[2];
    uint8_t buffer[16]; /* zero behind `bits` */
};

/* pack/compress.c: what compression knows of the row that it is in. */
struct tensix_compression {
    uint32_t newest; /* the last datum, if there are two */
    uint16_t kept;   /* datums since the start of the tile */
    uint8_t zeros;   /* left out since the last datum that was kept */
    uint8_t datums;  /* of the row: 0, 1, or 2 for more */
    uint8_t block;   /* datums in the present block of 32 */
    uint8_t reserved[3];
    uint8_t counts[16]; /* of the block, 4 bits each */
};

/* pack/config.c: what configuration says about a PACR, kept as long as the words that it comes from stay the same.  No part of what the
 * chip is: a hash does not look at it. */
enum { PACK_MODES_WORDS = 10 };
struct tensix_pack_modes {
    uint32_t words[PACK_MODES_WORDS]; /* zero: nothing is kept */
    uint32_t relu_threshold;          /* as a word (num/pack_convert.h) */
    uint32_t masked;                  /* the word that edge masking puts in place of a datum */
    uint16_t downsample;              /* datums of 16 that are kept */
    struct pack_conversion conversion;
    uint8_t kind; /* enum pack_kind: of the words between the conversions */
    uint8_t way;  /* enum pack_way: through both of them at once, if nothing is between them */
    bool stochastic_early, stochastic_late, accumulate, compress;
    uint8_t relu;
    uint8_t threshold; /* of exponents; 0: none */
    bool whole;        /* nothing is left out, nothing rounds at random */
    uint8_t reserved[4];
};

/* The packer: what it keeps from one instruction to the next, and what it tells about itself (SETDMAREG_Special, TDMA-RISC).
 * Blackhole has one. */
enum { PACK_FIFO = 4 };
struct tensix_packed_tile {
    uint32_t size, all_zero_flags;
};
struct tensix_packer {
    uint16_t acc_tile_size[TENSIX_THREADS];
    uint16_t last_tile_size;
    uint32_t all_zero_flags;
    uint8_t exponent_histogram[32];
    uint8_t max_exponent;
    uint8_t last_thread;
    uint8_t tile_position; /* Y of the tile position generator, 8 bits */
    uint8_t tile_plane;    /* its Z */
    struct tensix_pack_stream data, exponents, row_starts;
    uint32_t group[16]; /* datums that will share an exponent */
    uint8_t group_count;
    uint8_t context;        /* of PACRs with CtxtCtrl */
    uint8_t context_planes; /* that it has seen */
    uint8_t fifo_head, fifo_count;
    uint8_t plane_packs,
        tile_planes; /* PACRs of the plane, whole planes of the tile, where pack_per_xy_plane counts them */
    uint8_t reserved[1];
    uint32_t tile_start; /* of the open tile, in units of 16 bytes */
    uint32_t datums;     /* of the open tile */
    struct tensix_compression compression;
    struct tensix_packed_tile fifo[PACK_FIFO]; /* MetadataFIFO */
    uint32_t register_value;                   /* what PACR_SETREG writes */
    uint32_t prng[16];                         /* by column */
    struct tensix_pack_modes modes;
};

/* Whose turn it is to use the banks of SrcA or SrcB. */
struct tensix_src {
    uint8_t unpacker_bank, matrix_bank;   /* which bank each side is at */
    bool matrix_owns[2];                  /* AllowedClient of each bank: the Matrix Unit, not the unpackers */
    uint8_t unpacker_row[TENSIX_THREADS]; /* SrcRow of the unpacker, by thread */
    uint8_t last_row;                     /* SrcA: what SHIFTXA takes its input from (regs/matrix_unit.h) */
    uint8_t implied_format[2];            /* ImpliedSrcAFmt, ImpliedSrcBFmt of each bank */
    uint8_t reserved[2];
    uint8_t reserved_align[4];
    uint64_t there[2]; /* matrix_owns: the first cycle in which it does, behind the unpacker's last datum */
};

/* unpack/: one unpacker. */
struct tensix_unpacker {
    uint64_t data_until;       /* the first cycle in which it takes no datum of what it was given */
    uint64_t wide_until;       /* the same of what leaves no room for the other unpacker (unpack/time.c) */
    uint64_t cleared_at;       /* UNPACR_NOP: the cycle of the last that cleared a bank, as tensix_due_at has it */
    uint32_t SetRegAcc;        /* 17 bits */
    uint8_t reserved[4 + 112]; /* zero; hashes of recordings have so many */
};

/* Matrix Unit: what it takes (regs/matrix_unit.h). */
struct tensix_matrix {
    uint64_t written;     /* matrix/unit.c: the cycle in which an instruction that writes Dst was taken last, */
    uint64_t blocks;      /* ... byte i: 1 + the block that the one i cycles before has written, 0: none */
    uint64_t only_before; /* before this cycle it takes nothing but `only` */
    uint64_t moved_until; /* cycles in which something waited for that are counted up to this one */
    uint32_t moved;       /* ... so many */
    uint8_t only;         /* MATRIX_ONLY_* */
    uint8_t reserved[3];
};

/* shaken.h: what --shake has drawn, instructions that have passed their gate and are not executed yet, stores on their way. */
enum { LATE_UNITS = 2 /* unpackers, packer */, LATE_AFTER = 8 };
struct tensix_late {
    uint64_t due; /* the cycle in which the unit executes it, as tensix_due_at has it */
    uint32_t word, pc;
    uint8_t thread;
    uint8_t count; /* of `after` */
    uint8_t reserved[6];
    struct {
        uint32_t word, pc;
    } after[LATE_AFTER]; /* instructions of the thread for its address counters, behind it */
};
struct tensix_late_store {
    uint64_t due; /* as tensix_due_at has it; 0: none */
    uint32_t index, value;
};
struct tensix_shake {
    uint32_t gate[TENSIX_THREADS], turn; /* events so far, which number the draws */
    uint32_t busy[LATE_UNITS], taken[LATE_UNITS];
    uint32_t scalar, mover, config[TENSIX_THREADS];
    uint32_t stores[TENSIX_THREADS], reserved_stores;
    bool on; /* derived: no part of what the chip is */
    uint8_t reserved[3];
    struct tensix_late late[LATE_UNITS];
    struct tensix_late_store
        store[TENSIX_THREADS]; /* of RISCV Ti to configuration, on its way (tile/tensix_config.c) */
};

struct tensix {
    uint32_t config[2][CFG_WORDS]; /* Config */
    struct tensix_thread thread[TENSIX_THREADS];
    struct semaphore semaphore[SEMAPHORES];
    uint8_t mutex[MUTEXES];           /* thread + 1 of who holds it; 0: nobody */
    uint8_t latched;                  /* bit i: thread i has a latched wait instruction */
    bool yield;                       /* within tensix_run: a core may have something to do; otherwise false */
    bool traced;                      /* somebody listens (tensix/trace.h); no part of what the chip is */
    uint8_t turn[24];                 /* by port (run.c): the thread behind the one that was served last */
    struct tensix_src src[2];         /* SrcA, SrcB */
    uint64_t unit_free[TENSIX_UNITS]; /* the first cycle in which the unit takes another instruction */
    struct tensix_write later[LATER_CAPACITY];
    uint32_t later_count;
    uint32_t without; /* FAST_*: mechanisms that are off; derived: no part of what the chip is */
    uint64_t due;     /* nothing happens here before this cycle, as tensix_due_at has it */
    struct tensix_config_unit config_unit;
    struct tensix_unpacker unpacker[2];
    uint64_t zerosrc_at; /* the cycle of the last ZEROSRC that chose banks by itself, as tensix_due_at has it */
    uint8_t context_counter[2][TENSIX_THREADS]; /* ContextCounter of each unpacker: 3 bits */
    uint8_t zerosrc_both;                       /* it chose both */
    uint8_t reserved_counter[1];
    struct tensix_scalar scalar;
    struct tensix_mover mover;
    uint64_t events_due; /* what units do by themselves next (tensix/events.h), as tensix_due_at has it */
    struct tensix_packer packer;
    struct tensix_matrix matrix;
    uint64_t vector_due;      /* the cycle in which the Vector Unit has scheduled work next (vector/macro.h); 0: none */
    uint64_t ran[TENSIX_OPS]; /* how often a unit took each instruction, since power-on */
    uint64_t data_cycles[2];  /* in which an unpacker took datums, both together; that the packer needed for its own */
    uint32_t not_of_dst;      /* of the latter: those of PACRs that read no Dst */
    uint32_t reserved_not_of_dst;
    /* By unpacker and thread: cycles in which it had something to do (conditions C1 and C2); of datums for SrcA, SrcB. */
    uint32_t unpack_busy[2][TENSIX_THREADS], src_written[2][TENSIX_THREADS];
    /* For the performance counters (counts.c), since power-on. */
    uint32_t issued[TENSIX_THREADS][TENSIX_UNITS]; /* instructions */
    uint32_t held[TENSIX_THREADS]
                 [TENSIX_UNITS];          /* cycles that instructions for a unit stood at the gate and did not pass */
    uint32_t stalled[TENSIX_THREADS][16]; /* the same by reason, TENSIX_STALL_* */
    uint32_t waited[TENSIX_THREADS]
                   [16]; /* cycles in which a condition of the latched wait was not met, TENSIX_WAIT_* */
    uint32_t math_held[TENSIX_THREADS]
                      [2];    /* of `held`: of the Matrix and the Vector Unit, for sources, for the unit (counts.h) */
    uint64_t any_since;       /* the first cycle that any_stalled does not have yet */
    uint32_t any_stalled;     /* cycles in which some thread was stalled, */
    uint32_t stalled_threads; /* ... bit i: thread i is, from any_since on */
    struct tensix_shake shake;
};

#pragma GCC diagnostic pop

/* Cycles at which something is due are kept plus one, so that zero, the state after power-on, means never. */
static inline uint64_t tensix_when(uint64_t due)
{
    return due - 1; /* 0 becomes UINT64_MAX */
}
static inline uint64_t tensix_due_at(uint64_t cycle)
{
    return cycle + 1; /* UINT64_MAX becomes 0 */
}

#endif
