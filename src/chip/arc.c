/* SPDX-License-Identifier: Apache-2.0 */
/* The ARC tile as its firmware looks from outside: scratch registers, telemetry, message queues, reset unit.  There is
 * no Blackhole page; the open firmware (tt-system-firmware bh_arc: status_reg.h, telemetry.c, msgqueue.c, init.h) and
 * its users (tt-kmd, tt-umd) are the source.  The processor itself is not there: a message is answered in the request
 * that rings the bell.
 *
 * What firmware does not tell (where in the CSM its tables lie) and what only a board could tell (temperatures,
 * voltages) are values of ours.  Messages that we do not act on are answered as firmware answers unknown ones, 0xFF. */
#include "chip/passive.h"

#include "base/bits.h"

#include <string.h>

#define CSM_BASE UINT64_C(0x10000000)
#define APB_BASE UINT64_C(0x80000000)
#define APB_BYTES UINT64_C(0x100000)

enum {
    /* APB */
    RESET_UNIT = 0x30000,
    RESET_UNIT_BYTES = 0x1000,
    NIU_0 = 0x50000,
    NIU_1 = 0x58000,
    NIU_BYTES = 0x2000,
    MSI_FIFO = 0xB0000, /* a write of 0 rings the bell; the FIFO is emptied at once */
    MSI_FLUSH = 0xB0004,
    MSI_STATUS = 0xB0008,

    /* Reset unit */
    GLOBAL_RESET = 0x00,
    ETH_RESET = 0x08,
    DDR_RESET = 0x10,
    L2CPU_RESET = 0x14,
    TENSIX_RESET = 0x20,
    TENSIX_RISC_RESET = 0x40,
    SCRATCH = 0x60,
    REFCLK_COUNTER_LOW = 0xE0,
    REFCLK_COUNTER_HIGH = 0xE4,
    ARC_MISC_CNTL = 0x100,
    SCRATCH_RAM = 0x400,
    MISC_CNTL_IRQ0 = 0xF << 16,

    /* Our layout of the CSM */
    CSM_TELEMETRY = 0x10000,
    CSM_QUEUE_INFO = 0x10800,
    CSM_QUEUES = 0x11000,

    TELEMETRY_TAGS = 70,
    TELEMETRY_VALUES = CSM_TELEMETRY + 8 + 4 * TELEMETRY_TAGS,
    TELEMETRY_VERSION = 0x100, /* 0.1.0 */

    QUEUES = 4,
    QUEUE_ENTRIES = 4,
    ENTRY_WORDS = 8,
    QUEUE_HEADER = 32,
    QUEUE_BYTES = QUEUE_HEADER + 2 * QUEUE_ENTRIES * ENTRY_WORDS * 4,

    BOOT_STATUS_READY = 1 | 2 << 1, /* message queue ready, hardware initialised */
    POST_CODE = (int)0xC0DE0000,
    POST_CODE_TELEMETRY_END = 0x41,
    POST_CODE_MESSAGES_DONE = 0x3F,

    AICLK_BUSY = 1350, /* MHz */
    AICLK_IDLE = 800,
    AICLK_PER_REFCLK = 27,                /* 1350 MHz against 50 MHz */
    TELEMETRY_PERIOD = 135 * 1000 * 1000, /* cycles: 100 ms */
    WATCHDOG_FEED_MS = 1000,
    POWER_ALL_BUT_AICLK = 0xE, /* GDDR, Tensix, L2CPU */
};

/* ---- Telemetry --------------------------------------------------------------------------------------------------- */

enum tag {
    TAG_BOARD_ID_HIGH = 1,
    TAG_BOARD_ID_LOW = 2,
    TAG_UPDATE_TELEM_SPEED = 5,
    TAG_VCORE = 6,
    TAG_TDP = 7,
    TAG_TDC = 8,
    TAG_VDD_LIMITS = 9,
    TAG_THM_LIMIT_SHUTDOWN = 10,
    TAG_ASIC_TEMPERATURE = 11,
    TAG_AICLK = 14,
    TAG_AXICLK = 15,
    TAG_ARCCLK = 16,
    TAG_L2CPUCLK0 = 17,
    TAG_GDDR_STATUS = 22,
    TAG_GDDR_SPEED = 23,
    TAG_ETH_FW_VERSION = 24,
    TAG_FLASH_BUNDLE_VERSION = 28,
    TAG_CM_FW_VERSION = 29,
    TAG_TIMER_HEARTBEAT = 32,
    TAG_TELEM_ENUM_COUNT = 33,
    TAG_ENABLED_TENSIX_COL = 34,
    TAG_ENABLED_ETH = 35,
    TAG_ENABLED_GDDR = 36,
    TAG_ENABLED_L2CPU = 37,
    TAG_PCIE_USAGE = 38,
    TAG_NOC_TRANSLATION = 40,
    TAG_MAX_GDDR_TEMP = 51,
    TAG_ASIC_LOCATION = 52,
    TAG_TDC_LIMIT_MAX = 55,
    TAG_THM_LIMIT_THROTTLE = 56,
    TAG_ASIC_ID_HIGH = 61,
    TAG_ASIC_ID_LOW = 62,
    TAG_AICLK_LIMIT_MAX = 63,
    TAG_TDP_LIMIT_MAX = 64,
};

