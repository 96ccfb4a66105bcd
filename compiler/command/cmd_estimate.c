/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The command --estimate: says how large the automaton of the filters is at each step of its
 * making, what hardware for each form would cost, and what the overlay costs, by the model of this
 * engine and by that of the thesis.
 *
 * The two forms that the thesis compares (T 5.4.1) are the one without epsilons, where an STE has a
 * decoder for each predicate that leads into its state, and the homogeneous one, where an STE has
 * one decoder and a state with several such predicates is replicated.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends/overlay/fit/fit_thesis.h"
#include "compiler/command/command.h"
#include "compiler/command/files.h"
#include "ir/shape.h"

/* A form of the automaton: how it is made, and its measures. */
struct form {
	const char *name;
	const char *pass; /* the last of the passes of -O0 that runs; NULL: none runs */
	bool epsilons;    /* it has epsilon transitions, so no hardware executes it */
	bool known;       /* the form could be made */
	struct nfa_shape shape;
};

enum { BUILT, WITHOUT_EPSILONS, HOMOGENEOUS, OPTIMISED, NFORMS };

/* Turns off the passes after the one named `last`, or all if that is NULL. */
static uint32_t passes_off(const char *last)
{
	uint32_t off = 0;
	bool past = last == NULL;

	for (size_t i = 0; pass_name(i) != NULL; i++) {
		if (past)
			off |= 1u << i;
		else if (strcmp(pass_name(i), last) == 0)
			past = true;
	}
	return off;
}

/* Makes an unoptimised form. If the automaton is too large, the form stays unknown. */
static int measure_form(const struct options *o, const struct inputs *in, struct form *f)
{
	struct pipeline *p = calloc(1, sizeof *p);
	struct pipeline_options how = o->pipeline;
	enum nfart_status status = NFART_SYSTEM;

	how.last = STAGE_NFA;
	how.progress = NULL;
	how.passes.level = 0;
	how.passes.off = passes_off(f->pass);
	if (p != NULL) {
		status = pipeline_run(p, &how, in->file, in->n);
		f->known = status == NFART_OK;
		if (status == NFART_OK && !nfa_shape(&p->nfa, &f->shape))
			status = NFART_SYSTEM;
		pipeline_free(p);
	}
	free(p);
	return status == NFART_SYSTEM ? files_fail("out of memory", NULL) : NFART_OK;
}

static void print_form(const struct form *f, const struct overlay *on, struct buf *b)
{
	const struct nfa_shape *s = &f->shape;

	if (!f->known) {
		buf_addf(b, "%-24s too large\n", f->name);
		return;
	}
	buf_addf(b, "%-24s %8" PRIu64 " %8" PRIu64 " %6" PRIu64 " %7" PRIu32 " %8" PRIu32
		 " %9" PRIu32, f->name, s->states, s->edges, s->loops, s->fan_in, s->fan_out,
		 s->decoders);
	if (on != NULL && !f->epsilons)
		buf_addf(b, " %10" PRIu64 " %12" PRIu64, fit_cost_stes(on, s->states, s->decoders),
			 fit_thesis_stes(on, s->states, s->decoders));
	buf_addf(b, "\n");
}

/* Measures all forms of the automaton in *p, which was compiled as the options say, and prints
 * them. `on` is the overlay; NULL: overlay none. */
static int print_automaton(const struct options *o, const struct inputs *in,
			   const struct pipeline *p, const struct overlay *on, struct buf *b)
{
	struct form form[NFORMS] = {
		[BUILT] = { .name = "as built", .epsilons = true },
		[WITHOUT_EPSILONS] = { .name = "without epsilons", .pass = "epsilon" },
		[HOMOGENEOUS] = { .name = "homogeneous", .pass = "homogenise" },
		[OPTIMISED] = { .name = "optimised", .known = true },
	};
	int code = NFART_OK;

	for (int i = BUILT; i < OPTIMISED && code == NFART_OK; i++)
		code = measure_form(o, in, &form[i]);
	if (code == NFART_OK && !nfa_shape(&p->nfa, &form[OPTIMISED].shape))
		code = files_fail("out of memory", NULL);
	if (code != NFART_OK)
		return code;
	buf_addf(b, "%-24s %8s %8s %6s %7s %8s %9s", "automaton", "states", "edges", "loops",
		 "fan-in", "fan-out", "decoders");
	if (on != NULL)
		buf_addf(b, " %10s %12s", "LUTs", "T eq. 29");
	buf_addf(b, "\n%-24s %8" PRIu64 " %8" PRIu64 "\n", "at most (T eq. 33, 34)",
		 p->bound.states, p->bound.edges);
	for (int i = 0; i < NFORMS; i++)
		print_form(&form[i], on, b);
	return NFART_OK;
}

/* ---- the overlay ---- */

/* How many configuration bits the engine of o has. */
static uint64_t config_bits(const struct overlay *o)
{
	uint64_t n = 0;

	for (size_t i = 0; i < nelements; i++)
		if (!element_is_list(&elements[i]))
			n += element_bits(&elements[i], o);
	return n;
}

