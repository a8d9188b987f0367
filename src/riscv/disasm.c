/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what isa/rv32.isa has as one row: F and Zfh (RISC-V unprivileged ISA, "F", "Zfh") and V 1.0. */
#include "riscv/disasm.h"

#include "riscv/fp.h"
#include "riscv/vec.h"
#include "rv32_ops.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    OPCODE_LOAD_FP = 0x07,
    OPCODE_STORE_FP = 0x27,
    OPCODE_OP_FP = 0x53,
    FORM_OPIVV = 0,
    FORM_OPFVV = 1,
    FORM_OPMVV = 2,
    FORM_OPIVI = 3,
    FORM_OPIVX = 4,
    FORM_OPFVF = 5,
    FORM_OPMVX = 6,
    FORM_OPCFG = 7
};

static const char x_name[32][5] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                   "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                   "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
static const char f_name[32][5] = {"ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
                                   "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
                                   "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

typedef struct word {
    uint32_t bits, pc;
} word;

static uint32_t part(word w, unsigned low, unsigned count)
{
    return w.bits >> low & ((1u << count) - 1);
}

static const char *rd(word w)
{
    return x_name[part(w, 7, 5)];
}

static const char *rs1(word w)
{
    return x_name[part(w, 15, 5)];
}

static const char *rs2(word w)
{
    return x_name[part(w, 20, 5)];
}

static const char *fd(word w)
{
    return f_name[part(w, 7, 5)];
}

static const char *fs1(word w)
{
    return f_name[part(w, 15, 5)];
}

static const char *fs2(word w)
{
    return f_name[part(w, 20, 5)];
}

static int32_t imm_i(word w)
{
    return (int32_t)w.bits >> 20;
}

static int32_t imm_s(word w)
{
    return (int32_t)(w.bits & 0xfe000000u) >> 20 | (int32_t)part(w, 7, 5);
}

static uint32_t target_b(word w)
{
    const uint32_t sign = (uint32_t)((int32_t)w.bits >> 31) << 12;
    return w.pc + (sign | part(w, 7, 1) << 11 | part(w, 25, 6) << 5 | part(w, 8, 4) << 1);
}

static uint32_t target_j(word w)
{
    const uint32_t sign = (uint32_t)((int32_t)w.bits >> 31) << 20;
    return w.pc + (sign | part(w, 12, 8) << 12 | part(w, 20, 1) << 11 | part(w, 21, 10) << 1);
}

/* ---- CSRs ------------------------------------------------------------------------------------------------------ */

static const struct {
    uint16_t number;
    char name[16];
} csr_names[] = {
    {0x001, "fflags"},   {0x002, "frm"},        {0x003, "fcsr"},          {0x008, "vstart"},   {0x009, "vxsat"},
    {0x00a, "vxrm"},     {0x00f, "vcsr"},       {0x300, "mstatus"},       {0x301, "misa"},     {0x304, "mie"},
    {0x305, "mtvec"},    {0x306, "mcounteren"}, {0x320, "mcountinhibit"}, {0x340, "mscratch"}, {0x341, "mepc"},
    {0x342, "mcause"},   {0x343, "mtval"},      {0x344, "mip"},           {0xb00, "mcycle"},   {0xb02, "minstret"},
    {0xb80, "mcycleh"},  {0xb82, "minstreth"},  {0xc00, "cycle"},         {0xc01, "time"},     {0xc02, "instret"},
    {0xc20, "vl"},       {0xc21, "vtype"},      {0xc22, "vlenb"},         {0xc80, "cycleh"},   {0xc81, "timeh"},
    {0xc82, "instreth"}, {0xf11, "mvendorid"},  {0xf12, "marchid"},       {0xf13, "mimpid"},   {0xf14, "mhartid"}};

static void put_csr(word w, const char *name, const char *source, char *buffer, size_t size)
{
    const uint32_t number = part(w, 20, 12);
    for (size_t i = 0; i < sizeof csr_names / sizeof csr_names[0]; i++) {
        if (csr_names[i].number == number) {
            (void)snprintf(buffer, size, "%s %s,%s,%s", name, rd(w), csr_names[i].name, source);
            return;
        }
    }
    (void)snprintf(buffer, size, "%s %s,0x%" PRIx32 ",%s", name, rd(w), number, source);
}

static void put_fence_set(uint32_t set, char text[static 8])
{
    unsigned used = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (set >> (3 - i) & 1) {
            text[used++] = "iorw"[i];
        }
    }
    text[used] = '\0';
    if (used == 0) {
        (void)snprintf(text, 8, "unknown");
    }
}

