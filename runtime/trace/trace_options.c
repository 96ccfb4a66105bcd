/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/trace_options.h"

#include "contract/builtin.h"
#include "include/nfart.h"
#include "runtime/trace/format.h"
#include "support/cli.h"

static struct option_value name_of(enum nfart_format f)
{
	return (struct option_value){ f != NFART_FORMAT_AUTO ? nfart_format_name(f) : NULL, NULL };
}

struct option_value trace_formats_read(size_t i)
{
	return name_of(trace_format_nth(FORMAT_READ, i));
}

struct option_value trace_formats_written(size_t i)
{
	return name_of(trace_format_nth(FORMAT_WRITE, i));
}

struct option_value trace_protocols(size_t i)
{
	return (struct option_value){ builtin_protocols[i].name, NULL };
}

int trace_take_format(const struct option_given *g)
{
	enum nfart_format *format = (void *)((char *)g->options + g->row->at);

	return nfart_format_parse(g->value, format) ? OPTION_GO_ON : OPTION_WRONG;
}

int trace_take_ring_start(const struct option_given *g)
{
	struct nfart_reader_options *reader = (void *)((char *)g->options + g->row->at);

	reader->has_ring_start = true;
	return cli_number(g->value, 0, &reader->ring_start, NULL) ? OPTION_GO_ON : OPTION_WRONG;
}
