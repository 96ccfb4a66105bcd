## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The reference matcher.
check_LTLIBRARIES = liboracle.la
liboracle_la_SOURCES = \
	testsuite/oracle/oracle.c testsuite/oracle/oracle.h testsuite/oracle/oracle_copy.c \
	testsuite/oracle/oracle_copy.h testsuite/oracle/oracle_machine.c \
	testsuite/oracle/oracle_machine.h

# Every test program and script speaks TAP; the driver comes with automake. A case is a file dropped
# into golden/, match/ or bad/: no list is edited.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	NFACC='$(abs_builddir)/nfacc'; NFARUN='$(abs_builddir)/nfarun'; \
	NFAGEN='$(abs_builddir)/nfagen'; SRCDIR='$(abs_srcdir)'; BUILDDIR='$(abs_builddir)'; \
	SHARED="$${SHARED:-$(abs_srcdir)/../shared}"; \
	export NFACC NFARUN NFAGEN SRCDIR BUILDDIR SHARED;
TEST_LOG_DRIVER = $(LOG_DRIVER)
LOG_COMPILER = $(SHELL) $(top_srcdir)/testsuite/run.sh
TEST_LOG_COMPILER = $(LOG_COMPILER)

scripts = \
	testsuite/abi.test \
	testsuite/between.test testsuite/by-field.test testsuite/merge-traces.test testsuite/payload.test \
	testsuite/golden.test \
	testsuite/match.test \
	testsuite/names.test \
	testsuite/bad.test \
	testsuite/cocotb.test \
	testsuite/changes.test testsuite/coherence.test testsuite/coherence-bus.test testsuite/findings.test \
	testsuite/colour.test \
	testsuite/compressed.test \
	testsuite/conformance.test \
	testsuite/etm-cores.test testsuite/etm-events.test testsuite/etm-outputs.test testsuite/etm-rate.test \
	testsuite/follow.test testsuite/ring-memory.test \
	testsuite/install.test \
	testsuite/interrupted.test \
	testsuite/licences.test \
	testsuite/live.test \
	testsuite/passes.test \
	testsuite/order.test testsuite/orders.test \
	testsuite/perfetto.test \
	testsuite/plot.test testsuite/plot-jobs.test \
	testsuite/progress.test testsuite/answers.test testsuite/ask-jobs.test \
	testsuite/python.test \
	testsuite/seeded.test \
	testsuite/settings.test \
	testsuite/setup.test \
	testsuite/source.test \
	testsuite/svg.test \
	testsuite/symmetry.test \
	testsuite/tap-payload.test testsuite/tap-verilog.test \
	testsuite/taps.test \
	testsuite/vcd.test \
	testsuite/wave/wave.test
TESTS += $(scripts)
EXTRA_DIST += $(scripts) testsuite/fits.sh testsuite/lib.sh testsuite/run.sh testsuite/golden \
	testsuite/match \
	testsuite/changes.py testsuite/coherence_bus.py testsuite/etm-events.py \
	testsuite/etm-rate.py testsuite/names.py testsuite/order.py testsuite/orders.py \
	testsuite/symmetry.py \
	testsuite/perfetto.proto testsuite/perfetto.py \
	testsuite/perfetto_text.py testsuite/plot.py testsuite/svg.py \
	testsuite/bus_data.py testsuite/tap_payload.py testsuite/tap_verilog.py testsuite/vcd.py \
	testsuite/bad testsuite/seeded testsuite/wave/design.v \
	testsuite/wave/fst_parts.py testsuite/wave/oracle.py testsuite/wave/random_vcd.py

# Prints what the reader of waveforms delivers.
check_PROGRAMS += testsuite/wave/wavedump
testsuite_wave_wavedump_SOURCES = testsuite/wave/wavedump.c
testsuite_wave_wavedump_LDADD = libnfart.la

# Prints how seeded-nfacc is made: nfacc with the source file seeded-nfacc.c in place of that of
# which it is a copy. seeded.test runs these commands many times, without make and libtool.
seeded-commands: $(nfacc_OBJECTS) $(nfacc_DEPENDENCIES)
	@echo '$(COMPILE) -w -O0 -g0 -c -o seeded-nfacc.o seeded-nfacc.c'
	@: >seeded-nfacc.o
	@$(LIBTOOL) --tag=CC $(AM_LIBTOOLFLAGS) --dry-run --mode=link $(CCLD) $(AM_CFLAGS) $(CFLAGS) \
		$(AM_LDFLAGS) $(LDFLAGS) -o seeded-nfacc seeded-nfacc.o $(nfacc_OBJECTS) \
		$(nfacc_LDADD) $(LIBS) | sed -n '/ -o seeded-nfacc /{ s/^libtool: link: //p; q; }'
	@rm -f seeded-nfacc.o
