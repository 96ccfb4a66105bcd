/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds the thread that goes on after a kernel has switched tasks, or when a kernel returns to a
 * program. Tokens do not name threads. A thread is recognised by the return addresses in its stack.
 *
 * A thread that stopped is called parked.
 */
#include "probes/profile/stacks/rv_flow.h"
#include "probes/profile/stacks/rv_stay.h"

enum { LOOK = 1 << 15, MOST_TRAPS = 8 };

static void go_on_with(struct rv_hart *h, struct rv_thread *x, uint64_t number)
{
	h->thread->parked = number | 1;
	h->thread = x;
	x->parked = 0;
}

/* ---- after a switch of tasks ---- */

/* The state while a thread is compared with the tokens to come. */
struct look {
	const struct rv_thread *x;
	size_t at;    /* the frames of x above this one have returned */
	size_t depth; /* calls in the tokens that have not returned yet */
	/* For each open trap in the kernel, the last token before it. */
	const struct nfaperf_token *trapped[MOST_TRAPS];
	size_t ntrapped;
	/*
	 * LOOK_OPEN: no decision, since the stack of x ended first, or its program goes on
	 * elsewhere.
	 */
	enum { LOOK_ON, LOOK_OPEN, LOOK_YES, LOOK_NO } found;
};

/*
 * Note [who goes on]
 * The tokens do not name the thread that a switch of tasks has chosen. The candidates are all
 * parked threads whose topmost call returns to the token. They are compared with the tokens to
 * come. A thread that these contradict is ruled out. The others are ranked, the best first:
 *
 *   - The tokens reach the thread's program, at the place where it was interrupted.
 *   - The tokens switch tasks again before that, for example because of a timer. The page table of
 *     the thread's program is the current one. (Kernels change the page table before they switch
 *     tasks.)
 *   - It is a thread of the kernel. It has no page table, and keeps that of the program before it.
 *   - The page table of its program is not the current one; or it is the thread that stopped at
 *     this switch. A kernel does not switch to the task that runs.
 *
 * Among equals, the thread that has been parked for the longest time goes on.
 */
enum fit { FIT_NOT, FIT_AWAY, FIT_OPEN, FIT_TABLE, FIT_REACHED };

/* A call that was open before the first token returns to t. */
static void look_at_return(struct look *k, const struct nfaperf_token *t)
{
	const struct rv_frame *f = k->x->frames.at;

	while (k->at > 0 && f[k->at].kind == RV_FRAME_CALL && f[k->at].pc == 0)
		k->at--;
	if (k->at == 0 || f[k->at].kind != RV_FRAME_CALL)
		k->found = LOOK_OPEN;
	else if (f[k->at].pc != t->pc)
		k->found = LOOK_NO;
	else
		k->at--;
}

/* A trap that was open before the first token ends. What it interrupted goes on at t. */
static void look_at_trap_return(struct look *k, const struct nfaperf_token *t)
{
	const struct rv_frame *f = k->x->frames.at;
	enum rv_class class;

	while (k->at > 0 && f[k->at].kind != RV_FRAME_TRAP)
		k->at--;
	if (k->at == 0) {
		k->found = t->privilege == NFAPERF_USER ? LOOK_NO : LOOK_OPEN;
		return;
	}
	f += k->at--;
	if (f->privilege != t->privilege ||
	    (t->privilege == NFAPERF_USER && t->satp != k->x->satp)) {
		k->found = LOOK_NO;
		return;
	}
	if (t->pc != f->pc && !rv_follows(f->pc, f->instruction, t->pc)) {
		/* A program may go on with the handler of a signal. */
		k->found = t->privilege == NFAPERF_USER ? LOOK_OPEN : LOOK_NO;
		return;
	}
	k->depth = 0;
	class = t->pc == f->pc ? RV_PLAIN : rv_decode(f->instruction).class;
	if (t->privilege == NFAPERF_USER)
		k->found = LOOK_YES;
	else if (class == RV_CALL || class == RV_CALL_TO)
		k->depth++;
	else if (class == RV_RETURN)
		look_at_return(k, t);
}

