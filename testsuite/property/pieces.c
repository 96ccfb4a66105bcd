/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pieces: requests and answers of random traces, read in pieces by several threads, must be those
 * that one thread finds, in the same order; so must the statistics of the trace, and errors. So
 * must those of parts of the trace that are joined. What parts tell is also forged, which must do
 * no harm; and a file of it that is damaged must be refused.
 *
 *   pieces [-n TRACES] [-s SEED]
 *
 * NFACC_PIECES and NFACC_SEED set the same. A trace is compact or dense, in small chunks, and often
 * damaged, also at the borders of chunks. Its protocol has rules of both kinds.
 *
 * This file is long because pieces, parts, levels and files are judged by what one thread finds in
 * the same random trace.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/proto/proto.h"
#include "grammar/describe/proto_text.h"
#include "runtime/ask/asked_flight.h"
#include "runtime/ask/ordered.h"
#include "runtime/pairs/pairs_part.h"
#include "runtime/trace/border.h"
#include "runtime/trace/reader.h"
#include "runtime/trace/writer.h"
#include "support/diag.h"
#include "support/order.h"
#include "testsuite/property/chunks.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { MOST_BATCHES = 600, BLOCK = 50, MOST_SLOTS = 24 };

static const char description[] =
	"protocol odd; header 40; opcode 36..39; idle 15; address 8..10 line 64;\n"
	"groups a, b; channels 0..1;\n"
	"types REQ { READ 0 address; WRITE 1 address; }\n"
	"types ANS { DATA 2 address; OK 3 address; NAK 4; }\n"
	"field id 0..1 of REQ_READ, ANS_DATA, ANS_NAK;\n"
	"field id 4..5 of REQ_WRITE, ANS_OK;\n"
	"pair read: REQ_READ -> ANS_DATA by line, id;\n"
	"pair each: REQ -> ANS_DATA, ANS_OK by line;\n"
	"pair queue: REQ -> ANS_DATA, ANS_OK by line in order;\n"
	"pair whole: REQ_READ, ANS_OK -> ANS_DATA in order;\n";
static const char in_order[] = "pair queue"; /* `description` up to here has no rule in order */

struct pieces_case {
	const struct nfart_proto *proto;
	struct gen g;
	struct buf trace;
	struct nfart_reader_options reader;
	struct pairs_want want;
	size_t piece;
};

/* What comes out of a trace. */
struct told {
	VEC(struct nfart_pair) pairs;
	struct nfart_pairs *q;
	struct pairs_piece *slot[MOST_SLOTS];
	struct nfart_reader_stats stats;
	uint64_t first, last;
	bool any;
	int got;
	struct nfart_error e;
};

struct pieces_totals {
	uint64_t threads, damaged, errors, pairs, parts, asked, forged, switches, meets;
};

/* ---- traces ---- */

static void put_batches(struct pieces_case *c, struct nfart_writer *w)
{
	struct nfart_batch b = { .time = gen_below(&c->g, 100) };
	uint32_t n = gen_below(&c->g, MOST_BATCHES), losses = gen_below(&c->g, 40);

	for (uint32_t i = 0; i < n && w != NULL; i++) {
		b.time += 1 + gen_below(&c->g, 3);
		b.mask = 0;
		b.lost = NFART_LOST_UNKNOWN;
		for (uint32_t s = 0; s < c->proto->nslots && !gen_chance(&c->g, losses); s++)
			if (gen_chance(&c->g, 40)) {
				b.mask |= (uint64_t)1 << s;
				b.header[s] = (uint64_t)gen_below(&c->g, 5) << 36 |
					      (gen_random(&c->g) & 0x733);
			}
		nfart_writer_put(w, &b, NULL);
	}
}