/* The tags in the order of firmware's table; where it has no entry it has tag 0. */
static const uint8_t tag_order[TELEMETRY_TAGS] = {
    1,  2,  0,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
    25, 26, 27, 28, 29, 30, 31, 32, 34, 35, 36, 37, 38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50,
    51, 52, 53, 54, 61, 62, 60, 33, 63, 55, 56, 64, 65, 66, 67, 68, 69, 0,  0,  0,  0,  0,
};

static uint32_t get(const arc_tile *arc, uint32_t at)
{
    return load32(arc->csm + at);
}
static void put(arc_tile *arc, uint32_t at, uint32_t value)
{
    memcpy(arc->csm + at, &value, 4);
}
static void put_tag(arc_tile *arc, enum tag tag, uint32_t value)
{
    put(arc, TELEMETRY_VALUES + 4 * (uint32_t)tag, value);
}

static uint32_t aiclk(const arc_tile *arc)
{
    return arc->aiclk_forced != 0                      ? arc->aiclk_forced
           : arc->aiclk_busy || (arc->power_flags & 1) ? AICLK_BUSY
                                                       : AICLK_IDLE;
}

static void fill_telemetry(arc_tile *arc, const kerr_harvesting *h)
{
    put(arc, CSM_TELEMETRY, TELEMETRY_VERSION);
    put(arc, CSM_TELEMETRY + 4, TELEMETRY_TAGS);
    for (uint32_t i = 0; i < TELEMETRY_TAGS; i++) {
        put(arc, CSM_TELEMETRY + 8 + 4 * i, tag_order[i] | (uint32_t)tag_order[i] << 16);
    }
    uint32_t gddr_status = 0;
    for (unsigned i = 0; i < 8; i++) {
        gddr_status |= (h->dram >> i & 1) ? 0 : UINT32_C(1) << 2 * i; /* trained, no error */
    }
    put_tag(arc, TAG_BOARD_ID_HIGH, h->pcie ? 0x430 : 0x400); /* p100a, p150a; the low word is a serial number */
    put_tag(arc, TAG_BOARD_ID_LOW, 1);
    put_tag(arc, TAG_UPDATE_TELEM_SPEED, 100);
    put_tag(arc, TAG_VCORE, 750);
    put_tag(arc, TAG_TDP, 40);
    put_tag(arc, TAG_TDC, 50);
    put_tag(arc, TAG_VDD_LIMITS, 900u << 16 | 700);
    put_tag(arc, TAG_THM_LIMIT_SHUTDOWN, 110);
    put_tag(arc, TAG_ASIC_TEMPERATURE, 40u << 16);
    put_tag(arc, TAG_AICLK, aiclk(arc));
    put_tag(arc, TAG_AXICLK, 960);
    put_tag(arc, TAG_ARCCLK, 800);
    for (unsigned i = 0; i < 4; i++) {
        put_tag(arc, (enum tag)(TAG_L2CPUCLK0 + i), 800);
    }
    put_tag(arc, TAG_GDDR_STATUS, gddr_status);
    put_tag(arc, TAG_GDDR_SPEED, 16000);
    put_tag(arc, TAG_ETH_FW_VERSION, 1u << 16 | 6u << 8);
    put_tag(arc, TAG_FLASH_BUNDLE_VERSION, 0x12050000); /* 18.5.0 */
    put_tag(arc, TAG_TIMER_HEARTBEAT, 1);               /* reads add what has passed */
    put_tag(arc, TAG_TELEM_ENUM_COUNT, TELEMETRY_TAGS);
    put_tag(arc, TAG_ENABLED_TENSIX_COL, 0x3FFF & ~(uint32_t)h->tensix_columns);
    put_tag(arc, TAG_ENABLED_ETH, 0x3FFF & ~(uint32_t)h->eth);
    put_tag(arc, TAG_ENABLED_GDDR, 0xFF & ~(uint32_t)h->dram);
    put_tag(arc, TAG_ENABLED_L2CPU, 0xF & ~(uint32_t)h->l2cpu);
    put_tag(arc, TAG_PCIE_USAGE, h->pcie ? 1u << 2 : 1u); /* endpoint; the other is off */
    put_tag(arc, TAG_NOC_TRANSLATION, 1);
    put_tag(arc, TAG_MAX_GDDR_TEMP, 40);
    put_tag(arc, TAG_TDC_LIMIT_MAX, 200);
    put_tag(arc, TAG_THM_LIMIT_THROTTLE, 90);
    put_tag(arc, TAG_ASIC_ID_LOW, 1);
    put_tag(arc, TAG_AICLK_LIMIT_MAX, AICLK_BUSY);
    put_tag(arc, TAG_TDP_LIMIT_MAX, 150);
}

