# SPDX-License-Identifier: Apache-2.0
# Compiler flags.

# Warnings that both gcc and clang know; all of them errors.
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
    -Wmissing-prototypes -Wold-style-definition -Wvla -Wundef -Wcast-align -Wwrite-strings -Wimplicit-fallthrough \
    $(WERROR)

SAN_FLAGS_address := -fsanitize=address
SAN_FLAGS_undefined := -fsanitize=undefined -fno-sanitize-recover=all
SAN_FLAGS_thread := -fsanitize=thread
SAN_FLAGS_both := $(SAN_FLAGS_address) $(SAN_FLAGS_undefined)
ifneq ($(SAN),)
ifndef SAN_FLAGS_$(SAN)
$(error SAN=$(SAN): one of address, undefined, thread, both (address and undefined))
endif
SAN_FLAGS := $(SAN_FLAGS_$(SAN)) -fno-omit-frame-pointer
endif

# Everything is position independent, so that one set of objects makes the static library, the shared one and
# the drop-in.  What a shared library exports is decided by its list (src/*.map), not by the objects.
CPPFLAGS_ALL := -D_GNU_SOURCE -Iinclude
CFLAGS_ALL := -std=c17 $(OPT) $(WARNINGS) -fPIC -fno-semantic-interposition -pthread \
    $(SAN_FLAGS) $(EXTRA_CFLAGS)
LDFLAGS_ALL := -pthread $(SAN_FLAGS) $(EXTRA_LDFLAGS)

# What each tree may include: the tools see the public headers, and those of src/gdb and src/attach, which see no others
# themselves.
CPPFLAGS_src := -Isrc -I$(BUILD)/gen
CPPFLAGS_tools := -Itools -Isrc/gdb -Isrc/attach -I$(BUILD)/gen/tools
CPPFLAGS_tests := -Isrc -Isrc/gdb -Isrc/attach -Itests -I$(BUILD)/gen
CPPFLAGS_bench := -Ibench

# Flags of single files: CFLAGS_<path>.
# Threaded dispatch takes the address of labels, which is a GNU extension.
CFLAGS_src/riscv/exec.c := -Wno-pedantic
# Vectors of 32 bytes go through functions that are always inlined: how a machine without them would pass them does not matter.
CFLAGS_src/num/pack_rows.c := -Wno-psabi
# Loops over lanes that compilers are to vectorise: gcc does so from -O3 on.
SIMD_SRCS := $(wildcard src/tensix/vector/*.c) src/num/fma_lanes.c
$(foreach src,$(SIMD_SRCS),$(eval CFLAGS_$(src) := $(if $(filter -O2,$(OPT)),-O3)))
# Four counters one after the other: as a vector they take twice the instructions, in each read and write of the host.
CFLAGS_src/host/api_pci.c := -fno-tree-slp-vectorize
