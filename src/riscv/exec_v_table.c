/* SPDX-License-Identifier: Apache-2.0 */
/* Which OP-V words are instructions of RISCV T2: the encoding tables of the V 1.0 specification, less what the
 * manual excludes (BabyRISCV/InstructionSet): integer division and remainder, floating-point division, square root
 * and estimates.  Index is funct6. */
#include "riscv/vec_ops.h"

#define VV (1u << VEC_OPIVV)
#define VX (1u << VEC_OPIVX)
#define VI (1u << VEC_OPIVI)
#define MV (1u << VEC_OPMVV)
#define MX (1u << VEC_OPMVX)
#define FV (1u << VEC_OPFVV)
#define FF (1u << VEC_OPFVF)

#define S VEC_SIGNED
#define SA VEC_SIGNED_A
#define SB VEC_SIGNED_B
#define UI VEC_UNSIGNED_IMMEDIATE
#define FP VEC_FLOAT

/* clang-format off */
static const vec_row rows_opi[64] = {
    [0x00] = {VEC_SINGLE, VV | VX | VI, 0, 0, vec_vadd},
    [0x02] = {VEC_SINGLE, VV | VX, 0, 0, vec_vsub},
    [0x03] = {VEC_SINGLE, VX | VI, 0, 0, vec_vrsub},
    [0x04] = {VEC_SINGLE, VV | VX, 0, 0, vec_vminu},
    [0x05] = {VEC_SINGLE, VV | VX, S, 0, vec_vmin},
    [0x06] = {VEC_SINGLE, VV | VX, 0, 0, vec_vmaxu},
    [0x07] = {VEC_SINGLE, VV | VX, S, 0, vec_vmax},
    [0x09] = {VEC_SINGLE, VV | VX | VI, 0, 0, vec_vand},
    [0x0a] = {VEC_SINGLE, VV | VX | VI, 0, 0, vec_vor},
    [0x0b] = {VEC_SINGLE, VV | VX | VI, 0, 0, vec_vxor},
    [0x0c] = {VEC_GATHER, VV | VX | VI, UI, 0, 0},
    [0x0e] = {VEC_SLIDE_UP, VX | VI, UI, 0, 0},             /* .vv is vrgatherei16: vec_decode */
    [0x0f] = {VEC_SLIDE_DOWN, VX | VI, UI, 0, 0},
    [0x10] = {VEC_CARRY_IN, VV | VX | VI, 0, 0, vec_vadc},
    [0x11] = {VEC_CARRY_OUT, VV | VX | VI, 0, 0, vec_vmadc},
    [0x12] = {VEC_CARRY_IN, VV | VX, 0, 0, vec_vsbc},
    [0x13] = {VEC_CARRY_OUT, VV | VX, 0, 0, vec_vmsbc},
    [0x17] = {VEC_MERGE, VV | VX | VI, 0, 0, 0},
    [0x18] = {VEC_COMPARE, VV | VX | VI, 0, 0, vec_vmseq},
    [0x19] = {VEC_COMPARE, VV | VX | VI, 0, 0, vec_vmsne},
    [0x1a] = {VEC_COMPARE, VV | VX, 0, 0, vec_vmsltu},
    [0x1b] = {VEC_COMPARE, VV | VX, S, 0, vec_vmslt},
    [0x1c] = {VEC_COMPARE, VV | VX | VI, 0, 0, vec_vmsleu},
    [0x1d] = {VEC_COMPARE, VV | VX | VI, S, 0, vec_vmsle},
    [0x1e] = {VEC_COMPARE, VX | VI, 0, 0, vec_vmsgtu},
    [0x1f] = {VEC_COMPARE, VX | VI, S, 0, vec_vmsgt},
    [0x20] = {VEC_SINGLE, VV | VX | VI, 0, 0, vec_vsaddu},
    [0x21] = {VEC_SINGLE, VV | VX | VI, S, 0, vec_vsadd},
    [0x22] = {VEC_SINGLE, VV | VX, 0, 0, vec_vssubu},
    [0x23] = {VEC_SINGLE, VV | VX, S, 0, vec_vssub},
    [0x25] = {VEC_SINGLE, VV | VX | VI, UI, 0, vec_vsll},
    [0x27] = {VEC_SINGLE, VV | VX, S, 0, vec_vsmul},        /* .vi is vmv<n>r: vec_decode */
    [0x28] = {VEC_SINGLE, VV | VX | VI, UI, 0, vec_vsrl},
    [0x29] = {VEC_SINGLE, VV | VX | VI, SA | UI, 0, vec_vsra},
    [0x2a] = {VEC_SINGLE, VV | VX | VI, UI, 0, vec_vssrl},
    [0x2b] = {VEC_SINGLE, VV | VX | VI, SA | UI, 0, vec_vssra},
    [0x2c] = {VEC_NARROW, VV | VX | VI, UI, 0, vec_vsrl},
    [0x2d] = {VEC_NARROW, VV | VX | VI, SA | UI, 0, vec_vsra},
    [0x2e] = {VEC_NARROW, VV | VX | VI, UI, 0, vec_vnclipu},
    [0x2f] = {VEC_NARROW, VV | VX | VI, SA | UI, 0, vec_vnclip},
    [0x30] = {VEC_REDUCE_WIDEN, VV, 0, 0, vec_vadd},
    [0x31] = {VEC_REDUCE_WIDEN, VV, SA, 0, vec_vadd},
};

