/* SPDX-License-Identifier: Apache-2.0 */
#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kerr_findings.h"

static const number_format formats[] = {
    {"fp32", NUMBER_FLOAT, 32, 8},    {"tf32", NUMBER_FLOAT, 32, 8},      {"bf16", NUMBER_FLOAT, 16, 8},
    {"fp16", NUMBER_FLOAT, 16, 5},    {"fp8", NUMBER_FLOAT, 8, 5},        {"e4m3", NUMBER_FLOAT, 8, 4},
    {"bfp8", NUMBER_BLOCK, 8, 8},     {"bfp4", NUMBER_BLOCK, 4, 8},       {"bfp2", NUMBER_BLOCK, 2, 8},
    {"bfp8a", NUMBER_BLOCK, 8, 5},    {"bfp4a", NUMBER_BLOCK, 4, 5},      {"bfp2a", NUMBER_BLOCK, 2, 5},
    {"int8", NUMBER_INTEGER, 8, 0},   {"int16", NUMBER_INTEGER, 16, 0},   {"int32", NUMBER_INTEGER, 32, 0},
    {"sm8", NUMBER_MAGNITUDE, 8, 0},  {"sm16", NUMBER_MAGNITUDE, 16, 0},  {"sm32", NUMBER_MAGNITUDE, 32, 0},
    {"uint8", NUMBER_UNSIGNED, 8, 0}, {"uint16", NUMBER_UNSIGNED, 16, 0}, {"uint32", NUMBER_UNSIGNED, 32, 0},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

const char *number_format_names(void)
{
    return "fp32, tf32, bf16, fp16, fp8, e4m3, bfp8, bfp4, bfp2, bfp8a, bfp4a, bfp2a, int8, int16, int32, sm8, sm16, "
           "sm32, "
           "uint8, uint16, uint32";
}

const number_format *number_format_by_name(const char *name, tool_error *error)
{
    for (unsigned i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
    }
    const char *names[FORMATS], *near;
    for (unsigned i = 0; i < FORMATS; i++) {
        names[i] = formats[i].name;
    }
    near = kerr_name_near(name, names, FORMATS);
    tool_error_set(error, "'%s' is not a format (%s)%s%s%s", name, number_format_names(),
                   near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
    return NULL;
}

static double float_value(const number_format *format, uint32_t bits)
{
    const unsigned mantissa_bits = format->bits - 1u - format->exponent_bits, top = (1u << format->exponent_bits) - 1;
    const uint32_t mantissa = bits & ((UINT32_C(1) << mantissa_bits) - 1), exponent = bits >> mantissa_bits & top;
    const double sign = bits >> (format->bits - 1) & 1 ? -1 : 1;
    const int bias = (int)(top >> 1);
    /* e4m3 has no infinity, and only the highest mantissa is no number. */
    if (exponent == top && (format->exponent_bits != 4 || mantissa == 7)) {
        return mantissa != 0 ? (double)NAN : sign * (double)INFINITY;
    }
    if (exponent == 0) {
        return sign * ldexp(mantissa, 1 - bias - (int)mantissa_bits);
    }
    return sign * ldexp((double)(mantissa | UINT32_C(1) << mantissa_bits), (int)exponent - bias - (int)mantissa_bits);
}

/* manual FloatBitPatterns: sign and magnitude, one bit of it before the point; minus zero is the power above the largest. */
static double block_value(const number_format *format, uint32_t bits, uint32_t exponent)
{
    const unsigned magnitude_bits = format->bits - 1u;
    const uint32_t magnitude = bits & ((1u << magnitude_bits) - 1);
    const bool negative = bits >> magnitude_bits & 1;
    const int bias = (1 << (format->exponent_bits - 1)) - 1;
    if (negative && magnitude == 0) {
        return -ldexp(1, bias + 1);
    }
    return (negative ? -1 : 1) * ldexp(magnitude, (int)exponent - bias - (int)(magnitude_bits - 1));
}

double number_value(const number_format *format, uint32_t bits, uint32_t exponent)
{
    const uint32_t sign = UINT32_C(1) << (format->bits - 1);
    const uint32_t value = bits & (sign | (sign - 1));
    switch (format->kind) {
    case NUMBER_FLOAT: return float_value(format, value);
    case NUMBER_BLOCK: return block_value(format, value, exponent);
    case NUMBER_INTEGER: return (double)(value & ~sign) - (value & sign ? (double)sign : 0);
    case NUMBER_MAGNITUDE: return (value & sign ? -1.0 : 1.0) * (double)(value & ~sign);
    case NUMBER_UNSIGNED: break;
    }
    return value;
}

void number_print(const number_format *format, double value, char *text, size_t size)
{
    if (format->kind == NUMBER_FLOAT || format->kind == NUMBER_BLOCK) {
        (void)snprintf(text, size, "%.*g", format->bits > 16 ? 9 : format->bits > 8 ? 5 : 4, value);
    } else {
        (void)snprintf(text, size, "%.0f", value);
    }
}
