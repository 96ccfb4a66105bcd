/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/image_letters.h"

#include <stdlib.h>

#include "ir/header_tests.h"

void image_diagrams_init(struct diagrams *g, const struct nfart_proto *p, uint32_t code)
{
	uint64_t ops = ((uint64_t)1 << p->op_bits) - 1;

	diagrams_init(g, p->header_bits, ops << p->op_lsb, (code & ops) << p->op_lsb);
}

diagram_t image_diagram(struct diagrams *g, const struct nfart_image *im, uint32_t code)
{
	uint32_t first = im->guard == NULL ? IMAGE_NO_GUARD : im->guard[code];

	return first == IMAGE_NO_GUARD
		       ? diagram_leaf(g, code)
		       : header_tests_diagram(g, im->tests, im->ntests, first, NULL);
}

/* The classes of a code, and the tests that tell them apart. */
struct code {
	struct diagram_classes classes;
	struct header_tests tests;
};

static enum nfart_status find_code(const struct nfart_image *im, uint32_t code, struct code *out)
{
	struct diagrams g;
	diagram_t x;
	enum nfart_status status = NFART_OK;

	image_diagrams_init(&g, im->proto, code);
	x = image_diagram(&g, im, code);
	if (x == DIAGRAM_NONE)
		status = g.failed ? NFART_SYSTEM : NFART_GAVEUP;
	else if (!diagram_leaves(&g, x, &out->classes) ||
		 !header_tests_make(&out->tests, &g, x, &out->classes))
		status = NFART_SYSTEM;
	diagrams_free(&g);
	return status;
}

enum nfart_status alphabet_of_image(struct alphabet *a, const struct nfart_image *im,
				    struct arena *arena)
{
	uint32_t ncodes = im->proto->ncodes;
	struct code *found = calloc((size_t)ncodes + 1, sizeof *found);
	struct alphabet_code *codes = malloc(((size_t)ncodes + 1) * sizeof *codes);
	enum nfart_status status = codes != NULL && found != NULL ? NFART_OK : NFART_SYSTEM;
	size_t n = 0;

	for (uint32_t c = 0; im->guard != NULL && c < ncodes && status == NFART_OK; c++) {
		if (im->guard[c] == IMAGE_NO_GUARD)
			continue;
		status = find_code(im, c, &found[n]);
		codes[n] = (struct alphabet_code){ c, &found[n].classes, &found[n].tests };
		n++;
	}
	if (status == NFART_OK)
		status = alphabet_number(a, im->proto, codes, n, im->tick != 0, im->end, arena);
	for (size_t i = 0; i < n; i++) {
		vec_free(&found[i].classes);
		vec_free(&found[i].tests);
	}
	free(found);
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