/* protos: that of `description`, and the one without rules in order. */
static void make_case(struct pieces_case *c, uint64_t seed, struct nfart_proto *const *protos)
{
	enum nfart_format format = seed % 3 == 0 ? NFART_FORMAT_DENSE : NFART_FORMAT_COMPACT;
	struct nfart_writer_options o = { .format = format };
	struct nfart_writer *w;
	struct nfart_error e;
	char *at = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&at, &n);

	c->g.state = seed * 0x9e3779b97f4a7c15u + 1;
	c->want.asked = gen_chance(&c->g, 40);
	c->proto = protos[c->want.asked && gen_chance(&c->g, 80)];
	w = nfart_writer_new(f, c->proto, &o, &e);
	w->chunk = gen_chance(&c->g, 20) ? 1 : 64 + gen_below(&c->g, 1500);
	put_batches(c, w);
	nfart_writer_close(w, &e);
	fclose(f);
	buf_add(&c->trace, at, n);
	free(at);
	if (gen_chance(&c->g, 40))
		chunks_damage(&c->g, &c->trace);
	c->reader = (struct nfart_reader_options){ .format = format,
						   .strict = gen_chance(&c->g, 15) };
	c->want.details = !c->want.asked && gen_chance(&c->g, 70);
	c->want.prefix = gen_below(&c->g, gen_chance(&c->g, 50) ? 10 : 120);
	c->piece = 1 + gen_below(&c->g, 4000);
}

/* ---- reading them ---- */

static bool told_take(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	struct told *t = ctx;
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++)
		ok = vec_push(&t->pairs, pairs[i]);
	return ok;
}

static bool read_on(void *ctx)
{
	(void)ctx;
	return true;
}

static int fill_piece(void *ctx, uint32_t slot, struct nfart_reader *r, struct nfart_error *e)
{
	return pairs_piece_read(((struct told *)ctx)->slot[slot], r, e);
}

static bool take_piece(void *ctx, uint32_t slot, const struct nfart_reader_stats *s)
{
	struct told *t = ctx;

	(void)s;
	return pairs_put_piece(t->q, t->slot[slot]);
}

/* Reads in threads. False: the trace can't be read so. */
static bool read_pieces(const struct pieces_case *c, const struct nfart_reader *r, uint32_t jobs,
			struct told *t)
{
	static const volatile sig_atomic_t stop;
	struct ordered_use use = { .ctx = t, .fill = fill_piece, .take = take_piece };
	enum ordered_end end;

	for (uint32_t i = 0; i < ordered_slots(jobs); i++)
		t->slot[i] = pairs_piece_new(c->proto);
	end = ordered_read(r, &use, jobs, c->piece, &stop, &t->stats, &t->e);
	for (uint32_t i = 0; i < ordered_slots(jobs); i++)
		pairs_piece_free(t->slot[i]);
	t->got = end == ORDERED_ALL ? 0 : -1;
	return end != ORDERED_NONE;
}

/* Reads the trace. False: not in so many threads. */
static bool read_case(const struct pieces_case *c, uint32_t jobs, struct told *t)
{
	struct nfart_reader *r = nfart_reader_memory(c->trace.at, c->trace.n, "trace", c->proto,
						     &c->reader, &t->e);
	bool did = r != NULL;

	if (r == NULL)
		return jobs == 1;
	t->q = pairs_new(c->proto, c->want, told_take, t, &t->e);
	if (jobs == 1) {
		t->got = pairs_read(t->q, r, read_on, NULL, &t->e);
		t->stats = *nfart_reader_stats(r);
	} else {
		did = read_pieces(c, r, jobs, t);
	}
	t->any = pairs_span(t->q, &t->first, &t->last);
	nfart_pairs_end(t->q);
	nfart_pairs_free(t->q);
	nfart_reader_free(r);
	return did;
}

/* Are two pairs the same, as far as was asked for? */
static bool same_pair(const struct pieces_case *c, const struct nfart_pair *a,
		      const struct nfart_pair *b)
{
	bool same = a->rule == b->rule && a->outcome == b->outcome && a->time == b->time &&
		    a->answer_time == b->answer_time;

	return same && (!c->want.details ||
			(a->slot == b->slot && a->header == b->header &&
			 a->answer_slot == b->answer_slot && a->answer_header == b->answer_header));
}

