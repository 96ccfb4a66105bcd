/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes memory allocations fail, one by one. Each failure must end in NFART_SYSTEM, or leave the
 * output as it is without the failure. If the test is built with ASan, it finds leaks, too.
 *
 * The linker's --wrap sends our allocations through the functions below. Allocations inside shared
 * libraries (igraph, libyaml, Jansson, stdio) are not wrapped.
 *
 * The file is long because --wrap works on one program. All scenarios are therefore in this file
 * and in the other files allocfail_*.c.
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "compiler/question.h"
#include "grammar/describe/builtin.h"
#include "runtime/engine/filter.h"
#include "runtime/explain/explain.h"
#include "testsuite/setting.h"
#include "testsuite/unit/allocfail.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
void *__real_aligned_alloc(size_t to, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);
void *__wrap_aligned_alloc(size_t to, size_t n);

/* `victim` is the number of the allocation that fails, counted from 0. If `ever_after` is set, all
 * later allocations fail, too. `allocations` counts the allocations of all threads. */
static size_t victim = SIZE_MAX, allocations;
static bool ever_after;

/* If a scenario has more than ALL allocations, `make check` tries one of PARTS parts of them, and
 * `make check-full` the others. `day` says which. */
enum { ALL = 200, PARTS = 16 };
static uint64_t day;

static bool fails(void)
{
	size_t i = __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);

	return i == victim || (ever_after && i > victim);
}

void *__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

void *__wrap_aligned_alloc(size_t to, size_t n)
{
	return fails() ? NULL : __real_aligned_alloc(to, n);
}

/* ---- scenarios: filters are compiled ---- */

struct source {
	const char *name, *text, *overlay;
	enum pipeline_form form;
	bool search_off;
	int level;           /* level of the passes; 0 stands for 1 */
};

/* Stores the overlay named "counting" or "testing" in *v. It has counters or tests of headers,
 * which an overlay given as numbers can't have. */
static bool overlay_named(const char *name, struct overlay_desc *v)
{
	bool counting = strcmp(name, "counting") == 0;

	if (!counting && strcmp(name, "testing") != 0)
		return false;
	overlay_desc_default(v);
	v->o.clique = v->o.length = 3;
	v->o.rings = 1;
	v->o.counters = counting;
	v->o.guards = v->o.ranges = !counting;
	v->o.letter_bits = counting ? 0 : 6;
	return true;
}

static struct outcome allocfail_compile(const struct source *s, struct buf *image)
{
	struct pipeline_file file = { s->name, s->text, strlen(s->text), s->form };
	struct outcome out = { NFART_OK, 0 };
	struct pipeline_options o;
	struct pipeline p;
	bool bad = false;

	pipeline_options_init(&o);
	o.sections.source = true;
	o.passes.level = s->level != 0 ? s->level : 1;
	if (!overlay_named(s->overlay, &o.overlay) &&
	    (!overlay_numbers(s->overlay, &o.overlay, &bad) || bad))
		out.status = NFART_USAGE;
	if (s->search_off)
		o.map.steps = 0;
	if (out.status == NFART_OK) {
		out.status = pipeline_run(&p, &o, &file, 1);
		/* Reports go into the checksum only if the compilation succeeded. After an error
		 * one of them may be missing. */
		for (size_t i = 0; i < p.diags.records.n && out.status == NFART_OK; i++)
			outcome_add(&out, p.diags.records.at[i].message,
			    strlen(p.diags.records.at[i].message));
		outcome_add(&out, p.job.made.image.at, p.job.made.image.n);
		if (image != NULL)
			buf_add(image, p.job.made.image.at, p.job.made.image.n);
		pipeline_free(&p);
	}
	return out;
}

static struct outcome compile_source(const void *what)
{
	return allocfail_compile(what, NULL);
}

