/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What is compared has a row each: a rule for pairs, with the types or groups of its messages; a
 * type or group of messages; or what a rate counts. A row is a quotient of two sums. Series 0 of
 * the blocks is the divisor of all rows of a question: all messages, or all cycles. Row r has the
 * two series from 1 + 2 * r on: its dividend, and a divisor of its own where it needs one.
 */
#include "tools/nfarun/ask_against.h"

#include <inttypes.h>
#include <string.h>

#include "contract/proto/proto.h"
#include "runtime/stats/compare.h"
#include "runtime/trace/batch.h"
#include "runtime/trace/reader.h"
#include "support/order.h"
#include "tools/nfarun/ask_print.h"
#include "tools/nfarun/output.h"
#include "tools/nfarun/process.h"
#include "tools/nfarun/protocol.h"
#include "tools/nfarun/wrong_file.h"

enum { SEED = 1 };

/* What a row is about. Of pairs: the rule, and types or groups, plus 1, or 0. Of counts: `request`
 * is the type or group, as tally.h numbers them. Of rates: `rule` is an index of rates[]. */
struct row {
	uint32_t rule, request, answer;
};

static const char *const rates[] = { "batches", "messages", "gaps" };

struct against {
	const struct nfarun_options *o;
	const volatile sig_atomic_t *stop;
	const struct nfart_proto *p;
	VEC(struct row) rows;
	size_t last;              /* the row that was found last */
	struct blocks *blocks[2]; /* of the trace of --against, and of the trace */
	struct nfart_reader_stats stats[2];
	/* The trace that is read. */
	struct {
		unsigned which;   /* index into `blocks` and `stats` */
		struct nfart_reader *reader;
		struct reading reading;
		uint64_t before;  /* time of the record before */
		bool begun;       /* there was one */
	} trace;
	struct nfart_pairs *pairs;
	bool failed;              /* memory was short */
	struct table table;
	struct buf text;          /* for a cell */
};

/* ---- what comes in ---- */

/* Returns the row, which is made if it is not there. Cost: linear in the rows, which are not more
 * than rules times types. */
static size_t find_row(struct against *a, struct row r)
{
	if (a->rows.n != 0 && memcmp(&a->rows.at[a->last], &r, sizeof r) == 0)
		return a->last;
	for (size_t i = 0; i < a->rows.n; i++)
		if (memcmp(&a->rows.at[i], &r, sizeof r) == 0)
			return a->last = i;
	for (unsigned k = 0; k < 2; k++)
		if (blocks_series(a->blocks[k]) < 0 || blocks_series(a->blocks[k]) < 0)
			a->failed = true;
	if (a->failed || !vec_push(&a->rows, r)) {
		a->failed = true;
		return 0;
	}
	return a->last = a->rows.n - 1;
}

static long dividend_of(size_t row)
{
	return 1 + 2 * (long)row;
}

/* Have all rows the divisor of series 0? */
static bool share_divisor(const struct against *a)
{
	return a->o->ask.question == ASK_COUNT || a->o->ask.question == ASK_RATE;
}

/* Adds to the two sums of a row. */
static void against_add(struct against *a, struct row r, double top, double bottom)
{
	size_t row = find_row(a, r);

	if (a->failed)
		return;
	blocks_add(a->blocks[a->trace.which], dividend_of(row), top);
	blocks_add(a->blocks[a->trace.which], dividend_of(row) + 1, bottom);
}

/* Takes what became of a request. */
static bool take_pair(void *ctx, const struct nfart_pair *pair)
{
	struct against *a = ctx;
	const struct nfart_proto *p = a->p;
	bool answered = pair->outcome == NFART_PAIR_ANSWERED;
	struct row r = { .rule = pair->rule };

	if (pair->outcome == NFART_PAIR_UNASKED)
		return true;
	if (a->o->ask.question == ASK_OPEN) {
		against_add(a, r, answered ? 0 : 100, 1);
		return !a->failed;
	}
	if (!answered)
		return true;
	if (a->o->ask.by == BY_TYPE) {
		r.request = p->codes.type_of[proto_code(p, pair->slot, pair->header)];
		r.answer = p->codes.type_of[proto_code(p, pair->answer_slot, pair->answer_header)];
	} else if (a->o->ask.by == BY_GROUP) {
		r.request = p->slots[pair->slot].group + 1;
		r.answer = p->slots[pair->answer_slot].group + 1;
	}
	against_add(a, r, (double)(pair->answer_time - pair->time), 1);
	return !a->failed;
}