void arc_create(arc_tile *arc, const kerr_harvesting *h)
{
    fill_telemetry(arc, h);
    put(arc, CSM_QUEUE_INFO, (uint32_t)CSM_BASE + CSM_QUEUES);
    put(arc, CSM_QUEUE_INFO + 4, QUEUE_ENTRIES | QUEUES << 8);
    arc->scratch[0] = (uint32_t)POST_CODE | POST_CODE_TELEMETRY_END;
    arc->power_flags = POWER_ALL_BUT_AICLK;
    arc->scratch_ram[2] = BOOT_STATUS_READY;
    arc->scratch_ram[11] = (uint32_t)CSM_BASE + CSM_QUEUE_INFO;
    arc->scratch_ram[12] = (uint32_t)CSM_BASE + TELEMETRY_VALUES;
    arc->scratch_ram[13] = (uint32_t)CSM_BASE + CSM_TELEMETRY;
    /* Everything is out of reset but the X280 cores. */
    arc->global_reset = 0x2383; /* system, NoC, reference clock counter, both PCI Express, PTP */
    arc->eth_reset = 0x3FFF | 0x3FFFu << 16;
    arc->ddr_reset = UINT32_MAX;
    arc->l2cpu_reset = 0xF;
    memset(arc->tensix_reset, 0xFF, sizeof arc->tensix_reset);
    memset(arc->tensix_risc_reset, 0xFF, sizeof arc->tensix_risc_reset);
}

/* ---- Messages ----------------------------------------------------------------------------------------------------- */

enum message {
    MSG_NOP = 0x11,
    MSG_REPORT_SCRATCH_ONLY = 0x16,
    MSG_REINIT_TENSIX = 0x20,
    MSG_POWER_SETTING = 0x21,
    MSG_FORCE_AICLK = 0x33,
    MSG_GET_AICLK = 0x34,
    MSG_AICLK_GO_BUSY = 0x52,
    MSG_AICLK_GO_LONG_IDLE = 0x54,
    MSG_TRIGGER_RESET = 0x56,
    MSG_TEST = 0x90,
    MSG_ASIC_STATE0 = 0xA0,
    MSG_ASIC_STATE3 = 0xA3,
    MSG_FORCE_FAN_SPEED = 0xAC,
    MSG_TOGGLE_GDDR_RESET = 0xB6,
    MSG_SET_LAST_SERIAL = 0xBE,
    MSG_PING_DM = 0xC0,
    MSG_SET_WDT_TIMEOUT = 0xC1,
    MSG_BLINKY = 0xC5,
};
enum { STATUS_NOT_RECOGNISED = 0xFF, STATUS_SCRATCH_ONLY = 0xFE, STATUS_EINVAL = 22, STATUS_ENOTSUP = 134 };

static uint32_t toggle_gddr_reset(const kerr_harvesting *h, const uint32_t *request, uint32_t *response)
{
    if (request[1] >= 8) {
        response[1] = 1; /* no such bank */
    } else if (h->dram >> request[1] & 1) {
        response[1] = 2; /* harvested */
    }
    return response[1] != 0 ? STATUS_EINVAL : 0;
}

