## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The front end for virtual addresses: its model, its Verilog, its tool.
check_PROGRAMS += probes/virtual/tests/virt_front probes/virtual/tests/virt_system
probes_virtual_tests_virt_front_SOURCES = probes/virtual/tests/virt_front.c \
	probes/virtual/tests/virt_events.h \
	testsuite/unit/tap.h
probes_virtual_tests_virt_front_LDADD = libvirtual.la
probes_virtual_tests_virt_system_SOURCES = probes/virtual/tests/virt_system.c testsuite/unit/tap.h
probes_virtual_tests_virt_system_LDADD = libvirtual.la
check_PROGRAMS += probes/virtual/tests/virt_policy
probes_virtual_tests_virt_policy_SOURCES = probes/virtual/tests/virt_policy.c \
	probes/virtual/tests/virt_events.h testsuite/unit/tap.h
probes_virtual_tests_virt_policy_LDADD = libvirtual.la
check_PROGRAMS += probes/virtual/tests/virt_dvm
probes_virtual_tests_virt_dvm_SOURCES = probes/virtual/tests/virt_dvm.c testsuite/unit/tap.h
probes_virtual_tests_virt_dvm_LDADD = libvirtual_bus.la libvirtual.la libnfart.la
TESTS += probes/virtual/tests/stale.test probes/virtual/tests/virt_front \
	probes/virtual/tests/virt_dvm probes/virtual/tests/virt_policy \
	probes/virtual/tests/virt_system \
	probes/virtual/tests/nfavirt.test probes/virtual/tests/entries.test \
	probes/virtual/tests/images.test probes/virtual/tests/bus.test \
	probes/virtual/tests/virtual_small.test
EXTRA_DIST += probes/virtual/tests/bus.py probes/virtual/tests/bus.test probes/virtual/tests/stale.test probes/virtual/tests/nfavirt.test \
	probes/virtual/tests/entries.test probes/virtual/tests/images.test \
	probes/virtual/tests/virtual_small.test

long_tests += probes/virtual/tests/bus.test
long_settings += NFACC_VIRTUAL_BUSES=20

# The driver as a module, in QEMU. Its part without a kernel is in libvirtual.la.
check_PROGRAMS += probes/virtual/tests/kernel_init
probes_virtual_tests_kernel_init_SOURCES = probes/virtual/tests/kernel_init.c
probes_virtual_tests_kernel_init_LDADD =
long_tests += probes/virtual/tests/kernel.test
EXTRA_DIST += probes/virtual/tests/kernel.test

# Virtual addresses for snoops, in a system that knows the truth.
check_PROGRAMS += probes/virtual/tests/virtual
probes_virtual_tests_virtual_SOURCES = probes/virtual/tests/virtual.c testsuite/setting.h
probes_virtual_tests_virtual_LDADD = libvirtual.la
TESTS += probes/virtual/tests/virtual
long_tests += probes/virtual/tests/virtual
long_settings += NFACC_VIRTUAL_SEEDS=1000
# Ranges of lines for virt_messages, beside the messages made in software.
check_PROGRAMS += probes/virtual/tests/virt_ranges
probes_virtual_tests_virt_ranges_SOURCES = probes/virtual/tests/virt_ranges.c testsuite/setting.h \
	testsuite/unit/tap.h
probes_virtual_tests_virt_ranges_LDADD = libprogram.la libdesc.la libnfart.la
TESTS += probes/virtual/tests/virt_ranges
long_tests += probes/virtual/tests/virt_ranges
long_settings += NFACC_RANGE_SEEDS=1000

# The front end for virtual addresses: its parts against those in C.
TESTS += probes/virtual/tests/rtl/formal.test probes/virtual/tests/rtl/lint.test
full_tests += probes/virtual/tests/rtl/example.test probes/virtual/tests/rtl/formal.test \
	probes/virtual/tests/rtl/parts.test
long_tests += probes/virtual/tests/rtl/broken.test probes/virtual/tests/rtl/mutants.test \
	probes/virtual/tests/rtl/parts.test
long_settings += NFACC_VIRTUAL_SYSTEMS=100
EXTRA_DIST += \
	probes/virtual/tests/rtl/broken.test \
	probes/virtual/tests/rtl/example.test \
	probes/virtual/tests/rtl/formal.test \
	probes/virtual/tests/rtl/proofs \
	probes/virtual/tests/rtl/front.cc \
	probes/virtual/tests/rtl/helper.cc \
	probes/virtual/tests/rtl/lint.test \
	probes/virtual/tests/rtl/listener.cc \
	probes/virtual/tests/rtl/logger.cc \
	probes/virtual/tests/rtl/messages.cc \
	probes/virtual/tests/rtl/mutants.test \
	probes/virtual/tests/rtl/parts.test \
	probes/virtual/tests/rtl/rig.cc \
	probes/virtual/tests/rtl/rig.h \
	probes/virtual/tests/rtl/rtlb.cc \
	probes/virtual/tests/rtl/stalker.cc \
	probes/virtual/tests/rtl/watchdog.cc \
	probes/virtual/tests/rtl/window.cc

# The example with an engine behind the front end, beside nfavirt and nfarun. The first program is
# nfavirt, which also writes what its front end saw.
check_PROGRAMS += probes/virtual/tests/rtl/events
probes_virtual_tests_rtl_events_SOURCES = \
	probes/virtual/tests/rtl/events.c probes/virtual/tests/rtl/events.h $(nfavirt_SOURCES)
probes_virtual_tests_rtl_events_LDADD = $(nfavirt_LDADD)
probes_virtual_tests_rtl_events_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=virt_front_init,--wrap=virt_front_write,--wrap=virt_front_snoop \
	-Wl,--wrap=virt_front_dvm,--wrap=virt_front_request,--wrap=virt_front_done
full_tests += probes/virtual/tests/rtl/engine.test
long_tests += probes/virtual/tests/rtl/engine.test
long_settings += NFACC_VIRTUAL_ENGINES=20
EXTRA_DIST += probes/virtual/tests/rtl/engine.cc probes/virtual/tests/rtl/engine.test

# Virtual addresses for snoops: what is seen of a program, and what that costs.
bench-virtual: nfavirt$(EXEEXT)
	@SRCDIR='$(abs_srcdir)' CC='$(CC)' sh $(srcdir)/probes/virtual/bench/virtual.sh
phony += bench-virtual
EXTRA_DIST += probes/virtual/bench/virtual.gp probes/virtual/bench/virtual.sh
# What its Verilog needs.
bench-virtual-rtl:
	@SRCDIR='$(abs_srcdir)' sh $(srcdir)/probes/virtual/bench/virtual_rtl.sh
phony += bench-virtual-rtl
EXTRA_DIST += probes/virtual/bench/virtual_rtl.sh
CLEANFILES += virtual-functions.png virtual-overhead.png virtual-pages.png
