## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# The mapping problem as integer programs, an oracle. It needs GLPK.
map_ilp = testsuite/map/ilp/glpk_solve.c testsuite/map/ilp/glpk_solve.h \
	testsuite/map/ilp/ilp.c testsuite/map/ilp/ilp.h testsuite/map/ilp/ilp_model.c \
	testsuite/map/ilp/ilp_model.h testsuite/map/ilp/ilp_run.c testsuite/map/ilp/ilp_run.h \
	testsuite/map/ilp/ilp_thesis.c testsuite/map/ilp/ilp_thesis.h

# Tests that ask GLPK: its SAT solver, or the integer programs. Without GLPK no_glpk.test says what
# is not tested.
if GLPK
map_glpk_tests = testsuite/map/map testsuite/map/methods testsuite/map/models
check_PROGRAMS += $(map_glpk_tests) testsuite/map/ilp/map_ilp
TESTS += $(map_glpk_tests)
else
TESTS += testsuite/map/no_glpk.test
endif
EXTRA_DIST += testsuite/map/no_glpk.test

# Maps a raw graph by an integer program; the thesis's page runs it.
testsuite_map_ilp_map_ilp_SOURCES = testsuite/map/ilp/map_ilp.c $(map_ilp)
testsuite_map_ilp_map_ilp_LDADD = libnfacc.la $(GLPK_LIBS)

# Random graphs: the mapper against a SAT solver, in-process.
testsuite_map_map_SOURCES = \
	testsuite/map/draw.c testsuite/map/draw.h testsuite/map/map.c testsuite/map/sat.c \
	testsuite/map/sat.h testsuite/setting.h
testsuite_map_map_LDADD = libnfacc.la libnfart.la $(GLPK_LIBS)

# The methods that help the search, each alone.
testsuite_map_methods_SOURCES = \
	testsuite/map/draw.c testsuite/map/draw.h testsuite/map/methods.c testsuite/map/sat.c \
	testsuite/map/sat.h testsuite/setting.h
testsuite_map_methods_LDADD = libnfacc.la libnfart.la $(GLPK_LIBS)

# The same methods on graphs whose answer is known.
check_PROGRAMS += testsuite/map/known
testsuite_map_known_SOURCES = testsuite/map/draw.c testsuite/map/draw.h testsuite/map/known.c
testsuite_map_known_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/map/known

# Every model of the mapper, and every integer program, on random tiny graphs.
testsuite_map_models_SOURCES = testsuite/map/lad.c testsuite/map/lad.h testsuite/map/models.c \
	$(map_ilp)
testsuite_map_models_CPPFLAGS = $(AM_CPPFLAGS) $(IGRAPH_CFLAGS)
testsuite_map_models_LDADD = libnfacc.la $(IGRAPH_LIBS) $(GLPK_LIBS)
