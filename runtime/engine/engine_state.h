/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * engine_state.h: the state of a software engine, to be saved, loaded and compared.
 *
 * A state is what makes an engine differ from a new one. It lists the copies that are not in their
 * start states, by rising number. Of each copy it has the number, the active states and the counts.
 * Two engines of one image with equal options and the same state give the same results for all
 * further batches. The rest (engine.h, Note [the rest]) must be in its start states: it always is
 * where no batch was for all copies.
 */
#ifndef NFART_ENGINE_STATE_H
#define NFART_ENGINE_STATE_H

#include "include/nfart.h"
#include "runtime/engine/engine.h"

struct engine_state {
	/* The listed copies one after the other, each in engine_state_copy_words() words. A new
	 * engine's state is empty. */
	VEC(uint64_t) words;
};

/* Returns how many words one copy takes: one for the number, en->words for the active states, and
 * one for every two counts. */
static inline size_t engine_state_copy_words(const struct nfart_engine *en)
{
	return 1 + en->words + (en->im->nfa.ncounts + 1u) / 2;
}

/* Saves the state of en in s, in place of what s had. False: out of memory. The cost is that of
 * sorting the copies of en. */
bool engine_save(const struct nfart_engine *en, struct engine_state *s);

/* Could s have been saved from an engine like en? It could not if its size is wrong, if its lines
 * don't rise, or if it has states, counts or lines that are impossible in this engine. */
bool engine_state_fits(const struct nfart_engine *en, const struct engine_state *s);

/* Puts en into the state s. False: out of memory, or s does not fit en. After such a failure all
 * copies are in their start states. */
bool engine_load(struct nfart_engine *en, const struct engine_state *s);

bool engine_state_same(const struct engine_state *a, const struct engine_state *b);

/* Makes `to` a copy of `from`. False: out of memory. */
bool engine_state_copy(struct engine_state *to, const struct engine_state *from);

void engine_state_free(struct engine_state *s);

#endif
