/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes without baby cores: PCI Express, ARC, L2CPU and security tiles, and bare routers.  They never start anything
 * of their own accord; they answer requests from the NoC (the fabric, at the end of a window) and from the host, always
 * on the thread that is inside the call.
 *
 * passive_read and passive_write are the whole interface: one request to one node.  struct passive is their state, plain
 * data owned by kerr_chip: saved, restored and hashed as bytes. */
#ifndef KERR_CHIP_PASSIVE_H
#define KERR_CHIP_PASSIVE_H

#include "kerr.h"
#include "noc/niu.h"
#include "noc/packet.h"
#include "noc/tables.h"

enum {
    PASSIVE_NODES = 26, /* 2 PCI Express, ARC, 4 L2CPU, security, 18 routers */
    PASSIVE_L2CPUS = 4,
    ARC_CSM_BYTES = 512 * 1024,
    IATU_REGIONS = 16,
    IATU_WORDS = 0x2000 / 4, /* 16 outbound and 16 inbound regions of 0x100 bytes, in turn */
    CHIP_FAULTS = 256,
};

/* ARC: the management processor as its firmware looks from outside.  arc.c */
typedef struct arc_tile {
    uint32_t scratch[8];      /* reset unit + 0x60 */
    uint32_t scratch_ram[64]; /* + 0x400 */
    uint32_t global_reset, eth_reset, ddr_reset, l2cpu_reset;
    uint32_t tensix_reset[8], tensix_risc_reset[8];
    uint32_t misc_cntl;
    uint32_t aiclk_forced; /* MHz; 0: not */
    uint32_t aiclk_busy;   /* by message, or by power setting */
    uint32_t power_flags;  /* what the host last asked for; bit 0 is the AI clock */
    uint32_t watchdog;     /* milliseconds: stored */
    uint32_t wants_reset;  /* a message asked for the whole chip to be reset */
    uint8_t csm[ARC_CSM_BYTES];
} arc_tile;

/* PCI Express: the tile that the host is on.  pcie.c */
typedef struct pcie_tile {
    uint32_t iatu[IATU_WORDS];
    uint32_t device_control; /* PCI Express capability, DBI + 0x78: stored */
    uint32_t reserved;
} pcie_tile;

/* L2CPU: what software reaches without a running X280.  l2cpu.c */
typedef struct l2cpu_tile {
    uint32_t window[0xF80 / 4];
    uint32_t reset_vector[8]; /* two words a hart */
    uint32_t scratch[16];
    uint32_t control[0x58 / 4]; /* external peripherals + 0x10400 */
} l2cpu_tile;

typedef struct passive {
    kerr_harvesting harvesting;
    struct niu niu[PASSIVE_NODES][NOC_COUNT]; /* no request starts there: initiators are never used */
    pcie_tile pcie;
    l2cpu_tile l2cpu[PASSIVE_L2CPUS];
    uint32_t fault_count; /* of all that is not a tile; may exceed CHIP_FAULTS: the first of them are kept */
    uint32_t reserved;
    kerr_fault fault[CHIP_FAULTS];
    arc_tile arc;
} passive;

typedef enum passive_result {
    PASSIVE_OK,
    PASSIVE_NOTHING, /* nothing at that address, or not for that length and alignment: nothing was done */
    PASSIVE_FAULT,   /* something is there, and it is not modelled or not allowed */
} passive_result;

/* For results other than PASSIVE_OK: why. */
typedef struct passive_fault {
    kerr_fault_kind kind;
    const char *manual;
    char text[160]; /* names the node and the address */
} passive_fault;

/* As firmware leaves the chip; the memory is zero. */
void passive_create(passive *state, const kerr_harvesting *harvesting);
/* -1: a node with a tile of its own (Tensix, Ethernet, DRAM). */
int passive_index(noc_node node);
/* The node that the host is behind. */
noc_node passive_host_node(const passive *state);

/* One request from NoC `noc`.  `length` is at most NOC_MAX_PAYLOAD for packets; the host may ask for more.  On any result
 * but PASSIVE_OK data is all ones. */
passive_result passive_read(kerr_chip *chip, noc_node node, unsigned noc, uint64_t address, void *data, uint32_t length,
                            uint64_t cycle, passive_fault *fault);
passive_result passive_write(kerr_chip *chip, noc_node node, unsigned noc, uint64_t address, const void *data,
                             uint32_t length, uint64_t cycle, passive_fault *fault);
/* What a read would give, without side effects; false: nothing there, or only a real read could tell. */
bool passive_peek(const kerr_chip *chip, noc_node node, unsigned noc, uint64_t address, void *data, uint32_t length,
                  uint64_t cycle);

/* Whether counts that came from outside stay within their arrays (restore). */
bool passive_is_sane(const passive *state);

/* A fault of something that is not a tile (a passive node, the fabric, the host's card), under the chip's policy.
 * True: the chip stops. */
bool chip_fault(kerr_chip *chip, kerr_fault_kind kind, noc_node node, uint64_t address, uint64_t cycle,
                const char *manual, const char *text, ...) __attribute__((format(printf, 7, 8)));
/* The same of what the host asks of a passive node; what it only reads never stops the chip. */
bool chip_fault_of_host(kerr_chip *chip, const passive_fault *why, noc_node node, uint64_t address, bool is_read);

/* host/api.c: passive_read or passive_write at the host's request, with the status of kerr_read and kerr_write. */
kerr_status chip_passive_access(kerr_chip *chip, noc_node node, unsigned noc, uint64_t address, void *read_to,
                                const void *write_from, size_t size, passive_fault *fault);

/* ---- Between the files of this block ------------------------------------------------------------------------- */

/* Says why and returns the result. */
passive_result passive_refuse(passive_fault *fault, passive_result result, kerr_fault_kind kind, const char *manual,
                              const char *text, ...) __attribute__((format(printf, 5, 6)));

void arc_create(arc_tile *arc, const kerr_harvesting *harvesting);
passive_result arc_read(const passive *state, uint64_t address, void *data, uint32_t length, uint64_t cycle,
                        passive_fault *fault);
passive_result arc_write(passive *state, uint64_t address, const void *data, uint32_t length, passive_fault *fault);

passive_result l2cpu_read(const passive *state, unsigned index, uint64_t address, void *data, uint32_t length,
                          passive_fault *fault);
passive_result l2cpu_write(passive *state, unsigned index, uint64_t address, const void *data, uint32_t length,
                           passive_fault *fault);

/* Host memory and the controller's own registers; the tile that the host is not on has neither. */
passive_result pcie_read(kerr_chip *chip, uint64_t address, void *data, uint32_t length, passive_fault *fault);
passive_result pcie_write(kerr_chip *chip, uint64_t address, const void *data, uint32_t length, passive_fault *fault);
bool pcie_peek(const passive *state, uint64_t address, void *data, uint32_t length);
/* Where the outbound iATU sends an offset of its 2^58 byte space: through the first enabled region that holds it, or
 * unchanged.  *length becomes what goes the same way. */
uint64_t pcie_outbound(const pcie_tile *pcie, uint64_t offset, uint32_t *length);

/* Registers of an NIU; offset from NIU_BASE, a multiple of 4. */
bool passive_niu_read(const passive *state, noc_node node, unsigned noc, uint32_t offset, uint32_t *value);
bool passive_niu_write(passive *state, noc_node node, unsigned noc, uint32_t offset, uint32_t value);

#endif