static const struct source sources[] = {
	{ "a filter",
	  "protocol eci; window 4; limit 5; log = all; let req = Any(R12, cpu.\"MREQ_RC2D*\");"
	  "filter a = true* req None(RA2, fpga.#9@4,5)* req{2,3}; filter b = (R13 | eps) true+;",
	  "none", FORM_FILTERS, false, 0 },
	{ "an automaton",
	  "automaton x { state s start; state t accept log; state u accept(q);"
	  " s -> t : R12; t -> u : eps; u -> s : None(R13); } substream cl from 0x80 count 3;",
	  "none", FORM_FILTERS, false, 0 },
	{ "YAML",
	  "NFA:\n  s:\n    accepting: false\n    starting: true\n    logging: false\n"
	  "    transitions:\n    - pred: t\n      trigger: 'None(R12)'\n"
	  "  t:\n    accepting: true\n    starting: false\n    logging: true\n"
	  "    transitions:\n    - pred: s\n      trigger: Any(R12)\n    - pred: t\n      trigger: "
	  "eps\n",
	  "none", FORM_YAML, false, 0 },
	{ "tables of coherence",
	  "protocol eci; checker c; variable r: I, S; legal I, S; message R12: r = I -> r <= S;"
	  "message F21: any -> r <= r;",
	  "none", FORM_COHERENCE, false, 0 },
	{ "rules of coherence",
	  "protocol eci; checker c; node cpu: p = - 1; node fpga: r = - 1; tap between;"
	  "group G = R12; cpu: p=- ! R12 : p=1; cpu: p=1 ? RA2 : p=-; fpga: r=- ? R12 : r=1;"
	  "fpga: r=1 ! RA2 : r=-;",
	  "none", FORM_COHERENCE, false, 0 },
	{ "rules of coherence that get stuck",
	  "protocol eci; checker c; node cpu: p = - 1; node fpga: r = - 1; cpu: p=- ! R12 : p=1;",
	  "none", FORM_COHERENCE, false, 0 },
	{ "a mapped filter",
	  "protocol bytes; filter f = true* 'a' ('b' | 'c' 'd')* 'e'; log = 'a'+;", "4,4,2,1",
	  FORM_FILTERS, false, 0 },
	{ "counters",
	  "counter a = true* R12 reset true* V21 at 3; counter b = @a R13* at 2 latch;"
	  "filter f = @a | @b R12; log = @b;",
	  "none", FORM_FILTERS, false, 0 },
	{ "mapped counters",
	  "protocol bytes; counter a = true* 'a' reset true* 'b' at 3 roll; filter f = @a 'c'* 'd';"
	  "filter g = @a;",
	  "counting", FORM_FILTERS, false, 0 },
	{ "a mapped filter with guards",
	  "protocol eci-coherence; filter f = true* R12[addr in 0x100..0x2ff] RA2[rreqid == 1];",
	  "testing", FORM_FILTERS, false, 0 },
	{ "a filter that the search gives up", "protocol bytes; filter f = true* 'a' 'b'{3} 'c';",
	  "3,4,1,0", FORM_FILTERS, true, 0 },
	{ "a filter at -O2",
	  "protocol eci; let r = Any(R12, R13); filter a = true* r (!RA2)* (R12 | R13 true) r;"
	  "filter b = (R12 | R13)* RA2; filter c = true* R12 (R13 | true);",
	  "none", FORM_FILTERS, false, 2 },
	{ "a counter at -Os",
	  "protocol bytes; counter c = true* 'a' 'b' reset true* ('x' | 'y') at 3 latch;"
	  "filter f = @c ('a' | 'b') 'c'; filter g = true* ('a' 'b' | 'c' 'b');",
	  "none", FORM_FILTERS, false, PASS_LEVEL_S },
	{ "errors",
	  "filter f = MREQ_RLDDD; filter g = unknown; filter h = R12 } window 1; window 2;"
	  "filter k = cpu.MRSP_PEMD@0 !true;",
	  "none", FORM_FILTERS, false, 0 },
	{ "errors of guards and keys",
	  "filter f = R13[rreqidd == 3] any[ns == 2, addr in 3..2] true[ns == 0] tick; log = all;"
	  "let end = R13; substream rreqid from 3 count 2, from 4 count 1;",
	  "none", FORM_FILTERS, false, 0 },
	{ "repetitions that are counted",
	  "filter f = true* (R12 None(R12)){200,300} RA3 | true* R13@6,7 None(R13){20}{3} "
	  "(R13{20,90} | RA3);"
	  "log = R12{20,30} None(R12){20,} true* (R12* R13){20};",
	  "none", FORM_FILTERS, false, 0 },
	{ "a filter that does not fit", "protocol bytes; filter f = 'a'{50} 'b'; window 3;",
	  "2,3,1,0", FORM_FILTERS, false, 0 },
	{ "a protocol of fewer slots", "protocol eci-coherence; filter f = true* R12@6;", "none",
	  FORM_FILTERS, false, 0 },
};
enum { NSOURCES = sizeof sources / sizeof sources[0] };

