## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# nfamem: the memory accesses of a running program.
EXTRA_DIST += probes/memory/reader/channel.h

# The part of nfamem that reads the channel.
if NFAMEM
noinst_LTLIBRARIES += libmemory.la
libmemory_la_SOURCES = \
	probes/memory/reader/call_stacks.c probes/memory/reader/call_stacks.h \
	probes/memory/reader/channel.h probes/memory/reader/clocks.c \
	probes/memory/reader/clocks.h \
	probes/memory/reader/finding.c probes/memory/reader/finding.h \
	probes/memory/reader/findings.c probes/memory/reader/findings.h \
	probes/memory/reader/findings_form.h probes/memory/reader/findings_json.c \
	probes/memory/reader/findings_sarif.c \
	probes/memory/reader/frames.c probes/memory/reader/frames.h \
	probes/memory/reader/leaks.c \
	probes/memory/reader/leaks.h probes/memory/reader/libdw.c probes/memory/reader/libdw.h \
	probes/memory/reader/locals.c probes/memory/reader/locals.h \
	probes/memory/reader/lines.c probes/memory/reader/lines.h \
	probes/memory/reader/matches.c probes/memory/reader/matches.h \
	probes/memory/reader/memory.c \
	probes/memory/reader/memory.h probes/memory/reader/messages.c \
	probes/memory/reader/messages.h \
	probes/memory/reader/names.c \
	probes/memory/reader/names.h probes/memory/reader/order.c probes/memory/reader/order.h \
	probes/memory/reader/page_map.c probes/memory/reader/page_map.h \
	probes/memory/reader/places.c probes/memory/reader/places.h probes/memory/reader/ranges.c \
	probes/memory/reader/race.c probes/memory/reader/race.h probes/memory/reader/races.c \
	probes/memory/reader/races.h \
	probes/memory/reader/ranges.h probes/memory/reader/recording.c \
	probes/memory/reader/recording.h probes/memory/reader/report.c \
	probes/memory/reader/report.h \
	probes/memory/reader/string_code.c probes/memory/reader/string_code.h \
	probes/memory/reader/summary.c probes/memory/reader/summary.h \
	probes/memory/reader/turns.c probes/memory/reader/turns.h \
	probes/memory/reader/variables.c probes/memory/reader/variables.h \
	probes/memory/reader/words.c probes/memory/reader/words.h \
	probes/profile/stacks/demangle.c probes/profile/stacks/demangle.h \
	probes/profile/stacks/rust_name.c probes/profile/stacks/rust_name.h \
	probes/profile/stacks/rust_old_name.c \
	probes/profile/stacks/rust_symbol.c probes/profile/stacks/rust_symbol.h
libmemory_la_CPPFLAGS = $(AM_CPPFLAGS) $(DW_CFLAGS)
libmemory_la_LIBADD = libelf_file.la
endif

# The library that nfamem preloads into the program. It shares the process with a libc whose data it
# must not touch. So it is built without sanitizers and without the stack protector. The compiler
# may not use vector registers in handlers, and may not generate calls of string functions. The
# headers must not put functions of their own in place of those that it defines (_FORTIFY_SOURCE),
# and without optimisation it would call itself. A distribution's flags, or a user's, ask for much
# of that. So these options come after CFLAGS, which automake puts last.
if NFAMEM
pkglib_LTLIBRARIES += libnfamem-inside.la
libnfamem_inside_la_SOURCES = \
	probes/memory/reader/channel.h \
	probes/memory/inside/allocate.c \
	probes/memory/inside/attach.c \
	probes/memory/inside/attach.h \
	probes/memory/inside/blocks.c \
	probes/memory/inside/calls.c \
	probes/memory/inside/calls.h \
	probes/memory/inside/calls_table.c \
	probes/memory/inside/copy.c \
	probes/memory/inside/copy.h \
	probes/memory/inside/copy_atomic.c \
	probes/memory/inside/copy_count.c \
	probes/memory/inside/copy_stretch.c \
	probes/memory/inside/copy_suspect.c \
	probes/memory/inside/count.c \
	probes/memory/inside/decode.c \
	probes/memory/inside/decode.h \
	probes/memory/inside/elements.c \
	probes/memory/inside/elements.h \
	probes/memory/inside/emit.h \
	probes/memory/inside/engine_patch.c \
	probes/memory/inside/engine_step.c \
	probes/memory/inside/engine_stub.c \
	probes/memory/inside/engines.h \
	probes/memory/inside/exec.c \
	probes/memory/inside/family.c \
	probes/memory/inside/fault.c \
	probes/memory/inside/grounds.c \
	probes/memory/inside/grounds.h \
	probes/memory/inside/heap.c \
	probes/memory/inside/heap.h \
	probes/memory/inside/hooks.c \
	probes/memory/inside/hooks.h \
	probes/memory/inside/inside.h \
	probes/memory/inside/leaks.c \
	probes/memory/inside/leaks.h \
	probes/memory/inside/locals.c \
	probes/memory/inside/locals.h \
	probes/memory/inside/life.c \
	probes/memory/inside/lock.h \
	probes/memory/inside/made.c \
	probes/memory/inside/made.h \
	probes/memory/inside/maps.c \
	probes/memory/inside/marks.c \
	probes/memory/inside/mirror.c \
	probes/memory/inside/modules.c \
	probes/memory/inside/modules.h \
	probes/memory/inside/next.h \
	probes/memory/inside/operators.c \
	probes/memory/inside/operators.h \
	probes/memory/inside/outer.c \
	probes/memory/inside/own.c \
	probes/memory/inside/own.h \
	probes/memory/inside/pages.c \
	probes/memory/inside/pages.h \
	probes/memory/inside/raw.h \
	probes/memory/inside/roots.c \
	probes/memory/inside/roots.h \
	probes/memory/inside/ring.c \
	probes/memory/inside/settle.c \
	probes/memory/inside/settle.h \
	probes/memory/inside/shadow.c \
	probes/memory/inside/shadow.h \
	probes/memory/inside/signals.c \
	probes/memory/inside/sites.c \
	probes/memory/inside/sites.h \
	probes/memory/inside/stacks.c \
	probes/memory/inside/stacks.h \
	probes/memory/inside/start.c \
	probes/memory/inside/stretch.c \
	probes/memory/inside/stretch.h \
	probes/memory/inside/threads.c \
	probes/memory/inside/unwind.c \
	probes/memory/inside/unwind.h \
	probes/memory/inside/vectors.c
