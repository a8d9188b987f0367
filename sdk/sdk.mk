# SPDX-License-Identifier: Apache-2.0
# The sdk, its example kernels, and the host programs of examples/.
#
#   $(BUILD)/sdk      complete: kerr-cc, headers, start-up code, linker scripts, a project to begin with; `make install` copies it
#   $(BUILD)/kernels  the example kernels, NAME_CORE.elf and .bin (made with the tests and the demo: they need
#                     the RISC-V compiler, the sdk itself does not)
#   $(BUILD)/examples host programs

SDK := $(BUILD)/sdk
SDK_COPIED := kerr-cc lib/crt0.S lib/string.c include/kerr_sdk.h include/kerr_params.h include/kerr_text.h $(addprefix include/kerr_,$(addsuffix .h,cb compute math noc pack sync unpack))
SDK_COPIED += $(patsubst sdk/%,%,$(wildcard sdk/project/*))
SDK_GENERATED := include/kerr_map.h include/kerr_layout.h include/kerr_tensix.h include/kerr_cfg.h $(foreach core,B T0 T1 T2 NC,ld/$(core).ld)
SDK_FILES := $(addprefix $(SDK)/,$(SDK_COPIED))
SDK_STAMP := $(SDK)/.generated

$(SDK_STAMP): isa/gen/gen_map.py isa/gen/gen_regs.py isa/memory_map.tbl isa/tile.regs \
    isa/gen/gen_tensix.py isa/gen/gen_tensix_sdk.py isa/tensix.isa \
    isa/gen/gen_cfg.py isa/gen/gen_cfg_sdk.py isa/gen/table.py isa/cfg.regs
	@mkdir -p $(@D)
	$(call say,GEN ,$(SDK))
	$(Q)$(PYTHON) isa/gen/gen_map.py isa/memory_map.tbl isa/tile.regs $(SDK)
	$(Q)$(PYTHON) isa/gen/gen_tensix_sdk.py isa/tensix.isa $(SDK)/include/kerr_tensix.h
	$(Q)$(PYTHON) isa/gen/gen_cfg_sdk.py isa/cfg.regs $(SDK)/include/kerr_cfg.h
	@touch $@
$(addprefix $(SDK)/,$(SDK_GENERATED)): $(SDK_STAMP) ;

$(SDK_FILES): $(SDK)/%: sdk/%
	@mkdir -p $(@D)
	$(call say,COPY,$@)
	$(Q)cp $< $@

.PHONY: sdk
sdk: $(SDK_FILES) $(SDK_STAMP)
all-targets += sdk

# ---- Kernels: KERNEL_CORE, each from sdk/examples/KERNEL.c
KERNEL_ELFS :=
define kernel_rule # name, core
KERNEL_ELFS += $(BUILD)/kernels/$(1)_$(2).elf
$(BUILD)/kernels/$(1)_$(2).elf: sdk/examples/$(1).c $(wildcard sdk/examples/*.h) $(SDK_FILES) $(SDK_STAMP)
	@mkdir -p $$(@D)
	$$(call say,RISC,$$@)
	$$(Q)$(SDK)/kerr-cc $(2) $$< -Werror -o $$@ --bin $$(@:.elf=.bin)
endef
$(foreach core,B T0 T1 T2 NC,$(foreach name,hello mandelbrot,$(eval $(call kernel_rule,$(name),$(core)))))
$(foreach core,T0 T1 T2,$(eval $(call kernel_rule,consumer,$(core))))
$(eval $(call kernel_rule,producer,B))
$(foreach core,T0 T1,$(eval $(call kernel_rule,pingpong,$(core))))
$(foreach core,T0 T1 T2,$(eval $(call kernel_rule,datapath,$(core))))
$(foreach core,T0 T1 T2,$(eval $(call kernel_rule,vector,$(core))))
$(foreach core,T0 T1 T2,$(BUILD)/kernels/vector_$(core).elf): sdk/examples/datapath.c
$(eval $(call kernel_rule,typecast,T1))
$(foreach core,B T0 T1 T2 NC,$(eval $(call kernel_rule,matmul,$(core))))
OPS := add exp softmax matmul layernorm
$(foreach core,B T0 T1 T2 NC,$(foreach op,$(OPS),$(eval $(call kernel_rule,op_$(op),$(core)))))
OP_ELFS := $(foreach op,$(OPS),$(foreach core,B T0 T1 T2 NC,$(BUILD)/kernels/op_$(op)_$(core).elf))
$(foreach name,stallwait_race stallwait_mended pack_race pack_mended,$(eval $(call kernel_rule,$(name),T0)))
$(foreach core,B NC,$(foreach name,noc_race noc_mended,$(eval $(call kernel_rule,$(name),$(core)))))
$(foreach core,T0 T1,$(foreach name,semaphore_race semaphore_mended,$(eval $(call kernel_rule,$(name),$(core)))))
$(foreach core,T0 T1,$(BUILD)/kernels/semaphore_mended_$(core).elf): sdk/examples/semaphore_race.c
$(BUILD)/kernels/stallwait_mended_T0.elf: sdk/examples/stallwait_race.c
$(BUILD)/kernels/pack_mended_T0.elf: sdk/examples/pack_race.c
$(foreach core,B NC,$(BUILD)/kernels/noc_mended_$(core).elf): sdk/examples/noc_race.c

# ---- Those of docs/debugging.md, each with its mistake and mended: $(BUILD)/debugging/NAME_CORE.elf
define debugging_rule # name, core
KERNEL_ELFS += $(BUILD)/debugging/$(1)_$(2).elf
$(BUILD)/debugging/$(1)_$(2).elf: examples/debugging/$(1).c $(SDK_FILES) $(SDK_STAMP)
	@mkdir -p $$(@D)
	$$(call say,RISC,$$@)
	$$(Q)$(SDK)/kerr-cc $(2) $$< -Werror -o $$@
endef
$(foreach core,T0 T1 T2,$(foreach name,hang hang_mended,$(eval $(call debugging_rule,$(name),$(core)))))
$(foreach core,B T0,$(foreach name,race race_mended uninit uninit_mended,$(eval $(call debugging_rule,$(name),$(core)))))

.PHONY: kernels
kernels: $(KERNEL_ELFS)

# ---- Host programs
CPPFLAGS_examples := -Iexamples -Isdk/include -Isdk/examples -I$(SDK)/include
$(BUILD)/obj/examples/picture.o: $(SDK_STAMP)

$(BUILD)/examples/embed: $(BUILD)/obj/examples/embed.o $(BUILD)/libkerr.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^
$(BUILD)/examples/picture: $(BUILD)/obj/examples/picture.o $(BUILD)/obj/examples/image.o $(BUILD)/libkerr.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^
$(BUILD)/obj/examples/multiply.o: $(SDK_STAMP)
$(BUILD)/examples/multiply: $(BUILD)/obj/examples/multiply.o $(BUILD)/obj/examples/image.o $(BUILD)/libkerr.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lm
EXAMPLES := $(BUILD)/examples/embed $(BUILD)/examples/picture $(BUILD)/examples/multiply
check-targets += $(EXAMPLES) kernels

# ---- make demo
.PHONY: demo-run
demo-run: $(EXAMPLES) kernels
	@BUILD=$(BUILD) scripts/demo.sh
demo-targets += demo-run

# ---- make install: what was generated, and kerr-cc, beside the sources that the main rule installs
.PHONY: install-sdk
install-sdk: sdk
	for file in $(SDK_COPIED) $(SDK_GENERATED); do \
	    install -D -m 644 $(SDK)/$$file $(INSTALL_SDK)/$$file || exit 1; done
	chmod 755 $(INSTALL_SDK)/kerr-cc
install-targets += install-sdk
