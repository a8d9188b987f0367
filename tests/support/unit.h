/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka in the order its header wants, and the chip helpers. */
#ifndef KERR_TESTS_UNIT_H
#define KERR_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chip.h"

#define assert_ok(call) assert_int_equal(call, KERR_OK)

#endif