/* Counts the messages of a batch. */
static void take_counts(struct against *a, const struct nfart_batch *b)
{
	const struct nfart_proto *p = a->p;
	uint64_t slots = b->mask & (UINT64_MAX >> (64 - p->nslots));

	blocks_add(a->blocks[a->trace.which], 0, (double)bits_count(slots));
	for (; slots != 0; slots &= slots - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(slots);
		uint32_t code = proto_code(p, slot, b->header[slot]);
		struct row r = { .request = p->slots[slot].group };
		if (a->o->ask.by != BY_GROUP)
			r.request = p->codes.type_of[code] != 0
					    ? p->codes.type_of[code] - 1u
					    : p->names.ntypes +
						      (code & ((1u << p->header.op_bits) - 1));
		against_add(a, r, 100, 0);
	}
}

/* Counts a record in the rates, and the cycles since the record before. */
static void take_rates(struct against *a, const struct nfart_batch *b)
{
	double cycles = a->trace.begun ? (double)(b->time - a->trace.before) : 0;
	double period = (double)a->o->ask.period;

	blocks_add(a->blocks[a->trace.which], 0, cycles);
	against_add(a, (struct row){ .rule = 0 }, b->mask != 0 ? period : 0, 0);
	against_add(a, (struct row){ .rule = 1 }, period * (double)bits_count(b->mask), 0);
	against_add(a, (struct row){ .rule = 2 }, batch_is_loss(b) ? period : 0, 0);
	a->trace.before = b->time;
	a->trace.begun = true;
}

/* Takes a batch or a loss record. False: memory is short, or the run was interrupted. */
static bool against_take(void *ctx, const struct nfart_batch *b)
{
	struct against *a = ctx;

	if (a->o->ask.question == ASK_RATE)
		take_rates(a, b);
	else if (a->o->ask.question == ASK_COUNT)
		take_counts(a, b);
	else if (!nfart_pairs_put(a->pairs, b))
		a->failed = true;
	blocks_next(a->blocks[a->trace.which]);
	reading_batch(&a->trace.reading, a->trace.reader);
	return !a->failed && *a->stop == 0;
}

/* Reads a trace. Returns an exit code. */
static int read_trace(struct against *a, const char *trace)
{
	struct nfart_error e = { .status = NFART_OK };
	struct nfart_reader *r = nfart_reader_open(trace, a->p, &a->o->reader, &e);
	int got, code = NFART_OK;

	if (r == NULL) {
		wrong_file_image(trace, "with -p its protocol is taken", &e);
		return process_report(&e);
	}
	a->trace.reader = r;
	a->trace.begun = false;
	a->pairs = nfart_pairs_new(a->p, take_pair, a, &e);
	got = a->pairs != NULL ? reader_each(r, against_take, a, &e) : -1;
	reading_end(&a->trace.reading);
	a->stats[a->trace.which] = *nfart_reader_stats(r);
	a->stats[a->trace.which].damage = NULL; /* it belongs to the reader */
	if (a->failed || (got >= 0 && !nfart_pairs_end(a->pairs)))
		nfart_fail(&e, NFART_SYSTEM, "out of memory");
	if (a->failed || a->pairs == NULL || (got < 0 && *a->stop == 0) || e.status != NFART_OK)
		code = process_report(&e);
	else if (*a->stop != 0 || a->stats[a->trace.which].bad_chunks != 0)
		code = NFART_PARTIAL;
	nfart_pairs_free(a->pairs);
	nfart_reader_free(r);
	return code;
}

/* ---- the table ---- */

/* What stands over the numbers of each question: how often in both traces, and the quotients. */
static const char *const headings[][4] = {
	[ASK_LATENCY] = { "pairs_other", "pairs", "mean_other", "mean" },
	[ASK_OPEN] = { "requests_other", "requests", "percent_other", "percent" },
	[ASK_RATE] = { "n_other", "n", "rate_other", "rate" },
	[ASK_COUNT] = { "messages_other", "messages", "percent_other", "percent" },
};
static const char *const heading_ns[] = { "pairs_other", "pairs", "mean_other_ns", "mean_ns" };

