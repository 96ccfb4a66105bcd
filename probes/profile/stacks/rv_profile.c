/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_profile.h"

#include "probes/profile/stacks/rv_flow.h"
#include "probes/profile/stacks/rv_fold.h"
#include "probes/profile/stacks/rv_quick.h"
#include "probes/profile/stacks/rv_stay.h"

bool rv_profile_init(struct rv_profile *p, struct rv_code *code, bool user_mode)
{
	*p = (struct rv_profile){ .code = code,
				  .user_mode = user_mode,
				  .folding.fold_ends = RV_FOLD_ENDS };
	p->harts = calloc(RV_HARTS, sizeof *p->harts);
	if (!rv_spaces_init(&p->spaces, code) || !call_tree_init(&p->tree, RV_ROOT))
		return false;
	p->spaces.single = user_mode;
	return p->harts != NULL;
}

void rv_profile_free(struct rv_profile *p)
{
	for (size_t i = 0; i < p->most_harts; i++)
		free(p->harts[i]);
	free(p->harts);
	for (size_t i = 0; i < p->threads.n; i++)
		rv_thread_free(p->threads.at[i]);
	vec_free(&p->threads);
	vec_free(&p->folding.merged);
	call_tree_free(&p->tree);
	rv_spaces_free(&p->spaces);
}

bool rv_profile_failed(const struct rv_profile *p)
{
	return p->tree.failed || p->spaces.failed;
}

void rv_profile_settle_hart(struct rv_profile *p, struct rv_hart *h)
{
	if (h->run == 0)
		return;
	call_tree_add(&p->tree, h->thread->frames.at[0].node, rv_thread_top(h->thread)->node,
		      (struct call_sums){ .cycles = h->last.cycle - h->mark,
					  .instructions = h->run });
	p->counts.cycles += h->last.cycle - h->mark;
	p->counts.tokens += h->run;
	h->mark = h->last.cycle;
	h->run = 0;
}

void rv_profile_settle(struct rv_profile *p)
{
	for (size_t i = 0; i < p->most_harts; i++)
		if (p->harts[i] != NULL)
			rv_profile_settle_hart(p, p->harts[i]);
}

/* ---- one token ---- */

/* Finds the mapping of a token, if the last mapping does not have it. */
static void find_mapping(struct rv_profile *p, struct rv_hart *h, struct rv_ahead ahead)
{
	const struct nfaperf_token *t = ahead.at;
	uint64_t at = t->pc - h->map.low;
	struct rv_space *x = h->space;

	if (x == NULL || !rv_space_has(x, t)) {
		x = rv_spaces_of(&p->spaces, t);
		if (x == NULL) {
			h->map = (struct rv_mapping){ .low = t->pc, .span = 2 };
			return;
		}
		h->space = x;
	} else if (at < h->map.span && (h->map.code == NULL ? ahead.number < h->map.first
				       : t->instruction != 0 &&
						(uint32_t)h->map.code[at / 2] == t->instruction)) {
		return;
	}
	h->map = rv_space_find(&p->spaces, x, ahead);
}

void rv_locate(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	const struct nfaperf_token *t = s->ahead.at;

	find_mapping(p, h, s->ahead);
	if (h->map.code != NULL) {
		s->entry_bits = h->map.code[(t->pc - h->map.low) / 2];
		s->function = rv_entry_function(s->entry_bits);
		s->entry = p->code->functions.at[s->function].address == t->pc - h->map.base;
		return;
	}
	s->function = RV_UNKNOWN;
	s->entry = true;
	s->entry_bits = (uint64_t)RV_UNKNOWN << 40 |
			(uint64_t)rv_decode(t->instruction).class << 32 | t->instruction;
}

bool rv_is_vector(const struct rv_profile *p, uint64_t pc)
{
	for (size_t i = 0; i < p->traps.nvectors; i++)
		if (p->traps.vectors[i] == pc)
			return true;
	return false;
}

void rv_learn_vector(struct rv_profile *p, uint64_t pc)
{
	if (!rv_is_vector(p, pc) &&
	    p->traps.nvectors < sizeof p->traps.vectors / sizeof p->traps.vectors[0])
		p->traps.vectors[p->traps.nvectors++] = pc;
}

/*
 * Whether the kernel has just switched address translation on. It then goes on at the same place.
 */
static bool turns_virtual(const struct rv_hart *h, const struct nfaperf_token *t)
{
	return t->privilege == NFAPERF_SUPERVISOR && h->last.privilege == NFAPERF_SUPERVISOR &&
	       h->last.satp >> 60 == 0 && t->satp >> 60 != 0;
}

