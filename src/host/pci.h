/* SPDX-License-Identifier: Apache-2.0 */
/* The registers behind kerr_pci.h: config space, three BARs, and the 210 TLB windows of the PCI Express
 * tile (manual PCIExpressTile/HostToDeviceTLBs).  Which PCI Express tile that is, its NIUs and its iATU belong to the
 * chip (chip/passive.h); what only the host can see is here.  Keeps no time: api_pci.c does.
 *
 * An access has two halves.  pci_resolve says what a physical address means and changes nothing; pci_read and
 * pci_write then do it.  Between the two the caller may let time pass. */
#ifndef KERR_HOST_PCI_H
#define KERR_HOST_PCI_H

#include "chip/chip.h"
#include "kerr_pci.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PCI_WINDOWS_2M = 202, /* 0..201, BAR0 */
    PCI_WINDOWS_4G = 8,   /* 202..209, BAR4 */
    PCI_WINDOWS = PCI_WINDOWS_2M + PCI_WINDOWS_4G,
    PCI_NO_WINDOW = 255,
    PCI_STRIDED = 32, /* the first windows can multicast to less than a rectangle */
    PCI_BARS = 3,     /* BAR0, BAR2, BAR4: each a pair of config words */
};

typedef struct pci_registers {
    uint32_t command;        /* config 0x04, low half */
    uint32_t cache_line;     /* config 0x0C, low half: stored, no effect */
    uint32_t interrupt_line; /* config 0x3C, low byte: stored, no effect */
    uint64_t base[PCI_BARS];
    uint32_t window[3 * PCI_WINDOWS]; /* 96 bits each */
    uint32_t strided[PCI_STRIDED];
} pci_registers;

typedef enum pci_target_kind {
    PCI_TARGET_REGISTER,  /* of the PCI Express tile itself: words[0..] */
    PCI_TARGET_NIU,       /* of that tile too: address of its NIU on NoC `noc`, over no network */
    PCI_TARGET_TILE,      /* any node of the grid */
    PCI_TARGET_MULTICAST, /* writes only */
} pci_target_kind;

typedef struct pci_target {
    pci_target_kind kind;
    uint32_t size;
    uint32_t *words;            /* REGISTER */
    uint32_t window;            /* TILE, MULTICAST */
    uint64_t address;           /* NIU, TILE, MULTICAST: in the tile */
    kerr_xy tile;               /* NIU, TILE: NoC 0 */
    unsigned noc;               /* NIU, TILE: that the request takes */
    uint32_t rows[KERR_GRID_Y]; /* MULTICAST: bit x of rows[y], NoC 0 */
} pci_target;

/* One sentence for the host's author. */
typedef struct pci_error {
    char text[200];
} pci_error;

void pci_describe(pci_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As a card after the machine's firmware has given it addresses. */
void pci_reset(pci_registers *device);

/* offset is a multiple of 4 below KERR_PCI_CONFIG_BYTES (the caller has checked). */
uint32_t pci_config_read(const pci_registers *device, uint32_t offset);
void pci_config_write(pci_registers *device, uint32_t offset, uint32_t value);

/* The node that software means by (x, y) on a NoC, translation included; false: none. */
bool pci_find_tile(const kerr_chip *chip, unsigned noc, uint32_t x, uint32_t y, kerr_xy *tile);
/* False: error says why there is nothing that could answer. */
bool pci_resolve(pci_registers *device, kerr_chip *chip, uint64_t physical, uint32_t size, bool is_write,
                 pci_target *target, pci_error *error);
/* On KERR_FAULTED, which no read gives, the chip has stopped; on any other status but KERR_OK nothing was read or written and
 * error is filled in.  A read that is KERR_OK may have a note there: zeroes or ones came because something is not known. */
kerr_status pci_read(kerr_chip *chip, const pci_target *target, void *data, pci_error *error);
kerr_status pci_write(kerr_chip *chip, const pci_target *target, const void *data, pci_error *error);

/* A request of the host's for memory of this tile came through a window. */
void pci_count_requests(kerr_chip *chip, struct tile *tile, unsigned noc, uint64_t address, uint32_t size,
                        bool is_write);

#endif
