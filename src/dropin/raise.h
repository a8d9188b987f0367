/* SPDX-License-Identifier: Apache-2.0 */
/* The only way in which a library of this ABI can tell its caller of an error: the calls return nothing. */
#ifndef KERR_DROPIN_RAISE_H
#define KERR_DROPIN_RAISE_H

/* Throws a C++ std::runtime_error with this text through the caller, if the process has a C++ runtime whose exceptions it
 * would understand; else returns. */
void raise_runtime_error(const char *text);

#endif