static const char *difference(const struct pieces_case *c, const struct told *a,
			      const struct told *b)
{
	const struct nfart_reader_stats *s = &a->stats, *t = &b->stats;

	if (a->got != b->got || strcmp(a->e.what, b->e.what) != 0)
		return "the error";
	if (a->pairs.n != b->pairs.n)
		return "how many pairs there are";
	for (size_t i = 0; i < a->pairs.n; i++)
		if (!same_pair(c, &a->pairs.at[i], &b->pairs.at[i]))
			return "the pairs";
	if (a->any != b->any || a->first != b->first || a->last != b->last)
		return "the times";
	if (s->batches != t->batches || s->messages != t->messages || s->losses != t->losses ||
	    s->lost != t->lost || s->bad_chunks != t->bad_chunks)
		return "the statistics";
	return NULL;
}

/* ---- parts ---- */

/* What parts of a trace tell, and what comes of it. */
struct parts {
	struct told told;              /* by joining the entries, and then by the parts */
	VEC(struct pairs_entry) all;
	VEC(struct nfart_pair) inner;  /* the pairs within parts */
	uint64_t asked;
	/* Where levels are asked for: what the part writes and has in flight, and what comes of the
	 * file; and whether a request from before a part met an event that the part told. */
	struct asked_writer *out;
	struct flight_writer flight;
	struct in_flight *joined;
	uint32_t rules;
	bool silent, meets; /* silent: the part tells what is in flight */
	uint64_t switches;
};

static bool parts_entry(void *ctx, const struct pairs_entry *x)
{
	struct parts *p = ctx;

	return vec_push(&p->all, *x) && (p->flight.f == NULL || flight_put_entry(&p->flight, x));
}

static bool parts_inner(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	struct parts *x = ctx;

	bool levels = x->flight.f != NULL;

	if (levels && !in_flight_take(x->flight.f, pairs, n))
		return false;
	for (size_t i = 0; i < n; i++) /* entries tell the others */
		if ((!levels ||
		     (x->flight.switched && pairs[i].outcome != NFART_PAIR_REPLACED)) &&
		    !vec_push(&x->inner, pairs[i]))
			return false;
	return true;
}

/* Reads a part of the trace from *entry up to `until`. *exit is where it ended. */
static bool read_part(const struct pieces_case *c, struct nfart_reader *r, struct pairs_part *part,
		      const struct trace_border *entry, uint64_t until, struct trace_border *exit)
{
	struct pairs_piece *piece = pairs_piece_new(c->proto);
	struct nfart_error e;
	bool ok = true;
	uint64_t to;

	*exit = *entry;
	do {
		to = exit->offset + c->piece < until ? exit->offset + c->piece : until;
		reader_enter(r, exit, to);
		ok = pairs_piece_read(piece, r, &e) == 0 && pairs_part_put(part, piece);
		reader_border(r, exit);
	} while (ok && exit->offset >= to && exit->offset < until);
	pairs_piece_free(piece);
	return ok;
}

/* Takes pairs that joining entries gives. */
static bool parts_take(void *ctx, const struct nfart_pair *pairs, size_t n)
{
	struct parts *x = ctx;

	return told_take(&x->told, pairs, n) &&
	       (x->joined == NULL || x->silent || in_flight_take(x->joined, pairs, n));
}

/* Joins an entry. */
static bool join_entry(struct parts *x, const struct pairs_entry *v)
{
	bool asked, wrong;
	bool ok = pairs_entry_can_be(x->told.q, v) &&
		  pairs_put_entry(x->told.q, v, &asked, &wrong);

	x->asked += ok && asked;
	return ok;
}

/* Takes a record of the file of a part. */
struct part_taker {
	struct parts *x;
	struct flight_taker flight;
};

static bool take_part_record(void *ctx, enum asked_kind kind, const uint64_t *w)
{
	struct part_taker *t = ctx;
	struct pairs_entry v;
	bool failed = false;

	if (kind == ASKED_LEVEL)
		return flight_take_level(&t->flight, w, &failed);
	if (kind == ASKED_STRETCH)
		return flight_take_stretch(&t->flight, w, &failed);
	v = asked_entry(w);
	if (!flight_allows(&t->flight, &v))
		return false;
	t->x->meets |= pairs_entry_meets(t->x->told.q, &v);
	if (!join_entry(t->x, &v) || !flight_took(&t->flight, &v))
		return false;
	t->x->silent = t->flight.told;
	return true;
}

