## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# Models of hardware that executes what nfacc makes. Only tests, benchmarks and tools use them.
noinst_LTLIBRARIES += libetm_model.la
libetm_model_la_SOURCES = \
	models/etm/cti.c models/etm/cti.h models/etm/feed.c models/etm/feed.h \
	models/etm/macrocell.c models/etm/macrocell.h \
	models/etm/memory.c models/etm/memory.h models/etm/regulated.c models/etm/regulated.h \
	models/etm/software.c models/etm/software.h
libetm_model_la_LIBADD = libnfart.la
