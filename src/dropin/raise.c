/* SPDX-License-Identifier: Apache-2.0 */
/* tt-umd is C++, and so is whoever loaded it: what they throw and catch is an object of libstdc++, made here as a C++ compiler
 * would have it made (Itanium C++ ABI: Exception Handling, 2.4).  The library itself is not linked, only looked for: a host
 * without it gets no exception.  Frames of ours that the exception passes hold nothing. */
#include "dropin/raise.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef void *(*allocate_fn)(size_t);
typedef void (*construct_fn)(void *, const char *);
typedef void (*destroy_fn)(void *);
typedef void (*throw_fn)(void *, void *, destroy_fn);

enum { RUNTIME_ERROR_BYTES = 64 }; /* std::runtime_error has 16: a vtable and a string */

/* dlsym gives a pointer to data; POSIX has it that it may be one to a function. */
static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

void raise_runtime_error(const char *text)
{
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        library = dlopen(NULL, RTLD_LAZY); /* linked into the program itself */
    if (library == NULL)
        return;
    allocate_fn allocate;
    construct_fn construct;
    destroy_fn destroy;
    throw_fn throw;
    void *type = dlsym(library, "_ZTISt13runtime_error");
    find(library, "__cxa_allocate_exception", &allocate);
    find(library, "_ZNSt13runtime_errorC1EPKc", &construct);
    find(library, "_ZNSt13runtime_errorD1Ev", &destroy);
    find(library, "__cxa_throw", &throw);
    dlclose(library);
    if (type == NULL || allocate == NULL || construct == NULL || destroy == NULL || throw == NULL)
        return;
    void *error = allocate(RUNTIME_ERROR_BYTES);
    construct(error, text);
    throw(error, type, destroy);
}
