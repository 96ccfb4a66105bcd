/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/etrace.h"

#include <stdlib.h>

#include "probes/profile/stacks/rv_decode.h"

struct etrace *etrace_new(const struct etrace_encoder *encoder, const struct rv_code *code)
{
	struct etrace *t = calloc(1, sizeof *t);

	if (t == NULL)
		return NULL;
	t->encoder = *encoder;
	t->code.all = code;
	return t;
}

void etrace_free(struct etrace *t)
{
	for (size_t i = 0; t != NULL && i < sizeof t->sources / sizeof t->sources[0]; i++)
		free(t->sources[i]);
	free(t);
}

static bool is_branch(uint32_t instruction)
{
	return instruction != 0 && rv_decode(instruction).conditional;
}

/* ---- tokens ---- */

static void put_token(struct etrace *t, struct etrace_source *s, uint16_t hart, uint8_t flags)
{
	bool kernel = s->privilege != NFAPERF_USER;

	t->out[t->n++] = (struct nfaperf_token){
		.pc = s->pc, .cycle = s->instructions++,
		.satp = !kernel ? s->context : s->pc >> 63 != 0 ? UINT64_C(8) << 60 : 0,
		.instruction = s->instruction, .privilege = s->privilege, .flags = flags,
		.hart = hart
	};
	s->began = true;
}

/* ---- steps ---- */

static void push_return(const struct etrace *t, struct etrace_source *s, uint64_t link)
{
	const struct etrace_encoder *e = &t->encoder;
	unsigned most = e->return_stack_size != 0 ? 1u << e->return_stack_size
						  : (1u << e->call_counter_size) - 1;

	if ((s->options & ETRACE_IMPLICIT_RETURN) == 0)
		return;
	if (s->depth == most) {
		s->depth--;
		for (unsigned i = 0; i < s->depth; i++)
			s->returns[i] = s->returns[i + 1];
	}
	s->returns[s->depth++] = link;
}

/* Returns how many outcomes of branches must be left at pc: one, if a branch is there. */
static uint32_t branches_here(const struct etrace_source *s)
{
	return is_branch(s->instruction) ? 1 : 0;
}

/* Whether all outcomes of branches are used, besides the one of a branch at `target`. */
static bool outcomes_end(struct etrace *t, const struct etrace_source *s, uint64_t target)
{
	uint32_t instruction = linked_code_at(&t->code, target);

	return instruction == 0 ? s->branches <= 1
				: s->branches == (is_branch(instruction) ? 1u : 0u);
}

/*
 * Whether the target of a return is the top of the stack. A return that goes to `target` instead is
 * reported with its depth, in the packet p (NULL: none).
 */
static bool returns_implicitly(struct etrace *t, const struct etrace_source *s, uint64_t target,
			       const struct etrace_packet *p)
{
	if ((s->options & ETRACE_IMPLICIT_RETURN) == 0 || s->depth == 0)
		return false;
	return p == NULL || !p->irreport || p->irdepth != s->depth ||
	       !outcomes_end(t, s, target) || t->encoder.return_stack_size == 0 ||
	       s->returns[s->depth - 1] == target;
}

/*
 * Goes to the next instruction. `target` is where an indirect jump goes. Sets *stop if it was one.
 * Returns NULL, or what is wrong.
 */
static const char *step(struct etrace *t, struct etrace_source *s, uint64_t target,
			const struct etrace_packet *p, bool *stop)
{
	struct rv_flow f = rv_decode(s->instruction);
	uint64_t pc = s->pc, next = pc + rv_length(s->instruction), absolute;
	bool taken = true;

	*stop = false;
	if (f.conditional) {
		if (s->branches == 0)
			return "the program has more branches than outcomes before the address";
		taken = (s->map & 1) == 0;
		s->map >>= 1;
		s->branches--;
	}
	if (f.class == RV_JUMP || f.class == RV_CALL) {
		s->pc = taken ? pc + (uint64_t)(int64_t)f.distance : next;
	} else if (linked_code_jumps(s->instruction, &absolute)) {
		s->pc = absolute;
	} else if (f.class == RV_RETURN && returns_implicitly(t, s, target, p)) {
		s->pc = s->returns[--s->depth];
	} else if (f.class == RV_PLAIN && !linked_code_returns(s->instruction)) {
		s->pc = next;
	} else {
		if (p != NULL && !p->has_address)
			return "the program jumps to an address that this packet does not have";
		s->pc = target;
		*stop = true;
	}
	if (f.class == RV_CALL || f.class == RV_CALL_TO)
		push_return(t, s, next);
	s->last_trap_return = f.class == RV_TRAP_RETURN || linked_code_returns(s->instruction);
	s->instruction = linked_code_at(&t->code, s->pc);
	return NULL;
}