/* The low byte of the first word says how it went. */
static void answer(passive *state, uint32_t serial, const uint32_t *request, uint32_t *response)
{
    arc_tile *arc = &state->arc;
    switch (request[0] & 0xFF) {
    case MSG_NOP:
    case MSG_ASIC_STATE0:
    case MSG_ASIC_STATE3:
    case MSG_FORCE_FAN_SPEED:
    case MSG_BLINKY:
    case MSG_SET_LAST_SERIAL:
    case MSG_REINIT_TENSIX: break; /* programs the NIUs as they are */
    case MSG_REPORT_SCRATCH_ONLY: response[0] = STATUS_SCRATCH_ONLY; break;
    case MSG_TEST:
        response[1] = request[1] + 1;
        response[2] = serial + 1;
        break;
    case MSG_AICLK_GO_BUSY: arc->aiclk_busy = 1; break;
    case MSG_AICLK_GO_LONG_IDLE: arc->aiclk_busy = 0; break;
    case MSG_FORCE_AICLK: arc->aiclk_forced = request[1]; break;
    case MSG_GET_AICLK:
        response[1] = aiclk(arc);
        response[2] = arc->aiclk_forced != 0 ? 2 : 3; /* by the power manager: forced, not forced */
        break;
    case MSG_POWER_SETTING: { /* bits 8 to 11: how many of the flags in the upper half count */
        const uint32_t valid = (UINT32_C(1) << (request[0] >> 8 & 0xF)) - 1;
        arc->power_flags = (arc->power_flags & ~valid) | (request[0] >> 16 & valid);
        break;
    }
    case MSG_TRIGGER_RESET: arc->wants_reset = 1; break;
    case MSG_TOGGLE_GDDR_RESET: response[0] = toggle_gddr_reset(&state->harvesting, request, response); break;
    case MSG_PING_DM: response[1] = 1; break;
    case MSG_SET_WDT_TIMEOUT:
        if (request[1] != 0 && request[1] <= WATCHDOG_FEED_MS) {
            response[0] = STATUS_ENOTSUP;
        } else {
            arc->watchdog = request[1];
        }
        break;
    default: response[0] = STATUS_NOT_RECOGNISED; break;
    }
    put_tag(arc, TAG_AICLK, aiclk(arc));
}

/* One queue: 32 bytes of pointers (the host's two, then ours), requests, responses.  Pointers run to twice the size, so
 * that equal is empty.  What makes no sense is left alone, as firmware does. */
static void serve_queue(passive *state, uint32_t queue)
{
    arc_tile *arc = &state->arc;
    enum {
        WRAP = 2 * QUEUE_ENTRIES,
        REQUEST_WRITE = 0,
        RESPONSE_READ = 4,
        REQUEST_READ = 16,
        RESPONSE_WRITE = 20,
        LAST_SERIAL = 24
    };
    for (;;) {
        const uint32_t request_write = get(arc, queue + REQUEST_WRITE), request_read = get(arc, queue + REQUEST_READ);
        const uint32_t response_write = get(arc, queue + RESPONSE_WRITE);
        const uint32_t response_read = get(arc, queue + RESPONSE_READ);
        if (request_write == request_read || (response_write - response_read) % WRAP == QUEUE_ENTRIES ||
            request_write >= WRAP || request_read >= WRAP || response_write >= WRAP || response_read >= WRAP) {
            return;
        }
        uint32_t request[ENTRY_WORDS], response[ENTRY_WORDS] = {0};
        const uint32_t entries = queue + QUEUE_HEADER;
        memcpy(request, arc->csm + entries + request_read % QUEUE_ENTRIES * sizeof request, sizeof request);
        const uint32_t serial = get(arc, queue + LAST_SERIAL);
        answer(state, serial, request, response);
        put(arc, queue + LAST_SERIAL, (request[0] & 0xFF) == MSG_SET_LAST_SERIAL ? request[1] : serial + 1);
        memcpy(arc->csm + entries + (QUEUE_ENTRIES + response_write % QUEUE_ENTRIES) * sizeof response, response,
               sizeof response);
        put(arc, queue + REQUEST_READ, (request_read + 1) % WRAP);
        put(arc, queue + RESPONSE_WRITE, (response_write + 1) % WRAP);
    }
}

static void serve_queues(passive *state)
{
    for (uint32_t i = 0; i < QUEUES; i++) {
        serve_queue(state, CSM_QUEUES + i * QUEUE_BYTES);
    }
    state->arc.scratch[0] = (uint32_t)POST_CODE | POST_CODE_MESSAGES_DONE;
}

/* ---- Registers ---------------------------------------------------------------------------------------------------- */