/* ---- scenarios: questions about two filters ---- */

static struct outcome allocfail_ask(const void *what)
{
	static const char *const texts[] = {
		"protocol bytes; log = 'a'+; filter f = true* 'a' !'b'* ('c' | 'a' 'd'){1,3};",
		"protocol bytes; log = 'a'+; filter f = true* 'a' !'b'* ('a' 'd' | 'c' | "
		"'c'){1,3};",
		"protocol bytes; counter c = true* 'a' at 2; filter f = @c 'b';",
		"protocol bytes; filter f = !'a'* 'a' !'a'* 'a' 'b' | 'q';",
	};
	const int *which = what;
	struct outcome out = { NFART_OK, 0 };
	struct question_input q = { .question = (enum question)which[0], .name = { "a", "b" },
				    .steps = 10000 };
	struct pipeline_options o;
	struct pipeline p[2];
	struct buf b = { 0 };

	memset(p, 0, sizeof p);
	pipeline_options_init(&o);
	o.last = STAGE_AST;
	for (int i = 0; i < 2 && out.status == NFART_OK; i++) {
		const char *text = texts[which[1 + i]];
		struct pipeline_file file = { "f.re", text, strlen(text), false };
		out.status = pipeline_run(&p[i], &o, &file, 1);
		q.ast[i] = &p[i].front.ast;
	}
	if (out.status == NFART_OK)
		out.status = question_answer(&q, &b);
	if (out.status != NFART_SYSTEM)
		outcome_add(&out, b.at, b.n);
	pipeline_free(&p[0]);
	pipeline_free(&p[1]);
	buf_free(&b);
	return out;
}

/* ---- scenarios: an image is loaded and run ---- */

struct run {
	const char *name;
	struct buf image;
};

static struct nfart_batch step_batch(uint64_t i)
{
	struct nfart_batch b = { .time = i + 1, .mask = (uint64_t)1 << 6 | (uint64_t)1 << 18 };

	b.header[6] = (i * 7 % 64) << 7;
	b.header[18] = (uint64_t)9 << 59 | (i * 5 % 64) << 7;
	return b;
}

static enum nfart_status step_all(struct nfart_engine *en, struct outcome *out)
{
	for (uint64_t i = 0; i < 200; i++) {
		struct nfart_batch b = step_batch(i);
		struct nfart_result r;
		if (!nfart_engine_step(en, &b, &r))
			return NFART_SYSTEM;
		outcome_add(out, r.labels, 8);
		for (size_t k = 0; k < r.nlines; k++)
			outcome_add(out, &r.lines[k].address, 8);
	}
	return NFART_OK;
}

static struct outcome load_and_run(const void *what)
{
	const struct run *run = what;
	struct nfart_engine_options o = { .lines = true, .has_substream = true, .count = 64 };
	struct outcome out = { NFART_OK, 0 };
	struct nfart_error e;
	struct nfart_image *im = nfart_image_load(run->image.at, run->image.n, "image", &e);
	struct nfart_engine *en = NULL;

	if (im == NULL) {
		out.status = e.status;
		return out;
	}
	en = nfart_engine_new(im, &o, &e);
	out.status = en == NULL ? e.status : step_all(en, &out);
	nfart_engine_free(en);
	nfart_image_free(im);
	return out;
}