static void put_fence(word w, char *buffer, size_t size)
{
    char before[8], after[8];
    put_fence_set(part(w, 24, 4), before);
    put_fence_set(part(w, 20, 4), after);
    (void)snprintf(buffer, size, "fence %s,%s", before, after);
}

/* ---- F and Zfh ------------------------------------------------------------------------------------------------- */

/* The rounding mode as an operand; nothing for the dynamic one. */
static const char *rounding(word w)
{
    static const char text[8][12] = {",rne", ",rtz", ",rdn", ",rup", ",rmm", ",unknown", ",unknown", ""};
    return text[part(w, 12, 3)];
}

static void put_op_fp(word w, char *buffer, size_t size)
{
    const char *width = part(w, 25, 2) == 2 ? "h" : "s";
    const char *whole = part(w, 25, 2) == 2 ? "h" : "w";
    const uint32_t rm = part(w, 12, 3), source = part(w, 20, 5);
    const char *sign = (source & 1) != 0 ? "wu" : "w";
    switch (part(w, 27, 5)) {
    case 0x00: (void)snprintf(buffer, size, "fadd.%s %s,%s,%s%s", width, fd(w), fs1(w), fs2(w), rounding(w)); break;
    case 0x01: (void)snprintf(buffer, size, "fsub.%s %s,%s,%s%s", width, fd(w), fs1(w), fs2(w), rounding(w)); break;
    case 0x02: (void)snprintf(buffer, size, "fmul.%s %s,%s,%s%s", width, fd(w), fs1(w), fs2(w), rounding(w)); break;
    case 0x04:
        (void)snprintf(buffer, size, "fsgnj%s.%s %s,%s,%s",
                       rm == 0   ? ""
                       : rm == 1 ? "n"
                                 : "x",
                       width, fd(w), fs1(w), fs2(w));
        break;
    case 0x05:
        (void)snprintf(buffer, size, "%s.%s %s,%s,%s", rm == 0 ? "fmin" : "fmax", width, fd(w), fs1(w), fs2(w));
        break;
    case 0x08: /* between the formats: rounds only where it narrows */
        (void)snprintf(buffer, size, "fcvt.%s.%s %s,%s%s", width, source == 2 ? "h" : "s", fd(w), fs1(w),
                       source == 2 ? "" : rounding(w));
        break;
    case 0x14:
        (void)snprintf(buffer, size, "%s.%s %s,%s,%s",
                       rm == 0   ? "fle"
                       : rm == 1 ? "flt"
                                 : "feq",
                       width, rd(w), fs1(w), fs2(w));
        break;
    case 0x18: (void)snprintf(buffer, size, "fcvt.%s.%s %s,%s%s", sign, width, rd(w), fs1(w), rounding(w)); break;
    case 0x1a: (void)snprintf(buffer, size, "fcvt.%s.%s %s,%s%s", width, sign, fd(w), rs1(w), rounding(w)); break;
    case 0x1c:
        if (rm == 1) {
            (void)snprintf(buffer, size, "fclass.%s %s,%s", width, rd(w), fs1(w));
        } else {
            (void)snprintf(buffer, size, "fmv.x.%s %s,%s", whole, rd(w), fs1(w));
        }
        break;
    case 0x1e: (void)snprintf(buffer, size, "fmv.%s.x %s,%s", whole, fd(w), rs1(w)); break;
    default: (void)snprintf(buffer, size, ".word 0x%08" PRIx32, w.bits); break;
    }
}

