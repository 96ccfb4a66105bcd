/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

#include "backends/image/inspect.h"
#include "compiler/lower.h"
#include "compiler/pipeline.h"
#include "ir/build.h"
#include "testsuite/fuzz/fuzz.h"

/* Filters whose bounds (T eq. 33 and 34) are larger are only parsed. A few bytes can ask for an
 * automaton that takes too long. */
enum { MOST_STATES = 300, MOST_EDGES = 1000 };

/* The most steps of each proof. */
enum { MOST_STEPS = 100000 };

void fuzz_print(struct diags *d)
{
	static FILE *nowhere;

	if (nowhere == NULL)
		nowhere = fopen("/dev/null", "w");
	if (nowhere != NULL)
		diag_print(d, nowhere, true);
}

static enum nfart_status compile_run(struct pipeline *p, struct pipeline_options *o,
				     const char *text, size_t n, bool yaml)
{
	struct pipeline_file file = { "fuzz", text, n, yaml };
	enum nfart_status status;

	o->overlay.o.none = true;
	status = pipeline_run(p, o, &file, 1);
	fuzz_print(&p->diags);
	fuzz_expect(status == NFART_OK || status == NFART_INPUT || status == NFART_NOFIT ||
		    status == NFART_GAVEUP);
	fuzz_expect(status == NFART_OK || p->diags.errors != 0);
	return status;
}

/* Prints the tree, parses the text, and prints again. The two texts must be the same. */
static void check_print(struct pipeline *p)
{
	struct pipeline_options o;
	struct pipeline q;
	struct buf b = { 0 }, again = { 0 };

	ast_print(&p->front.ast, &b);
	pipeline_options_init(&o);
	o.last = STAGE_AST;
	fuzz_expect(!b.failed && compile_run(&q, &o, b.at, b.n, false) == NFART_OK);
	ast_print(&q.front.ast, &again);
	fuzz_expect(b.n == again.n && memcmp(b.at, again.at, b.n) == 0);
	pipeline_free(&q);
	buf_free(&b);
	buf_free(&again);
}

static bool is_small(struct pipeline *p)
{
	struct spec spec = { .log.rx = RX_NONE };
	uint64_t states = 0, edges = 0;
	bool ok = lower(&p->front.ast, &spec) == NFART_OK && nfa_bounds(&spec, &states, &edges);

	spec_free(&spec);
	return ok && states <= MOST_STATES && edges <= MOST_EDGES;
}

/* The automaton printed as text must compile as a filter. */
static void check_ir_text(struct pipeline *p)
{
	struct pipeline_options o;
	struct pipeline q;
	struct buf b = { 0 };

	nfa_print(&p->nfa, &b);
	pipeline_options_init(&o);
	o.last = STAGE_NFA;
	fuzz_expect(!b.failed && compile_run(&q, &o, b.at, b.n, false) == NFART_OK);
	pipeline_free(&q);
	buf_free(&b);
}

static void check_image(struct pipeline *p)
{
	struct nfart_error e;
	struct nfart_image *im =
		nfart_image_load(p->job.made.image.at, p->job.made.image.n, "image", &e);

	fuzz_expect(im != NULL);
	fuzz_expect(im->nfa.nplain == p->nfa.states.n);
	nfart_image_free(im);
}

void fuzz_compile(const uint8_t *data, size_t n, bool yaml)
{
	struct pipeline_options o;
	struct pipeline p;
	bool small;

	pipeline_options_init(&o);
	o.sections.source = true;
	o.proof.steps = MOST_STEPS;
	o.last = STAGE_AST;
	small = compile_run(&p, &o, (const char *)data, n, yaml) == NFART_OK;
	if (small)
		check_print(&p);
	small = small && is_small(&p);
	pipeline_free(&p);
	o.last = STAGE_IMAGE;
	for (o.passes.level = 0; o.passes.level <= 1 && small; o.passes.level++) {
		if (compile_run(&p, &o, (const char *)data, n, yaml) == NFART_OK) {
			check_ir_text(&p);
			check_image(&p);
		}
		pipeline_free(&p);
	}
}
