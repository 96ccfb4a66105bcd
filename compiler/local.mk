noinst_LTLIBRARIES += libmap.la libnfacc.la
libmap_la_SOURCES = \
	compiler/map/adj.c compiler/map/adj.h compiler/map/check.c \
	compiler/map/domain.c compiler/map/domain.h compiler/map/equal.c compiler/map/equal.h \
	compiler/map/exact.c compiler/map/exact.h compiler/map/filter.c compiler/map/filter.h \
	compiler/map/glpk_solve.c compiler/map/glpk_solve.h \
	compiler/map/graph_file.c compiler/map/graph_file.h \
	compiler/map/igraph_wrap.c compiler/map/igraph_wrap.h \
	compiler/map/ilp.c compiler/map/ilp.h compiler/map/map.h \
	compiler/map/matching.c compiler/map/matching.h compiler/map/model.c compiler/map/model.h \
	compiler/map/model_thesis.c compiler/map/model_thesis.h \
	compiler/map/overlay_graph.c compiler/map/overlay_graph.h \
	compiler/map/packing.c compiler/map/packing.h compiler/map/parts.c compiler/map/parts.h \
	compiler/map/place.c compiler/map/problem.c compiler/map/problem.h \
	compiler/map/row.c compiler/map/row.h compiler/map/search.c compiler/map/search.h \
	compiler/map/symmetry.c compiler/map/symmetry.h compiler/map/task.h
libmap_la_CPPFLAGS = $(AM_CPPFLAGS) $(IGRAPH_CFLAGS)
libmap_la_LIBADD = $(GLPK_LIBS) $(IGRAPH_LIBS)

# The whole compiler but main: what nfacc and the tests link.
libnfacc_la_SOURCES = \
	compiler/explain_fit.c compiler/explain_fit.h compiler/fit.c compiler/fit.h \
	compiler/fit_cost.c compiler/fit_cost.h compiler/fit_place.c compiler/fit_place.h \
	compiler/fit_search.c compiler/fit_search.h compiler/fit_table.c compiler/fit_value.c compiler/lower.c \
	compiler/lower.h compiler/map_graph.c compiler/map_graph.h compiler/map_view.c \
	compiler/map_view.h \
	compiler/pipeline.c compiler/pipeline.h compiler/question.c compiler/question.h \
	compiler/verify.c compiler/verify.h compiler/warn.c compiler/warn.h \
	compiler/witness.c compiler/witness.h
libnfacc_la_LIBADD = libbackends.la libmap.la libir.la libgrammar.la libdesc.la libcontract.la \
	libsupport.la

bin_PROGRAMS += nfacc
nfacc_SOURCES = compiler/main.c compiler/options.c compiler/options.h
nfacc_LDADD = libnfacc.la
