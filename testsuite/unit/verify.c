/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests the proof of images, which the pipeline runs. A wrong image must be refused with the right
 * report, and right images must be proved at every level. (testsuite/property/faults.c injects many
 * more faults.)
 */
#include <string.h>

#include "backends/image/inspect.h"
#include "compiler/proof/counterexample.h"
#include "compiler/proof/reference.h"
#include "grammar/ast_match.h"
#include "grammar/describe/builtin.h"
#include "include/nfart.h"
#include "ir/decide/decide.h"
#include "testsuite/unit/unit.h"

static const char text[] =
	"window 4; limit 9; log = true* R13; filter f = true* R12 None(RA2)* R12;"
	"filter g = true* V21;";

/* Two faults to inject after a pass. lose_log() removes every log mark; confuse_labels() exchanges
 * labels. */
static void lose_log(void *ctx, const char *pass, const struct nfa *a)
{
	struct nfa *n = (struct nfa *)a;

	(void)ctx;
	(void)pass;
	for (size_t i = 0; i < n->states.n; i++)
		n->states.at[i].log = false;
}

static void confuse_labels(void *ctx, const char *pass, const struct nfa *a)
{
	struct nfa *n = (struct nfa *)a;

	if (strcmp(pass, ctx) != 0)
		return;
	for (size_t i = 0; i < n->states.n; i++)
		if (n->states.at[i].labels != 0)
			n->states.at[i].labels = n->states.at[i].labels % 2 + 1;
}

static enum nfart_status verify_run(struct pipeline *p, struct pipeline_options *o)
{
	struct pipeline_file f = { "f.re", text, sizeof text - 1, false };

	o->overlay.o.none = true;
	return pipeline_run(p, o, &f, 1);
}

/* Reads a counterexample as batch text and returns the number of its batches. The test fails if it
 * can't be read. */
static size_t count_batches(const struct pipeline *p)
{
	const char *begin = p->verify.text.at, *lines = memchr(begin, '\n', p->verify.text.n);
	struct nfart_reader_options o = { .format = NFART_FORMAT_TEXT };
	struct nfart_error e;
	struct nfart_reader *r;
	struct nfart_batch b;
	size_t n = 0;
	int got;

	if (lines == NULL)
		return 0;
	lines++;
	r = nfart_reader_memory(lines, p->verify.text.n - (size_t)(lines - begin), "witness",
				p->spec.proto, &o, &e);
	ck_assert(r != NULL);
	while ((got = nfart_reader_next(r, &b, &e)) == 1)
		n++;
	ck_assert_msg(got == 0, "%s", e.what);
	nfart_reader_free(r);
	return n;
}

static const struct diag *last(const struct pipeline *p)
{
	ck_assert_uint_gt(p->diags.records.n, 0);
	return &p->diags.records.at[p->diags.records.n - 1];
}

START_TEST(refuted)
{
	struct pipeline_options o;
	struct pipeline p;

	pipeline_options_init(&o);
	o.passes.dump = lose_log;
	ck_assert_int_eq(verify_run(&p, &o), NFART_INTERNAL);
	ck_assert_int_eq(p.verify.verdict, VERIFY_REFUTED);
	ck_assert_str_eq(last(&p)->code, "internal");
	ck_assert(strstr(last(&p)->message, "the source has the log mark") != NULL);
	ck_assert_uint_eq(count_batches(&p), 1);
	pipeline_free(&p);

	o.passes.dump = confuse_labels;
	o.passes.ctx = (void *)"homogenise";
	ck_assert_int_eq(verify_run(&p, &o), NFART_INTERNAL);
	ck_assert(strstr(last(&p)->message, "has label 'f'") != NULL);
	ck_assert_uint_eq(count_batches(&p), 1);
	pipeline_free(&p);

	o.proof.level = VERIFY_OFF;
	ck_assert_int_eq(verify_run(&p, &o), NFART_OK);
	ck_assert_int_eq(p.verify.verdict, VERIFY_NOTHING);
	pipeline_free(&p);
}
END_TEST

