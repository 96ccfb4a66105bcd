## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# nfavirt: a front end that gives snoops their virtual addresses, and a system in which it works.
noinst_LTLIBRARIES += libvirtual.la
libvirtual_la_SOURCES = \
	probes/virtual/contract/virtual.def probes/virtual/contract/virtual.h \
	probes/virtual/model/front.c probes/virtual/model/front.h probes/virtual/model/helper.c \
	probes/virtual/model/helper.h probes/virtual/model/listener.c \
	probes/virtual/model/listener.h probes/virtual/model/logger.c \
	probes/virtual/model/logger.h probes/virtual/model/rtlb.c probes/virtual/model/rtlb.h \
	probes/virtual/model/stalker.c probes/virtual/model/stalker.h \
	probes/virtual/model/virtual.h probes/virtual/model/watchdog.c \
	probes/virtual/model/watchdog.h probes/virtual/model/window.c \
	probes/virtual/model/window.h probes/virtual/kernel/policy.c \
	probes/virtual/kernel/policy.h probes/virtual/system/bus.c probes/virtual/system/kernel.c \
	probes/virtual/system/memory.c probes/virtual/system/parts.h \
	probes/virtual/system/system.c probes/virtual/system/system.h \
	probes/virtual/system/translate.c

# The generator of what the Verilog takes from the contract; stale.test compares.
noinst_PROGRAMS += probes/virtual/contract/genvirtual
probes_virtual_contract_genvirtual_SOURCES = probes/virtual/contract/genvirtual.c \
	probes/virtual/contract/virtual.def probes/virtual/contract/virtual.h
virtual-contract: probes/virtual/contract/genvirtual$(EXEEXT)
	probes/virtual/contract/genvirtual >$(srcdir)/probes/virtual/rtl/virt_contract.vh
phony += virtual-contract

# The driver, which the kernel's own makefiles compile.
EXTRA_DIST += probes/virtual/kernel/Kbuild probes/virtual/kernel/main.c

# The front end behind a recorded port of an interconnect.
noinst_LTLIBRARIES += libvirtual_bus.la
libvirtual_bus_la_SOURCES = \
	probes/virtual/bus/ace.c probes/virtual/bus/dvm.c probes/virtual/bus/dvm.h \
	probes/virtual/bus/eci.c probes/virtual/bus/port.c probes/virtual/bus/port.h \
	probes/virtual/bus/replay.c probes/virtual/bus/replay.h

# What the model of virtual addresses reads: accesses of a program, and its symbols.
noinst_LTLIBRARIES += libprogram.la
libprogram_la_SOURCES = \
	probes/virtual/program/elf_symbols.c probes/virtual/program/elf_symbols.h \
	probes/virtual/program/entries.c probes/virtual/program/entries.h \
	probes/virtual/program/images.c probes/virtual/program/images.h \
	probes/virtual/program/lackey.c probes/virtual/program/lackey.h \
	probes/virtual/program/symbol_protocol.c probes/virtual/program/symbol_protocol.h \
	probes/virtual/program/symbol_ranges.c probes/virtual/program/symbol_ranges.h
libprogram_la_LIBADD = libelf_file.la

# The tool.
bin_PROGRAMS += nfavirt
nfavirt_SOURCES = \
	probes/virtual/tool/nfavirt.c probes/virtual/tool/nfavirt_options.c \
	probes/virtual/tool/nfavirt_options.h probes/virtual/tool/run.c probes/virtual/tool/run.h \
	probes/virtual/tool/run_bus.c probes/virtual/tool/warn_lines.c
nfavirt_LDADD = libprogram.la libvirtual_bus.la libvirtual.la libnfart.la
dist_man_MANS += doc/man/nfavirt.1

# The front end in Verilog, alone and with an engine behind it.
rtlvirtualdir = $(pkgdatadir)/rtl/virtual
dist_rtlvirtual_DATA = \
	probes/virtual/rtl/nfacc_example_virtual.v probes/virtual/rtl/nfacc_virtual.core \
	probes/virtual/rtl/virt_contract.vh probes/virtual/rtl/virt_counters.v \
	probes/virtual/rtl/virt_front.v probes/virtual/rtl/virt_helper.v \
	probes/virtual/rtl/virt_listener.v probes/virtual/rtl/virt_logger.v \
	probes/virtual/rtl/virt_messages.v probes/virtual/rtl/virt_regs.v \
	probes/virtual/rtl/virt_rtlb.v probes/virtual/rtl/virt_stalker.v \
	probes/virtual/rtl/virt_watchdog.v probes/virtual/rtl/virt_window.v
