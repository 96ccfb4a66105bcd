## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The programs, each in its own folder: their options and what they print. nfacc is in compiler/.
bin_PROGRAMS += nfarun nfagen nfaplot
nfarun_main = \
	tools/nfarun/against_shard.c tools/nfarun/against_shard.h \
	tools/nfarun/against_side.c tools/nfarun/against_side.h \
	tools/nfarun/ask.c tools/nfarun/ask.h tools/nfarun/ask_against.c \
	tools/nfarun/ask_against.h tools/nfarun/ask_jobs.c tools/nfarun/ask_jobs.h \
	tools/nfarun/ask_label.c tools/nfarun/ask_label.h \
	tools/nfarun/ask_lines.c tools/nfarun/ask_lines.h \
	tools/nfarun/ask_merge.c tools/nfarun/ask_merge.h \
	tools/nfarun/ask_shard.c tools/nfarun/ask_shard.h \
	tools/nfarun/ask_latency.c tools/nfarun/images.c tools/nfarun/images.h \
	tools/nfarun/ask_print.c tools/nfarun/ask_print.h \
	tools/nfarun/convert.c tools/nfarun/merge_traces.c tools/nfarun/merge_traces.h \
	tools/nfarun/convert.h tools/nfarun/cover.c tools/nfarun/cover.h \
	tools/nfarun/nfarun_checks.c tools/nfarun/nfarun_checks.h \
	tools/nfarun/list_signals.c tools/nfarun/list_signals.h \
	tools/nfarun/list_types.c tools/nfarun/list_types.h \
	tools/nfarun/nfarun.c tools/nfarun/nfarun_options.c tools/nfarun/nfarun_options.h \
	tools/nfarun/nfarun_print.c tools/nfarun/nfarun_print.h \
	tools/nfarun/output.c tools/nfarun/output.h tools/nfarun/parts.c tools/nfarun/parts.h \
	tools/nfarun/save_file.c tools/nfarun/save_file.h \
	tools/nfarun/process.c tools/nfarun/process.h \
	tools/nfarun/reading.c tools/nfarun/reading.h \
	tools/nfarun/protocol.c tools/nfarun/protocol.h tools/nfarun/run_traces.c \
	tools/nfarun/run_traces.h tools/nfarun/table.c tools/nfarun/table.h \
	tools/nfarun/fits.c tools/nfarun/fits.h tools/nfarun/wrong_file.c tools/nfarun/wrong_file.h
nfarun_SOURCES = $(nfarun_main) runtime/run/ranks_none.c
nfarun_LDADD = librun.la libstats.la libmodule.la libdesc.la libnfart.la
dist_man_MANS += doc/man/nfarun.1
EXTRA_DIST += doc/man/nfarun-mpi.1
if MPI
bin_PROGRAMS += nfarun-mpi
nfarun_mpi_SOURCES = $(nfarun_main) runtime/run/ranks_mpi.c
nfarun_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
nfarun_mpi_LDADD = librun.la libstats.la libmodule.la libdesc.la libnfart.la \
	$(MPI_LIBS)
man_MANS = doc/man/nfarun-mpi.1
endif

# What nfagen generates: traffic that follows the coherence protocol.
noinst_LTLIBRARIES += libtraffic.la
libtraffic_la_SOURCES = \
	tools/nfagen/traffic/gen_busy.c tools/nfagen/traffic/gen_busy.h \
	tools/nfagen/traffic/gen_coherence.c \
	tools/nfagen/traffic/gen_coherence.h tools/nfagen/traffic/gen_fault.c \
	tools/nfagen/traffic/gen_ila.c \
	tools/nfagen/traffic/gen_ila.h tools/nfagen/traffic/gen_message.c \
	tools/nfagen/traffic/gen_message.h \
	tools/nfagen/traffic/gen_misses.c tools/nfagen/traffic/gen_misses.h \
	tools/nfagen/traffic/gen_nodes.c tools/nfagen/traffic/gen_queue.c \
	tools/nfagen/traffic/gen_queue.h \
	tools/nfagen/traffic/gen_random.h tools/nfagen/traffic/gen_rules.c \
	tools/nfagen/traffic/gen_rules.h tools/nfagen/traffic/gen_sim.h
# The block layer: both ends of a link, a tap, and models of traffic.
libtraffic_la_SOURCES += \
	tools/nfagen/blocks/block.c tools/nfagen/blocks/block.h tools/nfagen/blocks/block_link.c \
	tools/nfagen/blocks/block_link.h tools/nfagen/blocks/block_random.c \
	tools/nfagen/blocks/block_random.h \
	tools/nfagen/blocks/block_streams.c tools/nfagen/blocks/block_streams.h \
	tools/nfagen/blocks/block_tap.c \
	tools/nfagen/blocks/block_tap.h tools/nfagen/blocks/gen_blocks.c \
	tools/nfagen/blocks/gen_blocks.h
nfagen_SOURCES = tools/nfagen/nfagen.c tools/nfagen/nfagen_options.c tools/nfagen/nfagen_options.h
nfagen_LDADD = libtraffic.la libdesc.la libnfart.la
dist_man_MANS += doc/man/nfagen.1

nfaplot_SOURCES = \
	tools/nfaplot/gnuplot.c tools/nfaplot/gnuplot.h tools/nfaplot/nfaplot.c \
	tools/nfaplot/nfaplot_options.c tools/nfaplot/nfaplot_options.h tools/nfaplot/plot.h \
	tools/nfaplot/plot_heat.c tools/nfaplot/plot_histogram.c \
	tools/nfaplot/plot_in_flight.c tools/nfaplot/plot_rate.c tools/nfaplot/plot_read.c \
	tools/nfaplot/plot_read.h tools/nfaplot/plot_scatter.c \
	tools/nfaplot/script.c tools/nfarun/protocol.c tools/nfarun/protocol.h \
	tools/nfarun/reading.c tools/nfarun/reading.h
nfaplot_LDADD = librun.la libstats.la libdesc.la libnfart.la
dist_man_MANS += doc/man/nfaplot.1

bin_PROGRAMS += nfactl
nfactl_SOURCES = \
	tools/nfactl/nfactl.c tools/nfactl/nfactl_options.c tools/nfactl/nfactl_options.h \
	tools/nfactl/nfactl_stream.c tools/nfactl/nfactl_stream.h
nfactl_LDADD = libdevice.la librun.la libnfart.la
dist_man_MANS += doc/man/nfactl.1

dist_bin_SCRIPTS += tools/nfamodel/nfamodel
# A link to nfamodel in the build folder, so that this folder in PATH is enough for all tools.
noinst_SCRIPTS = nfamodel
nfamodel: $(srcdir)/tools/nfamodel/nfamodel
	rm -f $@
	$(LN_S) '$(abs_srcdir)/tools/nfamodel/nfamodel' $@
CLEANFILES += nfamodel
dist_man_MANS += doc/man/nfamodel.1
