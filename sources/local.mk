## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# A source of batches besides captures: it generates traffic that follows the coherence protocol.
noinst_LTLIBRARIES += libtraffic.la
libtraffic_la_SOURCES = \
	sources/traffic/gen_busy.c sources/traffic/gen_busy.h sources/traffic/gen_coherence.c \
	sources/traffic/gen_coherence.h sources/traffic/gen_fault.c sources/traffic/gen_ila.c \
	sources/traffic/gen_ila.h sources/traffic/gen_message.c sources/traffic/gen_message.h \
	sources/traffic/gen_misses.c sources/traffic/gen_misses.h \
	sources/traffic/gen_nodes.c sources/traffic/gen_queue.c sources/traffic/gen_queue.h \
	sources/traffic/gen_random.h sources/traffic/gen_sim.h
# The block layer: both ends of a link, a tap, and models of traffic.
libtraffic_la_SOURCES += \
	sources/blocks/block.c sources/blocks/block.h sources/blocks/block_link.c \
	sources/blocks/block_link.h sources/blocks/block_random.c sources/blocks/block_random.h \
	sources/blocks/block_streams.c sources/blocks/block_streams.h sources/blocks/block_tap.c \
	sources/blocks/block_tap.h sources/blocks/gen_blocks.c sources/blocks/gen_blocks.h
# A plugin for qemu, which writes the instructions that an emulated RISC-V machine commits. The
# functions that it calls are qemu's, so it has undefined symbols. qemu cannot load what sanitizers
# watch.
pkglib_LTLIBRARIES += nfaperf-qemu.la
nfaperf_qemu_la_SOURCES = \
	sources/riscv/qemu/api.h sources/riscv/qemu/cost.c sources/riscv/qemu/cost.h \
	sources/riscv/qemu/machine.c sources/riscv/qemu/machine.h sources/riscv/qemu/options.c \
	sources/riscv/qemu/options.h sources/riscv/qemu/out.c sources/riscv/qemu/out.h \
	sources/riscv/qemu/plugin.c sources/riscv/qemu/truth.c sources/riscv/qemu/truth.h
nfaperf_qemu_la_CFLAGS = -std=gnu11 $(WARN_CFLAGS) -fvisibility=hidden
nfaperf_qemu_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS)
nfaperf_qemu_la_LIBTOOLFLAGS = --silent
nfaperf_qemu_la_LDFLAGS = -module -avoid-version -shared
nfaperf_qemu_la_LIBADD = $(ZSTD_LIBS)

# ELF files and their symbols, for nfaperf, nfavirt and nfamem.
noinst_LTLIBRARIES += libelf_file.la
libelf_file_la_SOURCES = \
	sources/elf/elf_file.c sources/elf/elf_file.h sources/elf/symbols.c sources/elf/symbols.h

# Tokens of a RISC-V machine, and the call stacks that nfaperf makes of them.
noinst_LTLIBRARIES += libriscv.la
libriscv_la_SOURCES = \
	sources/riscv/call_tree.c sources/riscv/call_tree.h sources/riscv/code_index.c \
	sources/riscv/code_index.h sources/riscv/elf_text.c sources/riscv/elf_text.h \
	sources/riscv/profile_view.c sources/riscv/profile_view.h sources/riscv/rv_chain.c \
	sources/riscv/rv_chain.h sources/riscv/rv_code.c \
	sources/riscv/rv_code.h sources/riscv/rv_decode.c sources/riscv/rv_decode.h \
	sources/riscv/rv_flow.c sources/riscv/rv_flow.h sources/riscv/rv_fold.c \
	sources/riscv/rv_fold.h sources/riscv/rv_profile.c \
	sources/riscv/rv_profile.h sources/riscv/rv_resolve.c sources/riscv/rv_resolve.h \
	sources/riscv/rv_space.c sources/riscv/rv_space.h sources/riscv/rv_switch.c \
	sources/riscv/rv_thread.c sources/riscv/rv_thread.h sources/riscv/token.h \
	sources/riscv/token_reader.c sources/riscv/token_reader.h
libriscv_la_LIBADD = libelf_file.la

# What the model of virtual addresses reads: accesses of a program, and its symbols.
noinst_LTLIBRARIES += libprogram.la
libprogram_la_SOURCES = \
	sources/virtual/elf_symbols.c sources/virtual/elf_symbols.h sources/virtual/lackey.c \
	sources/virtual/lackey.h sources/virtual/symbol_protocol.c sources/virtual/symbol_protocol.h \
	sources/virtual/symbol_ranges.c sources/virtual/symbol_ranges.h
libprogram_la_LIBADD = libelf_file.la
