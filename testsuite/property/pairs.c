/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pairs: joins the messages of random streams, and compares the result with that of a slow search
 * which has its own copy of the rules; joins transactions that are known; reads damaged rules.
 *
 *   pairs [-n STREAMS] [-s SEED]
 *
 * NFACC_PAIRS_STREAMS and NFACC_SEED set the same.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contract/proto/proto.h"
#include "grammar/describe/builtin.h"
#include "grammar/describe/proto_text.h"
#include "include/nfart.h"
#include "support/diag.h"
#include "support/order.h"
#include "support/vec.h"
#include "testsuite/property/many_pairs.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { BATCHES = 400, TRANSACTIONS = 3000, LINES = 4, IDS = 4, DAMAGES = 2000 };

static uint64_t pairs_below(struct gen_random *r, size_t n)
{
	return gen_random_below(r, (uint32_t)n);
}

/* What a stream of pairs is collected in. */
struct found {
	VEC(struct nfart_pair) pairs;
	VEC(struct nfart_pair) requests; /* in the order in which they came; OPEN: not ended yet */
};

/* Takes in a request. Its mark is its index plus 1. */
static uint32_t collect_request(void *ctx, const struct nfart_pair *pair)
{
	struct found *f = ctx;

	vec_push(&f->requests, *pair);
	return (uint32_t)f->requests.n;
}

/* Takes in a pair. False: its mark is not that of its request, or the request was ended before. */
static bool pairs_collect(void *ctx, const struct nfart_pair *pair)
{
	struct found *f = ctx;
	struct nfart_pair *asked;

	if (f->requests.n != 0 && pair->outcome != NFART_PAIR_UNASKED) {
		if (pair->mark == 0 || pair->mark > f->requests.n)
			return false;
		asked = &f->requests.at[pair->mark - 1];
		if (asked->outcome != NFART_PAIR_OPEN || asked->rule != pair->rule ||
		    asked->time != pair->time || asked->slot != pair->slot ||
		    asked->header != pair->header)
			return false;
		asked->outcome = NFART_PAIR_ANSWERED;
	}
	return vec_push(&f->pairs, *pair);
}

static bool is_same(const struct nfart_pair *a, const struct nfart_pair *b)
{
	return a->rule == b->rule && a->outcome == b->outcome && a->time == b->time &&
	       a->header == b->header && a->slot == b->slot && a->answer_slot == b->answer_slot &&
	       a->answer_time == b->answer_time && a->answer_header == b->answer_header;
}

/* ---- random streams ---- */

static const char description[] =
	"protocol odd; header 40; opcode 36..39; idle 15; address 8..10 line 64;\n"
	"groups a, b; channels 0..1;\n"
	"types REQ { READ 0 address; WRITE 1 address; }\n"
	"types ANS { DATA 2 address; OK 3 address; NAK 4; }\n"
	"types ASK { PING 5; PONG 6; }\n"
	"field id 0..1 of REQ_READ, ANS_DATA, ANS_NAK, ASK;\n"
	"field id 4..5 of REQ_WRITE, ANS_OK;\n"
	"field n 0..0 of REQ;\n"
	"field n 1..3 of ANS;\n"
	"pair read: REQ_READ -> ANS_DATA by line, id;\n"
	"pair each: REQ -> ANS_DATA, ANS_OK by line;\n"
	"pair chain: ANS_D*, ANS_N* -> ASK_PONG by id;\n"
	"pair wide: REQ_WRITE->ANS_NAK by n;\n"
	"pair both: REQ_W* -> ANS_O* by n, line, id;\n"
	"pair lines: REQ -> ANS_DATA, ANS_OK by line in order;\n"
	"pair whole: REQ_READ, ANS_OK -> ANS_DATA, ASK_PONG in order;\n"
	"pair ids: ANS_D*, ANS_N* -> ASK by id in order;\n"
	"pair apart: REQ_READ -> ANS_DATA by id, line in order;\n"
	"pair again: REQ_READ, ANS_OK -> ANS_DATA, ASK_PONG in order;\n";