static const vec_row rows_opm[64] = {
    [0x00] = {VEC_REDUCE, MV, 0, 0, vec_vadd},
    [0x01] = {VEC_REDUCE, MV, 0, 0, vec_vand},
    [0x02] = {VEC_REDUCE, MV, 0, 0, vec_vor},
    [0x03] = {VEC_REDUCE, MV, 0, 0, vec_vxor},
    [0x04] = {VEC_REDUCE, MV, 0, 0, vec_vminu},
    [0x05] = {VEC_REDUCE, MV, S, 0, vec_vmin},
    [0x06] = {VEC_REDUCE, MV, 0, 0, vec_vmaxu},
    [0x07] = {VEC_REDUCE, MV, S, 0, vec_vmax},
    [0x08] = {VEC_SINGLE, MV | MX, 0, 0, vec_vaaddu},
    [0x09] = {VEC_SINGLE, MV | MX, S, 0, vec_vaadd},
    [0x0a] = {VEC_SINGLE, MV | MX, 0, 0, vec_vasubu},
    [0x0b] = {VEC_SINGLE, MV | MX, S, 0, vec_vasub},
    [0x0e] = {VEC_SLIDE1_UP, MX, 0, 0, 0},
    [0x0f] = {VEC_SLIDE1_DOWN, MX, 0, 0, 0},
    [0x17] = {VEC_COMPRESS, MV, 0, 0, 0},
    [0x18] = {VEC_MASK_LOGIC, MV, 0, 0, vec_vmandn},
    [0x19] = {VEC_MASK_LOGIC, MV, 0, 0, vec_vmand},
    [0x1a] = {VEC_MASK_LOGIC, MV, 0, 0, vec_vmor},
    [0x1b] = {VEC_MASK_LOGIC, MV, 0, 0, vec_vmxor},
    [0x1c] = {VEC_MASK_LOGIC, MV, 0, 0, vec_vmorn},
    [0x1d] = {VEC_MASK_LOGIC, MV, 0, 0, vec_vmnand},
    [0x1e] = {VEC_MASK_LOGIC, MV, 0, 0, vec_vmnor},
    [0x1f] = {VEC_MASK_LOGIC, MV, 0, 0, vec_vmxnor},
    [0x24] = {VEC_SINGLE, MV | MX, 0, 0, vec_vmulhu},
    [0x25] = {VEC_SINGLE, MV | MX, 0, 0, vec_vmul},
    [0x26] = {VEC_SINGLE, MV | MX, SA, 0, vec_vmulhsu},
    [0x27] = {VEC_SINGLE, MV | MX, S, 0, vec_vmulh},
    [0x29] = {VEC_SINGLE, MV | MX, 0, 0, vec_vmadd},
    [0x2b] = {VEC_SINGLE, MV | MX, 0, 0, vec_vnmsub},
    [0x2d] = {VEC_SINGLE, MV | MX, 0, 0, vec_vmacc},
    [0x2f] = {VEC_SINGLE, MV | MX, 0, 0, vec_vnmsac},
    [0x30] = {VEC_WIDEN, MV | MX, 0, 0, vec_vadd},
    [0x31] = {VEC_WIDEN, MV | MX, S, 0, vec_vadd},
    [0x32] = {VEC_WIDEN, MV | MX, 0, 0, vec_vsub},
    [0x33] = {VEC_WIDEN, MV | MX, S, 0, vec_vsub},
    [0x34] = {VEC_WIDEN_W, MV | MX, 0, 0, vec_vadd},
    [0x35] = {VEC_WIDEN_W, MV | MX, S, 0, vec_vadd},
    [0x36] = {VEC_WIDEN_W, MV | MX, 0, 0, vec_vsub},
    [0x37] = {VEC_WIDEN_W, MV | MX, S, 0, vec_vsub},
    [0x38] = {VEC_WIDEN, MV | MX, 0, 0, vec_vmul},
    [0x3a] = {VEC_WIDEN, MV | MX, SA, 0, vec_vmul},
    [0x3b] = {VEC_WIDEN, MV | MX, S, 0, vec_vmul},
    [0x3c] = {VEC_WIDEN, MV | MX, 0, 0, vec_vmacc},
    [0x3d] = {VEC_WIDEN, MV | MX, S, 0, vec_vmacc},
    [0x3e] = {VEC_WIDEN, MX, SA, 0, vec_vmacc},             /* vwmaccus: unsigned scalar, signed vs2 */
    [0x3f] = {VEC_WIDEN, MV | MX, SB, 0, vec_vmacc},        /* vwmaccsu: signed vs1, unsigned vs2 */
};

