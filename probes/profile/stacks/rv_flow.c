/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_flow.h"

static void push_frame(struct rv_profile *p, struct rv_hart *h, struct rv_frame frame, bool counts)
{
	p->tree.failed |= !rv_thread_push(h->thread, &p->tree, frame, counts);
}

static void push_call(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		      uint64_t back)
{
	push_frame(p, h,
		   (struct rv_frame){ .function = s->function, .pc = back, .kind = RV_FRAME_CALL },
		   true);
}

static void jump_to_frame(struct rv_profile *p, struct rv_hart *h, struct rv_step *s, bool counts)
{
	rv_thread_jump(h->thread, &p->tree, s->function, counts);
}

/* ---- coroutines ---- */

/*
 * Finds a coroutine that has stopped and would go on at pc. A coroutine is a thread of its own in
 * p->threads. It goes on at the return address of its topmost call. Returns NULL if there is none.
 */
static struct rv_thread *stopped_at(const struct rv_profile *p, const struct rv_hart *h,
				    uint64_t pc)
{
	for (size_t i = 0; i < p->threads.n; i++) {
		struct rv_thread *x = p->threads.at[i];
		const struct rv_frame *top = rv_thread_top(x);

		if (x != h->thread && x->parked != 0 && x->has_program &&
		    x->satp == h->thread->satp && top->kind == RV_FRAME_CALL && top->pc == pc)
			return x;
	}
	return NULL;
}

static void park(struct rv_hart *h, struct rv_step *s)
{
	h->thread->parked = s->ahead.number | 1;
}

/* A return to the start of a function, which no call explains: a coroutine starts. */
static void start_coroutine(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	struct rv_thread *x;

	park(h, s);
	x = rv_switch_new(p, h);
	if (x == NULL) {
		p->spaces.failed = true;
		return;
	}
	x->satp = h->thread->satp;
	h->thread = x;
	jump_to_frame(p, h, s, true);
}

/* ---- returns ---- */

/* The call in frame i has returned: removes frame i and all frames above it. */
static void return_from(struct rv_profile *p, struct rv_hart *h, struct rv_step *s, size_t i)
{
	struct rv_thread *x = h->thread;

	x->frames.n = i;
	if (rv_thread_top(x)->function != s->function)
		jump_to_frame(p, h, s, false);
}

static bool in_handler(const struct rv_thread *x)
{
	for (size_t i = x->frames.n - 1; i > 0 && x->frames.at[i].kind != RV_FRAME_TRAP; i--)
		if (x->frames.at[i].kind == RV_FRAME_SIGNAL)
			return true;
	return false;
}

/* Handles a return, or an indirect jump into the middle of a function. */
static void go_back(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	const struct nfaperf_token *t = s->ahead.at;
	struct rv_thread *other;
	bool program = t->privilege == NFAPERF_USER && s->function != RV_UNKNOWN;
	size_t i = rv_thread_caller(h->thread, t->pc);

	if (i != 0) {
		return_from(p, h, s, i);
	} else if (program && (other = stopped_at(p, h, t->pc)) != NULL) {
		park(h, s);
		h->thread = other;
		other->parked = 0;
		return_from(p, h, s, other->frames.n - 1);
	} else if (program && s->entry && h->function != RV_UNKNOWN && !in_handler(h->thread)) {
		start_coroutine(p, h, s);
	} else if (!s->entry && (i = rv_thread_inside(h->thread, s->function)) != 0) {
		h->thread->frames.n = i + 1;
	} else {
		jump_to_frame(p, h, s, s->entry);
	}
}

/* ---- traps ---- */

static uint32_t boundary_of(const struct nfaperf_token *t, unsigned from)
{
	if (t->privilege == NFAPERF_MACHINE)
		return RV_FIRMWARE;
	return from == NFAPERF_SUPERVISOR ? RV_INTERRUPT : RV_KERNEL;
}

void rv_flow_trap(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
		  const struct nfaperf_token *from)
{
	const struct nfaperf_token *t = s->ahead.at;
	struct rv_frame frame = { .function = boundary_of(t, from->privilege), .pc = from->pc,
				  .instruction = from->instruction, .kind = RV_FRAME_TRAP,
				  .privilege = from->privilege };

	push_frame(p, h, frame, true);
	push_call(p, h, s, 0);
}

/*
 * The trap in frame i has ended: removes the frames from its boundary on. Then goes on where the
 * trap was taken.
 */
