/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * image_letters.h: reads the letters of an image back from its tests.
 */
#ifndef NFACC_IR_IMAGE_LETTERS_H
#define NFACC_IR_IMAGE_LETTERS_H

#include "ir/alphabet.h"

/* Returns the diagram whose leaf, for a header of the code, is its letter in the image. `g` must be
 * for the headers of the code. DIAGRAM_NONE: as with the functions of diagram.h. */
diagram_t image_diagram(struct diagrams *g, const struct nfart_image *im, uint32_t code);

/* Makes *g empty, for the headers of a code. */
void image_diagrams_init(struct diagrams *g, const struct nfart_proto *p, uint32_t code);

/* Makes the alphabet of the image: its letters, without those that no header has. They may be
 * numbered in another order than in the image. The rest is as with alphabet_make(). */
enum nfart_status alphabet_of_image(struct alphabet *a, const struct nfart_image *im,
				    struct arena *arena);

/* Adds to `set` the letters of alphabet a that predicate p of the image names. No letter of a may
 * have headers of two letters of the image, and a has a time slot if the image has one. */
void image_pred_letters(const struct nfart_image *im, const struct image_pred *p,
			const struct alphabet *a, uint64_t *set);

#endif
