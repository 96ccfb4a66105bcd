/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes latencies: the table of groups, histograms, and the slowest pairs.
 */
#include <string.h>

#include "tools/nfarun/ask_print.h"

enum { BAR = 40 };

static struct cell type_name(const struct ask *a, uint32_t type)
{
	return type != 0 ? cell_text(a->p->names.types[type - 1]) : cell_none();
}

/* ---- latencies ---- */

/* Adds the cells that say which group of latencies a row is about. */
static void add_group(const struct ask *a, struct ask_row *r, const struct latency_group *g)
{
	ask_add(r, cell_text(a->p->names.pairs[g->rule].name));
	if (a->o->ask.by == BY_TYPE) {
		ask_add(r, type_name(a, g->request));
		ask_add(r, type_name(a, g->answer));
	} else if (a->o->ask.by == BY_GROUP) {
		ask_add(r, cell_text(a->p->names.groups[g->request - 1]));
		ask_add(r, cell_text(a->p->names.groups[g->answer - 1]));
	} else if (a->o->ask.by == BY_LABEL) {
		ask_add(r, cell_text(nfart_image_labels(a->image)[g->request]));
	} else if (a->o->ask.by == BY_LINE) {
		ask_add(r, cell_hex(g->address));
	}
}

/* Begins a table whose rows begin with the cells of add_group(). */
static void begin_groups(struct ask *a, const struct column *rest, size_t nrest)
{
	static const struct column pair = { "pair", ASK_PAIR }, line = { "line", ASK_LINE },
				   label = { "label", ASK_TYPE },
				   request = { "request", ASK_TYPE },
				   answer = { "answer", ASK_TYPE };
	struct column *columns = a->out.columns;
	size_t n = 0;

	columns[n++] = pair;
	if (a->o->ask.by == BY_TYPE || a->o->ask.by == BY_GROUP) {
		columns[n++] = request;
		columns[n++] = answer;
	} else if (a->o->ask.by == BY_LABEL) {
		columns[n++] = label;
	} else if (a->o->ask.by == BY_LINE) {
		columns[n++] = line;
	}
	for (size_t i = 0; i < nrest; i++)
		columns[n++] = rest[i];
	table_begin(&a->out.table, columns, n);
}

static void print_latencies(struct ask *a)
{
	static const struct column cycles[] = { { "count", ASK_NUMBER }, { "min", ASK_NUMBER },
						{ "median", ASK_NUMBER }, { "p99", ASK_NUMBER },
						{ "max", ASK_NUMBER } };
	static const struct column ns[] = { { "count", ASK_NUMBER },     { "min_ns", ASK_NUMBER },
					    { "median_ns", ASK_NUMBER }, { "p99_ns", ASK_NUMBER },
					    { "max_ns", ASK_NUMBER } };
	size_t n;
	const struct latency_group *g = latency_groups(a->latency, &n);

	begin_groups(a, a->o->output.clock != 0 ? ns : cycles, sizeof ns / sizeof ns[0]);
	for (size_t i = 0; i < n; i++) {
		struct ask_row r = { .n = 0 };
		add_group(a, &r, &g[i]);
		ask_add(&r, cell_number(g[i].n));
		ask_add(&r, ask_latency_cell(a->o, g[i].least));
		ask_add(&r, ask_latency_cell(a->o, latency_percentile(a->latency, &g[i], 50)));
		ask_add(&r, ask_latency_cell(a->o, latency_percentile(a->latency, &g[i], 99)));
		ask_add(&r, ask_latency_cell(a->o, g[i].most));
		table_row(&a->out.table, r.cell);
	}
}

/* ---- histograms ---- */

/* Returns how many pairs the bin has that begins with count i. *next is the count after the bin. */
static uint64_t bin_sum(const struct latency_count *c, size_t n, size_t i, size_t *next)
{
	uint64_t last = latency_bin_end(c[i].latency) - 1, sum = 0;

	for (; i < n && c[i].latency <= last; i++)
		sum += c[i].n;
	*next = i;
	return sum;
}

