/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/image_letters.h"

#include <stdlib.h>

#include "ir/header_tests.h"

void image_diagrams_init(struct diagrams *g, const struct nfart_proto *p, uint32_t code)
{
	diagrams_init(g, p->header.bits, proto_opcode_mask(p), proto_opcode_bits(p, code));
}

diagram_t image_diagram(struct diagrams *g, const struct nfart_image *im, uint32_t code)
{
	uint32_t first = im->alphabet.guard == NULL ? IMAGE_NO_GUARD : im->alphabet.guard[code];

	return first == IMAGE_NO_GUARD ? diagram_leaf(g, code)
				       : header_tests_diagram(g, im->alphabet.tests,
							      im->alphabet.ntests, first, NULL);
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
	uint32_t ncodes = im->proto->codes.n;
	struct code *found = calloc((size_t)ncodes + 1, sizeof *found);
	struct alphabet_code *codes = malloc(((size_t)ncodes + 1) * sizeof *codes);
	enum nfart_status status = codes != NULL && found != NULL ? NFART_OK : NFART_SYSTEM;
	size_t n = 0;

	for (uint32_t c = 0; im->alphabet.guard != NULL && c < ncodes && status == NFART_OK; c++) {
		if (im->alphabet.guard[c] == IMAGE_NO_GUARD)
			continue;
		status = find_code(im, c, &found[n]);
		codes[n] = (struct alphabet_code){ c, &found[n].classes, &found[n].tests };
		n++;
	}
	if (status == NFART_OK)
		status = alphabet_number(a, im->proto, codes, n, im->stream.tick != 0,
					 im->stream.end, arena);
	for (size_t i = 0; i < n; i++) {
		vec_free(&found[i].classes);
		vec_free(&found[i].tests);
	}
	free(found);
	free(codes);
	return status;
}

/* ---- letters of an image in another alphabet ---- */

/* Finds the letter that each letter of the alphabet has in the image: that of its sample. */
static void find_letters(const struct nfart_image *im, const struct alphabet *a, uint32_t *in_image)
{
	for (uint32_t c = 0; c < a->proto->codes.n; c++)
		if (alphabet_guard(a, c) == NULL)
			in_image[c] = image_letter_of(im, c, &(struct record_message){
								     { alphabet_sample(a, c) } });
	for (uint32_t i = 0; i < a->nguards; i++)
		for (uint32_t k = 0; k < a->guards[i].nclasses; k++) {
			const struct alphabet_class *x = &a->classes[a->guards[i].first_class + k];
			in_image[x->letter] = image_letter_of(im, a->guards[i].code, &x->sample);
		}
	for (uint32_t i = 0; i < IMAGE_TIMES && a->time != IMAGE_NO_TIME; i++)
		in_image[a->time + i] = im->alphabet.time == IMAGE_NO_TIME ? im->alphabet.nletters
									   : im->alphabet.time + i;
}

bool image_map_init(struct image_map *m, const struct nfart_image *im, const struct alphabet *a)
{
	uint32_t *in_image = malloc((a->nletters + 1) * sizeof *in_image);

	m->first = calloc((size_t)im->alphabet.nletters + 3, sizeof *m->first);
	m->letter = malloc((a->nletters + 1) * sizeof *m->letter);
	if (in_image == NULL || m->first == NULL || m->letter == NULL) {
		free(in_image);
		return false;
	}
	find_letters(im, a, in_image);
	for (uint32_t i = 0; i < a->nletters; i++)
		m->first[in_image[i] + 2]++;
	for (uint32_t i = 0; i <= im->alphabet.nletters; i++)
		m->first[i + 2] += m->first[i + 1];
	for (uint32_t i = 0; i < a->nletters; i++)
		m->letter[m->first[in_image[i] + 1]++] = i;
	free(in_image);
	return true;
}

void image_map_free(struct image_map *m)
{
	free(m->first);
	free(m->letter);
}

void image_map_pred(const struct image_map *m, const struct image_pred *p, uint64_t *set)
{
	for (uint32_t i = 0; i < p->letters.n; i++) {
		uint32_t letter = p->letters.at[i];
		for (uint32_t k = m->first[letter]; k < m->first[letter + 1]; k++)
			bits_set(set, m->letter[k]);
	}
}
