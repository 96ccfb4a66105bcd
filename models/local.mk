## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# Models of hardware that executes what nfacc makes. Only tests, benchmarks and tools use them.
noinst_LTLIBRARIES += libetm_model.la
libetm_model_la_SOURCES = \
	models/etm/macrocell.c models/etm/macrocell.h
libetm_model_la_LIBADD = libcontract.la libsupport.la
