/* SPDX-License-Identifier: Apache-2.0 */
/* The PCI Express tile as the NoC sees it: 64 windows of 2^58 bytes (manual PCIExpressTile/README, "NoC to Host", as
 * system firmware sets them up).  Windows 0 to 3 lead to host memory, 4 to 7 to host memory through the outbound iATU,
 * 62 to the controller's registers.  Relaxed ordering and no-snoop, which tell the four apart, change nothing here.
 *
 * The iATU's registers are those of the DesignWare controller (tt-kmd and Linux agree; tt-umd swaps 0x1C and 0x20 and
 * writes zero to both).  Left out: inbound regions (stored), the DMA engines, serdes and SII registers. */
#include "chip/chip.h"
#include "chip/passive.h"

#include <string.h>

static const char page[] = "PCIExpressTile/README";

enum {
    WINDOW_BITS = 58,
    WINDOW_IATU = 4,
    WINDOW_UNUSED = 8,
    WINDOW_DBI = 62,
    DBI_DEVICE_CONTROL = 0x78,
    /* One region, in words of its 0x100 bytes. */
    REGION_WORDS = 0x100 / 4,
    CTRL_1 = 0x00 / 4,
    CTRL_2 = 0x04 / 4,
    BASE_LOW = 0x08 / 4,
    BASE_HIGH = 0x0C / 4,
    LIMIT_LOW = 0x10 / 4,
    TARGET_LOW = 0x14 / 4,
    TARGET_HIGH = 0x18 / 4,
    LIMIT_HIGH = 0x20 / 4,
};
#define CTRL_1_INCREASE_REGION_SIZE (1u << 13)
#define CTRL_2_REGION_EN (1u << 31)

/* OPEN: which region wins where several hold an address.  We take the lowest number. */
uint64_t pcie_outbound(const pcie_tile *pcie, uint64_t offset, uint32_t *length)
{
    for (unsigned i = 0; i < IATU_REGIONS; i++) {
        const uint32_t *region = &pcie->iatu[2 * REGION_WORDS * i];
        if (!(region[CTRL_2] & CTRL_2_REGION_EN)) {
            continue;
        }
        const uint64_t base = region[BASE_LOW] | (uint64_t)region[BASE_HIGH] << 32;
        const uint32_t limit_high =
            region[CTRL_1] & CTRL_1_INCREASE_REGION_SIZE ? region[LIMIT_HIGH] : region[BASE_HIGH];
        const uint64_t limit = region[LIMIT_LOW] | (uint64_t)limit_high << 32;
        if (base > limit) {
            continue;
        }
        if (offset >= base && offset <= limit) {
            const uint64_t left = limit - offset;
            *length = left < *length - 1 ? (uint32_t)left + 1 : *length;
            return (region[TARGET_LOW] | (uint64_t)region[TARGET_HIGH] << 32) + (offset - base);
        }
        if (base > offset && base - offset < *length) {
            *length = (uint32_t)(base - offset); /* the rest may be this region's */
        }
    }
    return offset;
}

/* Where in host memory, and how much of the request goes there in one piece. */
static passive_result host_address(const kerr_chip *chip, uint64_t address, uint32_t length, uint64_t *host,
                                   uint32_t *part, passive_fault *fault)
{
    const uint64_t window = address >> WINDOW_BITS, offset = address & ((UINT64_C(1) << WINDOW_BITS) - 1);
    if (window >= WINDOW_UNUSED || offset > (UINT64_C(1) << WINDOW_BITS) - length) {
        return passive_refuse(fault, PASSIVE_NOTHING, KERR_FAULT_UNDEFINED, page,
                              "%u bytes at 0x%llx of the PCI Express tile: not in one of its windows to the host",
                              length, (unsigned long long)address);
    }
    if (chip->host_read == NULL || chip->host_write == NULL) {
        return passive_refuse(fault, PASSIVE_FAULT, KERR_FAULT_UNDEFINED, page,
                              "%u bytes at 0x%llx of the PCI Express tile are host memory, but the host has given none "
                              "(no DMA callbacks)",
                              length, (unsigned long long)address);
    }
    *part = length;
    *host = window >= WINDOW_IATU ? pcie_outbound(&chip->passive->pcie, offset, part) : offset;
    return PASSIVE_OK;
}

static bool is_device_control(uint64_t address, uint32_t length)
{
    return address == ((uint64_t)WINDOW_DBI << WINDOW_BITS) + DBI_DEVICE_CONTROL && length == 4;
}

static passive_result other_controller_register(uint64_t address, passive_fault *fault)
{
    return passive_refuse(fault, PASSIVE_FAULT, KERR_FAULT_UNIMPLEMENTED, page,
                          "PCI Express controller register 0x%llx over the NoC: only the device control word (0x78) is "
                          "there",
                          (unsigned long long)(address & ((UINT64_C(1) << WINDOW_BITS) - 1)));
}

passive_result pcie_read(kerr_chip *chip, uint64_t address, void *data, uint32_t length, passive_fault *fault)
{
    if (is_device_control(address, length)) {
        memcpy(data, &chip->passive->pcie.device_control, 4);
        return PASSIVE_OK;
    }
    if (address >> WINDOW_BITS == WINDOW_DBI) {
        return other_controller_register(address, fault);
    }
    for (uint32_t done = 0, part; done < length; done += part) {
        uint64_t host;
        const passive_result result = host_address(chip, address + done, length - done, &host, &part, fault);
        if (result != PASSIVE_OK) {
            return result;
        }
        chip->host_read(chip->host_context, host, (uint8_t *)data + done, part);
    }
    return PASSIVE_OK;
}

passive_result pcie_write(kerr_chip *chip, uint64_t address, const void *data, uint32_t length, passive_fault *fault)
{
    if (is_device_control(address, length)) {
        memcpy(&chip->passive->pcie.device_control, data, 4);
        return PASSIVE_OK;
    }
    if (address >> WINDOW_BITS == WINDOW_DBI) {
        return other_controller_register(address, fault);
    }
    for (uint32_t done = 0, part; done < length; done += part) {
        uint64_t host;
        const passive_result result = host_address(chip, address + done, length - done, &host, &part, fault);
        if (result != PASSIVE_OK) {
            return result;
        }
        chip->host_writes++;
        chip->host_write(chip->host_context, host, (const uint8_t *)data + done, part);
    }
    return PASSIVE_OK;
}

bool pcie_peek(const passive *state, uint64_t address, void *data, uint32_t length)
{
    if (!is_device_control(address, length)) {
        return false; /* host memory: only the host may look */
    }
    memcpy(data, &state->pcie.device_control, 4);
    return true;
}
