/* SPDX-License-Identifier: Apache-2.0 */
/* Random RV32 programs on Kerr and on qemu-riscv32 (user mode), compared register by register and byte by byte.
 *
 *   compare [--batches N] [--programs N] [--seed N] [--dump]
 *
 * Compared: all of RV32I but fence.i, ecall and ebreak; M; Zaamo; Zba; Zbb; pack and brev8 of Zbkb.
 * Not compared, because qemu has another answer or none: CSRs, the F, Zfh and V subsets, grevi, .ttinsn, mret.
 *
 * A batch is one image of several programs, the same words at the same addresses in both worlds, so that link
 * registers and auipc agree too.  Each program sets all registers, runs a random body (straight line, forward
 * branches and jumps, loops two deep with known trip counts, loads, stores and atomics in a buffer of its own) and
 * stores x1..x31.  Only the last words of an image differ: qemu's write out the memory and exit, ours set a flag and
 * spin.  TAP output, one line per batch; exit 77 without qemu. */
#include "../support/random_program.h"

#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CODE = 0x20000,
    DATA = 0xc0000, /* per program: buffer, then registers */
    BUFFER_BYTES = RANDOM_BUFFER_BYTES,
    SLOT_BYTES = BUFFER_BYTES + 32 * 4,
    MAX_PROGRAMS = 64,
    DONE = 0x100,
    BODY_MIN = 40,
    BODY_SPREAD = 160
};

/* ---- Batches ------------------------------------------------------------------------------- */

typedef struct batch {
    uint64_t seed;
    uint32_t programs;
    rvasm *code; /* without its end */
    uint32_t start[MAX_PROGRAMS + 1];
    uint8_t data[MAX_PROGRAMS * SLOT_BYTES];
} batch;

static void make_batch(batch *b, uint64_t seed, uint32_t programs)
{
    memset(b, 0, sizeof *b);
    b->seed = seed;
    b->programs = programs;
    b->code = rva_new(CODE);
    random_program g = {.random = {.state = seed * 0x100000001b3u}, .a = b->code};
    for (uint32_t p = 0; p < programs; p++) {
        uint32_t slot = DATA + p * SLOT_BYTES;
        b->start[p] = rva_here(b->code);
        for (size_t i = 0; i < BUFFER_BYTES; i += 4) {
            uint32_t value = random_value(&g.random);
            memcpy(b->data + p * SLOT_BYTES + i, &value, 4);
        }
        random_registers(&g, slot);
        random_body(&g, BODY_MIN + test_below(&g.random, BODY_SPREAD));
        rva_li(b->code, RANDOM_COUNTER0, slot + BUFFER_BYTES);
        for (unsigned reg = 1; reg < 32; reg++) {
            rva(b->code, rv_sw(reg, (int32_t)reg * 4, RANDOM_COUNTER0));
        }
    }
    b->start[programs] = rva_here(b->code);
}

static size_t data_bytes(const batch *b)
{
    return (size_t)b->programs * SLOT_BYTES;
}

/* ---- qemu ---------------------------------------------------------------------------------- */

/* write(1, DATA, size), exit(0) */
static void add_qemu_end(const batch *b, rvasm *code)
{
    rva_li(code, A0, 1);
    rva_li(code, A1, DATA);
    rva_li(code, A2, (uint32_t)data_bytes(b));
    rva_li(code, A7, 64);
    rva(code, rv_ecall());
    rva_li(code, A0, 0);
    rva_li(code, A7, 93);
    rva(code, rv_ecall());
}

