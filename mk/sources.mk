# SPDX-License-Identifier: Apache-2.0
# What is built from what.  Sources are found, not listed.

VERSION := $(shell sed -n 's/^.define KERR_VERSION_[A-Z]* //p' include/kerr.h | paste -sd.)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))

LIB_DIRS := src/base src/num src/riscv src/tensix src/tensix/* src/tile src/noc src/check src/chip src/host
LIB_SRCS := $(sort $(wildcard $(LIB_DIRS:%=%/*.c)))
# Debuggers and others that come while a chip runs: in the drop-in and in the command, not in the library.
LIVE_SRCS := $(sort $(wildcard src/gdb/*.c src/attach/*.c))
DROPIN_SRCS := $(sort $(wildcard src/dropin/*.c)) $(LIVE_SRCS)
TOOL_SRCS := $(filter-out tools/python/%,$(sort $(wildcard tools/*.c tools/*/*.c))) $(LIVE_SRCS)

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
GEN_HEADERS := $(BUILD)/gen/rv32_ops.h $(BUILD)/gen/costs.h $(BUILD)/gen/tile_regs.h \
    $(BUILD)/gen/overlay_regs.h $(BUILD)/gen/noc_regs.h $(BUILD)/gen/eth_regs.h $(BUILD)/gen/dram_regs.h \
    $(BUILD)/gen/tensix_opcodes.h $(BUILD)/gen/tensix_isa.h $(BUILD)/gen/tensix_units.h \
    $(BUILD)/gen/tensix_dispatch.inc $(BUILD)/gen/cfg_fields.h
LIB_OBJS := $(call obj,$(LIB_SRCS)) $(patsubst %,$(BUILD)/obj/gen/%.o,rv32_ops tensix_isa cfg_names)
DROPIN_OBJS := $(call obj,$(DROPIN_SRCS))
TOOL_OBJS := $(call obj,$(TOOL_SRCS))
# The verbs themselves; the rest are parts that tests link with.
TOOL_VERBS := $(addprefix %/,main.o run.o exec.o gdb.o top.o attach_main.o replay.o info.o dis.o asm.o show.o explain.o why_main.o shrink.o state.o diff.o last_write.o)
TOOL_LIBS := -ldw -lelf -lyaml -lz -lzstd -lm

BUILT := $(BUILD)/libkerr.a $(BUILD)/libkerr.so
ifneq ($(DROPIN_SRCS),)
BUILT += $(BUILD)/sim/libttsim.so
endif
ifneq ($(wildcard src/dropin/soc_descriptor.yaml),)
BUILT += $(BUILD)/sim/soc_descriptor.yaml $(BUILD)/sim/soc_descriptor_p100.yaml
endif
ifneq ($(TOOL_SRCS),)
BUILT += $(BUILD)/libkerr_files.so
BUILT += $(BUILD)/kerr
endif
