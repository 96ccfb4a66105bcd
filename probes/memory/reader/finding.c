/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/finding.h"

#include <string.h>

/* An instruction or a call, and the number of its stack in memory.stacks. */
struct origin {
	uint64_t pc; /* 0: not known */
	uint32_t stack;
	bool after; /* pc is the address after a call */
};

const struct place *finding_place(const struct finding *f)
{
	if (f->leak != NULL)
		return f->leak->first;
	return f->message != NULL ? f->message->place : NULL;
}

static struct origin origin_of(const struct finding *f, enum finding_part part)
{
	const struct message *m = part == FINDING_BEFORE ? f->before : f->message;
	const struct place *p = finding_place(f);

	if (part <= FINDING_BEFORE && m != NULL)
		return (struct origin){ m->pc, m->stack, m->kind > MEM_BOTH };
	if (part == FINDING_FREED && m != NULL && m->gone && p != NULL)
		return (struct origin){ 0, p->freed, true };
	if (part == FINDING_ALLOCATED && p != NULL && p->number != 0)
		return (struct origin){ p->pc, p->stack, true };
	return (struct origin){ 0 };
}

bool finding_has_stack(const struct finding *f, enum finding_part part)
{
	return origin_of(f, part).stack != 0;
}

static bool is_main(struct memory *memory, uint64_t pc)
{
	uint64_t offset;
	const struct symbol *s = names_find(memory->names, pc, &offset);

	return s != NULL && strcmp(s->name, "main") == 0;
}

bool finding_frames(struct frames *list, struct memory *memory, const struct finding *f,
		    enum finding_part part)
{
	struct origin o = origin_of(f, part);
	size_t n;
	const uint64_t *pc = call_stacks_at(memory->stacks, o.stack, &n);

	if (o.pc == 0 && n > 0)
		o.pc = pc[0];
	if (o.pc == 0)
		return true;
	if (!frames_add(list, memory->names, o.pc, o.after))
		return false;
	for (size_t i = 1; i < n && !is_main(memory, i == 1 ? o.pc - o.after : pc[i - 1] - 1); i++)
		if (!frames_add(list, memory->names, pc[i], true))
			return false;
	return true;
}
