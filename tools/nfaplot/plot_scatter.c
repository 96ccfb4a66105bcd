/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Requests over time: above, how long each took; below, for which line each was, with a line from
 * request to answer (T figure 26). Of many requests some are drawn, among them the slowest.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/order.h"
#include "support/vec.h"
#include "tools/nfaplot/plot.h"

enum { SLOWEST = 20, MOST_OPEN = 500 };

/* Parts of the picture, in units of length. */
enum { LEFT = 90, RIGHT = 20, GAP = 22 };

#define CROSS 0.7 /* the size of a request without an answer */

/* What is drawn: requests, and the addresses of their lines. */
struct drawn {
	VEC(struct nfart_pair) pairs;
	VEC(uint64_t) address;  /* the addresses by rising value, each once */
	uint64_t on_lines;      /* bit r is set: a request of rule r has an answer and an address */
	bool open_on_lines;     /* a request has no answer, but an address */
};

static bool plot_scatter_prepare(struct plot *x)
{
	x->samples.answered = sample_new(x->o->most.points);
	x->samples.unanswered = sample_new(MOST_OPEN);
	x->latency = latency_new(x->p, LATENCY_BY_PAIR, SLOWEST);
	return x->samples.answered != NULL && x->samples.unanswered != NULL && x->latency != NULL;
}

static bool plot_scatter_take(struct plot *x, const struct nfart_pair *pair)
{
	if (pair->outcome != NFART_PAIR_ANSWERED) {
		if (pair->outcome != NFART_PAIR_UNASKED)
			sample_add(x->samples.unanswered, pair);
		return true;
	}
	sample_add(x->samples.answered, pair);
	return latency_add(x->latency, pair);
}

/* ---- what is drawn ---- */

static bool has_address(const struct plot *x, const struct nfart_pair *pair, uint64_t *address)
{
	return nfart_proto_address(x->p, pair->slot, pair->header, address);
}

/* Orders requests by rule, time and slot. No two requests of a rule have the same. */
static int by_request(const void *p, const void *q)
{
	const struct nfart_pair *a = p, *b = q;

	return order_3(a->rule, b->rule, a->time, b->time, a->slot, b->slot);
}

static int by_value(const void *p, const void *q)
{
	const uint64_t *a = p, *b = q;

	return (*a > *b) - (*a < *b);
}

static bool add_pairs(struct drawn *d, const struct nfart_pair *pair, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!vec_push(&d->pairs, pair[i]))
			return false;
	return true;
}

/* Fills *d. A request that is both in the sample and among the slowest is there once. False: out of
 * memory. */
static bool plot_scatter_collect(struct plot *x, struct drawn *d)
{
	size_t n, left = 0;
	uint64_t address;
	const struct nfart_pair *pair = sample_kept(x->samples.answered, &n);
	bool ok = add_pairs(d, pair, n);

	pair = latency_slowest(x->latency, &n);
	ok = ok && add_pairs(d, pair, n);
	pair = sample_kept(x->samples.unanswered, &n);
	if (!ok || !add_pairs(d, pair, n))
		return false;
	if (d->pairs.n > 1)
		qsort(d->pairs.at, d->pairs.n, sizeof d->pairs.at[0], by_request);
	for (size_t i = 0; i < d->pairs.n; i++) {
		if (left != 0 && by_request(&d->pairs.at[left - 1], &d->pairs.at[i]) == 0)
			continue;
		d->pairs.at[left++] = d->pairs.at[i];
		if (has_address(x, &d->pairs.at[i], &address) && !vec_push(&d->address, address))
			return false;
	}
	d->pairs.n = left;
	if (d->address.n > 1)
		qsort(d->address.at, d->address.n, sizeof d->address.at[0], by_value);
	for (size_t i = left = 0; i < d->address.n; i++)
		if (left == 0 || d->address.at[left - 1] != d->address.at[i])
			d->address.at[left++] = d->address.at[i];
	d->address.n = left;
	return true;
}

/* ---- data ---- */

