/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/ntrace_execute.h"

#include <string.h>

static void push_return(struct ntrace_source *s, uint64_t link)
{
	if (s->depth == NTRACE_RETURNS) {
		s->depth--;
		memmove(s->returns, s->returns + 1, s->depth * sizeof s->returns[0]);
	}
	s->returns[s->depth++] = link;
}

/*
 * Infers the target of the indirect jump x that is not the last instruction of its message. Returns
 * false if it is not known.
 */
static bool infer_target(struct ntrace_source *s, uint32_t x, enum rv_class class,
			 const struct linked_load *load, uint64_t *target)
{
	if (linked_load_jumps(load, x, target))
		return true;
	if (class != RV_RETURN || s->depth == 0)
		return false;
	*target = s->returns[--s->depth];
	return true;
}

static bool takes_branch(struct ntrace_source *s, bool last, const struct ntrace_message *m)
{
	s->straight = 0;
	if (s->noutcomes != 0)
		return (s->outcomes >> --s->noutcomes & 1) != 0;
	return last && m->code == NTRACE_DIRECT;
}

bool ntrace_is_indirect(uint32_t x)
{
	uint64_t target;

	switch (rv_decode(x).class) {
	case RV_CALL_TO:
	case RV_JUMP_TO:
	case RV_RETURN:
	case RV_SWAP:
		return !linked_code_jumps(x, &target);
	case RV_TRAP_RETURN:
		return true;
	default:
		return linked_code_returns(x);
	}
}

/* Whether the address of the message is where the last instruction has gone. */
static bool has_target(const struct ntrace_message *m)
{
	return m->has_address && m->type == 0;
}

const char *ntrace_execute(struct ntrace_source *s, uint32_t x, bool last,
			   const struct ntrace_message *m)
{
	struct rv_flow f = rv_decode(x);
	uint64_t next = s->pc + rv_length(x), to = next, absolute;
	struct linked_load load = s->load;

	linked_load_note(&s->load, s->pc, x);
	s->last = x;
	s->taken = false;
	s->straight++;
	if (f.conditional) {
		s->taken = takes_branch(s, last, m);
		to = s->taken ? s->pc + (uint64_t)(int64_t)f.distance : next;
	} else if (f.class == RV_JUMP || f.class == RV_CALL) {
		to = s->pc + (uint64_t)(int64_t)f.distance;
	} else if (ntrace_is_indirect(x)) {
		if (!(last && (has_target(m) || m->code == NTRACE_ENDS)) &&
		    !infer_target(s, x, f.class, &load, &to)) {
			if (!s->unsure)
				return "the program jumps to an address that no message has";
			s->lost = true;
		}
	} else if (linked_code_jumps(x, &absolute)) {
		to = absolute;
	}
	if (f.class == RV_CALL || f.class == RV_CALL_TO)
		push_return(s, next);
	s->pc = to;
	return NULL;
}
