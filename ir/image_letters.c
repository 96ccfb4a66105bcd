/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/image_letters.h"

#include <stdlib.h>

void image_diagrams_init(struct diagrams *g, const struct nfart_proto *p, uint32_t code)
{
	uint64_t ops = ((uint64_t)1 << p->op_bits) - 1;

	diagrams_init(g, p->header_bits, ops << p->op_lsb, (code & ops) << p->op_lsb);
}

static diagram_t following(struct diagrams *g, const diagram_t *of, uint32_t follows)
{
	uint32_t letter = follows & ~(uint32_t)IMAGE_LETTER;

	return letter == follows ? of[follows] : diagram_leaf(g, letter);
}

/* Marks the tests that are reached from the first test of a code. */
static void mark(const struct nfart_image *im, uint32_t first, bool *reached)
{
	reached[first] = true;
	for (uint32_t i = first; i < im->ntests; i++) {
		if (!reached[i])
			continue;
		if ((im->tests[i].no & (uint32_t)IMAGE_LETTER) == 0)
			reached[im->tests[i].no] = true;
		if ((im->tests[i].yes & (uint32_t)IMAGE_LETTER) == 0)
			reached[im->tests[i].yes] = true;
	}
}

/* A test leads to later tests only, so the diagrams are made from the last test to the first. */
diagram_t image_diagram(struct diagrams *g, const struct nfart_image *im, uint32_t code)
{
	uint32_t first = im->guard == NULL ? IMAGE_NO_GUARD : im->guard[code];
	diagram_t *of, root = DIAGRAM_NONE;
	bool *reached;

	if (first == IMAGE_NO_GUARD)
		return diagram_leaf(g, code);
	of = malloc(im->ntests * sizeof *of);
	reached = calloc(im->ntests, sizeof *reached);
	if (of == NULL || reached == NULL)
		g->failed = true;
	else
		mark(im, first, reached);
	for (uint32_t i = im->ntests; i-- > first && !g->failed;) {
		const struct image_test *t = &im->tests[i];
		if (!reached[i])
			continue;
		root = of[i] = diagram_choose(g, diagram_test(g, t->mask, t->value, t->at_most),
					      following(g, of, t->no), following(g, of, t->yes));
	}
	free(of);
	free(reached);
	return g->failed ? DIAGRAM_NONE : root;
}

/* Finds the classes of one code. */
static enum nfart_status classes_of(const struct nfart_image *im, uint32_t code,
				    struct diagram_classes *out)
{
	struct diagrams g;
	diagram_t x;
	enum nfart_status status = NFART_OK;

	image_diagrams_init(&g, im->proto, code);
	x = image_diagram(&g, im, code);
	if (x == DIAGRAM_NONE)
		status = g.failed ? NFART_SYSTEM : NFART_GAVEUP;
	else if (!diagram_leaves(&g, x, out))
		status = NFART_SYSTEM;
	diagrams_free(&g);
	return status;
}

enum nfart_status alphabet_of_image(struct alphabet *a, const struct nfart_image *im,
				    struct arena *arena)
{
	uint32_t ncodes = im->proto->ncodes;
	struct diagram_classes *classes = calloc((size_t)ncodes + 1, sizeof *classes);
	struct alphabet_code *codes = malloc(((size_t)ncodes + 1) * sizeof *codes);
	enum nfart_status status = codes != NULL && classes != NULL ? NFART_OK : NFART_SYSTEM;
	size_t n = 0;

	for (uint32_t c = 0; im->guard != NULL && c < ncodes && status == NFART_OK; c++) {
		if (im->guard[c] == IMAGE_NO_GUARD)
			continue;
		status = classes_of(im, c, &classes[n]);
		codes[n] = (struct alphabet_code){ c, &classes[n] };
		n++;
	}
	if (status == NFART_OK)
		status = alphabet_number(a, im->proto, codes, n, im->tick != 0, im->end, arena);
	for (size_t i = 0; i < n; i++)
		vec_free(&classes[i]);
	free(classes);
	free(codes);
	return status;
}

static bool names(const struct image_pred *p, uint32_t letter)
{
	uint32_t lo = 0, hi = p->letters.n;

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (p->letters.at[mid] < letter)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->letters.n && p->letters.at[lo] == letter;
}

void image_pred_letters(const struct nfart_image *im, const struct image_pred *p,
			const struct alphabet *a, uint64_t *set)
{
	uint32_t ncodes = im->proto->ncodes;

	for (uint32_t i = 0; i < p->letters.n; i++) {
		uint32_t letter = p->letters.at[i], code = letter;
		if (letter >= im->time) {
			bits_set(set, a->time + (letter - im->time));
			continue;
		}
		if (letter >= ncodes)
			code = im->letter_code[letter - ncodes];
		if (alphabet_guard(a, code) == NULL &&
		    image_letter(im, code, alphabet_sample(a, code)) == letter)
			bits_set(set, code);
	}
	for (uint32_t i = 0; i < a->nguards; i++)
		for (uint32_t k = 0; k < a->guards[i].nclasses; k++) {
			const struct alphabet_class *c = &a->classes[a->guards[i].first_class + k];
			if (names(p, image_letter(im, a->guards[i].code, c->sample)))
				bits_set(set, c->letter);
		}
}
