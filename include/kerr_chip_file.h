/* SPDX-License-Identifier: Apache-2.0 */
/* Files of saved chips, as kerr run --save and KERR_SAVE_EVERY write them.
 *
 * A kerr_chip_file_header, then one zstd frame (RFC 8878) with a checksum: the stream of kerr_save.  The drop-in library has no zstd
 * and writes frames of raw blocks, which any reader of zstd takes.  What may stand behind the frame is not looked at. */
#ifndef KERR_CHIP_FILE_H
#define KERR_CHIP_FILE_H

#include <stdint.h>

enum { KERR_CHIP_FILE_FORMAT = 1 };

typedef struct kerr_chip_file_header {
    char magic[8]; /* "KERRCHIP" */
    uint32_t format;
    uint32_t reserved;
    char version[16]; /* of the library that saved it */
    uint64_t cycle;
} kerr_chip_file_header;

/* Automatic snapshots lie in a folder under such names: by name is by cycle. */
#define KERR_CHIP_FILE_NAME "cycle-%015llu.chip"

#endif
