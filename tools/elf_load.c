/* SPDX-License-Identifier: Apache-2.0 */
/* Reads ELF files with libelf and loads them through kerr_load.  What the format allows and a baby core cannot use
 * is refused here, with the reason; what the chip's memory map refuses is found by asking the chip. */
#include "elf_load.h"

#include <elf.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

enum { EF_RISCV_RVC_BIT = 1 }; /* e_flags: compressed instructions (RISC-V ELF psABI, "File Header") */

/* From here up an address means each core's own local RAM and registers; below is the tile's L1 (kerr.h). */
static const uint32_t core_own_from = 0xFFB00000;

static const char *type_name(unsigned type)
{
    return type == ET_REL    ? "an object file: link it first"
           : type == ET_DYN  ? "position independent or a shared library: link it with -no-pie and a linker script"
           : type == ET_CORE ? "a core dump"
                             : "no executable";
}

/* What must be right before libelf is asked to read the rest. */
static bool check_ident(const elf_image *image, tool_error *error)
{
    const char *name = image->name;
    if (image->file_size < EI_NIDENT || memcmp(image->file, ELFMAG, SELFMAG) != 0) {
        return tool_fail(error, "%s: is not an ELF file", name);
    }
    const unsigned char *ident = (const unsigned char *)image->file;
    if (ident[EI_CLASS] != ELFCLASS32) {
        return tool_fail(error, "%s: is %s, but baby cores run 32-bit code: compile with -march=rv32im -mabi=ilp32",
                         name, ident[EI_CLASS] == ELFCLASS64 ? "a 64-bit ELF file" : "an ELF file of unknown class");
    }
    if (ident[EI_DATA] != ELFDATA2LSB) {
        return tool_fail(error, "%s: is %s, but baby cores are little-endian", name,
                         ident[EI_DATA] == ELFDATA2MSB ? "big-endian" : "of unknown byte order");
    }
    if (image->file_size < sizeof(Elf32_Ehdr)) {
        return tool_fail(error, "%s: is truncated: %zu bytes, and the ELF header alone has %zu", name, image->file_size,
                         sizeof(Elf32_Ehdr));
    }
    return true;
}

static bool check_header(const elf_image *image, const GElf_Ehdr *header, tool_error *error)
{
    const char *name = image->name;
    if (header->e_machine != EM_RISCV) {
        return tool_fail(error, "%s: is for machine %u, not for RISC-V (%u)", name, header->e_machine, EM_RISCV);
    }
    if (header->e_type != ET_EXEC) {
        return tool_fail(error, "%s: is %s", name, type_name(header->e_type));
    }
    if ((header->e_flags & EF_RISCV_RVC_BIT) != 0) {
        return tool_fail(
            error, "%s: has compressed instructions, which baby cores do not have: compile with -march=rv32im", name);
    }
    if (header->e_phnum == 0 || header->e_phoff == 0) {
        return tool_fail(error, "%s: has no program headers, so nothing says what to load", name);
    }
    if (header->e_phentsize != sizeof(Elf32_Phdr)) {
        return tool_fail(error, "%s: has program headers of %u bytes instead of %zu", name, header->e_phentsize,
                         sizeof(Elf32_Phdr));
    }
    const uint64_t headers_end = header->e_phoff + (uint64_t)header->e_phnum * header->e_phentsize;
    const uint64_t sections_end =
        header->e_shoff == 0 ? 0 : header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize;
    const uint64_t end = headers_end > sections_end ? headers_end : sections_end;
    if (end > image->file_size) {
        return tool_fail(error, "%s: is truncated: its headers reach to byte %" PRIu64 ", and the file has %zu", name,
                         end, image->file_size);
    }
    return true;
}

