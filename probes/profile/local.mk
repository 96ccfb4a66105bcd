## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# nfaperf: call stacks of the instructions that a RISC-V machine commits.
# A plugin for qemu, which writes the instructions that an emulated RISC-V machine commits. The
# functions that it calls are qemu's, so it has undefined symbols. qemu cannot load what sanitizers
# watch.
pkglib_LTLIBRARIES += nfaperf-qemu.la
nfaperf_qemu_la_SOURCES = \
	probes/profile/qemu/api.h probes/profile/qemu/cost.c probes/profile/qemu/cost.h \
	probes/profile/qemu/machine.c probes/profile/qemu/machine.h probes/profile/qemu/options.c \
	probes/profile/qemu/options.h probes/profile/qemu/out.c probes/profile/qemu/out.h \
	probes/profile/qemu/plugin.c probes/profile/qemu/registers.c \
	probes/profile/qemu/registers.h probes/profile/qemu/truth.c probes/profile/qemu/truth.h
nfaperf_qemu_la_CFLAGS = -std=gnu11 $(WARN_CFLAGS) -fvisibility=hidden
nfaperf_qemu_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZSTD_CFLAGS)
nfaperf_qemu_la_LIBTOOLFLAGS = --silent
nfaperf_qemu_la_LDFLAGS = -module -avoid-version -shared
nfaperf_qemu_la_LIBADD = $(ZSTD_LIBS)

# Tokens of a RISC-V machine, and the call stacks that nfaperf makes of them.
noinst_LTLIBRARIES += libriscv.la
libriscv_la_SOURCES = \
	probes/profile/stacks/call_tree.c probes/profile/stacks/call_tree.h \
	probes/profile/stacks/code_index.c probes/profile/stacks/code_index.h \
	probes/profile/stacks/debug_file.c probes/profile/stacks/debug_file.h \
	probes/profile/stacks/demangle.c probes/profile/stacks/demangle.h \
	probes/profile/stacks/elf_text.c probes/profile/stacks/elf_text.h \
	probes/profile/stacks/kernel_module.c probes/profile/stacks/kernel_module.h \
	probes/profile/stacks/rv_reloc.c probes/profile/stacks/rv_reloc.h \
	probes/profile/stacks/etrace.c probes/profile/stacks/etrace.h \
	probes/profile/stacks/etrace_packet.c probes/profile/stacks/etrace_packet.h \
	probes/profile/stacks/etrace_tables.c probes/profile/stacks/etrace_tables.h \
	probes/profile/stacks/gem5_text.c probes/profile/stacks/gem5_text.h \
	probes/profile/stacks/linked_code.c probes/profile/stacks/linked_code.h \
	probes/profile/stacks/ntrace.c probes/profile/stacks/ntrace.h \
	probes/profile/stacks/ntrace_execute.c probes/profile/stacks/ntrace_execute.h \
	probes/profile/stacks/ntrace_message.c probes/profile/stacks/ntrace_message.h \
	probes/profile/stacks/packed_file.c probes/profile/stacks/packed_file.h \
	probes/profile/stacks/profile_view.c probes/profile/stacks/profile_view.h \
	probes/profile/stacks/rust_name.c probes/profile/stacks/rust_name.h \
	probes/profile/stacks/rust_old_name.c \
	probes/profile/stacks/rust_symbol.c probes/profile/stacks/rust_symbol.h \
	probes/profile/stacks/rv_begin.c \
	probes/profile/stacks/rv_chain.c probes/profile/stacks/rv_chain.h \
	probes/profile/stacks/rv_code.c probes/profile/stacks/rv_code.h \
	probes/profile/stacks/rv_decode.c probes/profile/stacks/rv_decode.h \
	probes/profile/stacks/rv_flow.c probes/profile/stacks/rv_flow.h \
	probes/profile/stacks/rv_fold.c probes/profile/stacks/rv_fold.h \
	probes/profile/stacks/rv_profile.c probes/profile/stacks/rv_profile.h \
	probes/profile/stacks/rv_quick.c probes/profile/stacks/rv_quick.h \
	probes/profile/stacks/rv_resolve.c probes/profile/stacks/rv_resolve.h \
	probes/profile/stacks/rv_space.c probes/profile/stacks/rv_space.h \
	probes/profile/stacks/rv_stay.c probes/profile/stacks/rv_stay.h \
	probes/profile/stacks/rv_switch.c probes/profile/stacks/rv_switch_threads.c \
	probes/profile/stacks/rv_thread.c \
	probes/profile/stacks/rv_thread.h \
	probes/profile/stacks/rvfi_text.c probes/profile/stacks/rvfi_text.h \
	probes/profile/stacks/text_line.c probes/profile/stacks/text_line.h \
	probes/profile/stacks/token.h \
	probes/profile/stacks/token_reader.c probes/profile/stacks/token_reader.h \
	probes/profile/stacks/token_text.c probes/profile/stacks/token_text.h
libriscv_la_LIBADD = libelf_file.la

# The tool.
bin_PROGRAMS += nfaperf
nfaperf_SOURCES = \
	probes/profile/tool/events.c probes/profile/tool/events.h probes/profile/tool/flame.c \
	probes/profile/tool/flame.h probes/profile/tool/nfaperf.c \
	probes/profile/tool/nfaperf_options.c probes/profile/tool/nfaperf_options.h \
	probes/profile/tool/pprof.c probes/profile/tool/pprof.h probes/profile/tool/print.c \
	probes/profile/tool/print.h probes/profile/tool/slices.c probes/profile/tool/slices.h \
	probes/profile/tool/speedscope.c probes/profile/tool/speedscope.h \
	probes/profile/tool/streamed.c probes/profile/tool/streamed.h \
	probes/profile/tool/walk.c probes/profile/tool/walk.h
nfaperf_LDADD = libriscv.la libnfart.la
dist_man_MANS += doc/man/nfaperf.1
