/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * engine_state.h: the state of a software engine, taken out, put back and compared.
 *
 * A state is what tells an engine from a new one: for each copy that is not as at its start, its
 * line, its active states and its counts, by rising line. Two engines of one image and equal options
 * with the same state say the same of whatever comes.
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

/* Takes the state out of en. False: out of memory. Linear in the copies of en. */
bool engine_save(const struct nfart_engine *en, struct engine_state *s);

/* Can s be a state of such an engine? It can't where its size is wrong, or lines don't rise, or it has
 * states or counts that the image lacks. */
bool engine_state_fits(const struct nfart_engine *en, const struct engine_state *s);

/* Puts it into en. False: out of memory, or s does not fit; en is then as at the start. */
bool engine_load(struct nfart_engine *en, const struct engine_state *s);

bool engine_state_same(const struct engine_state *a, const struct engine_state *b);

/* Makes `to` a copy of `from`. False: out of memory. */
bool engine_state_copy(struct engine_state *to, const struct engine_state *from);

void engine_state_free(struct engine_state *s);

#endif