/* Joins what the file of a part has. */
static bool join_file(struct parts *x)
{
	struct part_taker t = { .x = x, .flight = { .f = x->joined, .rules = x->flight.rules } };
	struct asked_end end;
	struct nfart_error e;
	bool ok;

	x->silent = false;
	ok = asked_each(x->out->f, "part", take_part_record, &t, &end, &e) &&
	     pairs_put_entries(x->told.q) &&
	     (x->meets || flight_agrees(&t.flight, x->told.q));
	x->switches += t.flight.told;
	x->silent = false;
	vec_free(&t.flight.above);
	return ok;
}

/* Joins what a part tells. */
static bool join_part(struct parts *x, uint64_t first, uint64_t last)
{
	bool ok = true;

	for (size_t i = 0; i < x->all.n && ok && x->flight.f == NULL; i++)
		ok = join_entry(x, &x->all.at[i]);
	ok = ok && (x->flight.f == NULL || join_file(x));
	pairs_put_span(x->told.q, first, last);
	return ok && pairs_put_entries(x->told.q);
}

/* Begin, end and forget the file of a part. */
static void begin_file(const struct pieces_case *c, struct parts *x)
{
	const struct asked_key k = { { 0 } };
	uint32_t rules = c->proto->names.npairs;

	x->out = calloc(1, sizeof *x->out);
	asked_begin(x->out, tmpfile(), &k);
	x->flight = (struct flight_writer){ .out = x->out, .f = in_flight_new(rules),
					    .rules = rules };
}

static bool end_file(struct parts *x, uint64_t last)
{
	const struct asked_end end = { .empty = false };

	return flight_put_end(&x->flight, last) && asked_finish(x->out, &end);
}

static void drop_file(struct parts *x)
{
	if (x->out == NULL)
		return;
	fclose(x->out->f);
	free(x->out);
	in_flight_free(x->flight.f);
	x->out = NULL;
}

/* Reads the trace in n parts, and joins them. Returns 1; 0 if a part began with a wrong border, or
 * there is an error in the trace; or -1 if the parts can't be joined. */
static int read_parts(const struct pieces_case *c, const struct nfart_reader *r, uint32_t n,
		      struct parts *x)
{
	struct nfart_reader *reader = reader_another(r);
	struct trace_border border, entry, exit;
	uint64_t until, first, last;
	int got = 1;

	reader_border(r, &border);
	for (uint32_t i = 0; i < n && got == 1; i++) {
		struct pairs_part *part;
		if (!shard_part(r, i, n, &entry, &until))
			continue;
		x->all.n = 0;
		part = pairs_part_new(c->proto, c->want, parts_inner, parts_entry, x);
		if (c->want.asked)
			begin_file(c, x);
		if (!read_part(c, reader, part, &entry, until, &exit) ||
		    !trace_border_follows(&border, &entry, &exit))
			got = 0;
		else if (!pairs_part_end(part, &first, &last) ||
			 (c->want.asked && !end_file(x, last)) || !join_part(x, first, last))
			got = -1;
		border = exit;
		pairs_part_free(part);
		drop_file(x);
	}
	nfart_reader_free(reader);
	return got;
}

static int by_answer(const void *p, const void *q)
{
	const struct nfart_pair *a = p, *b = q;

	int by_times = order_3(a->answer_time, b->answer_time, a->rule, b->rule, a->time, b->time);

	return by_times != 0 ? by_times
			     : order_4(a->slot, b->slot, a->header, b->header, a->answer_slot,
				       b->answer_slot, a->answer_header, b->answer_header);
}

/* Takes the answered pairs out of n pairs and puts them in order. Counts the answers without a
 * request. What is left is at[0] and up; returns how many there are. */
