# The whole compiler but main: what nfacc and the tests link.
noinst_LTLIBRARIES += libnfacc.la
libnfacc_la_SOURCES = \
	compiler/cmd_list.c compiler/cmd_list.h \
	backends/overlay/fit/explain_fit.c backends/overlay/fit/explain_fit.h \
	backends/overlay/fit/fit.c backends/overlay/fit/fit.h backends/overlay/fit/fit_cost.c \
	backends/overlay/fit/fit_cost.h backends/overlay/fit/fit_place.c \
	backends/overlay/fit/fit_place.h backends/overlay/fit/fit_search.c \
	backends/overlay/fit/fit_search.h backends/overlay/fit/fit_table.c \
	backends/overlay/fit/fit_value.c backends/overlay/map/map_graph.c \
	backends/overlay/map/map_graph.h backends/overlay/map/map_view.c \
	backends/overlay/map/map_view.h compiler/counterexample.c compiler/counterexample.h \
	compiler/lower.c compiler/lower.h compiler/pipeline.c compiler/pipeline.h compiler/question.c \
	compiler/question.h compiler/verify.c compiler/verify.h compiler/warn.c compiler/warn.h
libnfacc_la_LIBADD = libbackends.la libmap.la libir.la libgrammar.la libdesc.la libcontract.la \
	libsupport.la

bin_PROGRAMS += nfacc
nfacc_SOURCES = compiler/main.c compiler/options.c compiler/options.h
nfacc_LDADD = libnfacc.la