/* The same rules, for the slow search. Names stand between blanks. */
static const struct {
	const char *requests, *answers, *keys[4];
	bool in_order;
} rules[] = { { " REQ_READ ", " ANS_DATA ", { "line", "id" }, false },
	      { " REQ_READ REQ_WRITE ", " ANS_DATA ANS_OK ", { "line" }, false },
	      { " ANS_DATA ANS_NAK ", " ASK_PONG ", { "id" }, false },
	      { " REQ_WRITE ", " ANS_NAK ", { "n" }, false },
	      { " REQ_WRITE ", " ANS_OK ", { "n", "line", "id" }, false },
	      { " REQ_READ REQ_WRITE ", " ANS_DATA ANS_OK ", { "line" }, true },
	      { " REQ_READ ANS_OK ", " ANS_DATA ASK_PONG ", { NULL }, true },
	      { " ANS_DATA ANS_NAK ", " ASK_PING ASK_PONG ", { "id" }, true },
	      { " REQ_READ ", " ANS_DATA ", { "id", "line" }, true },
	      { " REQ_READ ANS_OK ", " ANS_DATA ASK_PONG ", { NULL }, true } };
enum { RULES = sizeof rules / sizeof rules[0] };

static bool is_among(const struct nfart_proto *p, const char *names, uint32_t code)
{
	char name[64];

	if (p->codes.type_of[code] == 0)
		return false;
	snprintf(name, sizeof name, " %s ", p->names.types[p->codes.type_of[code] - 1]);
	return strstr(names, name) != NULL;
}

static uint64_t value_of(const struct nfart_proto *p, const char *key, uint32_t code,
			 uint64_t header)
{
	int field = proto_find_field(p, key, strlen(key));
	const struct proto_place *x;

	if (field < 0)
		return proto_line(p, header);
	x = proto_field_place(p, (uint32_t)field, code);
	return header >> x->lsb & (((uint64_t)1 << x->bits) - 1);
}

/* A request that is open. */
struct waiting {
	struct nfart_pair pair;
	uint32_t code;
};

struct slow {
	const struct nfart_proto *p;
	VEC(struct waiting) open; /* in the order of time, slot and rule */
	struct found found;
};

static bool same_keys(const struct slow *s, const struct waiting *w, uint32_t code,
		      uint64_t header)
{
	const char *const *keys = rules[w->pair.rule].keys;

	for (int k = 0; k < 4 && keys[k] != NULL; k++)
		if (value_of(s->p, keys[k], w->code, w->pair.header) !=
		    value_of(s->p, keys[k], code, header))
			return false;
	return true;
}

/* Returns the oldest open request of the rule with the keys of a message; s->open.n if there is
 * none. */
static size_t slow_find(const struct slow *s, uint32_t rule, uint32_t code, uint64_t header)
{
	size_t i = 0;

	while (i < s->open.n && (s->open.at[i].pair.rule != rule ||
				 !same_keys(s, &s->open.at[i], code, header)))
		i++;
	return i;
}

/* Ends an open request: it is found with this outcome. */
static void slow_close(struct slow *s, size_t i, struct nfart_pair pair)
{
	const struct nfart_pair *w = &s->open.at[i].pair;

	pair.rule = w->rule;
	pair.time = w->time;
	pair.slot = w->slot;
	pair.header = w->header;
	vec_push(&s->found.pairs, pair);
	s->open.n--;
	memmove(&s->open.at[i], &s->open.at[i + 1], (s->open.n - i) * sizeof s->open.at[0]);
}