static void put_fp(word w, char *buffer, size_t size)
{
    static const char fused[4][8] = {"fmadd", "fmsub", "fnmsub", "fnmadd"};
    if (part(w, 0, 7) == OPCODE_OP_FP) {
        put_op_fp(w, buffer, size);
        return;
    }
    (void)snprintf(buffer, size, "%s.%s %s,%s,%s,%s%s", fused[part(w, 2, 2)], part(w, 25, 2) == 2 ? "h" : "s", fd(w),
                   fs1(w), fs2(w), f_name[part(w, 27, 5)], rounding(w));
}

/* ---- V --------------------------------------------------------------------------------------------------------- */

/* By funct6; "" where there is none.  What takes its name from other fields too is in put_vector. */
static const char names_opi[64][12] = {
    [0x00] = "vadd",      [0x02] = "vsub",     [0x03] = "vrsub",      [0x04] = "vminu",   [0x05] = "vmin",
    [0x06] = "vmaxu",     [0x07] = "vmax",     [0x09] = "vand",       [0x0a] = "vor",     [0x0b] = "vxor",
    [0x0c] = "vrgather",  [0x0e] = "vslideup", [0x0f] = "vslidedown", [0x10] = "vadc",    [0x11] = "vmadc",
    [0x12] = "vsbc",      [0x13] = "vmsbc",    [0x17] = "vmerge",     [0x18] = "vmseq",   [0x19] = "vmsne",
    [0x1a] = "vmsltu",    [0x1b] = "vmslt",    [0x1c] = "vmsleu",     [0x1d] = "vmsle",   [0x1e] = "vmsgtu",
    [0x1f] = "vmsgt",     [0x20] = "vsaddu",   [0x21] = "vsadd",      [0x22] = "vssubu",  [0x23] = "vssub",
    [0x25] = "vsll",      [0x27] = "vsmul",    [0x28] = "vsrl",       [0x29] = "vsra",    [0x2a] = "vssrl",
    [0x2b] = "vssra",     [0x2c] = "vnsrl",    [0x2d] = "vnsra",      [0x2e] = "vnclipu", [0x2f] = "vnclip",
    [0x30] = "vwredsumu", [0x31] = "vwredsum"};
static const char names_opm[64][12] = {
    [0x00] = "vredsum", [0x01] = "vredand",  [0x02] = "vredor",    [0x03] = "vredxor",     [0x04] = "vredminu",
    [0x05] = "vredmin", [0x06] = "vredmaxu", [0x07] = "vredmax",   [0x08] = "vaaddu",      [0x09] = "vaadd",
    [0x0a] = "vasubu",  [0x0b] = "vasub",    [0x0e] = "vslide1up", [0x0f] = "vslide1down", [0x17] = "vcompress",
    [0x18] = "vmandn",  [0x19] = "vmand",    [0x1a] = "vmor",      [0x1b] = "vmxor",       [0x1c] = "vmorn",
    [0x1d] = "vmnand",  [0x1e] = "vmnor",    [0x1f] = "vmxnor",    [0x24] = "vmulhu",      [0x25] = "vmul",
    [0x26] = "vmulhsu", [0x27] = "vmulh",    [0x29] = "vmadd",     [0x2b] = "vnmsub",      [0x2d] = "vmacc",
    [0x2f] = "vnmsac",  [0x30] = "vwaddu",   [0x31] = "vwadd",     [0x32] = "vwsubu",      [0x33] = "vwsub",
    [0x34] = "vwaddu",  [0x35] = "vwadd",    [0x36] = "vwsubu",    [0x37] = "vwsub",       [0x38] = "vwmulu",
    [0x3a] = "vwmulsu", [0x3b] = "vwmul",    [0x3c] = "vwmaccu",   [0x3d] = "vwmacc",      [0x3e] = "vwmaccus",
    [0x3f] = "vwmaccsu"};
