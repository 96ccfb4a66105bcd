/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/ask_against.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "contract/proto/proto.h"
#include "support/order.h"
#include "tools/nfarun/against_shard.h"
#include "tools/nfarun/against_side.h"
#include "tools/nfarun/ask_print.h"
#include "tools/nfarun/fits.h"
#include "tools/nfarun/output.h"
#include "tools/nfarun/process.h"
#include "tools/nfarun/protocol.h"

enum { SEED = 1 };

static const char *const rates[] = { "batches", "messages", "gaps" };

struct against {
	const struct nfarun_options *o;
	const volatile sig_atomic_t *stop;
	const struct nfart_proto *p;
	struct against_side side[2]; /* the trace of --against, and the trace */
	struct table table;
	struct buf text;             /* for a cell */
};

/* Have all rows the divisor of series 0? */
static bool share_divisor(const struct against *a)
{
	return a->o->ask.question == ASK_COUNT || a->o->ask.question == ASK_RATE;
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
static void add_names(struct against *a, struct ask_row *r, const struct against_row *x)
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

/* Makes *q the number that a row is in a trace. Returns how often what it is about came there. */
static uint64_t number_of(struct against *a, const struct against_row *x, unsigned k,
			  struct quotient *q)
{
	enum question question = a->o->ask.question;
	double of_one = question == ASK_COUNT	? 100
			: question == ASK_RATE ? (double)a->o->ask.period
					       : 1;
	struct against_side *side = &a->side[k];
	long top = against_dividend(against_row(side, x));
	double often;

	*q = (struct quotient){ side->blocks, top, share_divisor(a) ? 0 : top + 1 };
	if (side->failed)
		return 0;
	often = blocks_sum(side->blocks, top + !share_divisor(a)) / of_one + 0.5;
	return often < 0x1p63 ? (uint64_t)often : UINT64_MAX; /* of a file it may be anything */
}

/* Writes a row. False: out of memory. */
static bool print_row(struct against *a, const struct against_row *x)
{
	double unit = ask_cycle(a->o);
	struct ask_row r = { .n = 0 };
	struct quotient q[2];
	struct comparison c;
	uint64_t n[2];

	for (unsigned k = 0; k < 2; k++)
		n[k] = number_of(a, x, k, &q[k]);
	if (a->side[0].failed || a->side[1].failed || !compare(&c, &q[0], &q[1], SEED))
		return false;
	add_names(a, &r, x);
	ask_add(&r, cell_number(n[0]));
	ask_add(&r, cell_number(n[1]));
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
	const struct against_row *a = x, *b = y;

	return order_3(a->rule, b->rule, a->request, b->request, a->answer, b->answer);
}

/* Writes the rows of both traces, in the order of the protocol. False: out of memory. */
static bool print_rows(struct against *a)
{
	const struct against_side *other = &a->side[0], *this = &a->side[1];
	size_t n = other->rows.n + this->rows.n;
	struct against_row *sorted = calloc(n + 1, sizeof *sorted);
	bool ok = sorted != NULL;

	if (ok && other->rows.n != 0)
		memcpy(sorted, other->rows.at, other->rows.n * sizeof *sorted);
	if (ok && this->rows.n != 0)
		memcpy(sorted + other->rows.n, this->rows.at, this->rows.n * sizeof *sorted);
	if (ok)
		qsort(sorted, n, sizeof *sorted, by_names);
	begin_table(a);
	for (size_t i = 0; ok && i < n; i++)
		ok = (i != 0 && by_names(&sorted[i - 1], &sorted[i]) == 0) ||
		     print_row(a, &sorted[i]);
	free(sorted);
	return table_flush(&a->table) && ok && !a->text.failed;
}

static void print_summary(const struct against *a)
{
	for (unsigned k = 0; k < 2; k++)
		fprintf(stderr, "%s: batches read: %" PRIu64 ", messages: %" PRIu64
			", gaps: %" PRIu64 "\n", k == 0 ? "other" : "this",
			a->side[k].stats.batches, a->side[k].stats.messages,
			a->side[k].stats.losses);
	fprintf(stderr, "noise: %d %% of %d resamples of %zu and %zu blocks are from low to high\n",
		COMPARE_CONFIDENCE, COMPARE_RESAMPLES, blocks_count(a->side[0].blocks),
		blocks_count(a->side[1].blocks));
}

/* ---- all of it ---- */

/* Reads the other trace, in a thread of its own. Signals come to the calling thread. */
static void *read_other(void *ctx)
{
	against_read(ctx);
	return NULL;
}

/* Starts to read the other trace while this one is read, where the options allow that, and it is a
 * plain file: nothing would wake a thread that waits for a pipe. False: it is to be read first. */
static bool start_other(struct against *a, pthread_t *thread)
{
	const char *name = a->side[0].trace;
	struct stat st;
	sigset_t all, old;
	bool ok;

	if (a->o->run.jobs < 2 || name == NULL || stat(name, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ok = pthread_create(thread, NULL, read_other, &a->side[0]) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ok;
}

/* Writes what was told of a trace. */
static void side_say(const struct against_side *x)
{
	if (x->said.n != 0 && !x->said.failed)
		fwrite(x->said.at, 1, x->said.n, stderr);
}

static bool side_good(const struct against_side *x)
{
	return x->code == NFART_OK || x->code == NFART_PARTIAL;
}

/* Reads both traces. Returns an exit code. What went wrong in the other trace comes first, and then
 * nothing is said of this one. */
static int read_both(struct against *a)
{
	struct against_side *other = &a->side[0], *this = &a->side[1];
	bool quiet = a->o->output.quiet, both;
	pthread_t thread;

	reading_begin(&other->reading, "nfarun", quiet || a->o->run.jobs > 1);
	both = start_other(a, &thread);
	if (!both)
		against_read(other);
	if (both || (side_good(other) && *a->stop == 0)) {
		reading_begin(&this->reading, "nfarun", quiet);
		against_read(this);
	}
	if (both)
		pthread_join(thread, NULL);
	side_say(other);
	if (!side_good(other))
		return process_report(&other->error);
	side_say(this);
	if (!side_good(this))
		return process_report(&this->error);
	return this->code != NFART_OK ? this->code : other->code;
}

/* Takes both traces from the files of shards. Returns an exit code. */
static int merge_both(struct against *a)
{
	struct nfart_error e;

	if (against_shard_merge(a->side, &e) != NFART_OK)
		return process_report(&e);
	return a->side[1].code != NFART_OK ? a->side[1].code : a->side[0].code;
}

/* Writes a shard of the comparison after the output was opened. Returns an exit code. */
static int shard_opened(struct against *a, struct outfile *out)
{
	struct nfart_error e;
	enum nfart_status status;
	bool done;

	for (int k = 0; k < 2; k++)
		reading_begin(&a->side[k].reading, "nfarun", a->o->output.quiet);
	status = against_shard_run(a->side, out->f, &done, &e);
	if (status == NFART_PARTIAL)
		fputs("nfarun: interrupted\n", stderr);
	if (status == NFART_OK && !done)
		status = outfile_commit(out, &e);
	return status == NFART_OK || status == NFART_PARTIAL ? (int)status : process_report(&e);
}

/* Compares after the output was opened. Returns an exit code. */
static int compare_opened(struct against *a, struct outfile *out)
{
	struct nfart_error e;
	int code = a->o->shards.merge ? merge_both(a) : read_both(a);

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
	code = a->o->shards.n != 0 ? shard_opened(a, &out) : compare_opened(a, &out);
	outfile_abort(&out);
	return code;
}

int ask_against(const struct nfarun_options *o, const volatile sig_atomic_t *stop)
{
	struct against a = { .o = o, .stop = stop };
	struct protocol x;
	bool ok = true;
	int code = protocol_open_any(&x, "nfarun", o->output.when_colour, o->protocol,
				     o->files.trace != NULL ? o->files.trace : o->files.against,
				     &o->dirs, &o->params);

	if (code != NFART_OK)
		return code;
	a.p = x.p;
	for (unsigned k = 0; k < 2; k++)
		ok = against_open(&a.side[k], o, stop, x.p,
				  k == 0 ? o->files.against : o->files.trace) && ok;
	if (ok) {
		code = fits_ring(o, x.image, o->protocol);
		code = code == NFART_OK ? compare_protocol(&a) : code;
	} else {
		fputs("nfarun: error: out of memory\n", stderr);
		code = NFART_SYSTEM;
	}
	against_close(&a.side[0]);
	against_close(&a.side[1]);
	buf_free(&a.text);
	table_free(&a.table);
	protocol_close(&x);
	return code;
}
