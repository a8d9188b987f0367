/* SPDX-License-Identifier: Apache-2.0 */
/* The functions behind the hooks (hooks/hooks.h): hooks.c hands what is told to the parts, memory and synchronisation. */
#ifndef KERR_CHECK_HOOKS_H
#define KERR_CHECK_HOOKS_H

#include "check/check.h"
#include "hooks/hooks.h"
#include "tensix/step.h"

#define HOOK(name, parameters, arguments) void check_##name(struct tile_check *check, HOOK_LIST parameters);
#define HOOK0(name) void check_##name(struct tile_check *check);
#include "hooks/hooks.def"
#undef HOOK
#undef HOOK0

extern const struct hook_table check_hooks;

#endif