phony += seeded-commands

# The same for the program that tests pairs.
seeded-pairs-commands: $(testsuite_property_pairs_OBJECTS) $(testsuite_property_pairs_DEPENDENCIES)
	@echo '$(COMPILE) -w -O0 -g0 -c -o seeded-pairs.o seeded-pairs.c'
	@: >seeded-pairs.o
	@$(LIBTOOL) --tag=CC $(AM_LIBTOOLFLAGS) --dry-run --mode=link $(CCLD) $(AM_CFLAGS) $(CFLAGS) \
		$(AM_LDFLAGS) $(LDFLAGS) -static -o seeded-pairs seeded-pairs.o \
		$(testsuite_property_pairs_OBJECTS) $(testsuite_property_pairs_LDADD) $(LIBS) | \
		sed -n '/ -o seeded-pairs /{ s/^libtool: link: //p; q; }'
	@rm -f seeded-pairs.o
phony += seeded-pairs-commands

# What `make check` leaves out so that it takes minutes. A test that is in TESTS, too, does in `make
# check-full` what it left out there (NFACC_FULL). A folder adds its own.
full_tests = testsuite/changes.test testsuite/coherence-bus.test testsuite/conformance.test testsuite/etm-rate.test testsuite/golden.test testsuite/property/count \
	testsuite/property/decide testsuite/property/explain testsuite/property/fast_long \
	testsuite/property/faults testsuite/property/pieces testsuite/property/property \
	testsuite/seeded.test testsuite/symmetry.test \
	testsuite/rocket.test testsuite/seeded.test \
	testsuite/wave/wave.test
check-full: all
	NFACC_FULL=1 $(MAKE) check TESTS='$(full_tests)'
phony += check-full

# Tests that take long or compare with a release, and what the environment asks of them. A folder
# adds its own; those of `make check` may stand here too, to run for longer.
long_tests = testsuite/abi-diff.test testsuite/changes.test testsuite/clean.test \
	testsuite/coherence.test \
	testsuite/conformance.test \
	testsuite/debian.test testsuite/etm-kernel.test testsuite/etm-rate.test \
	testsuite/map/models testsuite/order.test testsuite/orders.test \
	testsuite/property/coherence testsuite/property/count testsuite/property/explain \
	testsuite/property/factors testsuite/property/faults testsuite/property/joins \
	testsuite/property/large testsuite/property/library testsuite/property/must \
	testsuite/property/property testsuite/property/quiet testsuite/property/threads \
	testsuite/runtime.test \
	testsuite/sarif.test testsuite/symmetry.test testsuite/tap-payload.test \
	testsuite/tap-verilog.test testsuite/taps.test
long_settings = NFACC_SEED=$$NFACC_SEED NFACC_CHANGES=10 NFACC_SYMMETRY=300 NFACC_ORDER=2000 NFACC_ORDERS=4000 NFACC_RATES=2000 NFACC_TAP_PAIRS=1000 \
	NFACC_TAPS=10000 NFACC_TAP_WAVES=3000 NFACC_COHERENCE_DESCRIPTIONS=200 NFACC_COUNT_PAIRS=16000 \
	NFACC_FACTORS=3000 NFACC_FAULTS=120 NFACC_GRAPHS=1000 \
	NFACC_LARGE=100 NFACC_LIBRARY_PAIRS=4000 NFACC_MUST=3000 NFACC_PAIRS=24000 NFACC_QUIET=5000 NFACC_RANDOM=1900 \
	NFACC_THREAD_PAIRS=4000
check-long: all
	@NFACC_SEED=$${NFACC_SEED-`date +%Y%m%d`}; echo "check-long: NFACC_SEED=$$NFACC_SEED"; \
		$(long_settings) $(MAKE) check TESTS='$(long_tests)'
phony += check-long
EXTRA_DIST += testsuite/rocket.test testsuite/abi-diff.test testsuite/clean.test testsuite/debian.test \
	testsuite/etm-kernel.test \
	testsuite/runtime.test testsuite/sarif.test
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/rules debian/source/format \
	debian/libnfart-dev.install debian/libnfart0.install debian/nfacc-doc.install \
	debian/python3-nfart.install \
	debian/nfacc.install debian/nfacc.manpages debian/nfamem.install debian/nfamem.manpages \
	debian/nfarun.install debian/nfarun.manpages \
	debian/nfarun-mpi.install debian/nfarun-mpi.manpages

