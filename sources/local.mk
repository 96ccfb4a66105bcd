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
