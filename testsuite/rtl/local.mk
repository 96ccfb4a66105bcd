## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# Random filters and streams on the simulated engine, against reference matcher and software engine.
check_PROGRAMS += testsuite/rtl/rtl_random
testsuite_rtl_rtl_random_SOURCES = \
	runtime/device/rtl_engine.c runtime/device/rtl_engine.h rtl/sim/model.h \
	testsuite/property/gen.c testsuite/property/gen.h testsuite/property/gen_draw.h \
	testsuite/property/gen_filter.c testsuite/property/gen_machine.c \
	testsuite/property/gen_pred.c testsuite/rtl/rtl_random.c \
	testsuite/rtl/rtl_random.h testsuite/rtl/rtl_expect.c testsuite/rtl/rtl_scenario.c \
	testsuite/rtl/rtl_bins.c testsuite/rtl/rtl_names.c testsuite/rtl/rtl_payload.c \
	runtime/run/named_lines.c runtime/run/named_lines.h \
	testsuite/rtl/rtl_states.c testsuite/rtl/rtl_time.c testsuite/setting.h
testsuite_rtl_rtl_random_LDADD = liboracle.la libnfacc.la libnfart.la
TESTS += testsuite/rtl/random.test
# More batches than an engine with the states in memory can keep up with.
check_PROGRAMS += testsuite/rtl/rtl_overload
testsuite_rtl_rtl_overload_SOURCES = \
	runtime/device/rtl_engine.c runtime/device/rtl_engine.h rtl/sim/model.h \
	testsuite/rtl/rtl_overload.c
testsuite_rtl_rtl_overload_LDADD = libnfart.la
# Pauses of such an engine.
check_PROGRAMS += testsuite/rtl/rtl_pauses
testsuite_rtl_rtl_pauses_SOURCES = \
	runtime/device/rtl_engine.c runtime/device/rtl_engine.h rtl/sim/model.h \
	testsuite/rtl/rtl_pauses.c
testsuite_rtl_rtl_pauses_LDADD = libnfart.la
full_tests += testsuite/rtl/pauses.test
EXTRA_DIST += testsuite/rtl/pauses.test
TESTS += testsuite/rtl/many_lines.test
long_tests += testsuite/rtl/many_lines.test
EXTRA_DIST += testsuite/rtl/many_lines.test
full_tests += testsuite/rtl/memory.test
EXTRA_DIST += testsuite/rtl/memory.test
full_tests += testsuite/rtl/cases.test testsuite/rtl/coherence.test testsuite/rtl/random.test \
	testsuite/rtl/time.test
# In check-long ten times as many pairs, from other seeds, and the default overlay.
long_tests += testsuite/rtl/coherence.test testsuite/rtl/random.test
long_settings += NFACC_RTL_TIMES=10
# Mistakes in the engine's Verilog, which these tests must catch: two a day in check.
TESTS += testsuite/rtl/mutants.test
long_tests += testsuite/rtl/mutants.test
long_settings += NFACC_LONG=yes
EXTRA_DIST += testsuite/rtl/mutants.test testsuite/rtl/mutants.txt
# The tests of the engine that take longer.
check-rtl-long:
	$(MAKE) check-long long_tests='testsuite/rtl/random.test testsuite/rtl/mutants.test'
phony += check-rtl-long
EXTRA_DIST += testsuite/rtl/cases.test testsuite/rtl/coherence.test testsuite/rtl/random.test \
	testsuite/rtl/time.test testsuite/rtl/cases testsuite/rtl/overlays

# The firmware against two engines: a model of the registers, and the simulated engine.
check_PROGRAMS += testsuite/rtl/firmware_test testsuite/rtl/firmware_rtl
firmware_test_sources = \
	runtime/device/firmware.c runtime/device/firmware.h runtime/device/nfacc_registers.h \
	testsuite/unit/tap.h \
	testsuite/rtl/firmware_target.h testsuite/rtl/firmware_test.c \
	testsuite/rtl/firmware_wire.c \
	testsuite/rtl/firmware_wire.h
testsuite_rtl_firmware_test_SOURCES = \
	$(firmware_test_sources) testsuite/rtl/firmware_model.c testsuite/rtl/regmodel.c \
	testsuite/rtl/regmodel.h
testsuite_rtl_firmware_test_CPPFLAGS = $(AM_CPPFLAGS) -DNFACC_OWN_IO
testsuite_rtl_firmware_test_LDADD = libcontract.la libsupport.la
testsuite_rtl_firmware_rtl_SOURCES = \
	$(firmware_test_sources) runtime/device/rtl_engine.c runtime/device/rtl_engine.h \
	rtl/sim/model.h \
	testsuite/rtl/firmware_rtl.c