static const vec_row rows_opf[64] = {
    [0x00] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfadd},
    [0x01] = {VEC_REDUCE, FV, FP, 0, vec_vfadd},            /* vfredusum, taken in the order of vfredosum */
    [0x02] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfsub},
    [0x03] = {VEC_REDUCE, FV, FP, 0, vec_vfadd},
    [0x04] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfmin},
    [0x05] = {VEC_REDUCE, FV, FP, 0, vec_vfmin},
    [0x06] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfmax},
    [0x07] = {VEC_REDUCE, FV, FP, 0, vec_vfmax},
    [0x08] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfsgnj},
    [0x09] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfsgnjn},
    [0x0a] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfsgnjx},
    [0x0e] = {VEC_SLIDE1_UP, FF, FP, 0, 0},
    [0x0f] = {VEC_SLIDE1_DOWN, FF, FP, 0, 0},
    [0x17] = {VEC_MERGE, FF, FP, 0, 0},
    [0x18] = {VEC_COMPARE, FV | FF, FP, 0, vec_vmfeq},
    [0x19] = {VEC_COMPARE, FV | FF, FP, 0, vec_vmfle},
    [0x1b] = {VEC_COMPARE, FV | FF, FP, 0, vec_vmflt},
    [0x1c] = {VEC_COMPARE, FV | FF, FP, 0, vec_vmfne},
    [0x1d] = {VEC_COMPARE, FF, FP, 0, vec_vmfgt},
    [0x1f] = {VEC_COMPARE, FF, FP, 0, vec_vmfge},
    [0x24] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfmul},
    [0x27] = {VEC_SINGLE, FF, FP, 0, vec_vfrsub},
    [0x28] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfmadd},
    [0x29] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfnmadd},
    [0x2a] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfmsub},
    [0x2b] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfnmsub},
    [0x2c] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfmacc},
    [0x2d] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfnmacc},
    [0x2e] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfmsac},
    [0x2f] = {VEC_SINGLE, FV | FF, FP, 0, vec_vfnmsac},
    /* Widening needs FP16 or FP64 elements.
     * OPEN: whether T2 has FP16 elements (Zvfh).  Would settle it: vfadd at SEW 16 on a card. */
    [0x30] = {VEC_NEEDS_OTHER_FLOAT, FV | FF, FP, 0, 0},    /* vfwadd */
    [0x31] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfwredusum */
    [0x32] = {VEC_NEEDS_OTHER_FLOAT, FV | FF, FP, 0, 0},    /* vfwsub */
    [0x33] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfwredosum */
    [0x34] = {VEC_NEEDS_OTHER_FLOAT, FV | FF, FP, 0, 0},    /* vfwadd.w */
    [0x36] = {VEC_NEEDS_OTHER_FLOAT, FV | FF, FP, 0, 0},    /* vfwsub.w */
    [0x38] = {VEC_NEEDS_OTHER_FLOAT, FV | FF, FP, 0, 0},    /* vfwmul */
    [0x3c] = {VEC_NEEDS_OTHER_FLOAT, FV | FF, FP, 0, 0},    /* vfwmacc */
    [0x3d] = {VEC_NEEDS_OTHER_FLOAT, FV | FF, FP, 0, 0},    /* vfwnmacc */
    [0x3e] = {VEC_NEEDS_OTHER_FLOAT, FV | FF, FP, 0, 0},    /* vfwmsac */
    [0x3f] = {VEC_NEEDS_OTHER_FLOAT, FV | FF, FP, 0, 0},    /* vfwnmsac */
};

