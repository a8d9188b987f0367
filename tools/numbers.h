/* SPDX-License-Identifier: Apache-2.0 */
/* The number formats of the coprocessor as people write them, and what their bits are worth. */
#ifndef KERR_TOOLS_NUMBERS_H
#define KERR_TOOLS_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "tool_error.h"

typedef enum number_kind {
    NUMBER_FLOAT,
    NUMBER_BLOCK,     /* a row of 16 shares an exponent */
    NUMBER_INTEGER,   /* two's complement */
    NUMBER_MAGNITUDE, /* a sign and the magnitude */
    NUMBER_UNSIGNED,
} number_kind;

typedef struct number_format {
    const char *name;
    number_kind kind;
    uint8_t bits;          /* in L1; of a block float without the exponent */
    uint8_t exponent_bits; /* of floats; of a block float those of the exponent */
} number_format;

const number_format *number_format_by_name(const char *name, tool_error *error);
/* Every name, with commas, for messages. */
const char *number_format_names(void);
/* What bits are worth; exponent is the row's, for block floats. */
double number_value(const number_format *format, uint32_t bits, uint32_t exponent);
/* As short as it can be without losing a bit of the format. */
void number_print(const number_format *format, double value, char *text, size_t size);

#endif