static struct cell type_cell(struct against *a, uint32_t type)
{
	if (type < a->p->names.ntypes)
		return cell_text(a->p->names.types[type]);
	a->text.n = 0;
	buf_addf(&a->text, "#%" PRIu32, type - a->p->names.ntypes);
	buf_add(&a->text, "", 1);
	return cell_text(a->text.failed ? "" : a->text.at);
}

/* Adds the cells that say what a row is about. */
static void add_names(struct against *a, struct ask_row *r, const struct row *x)
{
	bool group = a->o->ask.by == BY_GROUP;

	if (a->o->ask.question == ASK_RATE) {
		ask_add(r, cell_text(rates[x->rule]));
		return;
	}
	if (a->o->ask.question == ASK_COUNT) {
		ask_add(r, group ? cell_text(a->p->names.groups[x->request])
				 : type_cell(a, x->request));
		return;
	}
	ask_add(r, cell_text(a->p->names.pairs[x->rule].name));
	if (!group && a->o->ask.by != BY_TYPE)
		return;
	for (int i = 0; i < 2; i++) {
		uint32_t what = i == 0 ? x->request : x->answer;
		const char *const *names = group ? a->p->names.groups : a->p->names.types;
		ask_add(r, what != 0 ? cell_text(names[what - 1]) : cell_none());
	}
}

static void begin_table(struct against *a)
{
	static struct column columns[ASK_CELLS];
	bool ns = a->o->output.clock != 0; /* with latencies alone */
	const char *const *h = ns ? heading_ns : headings[a->o->ask.question];
	bool group = a->o->ask.by == BY_GROUP, types = group || a->o->ask.by == BY_TYPE;
	size_t n = 0;

	if (a->o->ask.question == ASK_RATE)
		columns[n++] = (struct column){ "what", ASK_PAIR };
	else if (a->o->ask.question == ASK_COUNT)
		columns[n++] = (struct column){ group ? "group" : "type", ASK_TYPE };
	else
		columns[n++] = (struct column){ "pair", ASK_PAIR };
	if (types && a->o->ask.question == ASK_LATENCY) {
		columns[n++] = (struct column){ "request", ASK_TYPE };
		columns[n++] = (struct column){ "answer", ASK_TYPE };
	}
	for (int i = 0; i < 4; i++)
		columns[n++] = (struct column){ h[i], ASK_NUMBER };
	columns[n++] = (struct column){ ns ? "difference_ns" : "difference", ASK_NUMBER };
	columns[n++] = (struct column){ "ratio", ASK_NUMBER };
	columns[n++] = (struct column){ ns ? "low_ns" : "low", ASK_NUMBER };
	columns[n++] = (struct column){ ns ? "high_ns" : "high", ASK_NUMBER };
	columns[n++] = (struct column){ "noise", -6 };
	table_begin(&a->table, columns, n);
}

/* Returns how often what the row is about came in a trace. */
static uint64_t how_often(const struct against *a, size_t row, unsigned k)
{
	enum question q = a->o->ask.question;
	double of_one = q == ASK_COUNT ? 100 : q == ASK_RATE ? (double)a->o->ask.period : 1;
	long series = dividend_of(row) + !share_divisor(a);

	return (uint64_t)(blocks_sum(a->blocks[k], series) / of_one + 0.5);
}

/* Writes a row. False: out of memory. */
static bool print_row(struct against *a, size_t row)
{
	long top = dividend_of(row), bottom = share_divisor(a) ? 0 : top + 1;
	double unit = ask_cycle(a->o);
	struct ask_row r = { .n = 0 };
	struct comparison c;

	if (!compare(&c, a->blocks[0], a->blocks[1], top, bottom, SEED))
		return false;
	add_names(a, &r, &a->rows.at[row]);
	ask_add(&r, cell_number(how_often(a, row, 0)));
	ask_add(&r, cell_number(how_often(a, row, 1)));
	ask_add(&r, c.has_first ? cell_real(c.first * unit) : cell_none());
	ask_add(&r, c.has_second ? cell_real(c.second * unit) : cell_none());
	ask_add(&r, c.has_first && c.has_second ? cell_real(c.difference * unit) : cell_none());
	ask_add(&r, c.has_second && c.first > 0 ? cell_real(c.second / c.first) : cell_none());
	ask_add(&r, c.known ? cell_real(c.low * unit) : cell_none());
	ask_add(&r, c.known ? cell_real(c.high * unit) : cell_none());
	ask_add(&r, c.known ? cell_text(c.beyond ? "beyond" : "within") : cell_none());
	table_row(&a->table, r.cell);
	return true;
}

