/* SPDX-License-Identifier: Apache-2.0 */
/* State of everything in a Tensix tile that answers at an address and is not memory.
 *
 * Plain data without pointers and without padding, so that a snapshot is a copy, and tiles are compared and hashed
 * as bytes.  Owned by struct tile, written only by the files of src/tile named beside each struct.  After
 * devices_reset nearly all of it is zero.
 *
 * The word last written to a register of 0xFFB12000.. lives in debug_reg; a block has a struct of its own only
 * for what cannot be read back from there. */
#ifndef KERR_TILE_DEVICES_STATE_H
#define KERR_TILE_DEVICES_STATE_H

#include "noc/niu_state.h"
#include "tensix/state.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MAILBOX_CORES = 4,    /* B, T0, T1, T2; RISCV NC has none */
    MAILBOX_CAPACITY = 4, /* of one mailbox, and of all four that one core writes */
    PCBUF_CAPACITY = 16,
    DEBUG_REG_WORDS = 0x24C / 4,
    PIC_SW_IRQS = 32,
    PIC_HW_IRQS = 4,
    PIC_CORES = 2,   /* RISCV B and RISCV NC */
    DEBUG_CORES = 4, /* RISCV B, T0, T1, T2: NC has no debug interface */
    WATCHPOINTS = 8,
    PERF_GROUPS = 5, /* INSTRN_THREAD, TDMA_UNPACK, TDMA_PACK, DBG_L1, FPU */
    PERF_EVENTS = 86,
    TDMA_PACKERS = 4,
    ETH_QUEUES = 3,
    DMA_STREAMS = 2,
    DMA_READS = 255, /* outstanding in one stream */
    DMA_WRITES = 15,
};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

/* mailbox.c */
struct mailbox {
    uint32_t value[MAILBOX_CAPACITY];
    uint8_t head, count;
    uint8_t reserved[2];
};

/* pcbuf.c */
struct pcbuf {
    uint32_t value[PCBUF_CAPACITY];
    uint8_t head, count;
    bool reader_waits; /* RISCV Ti has a read of PC_BUF_BASE outstanding that found the FIFO empty */
    uint8_t reserved;
};

/* wall_clock.c */
struct timestamper {
    struct {
        uint32_t position;
        bool full, overflow;
        uint8_t reserved[2];
    } buffer[2];
    uint32_t accumulated[4];
    uint32_t high; /* WALL_CLOCK_H: sampled by a read of WALL_CLOCK_L */
    uint8_t accumulated_words;
    uint8_t event_bits; /* 0 = none yet, else 32, 64, 96 or 128 */
    uint8_t reserved[2];
};

/* watchdog.c */
struct watchdog {
    uint64_t deadline; /* the cycle at which it reaches zero; 0 = not counting */
};

/* debug_regs.c: the debug daisychain's writes to L1, in units of 16 bytes. */
struct daisychain {
    uint64_t next_sample; /* cycle; 0 = not sampling */
    uint32_t position, end;
    uint32_t interval_cycles;
    uint8_t reserved[4];
};

/* pic.c */
struct pic {
    uint32_t sw_int_en[PIC_CORES], hw_int_en[PIC_CORES];
    uint32_t int_no[PIC_CORES];
    uint32_t sw_int[PIC_SW_IRQS];
    uint32_t sw_int_pc[PIC_SW_IRQS], hw_int_pc[PIC_HW_IRQS];
    uint8_t hw_int;             /* bit i: hardware IRQ i is raised */
    uint8_t next[PIC_CORES];    /* where the round robin goes on */
    bool pending[PIC_CORES];    /* the line to the core is up, int_no says for which IRQ */
    bool in_handler[PIC_CORES]; /* from the moment the core took it until its mret */
    uint8_t reserved;
};