static void print_engine(const char *name, struct fit_cost c, uint64_t bits, struct buf *b)
{
	buf_addf(b, "%-24s %12" PRIu64 " %12" PRIu64, name, c.luts, c.ffs);
	if (bits != 0)
		buf_addf(b, " %12" PRIu64, bits);
	buf_addf(b, "\n");
}

/* Prints what n engines for one line each cost, in place of one engine for n lines. */
static void print_replicated(struct fit_cost one, uint64_t n, struct buf *b)
{
	char name[64];

	snprintf(name, sizeof name, "  one line, %" PRIu64 " times", n);
	one.luts *= n;
	one.ffs *= n;
	print_engine(name, one, 0, b);
}

static void print_overlay(const struct options *o, const struct overlay *on, struct buf *b)
{
	const struct fit_weights *w = &o->search.weights;
	struct overlay one = *on;

	one.lines = 1;
	buf_addf(b,
		 "overlay %s (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), %" PRIu32
		 " slots, %" PRIu32 " line%s: %" PRIu32 " STEs, fan-in %" PRIu32 ", density %.4f\n",
		 o->pipeline.overlay.name, on->clique, on->length, on->rings, on->reach, on->slots,
		 on->lines, on->lines == 1 ? "" : "s", overlay_nste(on), overlay_npred(on),
		 (double)overlay_npred(on) / overlay_nste(on));
	buf_addf(b, "%-24s %12s %12s %12s\n", "engine", "LUTs", "FFs", "config bits");
	print_engine("nfacc", fit_cost(on, w), config_bits(on), b);
	if (on->lines > 1 && on->state == OVERLAY_STATE_COPIES) {
		struct overlay memory = *on;
		memory.state = OVERLAY_STATE_MEMORY;
		print_engine("  states in memory", fit_cost(&memory, w), 0, b);
	}
	one.state = OVERLAY_STATE_COPIES;
	if (on->lines > 1)
		print_replicated(fit_cost(&one, w), on->lines, b);
	if (overlay_ntest(on) != 0)
		print_engine("  tests of messages", fit_tests_cost(on), 0, b);
	if (on->histogram != 0)
		buf_addf(b, "%-24s %12" PRIu64 " block RAMs of 18 Kb\n", "  histogram",
			 fit_histogram_rams(on));
	if (on->payload != 0)
		buf_addf(b, "%-24s %12" PRIu64 " block RAMs of 18 Kb\n", "  payload",
			 fit_payload_rams(on));
	print_engine("T eq. 30, 31, 51", fit_thesis_cost(on), fit_thesis_bits(on), b);
	if (on->lines > 1)
		print_replicated(fit_thesis_cost(&one), on->lines, b);
}

/* Makes *on the overlay of the options, which taps this protocol. */
static int tap(const struct options *o, const struct nfart_proto *proto, struct overlay *on)
{
	const char *wrong;

	*on = o->pipeline.overlay.o;
	overlay_tap(on, proto);
	wrong = overlay_check(on);
	if (wrong != NULL)
		fprintf(stderr, "nfacc: error: overlay '%s': %s\n", o->pipeline.overlay.name,
			wrong);
	return wrong == NULL ? NFART_OK : NFART_INPUT;
}

/* Compiles the files and appends the report on automaton and overlay to b. */
static int estimate_files(struct options *o, struct buf *b)
{
	struct inputs in = { 0 };
	struct pipeline *p = calloc(1, sizeof *p);
	bool none = o->pipeline.overlay.o.none;
	struct overlay on;
	int code = p == NULL ? files_fail("out of memory", NULL) : inputs_read(o, &in);

	o->pipeline.last = STAGE_NFA;
	if (code == NFART_OK) {
		code = files_compile(o, p, in.file, in.n);
		if (code == NFART_OK && !none)
			code = tap(o, p->spec.proto, &on);
		if (code == NFART_OK)
			code = print_automaton(o, &in, p, none ? NULL : &on, b);
		if (code == NFART_OK && !none) {
			buf_addf(b, "\n");
			print_overlay(o, &on, b);
		}
		pipeline_free(p);
	}
	inputs_free(&in);
	free(p);
	return code;
}

static int estimate_overlay(const struct options *o, struct buf *b)
{
	struct nfart_proto *proto = NULL;
	struct overlay on;
	int code = files_find_tap(o, "eci", &proto);

	if (code == NFART_OK)
		code = tap(o, proto, &on);
	if (code == NFART_OK)
		print_overlay(o, &on, b);
	proto_free(proto);
	return code;
}

int cmd_estimate(struct options *o)
{
	struct buf b = { 0 };
	int code = o->files.n != 0 ? estimate_files(o, &b) : estimate_overlay(o, &b);

	if (code == NFART_OK)
		code = files_write(o, &b);
	buf_free(&b);
	return code;
}