static const char names_opf[64][16] = {
    [0x00] = "vfadd",    [0x01] = "vfredusum",  [0x02] = "vfsub",        [0x03] = "vfredosum",  [0x04] = "vfmin",
    [0x05] = "vfredmin", [0x06] = "vfmax",      [0x07] = "vfredmax",     [0x08] = "vfsgnj",     [0x09] = "vfsgnjn",
    [0x0a] = "vfsgnjx",  [0x0e] = "vfslide1up", [0x0f] = "vfslide1down", [0x17] = "vfmerge",    [0x18] = "vmfeq",
    [0x19] = "vmfle",    [0x1b] = "vmflt",      [0x1c] = "vmfne",        [0x1d] = "vmfgt",      [0x1f] = "vmfge",
    [0x24] = "vfmul",    [0x27] = "vfrsub",     [0x28] = "vfmadd",       [0x29] = "vfnmadd",    [0x2a] = "vfmsub",
    [0x2b] = "vfnmsub",  [0x2c] = "vfmacc",     [0x2d] = "vfnmacc",      [0x2e] = "vfmsac",     [0x2f] = "vfnmsac",
    [0x30] = "vfwadd",   [0x31] = "vfwredusum", [0x32] = "vfwsub",       [0x33] = "vfwredosum", [0x34] = "vfwadd",
    [0x36] = "vfwsub",   [0x38] = "vfwmul",     [0x3c] = "vfwmacc",      [0x3d] = "vfwnmacc",   [0x3e] = "vfwmsac",
    [0x3f] = "vfwnmsac"};
static const char names_convert[32][20] = {
    [0x00] = "vfcvt.xu.f.v",     [0x01] = "vfcvt.x.f.v",     [0x02] = "vfcvt.f.xu.v",     [0x03] = "vfcvt.f.x.v",
    [0x06] = "vfcvt.rtz.xu.f.v", [0x07] = "vfcvt.rtz.x.f.v", [0x08] = "vfwcvt.xu.f.v",    [0x09] = "vfwcvt.x.f.v",
    [0x0a] = "vfwcvt.f.xu.v",    [0x0b] = "vfwcvt.f.x.v",    [0x0c] = "vfwcvt.f.f.v",     [0x0e] = "vfwcvt.rtz.xu.f.v",
    [0x0f] = "vfwcvt.rtz.x.f.v", [0x10] = "vfncvt.xu.f.w",   [0x11] = "vfncvt.x.f.w",     [0x12] = "vfncvt.f.xu.w",
    [0x13] = "vfncvt.f.x.w",     [0x14] = "vfncvt.f.f.w",    [0x15] = "vfncvt.rod.f.f.w", [0x16] = "vfncvt.rtz.xu.f.w",
    [0x17] = "vfncvt.rtz.x.f.w"};
static const char names_extend[8][12] = {
    [0x04] = "vzext.vf4", [0x05] = "vsext.vf4", [0x06] = "vzext.vf2", [0x07] = "vsext.vf2"};

static void put_vtype(uint32_t vtype, char *buffer, size_t size)
{
    static const char lmul[8][4] = {"m1", "m2", "m4", "m8", "?", "mf8", "mf4", "mf2"};
    const uint32_t known = 0xff;
    if ((vtype & ~known) != 0 || (vtype & 7) == 4 || (vtype >> 3 & 7) > 3) {
        (void)snprintf(buffer, size, "%" PRIu32, vtype);
        return;
    }
    (void)snprintf(buffer, size, "e%u,%s,%s,%s", 8u << (vtype >> 3 & 7), lmul[vtype & 7],
                   (vtype & 0x40) != 0 ? "ta" : "tu", (vtype & 0x80) != 0 ? "ma" : "mu");
}

