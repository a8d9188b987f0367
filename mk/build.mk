# SPDX-License-Identifier: Apache-2.0
# Rules that make files.  V=1 shows the whole commands.

Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)  $(patsubst $(BUILD)/%,%,$(2))')

# A file that changes when the compiler or the flags do; every object depends on it.
FLAGS_TEXT := $(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS_ALL)
$(BUILD)/flags.txt: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS_TEXT)' | cmp -s - $@ || echo '$(FLAGS_TEXT)' > $@

# Generated sources.  The generator leaves unchanged files alone, hence the stamp.
GEN_STAMP := $(BUILD)/gen/stamp
$(GEN_STAMP): isa/gen/gen.py isa/rv32.isa isa/costs.tbl
	$(call say,GEN ,$(@D))
	$(Q)$(PYTHON) isa/gen/gen.py isa/rv32.isa isa/costs.tbl $(@D)
	@touch $@
$(BUILD)/gen/rv32_ops.h $(BUILD)/gen/costs.h $(BUILD)/gen/rv32_ops.c: $(GEN_STAMP) ;

# Static, so that make does not take the headers for intermediate files and delete them.
$(filter-out %overlay_regs.h,$(filter %_regs.h,$(GEN_HEADERS))): $(BUILD)/gen/%_regs.h: isa/%.regs isa/gen/gen_regs.py isa/gen/table.py
	@mkdir -p $(@D)
	$(call say,GEN ,$@)
	$(Q)$(PYTHON) isa/gen/gen_regs.py $< $@

$(BUILD)/gen/overlay_regs.h: isa/gen/gen_overlay.py isa/gen/table.py isa/overlay.regs
	@mkdir -p $(@D)
	$(call say,GEN ,$@)
	$(Q)$(PYTHON) isa/gen/gen_overlay.py isa/overlay.regs $@

TENSIX_GEN := $(addprefix $(BUILD)/gen/tensix_,opcodes.h isa.h isa.c units.h dispatch.inc)
$(BUILD)/gen/tensix.stamp: isa/gen/gen_tensix.py isa/tensix.isa
	@mkdir -p $(@D)
	$(call say,GEN ,$(@D)/tensix_*)
	$(Q)$(PYTHON) isa/gen/gen_tensix.py isa/tensix.isa $(@D)
	@touch $@
$(TENSIX_GEN): $(BUILD)/gen/tensix.stamp ;
$(BUILD)/gen/cfg_fields.h: isa/gen/gen_cfg.py isa/gen/table.py isa/cfg.regs
	@mkdir -p $(@D)
	$(call say,GEN ,$@)
	$(Q)$(PYTHON) isa/gen/gen_cfg.py isa/cfg.regs $@ $(@D)/cfg_names.c
$(BUILD)/gen/cfg_names.c: $(BUILD)/gen/cfg_fields.h ;

# For `kerr info`.
BUILD_INFO := $(BUILD)/gen/tools/build_info.h
$(BUILD_INFO): FORCE
	@mkdir -p $(@D)
	@CC='$(CC)' FLAGS='$(OPT) $(SAN_FLAGS) $(EXTRA_CFLAGS)' scripts/build-info.sh > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

top = $(firstword $(subst /, ,$(1)))
$(BUILD)/obj/%.o: %.c $(BUILD)/flags.txt | $(GEN_HEADERS) $(BUILD_INFO)
	@mkdir -p $(@D)
	$(call say,CC  ,$<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS_$(call top,$<)) $(CFLAGS_ALL) $(CFLAGS_$<) -MMD -MP -c $< -o $@

$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags.txt
	@mkdir -p $(@D)
	$(call say,CC  ,$<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS_src) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(BUILD)/libkerr.a: $(LIB_OBJS)
	@rm -f $@
	$(call say,AR  ,$@)
	$(Q)$(AR) rcs $@ $^

$(BUILD)/libkerr.so: $(LIB_OBJS) src/kerr.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS_ALL) -Wl,-soname,libkerr.so.$(SOVERSION) -Wl,--version-script,src/kerr.map \
	    -Wl,-z,defs -o $@ $(LIB_OBJS)
	@ln -sf libkerr.so $(BUILD)/libkerr.so.$(SOVERSION)

# Beside it, for the Python package: the command's own code for saved chips and traces.
FILES_OBJS := $(call obj,tools/python/files.c tools/chip_file.c tools/core_gaps.c tools/timeline.c tools/perfetto.c tools/tool_error.c)
$(BUILD)/libkerr_files.so: $(FILES_OBJS) $(BUILD)/libkerr.so tools/python/files.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS_ALL) -Wl,-soname,libkerr_files.so -Wl,--version-script,tools/python/files.map \
	    -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@ $(FILES_OBJS) $(BUILD)/libkerr.so -lzstd

# PRELOAD=yes (scripts/mutate.py, in a build directory of its own): tests and the drop-in take the library from one shared
# file that exports everything, so that an object of it which the loader was told to load first takes the place of its own.
ifneq ($(PRELOAD),)
WHOLE_LIB := $(abspath $(BUILD)/libkerr_whole.so)
$(WHOLE_LIB): $(LIB_OBJS)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS_ALL) -Wl,-soname,$@ -o $@ $^
$(BUILD)/sim/libttsim.so: $(WHOLE_LIB)
endif
linked = $(filter-out $(if $(WHOLE_LIB),$(LIB_OBJS) $(BUILD)/libkerr.a),$(filter %.o %.a,$(1))) $(WHOLE_LIB)

# One self-contained file: it may be loaded from a copy, with nothing beside it.
$(BUILD)/sim/libttsim.so: $(DROPIN_OBJS) $(BUILD)/libkerr.a src/libttsim.map
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDFLAGS_ALL) -static-libgcc -Wl,-soname,libttsim.so -Wl,--version-script,src/libttsim.map \
	    -Wl,-z,defs -o $@ $(call linked,$(DROPIN_OBJS) $(BUILD)/libkerr.a)

$(BUILD)/sim/%.yaml: src/dropin/%.yaml
	@mkdir -p $(@D)
	$(call say,COPY,$@)
	$(Q)cp $< $@

$(BUILD)/kerr: $(TOOL_OBJS) $(BUILD)/libkerr.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $(TOOL_OBJS) $(BUILD)/libkerr.a $(TOOL_LIBS)

$(BUILD)/kerr.pc: kerr.pc.in include/kerr.h FORCE
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' $< > $@

FORCE:
.PHONY: FORCE

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