# Which branches the tests take; lcov is needed.
coverage: all
	@SRCDIR='$(abs_srcdir)' BUILDDIR='$(abs_builddir)' FULL_TESTS='$(full_tests)' \
		sh $(srcdir)/testsuite/coverage/coverage.sh $(TESTS)
phony += coverage
EXTRA_DIST += testsuite/coverage/coverage.sh testsuite/coverage/report.awk \
	testsuite/coverage/causes.txt testsuite/coverage/excluded.txt

# Traces for Wireshark.
TESTS += testsuite/wireshark/dissector.test testsuite/wireshark/pcapng.test
EXTRA_DIST += testsuite/wireshark/bench_shark.sh testsuite/wireshark/check_dissector.py \
	testsuite/wireshark/check_pcapng.py testsuite/wireshark/dissector.test \
	testsuite/wireshark/packets.py testsuite/wireshark/pcapng.test \
	testsuite/wireshark/queues.proto testsuite/wireshark/wide.proto
long_tests += testsuite/wireshark/dissector.test
long_settings += NFACC_MESSAGES=50000
bench-shark: all
	@NFACC='$(abs_builddir)/nfacc' NFARUN='$(abs_builddir)/nfarun' NFAGEN='$(abs_builddir)/nfagen' \
		sh $(srcdir)/testsuite/wireshark/bench_shark.sh
phony += bench-shark

# The generator of random filters and streams, and how much of them.
random = \
	testsuite/property/gen.c testsuite/property/gen.h testsuite/property/gen_draw.h \
	testsuite/property/gen_filter.c testsuite/property/gen_machine.c \
	testsuite/property/gen_pred.c testsuite/setting.h

# Random filters and streams: reference matcher against image, in-process.
check_PROGRAMS += testsuite/property/property
testsuite_property_property_SOURCES = $(random) \
	testsuite/property/fast.c testsuite/property/fast.h testsuite/property/positions.c \
	testsuite/property/positions.h testsuite/property/property.c
testsuite_property_property_LDADD = liboracle.la libnfacc.la libnfart.la
TESTS += testsuite/property/property
# The same for protocols with joins.
check_PROGRAMS += testsuite/property/joins
testsuite_property_joins_SOURCES = $(random) \
	testsuite/property/fast.c testsuite/property/fast.h testsuite/property/joins.c
testsuite_property_joins_LDADD = liboracle.la libnfacc.la libnfart.la
TESTS += testsuite/property/joins
check_PROGRAMS += testsuite/property/fast_long
testsuite_property_fast_long_SOURCES = \
	testsuite/property/fast.c testsuite/property/fast.h testsuite/property/fast_long.c \
	testsuite/unit/tap.h
testsuite_property_fast_long_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/property/fast_long

# Large automata, bit-parallel and in all ways.
check_PROGRAMS += testsuite/property/large
testsuite_property_large_SOURCES = \
	$(random) testsuite/bench/traffic.c testsuite/bench/traffic.h testsuite/property/fast.c \
	testsuite/property/fast.h testsuite/property/large.c testsuite/unit/tap.h
testsuite_property_large_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/property/large

# Several processes against one; nothing where Open MPI is not there.
TESTS += testsuite/mpi.test
EXTRA_DIST += testsuite/mpi.test

# Several threads, and shards, against one.
check_PROGRAMS += testsuite/property/threads
testsuite_property_threads_SOURCES = \
	$(random) testsuite/property/chunks.c testsuite/property/chunks.h \
	testsuite/property/threads.c testsuite/property/trial.c testsuite/property/trial.h
testsuite_property_threads_LDADD = libnfacc.la librun.la libnfart.la
TESTS += testsuite/property/threads

# Requests and answers of traces in pieces, read by several threads.
check_PROGRAMS += testsuite/property/pieces
testsuite_property_pieces_SOURCES = \
	$(random) testsuite/property/chunks.c testsuite/property/chunks.h \
	testsuite/property/pieces.c testsuite/unit/tap.h
testsuite_property_pieces_LDADD = libnfacc.la librun.la libstats.la libnfart.la
TESTS += testsuite/property/pieces

