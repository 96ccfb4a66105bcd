/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * faults: injects one fault into each of many random compilations: into the spec that lowering
 * made, after a pass, into the placement, or as a single bit in the configuration words of the
 * image, with right CRCs. The software engine executes the image on many random streams. If it does
 * not do what the reference matcher says, the proof (compiler/proof/verify.h) must refuse the
 * image. Some faults do not change what the image does. They are counted separately.
 *
 *   faults [-n FILTERS] [-s SEED]
 *
 * NFACC_FAULTS and NFACC_SEED set the same.
 *
 * The file is long because faults of every stage are judged in the same way.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "compiler/targets.h"
#include "contract/crc.h"
#include "contract/image/image.h"
#include "grammar/describe/builtin.h"
#include "ir/build.h"
#include "testsuite/oracle/oracle.h"
#include "testsuite/property/gen.h"
#include "testsuite/setting.h"

enum { STREAMS = 60, MOST_BATCHES = 40, BITS = 60, SPECS = 24, KINDS = 8 };

/* Kinds of faults. The first KINDS are faults in automata. The others are a state in a wrong place,
 * a flipped bit of the image, and a mistake in the spec. */
enum { MISPLACED = KINDS, FLIPPED, MISREAD, ALL_KINDS };

static const char *const kind_names[ALL_KINDS] = {
	"an edge dropped", "an edge added", "a predicate changed", "labels moved", "start flipped",
	"always flipped", "log flipped", "two states swapped", "a state misplaced", "a bit flipped",
	"the spec changed"
};

struct tally {
	uint64_t caught, same, missed, refused, undecided;
};

struct test {
	uint64_t seed,        /* the seed from which the filter is made */
		state;        /* the state of the random numbers */
	struct gen_options gen;
	struct pipeline p;    /* the compiled filter, up to STAGE_SPEC or to STAGE_IMAGE */
	struct tally *tally;  /* [ALL_KINDS]: what became of the faults of each kind */
	uint64_t *by_pass;    /* [PASS_MAX]: faults that were injected after this pass and caught */
	uint32_t pass,        /* the number of the pass after which the fault is injected */
		at;           /* the number of passes that have run */
	int kind;
	bool injected;
};

static uint32_t faults_below(struct test *t, size_t n)
{
	t->state ^= t->state >> 12;
	t->state ^= t->state << 25;
	t->state ^= t->state >> 27;
	return (uint32_t)((t->state * 0x2545f4914f6cdd1du >> 32) % (n != 0 ? n : 1));
}

/* ---- does the engine do what the reference matcher says? ---- */

/* Draws a stream. Its messages are taken from `pool`, the stream that the generator made for the
 * filter. Returns the number of batches. */
static size_t draw_stream(struct test *t, const struct nfart_batch *pool, size_t npool,
			  struct nfart_batch *out)
{
	size_t n = npool == 0 ? 0 : 5 + faults_below(t, MOST_BATCHES - 5);

	for (size_t i = 0; i < n; i++) {
		memset(&out[i], 0, sizeof out[i]);
		out[i].time = i + 1;
		for (uint32_t k = 1 + faults_below(t, 3) / 2 + faults_below(t, 8) / 7; k > 0; k--) {
			const struct nfart_batch *from = &pool[faults_below(t, npool)];
			uint32_t skip = faults_below(t, (size_t)__builtin_popcountll(from->mask));
			uint64_t m = from->mask;
			for (; m != 0 && skip > 0; skip--)
				m &= m - 1;
			if (m == 0)
				continue;
			out[i].mask |= m & -m;
			out[i].header[__builtin_ctzll(m)] = from->header[__builtin_ctzll(m)];
		}
		if (out[i].mask == 0)
			out[i].lost = 1;
	}
	return n;
}

static bool differs_on(struct test *t, const struct nfart_image *im, const struct nfart_batch *pool,
		       size_t npool)
{
	struct nfart_engine_options o = { .lines = false };
	struct nfart_batch stream[MOST_BATCHES];
	size_t n = draw_stream(t, pool, npool, stream);
	struct oracle_record *want = NULL;
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(im, &o, &e);
	bool differs = false;

	if (en == NULL || oracle_run(&t->p.front.ast, stream, n, NULL, &want) != NFART_OK)
		exit(99);
	for (size_t i = 0; i < n && !differs; i++) {
		struct nfart_result r;
		if (!nfart_engine_step(en, &stream[i], &r))
			exit(99);
		differs = stream[i].mask != 0 &&
			  (memcmp(r.labels, want[i].labels, bits_words(im->labels.n) * 8) != 0 ||
			   r.logged != want[i].logged);
	}
	oracle_free(want, n);
	nfart_engine_free(en);
	return differs;
}