/* The proof compares registers and names one by one with what the tree says. */
START_TEST(registers)
{
	static const char *const words[] = { "window", "limit", "label 0", "label 1" };
	static const enum ast_stmt_kind kinds[] = { AST_WINDOW, AST_LIMIT, AST_FILTER, AST_FILTER };
	struct pipeline_options o;
	struct pipeline p;
	struct ast *a = &p.front.ast;
	uint32_t filters = 0;

	pipeline_options_init(&o);
	ck_assert_int_eq(verify_run(&p, &o), NFART_OK);
	ck_assert_int_eq(p.verify.verdict, VERIFY_PROVED);
	for (size_t k = 0; k < a->stmts.n; k++) {
		struct verify_input in = { .job = &p.job, .ast = a, .tap = a->proto };
		struct ast_stmt kept = a->stmts.at[k];
		struct verify_report r = { 0 };
		int which = -1;
		for (int i = 0; i < 3; i++)
			if (kept.kind == kinds[i])
				which = i == 2 ? 2 + (int)filters++ : i;
		if (which < 0)
			continue;
		a->stmts.at[k].number.value++;
		if (which >= 2)
			a->stmts.at[k].name.sym = ast_intern(a, "other", 5);
		ck_assert(verify_image(&in, VERIFY_BOUNDED, &r));
		ck_assert_int_eq(r.verdict, VERIFY_REFUTED);
		ck_assert_msg(strstr(r.text.at, words[which]) != NULL, "%s", r.text.at);
		a->stmts.at[k] = kept;
		verify_report_free(&r);
	}
	ck_assert_uint_eq(filters, 2);
	pipeline_free(&p);
}
END_TEST

/* An image for another overlay is refused, whichever parameter differs. */
START_TEST(overlay)
{
	struct pipeline_file f = { "f.re", text, sizeof text - 1, false };
	struct pipeline_options o;
	struct pipeline p;

	pipeline_options_init(&o);
	ck_assert_int_eq(pipeline_run(&p, &o, &f, 1), NFART_OK);
	ck_assert_int_eq(p.verify.verdict, VERIFY_PROVED);
	for (size_t i = 0; i <= noverlay_params; i++) {
		struct overlay kept = p.job.made.overlay;
		struct verify_input in = { .job = &p.job,
					   .ast = &p.front.ast,
					   .tap = p.front.ast.proto };
		struct verify_report r = { 0 };
		if (i < noverlay_params)
			(*overlay_field(&p.job.made.overlay, &overlay_params[i]))++;
		else
			p.job.made.overlay.none = true;
		ck_assert(verify_image(&in, VERIFY_BOUNDED, &r));
		ck_assert_int_eq(r.verdict, VERIFY_REFUTED);
		ck_assert_msg(strstr(r.text.at, "another overlay") != NULL, "%s", r.text.at);
		p.job.made.overlay = kept;
		verify_report_free(&r);
	}
	pipeline_free(&p);
}
END_TEST

START_TEST(steps)
{
	struct pipeline_options o;
	struct pipeline p;

	pipeline_options_init(&o);
	o.proof.steps = 40;
	ck_assert_int_eq(verify_run(&p, &o), NFART_OK);
	ck_assert_int_eq(p.verify.verdict, VERIFY_UP_TO);
	ck_assert(p.verify.proved < p.verify.total);
	ck_assert_str_eq(last(&p)->code, "bounded");
	pipeline_free(&p);
}
END_TEST

/* Builds the automata of two filters with counters, and decides whether label 0 of both is the
 * same, in at most `most` steps. */
static struct decide_answer verify_compare(const char *x, const char *y, uint64_t most)
{
	struct decide_target t = { DECIDE_LABEL, 0 };
	struct decide_answer answer;
	struct pipeline_options o;
	struct pipeline p[2];
	struct reference r[2];
	struct alphabet letters;
	struct decider *d;

	pipeline_options_init(&o);
	o.last = STAGE_AST;
	o.overlay.o.none = true;
	for (int i = 0; i < 2; i++) {
		struct pipeline_file f = { "f.re", i == 0 ? x : y, strlen(i == 0 ? x : y), false };
		ck_assert_int_eq(pipeline_run(&p[i], &o, &f, 1), NFART_OK);
		alphabet_codes(&letters, p[i].front.ast.proto);
		ck_assert_int_eq(reference_build(&r[i], &p[i].front.ast, &letters), NFART_OK);
	}
	d = decide_new(&r[0].nfa, &r[1].nfa, NULL);
	ck_assert(d != NULL);
	answer = decide_equal(d, t, t, most);
	decide_free(d);
	for (int i = 0; i < 2; i++) {
		reference_free(&r[i]);
		pipeline_free(&p[i]);
	}
	return answer;
}

/* Builds the automaton of a filter for batches of the protocol `tap`. *edges gets the number of its
 * transitions. */
