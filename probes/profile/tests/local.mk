## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# Tests of nfaperf with RISC-V machines and programs that qemu emulates.
rv_scripts = probes/profile/tests/kernel.test probes/profile/tests/plugin.test \
	probes/profile/tests/user.test
TESTS += $(rv_scripts)
EXTRA_DIST += $(rv_scripts) probes/profile/tests/kernel probes/profile/tests/programs \
	probes/profile/tests/rig.sh probes/profile/tests/slices.py \
	probes/profile/tests/tokens.py

# The plugin with interfaces of later versions of qemu, without one. It looks up functions in the
# program that loads it.
check_PROGRAMS += probes/profile/tests/plugin_host
probes_profile_tests_plugin_host_SOURCES = probes/profile/tests/plugin_host.c
probes_profile_tests_plugin_host_LDFLAGS = $(AM_LDFLAGS) -Wl,--export-dynamic
TESTS += probes/profile/tests/plugin-versions.test
EXTRA_DIST += probes/profile/tests/plugin-versions.test

# Modules of the kernel, beside the linker.
check_PROGRAMS += probes/profile/tests/module_text
probes_profile_tests_module_text_SOURCES = probes/profile/tests/module_text.c
probes_profile_tests_module_text_LDADD = libriscv.la libnfart.la
TESTS += probes/profile/tests/modules.test
EXTRA_DIST += probes/profile/tests/modules.test

# A boot of Linux. The kernel is built in RV_LINUX, which takes minutes the first time.
rv_long = probes/profile/tests/linux.test
EXTRA_DIST += $(rv_long) probes/profile/tests/linux
check-rv: all
	$(MAKE) check TESTS='$(rv_long) $(rv_scripts)'
phony += check-rv

# Call stacks of random programs under a random kernel.
check_PROGRAMS += probes/profile/tests/stacks
probes_profile_tests_stacks_SOURCES = \
	tools/nfagen/traffic/gen_random.h probes/profile/tests/machine_elf.c \
	probes/profile/tests/machine_run.c probes/profile/tests/random_machine.c \
	probes/profile/tests/random_machine.h probes/profile/tests/stacks.c testsuite/setting.h \
	testsuite/unit/tap.h probes/profile/tests/machine_profile.c \
	probes/profile/tests/machine_profile.h probes/profile/tool/print.c \
	probes/profile/tool/print.h probes/profile/tool/walk.c probes/profile/tool/walk.h
probes_profile_tests_stacks_LDADD = libriscv.la libnfart.la
TESTS += probes/profile/tests/stacks
check_PROGRAMS += probes/profile/tests/splits
probes_profile_tests_splits_SOURCES = \
	tools/nfagen/traffic/gen_random.h probes/profile/tests/machine_elf.c \
	probes/profile/tests/machine_profile.c probes/profile/tests/machine_profile.h \
	probes/profile/tests/machine_run.c probes/profile/tests/random_machine.c \
	probes/profile/tests/random_machine.h probes/profile/tests/splits.c testsuite/setting.h \
	testsuite/unit/tap.h probes/profile/tool/print.c probes/profile/tool/print.h \
	probes/profile/tool/walk.c probes/profile/tool/walk.h
probes_profile_tests_splits_LDADD = libriscv.la libnfart.la
TESTS += probes/profile/tests/splits
check_PROGRAMS += probes/profile/tests/ways
probes_profile_tests_ways_SOURCES = \
	tools/nfagen/traffic/gen_random.h probes/profile/tests/machine_elf.c \
	probes/profile/tests/machine_run.c probes/profile/tests/random_machine.c \
	probes/profile/tests/random_machine.h probes/profile/tests/ways.c testsuite/setting.h \
	testsuite/unit/tap.h
probes_profile_tests_ways_LDADD = libriscv.la libnfart.la
TESTS += probes/profile/tests/ways
check_PROGRAMS += probes/profile/tests/write_machine
probes_profile_tests_write_machine_SOURCES = \
	tools/nfagen/traffic/gen_random.h probes/profile/tests/machine_elf.c \
	probes/profile/tests/machine_run.c probes/profile/tests/random_machine.c \
	probes/profile/tests/random_machine.h probes/profile/tests/write_machine.c
probes_profile_tests_write_machine_LDADD = libsupport.la
check_PROGRAMS += probes/profile/tests/names
probes_profile_tests_names_SOURCES = probes/profile/tests/names.c
probes_profile_tests_names_LDADD = libriscv.la libsupport.la
check_PROGRAMS += probes/profile/tests/packets
probes_profile_tests_packets_SOURCES = probes/profile/tests/packets.c
probes_profile_tests_packets_LDADD = libriscv.la libnfart.la
TESTS += probes/profile/tests/debug.test probes/profile/tests/demangle.test \
	probes/profile/tests/etrace.test probes/profile/tests/nfaperf.test \
	probes/profile/tests/ntrace.test probes/profile/tests/texts.test
full_tests += probes/profile/tests/user.test probes/profile/tests/debug.test \
	probes/profile/tests/demangle.test \
	probes/profile/tests/etrace.test probes/profile/tests/ntrace.test \
	probes/profile/tests/texts.test
EXTRA_DIST += probes/profile/tests/debug.test probes/profile/tests/demangle.test \
	probes/profile/tests/etrace.py probes/profile/tests/etrace.test \
	probes/profile/tests/nfaperf.test probes/profile/tests/ntrace.py \
	probes/profile/tests/ntrace.test probes/profile/tests/pprof.proto \
	probes/profile/tests/profiles.py probes/profile/tests/texts.py \
	probes/profile/tests/texts.test

# How fast call stacks are made, beside a plain pass and the chains of a paper.
EXTRA_PROGRAMS += probes/profile/bench/bench_rv
probes_profile_bench_bench_rv_SOURCES = probes/profile/bench/bench_rv.c testsuite/bench/measure.h
probes_profile_bench_bench_rv_LDADD = libriscv.la libnfart.la
bench-rv: all probes/profile/bench/bench_rv$(EXEEXT)
	@SRCDIR='$(abs_srcdir)' BUILDDIR='$(abs_builddir)' sh $(srcdir)/probes/profile/bench/bench_rv.sh
phony += bench-rv
EXTRA_DIST += probes/profile/bench/bench_rv.sh probes/profile/bench/rv_work.c
