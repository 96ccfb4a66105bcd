## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# Memory, buffers, messages, options and files of output, which all other folders use.
noinst_LTLIBRARIES += libsupport.la
libsupport_la_LIBTOOLFLAGS = --silent
libsupport_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
libsupport_la_SOURCES = \
	support/arena.c support/arena.h support/beside.c support/beside.h support/bits.h \
	support/buf.c support/buf.h support/cli.c \
	support/cli.h support/clock.c support/clock.h support/desc.c support/desc.h support/diag.c \
	support/diag.h support/diag_json.c support/diag_print.c \
	support/error.c \
	support/escape.c support/escape.h \
	support/hash.c support/hash.h support/interrupt.c support/interrupt.h \
	support/json.c support/json.h \
	support/option.c support/option.h support/option_help.c support/order.h \
	support/outfile.c support/outfile.h support/processor.h \
	support/progress.c support/progress.h \
	support/quantity.c support/quantity.h \
	support/terminal.c support/terminal.h \
	support/vec.c support/vec.h support/zeroes.c support/zeroes.h

# ELF files and their symbols, for nfaperf, nfavirt and nfamem.
noinst_LTLIBRARIES += libelf_file.la
libelf_file_la_SOURCES = \
	support/elf/elf_file.c support/elf/elf_file.h support/elf/symbols.c support/elf/symbols.h