static bool add_piece(elf_image *image, unsigned index, const GElf_Phdr *header, tool_error *error)
{
    const char *name = image->name;
    if (header->p_filesz > header->p_memsz) {
        return tool_fail(error, "%s: segment %u has 0x%" PRIx64 " bytes in the file, but only 0x%" PRIx64 " in memory",
                         name, index, header->p_filesz, header->p_memsz);
    }
    if (header->p_offset + header->p_filesz > image->file_size) {
        return tool_fail(error, "%s: is truncated: segment %u reaches to byte %" PRIu64 ", and the file has %zu", name,
                         index, header->p_offset + header->p_filesz, image->file_size);
    }
    const bool moved = header->p_paddr != header->p_vaddr;
    const uint64_t size = moved ? header->p_filesz : header->p_memsz;
    if (header->p_vaddr + header->p_memsz > UINT64_C(1) << 32 || header->p_paddr + size > UINT64_C(1) << 32) {
        return tool_fail(
            error, "%s: segment %u (0x%" PRIx64 " bytes at 0x%" PRIx64 ") reaches past the end of the address space",
            name, index, header->p_memsz, header->p_paddr);
    }
    if (size == 0) {
        return true;
    }
    if (image->piece_count == ELF_PIECES_MAX) {
        return tool_fail(error, "%s: has more than %d segments to load", name, ELF_PIECES_MAX);
    }
    image->pieces[image->piece_count++] = (elf_piece){
        .address = (uint32_t)header->p_vaddr,
        .load_address = (uint32_t)header->p_paddr,
        .file_size = (uint32_t)header->p_filesz,
        .memory_size = (uint32_t)size,
        .data = image->file + header->p_offset,
        .executable = (header->p_flags & PF_X) != 0,
    };
    return true;
}

static bool ranges_meet(uint32_t a, uint32_t a_size, uint32_t b, uint32_t b_size)
{
    return a_size > 0 && b_size > 0 && (uint64_t)a < (uint64_t)b + b_size && (uint64_t)b < (uint64_t)a + a_size;
}

static bool check_pieces(const elf_image *image, tool_error *error)
{
    if (image->piece_count == 0) {
        return tool_fail(error, "%s: has nothing to load", image->name);
    }
    for (size_t i = 0; i < image->piece_count; i++) {
        const elf_piece *a = &image->pieces[i];
        for (size_t k = 0; k < i; k++) {
            const elf_piece *b = &image->pieces[k];
            if (ranges_meet(a->load_address, a->memory_size, b->load_address, b->memory_size)) {
                return tool_fail(error,
                                 "%s: segments overlap: 0x%" PRIx32 " bytes at 0x%" PRIx32 " and 0x%" PRIx32
                                 " bytes at 0x%" PRIx32,
                                 image->name, b->memory_size, b->load_address, a->memory_size, a->load_address);
            }
        }
    }
    return true;
}

bool elf_image_check_entry(const elf_image *image, uint32_t entry, tool_error *error)
{
    if (entry % 4 != 0) {
        return tool_fail(error, "%s: entry 0x%08" PRIx32 " is not a multiple of 4", image->name, entry);
    }
    for (size_t i = 0; i < image->piece_count; i++) {
        const elf_piece *piece = &image->pieces[i];
        if (piece->executable && entry >= piece->load_address && entry - piece->load_address < piece->file_size) {
            return true;
        }
    }
    return tool_fail(error, "%s: entry 0x%08" PRIx32 " is outside the code it loads", image->name, entry);
}

/* Code that is loaded elsewhere than it was linked starts where it is loaded: nothing is at the other place yet. */
uint32_t elf_image_loaded(const elf_image *image, uint32_t linked)
{
    for (size_t i = 0; i < image->piece_count; i++) {
        const elf_piece *piece = &image->pieces[i];
        if (piece->executable && linked >= piece->address && linked - piece->address < piece->file_size) {
            return linked - piece->address + piece->load_address;
        }
    }
    return linked;
}

static bool parse(elf_image *image, tool_error *error)
{
    size_t header_count = 0;
    GElf_Ehdr file_header;
    if (!check_ident(image, error)) {
        return false;
    }
    if (elf_version(EV_CURRENT) != EV_NONE) {
        image->elf = elf_memory(image->file, image->file_size);
    }
    if (image->elf == NULL || gelf_getehdr(image->elf, &file_header) == NULL) {
        return tool_fail(error, "%s: is a damaged ELF file: %s", image->name, elf_errmsg(-1));
    }
    if (!check_header(image, &file_header, error)) {
        return false;
    }
    if (elf_getphdrnum(image->elf, &header_count) != 0) {
        return tool_fail(error, "%s: has damaged program headers: %s", image->name, elf_errmsg(-1));
    }
    for (size_t i = 0; i < header_count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(image->elf, (int)i, &header) == NULL) {
            return tool_fail(error, "%s: program header %zu is damaged: %s", image->name, i, elf_errmsg(-1));
        }
        if (header.p_type == PT_LOAD && header.p_memsz > 0 && !add_piece(image, (unsigned)i, &header, error)) {
            return false;
        }
    }
    if (!check_pieces(image, error)) {
        return false;
    }
    image->entry = elf_image_loaded(image, (uint32_t)file_header.e_entry);
    return elf_image_check_entry(image, image->entry, error);
}