/* Does the image do something else than the reference matcher says? Tries many streams. Their
 * messages are those of the stream that the generator made for the filter, in random orders. */
static bool faults_differs(struct test *t, const struct nfart_image *im)
{
	struct nfart_batch pool[MOST_BATCHES];
	size_t n = gen_stream(t->seed, &t->gen, pool, MOST_BATCHES);
	bool yes = false;

	for (int i = 0; i < STREAMS && !yes; i++)
		yes = differs_on(t, im, pool, n);
	return yes;
}

/* Returns a number of steps that is enough for some proofs and not for others. */
static uint64_t few_steps(struct test *t)
{
	return (uint64_t)1000 << faults_below(t, 8);
}

/* Counts whether the fault was caught. An image that the loader refuses is caught as well, since
 * the compiler loads what it packed. An image that was refuted must not be proved with few steps
 * either. */
static void faults_judge(struct test *t, struct target_job *job, const struct buf *b, int kind)
{
	struct tally *y = &t->tally[kind];
	struct verify_report r = { 0 };
	struct nfart_error e;
	struct nfart_image *im = nfart_image_load(b->at, b->n, "image", &e);
	struct verify_input in = { .job = job,
				   .ast = &t->p.front.ast,
				   .tap = t->p.front.ast.proto };
	uint64_t few;

	job->made.loaded = im;
	if (im != NULL && !verify_image(&in, VERIFY_FULL, &r))
		exit(99);
	if (im == NULL || r.verdict == VERIFY_REFUTED) {
		y->caught++;
		y->refused += im == NULL;
		in.steps = few = few_steps(t);
		if (im != NULL && !verify_image(&in, VERIFY_BOUNDED, &r))
			exit(99);
		if (im != NULL && r.verdict == VERIFY_PROVED) {
			y->missed++;
			printf("# seed %" PRIu64 ", %s: proved with %" PRIu64 " steps\n", t->seed,
			       kind_names[kind], few);
		}
		if (kind < KINDS)
			t->by_pass[t->pass]++;
	} else if (im->labels.n != t->p.spec.labels.n || faults_differs(t, im)) {
		y->missed++;
		printf("# seed %" PRIu64 ", %s: the proof missed it\n", t->seed, kind_names[kind]);
	} else {
		y->same++;
		y->undecided += r.verdict == VERIFY_UP_TO;
	}
	nfart_image_free(im);
	verify_report_free(&r);
}

/* ---- faults in automata ---- */

static void change_predicate(struct test *t, struct nfa *a)
{
	pred_id_t p = faults_below(t, a->preds->preds.n);

	if (!a->homogeneous) {
		struct nfa_edge *e = &a->edges.at[faults_below(t, a->edges.n)];
		e->pred = e->pred == PRED_EPS ? PRED_EPS : p;
		return;
	}
	struct nfa_state *q = &a->states.at[faults_below(t, a->states.n)];
	if (q->pred == PRED_NONE)
		return;
	q->pred = faults_below(t, 2) == 0 ? p : pred_not(a->preds, q->pred);
	for (size_t i = 0; i < a->edges.n; i++)
		a->edges.at[i].pred = a->states.at[a->edges.at[i].to].pred;
}

static void add_edge(struct test *t, struct nfa *a)
{
	nfa_state_t from = faults_below(t, a->states.n), to = faults_below(t, a->states.n);
	pred_id_t p = a->homogeneous ? a->states.at[to].pred : faults_below(t, a->preds->preds.n);

	if (p != PRED_NONE && a->states.at[to].kind == NFA_STE)
		nfa_add_edge(a, from, to, p);
}

