/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * trace_options.h: what rows of tools' tables of options have in common if they are about traces
 * (support/option.h).
 */
#ifndef NFARUN_TRACE_OPTIONS_H
#define NFARUN_TRACE_OPTIONS_H

#include "support/option.h"

/* The formats that can be read, or written. */
struct option_value trace_formats_read(size_t i);
struct option_value trace_formats_written(size_t i);

/* Takes a format. The row has AT an enum nfart_format. */
int trace_take_format(const struct option_given *g);

/* Takes the oldest sample of a ring. The row has AT a struct nfart_reader_options. */
int trace_take_ring_start(const struct option_given *g);

#endif
