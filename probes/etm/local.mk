## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# Models of hardware that executes what nfacc makes. Only tests, benchmarks and tools use them.
noinst_LTLIBRARIES += libetm_model.la
libetm_model_la_SOURCES = \
	probes/etm/model/cti.c probes/etm/model/cti.h probes/etm/model/feed.c \
	probes/etm/model/feed.h probes/etm/model/gang.c probes/etm/model/gang.h \
	probes/etm/model/macrocell.c probes/etm/model/macrocell.h \
	probes/etm/model/memory.c probes/etm/model/memory.h probes/etm/model/regulated.c \
	probes/etm/model/regulated.h \
	probes/etm/model/software.c probes/etm/model/software.h
libetm_model_la_LIBADD = libnfart.la

# The tool.
bin_PROGRAMS += etmsim
etmsim_SOURCES = \
	probes/etm/tool/etmsim.c probes/etm/tool/etmsim_options.c probes/etm/tool/etmsim_options.h
etmsim_LDADD = libetm_model.la libnfart.la
dist_man_MANS += doc/man/etmsim.1