static enum nfart_status verify_build(const char *filter, const struct nfart_proto *tap,
				      size_t *edges)
{
	struct pipeline_file f = { "f.re", filter, strlen(filter), false };
	struct pipeline_options o;
	struct alphabet letters;
	struct reference r;
	struct pipeline p;
	enum nfart_status status;

	pipeline_options_init(&o);
	o.last = STAGE_AST;
	o.overlay.o.none = true;
	ck_assert_int_eq(pipeline_run(&p, &o, &f, 1), NFART_OK);
	alphabet_codes(&letters, tap != NULL ? tap : p.front.ast.proto);
	status = reference_build(&r, &p.front.ast, &letters);
	*edges = r.nfa.edges.n;
	reference_free(&r);
	pipeline_free(&p);
	return status;
}

/* A filter that names a slot which the target does not see is refused, unless it does not use that
 * predicate. */
START_TEST(untapped)
{
	static const struct {
		const char *filter;
		enum nfart_status status;
	} filters[] = {
		{ "filter f = true* cpu.MREQ_RLDD;", NFART_OK },
		{ "filter f = true* cpu.any@0;", NFART_NOFIT },
		{ "filter f = true* None(cpu.any@0, cpu.MREQ_RLDD);", NFART_NOFIT },
		{ "let l = cpu.any@0; filter f = true* cpu.MREQ_RLDD;", NFART_OK },
		{ "let l = cpu.any@0; filter f = true* !l;", NFART_NOFIT },
		{ "automaton a { state s start; state t accept(f); s -> t : cpu.MREQ_RLDD; }",
		  NFART_OK },
		{ "automaton a { state s start; state t accept(f); s -> t : cpu.any@0; }",
		  NFART_NOFIT },
	};
	struct nfart_proto *tap = proto_builtin("eci-coherence");
	size_t edges;

	ck_assert(tap != NULL);
	for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
		ck_assert_msg(verify_build(filters[i].filter, tap, &edges) == filters[i].status,
			      "%s", filters[i].filter);
	proto_free(tap);
}
END_TEST

/* Each position of a filter has few transitions, even if a copy of a repetition may be empty. */
START_TEST(linear)
{
	static const struct {
		const char *filter;
		size_t edges;
	} filters[] = {
		{ "protocol bytes; filter f = 'a'{0,1000};", 1000 },
		{ "protocol bytes; filter f = 'a'?{0,1000};", 1000 },
		{ "protocol bytes; filter f = 'a'?{900,1000};", 1000 },
		{ "protocol bytes; filter f = ('a'? | 'b'?){0,1000};", 2000 },
		{ "protocol bytes; filter f = (('a'? 'b'?){0,100}){0,10};", 10000 },
		{ "protocol bytes; filter f = ('a'?)*;", 2 },
		{ "protocol bytes; let x = 'a'? | 'b'?; filter f = x x x x x x x x x x;", 400 },
	};
	size_t edges;

	for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
		ck_assert_int_eq(verify_build(filters[i].filter, NULL, &edges), NFART_OK);
		ck_assert_msg(edges <= filters[i].edges, "%s: %zu", filters[i].filter, edges);
	}
}
END_TEST

/* No basic predicate matches an idle slot, whatever it names. */
START_TEST(idle)
{
	static const char filters[] =
		"protocol eci; filter f = cpu.any fpga.any@2 cpu.#30 cpu.\"*\" R12;";
	struct pipeline_file f = { "f.re", filters, sizeof filters - 1, false };
	struct pipeline_options o;
	const struct nfart_proto *eci;
	const struct ast *a;
	struct pipeline p;

	pipeline_options_init(&o);
	o.last = STAGE_AST;
	ck_assert_int_eq(pipeline_run(&p, &o, &f, 1), NFART_OK);
	a = &p.front.ast;
	eci = a->proto;
	ck_assert_int_eq(eci->header.idle, 31);
	ck_assert_uint_ge(a->basics.n, 5);
	for (size_t i = 0; i < a->basics.n; i++)
		for (uint32_t slot = 0; slot < eci->nslots; slot++)
			ck_assert(!ast_basic_matches(a, &a->basics.at[i], slot,
						     (uint32_t)eci->header.idle));
	pipeline_free(&p);
}
END_TEST

