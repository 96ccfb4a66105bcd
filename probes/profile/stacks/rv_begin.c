/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds where programs begin: see Note [epochs] in rv_space.h.
 */
#include "probes/profile/stacks/rv_space.h"
#include "probes/profile/stacks/rv_thread.h"

enum {
	PAGE = 4096,
	LOOK = 4096            /* tokens to look at if a program goes on elsewhere */
};

static bool is_indirect(uint32_t instruction)
{
	enum rv_class class = rv_decode(instruction).class;

	return class == RV_JUMP_TO || class == RV_CALL_TO || class == RV_RETURN;
}

/*
 * Whether a loader may jump from `from` to the entry point of program m. A program never jumps
 * indirectly to its own entry point, or to that of another one.
 */
static bool is_loaders_jump(const struct rv_spaces *s, const struct rv_space *x,
			    const struct rv_module *m, uint64_t base, const struct rv_place *from)
{
	const struct rv_mapping *of;

	if (from == NULL || m->text.interpreter == NULL || !is_indirect(from->instruction) ||
	    from->pc - (m->low + base) < m->span)
		return false;
	of = rv_space_covering(x, from->pc);
	return of == NULL || !s->code->modules.at[of->module].program;
}

bool rv_space_begins(const struct rv_spaces *s, const struct rv_space *x,
		     const struct nfaperf_token *t, const struct rv_place *from)
{
	const struct rv_mapping *known;

	if (!rv_spaces_entry(s, t->pc) || t->privilege != NFAPERF_USER ||
	    (from != NULL && !is_indirect(from->instruction) &&
	     rv_follows(from->pc, from->instruction, t->pc)))
		return false;
	known = rv_space_covering(x, t->pc);
	if (known != NULL && (uint32_t)*rv_mapping_entry(known, t->pc) != t->instruction)
		known = NULL;
	for (size_t i = 0; i < s->code->modules.n; i++) {
		const struct rv_module *m = &s->code->modules.at[i];
		uint64_t base = t->pc - m->entry;

		if (m->entry - m->low >= m->span || base % PAGE != 0 || (m->fixed && base != 0) ||
		    (uint32_t)m->code[(m->entry - m->low) / 2] != t->instruction ||
		    (known != NULL && (known->module != i || known->base != base)) ||
		    !rv_code_begins(s->code, m))
			continue;
		if (!is_loaders_jump(s, x, m, base, from))
			return true;
	}
	return false;
}

/* Whether the tokens to come contradict the mappings, or are all outside of them. */
static bool is_another(const struct rv_space *x, struct rv_ahead ahead)
{
	bool same = false, outside = false;

	for (size_t i = 0; i < ahead.n && i < LOOK; i++) {
		const struct nfaperf_token *t = &ahead.at[i];
		const struct rv_mapping *m;

		if (!rv_space_has(x, t))
			continue;
		m = rv_space_covering(x, t->pc);
		if (m != NULL && (uint32_t)*rv_mapping_entry(m, t->pc) != t->instruction)
			return true;
		same |= m != NULL;
		outside |= m == NULL;
	}
	return outside && !same;
}

bool rv_space_resume(struct rv_spaces *s, struct rv_space *x, struct rv_ahead ahead)
{
	return is_another(x, ahead) && rv_space_renew(s, x);
}
