/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Packs filters into images and decodes them. With every decoder of an overlay, the decoded image
 * must be the automaton that was placed.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/image/inspect.h"
#include "include/nfart.h"
#include "testsuite/unit/unit.h"

/* Filters for every protocol with a group g that has opcodes 0 and 1. */
static const char *const filters[] = {
	"filter f = true* g.#1 g.#0* g.#1;",
	"filter a = g.#0 (g.#1 | None(g.#0) g.#0+)* true; filter b = true* None(g.#1); log = true* "
	"g.#0;",
	("automaton x { state s start; state t accept(p) log; state u start accept(q) accept(p);"
	 " s -> t : g.#1; t -> u : eps; u -> s : !g.any; u -> t : g.#0; }"),
	"window 3; limit 9; log = all; filter f = g.#1{3} | g.#0{2} g.any;",
	"filter none = g.#1 !true g.#0; filter f = eps;",
	"substream cl from 0x40 count 3; filter f = true* g.#1 g.#0;",
};
enum { NFILTERS = sizeof filters / sizeof filters[0] };

/* Writes a protocol to a file in the folder `dir`. Its opcodes have `bits` bits (1 to 8), and it
 * may have an idle opcode. Stores the name of the protocol in `name`. */
static void write_protocol(const char *dir, uint32_t bits, bool idle, char name[static 64])
{
	char path[200];
	FILE *f;

	snprintf(name, 64, "t%u%s", bits, idle ? "idle" : "");
	snprintf(path, sizeof path, "%s/%s.proto", dir, name);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fprintf(f, "protocol %s; header 40; opcode 3..%u; ", name, 2 + bits);
	if (idle)
		fprintf(f, "idle %u; ", (1u << bits) - 1);
	fprintf(f, "address 20..30 line 16; groups g, h; channels 0..2;"
		   "types T { A 0 on 0, 1 address; B 1 from g on 2 address; }");
	unit_eq(fclose(f), 0);
}

static bool same_pred(const struct nfa *a, pred_id_t p, const struct nfa *b, pred_id_t q)
{
	const struct pred *x, *y;

	if (p == PRED_NONE || q == PRED_NONE)
		return p == q;
	x = &a->preds->preds.at[p];
	y = &b->preds->preds.at[q];
	return x->none == y->none && memcmp(x->letters, y->letters, a->preds->words * 8) == 0;
}

static bool same_labels(const struct nfa *a, labelset_t p, const struct nfa *b, labelset_t q)
{
	const struct labelset *x = &a->labelsets.at[p], *y = &b->labelsets.at[q];

	return x->n == y->n &&
	       (x->n == 0 || memcmp(x->labels, y->labels, x->n * sizeof x->labels[0]) == 0);
}

/* Returns the image's state that was placed on this node of the overlay, or UINT32_MAX if there is
 * none. */
static uint32_t find_node(const struct nfart_image *im, uint32_t node)
{
	for (uint32_t i = 0; i < im->nfa.nstates; i++)
		if (im->nfa.states[i].node == node)
			return i;
	return UINT32_MAX;
}

static bool has_edge(const struct nfa *a, nfa_state_t from, nfa_state_t to)
{
	for (size_t i = 0; i < a->edges.n; i++)
		if (a->edges.at[i].from == from && a->edges.at[i].to == to)
			return true;
	return false;
}

/* Can the state be active at all? If not, the image may leave it out. */
static bool matters(const struct nfa *a, nfa_state_t s)
{
	for (nfa_state_t t = 0; t < a->states.n; t++)
		if (has_edge(a, t, s))
			return true;
	return a->states.at[s].start || a->states.at[s].always;
}

static void check_decoded(const struct pipeline *p, const struct nfart_image *im)
{
	const struct nfa *a = &p->nfa;
	uint32_t *node = calloc(a->states.n + 1, sizeof *node), known = 0;
	struct spec spec;
	struct nfa b;

	ck_assert_ptr_nonnull(node);
	unit_check(inspect_nfa(im, NULL, &spec, &b));
	ck_assert_ptr_null(nfa_verify(&b));
	unit_eq(im->labels.n, p->spec.labels.n);
	for (uint32_t i = 0; i < im->labels.n; i++)
		ck_assert_str_eq(im->labels.names[i], p->spec.labels.at[i]);
	unit_eq(im->window.before, p->spec.window.before);
	unit_eq(im->stream.limit, p->spec.stream.limit);
	unit_check(im->substreams.by_line == p->spec.substreams.by_line);
	unit_eq(im->substreams.nranges, p->spec.substreams.ranges.n);
	for (uint32_t i = 0; i < im->substreams.nranges; i++)
		unit_eq(im->substreams.ranges[i].first, p->spec.substreams.ranges.at[i].first);
	unit_eq(im->substreams.nlines, p->spec.substreams.nlines);
	for (nfa_state_t s = 0; s < a->states.n; s++) {
		const struct nfa_state *q = &a->states.at[s], *r;
		node[s] = find_node(im, p->job.made.ste != NULL ? p->job.made.ste[s] : s);
		unit_check((node[s] != UINT32_MAX) == (p->job.made.ste == NULL || matters(a, s)));
		if (node[s] == UINT32_MAX)
			continue;
		known++;
		r = &b.states.at[node[s]];
		unit_check(q->start == r->start && q->always == r->always && q->log == r->log);
		unit_check(same_pred(a, q->pred, &b, r->pred));
		unit_check(same_labels(a, q->labels, &b, r->labels));
	}
	unit_eq(known, im->nfa.nstates);
	for (nfa_state_t s = 0; s < a->states.n; s++)
		for (nfa_state_t t = 0; t < a->states.n; t++)
			if (node[s] != UINT32_MAX && node[t] != UINT32_MAX)
				unit_check(has_edge(a, s, t) == has_edge(&b, node[s], node[t]));
	nfa_free(&b);
	spec_free(&spec);
	free(node);
}

