/* SPDX-License-Identifier: Apache-2.0 */
/* What a core is, in gdb's words. */
#include "gdb_session.h"

#include <stdlib.h>

static void add_register(gdb_text *to, const char *name, unsigned number, const char *more)
{
    gdb_add(to, "<reg name=\"%s\" bitsize=\"32\" regnum=\"%u\" %s/>\n", name, number, more);
}

static void add_numbered(gdb_text *to, char letter, unsigned from, const char *more)
{
    for (unsigned i = 0; i < 32; i++) {
        char name[8];
        name[0] = letter;
        name[1] = i < 10 ? (char)('0' + i) : (char)('0' + i / 10);
        name[2] = i < 10 ? '\0' : (char)('0' + i % 10);
        name[3] = '\0';
        add_register(to, name, from + i, more);
    }
}

void gdb_target_xml(gdb_text *to)
{
    static const char *const names[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
                                          "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                          "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    gdb_add(to, "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target>\n"
                "<architecture>riscv:rv32</architecture>\n<feature name=\"org.gnu.gdb.riscv.cpu\">\n");
    for (unsigned i = 0; i < 32; i++) {
        add_register(to, names[i], i, i == 1 ? "type=\"code_ptr\"" : i == 2 ? "type=\"data_ptr\"" : "type=\"int\"");
    }
    add_register(to, "pc", GDB_PC, "type=\"code_ptr\"");
    gdb_add(to, "</feature>\n<feature name=\"org.gnu.gdb.riscv.fpu\">\n");
    add_numbered(to, 'f', GDB_F0, "type=\"ieee_single\"");
    add_register(to, "fflags", GDB_CSR + 1, "type=\"int\"");
    add_register(to, "frm", GDB_CSR + 2, "type=\"int\"");
    add_register(to, "fcsr", GDB_CSR + 3, "type=\"int\"");
    gdb_add(to, "</feature>\n<feature name=\"org.gnu.gdb.riscv.csr\">\n");
    add_register(to, "mcycle", GDB_CSR + 0xB00, "type=\"int\" group=\"csr\"");
    add_register(to, "minstret", GDB_CSR + 0xB02, "type=\"int\" group=\"csr\"");
    gdb_add(to, "</feature>\n<feature name=\"org.kerr.t2.vector\">\n"
                "<vector id=\"words\" type=\"uint32\" count=\"4\"/>\n");
    for (unsigned i = 0; i < 32; i++) {
        gdb_add(to, "<reg name=\"v%u\" bitsize=\"128\" regnum=\"%u\" type=\"words\" group=\"vector\"/>\n", i,
                GDB_V0 + i);
    }
    gdb_add(to, "</feature>\n</target>\n");
}

/* L1, local RAM, and everything that may be a register: gdb asks for nothing else. */
void gdb_memory_xml(const gdb_session *s, gdb_text *to)
{
    const kerr_tile_kind kind = kerr_tile_kind_at(s->general.at);
    const unsigned long l1 = kind == KERR_TILE_TENSIX ? 0x180000 : kind == KERR_TILE_ETH ? 0x80000 : 0x20000;
    gdb_add(to,
            "<?xml version=\"1.0\"?>\n<memory-map>\n"
            "<memory type=\"ram\" start=\"0x0\" length=\"0x%lx\"/>\n"
            "<memory type=\"ram\" start=\"0xffb00000\" length=\"0x2000\"/>\n"
            "<memory type=\"ram\" start=\"0xffb10000\" length=\"0x4f0000\"/>\n</memory-map>\n",
            l1);
}
