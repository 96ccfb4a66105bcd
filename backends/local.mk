noinst_LTLIBRARIES += libbackends.la
libbackends_la_SOURCES = \
	backends/inspect.c backends/inspect.h backends/pack.h backends/pack_names.c \
	backends/overlay/emit/emit.h backends/overlay/emit/emit_header.c \
	backends/overlay/emit/emit_map.c backends/overlay/emit/emit_mem.c \
	backends/overlay/emit/emit_regs.c backends/overlay/emit/emit_verilog.c \
	backends/overlay/pack/pack.c backends/sparse/pack_sparse.c
