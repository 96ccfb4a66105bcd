noinst_LTLIBRARIES += libsupport.la
libsupport_la_LIBTOOLFLAGS = --silent
libsupport_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
libsupport_la_SOURCES = \
	compiler/support/arena.c compiler/support/arena.h \
	compiler/support/bits.h compiler/support/cli.c compiler/support/cli.h \
	compiler/support/buf.c compiler/support/buf.h \
	compiler/support/diag.c compiler/support/diag.h compiler/support/diag_print.c \
	compiler/support/vec.c compiler/support/vec.h
