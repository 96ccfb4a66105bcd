/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack_copies.h: writes what substreams are for (contract.def, elements copies and keyed).
 */
#ifndef NFACC_OVERLAY_PACK_COPIES_H
#define NFACC_OVERLAY_PACK_COPIES_H

#include "backends/target.h"

/* Finds the place of the key of the filter's substreams: of their field, or of a line's address.
 * Returns whether it is the same in the headers of all messages that have the key. */
bool copies_place(const struct spec *s, struct proto_place *out);

/* Sets the bits of element `el`, copies or keyed, in `words`, which are 0 before. */
void pack_copies(const struct target_job *job, const struct element *el, uint32_t *words);

#endif
