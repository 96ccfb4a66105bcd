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
# Tokens of a RISC-V machine, from which nfaperf makes call stacks.
EXTRA_DIST += sources/riscv/token.h
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
