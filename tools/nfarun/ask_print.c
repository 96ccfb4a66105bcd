/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/ask_print.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/trace/format/text.h"

/* ---- cells ---- */

struct cell ask_message(const struct ask *a, struct buf *b, uint32_t slot, uint64_t header)
{
	b->n = 0;
	if (a->p->codes.type_of[proto_code(a->p, slot, header)] != 0)
		text_typed(b, a->p, slot, header);
	else
		text_item(b, a->p, slot, header);
	buf_add(b, "", 1);
	return cell_text(b->failed ? "" : b->at);
}

struct cell ask_keys(struct ask *a, const struct nfart_pair *pair)
{
	const struct proto_pair *r = &a->p->names.pairs[pair->rule];
	uint32_t code = proto_code(a->p, pair->slot, pair->header);
	struct buf *b = &a->out.keys;

	if (r->nkeys == 0)
		return cell_none();
	b->n = 0;
	for (uint32_t k = 0; k < r->nkeys; k++) {
		const struct proto_place *x = proto_key_place(&r->keys[k], code);
		uint64_t v = proto_place_value(x, pair->header);
		buf_addf(b, "%s%s=", k != 0 ? " " : "", r->keys[k].name);
		if (strcmp(r->keys[k].name, "line") == 0)
			text_hex(b, v << a->p->header.line_shift, 1);
		else
			text_decimal(b, v);
	}
	buf_add(b, "", 1);
	return cell_text(b->failed ? "" : b->at);
}

/* ---- requests without an answer ---- */

static const char *why(enum nfart_pair_outcome outcome)
{
	return outcome == NFART_PAIR_OPEN   ? "end"
	       : outcome == NFART_PAIR_LOST ? "loss"
					    : "replaced";
}

void ask_print_open(struct ask *a, const struct nfart_pair *pair)
{
	struct ask_row r = { .n = 0 };

	ask_add(&r, cell_number(pair->time));
	ask_add(&r, cell_text(a->p->names.pairs[pair->rule].name));
	ask_add(&r, ask_message(a, &a->out.text, pair->slot, pair->header));
	ask_add(&r, ask_keys(a, pair));
	ask_add(&r, cell_text(why(pair->outcome)));
	table_row(&a->out.table, r.cell);
}

/* ---- rates ---- */

void ask_print_rate(struct ask *a)
{
	struct ask_row r = { .n = 0 };

	if (a->rate.batches != 0 || a->rate.gaps != 0) {
		ask_add(&r, cell_number(a->rate.begin));
		ask_add(&r, cell_number(a->rate.batches));
		ask_add(&r, cell_number(a->rate.messages));
		ask_add(&r, cell_number(a->rate.gaps));
		table_row(&a->out.table, r.cell);
	}
	a->rate.batches = a->rate.messages = a->rate.gaps = 0;
}

/* ---- requests in flight ---- */

/* Returns a cell with the name of a rule, or `all` for all together. */
static struct cell rule_name(const struct ask *a, uint32_t rule)
{
	return cell_text(rule < a->p->names.npairs ? a->p->names.pairs[rule].name : "all");
}

/* How many rows a table of rules has: with several rules, one for all together, too. */
static uint32_t rule_rows(const struct ask *a)
{
	return a->p->names.npairs > 1 ? a->p->names.npairs + 1 : 1;
}

static void print_flight(struct ask *a)
{
	static const struct column columns[] = { { "pair", ASK_PAIR }, { "mean", ASK_NUMBER },
						 { "most", ASK_NUMBER }, { "time", ASK_TIME } };

	BEGIN(a, columns);
	for (uint32_t i = 0; i < rule_rows(a); i++) {
		struct ask_row r = { .n = 0 };
		uint64_t time, most = in_flight_most(a->flight, i, &time);
		ask_add(&r, rule_name(a, i));
		ask_add(&r, cell_real(in_flight_mean(a->flight, i)));
		ask_add(&r, cell_number(most));
		ask_add(&r, most != 0 ? cell_number(time) : cell_none());
		table_row(&a->out.table, r.cell);
	}
}

static void print_flight_histogram(struct ask *a)
{
	static const struct column columns[] = { { "pair", ASK_PAIR }, { "in_flight", ASK_NUMBER },
						 { "cycles", ASK_TIME }, { "share", ASK_NUMBER } };

	BEGIN(a, columns);
	for (uint32_t i = 0; i < rule_rows(a); i++) {
		size_t n;
		const uint64_t *cycles = in_flight_cycles(a->flight, i, &n);
		double all = 0;
		for (size_t k = 0; k < n; k++)
			all += (double)cycles[k];
		for (size_t k = 0; k < n; k++) {
			struct ask_row r = { .n = 0 };
			if (cycles[k] == 0)
				continue;
			ask_add(&r, rule_name(a, i));
			ask_add(&r, cell_number(k));
			ask_add(&r, cell_number(cycles[k]));
			ask_add(&r, cell_real((double)cycles[k] / all));
			table_row(&a->out.table, r.cell);
		}
	}
}