static void slow_message(struct slow *s, const struct nfart_batch *b, uint32_t slot, bool requests)
{
	uint64_t header = b->header[slot];
	uint32_t code = proto_code(s->p, slot, header);

	for (uint32_t r = 0; r < RULES; r++) {
		struct nfart_pair pair = { .rule = r };
		size_t i;
		if (!is_among(s->p, requests ? rules[r].requests : rules[r].answers, code))
			continue;
		i = slow_find(s, r, code, header);
		if (requests && i < s->open.n && !rules[r].in_order)
			slow_close(s, i, (struct nfart_pair){ .outcome = NFART_PAIR_REPLACED });
		if (requests) {
			pair.time = b->time;
			pair.slot = slot;
			pair.header = header;
			vec_push(&s->open, ((struct waiting){ pair, code }));
			continue;
		}
		pair.answer_time = b->time;
		pair.answer_slot = slot;
		pair.answer_header = header;
		if (i < s->open.n) {
			slow_close(s, i, pair);
			continue;
		}
		pair.outcome = NFART_PAIR_UNASKED;
		vec_push(&s->found.pairs, pair);
	}
}

static void slow_put(struct slow *s, const struct nfart_batch *b)
{
	for (int requests = 0; requests < 2; requests++)
		for (uint32_t slot = 0; slot < s->p->nslots; slot++)
			if ((b->mask >> slot & 1) != 0)
				slow_message(s, b, slot, requests != 0);
}

static void slow_give_up(struct slow *s, enum nfart_pair_outcome outcome)
{
	while (s->open.n != 0)
		slow_close(s, 0, (struct nfart_pair){ .outcome = outcome });
}

static void draw_batch(struct gen_random *r, const struct nfart_proto *p, struct nfart_batch *b)
{
	b->time += 1 + pairs_below(r, 3);
	b->mask = b->when = 0;
	b->lost = NFART_LOST_UNKNOWN;
	if (pairs_below(r, 60) == 0)
		return;
	if (pairs_below(r, 30) == 0)
		b->when = NFART_TICK;
	for (uint32_t s = 0; s < p->nslots; s++) {
		if (pairs_below(r, 3) == 0)
			continue;
		b->mask |= (uint64_t)1 << s;
		b->header[s] = pairs_below(r, 8) << 36 | (gen_random(r) & 0x73f);
	}
}

/* Runs one random stream. Adds how many pairs were answered to *answered. */
static bool random_stream(const struct nfart_proto *p, uint64_t seed, uint64_t *answered)
{
	struct gen_random r = { .state = seed };
	struct found f = { 0 };
	struct slow s = { .p = p };
	struct nfart_error e;
	struct nfart_pairs *q = nfart_pairs_new(p, pairs_collect, &f, &e);
	struct nfart_batch b = { .time = 0 };
	bool ok = q != NULL;

	if (ok)
		nfart_pairs_on_request(q, collect_request);
	for (int i = 0; i < BATCHES && ok; i++) {
		draw_batch(&r, p, &b);
		ok = nfart_pairs_put(q, &b);
		if (b.mask == 0 && b.when == 0)
			slow_give_up(&s, NFART_PAIR_LOST);
		else
			slow_put(&s, &b);
		for (uint32_t k = 0; k < RULES && ok; k++) {
			uint64_t n = 0;
			for (size_t x = 0; x < s.open.n; x++)
				n += s.open.at[x].pair.rule == k;
			ok = nfart_pairs_in_flight(q, k) == n;
		}
	}
	slow_give_up(&s, NFART_PAIR_OPEN);
	ok = ok && nfart_pairs_end(q) && f.pairs.n == s.found.pairs.n;
	for (size_t i = 0; i < f.pairs.n && ok; i++) {
		ok = is_same(&f.pairs.at[i], &s.found.pairs.at[i]);
		*answered += f.pairs.at[i].outcome == NFART_PAIR_ANSWERED;
	}
	for (size_t i = 0; i < f.requests.n && ok; i++)
		ok = f.requests.at[i].outcome == NFART_PAIR_ANSWERED;
	if (!ok)
		printf("# seed %" PRIu64 "\n", seed);
	nfart_pairs_free(q);
	vec_free(&f.pairs);
	vec_free(&f.requests);
	vec_free(&s.open);
	vec_free(&s.found.pairs);
	return ok;
}

/* ---- too many requests wait ---- */