/* debug_interface.c: the DR registers of one core. */
struct core_debug {
    uint32_t command, argument0, argument1, result;
    uint32_t watchpoint_mode; /* four bits each */
    uint32_t watchpoint_address[WATCHPOINTS];
    uint8_t hit; /* bit i: watchpoint i is why the core is paused */
    bool breakpoint_hit, memory_hit, ebreak_hit;
    bool step_armed; /* a step takes two commands: the first has been seen */
    uint8_t reserved[3];
};

/* perf_counters.c */
struct perf_group {
    uint64_t started;   /* cycle */
    uint32_t reference; /* cycles counted when it was stopped */
    bool running;
    uint8_t reserved[3];
};

/* tdma_risc.c */
struct tdma_risc {
    uint32_t parameter[4];
    uint32_t mov_cmd_base[4]; /* B, T0, T1, T2 */
    uint32_t clk_gate_en, clk_gate_hyst, pack_reg_address;
    uint16_t l1_dest_addr_offset[TDMA_PACKERS];
    uint8_t reserved[4];
};

/* tag_search.c: the accelerator's own copy of its configuration; addresses in units of 16 bytes. */
struct tag_search {
    uint64_t tag_value;
    uint32_t start, end, valid_start, valid_end, data_valid_start, data_valid_offset;
    uint32_t draws; /* random indices handed out */
    uint8_t tag_width;
    bool search_enable, tag_alloc, tag_inv, tag_inv_all, data_valid_chk;
    uint8_t reserved[6];
};

struct devices {
    uint32_t debug_reg[DEBUG_REG_WORDS];                  /* debug_regs.c */
    struct mailbox mailbox[MAILBOX_CORES][MAILBOX_CORES]; /* [from][to] */
    struct pcbuf pcbuf[TENSIX_THREADS];
    struct tensix tensix; /* src/tensix, and tensix_fifo.c for what baby cores reach */
    struct pic pic;
    struct core_debug core_debug[DEBUG_CORES];
    struct watchdog watchdog;
    struct timestamper timestamper;
    struct daisychain daisychain;
    struct perf_group perf[PERF_GROUPS];
    /* perf_counters.c: of the groups whose events are counted, what the counts were at the start; what came up since, once
     * the group has stopped. */
    uint32_t perf_event[PERF_EVENTS];
    uint64_t perf_due; /* the next cycle at which a group stops by itself; 0 = none */
    struct tdma_risc tdma;
    struct tag_search tag_search;
    uint64_t overlay_due; /* tile/overlay.c: the next cycle at which a stream goes on by itself; 0 = none */
    uint32_t reset_pc[2]; /* soft_reset.c: of E0 and E1, or D */
    uint8_t x, y;         /* NoC 0 coordinates, see devices_set_position */
    uint8_t kind;         /* kerr_tile_kind */
    uint8_t reserved[5];
    struct niu niu[2];
};

/* eth_regs.c: the words of the regions of isa/eth.regs. */
struct eth_regs {
    uint32_t risc_ctrl[0x64 / 4];
    uint32_t txq[ETH_QUEUES][0x90 / 4];
    uint32_t rxq[ETH_QUEUES][0x60 / 4];
    uint32_t ctrl[0x200 / 4];
    uint32_t txpkt[0x500 / 4];
    uint32_t rxclass[0x2A20 / 4];
};

/* dram_regs.c: the words of the regions of isa/dram.regs. */
struct dram_regs {
    uint32_t risc_ctrl[0x80 / 4];
    uint32_t stream[DMA_STREAMS][0x80 / 4];
    uint32_t dma_ctrl[6], interrupt_ctrl;
    uint8_t count[DMA_STREAMS][2]; /* transfers under way: [stream][0 read, 1 write] */
    uint32_t sequence;             /* of the next request to the bank */
};

/* What only one kind of tile has.  Not part of struct devices, so that Tensix tiles never touch it. */
union own_regs {
    struct eth_regs eth;
    struct dram_regs dram;
};

#pragma GCC diagnostic pop

_Static_assert(sizeof(struct devices) < 17 * 1024, "140 tiles are created and reset in milliseconds");

#endif