# The labels of batches of traces in pieces.
check_PROGRAMS += testsuite/property/labelled
testsuite_property_labelled_SOURCES = \
	$(random) testsuite/property/chunks.c testsuite/property/chunks.h \
	testsuite/property/labelled.c testsuite/property/trial.c testsuite/property/trial.h \
	testsuite/unit/tap.h
testsuite_property_labelled_LDADD = libnfacc.la librun.la libnfart.la
TESTS += testsuite/property/labelled
full_tests += testsuite/property/labelled

# The library in several threads at once; matches as an array.
check_PROGRAMS += testsuite/property/library
testsuite_property_library_SOURCES = $(random) testsuite/property/library.c
testsuite_property_library_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/property/library

# What nfarun --explain says, against searches backwards.
check_PROGRAMS += testsuite/property/explain
testsuite_property_explain_SOURCES = $(random) testsuite/property/explain.c \
	testsuite/property/explain_machine.c testsuite/property/explain_machine.h
testsuite_property_explain_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/property/explain

# Checkers from rules of coherence, against an exhaustive search.
check_PROGRAMS += testsuite/property/coherence
testsuite_property_coherence_SOURCES = testsuite/property/coherence.c testsuite/setting.h
testsuite_property_coherence_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/property/coherence.test
EXTRA_DIST += testsuite/property/coherence.test

# The decision procedure beside slow obvious ones.
check_PROGRAMS += testsuite/property/decide
testsuite_property_decide_SOURCES = $(random) testsuite/property/decide.c
testsuite_property_decide_LDADD = liboracle.la libnfacc.la libnfart.la
TESTS += testsuite/property/decide

# Machines mapped to trace units, and what the registers mean.
check_PROGRAMS += testsuite/property/etm_map
testsuite_property_etm_map_SOURCES = testsuite/property/etm_map.c testsuite/setting.h \
	testsuite/unit/tap.h
testsuite_property_etm_map_LDADD = libnfacc.la libetmproof.la libsupport.la
TESTS += testsuite/property/etm_map
long_tests += testsuite/property/etm_map
long_settings += NFACC_MAPPED=5000

# The fewest selectors, beside an enumeration of all programs.
check_PROGRAMS += testsuite/property/etm_fewest
testsuite_property_etm_fewest_SOURCES = testsuite/property/etm_fewest.c testsuite/setting.h \
	testsuite/unit/tap.h
testsuite_property_etm_fewest_LDADD = libnfacc.la libetmproof.la libsupport.la
TESTS += testsuite/property/etm_fewest
long_tests += testsuite/property/etm_fewest
long_settings += NFACC_SELECTORS=5

# Symbols of ELF files, whole and damaged.
check_PROGRAMS += testsuite/property/symbols
testsuite_property_symbols_SOURCES = \
	tools/nfagen/traffic/gen_random.h testsuite/property/symbols.c testsuite/setting.h \
	testsuite/unit/tap.h
testsuite_property_symbols_LDADD = libelf_file.la libnfart.la
TESTS += testsuite/property/symbols

# Patterns over bytes, with factors and without.
check_PROGRAMS += testsuite/property/factors
testsuite_property_factors_SOURCES = \
	testsuite/bench/subject.c testsuite/bench/subject.h testsuite/bench/measure.h \
	tools/nfagen/traffic/gen_random.h testsuite/property/factors.c testsuite/setting.h \
	testsuite/unit/tap.h
testsuite_property_factors_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/property/factors

# Broken waveforms, scanned and read word by word.
check_PROGRAMS += testsuite/property/waves
testsuite_property_waves_SOURCES = \
	testsuite/property/waves.c testsuite/setting.h testsuite/unit/tap.h \
	tools/nfagen/traffic/gen_random.h
testsuite_property_waves_LDADD = libnfart.la
TESTS += testsuite/property/waves
full_tests += testsuite/property/waves
long_tests += testsuite/property/waves
long_settings += NFACC_BROKEN_WAVES=400000

# Filters that wait for few messages, with visits left out and without.
check_PROGRAMS += testsuite/property/must
testsuite_property_must_SOURCES = \
	testsuite/property/fast.c testsuite/property/fast.h testsuite/property/must.c \
	testsuite/setting.h testsuite/unit/tap.h tools/nfagen/traffic/gen_random.h
testsuite_property_must_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/property/must

# Messages that change nothing, left out and not.
check_PROGRAMS += testsuite/property/quiet
testsuite_property_quiet_SOURCES = testsuite/property/quiet.c testsuite/setting.h \
	testsuite/unit/tap.h tools/nfagen/traffic/gen_random.h