/* Writes the bins of a group that are not empty, in text with a bar each. */
static void print_bins(struct ask *a, const struct latency_group *g)
{
	size_t n, next;
	const struct latency_count *c = latency_counts(a->latency, g, &n);
	char bar[BAR + 1];
	uint64_t most = 0;

	for (size_t i = 0; i < n; i = next) {
		uint64_t sum = bin_sum(c, n, i, &next);
		most = sum > most ? sum : most;
	}
	for (size_t i = 0; i < n; i = next) {
		uint64_t sum = bin_sum(c, n, i, &next);
		size_t length = (size_t)((double)sum / (double)most * BAR);
		struct ask_row r = { .n = 0 };
		memset(bar, '#', length);
		bar[length] = 0;
		add_group(a, &r, g);
		ask_add(&r, ask_latency_cell(a->o, latency_bin_begin(c[i].latency)));
		ask_add(&r, ask_latency_cell(a->o, latency_bin_end(c[i].latency) - 1));
		ask_add(&r, cell_number(sum));
		if (a->o->output.form == NFART_FORMAT_TEXT)
			ask_add(&r, cell_text(bar));
		table_row(&a->out.table, r.cell);
	}
}

static void print_histogram(struct ask *a)
{
	static const struct column cycles[] = { { "from", ASK_NUMBER }, { "to", ASK_NUMBER },
						{ "count", ASK_NUMBER }, { "", -1 } };
	static const struct column ns[] = { { "from_ns", ASK_NUMBER }, { "to_ns", ASK_NUMBER },
					    { "count", ASK_NUMBER }, { "", -1 } };
	size_t n;
	const struct latency_group *g = latency_groups(a->latency, &n);

	begin_groups(a, a->o->output.clock != 0 ? ns : cycles,
		     a->o->output.form == NFART_FORMAT_TEXT ? 4 : 3);
	for (size_t i = 0; i < n; i++)
		print_bins(a, &g[i]);
}

/* ---- the slowest ---- */

static void print_slowest(struct ask *a)
{
	static const struct column columns[] = {
		{ "latency", ASK_NUMBER },      { "pair", ASK_PAIR },   { "time", ASK_TIME },
		{ "request", ASK_MESSAGE },     { "answer_time", ASK_TIME },
		{ "answer", ASK_MESSAGE },      { "keys", ASK_KEYS }
	};
	size_t n, i, count = sizeof columns / sizeof columns[0];
	const struct nfart_pair *pair = latency_slowest(a->latency, &n);

	for (i = 0; i < count; i++)
		a->out.columns[i] = columns[i];
	if (a->o->output.clock != 0)
		a->out.columns[0].name = "latency_ns";
	table_begin(&a->out.table, a->out.columns, count);
	for (i = 0; i < n; i++, pair++) {
		struct ask_row r = { .n = 0 };
		ask_add(&r, ask_latency_cell(a->o, pair->answer_time - pair->time));
		ask_add(&r, cell_text(a->p->names.pairs[pair->rule].name));
		ask_add(&r, cell_number(pair->time));
		ask_add(&r, ask_message(a, &a->out.text, pair->slot, pair->header));
		ask_add(&r, cell_number(pair->answer_time));
		ask_add(&r, ask_message(a, &a->out.other, pair->answer_slot, pair->answer_header));
		ask_add(&r, ask_keys(a, pair));
		table_row(&a->out.table, r.cell);
	}
}

bool ask_print_latency(struct ask *a)
{
	bool one = a->o->output.form == NFART_FORMAT_CSV &&
		   (a->o->ask.histogram || a->o->ask.slowest != 0);

	if (!latency_finish(a->latency))
		return false;
	if (!one)
		print_latencies(a);
	if (a->o->ask.histogram)
		print_histogram(a);
	if (a->o->ask.slowest != 0)
		print_slowest(a);
	return true;
}