/* Appends the place of a request on the axis of lines: the number of its address. */
static void add_line(struct plot *x, struct drawn *d, const struct nfart_pair *pair)
{
	uint64_t address, *at;

	if (!has_address(x, pair, &address)) {
		buf_addf(&x->script, " ?");
		return;
	}
	at = bsearch(&address, d->address.at, d->address.n, sizeof address, by_value);
	buf_addf(&x->script, " %zu", (size_t)(at - d->address.at));
	if (pair->outcome == NFART_PAIR_ANSWERED)
		d->on_lines |= (uint64_t)1 << pair->rule;
	else
		d->open_on_lines = true;
}

/* Appends the answered requests of each rule, in blocks $pair0, $pair1, …: times of request and
 * answer, latency, line. Then those without an answer: time and line. */
static void data(struct plot *x, struct drawn *d)
{
	struct buf *b = &x->script;

	for (uint32_t rule = 0; rule < x->p->names.npairs; rule++) {
		buf_addf(b, "$pair%" PRIu32 " << END\n", rule);
		for (size_t i = 0; i < d->pairs.n; i++) {
			const struct nfart_pair *q = &d->pairs.at[i];
			if (q->rule != rule || q->outcome != NFART_PAIR_ANSWERED)
				continue;
			buf_addf(b, "%.12g %.12g %" PRIu64, script_time(x, q->time),
				 script_time(x, q->answer_time), q->answer_time - q->time);
			add_line(x, d, q);
			buf_addf(b, "\n");
		}
		buf_addf(b, "END\n");
	}
	buf_addf(b, "$open << END\n");
	for (size_t i = 0; i < d->pairs.n; i++)
		if (d->pairs.at[i].outcome != NFART_PAIR_ANSWERED) {
			buf_addf(b, "%.12g", script_time(x, d->pairs.at[i].time));
			add_line(x, d, &d->pairs.at[i]);
			buf_addf(b, "\n");
		}
	buf_addf(b, "END\n");
}

/* ---- commands ---- */

static uint64_t pairs_of(const struct plot *x, uint32_t rule)
{
	size_t n;
	const struct latency_group *g = latency_groups(x->latency, &n);

	for (size_t i = 0; i < n; i++)
		if (g[i].rule == rule)
			return g[i].n;
	return 0;
}

/* Draws the upper part, whose upright axis has the unit `unit`. `open`: the lower part has requests
 * without an answer. */
static void draw_latencies(struct plot *x, double size, double unit, bool open)
{
	struct buf *b = &x->script;
	const char *sep = "plot ";

	for (uint32_t rule = 0; rule < x->p->names.npairs; rule++) {
		if (pairs_of(x, rule) == 0)
			continue;
		buf_addf(b, "%s$pair%" PRIu32 " using 1:($3/%.12g) with points pt 7 ps %.2g "
			    "lc rgb '%s' title ",
			 sep, rule, unit, size * x->layout.scale, script_colour(rule));
		script_quote(b, x->p->names.pairs[rule].name);
		sep = ", \\\n";
	}
	if (open)
		buf_addf(b, ", \\\nkeyentry with points pt 2 ps %.2g lc rgb '" SCRIPT_BAD
			    "' title 'no answer'", CROSS * x->layout.scale);
	buf_addf(b, "\n");
}

static void draw_lines(struct plot *x, const struct drawn *d, double size)
{
	struct buf *b = &x->script;

	const char *sep = "plot ";

	for (uint32_t rule = 0; rule < x->p->names.npairs; rule++) {
		if ((d->on_lines >> rule & 1) == 0)
			continue;
		buf_addf(b, "%s$pair%" PRIu32 " using 1:4:($2-$1):(0) with vectors nohead lw 1.2 "
			    "lc rgb '%s', \\\n"
			    "$pair%" PRIu32 " using 2:4 with points pt 7 ps %.2g lc rgb '%s'",
			 sep, rule, script_colour(rule), rule, size * x->layout.scale,
			 script_colour(rule));
		sep = ", \\\n";
	}
	if (d->open_on_lines)
		buf_addf(b, "%s$open using 1:2 with points pt 2 ps %.2g lc rgb '" SCRIPT_BAD "'",
			 sep, CROSS * x->layout.scale);
	buf_addf(b, "\n");
}