/* Takes in a pair of rule 0, whose requests have ids that rise from 0: they must end in this order.
 * The context counts those that were lost, and those that were answered. */
static bool ends_in_order(void *ctx, const struct nfart_pair *pair)
{
	uint64_t *ended = ctx, id = pair->header & 0xffffffff;
	bool lost = pair->outcome == NFART_PAIR_LOST;

	if (id != ended[0] + ended[1] || (!lost && pair->outcome != NFART_PAIR_ANSWERED))
		return false;
	ended[lost ? 0 : 1]++;
	return true;
}

/* Of the requests that wait in the queues of two rules, those that came first are given up when
 * more than 2^20 wait. What waits behind them is answered. */
static bool too_many_wait(uint32_t extra)
{
	static const char many[] = "protocol many; header 40; opcode 36..39; groups a;\n"
				   "types T { ASK 0; ANSWER 1; OTHER 2; NEVER 3; }\n"
				   "field key 0..7;\n"
				   "pair one: T_ASK -> T_ANSWER by key in order;\n"
				   "pair two: T_OTHER -> T_NEVER in order;\n";
	enum { LIMIT = 1 << 20, OTHERS = 10 };
	struct nfart_batch b = { .mask = 1 };
	struct nfart_pairs *q = NULL;
	struct nfart_proto *p = NULL;
	struct nfart_error e;
	struct diags d = { 0 };
	uint64_t ended[2] = { 0 };
	bool ok = proto_parse(&d, NULL, 0, "many.proto", many, sizeof many - 1, &p) == NFART_OK &&
		  (q = nfart_pairs_new(p, ends_in_order, ended, &e)) != NULL;

	for (uint32_t i = 0; ok && i < LIMIT - OTHERS + extra; i++) {
		b.time = i;
		b.header[0] = i;
		ok = nfart_pairs_put(q, &b);
		b.header[0] = (uint64_t)2 << 36;
		if (i >= extra && i < extra + OTHERS)
			ok = ok && nfart_pairs_put(q, &b);
	}
	ok = ok && ended[0] == extra && nfart_pairs_in_flight(q, 0) == LIMIT - OTHERS &&
	     nfart_pairs_in_flight(q, 1) == OTHERS;
	for (uint32_t i = extra; ok && i < LIMIT - OTHERS + extra; i++) {
		b.time++;
		b.header[0] = (uint64_t)1 << 36 | (i & 0xff);
		ok = nfart_pairs_put(q, &b);
	}
	ok = ok && ended[1] == LIMIT - OTHERS && nfart_pairs_in_flight(q, 0) == 0 &&
	     nfart_pairs_in_flight(q, 1) == OTHERS;
	nfart_pairs_free(q);
	proto_free(p);
	diag_free(&d);
	return ok;
}

/* ---- transactions that are known ---- */

/* The transaction of one line and id, in the protocol eci: a request of the CPU and its answer, or
 * one of the FPGA (a snoop) and its answer. */
struct transaction {
	bool pending, lost; /* pending: its id is in use; lost: its answer never comes */
	uint64_t time, due;
	size_t at;          /* index of the transaction in the expected pairs */
};

static uint64_t eci_header(uint64_t opcode, uint64_t id, uint64_t line)
{
	return opcode << 59 | id << 50 | line << 7;
}

/* Ends the known transactions that are still open: what happened to them is `outcome`. */
static void expect_open(struct found *want, enum nfart_pair_outcome from,
			enum nfart_pair_outcome outcome)
{
	for (size_t i = 0; i < want->pairs.n; i++)
		if (want->pairs.at[i].outcome == from)
			want->pairs.at[i].outcome = outcome;
}

static int by_request(const void *x, const void *y)
{
	const struct nfart_pair *a = x, *b = y;

	return order_2(a->time, b->time, a->slot, b->slot);
}

/* One cycle of one kind of transaction: perhaps an answer, of those that are due any, and perhaps a
 * request. */