static void put_vector_config(word w, char *buffer, size_t size)
{
    char vtype[24];
    if (part(w, 31, 1) == 0) {
        put_vtype(part(w, 20, 11), vtype, sizeof vtype);
        (void)snprintf(buffer, size, "vsetvli %s,%s,%s", rd(w), rs1(w), vtype);
    } else if (part(w, 30, 1) != 0) {
        put_vtype(part(w, 20, 10), vtype, sizeof vtype);
        (void)snprintf(buffer, size, "vsetivli %s,%" PRIu32 ",%s", rd(w), part(w, 15, 5), vtype);
    } else {
        (void)snprintf(buffer, size, "vsetvl %s,%s,%s", rd(w), rs1(w), rs2(w));
    }
}

/* One vector source; its name by position. */
#define V_MASK(w) (part(w, 25, 1) != 0 ? "" : ",v0.t")

/* OPMVV and OPFVV words whose operation is in the field of vs1.  False if this is none of them. */
static bool put_vector_unary(word w, char *buffer, size_t size)
{
    static const char set_first[4][8] = {"?", "vmsbf.m", "vmsof.m", "vmsif.m"};
    const uint32_t funct6 = part(w, 26, 6), vd = part(w, 7, 5), vs1 = part(w, 15, 5), vs2 = part(w, 20, 5);
    const bool is_float = part(w, 12, 3) == FORM_OPFVV;
    if (is_float && funct6 == 0x12) {
        (void)snprintf(buffer, size, "%s v%u,v%u%s", names_convert[vs1], vd, vs2, V_MASK(w));
    } else if (is_float && funct6 == 0x13) {
        (void)snprintf(buffer, size, "vfclass.v v%u,v%u%s", vd, vs2, V_MASK(w));
    } else if (is_float && funct6 == 0x10) {
        (void)snprintf(buffer, size, "vfmv.f.s %s,v%u", fd(w), vs2);
    } else if (!is_float && funct6 == 0x10 && vs1 == 0) {
        (void)snprintf(buffer, size, "vmv.x.s %s,v%u", rd(w), vs2);
    } else if (!is_float && funct6 == 0x10) {
        (void)snprintf(buffer, size, "%s %s,v%u%s", vs1 == 0x10 ? "vcpop.m" : "vfirst.m", rd(w), vs2, V_MASK(w));
    } else if (!is_float && funct6 == 0x12) {
        (void)snprintf(buffer, size, "%s v%u,v%u%s", names_extend[vs1 & 7], vd, vs2, V_MASK(w));
    } else if (!is_float && funct6 == 0x14 && vs1 == 0x11) {
        (void)snprintf(buffer, size, "vid.v v%u%s", vd, V_MASK(w));
    } else if (!is_float && funct6 == 0x14) {
        (void)snprintf(buffer, size, "%s v%u,v%u%s", vs1 == 0x10 ? "viota.m" : set_first[vs1 & 3], vd, vs2, V_MASK(w));
    } else {
        return false;
    }
    return true;
}

