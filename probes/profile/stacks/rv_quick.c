/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_quick.h"

#include <string.h>

#include "probes/profile/stacks/rv_flow.h"

/* Instruction, privilege, flags and hart of a token, as one number. */
static uint64_t word_of(const struct nfaperf_token *t)
{
	uint64_t x;

	memcpy(&x, &t->instruction, sizeof x);
	return x;
}

/* Tokens to fetch ahead: they are read once, faster than the processor fetches them by itself. */
enum { FETCH_AHEAD = 64 };

/* Returns how many tokens come right after the last token of h, in the same function. */
static size_t plain_run(const struct rv_hart *h, const struct nfaperf_token *t, size_t n)
{
	uint64_t high = word_of(&h->last) >> 32, satp = h->last.satp;
	uint64_t low = h->map.low, span = h->map.span, entry = (uint64_t)h->function << 40;
	const uint64_t *code = h->map.code;
	uint64_t cycle = h->last.cycle;
	size_t i = 0;

	for (; i < n; i++) {
		uint64_t at = t[i].pc - low, word = word_of(&t[i]);

		/* The address may be behind the last token, so it is no pointer into the array. */
		__builtin_prefetch((const void *)((uintptr_t)&t[i] + FETCH_AHEAD * sizeof *t));
		if (at >= span || t[i].satp != satp || word >> 32 != high ||
		    code[at / 2] != (entry | (uint32_t)word) || t[i].cycle < cycle)
			break;
		cycle = t[i].cycle;
	}
	return i;
}

/*
 * Returns the entry of a token in the code table, and the mapping that has it. Returns 0 if the
 * token is not like the last one of h, or if no known mapping has its instruction.
 */
static inline uint64_t entry_of(const struct rv_hart *h, const struct nfaperf_token *t,
				const struct rv_mapping **in)
{
	const struct rv_mapping *m = &h->map;
	uint64_t word = word_of(t), entry;

	if (t->satp != h->last.satp || word >> 32 != word_of(&h->last) >> 32 ||
	    t->cycle < h->last.cycle || (uint32_t)word == 0)
		return 0;
	if (t->pc - m->low >= m->span)
		m = rv_space_covering(h->space, t->pc);
	if (m == NULL)
		return 0;
	entry = m->code[(t->pc - m->low) / 2];
	*in = m;
	return (uint32_t)entry == (uint32_t)word ? entry : 0;
}

/* Whether a return goes to the topmost call, and into the function that called. */
static inline bool returns(const struct rv_profile *p, const struct rv_hart *h, uint64_t pc,
			   uint32_t function)
{
	const struct rv_thread *x = h->thread;
	const struct rv_frame *top = &x->frames.at[x->frames.n - 1];

	return top->kind == RV_FRAME_CALL && top->pc == pc && top[-1].function == function &&
	       (h->last.privilege == NFAPERF_USER || !p->code->functions.at[h->function].switches);
}

/*
 * Changes the stack by a token that comes after an instruction that is not plain. Returns false if
 * the long way must do that; nothing has changed then.
 */
static inline bool move(struct rv_profile *p, struct rv_hart *h, const struct nfaperf_token *t,
			const struct rv_mapping *in, uint32_t function)
{
	struct rv_thread *x = h->thread;
	const struct rv_frame *top = rv_thread_top(x);
	bool inside = top->kind == RV_FRAME_CALL && top->function == function;
	bool entry = p->code->functions.at[function].address == t->pc - in->base;

	switch (h->class) {
	case RV_CALL:
	case RV_JUMP:
		if (!rv_follows(h->last.pc, h->last.instruction, t->pc))
			return false;
		break;
	case RV_RETURN:
		if (!returns(p, h, t->pc, function))
			return false;
		break;
	case RV_JUMP_TO:
		if (!entry && !inside)
			return false;
		break;
	case RV_CALL_TO:
		break;
	default:
		return false;
	}
	if (h->class == RV_RETURN) {
		rv_profile_settle_hart(p, h);
		x->frames.n--;
	} else if (h->class == RV_CALL || h->class == RV_CALL_TO) {
		struct rv_frame frame = { .function = function, .kind = RV_FRAME_CALL,
					  .pc = h->last.pc + rv_length(h->last.instruction) };

		rv_profile_settle_hart(p, h);
		p->tree.failed |= !rv_thread_push(x, &p->tree, frame, true);
	} else if (!inside) {
		rv_profile_settle_hart(p, h);
		rv_thread_jump(x, &p->tree, function, entry);
	}
	return true;
}

/* Takes one token that is not plain. Returns false if it must go the long way. */
static inline bool take_one(struct rv_profile *p, struct rv_hart *h, const struct nfaperf_token *t)
{
	const struct rv_mapping *in;
	uint64_t entry = entry_of(h, t, &in);
	uint32_t function = rv_entry_function(entry);

	if (entry == 0)
		return false;
	if (h->class == RV_PLAIN ? function != h->function
				 : p->listener.changed != NULL ||
					   rv_spaces_entry(&p->spaces, t->pc) ||
					   rv_is_vector(p, t->pc) || !move(p, h, t, in, function))
		return false;
	if (in != &h->map)
		h->map = *in;
	h->last = *t;
	h->class = rv_entry_class(entry);
	h->function = function;
	h->run++;
	return true;
}

size_t rv_quick_take(struct rv_profile *p, struct rv_hart *h, const struct nfaperf_token *t,
		     size_t n)
{
	size_t i = 0, run;

	/* Two tokens with the flag that tokens are missing are alike, and yet not plain. */
	if (h->map.code == NULL || h->last.flags != 0)
		return 0;
	while (i < n) {
		run = h->class == RV_PLAIN ? plain_run(h, &t[i], n - i) : 0;
		if (run != 0) {
			h->last = t[i + run - 1];
			h->run += run;
			i += run;
		} else if (take_one(p, h, &t[i])) {
			i++;
		} else {
			break;
		}
	}
	return i;
}