static int by_names(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	return order_3(a->rule, b->rule, a->request, b->request, a->answer, b->answer);
}

/* Writes the rows, in the order of the protocol. False: out of memory. */
static bool print_rows(struct against *a)
{
	struct row *sorted = calloc(a->rows.n + 1, sizeof *sorted);
	bool ok = sorted != NULL;

	if (ok && a->rows.n != 0)
		memcpy(sorted, a->rows.at, a->rows.n * sizeof *sorted);
	if (ok)
		qsort(sorted, a->rows.n, sizeof *sorted, by_names);
	begin_table(a);
	for (size_t i = 0; ok && i < a->rows.n; i++)
		ok = print_row(a, find_row(a, sorted[i]));
	free(sorted);
	return table_flush(&a->table) && ok && !a->text.failed;
}

static void print_summary(const struct against *a)
{
	for (unsigned k = 0; k < 2; k++)
		fprintf(stderr, "%s: batches read: %" PRIu64 ", messages: %" PRIu64
			", gaps: %" PRIu64 "\n", k == 0 ? "other" : "this", a->stats[k].batches,
			a->stats[k].messages, a->stats[k].losses);
	fprintf(stderr, "noise: %d %% of %d resamples of %zu and %zu blocks are from low to high\n",
		COMPARE_CONFIDENCE, COMPARE_RESAMPLES, blocks_count(a->blocks[0]),
		blocks_count(a->blocks[1]));
}

/* ---- all of it ---- */

/* Reads both traces. Returns an exit code. */
static int read_both(struct against *a)
{
	int code = read_trace(a, a->o->files.against), second;

	if ((code != NFART_OK && code != NFART_PARTIAL) || *a->stop != 0)
		return code;
	a->trace.which = 1;
	second = read_trace(a, a->o->files.trace);
	return second != NFART_OK ? second : code;
}

/* Compares after the output was opened. Returns an exit code. */
static int compare_opened(struct against *a, struct outfile *out)
{
	struct nfart_error e;
	int code = read_both(a);

	if ((code != NFART_OK && code != NFART_PARTIAL) || *a->stop != 0)
		return code;
	a->table.f = out->f;
	a->table.form = a->o->output.form;
	if (!print_rows(a)) {
		fputs("nfarun: error: out of memory\n", stderr);
		return NFART_SYSTEM;
	}
	if (outfile_commit(out, &e) != NFART_OK)
		return process_report(&e);
	if (!a->o->output.quiet)
		print_summary(a);
	return code;
}

/* Compares with the protocol in `a`. Returns an exit code. */
static int compare_protocol(struct against *a)
{
	bool needs_pairs = ask_needs_pairs(a->o);
	struct outfile out;
	struct nfart_error e;
	int code;

	if (a->p->names.npairs == 0 && needs_pairs) {
		fprintf(stderr, "nfarun: error: protocol '%s' has no rules for pairs\n",
			a->p->name);
		return NFART_INPUT;
	}
	if (output_open(&out, a->o->output.out, &e) != NFART_OK)
		return process_report(&e);
	reading_begin(&a->trace.reading, "nfarun", a->o->output.quiet);
	code = compare_opened(a, &out);
	outfile_abort(&out);
	return code;
}

int ask_against(const struct nfarun_options *o, const volatile sig_atomic_t *stop)
{
	struct against a = { .o = o, .stop = stop };
	struct protocol x;
	int code = protocol_open_any(&x, "nfarun", o->output.when_colour, o->protocol,
				     o->files.trace != NULL ? o->files.trace : o->files.against,
				     &o->dirs, &o->params);

	if (code != NFART_OK)
		return code;
	a.p = x.p;
	a.blocks[0] = blocks_new();
	a.blocks[1] = blocks_new();
	if (a.blocks[0] != NULL && a.blocks[1] != NULL && blocks_series(a.blocks[0]) == 0 &&
	    blocks_series(a.blocks[1]) == 0) {
		code = compare_protocol(&a);
	} else {
		fputs("nfarun: error: out of memory\n", stderr);
		code = NFART_SYSTEM;
	}
	blocks_free(a.blocks[0]);
	blocks_free(a.blocks[1]);
	vec_free(&a.rows);
	buf_free(&a.text);
	table_free(&a.table);
	protocol_close(&x);
	return code;
}
