noinst_LTLIBRARIES += libmap.la libnfacc.la
libmap_la_SOURCES = \
	compiler/map/adj.c compiler/map/adj.h compiler/map/check.c \
	compiler/map/domain.c compiler/map/domain.h compiler/map/exact.c compiler/map/exact.h \
	compiler/map/glpk_solve.c compiler/map/glpk_solve.h \
	compiler/map/igraph_wrap.c compiler/map/igraph_wrap.h \
	compiler/map/ilp.c compiler/map/ilp.h compiler/map/map.h \
	compiler/map/matching.c compiler/map/matching.h \
	compiler/map/overlay_graph.c compiler/map/overlay_graph.h compiler/map/place.c \
	compiler/map/problem.c compiler/map/problem.h compiler/map/search.c compiler/map/search.h
libmap_la_CPPFLAGS = $(AM_CPPFLAGS) $(IGRAPH_CFLAGS)
libmap_la_LIBADD = $(GLPK_LIBS) $(IGRAPH_LIBS)

# The whole compiler but main: what nfacc and the tests link.
libnfacc_la_SOURCES = \
	compiler/explain_fit.c compiler/explain_fit.h compiler/fit.c compiler/fit.h \
	compiler/fit_cost.c compiler/fit_cost.h compiler/fit_place.c compiler/fit_place.h \
	compiler/fit_search.c compiler/fit_search.h compiler/fit_table.c compiler/lower.c compiler/lower.h \
	compiler/pipeline.c compiler/pipeline.h
libnfacc_la_LIBADD = libbackends.la libmap.la libir.la libgrammar.la libdesc.la libcontract.la \
	libsupport.la

bin_PROGRAMS += nfacc
nfacc_SOURCES = compiler/main.c compiler/options.c compiler/options.h
nfacc_LDADD = libnfacc.la
