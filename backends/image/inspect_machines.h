/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * inspect_machines.h: the machines that are in a loaded image.
 */
#ifndef NFACC_BACKENDS_IMAGE_INSPECT_MACHINES_H
#define NFACC_BACKENDS_IMAGE_INSPECT_MACHINES_H

#include "contract/image/image.h"
#include "ir/spec.h"

/* Appends the machines of the image to s->machines. Predicate p of the image has the id ids[p] in
 * s->preds. Names are empty, because the image has none. The machines borrow from the image and
 * from the arena of s. False: out of memory. */
bool inspect_machines(const struct nfart_image *im, const pred_id_t *ids, struct spec *s);

#endif
