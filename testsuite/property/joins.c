/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * joins: random filters and streams of a protocol with joins. The engine and all ways through a
 * filter are compared with the reference matcher, which looks for each answer's request from the
 * answer backwards; and the counts of joined, late and wrong answers with a search of the same kind.
 *
 *   joins [-n PAIRS] [-s SEED]
 *
 * NFACC_PAIRS and NFACC_SEED set the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "grammar/describe/proto_text.h"
#include "runtime/engine/engine.h"
#include "testsuite/oracle/oracle.h"
#include "testsuite/property/fast.h"
#include "testsuite/property/gen.h"
#include "testsuite/setting.h"

enum { MOST_BATCHES = 60 };

/* Two joins with numbers of different places, of which the second has requests of one group only,
 * and a broadcast type. */
static const char text_of_protocol[] =
	"protocol joined; header 48; opcode 45..47; idle 7; address 9..38 line 4;\n"
	"groups a, b; channels 0..1;\n"
	"types T { R 0 address; S 1 address; D 2 address; K 3; L 4; B 5 broadcast; }\n"
	"field id 0..1 of T_R, T_S, T_D, T_K;\n"
	"field tag 2 of T_S; field tag 4 of T_L;\n"
	"field own 6..7 of T_R, T_D, T_L;\n"
	"join ids: T_R, T_S -> T_K by id;\n"
	"join tags: T_L from b by tag;\n";

struct counts {
	uint64_t pairs, joined, late, wrong, differ, bad;
};

/* ---- the counts ---- */

/* Has a message of batch b, with this code in `set`, the number? */
static bool has_number(const struct nfart_proto *p, const struct nfart_batch *b,
		       const uint64_t *set, uint32_t lsb, uint32_t bits, uint64_t number)
{
	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		if (bits_get(set, proto_code(p, s, b->header[s])) &&
		    (b->header[s] >> lsb & ((1u << bits) - 1)) == number)
			return true;
	}
	return false;
}

/* Adds the answer in slot s of batch i to the counts. */
static void count_answer(const struct nfart_proto *p, const struct nfart_batch *b, size_t begin,
			 size_t i, uint32_t s, struct nfart_joins *n)
{
	uint32_t code = proto_code(p, s, b[i].header[s]);
	bool closed = false;

	for (uint32_t k = 0; k < p->joins.n; k++) {
		const struct proto_join *j = &p->joins.at[k];
		uint64_t number = b[i].header[s] >> j->answer_lsb & ((1u << j->bits) - 1);
		if (!bits_get(j->answers, code))
			continue;
		for (size_t at = i; at-- > begin;) {
			if (has_number(p, &b[at], j->requests, j->request_lsb, j->bits, number)) {
				n->late += closed;
				n->joined += !closed;
				return;
			}
			closed |= has_number(p, &b[at], j->answers, j->answer_lsb, j->bits, number);
		}
		n->wrong++;
	}
}

static struct nfart_joins count_all(const struct nfart_proto *p, const struct nfart_batch *b,
				    size_t n, bool reset)
{
	struct nfart_joins sum = { 0, 0, 0 };
	size_t begin = 0;

	for (size_t i = 0; i < n; i++) {
		if (b[i].mask == 0 && b[i].when == 0 && reset)
			begin = i;
		for (uint64_t m = b[i].mask; m != 0; m &= m - 1)
			count_answer(p, b, begin, i, (uint32_t)__builtin_ctzll(m), &sum);
	}
	return sum;
}

/* ---- one pair ---- */

static bool same_result(const struct nfart_result *r, const struct oracle_record *x, size_t words)
{
	if (memcmp(r->labels, x->labels, words * 8) != 0 || r->accepted != x->accepted ||
	    r->logged != x->logged || r->nlines != x->nlines)
		return false;
	for (size_t i = 0; i < r->nlines; i++)
		if (r->lines[i].label != x->lines[i].label ||
		    r->lines[i].address != x->lines[i].address)
			return false;
	return true;
}

/* Runs the image over the stream. Returns what is wrong, or NULL. */
static const char *engine_run(const struct nfart_image *im, const struct oracle_stream *all,
			      bool reset, const struct oracle_record *want, struct counts *t)
{
	struct nfart_engine_options o = { .lines = true, .reset_on_loss = reset };
	struct nfart_joins n = { 0, 0, 0 }, slow;
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(im, &o, &e);
	const char *wrong = en == NULL ? "no engine" : NULL;

	for (size_t i = 0; i < all->n && wrong == NULL; i++) {
		const struct nfart_batch *b = &all->at[i];
		struct nfart_result r;
		if (!nfart_engine_step(en, b, &r))
			wrong = "the engine failed";
		else if ((b->mask != 0 || b->when != 0) &&
			 !same_result(&r, &want[i], bits_words(im->labels.n)))
			wrong = "a batch differs";
	}
	slow = count_all(nfart_image_proto(im), all->at, all->n, reset || im->stream.reset_on_loss);
	if (wrong == NULL && im->substreams.by_line)
		n = en->joins.count;
	if (wrong == NULL && im->substreams.by_line &&
	    (n.joined != slow.joined || n.late != slow.late || n.wrong != slow.wrong))
		wrong = "the counts of answers differ";
	t->joined += n.joined;
	t->late += n.late;
	t->wrong += n.wrong;
	nfart_engine_free(en);
	return wrong;
}

