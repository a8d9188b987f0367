/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files for baby cores: 32-bit little-endian RISC-V executables, checked completely before a chip is touched. */
#ifndef KERR_TOOLS_ELF_LOAD_H
#define KERR_TOOLS_ELF_LOAD_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

#include "kerr.h"
#include "tool_error.h"

enum { ELF_PIECES_MAX = 64, ELF_FILE_MAX = 256 << 20 };

/* A loadable segment.  It is put at load_address (p_paddr); address (p_vaddr) is where the program expects it, and
 * start-up code copies it there if the two differ. */
typedef struct elf_piece {
    uint32_t address, load_address;
    uint32_t file_size;
    uint32_t
        memory_size; /* of what is loaded: file_size alone if the addresses differ, since start-up code clears the rest */
    const char *data;
    bool executable;
} elf_piece;

typedef struct elf_image {
    const char *name; /* for messages; the caller's */
    char *file;
    size_t file_size;
    Elf *elf;
    uint32_t entry; /* where the code is loaded, not where it was linked, should they differ */
    size_t piece_count;
    elf_piece pieces[ELF_PIECES_MAX];
} elf_image;

/* Reads and checks a file.  On false the image is empty.  Release with elf_image_free in any case. */
bool elf_image_read(elf_image *image, const char *path, tool_error *error);
/* The same from memory; takes over data (from malloc) in any case. */
bool elf_image_from_memory(elf_image *image, const char *name, char *data, size_t size, tool_error *error);
void elf_image_free(elf_image *image);

/* Whether a core could start here: a multiple of 4 inside a piece with code. */
bool elf_image_check_entry(const elf_image *image, uint32_t entry, tool_error *error);
/* Loads into one core's memory, all or nothing. */
bool elf_image_load(const elf_image *image, kerr_chip *chip, kerr_xy at, kerr_core core, tool_error *error);
/* The pieces in the core's local RAM once more: to be called after the core has left reset, which clears it. */
bool elf_image_load_local(const elf_image *image, kerr_chip *chip, kerr_xy at, kerr_core core, tool_error *error);
/* Whether bytes of a would lie over bytes of b in a tile's L1; zeroes over zeroes do not count. */
bool elf_image_overlaps(const elf_image *a, const elf_image *b, uint32_t *address);
/* Where what was linked to this address is loaded; what is no code of it stays. */
uint32_t elf_image_loaded(const elf_image *image, uint32_t linked);
/* The address at which the code at pc was linked; false if pc is in none of the pieces with code. */
bool elf_image_linked_pc(const elf_image *image, uint32_t pc, uint32_t *linked);

#endif