/* ---- scenarios: a run is explained ---- */

struct explaining {
	struct buf image;
	enum explain_what what;
	uint64_t time;
};

static const char explained[] =
	"1 cpu.MREQ_RLDI@6:0x80\n2 cpu.MREQ_RLDI@6:0x80 cpu.MREQ_RLDX@7:0x100\n"
	"3 fpga.MRSP_PSHA@4:0x80\n4 cpu.MRSP_VICD@4:0x100\n5 !lost 1\n6 cpu.MREQ_RLDI@6:0x80\n"
	"7 cpu.MREQ_RLDI@6:0x80\n9 cpu.MREQ_RLDI@6:0x80\n";

static struct outcome explain_one(const void *what)
{
	static const volatile sig_atomic_t stop;
	const struct explaining *w = what;
	struct nfart_reader_options o = { .format = NFART_FORMAT_TEXT };
	struct explain x = { .what = w->what, .time = w->time, .stop = &stop };
	struct outcome out = { NFART_SYSTEM, 0 };
	struct nfart_image *im;
	struct nfart_error e;
	char *text = NULL;
	size_t n = 0;

	x.engine.reset_on_loss = true;
	x.out = open_memstream(&text, &n);
	im = nfart_image_load(w->image.at, w->image.n, "image", &e);
	if (x.out != NULL && im != NULL)
		x.reader = nfart_reader_memory(explained, sizeof explained - 1, "trace",
					       nfart_image_proto(im), &o, &e);
	x.image = im;
	if (x.reader != NULL)
		out.status = explain_run(&x, &e);
	nfart_reader_free(x.reader);
	if (x.out != NULL)
		fclose(x.out);
	if (out.status == NFART_OK)
		outcome_add(&out, text, n);
	free(text);
	nfart_image_free(im);
	return out;
}

/* The same by an explainer, record by record. */
static struct outcome explain_stream(const void *what)
{
	const struct explaining *w = what;
	struct nfart_reader_options ro = { .format = NFART_FORMAT_TEXT };
	struct nfart_engine_options o = { .reset_on_loss = true };
	struct nfart_explainer *x = NULL;
	struct nfart_reader *r = NULL;
	struct outcome out = { NFART_SYSTEM, 0 };
	struct nfart_explained said;
	struct nfart_batch b;
	struct nfart_error e = { 0 };
	struct nfart_image *im = nfart_image_load(w->image.at, w->image.n, "image", &e);
	int got = 0;
	bool ok;

	if (im != NULL)
		r = nfart_reader_memory(explained, sizeof explained - 1, "trace",
					nfart_image_proto(im), &ro, &e);
	if (r != NULL)
		x = nfart_explainer_new(im, &o, &e);
	ok = x != NULL;
	for (int more = 1; ok && more > 0;) {
		more = nfart_reader_next(r, &b, &e);
		ok = more >= 0 && (more > 0 ? nfart_explainer_put(x, &b, &e)
					    : nfart_explainer_end(x, &e));
		while (ok && (got = nfart_explainer_next(x, &said, &e)) > 0)
			outcome_add(&out, said.text, strlen(said.text));
		ok = ok && got == 0;
	}
	out.status = ok ? NFART_OK : e.status;
	nfart_explainer_free(x);
	nfart_reader_free(r);
	nfart_image_free(im);
	return out;
}

static bool sum_output(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	outcome_add(ctx, &b->time, 8);
	if (r->accepted)
		outcome_add(ctx, r->labels, 8);
	return true;
}

/* Makes a compact trace of the batches that step_all() runs. */
static enum nfart_status make_trace(const struct nfart_image *im, char **text, size_t *n)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_COMPACT };
	struct nfart_error e;
	FILE *f = open_memstream(text, n);
	struct nfart_writer *w =
		f != NULL ? nfart_writer_new(f, nfart_image_proto(im), &o, &e) : NULL;
	enum nfart_status status = NFART_SYSTEM;

	for (uint64_t i = 0; i < 200 && w != NULL; i++) {
		struct nfart_batch b = step_batch(i);
		nfart_writer_put(w, &b, NULL);
	}
	if (w != NULL)
		status = nfart_writer_close(w, &e);
	if (f != NULL)
		fclose(f);
	return status;
}