static size_t take_answered(struct nfart_pair *at, size_t n, struct told *to, uint64_t *unasked)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		if (at[i].outcome == NFART_PAIR_ANSWERED)
			vec_push(&to->pairs, at[i]);
		else if (at[i].outcome == NFART_PAIR_UNASKED)
			++*unasked;
		else
			at[left++] = at[i];
	return left;
}

/* Compares pairs, of which those that were answered may come in another order. */
static const char *parts_difference(struct pieces_case *c, const struct told *one, struct parts *x)
{
	struct told a = { .got = 0 }, b = { .got = 0 };
	struct told left = { .got = 0 };
	uint64_t unasked = 0, inner = 0;
	const char *what = NULL;
	size_t n;

	for (size_t i = 0; i < one->pairs.n; i++)
		vec_push(&left.pairs, one->pairs.at[i]);
	left.pairs.n = take_answered(left.pairs.at, left.pairs.n, &a, &unasked);
	n = take_answered(x->told.pairs.at, x->told.pairs.n, &b, &inner);
	if (take_answered(x->inner.at, x->inner.n, &b, &inner) != 0)
		what = "the pairs within parts";
	if (n != left.pairs.n || a.pairs.n != b.pairs.n)
		what = "how many pairs there are";
	else if (unasked + x->asked != inner)
		what = "answers without a request";
	if (a.pairs.n != 0 && b.pairs.n != 0) {
		qsort(a.pairs.at, a.pairs.n, sizeof *a.pairs.at, by_answer);
		qsort(b.pairs.at, b.pairs.n, sizeof *b.pairs.at, by_answer);
	}
	for (size_t i = 0; i < a.pairs.n && what == NULL; i++)
		if (!same_pair(c, &a.pairs.at[i], &b.pairs.at[i]))
			what = "the answered pairs";
	for (size_t i = 0; i < n && what == NULL; i++)
		if (!same_pair(c, &left.pairs.at[i], &x->told.pairs.at[i]))
			what = "the other pairs, or their order";
	if (one->any != x->told.any || one->first != x->told.first || one->last != x->told.last)
		what = "the times";
	vec_free(&a.pairs);
	vec_free(&b.pairs);
	vec_free(&left.pairs);
	return what;
}

static int by_all(const void *p, const void *q)
{
	const struct nfart_pair *a = p, *b = q;

	return order_4(a->answer_time, b->answer_time, a->rule, b->rule, a->time, b->time,
		       a->outcome, b->outcome);
}

/* Adds a pair, unless it is an answer without a request, which is counted. When a request was
 * replaced, no entry tells. */
static void add_asked(struct told *to, const struct nfart_pair *p, uint64_t *unasked)
{
	struct nfart_pair copy = *p;

	if (p->outcome == NFART_PAIR_REPLACED)
		copy.answer_time = 0;
	if (p->outcome == NFART_PAIR_UNASKED)
		++*unasked;
	else
		vec_push(&to->pairs, copy);
}

/* Compares pairs that may come in any order, where levels are asked for. */
static const char *asked_difference(const struct pieces_case *c, const struct told *one,
				    struct parts *x)
{
	struct told a = { .got = 0 }, b = { .got = 0 };
	uint64_t unasked = 0, inner = 0;
	const char *what = NULL;

	for (size_t i = 0; i < one->pairs.n; i++)
		add_asked(&a, &one->pairs.at[i], &unasked);
	for (size_t i = 0; i < x->told.pairs.n; i++)
		add_asked(&b, &x->told.pairs.at[i], &inner);
	for (size_t i = 0; i < x->inner.n; i++)
		add_asked(&b, &x->inner.at[i], &inner);
	if (a.pairs.n != b.pairs.n)
		what = "how many pairs there are, with levels";
	else if (unasked + x->asked != inner)
		what = "answers without a request, with levels";
	if (a.pairs.n != 0 && b.pairs.n != 0) {
		qsort(a.pairs.at, a.pairs.n, sizeof *a.pairs.at, by_all);
		qsort(b.pairs.at, b.pairs.n, sizeof *b.pairs.at, by_all);
	}
	for (size_t i = 0; i < a.pairs.n && what == NULL; i++)
		if (!same_pair(c, &a.pairs.at[i], &b.pairs.at[i]))
			what = "the pairs, with levels";
	vec_free(&a.pairs);
	vec_free(&b.pairs);
	return what;
}