/* ---- counts ---- */

/* Returns a cell with the name of what was counted. */
static struct cell counted(struct ask *a, uint64_t what)
{
	if (a->o->ask.by == BY_LINE)
		return cell_hex(what);
	if (a->o->ask.by == BY_GROUP)
		return cell_text(a->p->names.groups[what]);
	if (what < a->p->names.ntypes)
		return cell_text(a->p->names.types[what]);
	a->out.text.n = 0;
	buf_addf(&a->out.text, "#%" PRIu64, what - a->p->names.ntypes);
	buf_add(&a->out.text, "", 1);
	return cell_text(a->out.text.failed ? "" : a->out.text.at);
}

bool ask_print_counts(struct ask *a)
{
	static const struct column types[] = { { "type", ASK_TYPE }, { "messages", ASK_NUMBER } },
				   groups[] = { { "group", ASK_TYPE }, { "messages", ASK_NUMBER } },
				   lines[] = { { "line", ASK_LINE }, { "messages", ASK_NUMBER } };
	uint64_t others;
	size_t n;
	const struct tally_count *c = tally_finish(a->tally, &n, &others);

	if (c == NULL)
		return false;
	table_begin(&a->out.table,
		    a->o->ask.by == BY_LINE   ? lines
		    : a->o->ask.by == BY_TYPE ? types
					      : groups,
		    2);
	for (size_t i = 0; i < n; i++) {
		struct ask_row r = { .n = 0 };
		ask_add(&r, counted(a, c[i].what));
		ask_add(&r, cell_number(c[i].n));
		table_row(&a->out.table, r.cell);
	}
	if (others != 0) {
		struct ask_row r = { .n = 0 };
		ask_add(&r, cell_none());
		ask_add(&r, cell_number(others));
		table_row(&a->out.table, r.cell);
	}
	return table_flush(&a->out.table) && !a->out.text.failed;
}

/* ---- begin and end ---- */

void ask_print_begin(struct ask *a)
{
	static const struct column open[] = { { "time", ASK_TIME }, { "pair", ASK_PAIR },
					      { "request", ASK_MESSAGE }, { "keys", ASK_KEYS },
					      { "why", -8 } },
				   rate[] = { { "time", ASK_TIME }, { "batches", ASK_NUMBER },
					      { "messages", ASK_NUMBER }, { "gaps", ASK_NUMBER } };

	if (a->o->ask.question == ASK_OPEN)
		BEGIN(a, open);
	else if (a->o->ask.question == ASK_RATE)
		BEGIN(a, rate);
}

bool ask_print_end(struct ask *a)
{
	bool ok = true;

	if (a->o->ask.question == ASK_RATE)
		ask_print_rate(a);
	if (a->o->ask.question == ASK_LATENCY)
		ok = ask_print_latency(a);
	if (a->o->ask.question == ASK_IN_FLIGHT &&
	    (a->o->output.form != NFART_FORMAT_CSV || !a->o->ask.histogram))
		print_flight(a);
	if (a->o->ask.question == ASK_IN_FLIGHT && a->o->ask.histogram)
		print_flight_histogram(a);
	return table_flush(&a->out.table) && ok && !a->out.text.failed && !a->out.other.failed &&
	       !a->out.keys.failed;
}

void ask_print_summary(const struct ask *a, const struct nfart_reader_stats *s, bool interrupted)
{
	const uint64_t *n = a->outcomes;

	if (a->o->output.quiet)
		return;
	fprintf(stderr, "batches read: %" PRIu64 ", messages: %" PRIu64 "\n", s->batches,
		s->messages);
	if (ask_needs_pairs(a->o))
		fprintf(stderr,
			"requests: %" PRIu64 ", answered: %" PRIu64 ", open at the end: %" PRIu64
			", replaced: %" PRIu64 ", cut by losses: %" PRIu64
			", answers without a request: %" PRIu64 "\n",
			n[NFART_PAIR_ANSWERED] + n[NFART_PAIR_OPEN] + n[NFART_PAIR_REPLACED] +
				n[NFART_PAIR_LOST],
			n[NFART_PAIR_ANSWERED], n[NFART_PAIR_OPEN], n[NFART_PAIR_REPLACED],
			n[NFART_PAIR_LOST], n[NFART_PAIR_UNASKED]);
	if (s->losses != 0)
		fprintf(stderr, "gaps: %" PRIu64 "\n", s->losses);
	if (s->bad_chunks != 0)
		fprintf(stderr, "damaged chunks: %" PRIu64 "\n", s->bad_chunks);
	if (s->damage != NULL)
		fprintf(stderr, "%s\n", s->damage);
	if (interrupted)
		fputs("interrupted: complete up to here\n", stderr);
}
