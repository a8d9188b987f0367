/* SPDX-License-Identifier: Apache-2.0 */
#include "num/formats.h"

const char *format_name(unsigned format)
{
    static const char names[FORMATS][12] = {
        "FP32",  "FP16",  "BFP8a", "BFP4a", "TF32",        "BF16",        "BFP8", "BFP4",
        "INT32", "INT16", "FP8",   "BFP2a", "reserved 12", "reserved 13", "INT8", "BFP2",
    };
    return names[format & 15];
}
