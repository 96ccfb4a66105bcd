/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_thread.h"

/* MOST_SEARCH: frames that are searched for a caller. MOST_FRAMES: greatest depth of a stack. */
enum { MOST_SEARCH = 4096, MOST_FRAMES = 1 << 22 };

struct rv_thread *rv_thread_new(uint32_t node, uint32_t function)
{
	struct rv_thread *x = calloc(1, sizeof *x);

	if (x != NULL && !vec_reserve(&x->frames, 16)) {
		free(x);
		return NULL;
	}
	if (x != NULL)
		rv_thread_reset(x, node, function);
	return x;
}

void rv_thread_free(struct rv_thread *x)
{
	if (x != NULL)
		vec_free(&x->frames);
	free(x);
}

void rv_thread_reset(struct rv_thread *x, uint32_t node, uint32_t function)
{
	x->frames.n = 1;
	x->frames.at[0] = (struct rv_frame){ .node = node, .function = function,
					     .kind = RV_FRAME_BASE };
}

bool rv_thread_push(struct rv_thread *x, struct call_tree *t, struct rv_frame frame, bool counts)
{
	frame.node = call_tree_child(t, rv_thread_top(x)->node, frame.function);
	call_tree_add(t, x->frames.at[0].node, frame.node, (struct call_sums){ .calls = counts });
	return x->frames.n < MOST_FRAMES && vec_push(&x->frames, frame);
}

bool rv_thread_stop(struct rv_thread *x, uint64_t pc, uint32_t instruction)
{
	struct rv_frame frame = { .node = rv_thread_top(x)->node, .function = RV_KERNEL, .pc = pc,
				  .instruction = instruction, .kind = RV_FRAME_TRAP,
				  .privilege = 0 };

	return x->frames.n < MOST_FRAMES && vec_push(&x->frames, frame);
}

void rv_thread_jump(struct rv_thread *x, struct call_tree *t, uint32_t function, bool counts)
{
	struct rv_frame *top = rv_thread_top(x);

	if (top->kind != RV_FRAME_CALL) {
		struct rv_frame frame = { .function = function, .kind = RV_FRAME_CALL };
		t->failed |= !rv_thread_push(x, t, frame, counts);
		return;
	}
	if (top->function != function) {
		top->function = function;
		top->node = call_tree_child(t, t->nodes.at[top->node].parent, function);
	}
	call_tree_add(t, x->frames.at[0].node, top->node, (struct call_sums){ .calls = counts });
}

size_t rv_thread_trap(const struct rv_thread *x, unsigned privilege)
{
	size_t i = x->frames.n - 1;

	while (i > 0 && (x->frames.at[i].kind != RV_FRAME_TRAP ||
			 x->frames.at[i].privilege > privilege))
		i--;
	return i;
}

/* Whether frame i is above the topmost trap, and not too far below the top. */
static bool within(const struct rv_thread *x, size_t i)
{
	return i > 0 && x->frames.at[i].kind != RV_FRAME_TRAP && x->frames.n - i <= MOST_SEARCH;
}

size_t rv_thread_caller(const struct rv_thread *x, uint64_t pc)
{
	for (size_t i = x->frames.n - 1; within(x, i); i--)
		if (x->frames.at[i].kind == RV_FRAME_CALL && x->frames.at[i].pc == pc)
			return i;
	return 0;
}

size_t rv_thread_inside(const struct rv_thread *x, uint32_t function)
{
	for (size_t i = x->frames.n - 1; within(x, i); i--)
		if (x->frames.at[i].kind == RV_FRAME_CALL && x->frames.at[i].function == function)
			return i;
	return 0;
}

bool rv_follows(uint64_t pc, uint32_t instruction, uint64_t next)
{
	struct rv_flow f = rv_decode(instruction);

	switch (f.class) {
	case RV_PLAIN:
	case RV_TRAP:
		return next == pc + rv_length(instruction);
	case RV_JUMP:
	case RV_CALL:
		return next == pc + (uint64_t)(int64_t)f.distance ||
		       (f.conditional && next == pc + rv_length(instruction));
	default:
		return true;
	}
}