static void swap_states(struct nfa *a, nfa_state_t x, nfa_state_t y)
{
	struct nfa_state q = a->states.at[x];

	if (q.kind != NFA_STE || a->states.at[y].kind != NFA_STE)
		return;
	for (size_t i = 0; i < a->edges.n; i++)
		if (a->homogeneous && (a->edges.at[i].to == x || a->edges.at[i].to == y) &&
		    (q.pred == PRED_NONE || a->states.at[y].pred == PRED_NONE))
			return;
	a->states.at[x] = a->states.at[y];
	a->states.at[y] = q;
	for (size_t i = 0; a->homogeneous && i < a->edges.n; i++)
		a->edges.at[i].pred = a->states.at[a->edges.at[i].to].pred;
}

static void inject(struct test *t, struct nfa *a)
{
	nfa_state_t x = faults_below(t, a->states.n), y = faults_below(t, a->states.n);
	struct nfa_state *q;
	labelset_t l;

	if (a->states.n == 0 || (a->edges.n == 0 && t->kind < 3))
		return;
	q = &a->states.at[x];
	switch (t->kind) {
	case 0:
		a->edges.at[faults_below(t, a->edges.n)] = a->edges.at[a->edges.n - 1];
		a->edges.n--;
		break;
	case 1:
		add_edge(t, a);
		break;
	case 2:
		change_predicate(t, a);
		break;
	case 3:
		l = q->labels;
		q->labels = a->states.at[y].labels;
		a->states.at[y].labels = l;
		break;
	case 4:
		q->start = q->kind == NFA_STE && !q->start;
		break;
	case 5:
		q->always =
			q->kind == NFA_STE && a->homogeneous && q->pred != PRED_NONE && !q->always;
		break;
	case 6:
		q->log = !q->log;
		break;
	default:
		swap_states(a, x, y);
	}
	if (!nfa_sort_edges(a))
		exit(99);
}

/* Called after each pass. Injects the fault after the chosen pass. */
static void after_pass(void *ctx, const char *pass, const struct nfa *a)
{
	struct test *t = ctx;

	(void)pass;
	if (t->at++ != t->pass)
		return;
	inject(t, (struct nfa *)a);
	t->injected = nfa_verify(a) == NULL;
}

/* Returns the job that the compiler would have for this automaton and this placement. */
static struct target_job job_for(struct test *t, struct nfa *a, const struct overlay *o,
				 uint32_t *ste)
{
	static const struct target_setup setup = { .name = "faults" };

	return (struct target_job){ .target = target_row(o, NULL)->target,
				    .setup = &setup,
				    .spec = &t->p.spec,
				    .nfa = a,
				    .diags = &t->p.diags,
				    .made.overlay = *o,
				    .made.ste = ste };
}

static void with_pass(struct test *t, uint32_t pass, int kind)
{
	struct pass_options o = { .level = 2, .dump = after_pass, .ctx = t };
	struct overlay none = { .none = true };
	struct target_job job = job_for(t, NULL, &none, NULL);
	struct pass_report report;
	struct nfa a;

	t->pass = pass;
	t->at = 0;
	t->kind = kind;
	t->injected = false;
	if (nfa_build(&a, &t->p.spec) == NFART_OK && passes_run(&a, &o, &report) == NFART_OK &&
	    t->injected) {
		job.nfa = &a;
		if (job.target->pack(&job) == NFART_OK)
			faults_judge(t, &job, &job.made.image, kind);
	}
	buf_free(&job.made.image);
	nfa_free(&a);
}

/* ---- compiling ---- */

static bool faults_compile(struct test *t, enum pipeline_stage last, const char *overlay)
{
	struct pipeline_file f = { "filter.re", NULL, 0, false };
	struct pipeline_options o;
	struct buf b = { 0 };
	bool ok, bad;

	gen_filter(t->seed, &t->gen, &b);
	f.text = b.at;
	f.n = b.n;
	pipeline_options_init(&o);
	o.last = last;
	o.sections.names = false;
	ok = overlay_numbers(overlay, &o.overlay, &bad);
	ok = pipeline_run(&t->p, &o, &f, 1) == NFART_OK && ok;
	buf_free(&b);
	return ok;
}

/* ---- faults in the spec ---- */

static void change_node(struct test *t, struct rx *x)
{
	switch (x->kind) {
	case RX_PRED:
		x->pred = faults_below(t, 2) == 0 ? pred_not(&t->p.spec.preds, x->pred)
					   : faults_below(t, t->p.spec.preds.preds.n);
		break;
	case RX_REP:
		if (x->hi != RX_INF && faults_below(t, 2) == 0)
			x->hi++;
		else if (x->lo != 0)
			x->lo--;
		else
			x->lo += x->hi != 0;
		break;
	case RX_CAT:
		x->kind = RX_ALT;
		break;
	case RX_ALT:
		x->kind = RX_CAT;
		break;
	default:
		break;
	}
}