/* Loads the run's image and runs a filter with it, first over a trace, then batch by batch. */
static struct outcome load_and_filter(const void *what)
{
	const struct run *run = what;
	struct outcome out = { NFART_OK, 0 };
	struct nfart_filter_options o = { .sink = sum_output, .ctx = &out };
	struct nfart_error e = { .status = NFART_OK };
	struct nfart_image *im = nfart_image_load(run->image.at, run->image.n, "image", &e);
	struct nfart_filter *f = im != NULL ? nfart_filter_new(im, &o, &e) : NULL;
	struct nfart_reader *r = NULL;
	char *text = NULL;
	size_t n = 0;
	int got = 1;

	/* The filter soon stops using its tables, so that this change is tested, too. */
	if (f != NULL) {
		f->pace.look = 3;
		f->pace.worth = 2;
	}
	out.status = f == NULL ? e.status : make_trace(im, &text, &n);
	if (out.status == NFART_OK) {
		r = nfart_reader_memory(text, n, "trace", nfart_image_proto(im), NULL, &e);
		while (r != NULL && got == 1)
			got = nfart_filter_read(f, r, &e);
		out.status = r == NULL || got < 0 ? e.status : NFART_OK;
	}
	for (uint64_t i = 200; i < 400 && out.status == NFART_OK; i++) {
		struct nfart_batch b = step_batch(i);
		if (!nfart_filter_put(f, &b))
			out.status = NFART_SYSTEM;
	}
	if (out.status == NFART_OK && !nfart_filter_end(f))
		out.status = NFART_SYSTEM;
	nfart_reader_free(r);
	nfart_filter_free(f);
	nfart_image_free(im);
	free(text);
	return out;
}

/* ---- scenarios: protocols are read ---- */

static struct outcome read_protocol(const void *what)
{
	struct outcome out = { NFART_SYSTEM, 0 };
	struct nfart_proto *p = proto_builtin(what);
	struct buf b = { 0 };

	if (p == NULL)
		return out;
	proto_write(p, &b);
	if (!b.failed) {
		out.status = NFART_OK;
		outcome_add(&out, b.at, b.n);
		outcome_add(&out, &p->fp.hardware, 8);
		outcome_add(&out, &p->fp.names, 8);
	}
	buf_free(&b);
	proto_free(p);
	return out;
}

/* ---- making allocations fail ---- */

void inject(struct tap *t, const char *name, struct outcome (*scenario)(const void *what),
	    const void *what)
{
	struct outcome want, got;
	size_t n, wrong_status = 0, wrong_output = 0, first = 0;

	allocations = 0;
	want = scenario(what);
	n = allocations;
	if (n <= ALL && setting_full())
		return;
	for (int after = 0; after < 2; after++) {
		ever_after = after != 0;
		for (size_t i = 0; i < n; i++) {
			bool bad_status, bad_output;
			if (n > ALL && !setting_turn(day, i, PARTS))
				continue;
			victim = i;
			allocations = 0;
			got = scenario(what);
			victim = SIZE_MAX;
			bad_status = got.status != NFART_SYSTEM && got.status != want.status;
			bad_output = got.status == want.status && got.sum != want.sum;
			if ((bad_status || bad_output) && wrong_status + wrong_output == 0) {
				printf("# allocation %zu%s: status %d, without failure %d; output "
				       "%s\n",
				       i, after != 0 ? " and all after it" : "", got.status,
				       want.status, bad_output ? "differs" : "is the same");
				first = i;
			}
			wrong_status += bad_status;
			wrong_output += bad_output;
		}
	}
	tap_case(t, wrong_status + wrong_output == 0,
		 "%s (status %d): %zu allocations; %zu wrong statuses, %zu wrong outputs, the "
		 "first at %zu",
		 name, want.status, n, wrong_status, wrong_output, first);
}

