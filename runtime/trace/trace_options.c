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

struct option_value trace_times(size_t i)
{
	static const struct option_value values[] = { { "cycles", "samples, counted from 0" },
						      { "wave", "time stamps of the waveform" },
						      { NULL, NULL } };

	return values[i];
}

int trace_take_time(const struct option_given *g)
{
	struct trace_wave *w = (void *)((char *)g->options + g->row->at);
	int i = option_choice(trace_times, g->value);

	w->options.wave_time = i == 1;
	return i >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

static void say(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "%s\n", line);
}

void trace_wave_finish(struct trace_wave *w, struct nfart_reader_options *reader)
{
	w->options.at = w->at.at;
	w->options.nat = w->at.n;
	w->options.signals = w->signals.at;
	w->options.nsignals = w->signals.n;
	w->options.say = say;
	reader->wave = &w->options;
}