static void change_automaton(struct test *t, struct spec_automaton *m)
{
	struct spec_state *q = &m->states.at[faults_below(t, m->states.n)];

	if (m->edges.n != 0 && faults_below(t, 2) == 0) {
		struct spec_edge *e = &m->edges.at[faults_below(t, m->edges.n)];
		e->to = faults_below(t, m->states.n);
	} else if (faults_below(t, 2) == 0) {
		q->start = !q->start;
	} else {
		q->log = !q->log;
	}
}

/* Makes one mistake in the spec that lowering could have made. */
static void change_spec(struct test *t, struct spec *s)
{
	switch (faults_below(t, 8)) {
	case 0:
		s->log.rx = RX_NONE;
		break;
	case 1:
		if (s->filters.n != 0)
			s->filters.at[faults_below(t, s->filters.n)].rx =
				s->filters.at[faults_below(t, s->filters.n)].rx;
		break;
	case 2:
		if (s->substreams.ranges.n != 0)
			s->substreams.ranges.at[0].first++;
		else
			s->window.after++;
		break;
	case 3:
		if (s->automata.n != 0)
			change_automaton(t, &s->automata.at[faults_below(t, s->automata.n)]);
		break;
	default:
		if (s->nodes.n != 0)
			change_node(t, &s->nodes.at[faults_below(t, s->nodes.n)]);
	}
}

static void with_spec(struct test *t)
{
	struct pass_options o = { .level = 1 };
	struct overlay none = { .none = true };
	struct nfa a;
	struct target_job job = job_for(t, &a, &none, NULL);
	struct pass_report report;

	if (!faults_compile(t, STAGE_SPEC, "none"))
		return;
	change_spec(t, &t->p.spec);
	if (nfa_build(&a, &t->p.spec) == NFART_OK && passes_run(&a, &o, &report) == NFART_OK &&
	    job.target->pack(&job) == NFART_OK)
		faults_judge(t, &job, &job.made.image, MISREAD);
	buf_free(&job.made.image);
	nfa_free(&a);
}

/* ---- faults in the placement and in the image ---- */

/* Exchanges the places of two states. Transitions for which the overlay then has no wire are
 * dropped. */
static void misplace(struct test *t)
{
	const struct overlay *o = &t->p.job.made.overlay;
	struct nfa *a = &t->p.nfa;
	size_t n = a->states.n, m = 0, edges = a->edges.n;
	uint32_t x = faults_below(t, n), y = faults_below(t, n), keep = t->p.job.made.ste[x];
	struct nfa_edge *copy = malloc((edges + 1) * sizeof *copy);
	struct target_job job = job_for(t, a, o, t->p.job.made.ste);

	if (copy == NULL)
		exit(99);
	memcpy(copy, a->edges.at, edges * sizeof *copy);
	t->p.job.made.ste[x] = t->p.job.made.ste[y];
	t->p.job.made.ste[y] = keep;
	for (size_t i = 0; i < edges; i++)
		if (contract_pred_index(o, t->p.job.made.ste[copy[i].from],
					t->p.job.made.ste[copy[i].to]) >= 0)
			a->edges.at[m++] = copy[i];
	a->edges.n = m;
	if (m != edges && job.target->pack(&job) == NFART_OK)
		faults_judge(t, &job, &job.made.image, MISPLACED);
	keep = t->p.job.made.ste[x];
	t->p.job.made.ste[x] = t->p.job.made.ste[y];
	t->p.job.made.ste[y] = keep;
	memcpy(a->edges.at, copy, edges * sizeof *copy);
	a->edges.n = edges;
	free(copy);
	buf_free(&job.made.image);
}