/* Compares what was in flight. */
static const char *levels_difference(const struct told *one, struct parts *x)
{
	uint32_t rules = x->rules;
	struct in_flight *f = in_flight_new(rules);
	const char *what = NULL;

	for (size_t i = 0; i < one->pairs.n; i++)
		if (one->pairs.at[i].outcome != NFART_PAIR_OPEN)
			in_flight_take(f, &one->pairs.at[i], 1);
	if (one->any) {
		in_flight_end(f, one->first, one->last);
		in_flight_end(x->joined, one->first, one->last);
	}
	for (uint32_t i = 0; i <= rules && one->any; i++) {
		size_t n, m;
		uint64_t at, time;
		const uint64_t *a = in_flight_cycles(f, i, &n);
		const uint64_t *b = in_flight_cycles(x->joined, i, &m);
		if (n != m || memcmp(a, b, n * sizeof *a) != 0)
			what = "for how long requests are in flight";
		if (in_flight_most(f, i, &at) != in_flight_most(x->joined, i, &time) || at != time)
			what = "the most requests in flight";
	}
	in_flight_free(f);
	return what;
}

/* Changes entries and joins them: they may be refused. */
static void forge_entries(struct pieces_case *c, struct parts *x)
{
	bool asked, wrong;

	for (size_t i = 0; i < x->all.n; i++) {
		struct pairs_entry v = x->all.at[i];
		switch (gen_below(&c->g, 8)) {
		case 0:
			v.kind = (enum pairs_entry_kind)gen_below(&c->g, PAIRS_KINDS + 1);
			break;
		case 1:
			v.rule = gen_below(&c->g, 6);
			break;
		case 2:
			v.slot = gen_below(&c->g, 5);
			break;
		case 3:
			v.header ^= (uint64_t)1 << gen_below(&c->g, 64);
			break;
		case 4:
			v.time = gen_random(&c->g);
		}
		if (pairs_entry_can_be(x->told.q, &v))
			pairs_put_entry(x->told.q, &v, &asked, &wrong);
	}
	pairs_put_entries(x->told.q);
}

static const char *test_parts(struct pieces_case *c, uint32_t n, const struct told *one,
			      struct pieces_totals *sum)
{
	struct parts x = { .rules = c->proto->names.npairs };
	struct nfart_reader *r = nfart_reader_memory(c->trace.at, c->trace.n, "trace", c->proto,
						     &c->reader, NULL);
	const char *what = NULL;
	int got = 0;

	if (r == NULL)
		return NULL;
	x.told.q = pairs_new(c->proto, c->want, parts_take, &x, NULL);
	if (c->want.asked)
		x.joined = in_flight_new(x.rules);
	got = read_parts(c, r, n, &x);
	x.told.any = pairs_span(x.told.q, &x.told.first, &x.told.last);
	x.silent = true; /* the end is not in flight */
	if (got == 1 && nfart_pairs_end(x.told.q)) {
		what = c->want.asked ? asked_difference(c, one, &x) : parts_difference(c, one, &x);
		if (what == NULL && c->want.asked && !x.meets)
			what = levels_difference(one, &x);
		sum->parts++;
		sum->meets += x.meets;
		sum->switches += x.meets ? 0 : x.switches;
		sum->asked += x.asked;
		forge_entries(c, &x);
		sum->forged += x.all.n;
	} else if (got < 0) {
		what = "parts can't be joined";
	}
	nfart_pairs_free(x.told.q);
	in_flight_free(x.joined);
	nfart_reader_free(r);
	vec_free(&x.all);
	vec_free(&x.inner);
	vec_free(&x.told.pairs);
	return what;
}

/* ---- files ---- */