/* VFUNARY0, by vs1. */
static const vec_row rows_convert[32] = {
    [0x00] = {VEC_CONVERT, FV, FP, 0, vec_vfcvt_xu_f},
    [0x01] = {VEC_CONVERT, FV, FP, 0, vec_vfcvt_x_f},
    [0x02] = {VEC_CONVERT, FV, FP, 0, vec_vfcvt_f_xu},
    [0x03] = {VEC_CONVERT, FV, FP, 0, vec_vfcvt_f_x},
    [0x06] = {VEC_CONVERT, FV, FP, 0, vec_vfcvt_rtz_xu_f},
    [0x07] = {VEC_CONVERT, FV, FP, 0, vec_vfcvt_rtz_x_f},
    [0x08] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfwcvt.xu.f.v */
    [0x09] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfwcvt.x.f.v */
    [0x0a] = {VEC_CONVERT_WIDEN, FV, 0, 0, vec_vfcvt_f_xu},
    [0x0b] = {VEC_CONVERT_WIDEN, FV, SA, 0, vec_vfcvt_f_x},
    [0x0c] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfwcvt.f.f.v */
    [0x0e] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfwcvt.rtz.xu.f.v */
    [0x0f] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfwcvt.rtz.x.f.v */
    [0x10] = {VEC_CONVERT_NARROW, FV, 0, 0, vec_vfcvt_xu_f},
    [0x11] = {VEC_CONVERT_NARROW, FV, 0, 0, vec_vfcvt_x_f},
    [0x12] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfncvt.f.xu.w */
    [0x13] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfncvt.f.x.w */
    [0x14] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfncvt.f.f.w */
    [0x15] = {VEC_NEEDS_OTHER_FLOAT, FV, FP, 0, 0},         /* vfncvt.rod.f.f.w */
    [0x16] = {VEC_CONVERT_NARROW, FV, 0, 0, vec_vfcvt_rtz_xu_f},
    [0x17] = {VEC_CONVERT_NARROW, FV, 0, 0, vec_vfcvt_rtz_x_f},
};

/* VMUNARY0, by vs1. */
static const vec_row rows_mask[32] = {
    [0x01] = {VEC_SET_BEFORE_FIRST, MV, 0, 0, 0},
    [0x02] = {VEC_SET_ONLY_FIRST, MV, 0, 0, 0},
    [0x03] = {VEC_SET_INCLUDING_FIRST, MV, 0, 0, 0},
    [0x10] = {VEC_IOTA, MV, 0, 0, 0},
    [0x11] = {VEC_ID, MV, 0, 0, 0},
};

