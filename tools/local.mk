## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The programs, each in its own folder: their options and what they print. nfacc is in compiler/.
bin_PROGRAMS += nfarun nfagen nfaplot etmsim
nfarun_main = \
	tools/nfarun/ask.c tools/nfarun/ask.h tools/nfarun/ask_latency.c \
	tools/nfarun/ask_print.c tools/nfarun/ask_print.h \
	tools/nfarun/compile.c tools/nfarun/compile.h tools/nfarun/convert.c \
	tools/nfarun/convert.h tools/nfarun/nfarun_checks.c tools/nfarun/nfarun_checks.h \
	tools/nfarun/list_types.c tools/nfarun/list_types.h \
	tools/nfarun/nfarun.c tools/nfarun/nfarun_options.c tools/nfarun/nfarun_options.h \
	tools/nfarun/nfarun_print.c tools/nfarun/nfarun_print.h \
	tools/nfarun/output.c tools/nfarun/output.h tools/nfarun/parts.c tools/nfarun/parts.h \
	tools/nfarun/process.c tools/nfarun/process.h \
	tools/nfarun/progress.c tools/nfarun/progress.h \
	tools/nfarun/protocol.c tools/nfarun/protocol.h tools/nfarun/run_traces.c \
	tools/nfarun/trace_options.c tools/nfarun/trace_options.h \
	tools/nfarun/run_traces.h tools/nfarun/table.c tools/nfarun/table.h \
	tools/nfarun/wrong_file.c tools/nfarun/wrong_file.h
nfarun_SOURCES = $(nfarun_main) runtime/run/ranks_none.c
nfarun_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBDIR='"$(pkglibdir)"'
nfarun_LDADD = librun.la libstats.la libexplain.la libdesc.la libnfart.la
dist_man_MANS += tools/nfarun/nfarun.1
EXTRA_DIST += tools/nfarun/nfarun-mpi.1
if MPI
bin_PROGRAMS += nfarun-mpi
nfarun_mpi_SOURCES = $(nfarun_main) runtime/run/ranks_mpi.c
nfarun_mpi_CPPFLAGS = $(nfarun_CPPFLAGS) $(MPI_CFLAGS)
nfarun_mpi_LDADD = librun.la libstats.la libexplain.la libdesc.la libnfart.la $(MPI_LIBS)
man_MANS = tools/nfarun/nfarun-mpi.1
endif

nfagen_SOURCES = tools/nfagen/nfagen.c tools/nfagen/nfagen_options.c tools/nfagen/nfagen_options.h
nfagen_LDADD = libtraffic.la libdesc.la libnfart.la
dist_man_MANS += tools/nfagen/nfagen.1

nfaplot_SOURCES = \
	tools/nfaplot/gnuplot.c tools/nfaplot/gnuplot.h tools/nfaplot/nfaplot.c \
	tools/nfaplot/nfaplot_options.c tools/nfaplot/nfaplot_options.h tools/nfaplot/plot.h \
	tools/nfaplot/plot_heat.c tools/nfaplot/plot_histogram.c \
	tools/nfaplot/plot_in_flight.c tools/nfaplot/plot_rate.c tools/nfaplot/plot_scatter.c \
	tools/nfaplot/script.c tools/nfarun/protocol.c tools/nfarun/protocol.h \
	tools/nfarun/trace_options.c tools/nfarun/trace_options.h
nfaplot_LDADD = libstats.la libdesc.la libnfart.la
dist_man_MANS += tools/nfaplot/nfaplot.1

bin_PROGRAMS += nfaperf
nfaperf_SOURCES = \
	tools/nfaperf/events.c tools/nfaperf/events.h tools/nfaperf/flame.c tools/nfaperf/flame.h \
	tools/nfaperf/nfaperf.c tools/nfaperf/nfaperf_options.c tools/nfaperf/nfaperf_options.h \
	tools/nfaperf/print.c tools/nfaperf/print.h tools/nfaperf/slices.c tools/nfaperf/slices.h \
	tools/nfaperf/streamed.c tools/nfaperf/streamed.h
nfaperf_LDADD = libriscv.la libdesc.la libnfart.la
dist_man_MANS += tools/nfaperf/nfaperf.1

etmsim_SOURCES = \
	tools/etmsim/etmsim.c tools/etmsim/etmsim_options.c tools/etmsim/etmsim_options.h \
	tools/nfarun/trace_options.c tools/nfarun/trace_options.h
etmsim_LDADD = libetm_model.la libdesc.la libnfart.la
dist_man_MANS += tools/etmsim/etmsim.1

bin_PROGRAMS += nfavirt
nfavirt_SOURCES = \
	tools/nfavirt/nfavirt.c tools/nfavirt/nfavirt_options.c tools/nfavirt/nfavirt_options.h \
	tools/nfavirt/run.c tools/nfavirt/run.h
nfavirt_LDADD = libprogram.la libvirtual.la libdesc.la libnfart.la
dist_man_MANS += tools/nfavirt/nfavirt.1

if NFAMEM
bin_PROGRAMS += nfamem
nfamem_SOURCES = \
	tools/nfamem/copies.c tools/nfamem/copies.h \
	tools/nfamem/filter_file.c tools/nfamem/filter_file.h \
	tools/nfamem/follow.c tools/nfamem/follow.h \
	tools/nfamem/launch.c tools/nfamem/launch.h tools/nfamem/nfamem.c \
	tools/nfamem/nfamem_options.c tools/nfamem/nfamem_options.h \
	tools/nfamem/outputs.c tools/nfamem/outputs.h tools/nfamem/program.c \
	tools/nfamem/program.h tools/nfamem/progress.c tools/nfamem/progress.h \
	tools/nfamem/run.c tools/nfamem/run.h tools/nfamem/watch.c tools/nfamem/watch.h \
	tools/nfarun/compile.c tools/nfarun/compile.h tools/nfarun/protocol.c tools/nfarun/protocol.h
nfamem_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBDIR='"$(pkglibdir)"'
nfamem_LDADD = libmemory.la libdesc.la libnfart.la
dist_man_MANS += tools/nfamem/nfamem.1
else
EXTRA_DIST += tools/nfamem/nfamem.1
endif

dist_bin_SCRIPTS += tools/nfamodel/nfamodel
# A link to nfamodel in the build folder, so that this folder in PATH is enough for all tools.
noinst_SCRIPTS = nfamodel
nfamodel: $(srcdir)/tools/nfamodel/nfamodel
	rm -f $@
	$(LN_S) '$(abs_srcdir)/tools/nfamodel/nfamodel' $@
CLEANFILES += nfamodel
dist_man_MANS += tools/nfamodel/nfamodel.1