testsuite_property_quiet_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/property/quiet

# Requests joined to answers, beside a slow search.
check_PROGRAMS += testsuite/property/pairs
testsuite_property_pairs_SOURCES = \
	tools/nfagen/traffic/gen_random.h testsuite/property/many_pairs.c \
	testsuite/property/many_pairs.h testsuite/property/pairs.c testsuite/setting.h \
	testsuite/unit/tap.h
testsuite_property_pairs_LDADD = libdesc.la libnfart.la
TESTS += testsuite/property/pairs

# Statistics of pairs and messages, beside sums over all of them.
check_PROGRAMS += testsuite/property/stats
testsuite_property_stats_SOURCES = \
	tools/nfagen/traffic/gen_random.h testsuite/property/counted.c \
	testsuite/property/counted.h testsuite/property/stats.c testsuite/setting.h \
	testsuite/unit/tap.h
testsuite_property_stats_LDADD = libstats.la libdesc.la libnfart.la
TESTS += testsuite/property/stats

# Comparison of two streams: how often it finds a difference where there is one, and where not.
check_PROGRAMS += testsuite/property/compare
testsuite_property_compare_SOURCES = \
	tools/nfagen/traffic/gen_random.h testsuite/property/compare.c testsuite/setting.h \
	testsuite/unit/tap.h
testsuite_property_compare_LDADD = libstats.la libnfart.la -lm
TESTS += testsuite/property/compare

# What plots are made of, beside sums over all of it.
check_PROGRAMS += testsuite/property/picture
testsuite_property_picture_SOURCES = \
	tools/nfagen/traffic/gen_random.h testsuite/property/picture.c testsuite/setting.h \
	testsuite/unit/tap.h
testsuite_property_picture_LDADD = libstats.la libdesc.la libnfart.la
TESTS += testsuite/property/picture

# The block layer and the bandwidth benchmark, followed from their traces.
streams = testsuite/bench/measure.h testsuite/bench/streams.c testsuite/bench/streams.h
check_PROGRAMS += testsuite/property/blocks
testsuite_property_blocks_SOURCES = \
	$(streams) testsuite/property/blocks.c testsuite/setting.h testsuite/unit/tap.h
testsuite_property_blocks_LDADD = libtraffic.la libdesc.la libnfart.la -lm
TESTS += testsuite/property/blocks

# What a C compiler says of nfart.h, for testsuite/python.test.
check_PROGRAMS += testsuite/python/layout
testsuite_python_layout_SOURCES = testsuite/python/layout.c
EXTRA_DIST += testsuite/python/test_monitor.py testsuite/python/test_nfart.py

# How long the Python module takes for two million messages.
bench-python: libnfart.la nfagen$(EXEEXT)
	@NFAGEN=./nfagen NFART_LIBRARY=.libs/libnfart.so.0 PYTHONPATH=$(srcdir)/python \
		python3 -B $(srcdir)/testsuite/bench/bench_python.py
EXTRA_DIST += testsuite/bench/bench_python.py
phony += bench-python

# Injected faults, which the proof of a compilation must find.
check_PROGRAMS += testsuite/property/faults
testsuite_property_faults_SOURCES = $(random) testsuite/property/faults.c
testsuite_property_faults_LDADD = liboracle.la libnfacc.la libnfart.la
TESTS += testsuite/property/faults

# Repetitions as counters.
check_PROGRAMS += testsuite/property/count
testsuite_property_count_SOURCES = \
	$(random) testsuite/property/count.c testsuite/property/fast.c testsuite/property/fast.h
testsuite_property_count_LDADD = liboracle.la libnfacc.la libnfart.la
TESTS += testsuite/property/count

include testsuite/device/local.mk
include testsuite/hdl/local.mk
include testsuite/map/local.mk
include testsuite/rtl/local.mk
# What fits which overlay, with states split where needed.
check_PROGRAMS += testsuite/fit/fit
testsuite_fit_fit_SOURCES = \
	testsuite/fit/fit.c testsuite/property/gen.c testsuite/property/gen.h \
	testsuite/property/gen_draw.h testsuite/property/gen_filter.c \
	testsuite/property/gen_machine.c \
	testsuite/property/gen_pred.c
testsuite_fit_fit_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/fit/fit

# Benchmarks: not tests, and built only when asked for. The curves are drawn where gnuplot is there.
EXTRA_PROGRAMS = testsuite/bench/bench testsuite/bench/bench_engine testsuite/bench/bench_memory \
	testsuite/bench/bench_curves testsuite/bench/bench_jobs testsuite/bench/bench_large \
	testsuite/bench/bench_fields testsuite/bench/bench_ask testsuite/bench/bench_pairs