/* Goes on to where an indirect jump comes to pc again. */
static const char *find_second(struct etrace *t, struct etrace_source *s, uint16_t hart)
{
	uint64_t target = s->pc;
	bool stop = false;

	s->inferred = false;
	while (!stop && !s->lost) {
		const char *wrong = step(t, s, target, NULL, &stop);

		if (wrong != NULL)
			return wrong;
		if (t->n == ETRACE_MOST - 1)
			return "the program does not come to the address of the packet before";
		put_token(t, s, hart, 0);
		s->lost = s->instruction == 0;
	}
	return NULL;
}

/* ---- packets ---- */

/* Whether the packet p has reported pc. `jumped`: an indirect jump goes there. */
static bool is_reported(struct etrace_source *s, const struct etrace_packet *p, bool jumped)
{
	if (!p->has_address)
		return s->branches == 1 && is_branch(s->instruction);
	if (jumped)
		return true;
	if (s->pc != s->address || s->branches != branches_here(s))
		return false;
	if (p->kind == ETRACE_START)
		return p->privilege == s->privilege || s->last_trap_return;
	if (p->notify)
		return true;
	s->inferred = !p->updiscon && (!p->irreport || p->irdepth == s->depth);
	return s->inferred;
}

static void take_state(struct etrace_source *s, const struct etrace_packet *p)
{
	s->privilege = (uint8_t)p->privilege;
	s->context = p->context;
}

/* Follows the program to where the packet says. */
static const char *follow(struct etrace *t, struct etrace_source *s, const struct etrace_packet *p,
			  uint16_t hart)
{
	bool done = false, jumped;

	while (!done && !s->lost) {
		const char *wrong = step(t, s, s->address, p, &jumped);

		if (wrong != NULL)
			return wrong;
		if (jumped && s->instruction != 0 && s->branches > branches_here(s))
			return "the packet has more outcomes than the program has branches";
		if (jumped && s->branches < branches_here(s))
			return "the packet has no outcome for the branch at its address";
		if (t->n == ETRACE_MOST - 1)
			return "the program does not come to the address of the packet";
		done = is_reported(s, p, jumped);
		if (done && p->kind == ETRACE_START)
			take_state(s, p);
		put_token(t, s, hart, 0);
		s->lost = s->instruction == 0;
	}
	return NULL;
}

/* Goes to the reported address without following the program. */
static void go_to(struct etrace *t, struct etrace_source *s, uint16_t hart, uint8_t flags)
{
	s->pc = s->address;
	s->instruction = linked_code_at(&t->code, s->pc);
	s->lost = s->instruction == 0;
	put_token(t, s, hart, flags);
}

static uint64_t full_address(const struct etrace *t, uint64_t address)
{
	uint64_t sign = UINT64_C(1) << (t->encoder.iaddress_width - 1);

	return ((address & (2 * sign - 1)) ^ sign) - sign;
}

/* A synchronisation, or a trap. */
static const char *synchronise(struct etrace *t, struct etrace_source *s,
			       const struct etrace_packet *p, uint16_t hart)
{
	bool direct = p->kind == ETRACE_TRAP || s->trapped || !s->started || s->lost;
	uint8_t flags = s->began && !s->started ? NFAPERF_LOST : 0;
	const char *wrong = NULL;

	s->inferred = false;
	s->address = p->address;
	if (p->privilege > NFAPERF_MACHINE || p->privilege == 2)
		return "the packet has a privilege that is not user, supervisor or machine";
	s->trapped = p->kind == ETRACE_TRAP && !p->handler;
	if (s->trapped)
		return NULL;
	if (direct)
		s->branches = 0;
	if (is_branch(linked_code_at(&t->code, s->address))) {
		s->map = (s->branches == 0 ? 0 : s->map) | (uint64_t)p->not_taken << s->branches;
		s->branches++;
	}
	if (direct) {
		take_state(s, p);
		go_to(t, s, hart, flags);
	} else {
		wrong = follow(t, s, p, hart);
	}
	s->started = true;
	s->depth = 0;
	return wrong;
}