/* Sets the CRCs of the configuration words, of their section and of the image's header. */
static void faults_repair(unsigned char *p, unsigned char *entry, const struct overlay *o)
{
	uint32_t count = get_le32(p + IMAGE_AT_NSECTIONS);
	size_t at = get_le64(entry + ENTRY_AT_OFFSET), n = get_le64(entry + ENTRY_AT_LENGTH),
	       word = overlay_data(o) == 64 ? 8 : 4;

	put_le32(p + at + n - word, crc32c(0, p + at, n - word));
	put_le32(entry + ENTRY_AT_CRC, crc32c(0, p + at, n));
	put_le32(p + IMAGE_AT_CRC, 0);
	put_le32(p + IMAGE_AT_CRC, crc32c(0, p, IMAGE_HEADER + count * (size_t)IMAGE_ENTRY));
}

static void flip_bit(struct test *t)
{
	unsigned char *p = (unsigned char *)t->p.job.made.image.at, *entry = p + IMAGE_HEADER, bit;
	struct target_job job = job_for(t, &t->p.nfa, &t->p.job.made.overlay, t->p.job.made.ste);
	size_t at, n;

	while (get_le32(entry + ENTRY_AT_ID) != SEC_device)
		entry += IMAGE_ENTRY;
	at = get_le64(entry + ENTRY_AT_OFFSET);
	n = get_le64(entry + ENTRY_AT_LENGTH);
	at += 8 + faults_below(t, n - 16);
	bit = (unsigned char)(1u << faults_below(t, 8));
	p[at] ^= bit;
	faults_repair(p, entry, &t->p.job.made.overlay);
	faults_judge(t, &job, &t->p.job.made.image, FLIPPED);
	p[at] ^= bit;
	faults_repair(p, entry, &t->p.job.made.overlay);
}

/* ---- the test of one filter ---- */

static void faults_filter(struct test *t)
{
	t->gen.positions = 24;
	t->gen.counters = t->seed % 4 == 0;
	if (faults_compile(t, STAGE_SPEC, "none"))
		for (uint32_t pass = 0; pass < PASS_MAX; pass++)
			for (int kind = 0; kind < KINDS; kind++)
				with_pass(t, pass, kind);
	pipeline_free(&t->p);
	for (int i = 0; i < SPECS; i++) {
		with_spec(t);
		pipeline_free(&t->p);
	}
	t->gen.counters = false;
	t->gen.positions = 12;
	if (faults_compile(t, STAGE_IMAGE, t->seed % 2 == 0 ? "3,4,2,1" : "none")) {
		for (int i = 0; i < 4 && t->p.job.made.ste != NULL && t->p.nfa.states.n > 1; i++)
			misplace(t);
		for (int i = 0; i < BITS; i++)
			flip_bit(t);
	}
	pipeline_free(&t->p);
}

int main(int argc, char **argv)
{
	struct seeds seeds = setting_seeds("NFACC_FAULTS", 12, 72);
	uint64_t n = seeds.n, seed = seeds.first, by_pass[PASS_MAX] = { 0 };
	struct nfart_proto *protos[] = { proto_builtin("eci-coherence"), proto_builtin("bytes") };
	struct tally tally[ALL_KINDS] = { 0 };
	unsigned test = 0, bad = 0;

	if (!setting_arguments(argc, argv, &n, &seed, NULL))
		return NFART_USAGE;
	for (uint64_t i = 0; i < n; i++) {
		struct test *t = calloc(1, sizeof *t);
		if (t == NULL)
			return 99;
		t->seed = seed + i;
		t->state = t->seed * 0x9e3779b97f4a7c15u + 1;
		t->gen.proto = protos[t->seed / 2 % 2];
		t->tally = tally;
		t->by_pass = by_pass;
		faults_filter(t);
		free(t);
	}
	for (int k = 0; k < ALL_KINDS; k++) {
		const struct tally *y = &tally[k];
		bool ok = y->missed == 0 && y->caught - y->refused >= n / 8;
		printf("%s %u - %s: %" PRIu64 " caught (%" PRIu64
		       " of them refused by the loader), %" PRIu64 " without effect (%" PRIu64
		       " of them not decided), %" PRIu64 " missed\n",
		       ok ? "ok" : "not ok", ++test, kind_names[k], y->caught, y->refused, y->same,
		       y->undecided, y->missed);
		bad += !ok;
	}
	for (int k = 0; k < PASS_MAX; k++)
		printf("# after pass %d: %" PRIu64 " caught\n", k, by_pass[k]);
	printf("1..%u\n", test);
	proto_free(protos[0]);
	proto_free(protos[1]);
	return bad != 0;
}