testsuite_bench_bench_pairs_SOURCES = testsuite/bench/bench_pairs.c testsuite/bench/measure.h
testsuite_bench_bench_pairs_LDADD = libnfacc.la libnfart.la
testsuite_bench_bench_ask_SOURCES = testsuite/bench/bench_ask.c $(subject)
testsuite_bench_bench_ask_LDADD = libnfacc.la libnfart.la
testsuite_bench_bench_fields_SOURCES = testsuite/bench/bench_fields.c $(subject) $(traffic)
testsuite_bench_bench_fields_LDADD = libnfacc.la libnfart.la
subject = testsuite/bench/subject.c testsuite/bench/subject.h testsuite/bench/measure.h
traffic = testsuite/bench/traffic.c testsuite/bench/traffic.h
peer = testsuite/bench/peer.c testsuite/bench/peer.h
testsuite_bench_bench_SOURCES = testsuite/bench/bench.c testsuite/bench/measure.h
testsuite_bench_bench_LDADD = libnfacc.la libnfart.la
testsuite_bench_bench_large_SOURCES = testsuite/bench/bench_large.c $(subject) $(traffic) $(peer)
testsuite_bench_bench_large_CPPFLAGS = $(AM_CPPFLAGS) $(HS_CPPFLAGS)
testsuite_bench_bench_large_LDADD = libnfacc.la libnfart.la $(HS_LIBS)
testsuite_bench_bench_engine_SOURCES = testsuite/bench/bench_engine.c $(subject) $(traffic) $(peer)
testsuite_bench_bench_engine_CPPFLAGS = $(AM_CPPFLAGS) $(HS_CPPFLAGS)
testsuite_bench_bench_engine_LDADD = libnfacc.la libnfart.la $(HS_LIBS)
testsuite_bench_bench_memory_SOURCES = testsuite/bench/bench_memory.c $(subject) $(traffic)
testsuite_bench_bench_memory_LDADD = libnfacc.la libnfart.la
testsuite_bench_bench_curves_SOURCES = testsuite/bench/bench_curves.c $(subject) $(traffic)
testsuite_bench_bench_curves_LDADD = libnfacc.la libnfart.la
testsuite_bench_bench_jobs_SOURCES = testsuite/bench/bench_jobs.c $(subject)
testsuite_bench_bench_jobs_LDADD = libnfacc.la librun.la libnfart.la
EXTRA_DIST += testsuite/bench/curves.gp
CLEANFILES += $(EXTRA_PROGRAMS) bench-curves.dat bench-curves.svg
# The filters of the examples: examples/NAME/NAME.re.
example_filters = `for d in $(srcdir)/examples/*; do f=$$d/\`basename $$d\`.re; \
	test ! -f $$f || echo $$f; done`
bench: all testsuite/bench/bench$(EXEEXT) testsuite/bench/bench_engine$(EXEEXT) \
		testsuite/bench/bench_memory$(EXEEXT) testsuite/bench/bench_curves$(EXEEXT) \
		testsuite/bench/bench_jobs$(EXEEXT) testsuite/bench/bench_large$(EXEEXT) \
		testsuite/bench/bench_fields$(EXEEXT) testsuite/bench/bench_ask$(EXEEXT) \
		testsuite/bench/bench_pairs$(EXEEXT)
	@testsuite/bench/bench ./nfacc $(example_filters) $(srcdir)/examples/inflight/inflight.yaml
	@testsuite/bench/bench_engine ./nfarun $(srcdir)/examples
	@testsuite/bench/bench_large
	@testsuite/bench/bench_fields
	@testsuite/bench/bench_ask ./nfarun ./nfagen $(srcdir)/examples $(srcdir)/protocols
	@testsuite/bench/bench_pairs
	@testsuite/bench/bench_memory ./nfarun $(srcdir)/examples
	@testsuite/bench/bench_curves $(srcdir)/examples bench-curves.dat
	@if command -v gnuplot >/dev/null; then \
		gnuplot $(srcdir)/testsuite/bench/curves.gp && echo "drawn in bench-curves.svg"; \
	else \
		echo "not drawn, since there is no gnuplot; the numbers are in bench-curves.dat"; fi
	@testsuite/bench/bench_jobs ./nfagen
phony += bench

