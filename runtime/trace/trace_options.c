/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/trace_options.h"

#include <inttypes.h>
#include <stdio.h>

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

int trace_take_between(const struct option_given *g)
{
	struct nfart_reader_options *reader = (void *)((char *)g->options + g->row->at);
	const char *rest = g->value;
	bool has_begin = cli_scaled(rest, &reader->begin, &rest), has_end;
	char why[96];

	if (!has_begin)
		reader->begin = 0;
	if (rest[0] != '.' || rest[1] != '.')
		return OPTION_WRONG;
	rest += 2;
	has_end = cli_scaled(rest, &reader->end, &rest);
	if (!has_end)
		reader->end = 0;
	if (*rest != 0 || !(has_begin || has_end))
		return OPTION_WRONG;
	if (!has_end || reader->begin < reader->end)
		return OPTION_GO_ON;
	snprintf(why, sizeof why, "no time is from %" PRIu64 " on and before %" PRIu64,
		 reader->begin, reader->end);
	return option_refuse(g, why);
}