/* Registers that keep what is written and can be pointed at. */
static uint32_t *stored(arc_tile *arc, uint32_t offset)
{
    if (offset >= SCRATCH && offset < SCRATCH + sizeof arc->scratch) {
        return &arc->scratch[(offset - SCRATCH) / 4];
    }
    if (offset >= SCRATCH_RAM && offset < SCRATCH_RAM + sizeof arc->scratch_ram) {
        return &arc->scratch_ram[(offset - SCRATCH_RAM) / 4];
    }
    return NULL;
}

/* Resets by the reset unit, which lines down the chip hang on. */
static uint32_t *reset_line(arc_tile *arc, uint32_t offset)
{
    switch (offset) {
    case GLOBAL_RESET: return &arc->global_reset;
    case ETH_RESET: return &arc->eth_reset;
    case DDR_RESET: return &arc->ddr_reset;
    case L2CPU_RESET: return &arc->l2cpu_reset;
    default: break;
    }
    if (offset >= TENSIX_RESET && offset < TENSIX_RESET + sizeof arc->tensix_reset) {
        return &arc->tensix_reset[(offset - TENSIX_RESET) / 4];
    }
    if (offset >= TENSIX_RISC_RESET && offset < TENSIX_RISC_RESET + sizeof arc->tensix_risc_reset) {
        return &arc->tensix_risc_reset[(offset - TENSIX_RISC_RESET) / 4];
    }
    return NULL;
}

static bool apb_read(const passive *state, uint32_t offset, uint64_t cycle, uint32_t *value)
{
    arc_tile *arc = (arc_tile *)(uintptr_t)&state->arc; /* only looked at */
    if (offset >= NIU_0 && offset < NIU_0 + NIU_BYTES) {
        return passive_niu_read(state, noc_node_at(8, 0), 0, offset - NIU_0, value);
    }
    if (offset >= NIU_1 && offset < NIU_1 + NIU_BYTES) {
        return passive_niu_read(state, noc_node_at(8, 0), 1, offset - NIU_1, value);
    }
    if (offset == MSI_FLUSH || offset == MSI_STATUS) {
        *value = offset == MSI_STATUS; /* takes more, holds none */
        return true;
    }
    if (offset < RESET_UNIT || offset >= RESET_UNIT + RESET_UNIT_BYTES) {
        return false;
    }
    offset -= RESET_UNIT;
    const uint32_t *word = stored(arc, offset) != NULL ? stored(arc, offset) : reset_line(arc, offset);
    const uint64_t refclk = cycle / AICLK_PER_REFCLK;
    if (word != NULL) {
        *value = *word;
    } else if (offset == ARC_MISC_CNTL) {
        *value = arc->misc_cntl;
    } else if (offset == REFCLK_COUNTER_LOW) {
        *value = (uint32_t)refclk;
    } else if (offset == REFCLK_COUNTER_HIGH) {
        *value = (uint32_t)(refclk >> 32);
    } else {
        return false;
    }
    return true;
}

static passive_result no_register(const char *what, uint32_t offset, passive_fault *fault)
{
    return passive_refuse(
        fault, PASSIVE_FAULT, KERR_FAULT_UNIMPLEMENTED, NULL,
        "%s of ARC register 0x%llx: of the APB space only the reset unit's scratch, reset and counter "
        "registers, the NIUs and the MSI catcher are there",
        what, (unsigned long long)APB_BASE + offset);
}

static passive_result write_reset_line(arc_tile *arc, uint32_t offset, uint32_t value, passive_fault *fault)
{
    static const uint8_t row[PASSIVE_L2CPUS] = {3, 9, 5, 7};
    uint32_t *line = reset_line(arc, offset);
    if (offset == L2CPU_RESET) {
        value &= 0xFF;
        for (unsigned i = 0; i < PASSIVE_L2CPUS; i++) {
            if ((value & ~*line) >> (4 + i) & 1) {
                return passive_refuse(fault, PASSIVE_FAULT, KERR_FAULT_UNIMPLEMENTED, "L2CPUTile/README",
                                      "L2CPU_RESET = 0x%x lets the X280 cores of tile 8-%u go: they are not modelled",
                                      value, row[i]);
            }
        }
    } else if (value != *line) {
        return passive_refuse(fault, PASSIVE_FAULT, KERR_FAULT_UNIMPLEMENTED, NULL,
                              "write of 0x%x to reset unit register 0x%x (now 0x%x): tiles are not reset from there",
                              value, offset, *line);
    }
    *line = value;
    return PASSIVE_OK;
}