/* Looks at token t, which comes after `last` in the kernel. */
static void look_at_kernel(const struct rv_profile *p, struct look *k,
			   const struct nfaperf_token *last, const struct nfaperf_token *t)
{
	enum rv_class class = rv_decode(last->instruction).class;

	/*
	 * A trap right after another trap: it interrupts the same instruction as the one before it.
	 */
	if (rv_is_vector(p, t->pc) && class == RV_TRAP_RETURN)
		return;
	if (rv_is_vector(p, t->pc)) {
		if (k->ntrapped == MOST_TRAPS)
			k->found = LOOK_OPEN;
		else
			k->trapped[k->ntrapped++] = last;
		return;
	}
	if (class == RV_TRAP_RETURN && k->ntrapped == 0) {
		look_at_trap_return(k, t);
		return;
	}
	/*
	 * Tokens within a trap are skipped. A trap handler may contain returns without calls,
	 * because Linux sets ra by hand.
	 */
	if (class != RV_TRAP_RETURN && k->ntrapped > 0)
		return;
	if (class == RV_TRAP_RETURN) {
		last = k->trapped[--k->ntrapped];
		class = t->pc == last->pc ? RV_PLAIN : rv_decode(last->instruction).class;
	}
	if (class == RV_CALL || class == RV_CALL_TO)
		k->depth++;
	else if (class == RV_RETURN && k->depth > 0)
		k->depth--;
	else if (class == RV_RETURN)
		look_at_return(k, t);
}

/*
 * Returns how well thread x, without its topmost frame, fits the tokens to come. Each call in it
 * that is still open must return where the tokens return, until the instruction at `switched`
 * switches tasks again. `stopped` is the thread that has just stopped.
 */
static enum fit fit_of(const struct rv_profile *p, const struct rv_thread *x,
		       const struct rv_thread *stopped, struct rv_ahead ahead, uint64_t switched)
{
	const struct nfaperf_token *last = ahead.at;
	struct look k = { .x = x, .at = x->frames.n - 2 };

	for (size_t i = 1; i < ahead.n && i < LOOK && k.found == LOOK_ON; i++) {
		const struct nfaperf_token *t = &ahead.at[i];

		if (t->hart != ahead.at->hart || t->privilege > NFAPERF_SUPERVISOR)
			continue;
		if (last->pc == switched)
			break;
		if (t->privilege == NFAPERF_USER) {
			look_at_trap_return(&k, t);
		} else {
			look_at_kernel(p, &k, last, t);
			last = t;
		}
	}
	if (k.found == LOOK_NO || k.found == LOOK_YES)
		return k.found == LOOK_NO ? FIT_NOT : FIT_REACHED;
	if (!x->has_program)
		return FIT_OPEN;
	return x != stopped && x->satp == ahead.at->satp ? FIT_TABLE : FIT_AWAY;
}

/* Finds the parked thread that goes on; NULL if there is none. See Note [who goes on]. */
static struct rv_thread *going_on(const struct rv_profile *p, const struct rv_hart *h,
				  struct rv_ahead ahead)
{
	struct rv_thread *best = NULL;
	enum fit best_fit = FIT_NOT;

	for (size_t i = 0; i < p->threads.n; i++) {
		struct rv_thread *x = p->threads.at[i];
		const struct rv_frame *top = rv_thread_top(x);
		enum fit fit;

		if (x->parked == 0 || top->kind != RV_FRAME_CALL || top->pc != ahead.at->pc)
			continue;
		fit = fit_of(p, x, h->thread, ahead, h->last.pc);
		if (fit > best_fit ||
		    (best != NULL && fit == best_fit && x->parked < best->parked)) {
			best = x;
			best_fit = fit;
		}
	}
	return best;
}

void rv_switch_task(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	struct rv_thread *best, *x;

	p->counts.switches++;
	h->thread->parked = s->ahead.number | 1;
	best = going_on(p, h, s->ahead);
	if (best == NULL) {
		x = rv_switch_new(p, h);
		if (x == NULL) {
			p->spaces.failed = true;
			return;
		}
		h->thread = x;
		rv_thread_jump(x, &p->tree, s->function, s->entry);
		return;
	}
	best->parked = 0;
	h->thread = best;
	best->frames.n--;
	if (rv_thread_top(best)->function != s->function)
		rv_thread_jump(best, &p->tree, s->function, false);
}

/* ---- on the way to a program ---- */

/* Returns the boundary above the frames of the program, or NULL. */
static struct rv_frame *boundary(const struct rv_thread *x)
{
	size_t i = x->has_program ? rv_thread_trap(x, NFAPERF_USER) : 0;

	return i == 0 ? NULL : &x->frames.at[i];
}

/* Whether the program that boundary b has interrupted may go on at t. */
static bool is_expected(const struct rv_profile *p, const struct rv_space *x,
			const struct rv_frame *b, const struct nfaperf_token *t)
{
	struct rv_place from = { b->pc, b->instruction };

	return t->pc == b->pc || (rv_follows(b->pc, b->instruction, t->pc) &&
				  !rv_space_begins(&p->spaces, x, t, &from));
}

/*
 * Finds the parked thread of the token's address space that stopped at the place where the token
 * goes on.
 */
