## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# Fuzz targets: here with a main() that runs the kept corpora; fuzz.sh links them with libFuzzer.
FUZZ_COMMON = \
	testsuite/fuzz/compile.c testsuite/fuzz/driver.c testsuite/fuzz/fuzz.h testsuite/fuzz/trace.c
check_PROGRAMS += testsuite/fuzz/binary
testsuite_fuzz_binary_SOURCES = testsuite/fuzz/binary.c $(FUZZ_COMMON)
testsuite_fuzz_binary_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/dump
testsuite_fuzz_dump_SOURCES = testsuite/fuzz/dump.c $(FUZZ_COMMON)
testsuite_fuzz_dump_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/filter
testsuite_fuzz_filter_SOURCES = testsuite/fuzz/filter.c $(FUZZ_COMMON)
testsuite_fuzz_filter_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/ila
testsuite_fuzz_ila_SOURCES = testsuite/fuzz/ila.c $(FUZZ_COMMON)
testsuite_fuzz_ila_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/image
testsuite_fuzz_image_SOURCES = testsuite/fuzz/image.c $(FUZZ_COMMON)
testsuite_fuzz_image_LDADD = libexplain.la libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/overlay
testsuite_fuzz_overlay_SOURCES = testsuite/fuzz/overlay.c $(FUZZ_COMMON)
testsuite_fuzz_overlay_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/protocol
testsuite_fuzz_protocol_SOURCES = testsuite/fuzz/protocol.c $(FUZZ_COMMON)
testsuite_fuzz_protocol_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/text
testsuite_fuzz_text_SOURCES = testsuite/fuzz/text.c $(FUZZ_COMMON)
testsuite_fuzz_text_LDADD = libnfacc.la libnfart.la
check_PROGRAMS += testsuite/fuzz/yaml
testsuite_fuzz_yaml_SOURCES = testsuite/fuzz/yaml.c $(FUZZ_COMMON)
testsuite_fuzz_yaml_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/fuzz/fuzz.test
EXTRA_DIST += testsuite/fuzz/corpus testsuite/fuzz/fuzz.sh testsuite/fuzz/fuzz.test
