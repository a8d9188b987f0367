/* SPDX-License-Identifier: Apache-2.0 */
/* A chip as a device on a PCI bus: config space, three BARs, the 210 TLB windows behind them (docs/drop-in.md, "The card"), and the
 * time that accesses take.  What a host program sees of a card, for those who put one under it: the drop-in library is this with
 * another name for each call.
 *
 * A device is a handle over a chip that somebody else owns; there is no global state, so several chips can stand on one bus.  The
 * chip may be used by kerr.h too.  Windows, BARs and config space belong to the device and are in no snapshot of the chip.
 *
 * Every call returns a kerr_status.  A read on any but KERR_OK gives all ones, as from a bus on which nobody answers; a write does
 * nothing.  For a null pointer or a size of 0 that is KERR_BAD_ARGUMENT. */
#ifndef KERR_PCI_H
#define KERR_PCI_H

#include "kerr.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { KERR_PCI_VENDOR = 0x1E52, KERR_PCI_DEVICE = 0xB140, KERR_PCI_CONFIG_BYTES = 4096 };

typedef struct kerr_pci kerr_pci;

typedef enum kerr_pci_call {
    KERR_PCI_CALL_CONFIG_READ = 0,
    KERR_PCI_CALL_CONFIG_WRITE,
    KERR_PCI_CALL_READ,
    KERR_PCI_CALL_WRITE,
    KERR_PCI_CALL_TILE_READ,
    KERR_PCI_CALL_TILE_WRITE,
    KERR_PCI_CALL_CLOCK,
} kerr_pci_call;

/* Functions may be NULL. */
typedef struct kerr_pci_setup {
    uint32_t struct_size; /* sizeof(kerr_pci_setup), set by kerr_pci_setup_init */
    /* Cycles that pass before a read of a tile is answered and before a register is written, up to 1000000 (docs/drop-in.md, "Host
     * time"); 0, as kerr_pci_setup_init has it: time passes in kerr_pci_clock alone. */
    uint32_t read_cycles;
    void *context;
    /* Instead of kerr_run, with its status. */
    kerr_status (*run)(void *context, kerr_chip *chip, uint64_t cycles);
    /* A call is about to return `status`, and why, in a sentence.  With KERR_OK: what it read is zeroes or ones because something
     * is not known.  With KERR_FAULTED text is "": the faults are the chip's. */
    void (*tell)(void *context, kerr_pci_call call, kerr_status status, const char *text);
    /* The host has asked the chip's firmware to reset all of it: before (done false) and after the kerr_reset that this is.  The
     * BARs stay where they are; the windows are gone. */
    void (*resets)(void *context, bool done);
} kerr_pci_setup;
void kerr_pci_setup_init(kerr_pci_setup *setup);

/* setup may be NULL.  The device is as the machine's firmware leaves it: BARs have addresses.  Close it before the chip goes. */
kerr_status kerr_pci_open(kerr_chip *chip, const kerr_pci_setup *setup, kerr_pci **pci);
void kerr_pci_close(kerr_pci *pci);

/* A word of config space: offset is a multiple of 4 below KERR_PCI_CONFIG_BYTES. */
kerr_status kerr_pci_config_read(kerr_pci *pci, uint32_t offset, uint32_t *value);
kerr_status kerr_pci_config_write(kerr_pci *pci, uint32_t offset, uint32_t value);

/* By physical address, within one BAR.  KERR_BAD_ADDRESS: nothing there, or a window that points nowhere. */
kerr_status kerr_pci_read(kerr_pci *pci, uint64_t physical, void *data, uint32_t size);
kerr_status kerr_pci_write(kerr_pci *pci, uint64_t physical, const void *data, uint32_t size);
/* Of any node without a window, by coordinates as a window on NoC 0 takes them (translated).  KERR_BAD_TILE: no such node. */
kerr_status kerr_pci_tile_read(kerr_pci *pci, uint32_t x, uint32_t y, uint64_t address, void *data, uint32_t size);
kerr_status kerr_pci_tile_write(kerr_pci *pci, uint32_t x, uint32_t y, uint64_t address, const void *data,
                                uint32_t size);

/* As kerr_run.  With read_cycles, of a row of calls for one cycle each all but the first run on, for up to 16 times read_cycles, until
 * the chip has written to host memory: so a host waits for it. */
kerr_status kerr_pci_clock(kerr_pci *pci, uint64_t cycles);
/* How often the host has written to tiles, or tried to: one that only looks on has not. */
kerr_status kerr_pci_tile_writes(const kerr_pci *pci, uint64_t *count);

#ifdef __cplusplus
}
#endif
#endif /* KERR_PCI_H */
