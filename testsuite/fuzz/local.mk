## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# Fuzz targets: here with a main() that runs the kept corpora; fuzz.sh links them with libFuzzer.
FUZZ_COMMON = \
	testsuite/fuzz/compile.c testsuite/fuzz/driver.c testsuite/fuzz/fuzz.h \
	testsuite/fuzz/trace.c
check_PROGRAMS += testsuite/fuzz/binary
testsuite_fuzz_binary_SOURCES = testsuite/fuzz/binary.c $(FUZZ_COMMON)
testsuite_fuzz_binary_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/chunks
testsuite_fuzz_chunks_SOURCES = \
	testsuite/fuzz/bytes.h testsuite/fuzz/chunks.c testsuite/fuzz/damage.c \
	testsuite/fuzz/damage.h \
	testsuite/property/chunks.c testsuite/property/chunks.h testsuite/property/gen.c \
	testsuite/property/gen.h testsuite/property/gen_draw.h testsuite/property/gen_filter.c \
	testsuite/property/gen_machine.c testsuite/property/gen_pred.c testsuite/property/trial.c \
	testsuite/property/trial.h \
	$(FUZZ_COMMON)
testsuite_fuzz_chunks_LDADD = libnfacc.la librun.la libnfart.la
check_PROGRAMS += testsuite/fuzz/coherence
testsuite_fuzz_coherence_SOURCES = testsuite/fuzz/coherence.c $(FUZZ_COMMON)
testsuite_fuzz_coherence_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/core
testsuite_fuzz_core_SOURCES = testsuite/fuzz/core.c $(FUZZ_COMMON)
testsuite_fuzz_core_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/dump
testsuite_fuzz_dump_SOURCES = testsuite/fuzz/dump.c $(FUZZ_COMMON)
testsuite_fuzz_dump_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/fst
testsuite_fuzz_fst_SOURCES = testsuite/fuzz/fst.c testsuite/fuzz/wave.c $(FUZZ_COMMON)
testsuite_fuzz_fst_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/filter
testsuite_fuzz_filter_SOURCES = testsuite/fuzz/filter.c $(FUZZ_COMMON)
testsuite_fuzz_filter_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/ila
testsuite_fuzz_ila_SOURCES = testsuite/fuzz/ila.c $(FUZZ_COMMON)
testsuite_fuzz_ila_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/image
testsuite_fuzz_image_SOURCES = testsuite/fuzz/image.c $(FUZZ_COMMON)
testsuite_fuzz_image_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/overlay
testsuite_fuzz_overlay_SOURCES = testsuite/fuzz/overlay.c $(FUZZ_COMMON)
testsuite_fuzz_overlay_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/protocol
testsuite_fuzz_protocol_SOURCES = testsuite/fuzz/protocol.c $(FUZZ_COMMON)
testsuite_fuzz_protocol_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/text
testsuite_fuzz_text_SOURCES = testsuite/fuzz/text.c $(FUZZ_COMMON)
testsuite_fuzz_text_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/vcd
testsuite_fuzz_vcd_SOURCES = testsuite/fuzz/vcd.c testsuite/fuzz/wave.c $(FUZZ_COMMON)
testsuite_fuzz_vcd_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/yaml
testsuite_fuzz_yaml_SOURCES = testsuite/fuzz/yaml.c $(FUZZ_COMMON)
testsuite_fuzz_yaml_LDADD = libnfacc.la libnfart.la
if PROBES
check_PROGRAMS += testsuite/fuzz/program
testsuite_fuzz_program_SOURCES = testsuite/fuzz/program.c $(FUZZ_COMMON)
testsuite_fuzz_program_LDADD = libprogram.la libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/registers
testsuite_fuzz_registers_SOURCES = testsuite/fuzz/registers.c $(FUZZ_COMMON)
testsuite_fuzz_registers_LDADD = libetm_model.la libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/tokens
testsuite_fuzz_tokens_SOURCES = testsuite/fuzz/tokens.c $(FUZZ_COMMON)
testsuite_fuzz_tokens_LDADD = libriscv.la libnfacc.la libnfart.la
endif
TESTS += testsuite/fuzz/fuzz.test

# All targets in turn, FUZZ_SECONDS each, from another seed every time; and what adds the inputs
# that they found to the corpora above. FUZZ_TARGETS names some of them.
FUZZ_SECONDS = 60
fuzz_run = SRCDIR='$(abs_srcdir)' BUILDDIR='$(abs_builddir)' sh $(srcdir)/testsuite/fuzz/fuzz.sh
fuzz: all
	@FUZZ_SEED="$${FUZZ_SEED:-`date +%s`}" $(fuzz_run) $(FUZZ_SECONDS) $(FUZZ_TARGETS)
fuzz-keep: all
	@$(fuzz_run) keep $(FUZZ_TARGETS)
phony += fuzz fuzz-keep
EXTRA_DIST += testsuite/fuzz/corpus testsuite/fuzz/fuzz.sh testsuite/fuzz/fuzz.test
