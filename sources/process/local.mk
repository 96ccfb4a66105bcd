## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The memory accesses of a running program.
EXTRA_DIST += sources/process/channel.h

# What nfamem reads with.
if NFAMEM
noinst_LTLIBRARIES += libmemory.la
libmemory_la_SOURCES = \
	sources/process/channel.h sources/process/lines.c sources/process/lines.h \
	sources/process/matches.c sources/process/matches.h sources/process/memory.c \
	sources/process/memory.h sources/process/messages.c sources/process/messages.h \
	sources/process/names.c \
	sources/process/names.h sources/process/order.c sources/process/order.h \
	sources/process/page_map.c sources/process/page_map.h \
	sources/process/places.c sources/process/places.h sources/process/ranges.c \
	sources/process/ranges.h sources/process/recording.c sources/process/recording.h \
	sources/process/string_code.c sources/process/string_code.h \
	sources/process/summary.c sources/process/summary.h \
	sources/process/turns.c sources/process/turns.h
libmemory_la_CPPFLAGS = $(AM_CPPFLAGS) $(DW_CFLAGS)
libmemory_la_LIBADD = libelf_file.la $(DW_LIBS)
endif

# What nfamem preloads into the program. It lives beside a libc whose data it must not touch: no
# sanitizer, no stack protector, no vector registers in handlers, and no calls of string functions
# that the compiler makes up.
if NFAMEM
pkglib_LTLIBRARIES += libnfamem-inside.la
libnfamem_inside_la_SOURCES = \
	sources/process/channel.h \
	sources/process/inside/allocate.c \
	sources/process/inside/blocks.c \
	sources/process/inside/calls.c \
	sources/process/inside/calls.h \
	sources/process/inside/calls_table.c \
	sources/process/inside/copy.c \
	sources/process/inside/copy.h \
	sources/process/inside/copy_atomic.c \
	sources/process/inside/decode.c \
	sources/process/inside/decode.h \
	sources/process/inside/emit.h \
	sources/process/inside/engine_patch.c \
	sources/process/inside/engine_step.c \
	sources/process/inside/engine_stub.c \
	sources/process/inside/engines.h \
	sources/process/inside/exec.c \
	sources/process/inside/family.c \
	sources/process/inside/fault.c \
	sources/process/inside/heap.c \
	sources/process/inside/heap.h \
	sources/process/inside/inside.h \
	sources/process/inside/life.c \
	sources/process/inside/lock.h \
	sources/process/inside/maps.c \
	sources/process/inside/marks.c \
	sources/process/inside/mirror.c \
	sources/process/inside/modules.c \
	sources/process/inside/modules.h \
	sources/process/inside/next.h \
	sources/process/inside/pages.c \
	sources/process/inside/pages.h \
	sources/process/inside/raw.h \
	sources/process/inside/ring.c \
	sources/process/inside/signals.c \
	sources/process/inside/sites.c \
	sources/process/inside/sites.h \
	sources/process/inside/start.c \
	sources/process/inside/threads.c \
	sources/process/inside/vectors.c
libnfamem_inside_la_CFLAGS = -std=gnu11 -O2 $(WARN_CFLAGS) -fvisibility=hidden \
	-fno-stack-protector -fno-builtin -fno-tree-loop-distribute-patterns -mno-avx -mno-red-zone
libnfamem_inside_la_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)
libnfamem_inside_la_LIBTOOLFLAGS = --silent
libnfamem_inside_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,now \
	-Wl,-z,initfirst -Wl,-Bsymbolic
endif
