/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * joint.h: the letters over which a proof compares automata: classes of messages that neither the
 * guards of the sources nor the tests of the image tell apart. What a source or the image says of a
 * letter is found out on its sample header.
 *
 * The letters of the compiler (ir/alphabet.h, alphabet_make()) are not used. Classes are found as
 * the leaves of decision diagrams over all bits of a header, so none is missing, and none is empty.
 */
#ifndef NFACC_COMPILER_PROOF_JOINT_H
#define NFACC_COMPILER_PROOF_JOINT_H

#include "grammar/ast.h"
#include "ir/alphabet.h"

struct joint_input {
	const struct ast *const *trees; /* [n]: the sources, checked */
	size_t n;
	const struct nfart_proto *tap;  /* the protocol in whose slots batches arrive */
	const struct nfart_image *im;   /* an image for `tap`; NULL: there is none */
};

/* Finds for each slot of `to` the slot of `from` with the same group and channel, or -1. */
void joint_slots(const struct nfart_proto *from, const struct nfart_proto *to,
		 int slot_of[static PROTO_SLOTS]);

/* Makes the letters, in the arena. NFART_GAVEUP: they exceed the limits of alphabet.h.
 * NFART_SYSTEM: out of memory. NFART_INTERNAL: the sizes of the letters of a code don't add up to
 * all its headers. */
enum nfart_status joint_letters(struct alphabet *a, const struct joint_input *in,
				struct arena *arena);

#endif
