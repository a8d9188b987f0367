/* SPDX-License-Identifier: Apache-2.0 */
/* A bool that is neither 0 nor 1 may be both to a compiler: a snapshot that has one is not ours.  All of the saved state are here. */
#include "chip/snapshot.h"

static bool are_bools(const void *of, size_t count)
{
    const uint8_t *bytes = of;
    uint8_t any = 0;
    for (size_t i = 0; i < count; i++) {
        any |= bytes[i];
    }
    return any <= 1;
}
#define OK(member) are_bools(&(member), sizeof(member)) /* arrays too */

static bool core_is_sane(const rv_core *c)
{
    return OK(c->sequential) && OK(c->in_interrupt) && OK(c->interrupt_line) && OK(c->streaming) &&
           OK(c->single_step) && OK(c->slow_mode) && OK(c->never_merges) && OK(c->offered) && OK(c->side_effect) &&
           OK(c->blocked.active) && OK(c->stores.watched) && OK(c->stores.exact) && OK(c->stores.stuck) &&
           OK(c->park.l0_always_misses) && OK(c->park.poll) && OK(c->shake_load);
}

static bool tensix_bools_are_sane(const struct tensix *tx)
{
    bool sane = OK(tx->yield) && OK(tx->traced) && OK(tx->shake.on) && OK(tx->packer.data.open) &&
                OK(tx->packer.exponents.open) && OK(tx->packer.row_starts.open);
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct tensix_thread *t = &tx->thread[i];
        sane = sane && OK(t->mop.active) && OK(t->mop.after) && OK(t->after_hold) && OK(t->stopped);
    }
    for (unsigned i = 0; i < 2; i++)
        sane = sane && OK(tx->src[i].matrix_owns);
    const struct tensix_pack_modes *modes = &tx->packer.modes;
    const struct pack_conversion *c = &modes->conversion;
    return sane && OK(c->Read_32b_data) && OK(c->Round_10b_mant) && OK(c->Read_raw) && OK(c->Read_unsigned) &&
           OK(c->Exponent4b) && OK(modes->stochastic_early) && OK(modes->stochastic_late) && OK(modes->accumulate) &&
           OK(modes->compress) && OK(modes->whole);
}

static bool niu_bools_are_sane(const struct niu *niu)
{
    bool sane = OK(niu->linked);
    for (unsigned i = 0; i < NIU_INITIATORS; i++) {
        sane = sane && OK(niu->initiator[i].busy) && OK(niu->initiator[i].continues);
    }
    return sane;
}

static bool devices_bools_are_sane(const struct devices *dev)
{
    bool sane = OK(dev->pic.pending) && OK(dev->pic.in_handler) && OK(dev->tag_search.search_enable) &&
                OK(dev->tag_search.tag_alloc) && OK(dev->tag_search.tag_inv) && OK(dev->tag_search.tag_inv_all) &&
                OK(dev->tag_search.data_valid_chk) && tensix_bools_are_sane(&dev->tensix) &&
                niu_bools_are_sane(&dev->niu[0]) && niu_bools_are_sane(&dev->niu[1]);
    for (unsigned i = 0; i < sizeof dev->pcbuf / sizeof *dev->pcbuf; i++) {
        sane = sane && OK(dev->pcbuf[i].reader_waits);
    }
    for (unsigned i = 0; i < sizeof dev->core_debug / sizeof *dev->core_debug; i++) {
        const struct core_debug *debug = &dev->core_debug[i];
        sane = sane && OK(debug->breakpoint_hit) && OK(debug->memory_hit) && OK(debug->ebreak_hit) &&
               OK(debug->step_armed);
    }
    for (unsigned i = 0; i < sizeof dev->timestamper.buffer / sizeof *dev->timestamper.buffer; i++) {
        sane = sane && OK(dev->timestamper.buffer[i].full) && OK(dev->timestamper.buffer[i].overflow);
    }
    for (unsigned i = 0; i < sizeof dev->perf / sizeof *dev->perf; i++) {
        sane = sane && OK(dev->perf[i].running);
    }
    return sane;
}

/* The kind picks texts out of tables.  Pages behind the last one stay untouched. */
static bool faults_are_sane(const kerr_fault *fault, uint32_t count, uint32_t room)
{
    bool sane = true;
    for (uint32_t i = 0; i < count && i < room; i++) {
        sane = sane && OK(fault[i].stopping) && (unsigned)fault[i].kind < KERR_FAULT_KINDS;
    }
    return sane;
}

bool tile_bools_are_sane(const struct tile *tile)
{
    bool sane = OK(tile->strict) && OK(tile->rendezvous) && devices_bools_are_sane(&tile->dev) &&
                faults_are_sane(tile->fault, tile->fault_count, TILE_FAULTS);
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        sane = sane && core_is_sane(&tile->core[i]);
    }
    return sane;
}

bool passive_bools_are_sane(const passive *p)
{
    bool sane = faults_are_sane(p->fault, p->fault_count, CHIP_FAULTS);
    for (unsigned i = 0; i < sizeof p->niu / sizeof *p->niu; i++) {
        sane = sane && niu_bools_are_sane(&p->niu[i][0]) && niu_bools_are_sane(&p->niu[i][1]);
    }
    return sane;
}

bool router_bools_are_sane(const noc_router *router)
{
    bool sane = true;
    for (unsigned s = 0; s < NOC_SIDES; s++) {
        sane = sane && OK(router->side[s].blocked) && OK(router->side[s].held);
    }
    return sane;
}