bool elf_image_from_memory(elf_image *image, const char *name, char *data, size_t size, tool_error *error)
{
    *image = (elf_image){.name = name, .file = data, .file_size = size};
    if (!parse(image, error)) {
        elf_image_free(image);
        return false;
    }
    return true;
}

bool elf_image_read(elf_image *image, const char *path, tool_error *error)
{
    char *data;
    size_t size;
    *image = (elf_image){.name = path};
    return file_read(path, ELF_FILE_MAX, &data, &size, error) && elf_image_from_memory(image, path, data, size, error);
}

void elf_image_free(elf_image *image)
{
    if (image->elf != NULL) {
        (void)elf_end(image->elf);
    }
    free(image->file);
    *image = (elf_image){.name = image->name};
}

/* Finds the piece the chip has no memory for, to name it. */
static bool refuse_load(const elf_image *image, const kerr_chip *chip, kerr_xy at, kerr_core core, kerr_status status,
                        tool_error *error)
{
    for (size_t i = 0; status == KERR_BAD_ADDRESS && i < image->piece_count; i++) {
        const elf_piece *piece = &image->pieces[i];
        uint8_t byte;
        const uint32_t last = piece->load_address + (piece->memory_size - 1);
        if (kerr_core_peek(chip, at, core, piece->load_address, &byte, 1) != KERR_OK ||
            kerr_core_peek(chip, at, core, last, &byte, 1) != KERR_OK) {
            return tool_fail(error,
                             "%s: the segment of 0x%" PRIx32 " bytes at 0x%08" PRIx32
                             " is outside the memory of tile %u,%u core %s",
                             image->name, piece->memory_size, piece->load_address, at.x, at.y, kerr_core_name(core));
        }
    }
    return tool_fail(error, "%s: cannot be loaded onto tile %u,%u core %s: %s", image->name, at.x, at.y,
                     kerr_core_name(core), kerr_status_text(status));
}

bool elf_image_load(const elf_image *image, kerr_chip *chip, kerr_xy at, kerr_core core, tool_error *error)
{
    kerr_segment segments[ELF_PIECES_MAX];
    for (size_t i = 0; i < image->piece_count; i++) {
        const elf_piece *piece = &image->pieces[i];
        segments[i] = (kerr_segment){
            .address = piece->load_address,
            .memory_size = piece->memory_size,
            .file_size = piece->file_size,
            .data = piece->file_size > 0 ? piece->data : NULL,
        };
    }
    const kerr_status status = kerr_load(chip, at, core, segments, image->piece_count);
    return status == KERR_OK || refuse_load(image, chip, at, core, status, error);
}

bool elf_image_load_local(const elf_image *image, kerr_chip *chip, kerr_xy at, kerr_core core, tool_error *error)
{
    for (size_t i = 0; i < image->piece_count; i++) {
        const elf_piece *piece = &image->pieces[i];
        if (piece->load_address >= core_own_from && piece->file_size > 0) {
            const kerr_status status =
                kerr_core_poke(chip, at, core, piece->load_address, piece->data, piece->file_size);
            if (status != KERR_OK) {
                return refuse_load(image, chip, at, core, status, error);
            }
        }
    }
    return true;
}

bool elf_image_overlaps(const elf_image *a, const elf_image *b, uint32_t *address)
{
    for (size_t i = 0; i < a->piece_count; i++) {
        const elf_piece *p = &a->pieces[i];
        for (size_t k = 0; k < b->piece_count; k++) {
            const elf_piece *q = &b->pieces[k];
            const uint32_t start = p->load_address > q->load_address ? p->load_address : q->load_address;
            if (start < core_own_from &&
                (ranges_meet(p->load_address, p->file_size, q->load_address, q->memory_size) ||
                 ranges_meet(p->load_address, p->memory_size, q->load_address, q->file_size))) {
                *address = start;
                return true;
            }
        }
    }
    return false;
}

bool elf_image_linked_pc(const elf_image *image, uint32_t pc, uint32_t *linked)
{
    for (size_t i = 0; i < image->piece_count; i++) {
        const elf_piece *piece = &image->pieces[i];
        if (piece->executable && pc >= piece->address && pc - piece->address < piece->file_size) {
            *linked = pc;
            return true;
        }
    }
    for (size_t i = 0; i < image->piece_count; i++) {
        const elf_piece *piece = &image->pieces[i];
        if (piece->executable && pc >= piece->load_address && pc - piece->load_address < piece->file_size) {
            *linked = pc - piece->load_address + piece->address;
            return true;
        }
    }
    return false;
}