static bool count_records(void *ctx, enum asked_kind kind, const uint64_t *record)
{
	uint64_t *sum = ctx;

	sum[0]++;
	sum[1] += kind + record[0] + 3 * record[2];
	return true;
}

/* Writes a file of some blocks to f. Returns what count_records() sums up. */
static void write_file(FILE *f, const struct asked_key *k, uint64_t *sum)
{
	struct asked_writer *w = calloc(1, sizeof *w);
	struct asked_end end = { .first = 1, .last = 7, .exit.offset = 99 };

	asked_begin(w, f, k);
	for (uint64_t i = 0; i < 20; i++) {
		uint64_t record[8] = { i, i * i, 5 * i, 1, 2, 3, 4, 5 };
		enum asked_kind kind = (enum asked_kind)(i / 4);
		asked_put(w, kind, record);
		count_records(sum, kind, record);
	}
	asked_finish(w, &end);
	free(w);
}

/* Reads the file. Returns whether it is whole and has what was written. */
static bool read_file_again(const char *name, const struct asked_key *k, const uint64_t *wanted)
{
	uint64_t number, sum[2] = { 0 };
	struct asked_end end = { .empty = true };
	struct nfart_error e;
	FILE *f;
	bool ok = asked_open(&f, name, k, &number, &e);

	ok = ok && asked_each(f, name, count_records, sum, &end, &e);
	if (f != NULL)
		fclose(f);
	return ok && sum[0] == wanted[0] && sum[1] == wanted[1] && !end.empty && end.first == 1 &&
	       end.last == 7 && end.exit.offset == 99;
}

/* A file is read as it was written; with any bit changed or any end cut off it is refused. */
static void test_files(struct tap *t, struct gen *g)
{
	struct asked_key k = { { [ASKED_AT_MAGIC] = 4711, [ASKED_AT_VERSION] = ASKED_VERSION,
				 [ASKED_AT_TOTAL] = 3 } };
	char name[] = "asked-XXXXXX";
	uint64_t sum[2] = { 0 };
	struct buf b = { 0 };
	FILE *f = fdopen(mkstemp(name), "wb");
	bool ok = true;

	write_file(f, &k, sum);
	fclose(f);
	tap_case(t, read_file_again(name, &k, sum), "a file is read as it was written");
	ok = buf_read_file(&b, name, 1 << 20) == 0;
	for (int i = 0; i < 300 && ok; i++) {
		bool cut = gen_chance(g, 20);
		size_t at = gen_below(g, (uint32_t)b.n), bit = gen_below(g, 8);
		b.at[at] ^= (char)(cut ? 0 : 1 << bit);
		f = fopen(name, "wb");
		fwrite(b.at, 1, cut ? at : b.n, f);
		fclose(f);
		b.at[at] ^= (char)(cut ? 0 : 1 << bit);
		ok = !read_file_again(name, &k, sum);
	}
	tap_case(t, ok, "a damaged file is refused");
	buf_free(&b);
	remove(name);
}

/* Stretches that nobody wrote are taken or refused; what is in flight is then still of use. */
static void test_stretches(struct tap *t, struct gen *g)
{
	uint64_t taken = 0, refused = 0;

	for (int i = 0; i < 3000; i++) {
		struct in_flight *f = in_flight_new(2);
		struct flight_taker x = { .f = f, .rules = 2, .told = true };
		bool ok = true, failed = false;
		while (ok && gen_chance(g, 98)) {
			bool level = x.begun && gen_chance(g, 60);
			uint64_t time = x.from + gen_below(g, 4);
			uint64_t w[5] = { x.next | (uint64_t)(x.begun && !level) << 32,
					  level ? x.levels : 0, gen_below(g, 3), 0, time };
			if (!level) {
				w[2] = x.begun ? x.from + x.cycles : time;
				w[3] = x.begun && x.levels != 0 ? x.levels - 1 : 0;
			}
			if (gen_chance(g, 3))
				w[gen_below(g, 5)] = gen_random(g) >> gen_below(g, 64);
			ok = level ? flight_take_level(&x, w, &failed)
				   : flight_take_stretch(&x, w, &failed);
			taken += ok;
			refused += !ok;
		}
		in_flight_end(f, 0, x.to + 5);
		vec_free(&x.above);
		in_flight_free(f);
	}
	tap_case(t, taken > 3000 && refused > 1000,
		 "forged stretches: %" PRIu64 " records taken, %" PRIu64 " refused", taken,
		 refused);
}

