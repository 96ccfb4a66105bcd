noinst_LTLIBRARIES += libbackends.la
libbackends_la_SOURCES = \
	backends/emit.h backends/emit_header.c backends/emit_mem.c backends/emit_regs.c backends/emit_verilog.c \
	backends/explain.c backends/inspect.c backends/inspect.h backends/pack.c backends/pack.h \
	backends/pack_names.c backends/pack_sparse.c
