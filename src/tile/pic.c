/* SPDX-License-Identifier: Apache-2.0 */
/* Programmable interrupt controller of a Tensix tile, and the snapshots of pc behind it.
 *
 * Manual PIC.  32 software IRQs, each a word: non-zero = raised, reading takes it.  Four hardware IRQs, levels from
 * other blocks.  An enabled raised IRQ raises the line of RISCV B or NC with the address of its handler; the core
 * says when it has taken it (devices_interrupt_entered) and when the handler is over (devices_interrupt_returned).
 * Until it is taken, an IRQ that is cleared again gives the line to the next; from then on INT_NO stands still.
 * Round robin: the search starts behind the IRQ taken last, software 0..31 then hardware 0..3, as INT_NO counts. */
#include "tile/blocks.h"

enum { IRQS = PIC_SW_IRQS + PIC_HW_IRQS };

/* B and NC in a Tensix tile, E0 and E1 in an Ethernet tile, D in a DRAM tile. */
static unsigned core_of(const struct devices *dev, unsigned slot)
{
    return devices_cores(dev) == KERR_CORE_COUNT && slot != 0 ? KERR_CORE_NC : slot;
}

unsigned devices_pic_slot(const struct devices *dev, unsigned core)
{
    if (devices_cores(dev) != KERR_CORE_COUNT)
        return core;
    return core == KERR_CORE_B ? 0 : core == KERR_CORE_NC ? 1 : PIC_CORES;
}

static bool raised(const struct pic *pic, unsigned irq)
{
    return irq < PIC_SW_IRQS ? pic->sw_int[irq] != 0 : pic->hw_int >> (irq - PIC_SW_IRQS) & 1;
}

static bool enabled(const struct pic *pic, unsigned slot, unsigned irq)
{
    return irq < PIC_SW_IRQS ? pic->sw_int_en[slot] >> irq & 1 : pic->hw_int_en[slot] >> (irq - PIC_SW_IRQS) & 1;
}

static uint32_t handler(const struct pic *pic, unsigned irq)
{
    return irq < PIC_SW_IRQS ? pic->sw_int_pc[irq] : pic->hw_int_pc[irq - PIC_SW_IRQS];
}

/* Brings the line of each core up to date after any change. */
static void update(struct tile *tile, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    struct pic *pic = &dev->pic;
    for (unsigned slot = 0; slot < PIC_CORES; slot++) {
        if (pic->in_handler[slot])
            continue;
        if (pic->pending[slot] && raised(pic, pic->int_no[slot]) && enabled(pic, slot, pic->int_no[slot])) {
            tile_core_interrupt(tile, core_of(dev, slot), true, handler(pic, pic->int_no[slot]), cycle);
            continue;
        }
        bool found = false;
        for (unsigned i = 0; i < IRQS && !found; i++) {
            unsigned irq = (pic->next[slot] + i) % IRQS;
            if (raised(pic, irq) && enabled(pic, slot, irq)) {
                pic->int_no[slot] = irq;
                found = true;
            }
        }
        if (found || pic->pending[slot])
            tile_core_interrupt(tile, core_of(dev, slot), found, found ? handler(pic, pic->int_no[slot]) : 0, cycle);
        pic->pending[slot] = found;
    }
}

void devices_interrupt_entered(struct tile *tile, unsigned core, uint64_t cycle)
{
    struct pic *pic = &tile_devices(tile)->pic;
    unsigned slot = devices_pic_slot(tile_devices(tile), core);
    pic->in_handler[slot] = true;
    pic->pending[slot] = false;
    pic->next[slot] = (uint8_t)((pic->int_no[slot] + 1) % IRQS);
    tile_core_interrupt(tile, core, false, 0, cycle);
}

void devices_interrupt_returned(struct tile *tile, unsigned core, uint64_t cycle)
{
    tile_devices(tile)->pic.in_handler[devices_pic_slot(tile_devices(tile), core)] = false;
    update(tile, cycle);
}