/* Changes the hart's stack from its last token to the token of the step. */
static void move_hart(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	const struct nfaperf_token *t = s->ahead.at;
	bool supervisor = t->privilege == NFAPERF_SUPERVISOR;

	if (t->privilege == NFAPERF_USER && h->last.privilege == NFAPERF_USER &&
	    (s->arrival == RV_BEGINS || t->satp != h->last.satp)) {
		rv_switch_between(p, h, s);
	} else if (t->privilege > h->last.privilege) {
		if (supervisor)
			rv_learn_vector(p, t->pc);
		rv_flow_trap(p, h, s, &h->last);
	} else if (t->privilege < h->last.privilege || h->class == RV_TRAP_RETURN) {
		rv_flow_trap_return(p, h, s);
	} else if (turns_virtual(h, t)) {
		rv_thread_jump(h->thread, &p->tree, s->function, false);
	} else if (supervisor && rv_is_vector(p, t->pc)) {
		rv_flow_trap(p, h, s, &h->last);
	} else {
		rv_flow_go_on(p, h, s, h->last.pc, h->last.instruction);
	}
}

/*
 * Finds from the tokens to come where the kernel's traps begin. A trap right after a return can
 * otherwise not be recognised.
 */
static void look_for_vectors(struct rv_profile *p, struct rv_ahead ahead)
{
	const struct nfaperf_token *last = ahead.at;

	for (size_t i = 1; i < ahead.n && i < RV_AHEAD; i++) {
		const struct nfaperf_token *t = &ahead.at[i];

		if (t->hart != ahead.at->hart)
			continue;
		if (t->privilege == NFAPERF_SUPERVISOR && last->privilege == NFAPERF_USER)
			rv_learn_vector(p, t->pc);
		last = t;
	}
}

static struct rv_hart *new_hart(struct rv_profile *p, struct rv_ahead ahead)
{
	const struct nfaperf_token *t = ahead.at;
	struct rv_hart *h = calloc(1, sizeof *h);

	if (h == NULL)
		return NULL;
	h->mark = h->first = t->cycle;
	h->space = rv_spaces_of(&p->spaces, t);
	h->thread = h->space == NULL ? NULL : rv_switch_new(p, h);
	if (h->thread == NULL) {
		free(h);
		return NULL;
	}
	p->harts[t->hart] = h;
	if (p->most_harts <= t->hart)
		p->most_harts = (size_t)t->hart + 1;
	look_for_vectors(p, ahead);
	return h;
}

/* Whether a token is impossible, and why. */
static enum rv_stop check_token(const struct rv_hart *h, const struct nfaperf_token *t)
{
	if ((t->flags & NFAPERF_VIRTUAL) != 0)
		return RV_STOP_GUEST;
	if (t->privilege > NFAPERF_MACHINE || t->privilege == 2)
		return RV_STOP_PRIVILEGE;
	return h != NULL && t->cycle < h->last.cycle ? RV_STOP_CYCLE : RV_STOP_NOT;
}

/* Begins the hart's stack anew. */
static void restart_hart(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	rv_switch_reset(p, h);
	rv_thread_jump(h->thread, &p->tree, s->function, s->entry);
}

/* Whether pc may come after an instruction. It is 0 where a text does not tell it (gem5's of code
 * that is not given): then it is either length, and no jump. */
static bool goes_on(struct rv_place from, uint64_t pc)
{
	return from.instruction == 0 ? pc == from.pc + 2 || pc == from.pc + 4
				     : rv_follows(from.pc, from.instruction, pc);
}

/* Changes the hart's stack, or begins it anew, and calls p->changed. */
static void move_and_tell(struct rv_profile *p, struct rv_hart *h, struct rv_step *s, bool anew)
{
	const struct nfaperf_token *t = s->ahead.at;
	const struct rv_thread *thread = h->thread;
	struct rv_move change = { .token = t, .before = rv_thread_top(h->thread)->node,
				  .anew = anew };

	change.trapped = !anew && (t->privilege > h->last.privilege ||
				   (t->privilege == NFAPERF_SUPERVISOR && rv_is_vector(p, t->pc)));
	if (anew)
		restart_hart(p, h, s);
	else
		move_hart(p, h, s);
	if (p->listener.changed == NULL)
		return;
	change.after = rv_thread_top(h->thread)->node;
	change.thread = h->thread->number;
	change.switched = h->thread != thread;
	p->listener.changed(p->listener.changed_ctx, p, h, &change);
}

/*
 * Finds out whether the token arrives from the kernel, from another address space or after missing
 * tokens, or begins a program. It is not the first token of its hart.
 */