/* VXUNARY0, by vs1; vf8 would need SEW 64. */
static const vec_row rows_extend[32] = {
    [0x04] = {VEC_EXTEND, MV, 0, 2, 0},
    [0x05] = {VEC_EXTEND, MV, SA, 2, 0},
    [0x06] = {VEC_EXTEND, MV, 0, 1, 0},
    [0x07] = {VEC_EXTEND, MV, SA, 1, 0},
};

/* VWXUNARY0, by vs1. */
static const vec_row rows_to_x[32] = {
    [0x00] = {VEC_MOVE_TO_SCALAR, MV, SA, 0, 0},
    [0x10] = {VEC_COUNT_POPULATION, MV, 0, 0, 0},
    [0x11] = {VEC_FIND_FIRST, MV, 0, 0, 0},
};
/* clang-format on */

static const vec_row none;

static vec_row look_up(uint32_t instruction)
{
    vec_form form = (vec_form)vec_bits(instruction, 12, 3);
    unsigned funct6 = vec_bits(instruction, 26, 6);
    unsigned vs1 = vec_bits(instruction, 15, 5);
    unsigned vs2 = vec_bits(instruction, 20, 5);
    bool vm = vec_bits(instruction, 25, 1);
    switch (form) {
    case VEC_OPIVV: return funct6 == 0x0e ? (vec_row){VEC_GATHER16, VV, 0, 0, 0} : rows_opi[funct6];
    case VEC_OPIVI:
        if (funct6 == 0x27) { /* vmv<n>r.v: n - 1 in the immediate */
            bool is_count = vs1 == 0 || vs1 == 1 || vs1 == 3 || vs1 == 7;
            return vm && is_count ? (vec_row){VEC_MOVE_WHOLE, VI, UI, 0, 0} : none;
        }
        return rows_opi[funct6];
    case VEC_OPIVX: return rows_opi[funct6];
    case VEC_OPMVV:
        switch (funct6) {
        case 0x10: return rows_to_x[vs1];
        case 0x12: return rows_extend[vs1];
        case 0x14: return rows_mask[vs1];
        default: return rows_opm[funct6];
        }
    case VEC_OPMVX:
        if (funct6 == 0x10) {
            return vm && vs2 == 0 ? (vec_row){VEC_MOVE_FROM_SCALAR, MX, 0, 0, 0} : none;
        }
        return rows_opm[funct6];
    case VEC_OPFVV:
        switch (funct6) {
        case 0x10: return vm && vs1 == 0 ? (vec_row){VEC_MOVE_TO_SCALAR, FV, FP, 0, 0} : none;
        case 0x12: return rows_convert[vs1];
        case 0x13: /* vfsqrt, vfrsqrt7 and vfrec7 are not implemented */
            return vs1 == 0x10 ? (vec_row){VEC_CONVERT, FV, FP, 0, vec_vfclass} : none;
        default: return rows_opf[funct6];
        }
    case VEC_OPFVF:
        if (funct6 == 0x10) {
            return vm && vs2 == 0 ? (vec_row){VEC_MOVE_FROM_SCALAR, FF, FP, 0, 0} : none;
        }
        return rows_opf[funct6];
    default: return none;
    }
}

vec_row vec_decode(uint32_t instruction)
{
    vec_row row = look_up(instruction);
    bool vm = vec_bits(instruction, 25, 1);
    unsigned vs2 = vec_bits(instruction, 20, 5);
    if (!(row.forms >> vec_bits(instruction, 12, 3) & 1)) {
        return none;
    }
    switch (row.shape) {
    case VEC_CARRY_IN: /* exists only with the carry */ return vm ? none : row;
    case VEC_MASK_LOGIC: /* exist only unmasked */
    case VEC_COMPRESS:
    case VEC_MOVE_TO_SCALAR: return vm ? row : none;
    case VEC_MERGE: /* vmv.v has no vs2 */ return vm && vs2 != 0 ? none : row;
    case VEC_ID: return vs2 != 0 ? none : row;
    default: return row;
    }
}
