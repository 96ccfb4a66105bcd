## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The memory accesses of a running program.
EXTRA_DIST += sources/process/channel.h

# What nfamem reads with. It has no part that only works on x86-64, so its tests run everywhere.
noinst_LTLIBRARIES += libmemory.la
libmemory_la_SOURCES = \
	sources/process/channel.h sources/process/order.c sources/process/order.h
libmemory_la_LIBADD = libsupport.la

# What nfamem preloads into the program. It lives beside a libc whose data it must not touch: no
# sanitizer, no stack protector, no vector registers in handlers, and no calls of string functions
# that the compiler makes up.
if NFAMEM
pkglib_LTLIBRARIES += libnfamem-inside.la
libnfamem_inside_la_SOURCES = \
	sources/process/channel.h \
	sources/process/inside/inside.h sources/process/inside/raw.h \
	sources/process/inside/allocate.c sources/process/inside/blocks.c \
	sources/process/inside/heap.c sources/process/inside/heap.h \
	sources/process/inside/lock.h sources/process/inside/next.h \
	sources/process/inside/start.c
libnfamem_inside_la_CFLAGS = -std=gnu11 -O2 $(WARN_CFLAGS) -fvisibility=hidden \
	-fno-stack-protector -fno-builtin -fno-tree-loop-distribute-patterns -mno-avx -mno-red-zone
libnfamem_inside_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir) -I$(top_builddir)
libnfamem_inside_la_LIBTOOLFLAGS = --silent
libnfamem_inside_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,now -Wl,-Bsymbolic
endif