static bool write_elf(const batch *b, const rvasm *code, const char *path)
{
    struct {
        Elf32_Ehdr header;
        Elf32_Phdr segment[2];
    } head = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = EM_RISCV,
                   .e_version = EV_CURRENT,
                   .e_entry = CODE,
                   .e_phoff = sizeof(Elf32_Ehdr),
                   .e_ehsize = sizeof(Elf32_Ehdr),
                   .e_phentsize = sizeof(Elf32_Phdr),
                   .e_phnum = 2,
                   .e_shentsize = sizeof(Elf32_Shdr)},
        .segment = {{.p_type = PT_LOAD,
                     .p_offset = 0x1000,
                     .p_vaddr = CODE,
                     .p_paddr = CODE,
                     .p_filesz = (Elf32_Word)code->count * 4,
                     .p_memsz = (Elf32_Word)code->count * 4,
                     .p_flags = PF_R | PF_X,
                     .p_align = 0x1000},
                    {.p_type = PT_LOAD,
                     .p_vaddr = DATA,
                     .p_paddr = DATA,
                     .p_filesz = (Elf32_Word)data_bytes(b),
                     .p_memsz = (Elf32_Word)data_bytes(b),
                     .p_flags = PF_R | PF_W,
                     .p_align = 0x1000}},
    };
    long data_offset = 0x1000 + (long)((code->count * 4 + 0xfff) & ~(size_t)0xfff);
    head.segment[1].p_offset = (Elf32_Off)data_offset;
    FILE *f = fopen(path, "wb");
    bool good = f && fwrite(&head, sizeof head, 1, f) == 1 && fseek(f, 0x1000, SEEK_SET) == 0 &&
                fwrite(code->word, 4, code->count, f) == code->count && fseek(f, data_offset, SEEK_SET) == 0 &&
                fwrite(b->data, 1, data_bytes(b), f) == data_bytes(b);
    return f && fclose(f) == 0 && good && chmod(path, 0755) == 0;
}

