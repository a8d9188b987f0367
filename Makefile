# SPDX-License-Identifier: Apache-2.0
# Kerr.  `make help` lists the verbs.
#
#   BUILD=dir      where everything goes (default build); several may live side by side
#   CC=clang       another compiler;  OPT=-O0, EXTRA_CFLAGS=..., WERROR=  as usual
#   SAN=address    a sanitizer, used by the sanitize, asan, ubsan and tsan targets
#   KERR_DEPS=skip leave system packages alone
#
# tools/*.mk, sdk/*.mk, tests/*.mk, tests/*/*.mk and bench/*.mk are included.  They bring rules and add to:
#   all-targets      files or targets that plain `make` builds
#   check-targets    what must be built before the tests of tier check run; also test-targets, long-targets
#   compile-targets  other C programs that must be free of warnings with both compilers (make lint)
#   TEST_UNIT_BINS   unit test programs: built and run in tier check, and again under each sanitizer
#   TEST_TSAN_BINS   what the thread sanitizer runs (if empty: the unit tests)
#   demo-targets     phony targets that `make demo` runs after the build; also bench-targets, silicon-targets
#   docs-targets     phony targets that rewrite a generated page in docs/
#   install-targets  phony targets that `make install` runs last, with PREFIX and DESTDIR
# Any tree/path/file.c can be asked for as $(BUILD)/obj/tree/path/file.o.  What is run as a test stands in
# tests/*.list (see scripts/run-tests.py).

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

BUILD ?= build
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := ar
endif
PYTHON ?= python3
PREFIX ?= /usr/local
DESTDIR ?=
OPT ?= -O2 -g
WERROR ?= -Werror
SAN ?=

include mk/flags.mk
include mk/sources.mk

all-targets :=
check-targets :=
test-targets :=
long-targets :=
compile-targets :=
demo-targets :=
bench-targets :=
silicon-targets :=
install-targets :=
docs-targets :=
TEST_UNIT_BINS :=
TEST_TSAN_BINS :=

include mk/build.mk
include $(wildcard tools/*.mk sdk/*.mk tests/*.mk tests/*/*.mk bench/*.mk)

include mk/verbs.mk