/* Compiles the text and checks the image. Returns 1, or 0 if the filter does not fit the
 * overlay. */
static size_t check_image(const struct pipeline_options *o, const char *text)
{
	struct pipeline_file file = { "test.re", text, strlen(text), false };
	struct pipeline p;
	enum nfart_status status = pipeline_run(&p, o, &file, 1);
	struct nfart_image *im;
	struct buf b = { 0 };
	struct nfart_error e;

	if (status != NFART_OK && status != NFART_NOFIT)
		unit_fail("status %d: %s\n%s", status,
			  p.diags.records.n != 0 ? p.diags.records.at[0].message : "", text);
	if (status == NFART_OK) {
		im = nfart_image_load(p.job.made.image.at, p.job.made.image.n, "image", &e);
		if (im == NULL)
			unit_fail("%s\n%s", e.what, text);
		check_decoded(&p, im);
		explain_image(im, &b);
		unit_check(!b.failed && b.n > 100);
		buf_free(&b);
		nfart_image_free(im);
	}
	pipeline_free(&p);
	return status == NFART_OK;
}

/* Checks every filter with every decoder, without and with passes. Returns how many cases
 * fitted. */
static size_t check_protocol(struct pipeline_options *o, const char *name)
{
	char text[1000];
	size_t fitted = 0;

	for (int f = 0; f < NFILTERS; f++) {
		snprintf(text, sizeof text, "protocol %s; %s", name, filters[f]);
		for (o->passes.level = 0; o->passes.level <= 1; o->passes.level++) {
			o->overlay.o.none = true;
			unit_eq(check_image(o, text), 1);
			o->overlay.o.none = false;
			for (uint32_t decoder = OVERLAY_ROWS; decoder <= OVERLAY_BANK; decoder++)
				for (uint32_t preds = OVERLAY_MASK; preds <= OVERLAY_LUT5;
				     preds++) {
					o->overlay.o.decoder = decoder;
					o->overlay.o.predecessors = preds;
					fitted += check_image(o, text);
				}
		}
	}
	return fitted;
}

START_TEST(decoded_is_placed)
{
	char dir[] = "/tmp/nfacc-unit.XXXXXX", path[200], name[64];
	const char *const dirs[] = { dir };
	struct pipeline_options o;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	pipeline_options_init(&o);
	o.dirs = dirs;
	o.ndirs = 1;
	o.overlay.o.clique = 6;
	o.overlay.o.length = 7;
	o.overlay.o.rings = 2;
	o.overlay.o.labels = 5;
	o.overlay.o.bank = 9;
	for (uint32_t bits = 1; bits <= 8; bits++)
		for (int idle = 0; idle < 2; idle++) {
			if (bits == 1 && idle != 0)
				continue;
			write_protocol(dir, bits, idle != 0, name);
			unit_eq(check_protocol(&o, name), NFILTERS * 2 * 6);
			snprintf(path, sizeof path, "%s/%s.proto", dir, name);
			unlink(path);
		}
	rmdir(dir);
}
END_TEST

/* A filter with more predicates than shared decoders, or with more labels, lines or window than the
 * overlay has, is refused and not packed. */
START_TEST(too_much)
{
	static const char *const texts[] = {
		"protocol bytes; filter f = 'a' 'b' 'c';",
		"protocol bytes; filter x = 'a'; filter y = 'a'; filter z = 'a';",
		"protocol bytes; window 5; filter a = 'a';",
		"protocol eci; substream cl from 0 count 5; filter a = true+;",
	};
	struct pipeline_options o;

	pipeline_options_init(&o);
	o.overlay.o.decoder = OVERLAY_BANK;
	o.overlay.o.bank = 2;
	o.overlay.o.labels = 2;
	o.overlay.o.window = 4;
	o.overlay.o.lines = 4;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		unit_eq(check_image(&o, texts[i]), 0);
	unit_eq(check_image(&o, "protocol bytes; filter f = 'a' 'b';"), 1);
}
END_TEST

START_TEST(same_bytes)
{
	struct pipeline_options o;
	struct pipeline p, q;

	pipeline_options_init(&o);
	o.sections.source = true;
	for (int none = 0; none < 2; none++) {
		o.overlay.o.none = none != 0;
		unit_compile(&p, &o, "filter f = true* R12 R13;");
		unit_compile(&q, &o, "filter f = true* R12 R13;");
		unit_eq(p.job.made.image.n, q.job.made.image.n);
		ck_assert_mem_eq(p.job.made.image.at, q.job.made.image.at, p.job.made.image.n);
		pipeline_free(&p);
		pipeline_free(&q);
	}
}
END_TEST

Suite *suite_pack(void)
{
	const TTest *const tests[] = { decoded_is_placed, too_much, same_bytes, NULL };

	return unit_suite("pack", tests);
}
