/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes by name.  What they mean for NIUs and routers is noc/tables.c. */
#include "chip/chip.h"
#include "noc/tables.h"

#include <stdlib.h>
#include <string.h>

/* p150, p100: manual NoC/Coordinates and PCIExpressTile/README.  Which columns and which bank of a p100 are off differs
 * from chip to chip; these leave all translated coordinates equal to those of a whole chip, so that a host that never
 * asks for masks (tt-umd's simulation device) is right too. */
kerr_status kerr_harvesting_of(kerr_product product, kerr_harvesting *harvesting)
{
    if (harvesting == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    switch (product) {
    case KERR_P150: *harvesting = (kerr_harvesting){.eth = 1 << 5 | 1 << 8}; return KERR_OK;
    case KERR_P100:
        *harvesting = (kerr_harvesting){.tensix_columns = 1 << 1 | 1 << 3, .eth = 0x3FFF, .dram = 1 << 7, .pcie = 1};
        return KERR_OK;
    case KERR_UNHARVESTED: *harvesting = (kerr_harvesting){0}; return KERR_OK;
    }
    return KERR_BAD_ARGUMENT;
}

/* "key=number" at *text up to a comma or the end; false: another key, or not a number up to `most`. */
static bool take_mask(const char **text, const char *key, unsigned long most, unsigned long *value)
{
    const size_t length = strlen(key);
    if (strncmp(*text, key, length) != 0 || (*text)[length] < '0' || (*text)[length] > '9') {
        return false;
    }
    char *end;
    *value = strtoul(*text + length, &end, 0);
    if ((*end != ',' && *end != '\0') || *value > most) {
        return false;
    }
    *text = end;
    return true;
}

bool kerr_harvesting_by_name(const char *name, kerr_harvesting *out)
{
    static const struct {
        const char *name;
        kerr_product product;
    } products[] = {{"p150", KERR_P150}, {"p100", KERR_P100}, {"full", KERR_UNHARVESTED}};
    if (name == NULL || out == NULL) {
        return false;
    }
    kerr_harvesting h = {0};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        const size_t length = strlen(products[i].name);
        if (strncmp(name, products[i].name, length) == 0 && (name[length] == ',' || name[length] == '\0')) {
            kerr_harvesting_of(products[i].product, &h);
            text = name + length;
        }
    }
    if (text == NULL) {
        return false;
    }
    while (*text == ',') {
        text++;
        unsigned long value;
        if (take_mask(&text, "tensix=", 0x3FFF, &value)) {
            h.tensix_columns = (uint16_t)value;
        } else if (take_mask(&text, "eth=", 0x3FFF, &value)) {
            h.eth = (uint16_t)value;
        } else if (take_mask(&text, "dram=", 0xFF, &value)) {
            h.dram = (uint8_t)value;
        } else if (take_mask(&text, "l2cpu=", 0xF, &value)) {
            h.l2cpu = (uint8_t)value;
        } else if (take_mask(&text, "pcie=", 1, &value)) {
            h.pcie = (uint8_t)value;
        } else {
            return false;
        }
    }
    if (*text != '\0' || !noc_harvesting_is_sane(&h)) {
        return false;
    }
    *out = h;
    return true;
}

bool kerr_tile_is_on(const kerr_chip *chip, kerr_xy at)
{
    return chip != NULL && kerr_tile_kind_at(at) != KERR_TILE_NONE &&
           !noc_is_off(&chip->passive->harvesting, noc_node_at(at.x, at.y));
}
