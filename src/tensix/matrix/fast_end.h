/* SPDX-License-Identifier: Apache-2.0 */
/* Behind fast_body.h and fast_elements.h: takes back what fast.c has defined for one kind of machine. */
#undef INLINE
#undef LANES
#undef FAST_PAIRS
#undef FAST
#undef FAST_TARGET
#undef FAST_MAX
#undef FAST_SAR
#undef FAST_SHR
#undef FAST_ABS
#undef FAST_MAX_HALF
#undef FAST_TWICE
#undef FAST_CLZ
#undef FAST_POWER
#undef FAST_MULHRS
#undef FAST_JOIN
#undef FAST_SPLIT
#undef FAST_NARROW
#undef FAST_MADD