static passive_result apb_write(passive *state, uint32_t offset, uint32_t value, passive_fault *fault)
{
    arc_tile *arc = &state->arc;
    if (offset >= NIU_0 && offset < NIU_1 + NIU_BYTES) {
        const unsigned noc = offset >= NIU_1;
        const bool done = passive_niu_write(state, noc_node_at(8, 0), noc, offset - (noc ? NIU_1 : NIU_0), value);
        return done ? PASSIVE_OK : no_register("write", offset, fault);
    }
    if (offset == MSI_FIFO) {
        if (value == 0) { /* other values are not for the message queues */
            serve_queues(state);
        }
        return PASSIVE_OK;
    }
    if (offset < RESET_UNIT || offset >= RESET_UNIT + RESET_UNIT_BYTES) {
        return no_register("write", offset, fault);
    }
    const uint32_t reset_offset = offset - RESET_UNIT;
    if (stored(arc, reset_offset) != NULL) {
        *stored(arc, reset_offset) = value;
    } else if (reset_line(arc, reset_offset) != NULL) {
        return write_reset_line(arc, reset_offset, value, fault);
    } else if (reset_offset == ARC_MISC_CNTL) {
        arc->misc_cntl = value & ~(uint32_t)MISC_CNTL_IRQ0; /* firmware takes the interrupt back */
        if (value & MISC_CNTL_IRQ0) {
            serve_queues(state);
        }
    } else {
        return no_register("write", offset, fault);
    }
    return PASSIVE_OK;
}

/* ---- Address space ------------------------------------------------------------------------------------------------ */

static bool within(uint64_t address, uint32_t length, uint64_t base, uint64_t bytes)
{
    return address >= base && address - base < bytes && length <= bytes - (address - base);
}

/* The heartbeat counts by itself: not stored, so that looking changes nothing. */
static void beat(const arc_tile *arc, uint32_t at, uint8_t *data, uint32_t length, uint64_t cycle)
{
    const uint32_t beats = get(arc, TELEMETRY_VALUES + 4 * TAG_TIMER_HEARTBEAT) + (uint32_t)(cycle / TELEMETRY_PERIOD);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t where = TELEMETRY_VALUES + 4 * TAG_TIMER_HEARTBEAT + i;
        if (where >= at && where - at < length) {
            data[where - at] = (uint8_t)(beats >> 8 * i);
        }
    }
}

static passive_result not_mapped(const char *what, uint64_t address, uint32_t length, passive_fault *fault)
{
    return passive_refuse(
        fault, PASSIVE_NOTHING, KERR_FAULT_UNDEFINED, NULL,
        "%s of %u bytes at 0x%llx of ARC tile 8-0: not in its CSM (0x10000000), nor words of its APB (0x80000000)",
        what, length, (unsigned long long)address);
}

passive_result arc_read(const passive *state, uint64_t address, void *data, uint32_t length, uint64_t cycle,
                        passive_fault *fault)
{
    const arc_tile *arc = &state->arc;
    if (within(address, length, CSM_BASE, ARC_CSM_BYTES)) {
        memcpy(data, arc->csm + (address - CSM_BASE), length);
        beat(arc, (uint32_t)(address - CSM_BASE), data, length, cycle);
        return PASSIVE_OK;
    }
    if (!within(address, length, APB_BASE, APB_BYTES) || address % 4 != 0 || length % 4 != 0) {
        return not_mapped("read", address, length, fault);
    }
    for (uint32_t i = 0; i < length; i += 4) {
        uint32_t value = 0;
        const uint32_t offset = (uint32_t)(address - APB_BASE) + i;
        if (!apb_read(state, offset, cycle, &value)) {
            return no_register("read", offset, fault);
        }
        memcpy((uint8_t *)data + i, &value, 4);
    }
    return PASSIVE_OK;
}

passive_result arc_write(passive *state, uint64_t address, const void *data, uint32_t length, passive_fault *fault)
{
    if (within(address, length, CSM_BASE, ARC_CSM_BYTES)) {
        memcpy(state->arc.csm + (address - CSM_BASE), data, length);
        return PASSIVE_OK;
    }
    if (!within(address, length, APB_BASE, APB_BYTES) || address % 4 != 0 || length % 4 != 0) {
        return not_mapped("write", address, length, fault);
    }
    for (uint32_t i = 0; i < length; i += 4) {
        uint32_t value;
        memcpy(&value, (const uint8_t *)data + i, 4);
        const passive_result result = apb_write(state, (uint32_t)(address - APB_BASE) + i, value, fault);
        if (result != PASSIVE_OK) {
            return result;
        }
    }
    return PASSIVE_OK;
}