libnfamem_inside_la_CFLAGS = -std=gnu11 $(WARN_CFLAGS) -fvisibility=hidden
inside_needs = -O2 -U_FORTIFY_SOURCE -fno-sanitize=all -fno-stack-protector -fno-lto -fno-builtin \
	-fno-tree-loop-distribute-patterns -mno-avx -mno-red-zone
$(libnfamem_inside_la_OBJECTS): override CFLAGS += $(inside_needs)
# Copies of instructions call stacks_ordered() and save no vector registers.
inside_in_copies = probes/memory/inside/libnfamem_inside_la-calls.lo \
	probes/memory/inside/libnfamem_inside_la-family.lo \
	probes/memory/inside/libnfamem_inside_la-leaks.lo \
	probes/memory/inside/libnfamem_inside_la-life.lo \
	probes/memory/inside/libnfamem_inside_la-locals.lo \
	probes/memory/inside/libnfamem_inside_la-mirror.lo \
	probes/memory/inside/libnfamem_inside_la-modules.lo \
	probes/memory/inside/libnfamem_inside_la-pages.lo \
	probes/memory/inside/libnfamem_inside_la-ring.lo \
	probes/memory/inside/libnfamem_inside_la-shadow.lo \
	probes/memory/inside/libnfamem_inside_la-signals.lo \
	probes/memory/inside/libnfamem_inside_la-sites.lo \
	probes/memory/inside/libnfamem_inside_la-stacks.lo \
	probes/memory/inside/libnfamem_inside_la-start.lo \
	probes/memory/inside/libnfamem_inside_la-unwind.lo
$(inside_in_copies): override CFLAGS += -mgeneral-regs-only
libnfamem_inside_la_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)
libnfamem_inside_la_LIBTOOLFLAGS = --silent
libnfamem_inside_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,now \
	-Wl,-z,initfirst -Wl,-Bsymbolic
endif

# The tool.
if NFAMEM
bin_PROGRAMS += nfamem
nfamem_SOURCES = \
	probes/memory/tool/attach.c probes/memory/tool/attach.h \
	probes/memory/tool/copies.c probes/memory/tool/copies.h \
	probes/memory/tool/filter_file.c probes/memory/tool/filter_file.h \
	probes/memory/tool/filters.c probes/memory/tool/filters.h \
	probes/memory/tool/follow.c probes/memory/tool/follow.h \
	probes/memory/tool/launch.c probes/memory/tool/launch.h probes/memory/tool/nfamem.c \
	probes/memory/tool/nfamem_options.c probes/memory/tool/nfamem_options.h \
	probes/memory/tool/outputs.c probes/memory/tool/outputs.h probes/memory/tool/program.c \
	probes/memory/tool/program.h probes/memory/tool/progress.c probes/memory/tool/progress.h \
	probes/memory/tool/returns.c probes/memory/tool/returns.h \
	probes/memory/tool/run.c probes/memory/tool/run.h \
	probes/memory/tool/settle.c probes/memory/tool/settle.h \
	probes/memory/tool/target.c probes/memory/tool/target.h \
	probes/memory/tool/tracee.c probes/memory/tool/tracee.h probes/memory/tool/watch.c \
	probes/memory/tool/watch.h
nfamem_CPPFLAGS = $(AM_CPPFLAGS) $(DW_CFLAGS) -DPKGLIBDIR='"$(pkglibdir)"'
# The filters of --check are put into the program (tool/filters.c).
nfamem_CFLAGS = $(AM_CFLAGS) -Wa,-I$(srcdir)/examples/mem
probes/memory/tool/nfamem-filters.$(OBJEXT): $(srcdir)/examples/mem/use-after-free.re \
	$(srcdir)/examples/mem/double-free.re $(srcdir)/examples/mem/beyond.re \
	$(srcdir)/examples/mem/load-before-store.re $(srcdir)/examples/mem/order.re
nfamem_LDADD = libmemory.la libmodule.la libnfart.la
dist_man_MANS += doc/man/nfamem.1
else
EXTRA_DIST += doc/man/nfamem.1
endif