/* Moves into vectors, whole or element 0.  False if this is none of them. */
static bool put_vector_move(word w, char *buffer, size_t size)
{
    const uint32_t form = part(w, 12, 3), funct6 = part(w, 26, 6), vd = part(w, 7, 5), vs1 = part(w, 15, 5);
    const int32_t immediate = (int32_t)(w.bits << 12) >> 27;
    if (form == FORM_OPIVI && funct6 == 0x27) {
        (void)snprintf(buffer, size, "vmv%ur.v v%u,v%u", vs1 + 1, vd, part(w, 20, 5));
    } else if (form == FORM_OPMVX && funct6 == 0x10) {
        (void)snprintf(buffer, size, "vmv.s.x v%u,%s", vd, rs1(w));
    } else if (form == FORM_OPFVF && funct6 == 0x10) {
        (void)snprintf(buffer, size, "vfmv.s.f v%u,%s", vd, fs1(w));
    } else if (funct6 == 0x17 && part(w, 25, 1) != 0 && form == FORM_OPIVV) {
        (void)snprintf(buffer, size, "vmv.v.v v%u,v%u", vd, vs1);
    } else if (funct6 == 0x17 && part(w, 25, 1) != 0 && form == FORM_OPIVX) {
        (void)snprintf(buffer, size, "vmv.v.x v%u,%s", vd, rs1(w));
    } else if (funct6 == 0x17 && part(w, 25, 1) != 0 && form == FORM_OPIVI) {
        (void)snprintf(buffer, size, "vmv.v.i v%u,%" PRId32, vd, immediate);
    } else if (funct6 == 0x17 && part(w, 25, 1) != 0 && form == FORM_OPFVF) {
        (void)snprintf(buffer, size, "vfmv.v.f v%u,%s", vd, fs1(w));
    } else {
        return false;
    }
    return true;
}

/* What stands behind the name: "vv", "wx", "mm", "vs", ... */
static void put_suffix(word w, char text[static 4])
{
    const uint32_t form = part(w, 12, 3), funct6 = part(w, 26, 6);
    const bool opm = form == FORM_OPMVV || form == FORM_OPMVX, opf = form == FORM_OPFVV || form == FORM_OPFVF;
    const bool opi = !opm && !opf;
    const char last = form == FORM_OPIVI                         ? 'i'
                      : form == FORM_OPIVX || form == FORM_OPMVX ? 'x'
                      : form == FORM_OPFVF                       ? 'f'
                                                                 : 'v';
    const bool wide = (opi && funct6 >= 0x2c && funct6 <= 0x2f) || (!opi && funct6 >= 0x34 && funct6 <= 0x37);
    const bool reduces =
        (opm && funct6 < 8) || (opi && funct6 >= 0x30) ||
        (opf && (funct6 == 1 || funct6 == 3 || funct6 == 5 || funct6 == 7 || funct6 == 0x31 || funct6 == 0x33));
    text[0] = (char)(wide ? 'w' : 'v');
    text[1] = (char)(reduces ? 's' : last);
    text[2] = '\0';
    if (opm && funct6 >= 0x17 && funct6 <= 0x1f) {
        text[0] = (char)(funct6 == 0x17 ? 'v' : 'm');
        text[1] = 'm';
    } else if (opi && (funct6 == 0x10 || funct6 == 0x12 || funct6 == 0x17 ||
                       ((funct6 == 0x11 || funct6 == 0x13) && part(w, 25, 1) == 0))) {
        text[2] = 'm'; /* v0 is an operand, not a mask */
        text[3] = '\0';
    } else if (opf && funct6 == 0x17) {
        text[2] = 'm';
        text[3] = '\0';
    }
}