/* Fills *t with a note that not all requests are drawn, if that is so. */
static void note_sample(const struct plot *x, struct buf *t)
{
	size_t n;
	uint64_t every = sample_every(x->samples.answered),
		 missing = sample_every(x->samples.unanswered);

	if (every == 1 && missing == 1)
		return;
	latency_slowest(x->latency, &n);
	buf_addf(t, "drawn: one of %" PRIu64 " answered, the %zu slowest", every, n);
	if (missing != 1)
		buf_addf(t, ", one of %" PRIu64 " unanswered", missing);
}

/* Appends title, key and note. */
static void head(struct plot *x, const struct drawn *d)
{
	struct script_key key = { 0 };
	struct buf note = { 0 };

	for (uint32_t rule = 0; rule < x->p->names.npairs; rule++)
		if (pairs_of(x, rule) != 0)
			script_key_add(&key, x->p->names.pairs[rule].name);
	if (d->open_on_lines)
		script_key_add(&key, "no answer");
	note_sample(x, &note);
	script_head(x, &key, note.at);
	x->script.failed |= note.failed;
	buf_free(&note);
}

/* Appends the upright axis of the upper part, which is `high` units high. Returns its unit. */
static double latency_axis(struct plot *x, double high)
{
	struct buf *b = &x->script, t = { 0 };
	size_t n;
	const struct nfart_pair *slowest = latency_slowest(x->latency, &n);
	double most = (double)(slowest->answer_time - slowest->time), unit;
	const char *name;

	unit = script_unit(most, &name);
	/* In a low picture the title alone says that these are latencies. */
	buf_addf(&t, high < 160 && unit != 1 ? "%s" : "latency (%s)", name);
	script_ylabel(x, t.at != NULL ? t.at : "", high);
	b->failed |= t.failed;
	buf_free(&t);
	if (x->o->picture.log) {
		buf_addf(b, "set logscale y\nset format y '%%g'\n");
	} else {
		script_ticks(x, "y", most / unit, high, unit == 1);
		buf_addf(b, "set yrange [0:*]\n");
	}
	return unit;
}

static const char *plot_scatter_draw(struct plot *x)
{
	struct buf *b = &x->script;
	struct drawn d = { 0 };
	double body, lower, upper, left = LEFT, wide, size, unit;

	if (x->outcomes[NFART_PAIR_ANSWERED] == 0)
		return "no request has an answer";
	if (!latency_finish(x->latency) || !plot_scatter_collect(x, &d)) {
		b->failed = true;
		goto out;
	}
	size = d.pairs.n < 300 ? 0.5 : d.pairs.n < 2000 ? 0.35 : 0.25;
	data(x, &d);
	head(x, &d);
	if (d.address.n != 0 && script_addresses_room(d.address.at[d.address.n - 1]) > left)
		left = script_addresses_room(d.address.at[d.address.n - 1]);
	wide = script_width(x) - left - RIGHT;
	body = script_height(x) - x->layout.top - x->layout.bottom;
	lower = d.address.n == 0 ? 0 : (body - GAP) * 3 / 5;
	upper = d.address.n == 0 ? body : body - GAP - lower;
	buf_addf(b, "set multiplot\n");
	script_time_axis(x, wide);
	script_margins(x, left, RIGHT, x->layout.top, script_height(x) - x->layout.top - upper);
	unit = latency_axis(x, upper);
	if (d.address.n != 0)
		buf_addf(b, "unset xlabel\nset format x ''\n");
	draw_latencies(x, size, unit, d.open_on_lines);
	if (d.address.n != 0) {
		buf_addf(b, "unset label\nunset key\nunset arrow\nunset logscale y\n");
		script_time_axis(x, wide);
		script_margins(x, left, RIGHT, script_height(x) - x->layout.bottom - lower,
			       x->layout.bottom);
		script_ylabel(x, "line", lower);
		script_addresses(x, d.address.at, d.address.n, lower);
		draw_lines(x, &d, size);
	}
	buf_addf(b, "unset multiplot\n");
out:
	vec_free(&d.pairs);
	vec_free(&d.address);
	return NULL;
}

const struct plot_form_of plot_scatter = {
	.title = "Requests: latency and line over time", .height = 640,
	.prepare = plot_scatter_prepare, .pair = plot_scatter_take, .draw = plot_scatter_draw,
};
