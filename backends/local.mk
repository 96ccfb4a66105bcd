noinst_LTLIBRARIES += libbackends.la
libbackends_la_SOURCES = \
	backends/explain.c backends/inspect.c backends/inspect.h backends/pack.c backends/pack.h \
	backends/pack_sparse.c
