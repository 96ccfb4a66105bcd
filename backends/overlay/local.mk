## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# The mapper.
noinst_LTLIBRARIES += libmap.la
libmap_la_SOURCES = \
	backends/overlay/map/adj.c backends/overlay/map/adj.h backends/overlay/map/anneal.c \
	backends/overlay/map/anneal.h backends/overlay/map/columns.c \
	backends/overlay/map/columns.h backends/overlay/map/exact.c \
	backends/overlay/map/exact.h backends/overlay/map/graph_file.c \
	backends/overlay/map/graph_file.h backends/overlay/map/hubs.c \
	backends/overlay/map/hubs.h backends/overlay/map/igraph_wrap.c \
	backends/overlay/map/igraph_wrap.h backends/overlay/map/map.h \
	backends/overlay/map/map_check.c backends/overlay/map/map_graph.c \
	backends/overlay/map/map_graph.h \
	backends/overlay/map/map_view.c backends/overlay/map/map_view.h \
	backends/overlay/map/overlay_graph.c backends/overlay/map/overlay_graph.h \
	backends/overlay/map/packing.c backends/overlay/map/packing.h backends/overlay/map/parts.c \
	backends/overlay/map/parts.h backends/overlay/map/portfolio.c \
	backends/overlay/map/portfolio.h backends/overlay/map/place.c backends/overlay/map/problem.c \
	backends/overlay/map/problem.h backends/overlay/map/row.c backends/overlay/map/row.h \
	backends/overlay/map/task.h
libmap_la_SOURCES += \
	backends/overlay/map/sat/activity.c backends/overlay/map/sat/activity.h \
	backends/overlay/map/sat/clauses.c backends/overlay/map/sat/clauses.h \
	backends/overlay/map/sat/sat.c backends/overlay/map/sat/sat.h \
	backends/overlay/map/sat/line_model.c backends/overlay/map/sat/line_model.h
libmap_la_SOURCES += \
	backends/overlay/map/propagate/all_different.c backends/overlay/map/propagate/all_different.h \
	backends/overlay/map/propagate/propagate.c backends/overlay/map/propagate/propagate.h \
	backends/overlay/map/propagate/domain.c backends/overlay/map/propagate/domain.h \
	backends/overlay/map/propagate/equal.c backends/overlay/map/propagate/equal.h \
	backends/overlay/map/propagate/matching.c backends/overlay/map/propagate/matching.h \
	backends/overlay/map/propagate/symmetry.c backends/overlay/map/propagate/symmetry.h
libmap_la_CPPFLAGS = $(AM_CPPFLAGS) $(IGRAPH_CFLAGS)
libmap_la_LIBADD = $(IGRAPH_LIBS)