static struct rv_thread *waiting_at(const struct rv_profile *p, const struct rv_hart *h,
				    const struct rv_space *space, const struct nfaperf_token *t)
{
	for (size_t i = 0; i < p->threads.n; i++) {
		struct rv_thread *x = p->threads.at[i];
		const struct rv_frame *b;

		if (x == h->thread || x->parked == 0 || x->satp != t->satp)
			continue;
		b = boundary(x);
		if (b != NULL && is_expected(p, space, b, t))
			return x;
	}
	return NULL;
}

/* Finds a thread of another address space that is in the ecall before the token. It has forked. */
static struct rv_thread *forked_at(const struct rv_profile *p, const struct rv_hart *h,
				   const struct nfaperf_token *t)
{
	for (size_t i = 0; i < p->threads.n; i++) {
		struct rv_thread *x = p->threads.at[i];
		const struct rv_frame *b = boundary(x);

		if ((x != h->thread || x->parked != 0) && b != NULL && x->satp != t->satp &&
		    rv_decode(b->instruction).class == RV_TRAP && b->pc + 4 == t->pc)
			return x;
	}
	return NULL;
}

/*
 * Finds the parent of a child if the parent has gone on before the child, so that no thread is in
 * the ecall any more. A program of another address space may be the parent if it has the token's
 * instruction right after an ecall. If there are several, takes the one that stopped last.
 */
static struct rv_thread *last_parent(struct rv_profile *p, const struct rv_hart *h,
				     const struct nfaperf_token *t)
{
	struct rv_thread *best = NULL;

	for (size_t i = 0; i < p->threads.n; i++) {
		struct rv_thread *x = p->threads.at[i];

		if ((x != h->thread || x->parked != 0) && x->has_program && x->satp != t->satp &&
		    (best == NULL || x->parked > best->parked) &&
		    rv_space_calls(&p->spaces, x->satp, t))
			best = x;
	}
	return best;
}

/* Begins the hart's thread anew, as a child. It has the frames of its parent's program. */
static void inherit(struct rv_profile *p, struct rv_hart *h, const struct rv_thread *parent)
{
	rv_switch_reset(p, h);
	for (size_t i = 1; i < parent->frames.n && parent->frames.at[i].kind != RV_FRAME_TRAP; i++)
		p->tree.failed |= !rv_thread_push(h->thread, &p->tree, parent->frames.at[i], false);
}

/* The program of the hart's thread goes on. */
static void go_on(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		  const struct rv_frame *b)
{
	const struct nfaperf_token *t = s->ahead.at;

	if (t->pc != b->pc || rv_thread_top(h->thread)->function != s->function)
		rv_flow_go_on(p, h, s, b->pc, b->instruction);
}

void rv_switch_drop(struct rv_profile *p, const struct rv_hart *h, uint64_t satp)
{
	for (size_t i = p->threads.n; i-- > 0;) {
		struct rv_thread *x = p->threads.at[i];

		if (x == h->thread || x->parked == 0 || !x->has_program || x->satp != satp)
			continue;
		rv_thread_free(x);
		p->threads.at[i] = p->threads.at[--p->threads.n];
	}
}

/* A program begins in address space x. If it is a child, it gets the mappings of its parent. */
static void find_parent(struct rv_profile *p, const struct rv_hart *h, struct rv_step *s,
			struct rv_space *x)
{
	const struct nfaperf_token *t = s->ahead.at;
	const struct rv_thread *parent;

	s->other = forked_at(p, h, t);
	parent = s->other != NULL ? s->other : last_parent(p, h, t);
	if (parent != NULL)
		rv_space_fork(&p->spaces, x, parent->satp, s->ahead);
}

void rv_switch_begin(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		     struct rv_space *x)
{
	h->map = (struct rv_mapping){ 0 };
	if (rv_space_renew(&p->spaces, x))
		rv_switch_drop(p, h, s->ahead.at->satp);
	s->arrival = RV_BEGINS;
}

/*
 * Whether a known program may go on at t because of a signal or a thread: the handler begins, or
 * has ended, or the thread begins after its ecall, which is not also that of another program.
 */
static bool is_signal(struct rv_profile *p, const struct rv_hart *h,
		      const struct rv_space *x, const struct nfaperf_token *t)
{
	const struct rv_mapping *m = rv_space_covering(x, t->pc);
	uint64_t entry = m == NULL ? 0 : *rv_mapping_entry(m, t->pc);

	if ((uint32_t)entry != t->instruction || entry == 0)
		return false;
	if (p->code->functions.at[rv_entry_function(entry)].address == t->pc - m->base ||
	    (rv_space_calls(&p->spaces, t->satp, t) && last_parent(p, h, t) == NULL))
		return true;
	for (size_t i = h->thread->frames.n; i-- > 0;) {
		const struct rv_frame *f = &h->thread->frames.at[i];

		if (f->kind == RV_FRAME_SIGNAL &&
		    (t->pc == f->pc || rv_follows(f->pc, f->instruction, t->pc)))
			return true;
	}
	return false;
}

