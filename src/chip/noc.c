/* SPDX-License-Identifier: Apache-2.0 */
#include "chip/noc.h"

#include "base/bits.h"

static uint32_t port_of(void *context, noc_node node, const noc_packet *packet)
{
    (void)context, (void)packet;
    return node;
}

static bool takes_broadcasts(void *context, unsigned noc, noc_node node)
{
    (void)context, (void)noc;
    return kerr_tile_kind_at((kerr_xy){node % NOC_GRID_X, node / NOC_GRID_X}) == KERR_TILE_TENSIX;
}

static void arrives(void *context, uint32_t port, uint64_t cycle)
{
    kerr_chip *chip = context;
    const int tile =
        port < NOC_NODES ? chip_tile_index((kerr_xy){(uint8_t)(port % NOC_GRID_X), (uint8_t)(port / NOC_GRID_X)}) : -1;
    if (tile >= 0) {
        chip->due[tile] = min64(chip->due[tile], cycle);
    }
}

static void fault(void *context, const noc_packet *packet, uint64_t cycle, const char *text)
{
    (void)context, (void)packet, (void)cycle, (void)text;
}

uint64_t chip_noc_next(const kerr_chip *chip)
{
    return fabric_next(&chip->fabric);
}

void chip_noc_exchange(kerr_chip *chip, uint64_t end)
{
    const noc_chip view = {
        .chip = chip, .port_of = port_of, .takes_broadcasts = takes_broadcasts, .arrives = arrives, .fault = fault};
    fabric_exchange(&chip->fabric, &view, &chip->stores[0], end);
}