testsuite_rtl_firmware_rtl_CPPFLAGS = $(AM_CPPFLAGS) -DNFACC_OWN_IO
testsuite_rtl_firmware_rtl_LDADD = libnfart.la
TESTS += testsuite/rtl/firmware.test testsuite/rtl/header.test
full_tests += testsuite/rtl/firmware_rtl.test
EXTRA_DIST += \
	testsuite/rtl/firmware.test testsuite/rtl/firmware_images.sh \
	testsuite/rtl/firmware_rtl.test \
	testsuite/rtl/header.test testsuite/bench/firmware.sh doc/use/firmware.md

# Cross builds of the firmware, and its test on their processors.
bench-firmware: all
	@NFACC=./nfacc SRCDIR=$(srcdir) sh $(srcdir)/testsuite/bench/firmware.sh
phony += bench-firmware

# The whole engine: proofs of its modules, lint, and a testbench.
engine_tests = testsuite/rtl/engine.test testsuite/rtl/formal.test testsuite/rtl/lint.test
TESTS += $(engine_tests)
full_tests += $(engine_tests)
EXTRA_DIST += \
	testsuite/rtl/engine.test testsuite/rtl/formal.test testsuite/rtl/lint.test \
	testsuite/rtl/engine.ov testsuite/rtl/engine-one.re testsuite/rtl/engine-two.re \
	testsuite/rtl/engine_tb.v testsuite/rtl/tiny.proto testsuite/rtl/proofs doc/develop/rtl.md

# The input reduction for the block layer, against the one in C.
check_PROGRAMS += testsuite/rtl/block_vectors
testsuite_rtl_block_vectors_SOURCES = testsuite/rtl/block_vectors.c
testsuite_rtl_block_vectors_LDADD = libtraffic.la libdesc.la libnfart.la
TESTS += testsuite/rtl/blocks.test
EXTRA_DIST += testsuite/rtl/blocks.test testsuite/rtl/blocks_tb.v

# The NFA part by itself, against a model.
full_tests += testsuite/rtl/nfa.test
EXTRA_DIST += \
	testsuite/rtl/nfa.test testsuite/rtl/nfa_model.cc testsuite/rtl/nfa_model.h \
	testsuite/rtl/nfa_shapes.h testsuite/rtl/nfa_vectors.v testsuite/rtl/nfa_verilog.cc
# The files for a design: their lists, the example, the signals of the GTKWave save file.
TESTS += testsuite/rtl/files.test
full_tests += testsuite/rtl/example_axi.test testsuite/rtl/files.test
EXTRA_DIST += \
	testsuite/rtl/files.test testsuite/rtl/lints.sh testsuite/rtl/example_axi.test \
	testsuite/rtl/example_axi_tb.v testsuite/rtl/example_tb.v \
	testsuite/rtl/example_pin_tb.v \
	testsuite/rtl/vivado.tcl \
	doc/use/hardware.md

# The ring in memory.
TESTS += testsuite/rtl/ring.test testsuite/rtl/merge.test
full_tests += testsuite/rtl/ring.test testsuite/rtl/merge.test
EXTRA_DIST += \
	testsuite/rtl/ring.test testsuite/rtl/ring.py testsuite/rtl/ring_memory.v \
	testsuite/rtl/ring_tb.v testsuite/rtl/merge.test testsuite/rtl/merge_tb.v

# The monitor in a simulation, against nfarun on the waveform.
full_tests += testsuite/rtl/monitor.test
EXTRA_DIST += testsuite/rtl/monitor.test testsuite/rtl/monitor_tb.sv

# How deep the logic of the engine is. It takes minutes.
long_tests += testsuite/rtl/depth.test
EXTRA_DIST += testsuite/rtl/depth.test

# What the engine costs; PLOT=1 draws it into bench-rtl.svg.
EXTRA_DIST += testsuite/bench/bench_engine.v testsuite/bench/bench_nfa.v testsuite/bench/bench_rtl.py \
	testsuite/bench/engine_depth.py testsuite/bench/rtl.gp testsuite/bench/sweep.gp
bench-rtl: all
	@PATH="$(abs_builddir)/hdl/bin:$$PATH" NFACC=./nfacc SRCDIR=$(srcdir) python3 -B $(srcdir)/testsuite/bench/bench_rtl.py -d bench-rtl.dat
	@test -z "$(PLOT)" || { gnuplot $(srcdir)/testsuite/bench/rtl.gp && echo bench-rtl.svg; }
CLEANFILES += bench-rtl.dat bench-rtl.svg
phony += bench-rtl
# The same while each parameter of the overlay grows alone (T figure 30); PLOT=1 draws it into
# bench-sweep.svg.
bench-sweep: all
	@NFACC=./nfacc SRCDIR=$(srcdir) python3 -B $(srcdir)/testsuite/bench/bench_rtl.py -f bench-sweep.dat
	@test -z "$(PLOT)" || { gnuplot $(srcdir)/testsuite/bench/sweep.gp && echo bench-sweep.svg; }
CLEANFILES += bench-sweep.dat bench-sweep.svg
phony += bench-sweep

# Simulated engines that the tests built, and a kernel that they unpacked. The build may be in the
# source tree, so their folders have names that no folder of sources has.
clean-local:
	rm -rf sim-engines debian-kernel guard
