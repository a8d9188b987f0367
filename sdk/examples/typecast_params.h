/* SPDX-License-Identifier: Apache-2.0 */
/* What the conversion kernel (typecast.c) does, as its host says in kerr_params.argument[].  Plain C, read by both sides. */
#ifndef TYPECAST_PARAMS_H
#define TYPECAST_PARAMS_H

enum typecast {
    TYPECAST_FP32_BF16, /* to nearest, ties to even */
    TYPECAST_FP32_INT32,
    TYPECAST_FP32_UINT32,
    TYPECAST_FP32_UINT16,
    TYPECAST_UINT32_FP32,
    TYPECAST_INT32_FP32,
    TYPECAST_UINT32_BF16,
    TYPECAST_INT32_BF16,
    TYPECAST_UINT16_FP32,
    TYPECAST_UINT16_BF16,
    TYPECASTS
};

enum { /* words of kerr_params.argument[] */
       TYPECAST_KIND,
       TYPECAST_PLAIN, /* without macros */
       TYPECAST_TILES, /* of 32 rows */
       TYPECAST_FROM,  /* words in L1, TYPECAST_DATUMS a tile */
       TYPECAST_TO,
       TYPECAST_REPEAT, /* not 0: one tile, converted so many times, each time in the next rows of Dst; main returns the cycles */
};
enum { TYPECAST_ROWS = 32, TYPECAST_DATUMS = 1024, TYPECAST_MAX_WORDS = 32 /* of the replay buffer */ };

#endif /* TYPECAST_PARAMS_H */