static void put_vector_arithmetic(word w, char *buffer, size_t size)
{
    const uint32_t form = part(w, 12, 3), funct6 = part(w, 26, 6), vd = part(w, 7, 5), vs1 = part(w, 15, 5);
    const uint32_t vs2 = part(w, 20, 5);
    const bool opm = form == FORM_OPMVV || form == FORM_OPMVX, opf = form == FORM_OPFVV || form == FORM_OPFVF;
    const char *name = opm ? names_opm[funct6] : opf ? names_opf[funct6] : names_opi[funct6];
    const bool shifts =
        !opm && !opf && (funct6 == 0x0c || funct6 == 0x0e || funct6 == 0x0f || (funct6 >= 0x25 && funct6 <= 0x2f));
    char suffix[4], b[8];
    put_suffix(w, suffix);
    if (form == FORM_OPIVI && shifts) {
        (void)snprintf(b, sizeof b, "%" PRIu32, vs1);
    } else if (form == FORM_OPIVI) {
        (void)snprintf(b, sizeof b, "%" PRId32, (int32_t)(w.bits << 12) >> 27);
    } else {
        (void)snprintf(b, sizeof b, "%s",
                       form == FORM_OPIVX || form == FORM_OPMVX ? rs1(w)
                       : form == FORM_OPFVF                     ? fs1(w)
                                                                : "");
    }
    if (b[0] == '\0') {
        (void)snprintf(b, sizeof b, "v%" PRIu32, vs1);
    }
    if (form == FORM_OPIVV && funct6 == 0x0e) {
        name = "vrgatherei16";
    }
    /* Multiply-add has the accumulator's other factor before vs2. */
    const bool fused = (opm && ((funct6 >= 0x29 && funct6 <= 0x2f) || funct6 >= 0x3c)) ||
                       (opf && ((funct6 >= 0x28 && funct6 <= 0x2f) || funct6 >= 0x3c));
    const char *mask = suffix[2] == 'm' ? ",v0" : V_MASK(w);
    if (opm && funct6 >= 0x17 && funct6 <= 0x1f) {
        mask = "";
    }
    if (fused) {
        (void)snprintf(buffer, size, "%s.%s v%u,%s,v%u%s", name, suffix, vd, b, vs2, mask);
    } else {
        (void)snprintf(buffer, size, "%s.%s v%u,v%u,%s%s", name, suffix, vd, vs2, b, mask);
    }
}

static void put_vector_memory(word w, char *buffer, size_t size)
{
    static const char width_of[8] = {8, 0, 0, 0, 0, 16, 32, 64};
    const bool store = part(w, 0, 7) == OPCODE_STORE_FP;
    const uint32_t bits = (uint32_t)width_of[part(w, 12, 3)], fields = part(w, 29, 3) + 1, mode = part(w, 26, 2);
    const uint32_t vd = part(w, 7, 5), how = part(w, 20, 5);
    const char *verb = store ? "s" : "l";
    char seg[8] = "";
    if (fields > 1) {
        (void)snprintf(seg, sizeof seg, "seg%u", fields);
    }
    if (mode == 0 && how == 0x08) {
        if (store) {
            (void)snprintf(buffer, size, "vs%ur.v v%u,(%s)", fields, vd, rs1(w));
        } else {
            (void)snprintf(buffer, size, "vl%ure%u.v v%u,(%s)", fields, bits, vd, rs1(w));
        }
    } else if (mode == 0 && how == 0x0b) {
        (void)snprintf(buffer, size, "v%sm.v v%u,(%s)", verb, vd, rs1(w));
    } else if (mode == 0) {
        (void)snprintf(buffer, size, "v%s%se%u%s.v v%u,(%s)%s", verb, seg, bits, how == 0x10 ? "ff" : "", vd, rs1(w),
                       V_MASK(w));
    } else if (mode == 2) {
        (void)snprintf(buffer, size, "v%ss%se%u.v v%u,(%s),%s%s", verb, seg, bits, vd, rs1(w), rs2(w), V_MASK(w));
    } else {
        (void)snprintf(buffer, size, "v%s%sx%sei%u.v v%u,(%s),v%u%s", verb, mode == 1 ? "u" : "o", seg, bits, vd,
                       rs1(w), how, V_MASK(w));
    }
}