/* Would the filter find other things without joins? */
static bool joins_matter(struct pipeline *made, const struct oracle_stream *all,
			 const struct oracle_options *o, const struct oracle_record *want)
{
	struct nfart_proto without = *made->front.ast.proto;
	const struct nfart_proto *with = made->front.ast.proto;
	struct oracle_record *other = NULL;
	bool differ = false;

	without.joins.n = 0;
	made->front.ast.proto = &without;
	if (oracle_run(&made->front.ast, all->at, all->n, o, &other) == NFART_OK)
		for (size_t i = 0; i < all->n; i++)
			differ |= other[i].accepted != want[i].accepted ||
				  other[i].nlines != want[i].nlines;
	made->front.ast.proto = with;
	oracle_free(other, all->n);
	return differ;
}

static void one_pair(uint64_t seed, const struct nfart_proto *proto, const char *dir,
		     struct counts *t)
{
	struct gen_options go = { .proto = proto, .counters = seed % 3 == 0, .guards = true,
				  .time = seed / 3 % 3 == 0, .keys = seed / 9 % 2 == 0,
				  .machines = seed / 18 % 4 == 0 };
	struct oracle_options oo = { .reset_on_loss = seed % 5 == 0 };
	struct nfart_batch stream[MOST_BATCHES];
	struct oracle_stream all = { NULL, 0, 0 };
	struct oracle_record *want = NULL;
	struct pipeline_options options;
	struct nfart_image *im = NULL;
	struct pipeline made;
	struct nfart_error e;
	struct buf text = { 0 };
	const char *wrong = NULL;
	char why[256];
	size_t n;

	gen_filter(seed, &go, &text);
	n = gen_stream(seed, &go, stream, MOST_BATCHES);
	pipeline_options_init(&options);
	options.overlay.o.none = true;
	options.dirs = &dir;
	options.ndirs = 1;
	if (pipeline_run(&made, &options,
			 &(struct pipeline_file){ "filter.re", text.at, text.n, false },
			 1) == NFART_OK)
		im = nfart_image_load(made.job.made.image.at, made.job.made.image.n, "image", &e);
	else
		diag_print(&made.diags, stderr, false);
	if (im == NULL)
		wrong = "no image";
	else if (oracle_time(&made.front.ast, stream, n, 0, &all) != NFART_OK ||
		 oracle_run(&made.front.ast, all.at, all.n, &oo, &want) != NFART_OK)
		wrong = "the reference matcher failed";
	else
		wrong = engine_run(im, &all, oo.reset_on_loss, want, t);
	if (wrong == NULL && !fast_same(im, stream, n, oo.reset_on_loss, why, sizeof why))
		wrong = why;
	t->differ += wrong == NULL && joins_matter(&made, &all, &oo, want);
	t->pairs++;
	if (wrong != NULL && t->bad++ < 5)
		printf("# seed %" PRIu64 ": %s\n%s", seed, wrong, text.at);
	oracle_free(want, all.n);
	vec_free(&all);
	nfart_image_free(im);
	pipeline_free(&made);
	buf_free(&text);
}

/* ---- the protocol ---- */

/* Writes the protocol into a new folder, where filters find it, and parses it. */
static struct nfart_proto *make_protocol(char dir[static 64], char path[static 96])
{
	struct nfart_proto *p = NULL;
	struct diags d = { 0 };
	FILE *f = NULL;

	strcpy(dir, "/tmp/joinsXXXXXX");
	if (mkdtemp(dir) == NULL)
		return NULL;
	snprintf(path, 96, "%s/joined.proto", dir);
	f = fopen(path, "w");
	if (f == NULL)
		return NULL;
	fputs(text_of_protocol, f);
	fclose(f);
	if (proto_parse(&d, NULL, 0, "joined.proto", text_of_protocol, strlen(text_of_protocol),
			&p) != NFART_OK)
		diag_print(&d, stderr, false);
	diag_free(&d);
	return p;
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_PAIRS", 800), seed = setting("NFACC_SEED", 1);
	char dir[64], path[96];
	struct nfart_proto *p = make_protocol(dir, path);
	struct counts t = { 0 };
	bool ok;

	if (!setting_arguments(argc, argv, &n, &seed, NULL) || p == NULL)
		return NFART_USAGE;
	for (uint64_t i = 0; i < n; i++)
		one_pair(seed + i, p, dir, &t);
	ok = t.bad == 0;
	printf("%s 1 - %" PRIu64 " pairs\n", ok ? "ok" : "not ok", t.pairs);
	/* Streams in which nothing is joined would show nothing. */
	ok = t.joined > n / 3 && t.late > n / 12 && t.wrong > n / 4 && t.differ > n / 20;
	printf("%s 2 - joins happen\n1..2\n", ok ? "ok" : "not ok");
	printf("# answers joined: %" PRIu64 ", late: %" PRIu64 ", wrong: %" PRIu64
	       "; joins matter in %" PRIu64 " pairs\n", t.joined, t.late, t.wrong, t.differ);
	unlink(path);
	rmdir(dir);
	proto_free(p);
	return t.bad != 0 || !ok;
}