# Questions about a trace, beside a plain count.
bench-ask: all testsuite/bench/bench_ask$(EXEEXT) testsuite/bench/bench_pairs$(EXEEXT)
	@testsuite/bench/bench_ask ./nfarun ./nfagen $(srcdir)/examples $(srcdir)/protocols
	@testsuite/bench/bench_pairs
phony += bench-ask

# Is this build as fast as the last tag, or as the commit that GUARD names?
EXTRA_PROGRAMS += testsuite/bench/bench_guard
testsuite_bench_bench_guard_SOURCES = testsuite/bench/bench_guard.c $(subject) $(traffic)
testsuite_bench_bench_guard_LDADD = libnfacc.la libnfart.la
bench-guard: all testsuite/bench/bench_guard$(EXEEXT)
	@SRCDIR='$(abs_srcdir)' BUILDDIR='$(abs_builddir)' sh $(srcdir)/testsuite/bench/guard.sh
phony += bench-guard
long_tests += testsuite/bench/bench_guard.test
EXTRA_DIST += testsuite/bench/bench_guard.test testsuite/bench/guard.sh

# Patterns over bytes, beside Vectorscan.
EXTRA_PROGRAMS += testsuite/bench/bench_bytes
testsuite_bench_bench_bytes_SOURCES = testsuite/bench/bench_bytes.c $(subject) $(traffic) $(peer)
testsuite_bench_bench_bytes_CPPFLAGS = $(AM_CPPFLAGS) $(HS_CPPFLAGS)
testsuite_bench_bench_bytes_LDADD = libnfacc.la libnfart.la $(HS_LIBS)
bench-bytes: testsuite/bench/bench_bytes$(EXEEXT)
	@testsuite/bench/bench_bytes
phony += bench-bytes

# Writing each format, beside text.
EXTRA_PROGRAMS += testsuite/bench/bench_write
testsuite_bench_bench_write_SOURCES = testsuite/bench/bench_write.c $(subject)
testsuite_bench_bench_write_LDADD = libnfacc.la libnfart.la
bench-write: all testsuite/bench/bench_write$(EXEEXT)
	@testsuite/bench/bench_write ./nfarun ./nfagen
phony += bench-write

# How fast waveforms are read. It writes files of some 2.5 GB, and removes them.
EXTRA_PROGRAMS += testsuite/bench/bench_waves
testsuite_bench_bench_waves_SOURCES = testsuite/bench/bench_waves.c testsuite/bench/measure.h
testsuite_bench_bench_waves_LDADD = libnfart.la
# What a monitor costs a simulation: it takes minutes to build these.
EXTRA_DIST += testsuite/bench/bench_monitor.cpp testsuite/bench/bench_monitor.py
bench-monitor: all
	@NFACC=./nfacc SRCDIR=$(srcdir) BUILDDIR=. \
		python3 -B $(srcdir)/testsuite/bench/bench_monitor.py $(BENCH_RUNS)
phony += bench-monitor
bench-waves: testsuite/bench/bench_waves$(EXEEXT)
	@testsuite/bench/bench_waves $(BENCH_MEGABYTES)
phony += bench-waves

# What checkers of coherence find, on changes of the real capture if it is there; how long they take
# to derive.
EXTRA_PROGRAMS += testsuite/bench/bench_coherence
testsuite_bench_bench_coherence_SOURCES = testsuite/bench/bench_coherence.c \
	testsuite/bench/measure.h
testsuite_bench_bench_coherence_LDADD = libnfacc.la libnfart.la
bench-coherence: all testsuite/bench/bench_coherence$(EXEEXT)
	@testsuite/bench/bench_coherence $(srcdir)/examples \
		`ls "$${SHARED:-$(srcdir)/../shared}"/traces/enzian-iperf-*.csv 2>/dev/null`
	@NFACC=./nfacc NFARUN=./nfarun NFAGEN=./nfagen SRCDIR=$(srcdir) \
		sh $(srcdir)/testsuite/bench/coherence.sh \
		`ls "$${SHARED:-$(srcdir)/../shared}"/traces/enzian-iperf-*.csv 2>/dev/null`
EXTRA_DIST += testsuite/bench/coherence.sh
phony += bench-coherence

# The bottleneck analysis of T 4.1, on a model of 16 streaming cores; PLOT=1 draws it.
EXTRA_PROGRAMS += testsuite/bench/bench_streams
testsuite_bench_bench_streams_SOURCES = $(streams) testsuite/bench/bench_streams.c
testsuite_bench_bench_streams_LDADD = libtraffic.la libdesc.la libnfart.la -lm
bench-streams: testsuite/bench/bench_streams$(EXEEXT) all
	@testsuite/bench/bench_streams
	@SRCDIR=$(srcdir) PLOT=$(PLOT) sh $(srcdir)/testsuite/bench/streams.sh