static bool test_case(struct nfart_proto *const *p, uint64_t seed, struct pieces_totals *sum)
{
	static const uint32_t jobs[] = { 2, 3, 8 };
	struct pieces_case c = { .piece = 0 };
	struct told one = { .got = 0 };
	const char *what = NULL;

	make_case(&c, seed, p);
	read_case(&c, 1, &one);
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs && what == NULL; i++) {
		struct told many = { .got = 0 };
		if (read_case(&c, jobs[i], &many)) {
			what = difference(&c, &one, &many);
			sum->threads++;
		}
		if (what != NULL)
			printf("# seed %" PRIu64 ", %" PRIu32 " threads, pieces of %zu bytes: %s "
			       "(%zu, %zu pairs; '%s', '%s')\n",
			       seed, jobs[i], c.piece, what, one.pairs.n, many.pairs.n, one.e.what,
			       many.e.what);
		vec_free(&many.pairs);
	}
	for (uint32_t n = 1; n <= 5 && what == NULL && one.got == 0; n += 2) {
		what = test_parts(&c, n, &one, sum);
		if (what != NULL)
			printf("# seed %" PRIu64 ", %" PRIu32 " parts: %s\n", seed, n, what);
	}
	sum->damaged += one.stats.bad_chunks != 0;
	sum->errors += one.got < 0;
	sum->pairs += one.pairs.n;
	vec_free(&one.pairs);
	buf_free(&c.trace);
	return what == NULL;
}

int main(int argc, char **argv)
{
	struct seeds s = setting_seeds("NFACC_PIECES", 400, 3000);
	struct pieces_totals sum = { 0 };
	size_t plain = (size_t)(strstr(description, in_order) - description);
	struct nfart_proto *p[2] = { NULL, NULL };
	struct diags d = { 0 };
	struct tap t = { 0 };

	if (!setting_arguments(argc, argv, &s.n, &s.first, NULL) ||
	    proto_parse(&d, NULL, 0, "odd.proto", description, sizeof description - 1,
			&p[0]) != NFART_OK ||
	    proto_parse(&d, NULL, 0, "odd.proto", description, plain, &p[1]) != NFART_OK)
		return 2;
	for (uint64_t i = 0; i < s.n; i += BLOCK) {
		bool ok = true;
		for (uint64_t k = i; k < i + BLOCK && k < s.n; k++)
			ok &= test_case(p, s.first + k, &sum);
		tap_case(&t, ok, "traces from seed %" PRIu64 " on, in pieces", s.first + i);
	}
	test_files(&t, &(struct gen){ .state = s.first });
	test_stretches(&t, &(struct gen){ .state = s.first });
	tap_case(&t, sum.switches > s.n / 10 && sum.meets > s.n / 40,
		 "parts that tell levels: %" PRIu64 ", where they can't: %" PRIu64, sum.switches,
		 sum.meets);
	tap_case(&t, sum.threads > s.n && sum.parts > s.n && sum.asked > s.n / 6,
		 "reads in threads: %" PRIu64 ", in parts: %" PRIu64 ", answers to requests of a "
		 "part before: %" PRIu64 ", entries forged: %" PRIu64,
		 sum.threads, sum.parts, sum.asked, sum.forged);
	tap_case(&t, sum.damaged > s.n / 20 && sum.errors > s.n / 60 && sum.pairs > 20 * s.n,
		 "damaged traces: %" PRIu64 ", errors: %" PRIu64 ", pairs: %" PRIu64, sum.damaged,
		 sum.errors, sum.pairs);
	nfart_proto_free(p[0]);
	nfart_proto_free(p[1]);
	diag_free(&d);
	return tap_end(&t);
}