void rv_switch_break(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	rv_profile_settle_hart(p, h);
	if (rv_space_resume(&p->spaces, h->space, s->ahead)) {
		h->map = (struct rv_mapping){ 0 };
		rv_switch_drop(p, h, s->ahead.at->satp);
		s->arrival = RV_BEGINS;
	} else if (!is_signal(p, h, h->space, s->ahead.at)) {
		rv_stay_doubt(p, h->space, s->ahead);
	}
}

void rv_switch_arrive(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	const struct nfaperf_token *t = s->ahead.at;
	const struct rv_frame *b = h->thread->satp == t->satp ? boundary(h->thread) : NULL;
	struct rv_space *x = rv_spaces_of(&p->spaces, t);
	bool lost = x != NULL && x->losses != p->spaces.losses;

	if (x == NULL)
		return;
	if (b != NULL && !lost && is_expected(p, x, b, t)) {
		s->arrival = RV_ARRIVES_BACK;
		return;
	}
	s->other = lost ? NULL : waiting_at(p, h, x, t);
	if (s->other != NULL) {
		s->arrival = RV_ARRIVES_AT_OTHER;
		return;
	}
	if (rv_space_begins(&p->spaces, x, t, NULL)) {
		rv_switch_begin(p, h, s, x);
		return;
	}
	if (lost) {
		h->map = (struct rv_mapping){ 0 };
		if (rv_space_doubt(&p->spaces, x, s->ahead.number))
			rv_switch_drop(p, h, t->satp);
		s->arrival = RV_BEGINS;
		return;
	}
	h->map = (struct rv_mapping){ 0 };
	if (rv_space_resume(&p->spaces, x, s->ahead)) {
		rv_switch_drop(p, h, t->satp);
		s->arrival = RV_BEGINS;
	} else {
		if (!is_signal(p, h, x, t))
			rv_stay_doubt(p, x, s->ahead);
		if (rv_thread_trap(h->thread, NFAPERF_USER) == 0 || h->thread->parked != 0)
			s->arrival = RV_BEGINS;
	}
	if (s->arrival == RV_BEGINS && x->mappings.n == 0)
		find_parent(p, h, s, x);
}

/* Begins the hart's thread anew. `from` is the thread that has forked it, or NULL. */
static void begin_thread(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
			 const struct rv_thread *from)
{
	if (from != NULL)
		inherit(p, h, from);
	else
		rv_switch_reset(p, h);
	if (rv_thread_top(h->thread)->function != s->function)
		rv_thread_jump(h->thread, &p->tree, s->function, s->entry);
}

/* ---- without a kernel ---- */

void rv_switch_leave(struct rv_profile *p, struct rv_hart *h, uint64_t number)
{
	p->tree.failed |= !rv_thread_stop(h->thread, h->last.pc, h->last.instruction);
	h->thread->parked = number | 1;
}

void rv_switch_between(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	struct rv_thread *x;

	if (s->arrival == RV_ARRIVES_AT_OTHER) {
		rv_switch_user(p, h, s, NULL, h->thread->frames.n);
		return;
	}
	if (h->thread->parked != 0) {
		x = rv_switch_new(p, h);
		if (x == NULL) {
			p->spaces.failed = true;
			return;
		}
		h->thread = x;
	}
	begin_thread(p, h, s, s->arrival == RV_BEGINS ? s->other : NULL);
}

void rv_switch_user(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		    const struct rv_frame *interrupted, size_t full)
{
	struct rv_frame b = interrupted != NULL ? *interrupted : (struct rv_frame){ 0 };

	switch (s->arrival) {
	case RV_ARRIVES_BACK:
		go_on(p, h, s, &b);
		break;
	case RV_ARRIVES_AT_OTHER:
		h->thread->frames.n = full;
		go_on_with(h, s->other, s->ahead.number);
		b = *boundary(s->other);
		s->other->frames.n = (size_t)(boundary(s->other) - s->other->frames.at);
		go_on(p, h, s, &b);
		break;
	case RV_BEGINS:
		begin_thread(p, h, s, s->other);
		break;
	case RV_ARRIVES_ELSEWHERE:
		if (interrupted != NULL && h->thread->has_program &&
		    h->thread->satp == s->ahead.at->satp)
			rv_flow_go_on(p, h, s, b.pc, b.instruction);
		else
			begin_thread(p, h, s, NULL);
		break;
	}
}