phony += bench-streams
CLEANFILES += bench-streams.svg

EXTRA_DIST += testsuite/bench/streams.sh

# The experiment on cache misses; it is drawn where gnuplot is there. RTL=1 repeats it on a
# simulated engine, whose model is built in a minute.
TESTS += testsuite/bench/bench_misses.test
long_tests += testsuite/bench/bench_misses.test
long_settings += NFACC_MISSES_LONG=1
EXTRA_DIST += testsuite/bench/bench_misses.py testsuite/bench/bench_misses.test \
	testsuite/bench/misses-all.re testsuite/bench/misses.gp testsuite/bench/misses.ov
bench-misses: all
	@test -z "$(RTL)" || ./nfamodel -o sim-engines $(srcdir)/testsuite/bench/misses.ov
	@NFACC=./nfacc NFARUN=./nfarun NFAGEN=./nfagen SRCDIR=$(srcdir) python3 -B \
		$(srcdir)/testsuite/bench/bench_misses.py -d bench-misses.dat $(RTL:%=--rtl sim-engines)
	@if command -v gnuplot >/dev/null; then \
		gnuplot $(srcdir)/testsuite/bench/misses.gp && \
			echo "drawn in bench-misses-accesses.svg and bench-misses-kinds.svg"; \
	else \
		echo "not drawn, since there is no gnuplot; the numbers are in bench-misses.dat"; fi
CLEANFILES += bench-misses.dat bench-misses-accesses.svg bench-misses-kinds.svg
phony += bench-misses

# What the levels of the optimiser leave of automata; patterns of $SHARED too where it has any.
EXTRA_PROGRAMS += testsuite/bench/bench_opt
testsuite_bench_bench_opt_SOURCES = \
	testsuite/bench/bench_opt.c testsuite/bench/corpus.c testsuite/bench/corpus.h \
	testsuite/bench/minimal.c testsuite/bench/minimal.h testsuite/property/positions.c \
	testsuite/property/positions.h
testsuite_bench_bench_opt_LDADD = libnfacc.la libnfart.la
EXTRA_DIST += testsuite/bench/opt
bench-opt: testsuite/bench/bench_opt$(EXEEXT)
	@if test -f "$(SHARED)/tools/patterns.py"; then \
		for k in simple moderate dense notx; do \
			python3 "$(SHARED)/tools/patterns.py" $$k 10 1 bench-opt-$$k || exit 1; \
		done; fi
	@testsuite/bench/bench_opt $(srcdir)/testsuite/bench/opt $(example_filters) \
		`ls bench-opt-*.re 2>/dev/null`
CLEANFILES += bench-opt-*.re bench-opt-*.pcre
phony += bench-opt

# The mapper and its peers; PLOT=1 draws figure 34 into bench-map.svg. The test takes its first row.
if GLPK
check_PROGRAMS += testsuite/bench/bench_map
endif
full_tests += testsuite/bench/bench_map.test
testsuite_bench_bench_map_SOURCES = \
	testsuite/bench/alone.c testsuite/bench/alone.h testsuite/bench/bench_map.c \
	testsuite/bench/mapgen.c testsuite/bench/mapgen.h \
	testsuite/bench/shares.c testsuite/bench/shares.h testsuite/bench/solvers.c \
	testsuite/bench/solvers.h testsuite/bench/write_program.c $(map_ilp)
testsuite_bench_bench_map_CPPFLAGS = $(AM_CPPFLAGS) $(IGRAPH_CFLAGS)
testsuite_bench_bench_map_LDADD = libnfacc.la $(IGRAPH_LIBS) $(GLPK_LIBS)
EXTRA_DIST += testsuite/bench/bench_map.test testsuite/bench/map.gp
bench-map: testsuite/bench/bench_map$(EXEEXT)
	@testsuite/bench/bench_map -d bench-map.dat
	@test -z "$(PLOT)" || { gnuplot $(srcdir)/testsuite/bench/map.gp && echo bench-map.svg; }
CLEANFILES += bench-map.dat bench-map.svg
phony += bench-map

include testsuite/etm/local.mk
include testsuite/unit/local.mk
include testsuite/fuzz/local.mk
include testsuite/thesis/local.mk