static void put_vector(word w, char *buffer, size_t size)
{
    const uint32_t form = part(w, 12, 3);
    if (part(w, 0, 7) == OPCODE_LOAD_FP || part(w, 0, 7) == OPCODE_STORE_FP) {
        put_vector_memory(w, buffer, size);
    } else if (form == FORM_OPCFG) {
        put_vector_config(w, buffer, size);
    } else if ((form != FORM_OPMVV && form != FORM_OPFVV) || !put_vector_unary(w, buffer, size)) {
        if (!put_vector_move(w, buffer, size)) {
            put_vector_arithmetic(w, buffer, size);
        }
    }
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static void put_by_format(word w, rv_op op, char *buffer, size_t size)
{
    static const char order[4][6] = {"", ".rl", ".aq", ".aqrl"};
    const char *name = rv_op_name(op);
    const rv_class kind = rv_op_class(op);
    switch (rv_op_format(op)) {
    case RV_FMT_R: (void)snprintf(buffer, size, "%s %s,%s,%s", name, rd(w), rs1(w), rs2(w)); break;
    case RV_FMT_I:
        if (kind == RV_CLASS_LOAD || kind == RV_CLASS_FLOAD || kind == RV_CLASS_JUMP) {
            (void)snprintf(buffer, size, "%s %s,%" PRId32 "(%s)", name, kind == RV_CLASS_FLOAD ? fd(w) : rd(w),
                           imm_i(w), rs1(w));
        } else {
            (void)snprintf(buffer, size, "%s %s,%s,%" PRId32, name, rd(w), rs1(w), imm_i(w));
        }
        break;
    case RV_FMT_S:
        (void)snprintf(buffer, size, "%s %s,%" PRId32 "(%s)", name, kind == RV_CLASS_FSTORE ? fs2(w) : rs2(w), imm_s(w),
                       rs1(w));
        break;
    case RV_FMT_B: (void)snprintf(buffer, size, "%s %s,%s,0x%" PRIx32, name, rs1(w), rs2(w), target_b(w)); break;
    case RV_FMT_U: (void)snprintf(buffer, size, "%s %s,0x%" PRIx32, name, rd(w), w.bits >> 12); break;
    case RV_FMT_J: (void)snprintf(buffer, size, "%s %s,0x%" PRIx32, name, rd(w), target_j(w)); break;
    case RV_FMT_SHAMT: (void)snprintf(buffer, size, "%s %s,%s,0x%" PRIx32, name, rd(w), rs1(w), part(w, 20, 5)); break;
    case RV_FMT_UNARY: (void)snprintf(buffer, size, "%s %s,%s", name, rd(w), rs1(w)); break;
    case RV_FMT_CSR: put_csr(w, name, rs1(w), buffer, size); break;
    case RV_FMT_CSRI: {
        char immediate[4];
        (void)snprintf(immediate, sizeof immediate, "%u", part(w, 15, 5) & 31u);
        put_csr(w, name, immediate, buffer, size);
        break;
    }
    case RV_FMT_AMO:
        (void)snprintf(buffer, size, "%s%s %s,%s,(%s)", name, order[part(w, 25, 2)], rd(w), rs2(w), rs1(w));
        break;
    case RV_FMT_FENCE: put_fence(w, buffer, size); break;
    case RV_FMT_FP: put_fp(w, buffer, size); break;
    case RV_FMT_V: put_vector(w, buffer, size); break;
    case RV_FMT_TT:
    case RV_FMT_NONE:
    case RV_FMT_COUNT: (void)snprintf(buffer, size, "%s", name); break;
    }
}

bool rv_disassemble(uint32_t instruction, uint32_t pc, char *buffer, size_t size)
{
    const word w = {instruction, pc};
    const rv_op op = rv_identify(instruction);
    const rv_format format = rv_op_format(op);
    if (op == RV_ILLEGAL || (format == RV_FMT_FP && !rv_fp_inspect(instruction).valid) ||
        (format == RV_FMT_V && !rv_vec_inspect(instruction).valid)) {
        (void)snprintf(buffer, size, ".word 0x%08" PRIx32, instruction);
        return false;
    }
    if (format == RV_FMT_TT) { /* the word, rotated right by two bits, is what is pushed (PushTensixInstruction) */
        (void)snprintf(buffer, size, ".ttinsn 0x%08" PRIx32, instruction >> 2 | instruction << 30);
        return true;
    }
    put_by_format(w, op, buffer, size);
    return true;
}