void pic_set_hw_int(struct tile *tile, unsigned irq, bool level, uint64_t cycle)
{
    struct pic *pic = &tile_devices(tile)->pic;
    uint8_t old = pic->hw_int;
    pic->hw_int = (uint8_t)(level ? old | 1u << irq : old & ~(1u << irq));
    if (pic->hw_int != old) {
        update(tile, cycle);
        tile_devices_changed(tile, cycle);
    }
}

/* A core in reset runs no handler; a line that is up stays up for when it comes back. */
void pic_core_reset(struct tile *tile, unsigned core, uint64_t cycle)
{
    unsigned slot = devices_pic_slot(tile_devices(tile), core);
    if (slot < PIC_CORES && tile_devices(tile)->pic.in_handler[slot]) {
        tile_devices(tile)->pic.in_handler[slot] = false;
        update(tile, cycle);
    }
}

/* The word behind an address, or NULL for HW_INT, which is not one. */
static uint32_t *word_at(struct pic *pic, uint32_t address)
{
    if (address >= RISC_PIC_HW_INT_PC)
        return &pic->hw_int_pc[(address - RISC_PIC_HW_INT_PC) / 4];
    if (address >= RISC_PIC_SW_INT_PC)
        return &pic->sw_int_pc[(address - RISC_PIC_SW_INT_PC) / 4];
    if (address >= RISC_PIC_HW_INT)
        return NULL;
    if (address >= RISC_PIC_SW_INT)
        return &pic->sw_int[(address - RISC_PIC_SW_INT) / 4];
    unsigned slot = address >= RISC_PIC_NCRISC_SW_INT_EN;
    switch (address - (slot ? RISC_PIC_NCRISC_SW_INT_EN : RISC_PIC_BRISC_SW_INT_EN)) {
    case 0: return &pic->sw_int_en[slot];
    case 4: return &pic->hw_int_en[slot];
    default: return &pic->int_no[slot];
    }
}

static bool is_int_no(uint32_t address)
{
    return address == RISC_PIC_BRISC_INT_NO || address == RISC_PIC_NCRISC_INT_NO;
}

bool pic_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client, (void)cycle;
    struct pic pic = tile_devices_const(tile)->pic;
    const uint32_t *word = word_at(&pic, address);
    *value = word ? *word : (uint32_t)(pic.hw_int >> (address - RISC_PIC_HW_INT) / 4 & 1);
    return true;
}

dev_result pic_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    struct pic *pic = &tile_devices(tile)->pic;
    pic_peek(tile, client, address, cycle, value);
    if (address >= RISC_PIC_SW_INT && address < RISC_PIC_HW_INT && *value != 0) {
        *word_at(pic, address) = 0;
        update(tile, cycle);
        tile_devices_changed(tile, cycle);
    }
    return DEV_OK;
}

dev_result pic_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    uint32_t *word = word_at(&tile_devices(tile)->pic, address);
    if (word && !is_int_no(address)) {
        *word = value;
        update(tile, cycle);
    }
    return DEV_OK;
}

bool pic_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    uint32_t *word = word_at(&tile_devices(tile)->pic, address);
    if (is_int_no(address) && value >= IRQS)
        return false; /* there is no such IRQ */
    if (word) {
        *word = value;
        update(tile, cycle);
    }
    return true;
}

/* ---- pc snapshots: manual BabyRISCV/README.  Of instructions as they leave the frontend; here the engine's pc. */

bool pc_snapshot_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    static const uint8_t order[KERR_CORE_COUNT] = {KERR_CORE_B, KERR_CORE_NC, KERR_CORE_T0, KERR_CORE_T1, KERR_CORE_T2};
    (void)client;
    *value = tile_core_pc(tile, order[(address - RISCV_PC_SNAPSHOT_B) / 4], cycle);
    return true;
}

dev_result pc_snapshot_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    pc_snapshot_peek(tile, client, address, cycle, value);
    return DEV_OK;
}

dev_result pc_snapshot_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)address, (void)value, (void)cycle;
    return DEV_OK;
}

bool pc_snapshot_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)address, (void)value, (void)cycle;
    return true;
}
