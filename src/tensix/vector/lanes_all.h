/* SPDX-License-Identifier: Apache-2.0 */
/* LRegs in vectors of the host; behind lanes512.h or lanes256.h. */
#ifndef KERR_TENSIX_VECTOR_LANES_ALL_H
#define KERR_TENSIX_VECTOR_LANES_ALL_H

HOST_INLINE struct lanes get(const uint32_t lreg[LANES])
{
#define LOADED(i) part_load(lreg + (size_t)(i)*PART_LANES)
    return (struct lanes){PER_PART(LOADED)};
#undef LOADED
}
HOST_INLINE void set(uint32_t lreg[LANES], struct lanes x)
{
    for (unsigned i = 0; i < PARTS; i++)
        part_store(lreg + (size_t)i * PART_LANES, x.p[i]);
}
HOST_INLINE void put(uint32_t lreg[LANES], uint32_t lanes, struct lanes x)
{
    if (lanes == UINT32_MAX) {
        set(lreg, x);
        return;
    }
    for (unsigned i = 0; i < PARTS; i++) {
        uint32_t *at = lreg + (size_t)i * PART_LANES;
        part_store(at, part_where(part_mask_of(lanes, i), x.p[i], part_load(at)));
    }
}

HOST_INLINE struct lanes negated(struct lanes x, bool negate)
{
    return negate ? UNARY(part_xor, x, part_constant(F32_SIGN)) : x;
}

#endif