static void resume(struct rv_profile *p, struct rv_hart *h, struct rv_step *s, size_t i)
{
	struct rv_frame frame = h->thread->frames.at[i];
	struct nfaperf_token from = { .pc = frame.pc, .instruction = frame.instruction,
				      .privilege = frame.privilege };
	const struct nfaperf_token *t = s->ahead.at;
	size_t full = h->thread->frames.n;

	h->thread->frames.n = i;
	if (t->privilege > frame.privilege)
		rv_flow_trap(p, h, s, &from); /* the firmware passes the trap on to the kernel */
	else if (t->privilege == NFAPERF_USER)
		rv_switch_user(p, h, s, &frame, full);
	else if (t->pc != frame.pc)
		rv_flow_go_on(p, h, s, frame.pc, frame.instruction);
	else if (rv_thread_top(h->thread)->function != s->function)
		jump_to_frame(p, h, s, false);
}

void rv_flow_trap_return(struct rv_profile *p, struct rv_hart *h, struct rv_step *s)
{
	const struct nfaperf_token *t = s->ahead.at;
	size_t i = rv_thread_trap(h->thread, t->privilege);

	if (t->privilege == NFAPERF_SUPERVISOR && h->last.privilege == NFAPERF_SUPERVISOR &&
	    rv_is_vector(p, t->pc)) {
		/*
		 * The next trap comes at once. It interrupts the same instruction as the trap
		 * before it.
		 */
		h->thread->frames.n = rv_thread_trap(h->thread, NFAPERF_SUPERVISOR) + 1;
		push_call(p, h, s, 0);
	} else if (i == 0 && t->privilege == NFAPERF_USER) {
		rv_switch_user(p, h, s, NULL, h->thread->frames.n);
	} else if (i == 0) {
		rv_switch_reset(p, h);
		jump_to_frame(p, h, s, s->entry);
	} else {
		resume(p, h, s, i);
	}
}

/* ---- within one privilege ---- */

/*
 * A program without a kernel goes on at an unexpected place: the handler of a signal begins or has
 * ended.
 */
static void signal_or_back(struct rv_profile *p, struct rv_hart *h, struct rv_step *s,
			   uint64_t pc, uint32_t instruction)
{
	struct rv_thread *x = h->thread;
	const struct nfaperf_token *t = s->ahead.at;
	struct rv_frame frame = { .function = RV_SIGNAL, .pc = pc, .instruction = instruction,
				  .kind = RV_FRAME_SIGNAL };

	for (size_t i = x->frames.n - 1; i > 0 && x->frames.at[i].kind != RV_FRAME_TRAP; i--) {
		const struct rv_frame *f = &x->frames.at[i];
		if (f->kind == RV_FRAME_SIGNAL &&
		    (t->pc == f->pc || rv_follows(f->pc, f->instruction, t->pc))) {
			uint64_t at = f->pc;
			uint32_t with = f->instruction;
			x->frames.n = i;
			if (t->pc != at)
				rv_flow_go_on(p, h, s, at, with);
			return;
		}
	}
	p->counts.signals++;
	push_frame(p, h, frame, true);
	push_call(p, h, s, 0);
}

void rv_flow_go_on(struct rv_profile *p, struct rv_hart *h, struct rv_step *s, uint64_t pc,
		   uint32_t instruction)
{
	const struct nfaperf_token *t = s->ahead.at;
	struct rv_flow f = rv_decode(instruction);
	bool follows = rv_follows(pc, instruction, t->pc);
	const struct rv_frame *top = rv_thread_top(h->thread);
	bool inside = top->kind == RV_FRAME_CALL && top->function == s->function;
	struct nfaperf_token from = { .pc = pc, .instruction = instruction,
				      .privilege = t->privilege };

	if (!follows && t->privilege == NFAPERF_USER) {
		signal_or_back(p, h, s, pc, instruction);
	} else if (!follows && h->class == RV_TRAP_RETURN) {
		go_back(p, h, s);
	} else if (!follows && t->privilege == NFAPERF_SUPERVISOR) {
		rv_learn_vector(p, t->pc);
		rv_flow_trap(p, h, s, &from);
	} else if (f.class == RV_CALL || f.class == RV_CALL_TO) {
		/*
		 * Code that was not given has a single frame, even if it calls functions of its
		 * own.
		 */
		if (s->function != RV_UNKNOWN || top->function != RV_UNKNOWN)
			push_call(p, h, s, pc + rv_length(instruction));
	} else if (f.class == RV_RETURN || f.class == RV_SWAP ||
		   (f.class == RV_JUMP_TO && !s->entry && !inside)) {
		if (f.class == RV_RETURN && t->privilege == NFAPERF_SUPERVISOR &&
		    p->code->functions.at[h->function].switches)
			rv_switch_task(p, h, s);
		else
			go_back(p, h, s);
	} else if (!inside) {
		jump_to_frame(p, h, s, s->entry);
	}
}