static bool run_qemu(const batch *b, const char *directory, uint8_t *result)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/batch.elf", directory);
    rvasm *code = rva_new(CODE);
    *code = *b->code;
    add_qemu_end(b, code);
    bool written = write_elf(b, code, path);
    free(code);
    int channel[2];
    if (!written || pipe(channel) != 0) {
        perror(path);
        return false;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, channel[1], 1);
    posix_spawn_file_actions_addclose(&actions, channel[0]);
    char qemu[] = "qemu-riscv32", cpu[] = "-cpu", features[] = "rv32,zba=true,zbb=true,zbkb=true";
    char *arguments[] = {qemu, cpu, features, path, NULL};
    pid_t child;
    int error = posix_spawnp(&child, qemu, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(channel[1]);
    size_t got = 0;
    if (error == 0) {
        for (ssize_t n; got < data_bytes(b) && (n = read(channel[0], result + got, data_bytes(b) - got)) > 0;) {
            got += (size_t)n;
        }
        int status = 0;
        waitpid(child, &status, 0);
        error = !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    close(channel[0]);
    unlink(path);
    return error == 0 && got == data_bytes(b);
}

static bool have_qemu(void)
{
    return system("qemu-riscv32 --version >/dev/null 2>&1") == 0;
}

/* ---- Kerr ---------------------------------------------------------------------------------- */

static void start_kerr(kerr_chip *chip, const batch *b, kerr_xy at, kerr_core core)
{
    rvasm *code = rva_new(CODE);
    *code = *b->code;
    rva_li(code, T0, 1);
    rva(code, rv_sw(T0, DONE, X0));
    rva_end(code);
    MUST(chip, kerr_poke(chip, at, DATA, b->data, data_bytes(b)));
    chip_start(chip, at, core, code);
    free(code);
}

/* ---- Both ---------------------------------------------------------------------------------- */

static bool compare(const batch *b, const uint8_t *qemu, const uint8_t *kerr)
{
    unsigned differing = 0;
    for (uint32_t p = 0; p < b->programs; p++) {
        for (uint32_t i = 0; i < SLOT_BYTES; i += 4) {
            uint32_t want, got;
            memcpy(&want, qemu + p * SLOT_BYTES + i, 4);
            memcpy(&got, kerr + p * SLOT_BYTES + i, 4);
            if (want != got && differing++ < 8) {
                bool is_register = i >= BUFFER_BYTES;
                printf("# seed %" PRIu64 " program %" PRIu32 " (0x%" PRIx32 "..0x%" PRIx32 "): %s%" PRIu32
                       ": qemu 0x%08" PRIx32 ", kerr 0x%08" PRIx32 "\n",
                       b->seed, p, b->start[p], b->start[p + 1], is_register ? "x" : "buffer+",
                       is_register ? (i - BUFFER_BYTES) / 4 : i, want, got);
            }
        }
    }
    return differing == 0;
}

static void dump(const batch *b)
{
    for (size_t i = 0; i < b->code->count; i++) {
        printf("# %08" PRIx32 ": %08" PRIx32 "\n", CODE + (uint32_t)i * 4, b->code->word[i]);
    }
}

int main(int argc, char **argv)
{
    uint32_t batches = 20, programs = 16;
    uint64_t seed = 1;
    bool want_dump = false;
    for (int i = 1; i < argc; i++) {
        uint32_t value = i + 1 < argc ? (uint32_t)strtoul(argv[i + 1], NULL, 0) : 0;
        if (strcmp(argv[i], "--dump") == 0) {
            want_dump = true;
        } else if (strcmp(argv[i], "--batches") == 0 && ++i < argc) {
            batches = value;
        } else if (strcmp(argv[i], "--programs") == 0 && ++i < argc && value >= 1 && value <= MAX_PROGRAMS) {
            programs = value;
        } else if (strcmp(argv[i], "--seed") == 0 && ++i < argc) {
            seed = value;
        } else {
            fprintf(stderr, "usage: compare [--batches N] [--programs 1..%d] [--seed N] [--dump]\n", MAX_PROGRAMS);
            return 2;
        }
    }
    if (!have_qemu()) {
        puts("SKIP: missing tool qemu-riscv32");
        return 77;
    }
    char directory[4096];
    const char *given = getenv("KERR_TEST_TMP");
    snprintf(directory, sizeof directory, "%s/qemuXXXXXX", given ? given : "/tmp");
    if (!mkdtemp(directory)) {
        perror(directory);
        return 1;
    }
    kerr_chip *chip = chip_new(NULL);
    static batch b[KERR_TENSIX_TILES];
    static uint8_t from_qemu[sizeof b->data], from_kerr[sizeof b->data];
    unsigned failed = 0;
    for (uint32_t done = 0; done < batches;) {
        uint32_t now = batches - done < KERR_TENSIX_TILES ? batches - done : KERR_TENSIX_TILES;
        MUST(chip, kerr_reset(chip));
        for (uint32_t i = 0; i < now; i++) {
            make_batch(&b[i], seed + done + i, programs);
            start_kerr(chip, &b[i], kerr_tensix_xy(i), (kerr_core)(i % KERR_CORE_COUNT));
        }
        for (uint32_t i = 0; i < now; i++) {
            kerr_xy at = kerr_tensix_xy(i);
            chip_run_until_word(chip, at, DONE, 1, 50000000);
            MUST(chip, kerr_peek(chip, at, DATA, from_kerr, data_bytes(&b[i])));
            bool good = run_qemu(&b[i], directory, from_qemu);
            if (!good) {
                printf("# qemu-riscv32 failed on seed %" PRIu64 "\n", b[i].seed);
            }
            good = good && compare(&b[i], from_qemu, from_kerr);
            failed += !good;
            printf("%s %" PRIu32 " - %" PRIu32 " programs of seed %" PRIu64 " on %s\n", good ? "ok" : "not ok",
                   done + i + 1, programs, b[i].seed, kerr_core_name((kerr_core)(i % KERR_CORE_COUNT)));
            if (!good && want_dump) {
                dump(&b[i]);
            }
            free(b[i].code);
        }
        done += now;
    }
    printf("1..%" PRIu32 "\n", batches);
    kerr_destroy(chip);
    rmdir(directory);
    return failed != 0;
}