/* A pattern matches whole names. */
START_TEST(whole_names)
{
	static const char filters[] = "protocol eci; filter f = cpu.\"I*\";";
	struct pipeline_file f = { "f.re", filters, sizeof filters - 1, false };
	struct pipeline_options o;
	const struct nfart_proto *eci;
	size_t begin = 0, inside = 0;
	struct pipeline p;

	pipeline_options_init(&o);
	o.last = STAGE_AST;
	ck_assert_int_eq(pipeline_run(&p, &o, &f, 1), NFART_OK);
	eci = p.front.ast.proto;
	for (uint32_t code = 0; code < eci->codes.n; code++) {
		uint32_t slot = code >> eci->header.op_bits, type = eci->codes.type_of[code];
		if (type == 0 || strcmp(eci->names.groups[eci->slots[slot].group], "cpu") != 0)
			continue;
		begin += eci->names.types[type - 1][0] == 'I';
		inside += eci->names.types[type - 1][0] != 'I' &&
			  strchr(eci->names.types[type - 1], 'I') != NULL;
		ck_assert_int_eq(ast_basic_matches(&p.front.ast, &p.front.ast.basics.at[0], slot,
						   code & ((1u << eci->header.op_bits) - 1)),
				 eci->names.types[type - 1][0] == 'I');
	}
	ck_assert(begin > 0 && inside > 0);
	pipeline_free(&p);
}
END_TEST

START_TEST(counters)
{
	static const char large[] =
		"protocol bytes; counter c = true* 'a' at 4000000000; filter f = @c true* 'b';";
	static const char same[] =
		"protocol bytes; counter c = (true* 'x' | true*) 'a' at 4000000000;"
		"filter f = @c (!'b'+ | 'b')* 'b';";
	static const char other[] =
		"protocol bytes; counter c = true* 'a' at 4000000001; filter f = @c true* 'b';";
	static const char three[] =
		"protocol bytes; counter c = true* 'a' at 3; filter f = @c true* 'b';";
	static const char unrolled[] = "protocol bytes; filter f = (!'a'* 'a'){3} true* 'b';";
	static const char two[] = "protocol bytes; filter f = (!'a'* 'a'){2} true* 'b';";
	struct decide_answer a;

	ck_assert_int_eq(verify_compare(large, same, 100000).verdict, DECIDE_YES);
	a = verify_compare(large, other, 100000);
	ck_assert_int_eq(a.verdict, DECIDE_BOUNDED);
	ck_assert_uint_gt(a.depth, 100);
	ck_assert_int_eq(verify_compare(three, unrolled, 100000).verdict, DECIDE_YES);
	a = verify_compare(three, two, 100000);
	ck_assert_int_eq(a.verdict, DECIDE_NO);
	ck_assert(!a.left);
	ck_assert_uint_eq(a.witness.n, 3);
}
END_TEST

/* Two filters with cycles whose lengths have no common factor are proved equal within the steps of
 * a compilation. If one cycle is longer or shorter by one, the difference is found. */
START_TEST(cycles)
{
	static const unsigned length[] = { 7, 11, 13, 17, 19, 23 };
	enum { N = sizeof length / sizeof length[0] };

	for (unsigned changed = 0; changed <= 2 * N; changed++) {
		struct buf x = { 0 }, y = { 0 };
		struct decide_answer a;
		buf_addf(&x, "protocol bytes; filter f = (");
		buf_addf(&y, "protocol bytes; filter f = (");
		for (unsigned i = 0; i < N; i++) {
			unsigned k = N - 1 - i, other = length[k] + (changed == 2 * k + 1) -
							(changed == 2 * k + 2);
			buf_addf(&x, "%s(true{%u})+ '%c'", i == 0 ? "" : " | ", length[i], 'a' + i);
			buf_addf(&y, "%strue{%u} (true{%u})* '%c'", i == 0 ? "" : " | ", other,
				 other, 'a' + k);
		}
		buf_addf(&x, ") true*;");
		buf_addf(&y, ") true*;");
		ck_assert(!x.failed && !y.failed);
		a = verify_compare(x.at, y.at, 5000000);
		ck_assert_int_eq(a.verdict, changed == 0 ? DECIDE_YES : DECIDE_NO);
		buf_free(&x);
		buf_free(&y);
	}
}
END_TEST

Suite *suite_verify(void)
{
	const TTest *const tests[] = { refuted, registers, overlay, steps,
					 untapped, linear, idle, whole_names, counters, cycles,
					 NULL };

	return unit_suite("verify", tests);
}