/* Takes the outcome of a branch at pc, the last one of the packet. Others were used elsewhere. */
static void keep_last_branch(struct etrace_source *s, const struct etrace_packet *p)
{
	s->branches = is_branch(s->instruction) && p->branches != 0 ? 1 : 0;
	s->map = s->branches != 0 ? p->map >> (p->branches - 1) & 1 : 0;
}

/* A packet with outcomes of branches, or an address, or both. */
static const char *report(struct etrace *t, struct etrace_source *s, const struct etrace_packet *p,
			  uint16_t hart)
{
	const char *wrong = NULL;

	if (p->has_address)
		s->address = full_address(t, (s->options & ETRACE_FULL_ADDRESS) != 0
						     ? p->address : s->address + p->address);
	if (s->inferred && !s->lost)
		wrong = find_second(t, s, hart);
	if (s->lost && p->has_address) {
		go_to(t, s, hart, NFAPERF_LOST);
		keep_last_branch(s, p);
		s->lost |= (s->options & ETRACE_IMPLICIT_RETURN) != 0;
		return NULL;
	}
	if (wrong != NULL || s->lost)
		return wrong;
	s->map = (s->branches == 0 ? 0 : s->map) | p->map << s->branches;
	s->branches += p->branches;
	return follow(t, s, p, hart);
}

static const char *support(struct etrace *t, struct etrace_source *s,
			   const struct etrace_packet *p, uint16_t hart)
{
	const struct etrace_encoder *e = &t->encoder;
	const char *wrong = NULL;

	if ((p->options & ETRACE_IMPLICIT_EXCEPTION) != 0)
		return "the encoder leaves out the addresses of traps, and this can't be read";
	if ((p->options & (ETRACE_JUMP_CACHE | ETRACE_PREDICTION)) != 0)
		return "branch prediction and jump target cache can't be read";
	if ((p->options & ETRACE_IMPLICIT_RETURN) != 0 &&
	    e->return_stack_size + e->call_counter_size == 0)
		return "the encoder leaves out returns: give return_stack_size or "
		       "call_counter_size with --encoder";
	if (p->qualification == ETRACE_ENDED_NTR && s->inferred && s->started && !s->lost)
		wrong = find_second(t, s, hart);
	s->options = p->options;
	if (p->qualification != ETRACE_NO_CHANGE) {
		s->started = s->inferred = s->trapped = false;
		s->branches = 0;
	}
	return wrong;
}

static const char *follow_packet(struct etrace *t, struct etrace_source *s,
				 const struct etrace_packet *p, uint16_t hart)
{
	switch (p->kind) {
	case ETRACE_SUPPORT:
		return support(t, s, p, hart);
	case ETRACE_CONTEXT:
		if (p->privilege > NFAPERF_MACHINE || p->privilege == 2)
			return "the packet has a privilege that is not user, supervisor or machine";
		take_state(s, p);
		return NULL;
	case ETRACE_BRANCHES: /* before the first synchronisation they say nothing */
		return s->started && !s->trapped ? report(t, s, p, hart) : NULL;
	default:
		return synchronise(t, s, p, hart);
	}
}

const char *etrace_follow(struct etrace *t, const struct etrace_frame *f, const unsigned char *at,
			  struct nfaperf_token *out, size_t *n)
{
	struct etrace_source **s = &t->sources[f->source];
	struct etrace_packet p;
	const char *wrong = etrace_packet_read(&p, &t->encoder, f, at);

	*n = 0;
	if (wrong != NULL)
		return wrong;
	if (*s == NULL && (*s = calloc(1, sizeof **s)) == NULL)
		return "out of memory";
	t->out = out;
	t->n = 0;
	wrong = follow_packet(t, *s, &p, (uint16_t)f->source);
	*n = t->n;
	return wrong;
}