static void inject_runs(struct tap *t)
{
	static const struct source made[] = {
		{ "a sparse image",
		  "substream cl from 0 count 64; filter f = true* R13 None(RA2)* R13;"
		  "filter g = true+;",
		  "none", FORM_FILTERS, false, 0 },
		{ "an image with counters",
		  "substream cl from 0 count 64; counter a = true* R12 reset true* V21 at 2;"
		  "filter f = @a true*;",
		  "none", FORM_FILTERS, false, 0 },
		{ "a mapped image with counters",
		  "counter a = true* R12 reset true* V21 at 2; filter f = @a true*;", "counting",
		  FORM_FILTERS, false, 0 },
		{ "a mapped image",
		  "substream cl from 0 count 64; filter f = true* R13 None(RA2)* R13;",
		  "2,3,1,0,64", FORM_FILTERS, false, 0 },
		{ "a sparse image without substreams",
		  "filter f = true* R13 None(RA2)* R13; window 3; log = true* R12;"
		  "filter g = true* R12 true{5} RA2;",
		  "none", FORM_FILTERS, false, 0 },
	};

	for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
		struct run run = { .name = made[i].name };
		char name[80];
		allocfail_compile(&made[i], &run.image);
		snprintf(name, sizeof name, "filtering with %s", run.name);
		inject(t, run.name, load_and_run, &run);
		inject(t, name, load_and_filter, &run);
		buf_free(&run.image);
	}
}

static void inject_explaining(struct tap *t)
{
	static const struct source source = {
		"explained",
		"substream cl from 0x80 count 2; window 1; log = true+; counter c = true* R12 "
		"reset RA2 at 2;"
		"filter f = true* R12 None(RA2)* R12; filter g = @c; filter h = R12 .;",
		"none", FORM_FILTERS, false, 0
	};
	static const struct source timed = {
		"explained with ticks",
		"substream cl from 0x80 count 3; window 1; log = true+; tick 2; counter c = true* "
		"tick at 3; filter f = true* R12 None(RA2, tick)* tick; filter g = @c;"
		"filter h = true* R12[addr == 0x80] !RA2* end;",
		"none", FORM_FILTERS, false, 0
	};
	struct explaining x = { .what = EXPLAIN_ALL };

	allocfail_compile(&source, &x.image);
	inject(t, "explaining all batches", explain_one, &x);
	inject(t, "explaining a stream", explain_stream, &x);
	x.what = EXPLAIN_TIME;
	x.time = 4;
	inject(t, "explaining one batch", explain_one, &x);
	buf_free(&x.image);
	allocfail_compile(&timed, &x.image);
	x.what = EXPLAIN_ALL;
	inject(t, "explaining all batches with ticks", explain_one, &x);
	inject(t, "explaining a stream with ticks", explain_stream, &x);
	buf_free(&x.image);
}

static void inject_questions(struct tap *t)
{
	static const struct {
		const char *name;
		int which[3];
	} questions[] = {
		{ "equal", { QUESTION_EQUAL, 0, 1 } },
		{ "contained, with a counter", { QUESTION_CONTAINS, 2, 3 } },
		{ "different, with a counter", { QUESTION_EQUAL, 2, 3 } },
		{ "empty", { QUESTION_EMPTY, 0, 0 } },
		{ "universal", { QUESTION_UNIVERSAL, 0, 0 } },
	};

	for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
		inject(t, questions[i].name, allocfail_ask, questions[i].which);
}

int main(void)
{
	struct tap t = { 0 };

	day = setting_day();
	for (size_t i = 0; i < NSOURCES; i++)
		inject(&t, sources[i].name, compile_source, &sources[i]);
	for (const struct builtin *b = builtin_protocols; b->name != NULL; b++)
		inject(&t, b->name, read_protocol, b->name);
	inject_questions(&t);
	inject_runs(&t);
	inject_explaining(&t);
	inject_traces(&t);
	inject_waves(&t);
	inject_jobs(&t);
	inject_mapping(&t);
	return tap_end(&t);
}