static void pairs_cycle(struct gen_random *r, struct transaction t[LINES][IDS], uint32_t rule,
			struct nfart_batch *b, struct found *want)
{
	static const uint64_t request_op[] = { 5, 14 }, answer_op[] = { 10, 4 };
	static const uint32_t request_slot[] = { 6, 14 + 8 }, answer_slot[] = { 14 + 4, 10 };
	uint64_t line = pairs_below(r, LINES), id = pairs_below(r, IDS);
	struct transaction *x = &t[line][id];
	uint64_t header = eci_header(answer_op[rule], id, line);

	if (x->pending && x->due <= b->time) {
		x->pending = false;
		if (!x->lost) {
			struct nfart_pair *pair = &want->pairs.at[x->at];
			pair->outcome = NFART_PAIR_ANSWERED;
			pair->answer_time = b->time;
			pair->answer_slot = answer_slot[rule];
			pair->answer_header = header;
			b->mask |= (uint64_t)1 << answer_slot[rule];
			b->header[answer_slot[rule]] = header;
		}
	}
	x = &t[pairs_below(r, LINES)][pairs_below(r, IDS)];
	if (x->pending || pairs_below(r, 2) == 0)
		return;
	line = (uint64_t)(x - &t[0][0]) / IDS;
	id = (uint64_t)(x - &t[0][0]) % IDS;
	if (x->lost && want->pairs.at[x->at].outcome == NFART_PAIR_OPEN)
		want->pairs.at[x->at].outcome = NFART_PAIR_REPLACED;
	*x = (struct transaction){ true, pairs_below(r, 10) == 0, b->time,
				   b->time + 1 + pairs_below(r, 200), want->pairs.n };
	header = eci_header(request_op[rule], id, line);
	b->mask |= (uint64_t)1 << request_slot[rule];
	b->header[request_slot[rule]] = header;
	vec_push(&want->pairs,
		 ((struct nfart_pair){ .rule = rule, .outcome = NFART_PAIR_OPEN, .time = b->time,
				       .slot = request_slot[rule], .header = header }));
}

/* Runs transactions with answers out of order, ids that are used again, answers that never come
 * and, with `losses`, loss records. Every request must have the outcome that is known. */
static bool transactions(const struct nfart_proto *p, uint64_t seed, bool losses)
{
	struct gen_random r = { .state = seed };
	struct transaction t[2][LINES][IDS] = { 0 };
	struct found f = { 0 }, want = { 0 };
	struct nfart_error e;
	struct nfart_pairs *q = nfart_pairs_new(p, pairs_collect, &f, &e);
	struct nfart_batch b = { .time = 0 };
	bool ok = q != NULL;

	while (ok && want.pairs.n < TRANSACTIONS) {
		b.time++;
		b.mask = 0;
		if (losses && pairs_below(&r, 500) == 0) {
			expect_open(&want, NFART_PAIR_OPEN, NFART_PAIR_LOST);
			memset(t, 0, sizeof t);
			ok = nfart_pairs_put(q, &b);
			continue;
		}
		for (uint32_t rule = 0; rule < 2; rule++)
			pairs_cycle(&r, t[rule], rule, &b, &want);
		if (b.mask != 0)
			ok = nfart_pairs_put(q, &b);
	}
	ok = ok && nfart_pairs_end(q) && f.pairs.n == want.pairs.n;
	if (ok)
		qsort(f.pairs.at, f.pairs.n, sizeof *f.pairs.at, by_request);
	if (ok)
		qsort(want.pairs.at, want.pairs.n, sizeof *want.pairs.at, by_request);
	for (size_t i = 0; ok && i < f.pairs.n; i++)
		ok = is_same(&f.pairs.at[i], &want.pairs.at[i]);
	nfart_pairs_free(q);
	vec_free(&f.pairs);
	vec_free(&want.pairs);
	return ok;
}

/* ---- rules and fields in images ---- */

/* How rules, or fields, are written into an image and read from it. */
struct part {
	void (*write)(const struct nfart_proto *p, struct buf *b);
	enum nfart_status (*read)(struct nfart_proto *p, const unsigned char *at, size_t n);
};

