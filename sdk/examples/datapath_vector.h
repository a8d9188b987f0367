/* SPDX-License-Identifier: Apache-2.0 */
/* datapath.c with something of one's own for T1 between unpacker and packer: T0 posts TO_VECTOR, T1 waits for it and posts TO_PACK,
 * T2 waits for that.  Included once, in place of datapath.c; T1 brings its own main. */
#include "kerr_cfg.h"
#include "kerr_sdk.h"

enum { TO_VECTOR = 4, TO_PACK = 3 };

#if KERR_CORE == KERR_CORE_T0
#undef TT_SEMINIT
#define TT_SEMINIT(max, value, mask)                                                                                   \
    do {                                                                                                               \
        KERR_TTINSN(TT_OP_SEMINIT(max, value, mask));                                                                  \
        KERR_TTINSN(TT_OP_SEMINIT(max, value, 1 << TO_VECTOR));                                                        \
        KERR_TTINSN(TT_OP_SEMINIT(max, value, 1 << TO_PACK));                                                          \
    } while (0)
#undef TT_SEMPOST
#define TT_SEMPOST(mask)                                                                                               \
    do {                                                                                                               \
        KERR_TTINSN(TT_OP_SEMPOST(mask));                                                                              \
        KERR_TTINSN(TT_OP_SEMPOST(1 << TO_VECTOR));                                                                    \
    } while (0)
#elif KERR_CORE == KERR_CORE_T1
#define main datapath_main
#else
#undef TT_SEMWAIT
#define TT_SEMWAIT(block, mask, condition) KERR_TTINSN(TT_OP_SEMWAIT(block, 1 << TO_PACK, condition))
#undef TT_SEMGET
#define TT_SEMGET(mask)                                                                                                \
    do {                                                                                                               \
        KERR_TTINSN(TT_OP_SEMGET(1 << TO_PACK));                                                                       \
        KERR_TTINSN(TT_OP_SEMGET(mask));                                                                               \
    } while (0)
#endif

#include "datapath.c"