static void arrive_hart(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	const struct nfaperf_token *t = s->ahead.at;
	struct rv_place from = { h->last.pc, h->last.instruction };

	p->spaces.losses += (t->flags & NFAPERF_LOST) != 0;
	if (t->privilege != NFAPERF_USER)
		return;
	if (h->last.privilege != NFAPERF_USER || (t->flags & NFAPERF_LOST) != 0) {
		rv_switch_arrive(p, h, s);
	} else if (t->satp != h->last.satp) {
		rv_profile_settle_hart(p, h);
		rv_switch_leave(p, h, s->ahead.number);
		rv_switch_arrive(p, h, s);
	} else if (!p->kernel && h->class != RV_PLAIN && rv_spaces_entry(&p->spaces, t->pc) &&
		   rv_space_begins(&p->spaces, h->space, t, &from)) {
		rv_profile_settle_hart(p, h);
		rv_switch_begin(p, h, s, h->space);
	} else if (!p->kernel && !p->user_mode && !goes_on(from, t->pc)) {
		rv_switch_break(p, h, s);
	}
}

/*
 * Whether the hart's stack begins anew, because its program was split from the one before. If the
 * token arrives from elsewhere, its arrival says this.
 */
static bool begins_anew(const struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	const struct nfaperf_token *t = s->ahead.at;
	bool split = p->spaces.split != 0;

	if (t->privilege != NFAPERF_USER)
		return false;
	split |= h->split && h->thread->satp == t->satp;
	h->split = false;
	if (split && (h->last.privilege != NFAPERF_USER || h->last.satp != t->satp)) {
		s->arrival = RV_BEGINS;
		s->other = NULL;
		return false;
	}
	return split;
}

/* Takes one token. Returns false if the token is wrong, or if there is no memory. */
static bool take_token(struct rv_profile *p, struct rv_ahead ahead)
{
	const struct nfaperf_token *t = ahead.at;
	struct rv_hart *h = p->harts[t->hart];
	bool first = h == NULL;
	bool anew = first || (t->flags & NFAPERF_LOST) != 0;
	struct rv_step s = { .ahead = ahead };

	p->stop = check_token(h, t);
	if (p->stop != RV_STOP_NOT)
		return false;
	if (first && (h = new_hart(p, ahead)) == NULL) {
		p->spaces.failed = true;
		return false;
	}
	p->kernel |= t->privilege != NFAPERF_USER;
	if (!first)
		arrive_hart(p, h, &s);
	rv_stay_settle(p, h);
	rv_locate(p, h, &s);
	anew |= begins_anew(p, h, &s);
	rv_stay_settle(p, h);
	if (anew) {
		rv_profile_settle_hart(p, h);
		move_and_tell(p, h, &s, true);
	} else if (s.function != h->function || h->class != RV_PLAIN ||
		   t->privilege != h->last.privilege || t->satp != h->last.satp ||
		   s.arrival == RV_BEGINS) {
		rv_profile_settle_hart(p, h);
		move_and_tell(p, h, &s, false);
	}
	if (s.function == RV_UNKNOWN) {
		p->counts.unknown++;
		p->counts.unknown_user += t->privilege == NFAPERF_USER;
	}
	h->last = *t;
	h->class = rv_entry_class(s.entry_bits);
	h->function = s.function;
	h->run++;
	return true;
}

/* ---- many tokens ---- */

size_t rv_profile_put(struct rv_profile *p, const struct nfaperf_token *t, size_t n, bool last)
{
	size_t stop = last ? n : n > RV_AHEAD ? n - RV_AHEAD : 0, i = 0;
	size_t most;

	while (i < stop) {
		struct rv_hart *h = p->harts[t[i].hart];

		if (h != NULL) {
			struct rv_ahead ahead = { &h->last, &t[i], n - i, p->taken + i };

			if (ahead.number >= h->check)
				rv_stay_check(p, h, ahead);
			most = stop - i < h->check - ahead.number ? stop - i
								  : h->check - ahead.number;
			i += rv_quick_take(p, h, &t[i], most);
			if (i == stop)
				break;
			if (p->taken + i == h->check)
				continue;
			h = p->harts[t[i].hart];
		}
		if (p->spaces.nended >= p->folding.fold_ends && !rv_fold(p)) {
			p->spaces.failed = true;
			break;
		}
		if (!take_token(p, (struct rv_ahead){ h != NULL ? &h->last : NULL, &t[i], n - i,
						      p->taken + i }))
			break;
		i++;
	}
	p->taken += i;
	if (last && i == n)
		rv_stay_end(p);
	return i;
}
