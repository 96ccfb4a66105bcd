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

/* The letters of an alphabet, sorted by the letters that they have in an image: letter l of the
 * image is letter[first[l]] … letter[first[l + 1] - 1]. */
struct image_map {
	uint32_t *first, *letter;
};

/* Fills *m. No letter of the alphabet may have headers of two letters of the image. False: out of
 * memory. The caller frees *m with image_map_free() in any case. */
bool image_map_init(struct image_map *m, const struct nfart_image *im, const struct alphabet *a);
void image_map_free(struct image_map *m);

/* Adds to `set` the letters of the alphabet that predicate p of the image names. */
void image_map_pred(const struct image_map *m, const struct image_pred *p, uint64_t *set);

#endif
