## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# Random graphs: the mapper against a SAT solver, in-process.
check_PROGRAMS += testsuite/map/map
testsuite_map_map_SOURCES = \
	testsuite/map/draw.c testsuite/map/draw.h testsuite/map/map.c testsuite/map/sat.c \
	testsuite/map/sat.h testsuite/setting.h
testsuite_map_map_LDADD = libnfacc.la libnfart.la $(GLPK_LIBS)
TESTS += testsuite/map/map

# The methods that help the search, each alone.
check_PROGRAMS += testsuite/map/methods
testsuite_map_methods_SOURCES = \
	testsuite/map/draw.c testsuite/map/draw.h testsuite/map/methods.c testsuite/map/sat.c \
	testsuite/map/sat.h testsuite/setting.h
testsuite_map_methods_LDADD = libnfacc.la libnfart.la $(GLPK_LIBS)
TESTS += testsuite/map/methods

# The same methods on graphs whose answer is known.
check_PROGRAMS += testsuite/map/known
testsuite_map_known_SOURCES = testsuite/map/draw.c testsuite/map/draw.h testsuite/map/known.c
testsuite_map_known_LDADD = libnfacc.la libnfart.la
TESTS += testsuite/map/known
