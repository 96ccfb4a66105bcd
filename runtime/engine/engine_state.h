/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * engine_state.h: the state of a software engine, to be saved, loaded and compared.
 *
 * A state is what makes an engine differ from a new one. For each copy that is not in its start
 * states it has the line, the active states and the counts, by rising line. Two engines of one
 * image with equal options and the same state give the same results for all further batches.
 */
#ifndef NFART_ENGINE_STATE_H
#define NFART_ENGINE_STATE_H

#include "include/nfart.h"
#include "runtime/engine/engine.h"

struct engine_state {
	VEC(uint64_t) words; /* a zeroed one is the state of a new engine */
};

/* Words of one copy: the line, en->words of active states, two counts a word. */
static inline size_t engine_state_copy_words(const struct nfart_engine *en)
{
	return 1 + en->words + (en->im->ncounters + 1u) / 2;
}

/* Saves the state of en. False: out of memory. Linear in the copies of en. */
bool engine_save(const struct nfart_engine *en, struct engine_state *s);

/* Can s be a state of such an engine? Not if its size is wrong, if lines don't rise, or if it has
 * states or counts that the image lacks. */
bool engine_state_fits(const struct nfart_engine *en, const struct engine_state *s);

/* Puts en into the state. False: out of memory, or s does not fit; then en is as at the start. */
bool engine_load(struct nfart_engine *en, const struct engine_state *s);

bool engine_state_same(const struct engine_state *a, const struct engine_state *b);

/* Makes `to` a copy of `from`. False: out of memory. */
bool engine_state_copy(struct engine_state *to, const struct engine_state *from);

void engine_state_free(struct engine_state *s);

#endif