/* Rules, or fields, are read back as they were written. Damaged ones are refused, or are others
 * that are written as they were read. */
static bool read_damaged(const struct nfart_proto *p, const struct part *part, uint64_t seed,
			 uint64_t *refused)
{
	struct gen_random r = { .state = seed };
	struct buf form = { 0 }, again = { 0 };
	bool ok = true;

	part->write(p, &form);
	for (int i = 0; i < DAMAGES && ok && !form.failed; i++) {
		struct nfart_proto copy = *p;
		struct buf bad = { 0 };
		enum nfart_status status;
		copy.arena = (struct arena){ 0 };
		copy.names.npairs = copy.names.nfields = 0;
		buf_add(&bad, form.at, form.n);
		if (i > 0)
			bad.at[pairs_below(&r, bad.n)] ^= (char)(1 << pairs_below(&r, 8));
		if (i % 4 == 3)
			bad.n = pairs_below(&r, bad.n);
		status = part->read(&copy, (const unsigned char *)bad.at, bad.n);
		again.n = 0;
		if (status == NFART_OK)
			part->write(&copy, &again);
		ok = status == NFART_OK ? again.n == bad.n && memcmp(again.at, bad.at, bad.n) == 0
					: status == NFART_INPUT && i > 0;
		*refused += status == NFART_INPUT;
		arena_free(&copy.arena);
		buf_free(&bad);
	}
	buf_free(&form);
	buf_free(&again);
	return ok;
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_PAIRS_STREAMS", 200), seed = setting("NFACC_SEED", 1);
	static const struct part pairs = { proto_write_pairs, proto_read_pairs },
				 fields = { proto_write_fields, proto_read_fields };
	uint64_t answered = 0, refused = 0;
	struct nfart_proto *eci = proto_builtin("eci"), *odd = NULL;
	struct diags d = { 0 };
	struct tap tap = { 0 };
	bool ok = true;

	if (!setting_arguments(argc, argv, &n, &seed, NULL))
		return NFART_USAGE;
	if (eci == NULL || proto_parse(&d, NULL, 0, "odd.proto", description,
				       sizeof description - 1, &odd) != NFART_OK)
		return 99;
	tap_case(&tap, odd->names.npairs == RULES && eci->names.npairs == 2, "the rules are read");
	for (uint64_t i = 0; i < n && ok; i++)
		ok = random_stream(odd, seed + i, &answered);
	tap_case(&tap, ok && answered > 0, "random streams have the pairs of a slow search");
	for (uint64_t i = 0; i < 20; i++)
		ok = ok && transactions(eci, seed + i, i % 2 != 0);
	tap_case(&tap, ok, "known transactions have the outcomes that they should");
	ok = true;
	for (uint64_t i = 0; i < 3; i++)
		ok = ok && many_pairs(eci, NFART_FORMAT_COMPACT, seed + i) &&
		     many_pairs(eci, NFART_FORMAT_DENSE, seed + i) &&
		     many_pairs(eci, NFART_FORMAT_RECORDS, seed + i);
	tap_case(&tap, ok, "whole traces have the pairs that they should, in each way to ask");
	tap_case(&tap, too_many_wait(0) && too_many_wait(300),
		 "requests are given up when more than 2^20 wait");
	ok = read_damaged(odd, &pairs, seed, &refused) && read_damaged(eci, &pairs, seed, &refused);
	tap_case(&tap, ok && refused > 0, "damaged rules are refused or read as they stand");
	printf("# %" PRIu64 " streams from seed %" PRIu64 ", %" PRIu64 " answered; %" PRIu64
	       " damaged rules refused\n", n, seed, answered, refused);
	refused = 0;
	ok = read_damaged(odd, &fields, seed, &refused) &&
	     read_damaged(eci, &fields, seed, &refused);
	tap_case(&tap, ok && refused > 0, "damaged fields are refused or read as they stand");
	diag_free(&d);
	proto_free(eci);
	proto_free(odd);
	return tap_end(&tap);
}
