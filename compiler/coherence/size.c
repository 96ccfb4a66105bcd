/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/coherence/size.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How many states are compared: enough to tell parts apart, and sorted in milliseconds. They are
 * those that were found first, or if each part of these follows from the others, those that were
 * found last. */
enum { COMPARED = 8192 };

static int compare_hashes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Removes all messages that nodes have under way. */
static void remove_messages(const struct coh *c, uint32_t senders, struct state *x)
{
	uint8_t n = 0;

	for (uint8_t i = 0; i < x->n; i++)
		if ((senders >> c->events[x->m[i].event].node & 1) == 0)
			x->m[n++] = x->m[i];
	memset(x->m + n, 0, (size_t)(x->n - n) * sizeof x->m[0]);
	x->n = n;
}

/* Returns what renamings make of a part: a bit set over variables, or over nodes. */
static uint32_t size_parts(const struct symmetry *y, const struct coh_part *part)
{
	uint32_t parts = 0;

	for (uint32_t i = 0; i < y->nrenamings; i++) {
		const struct renaming *g = &y->renamings.at[i];

		parts |= (uint32_t)1 << (part->kind == COH_PART_VARIABLE
						 ? renamed_var(y, g, part->of)
						 : renamed_node(y, g, part->of));
	}
	return parts;
}

/* Counts the states that differ in more than one part. `hashes` has room for n. */
static uint32_t size_without(const struct symmetry *y, const struct state *states, uint32_t n,
			     const struct coh_part *part, uint64_t *hashes)
{
	uint32_t parts = size_parts(y, part), count = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct state x = states[i], one;

		for (uint32_t k = 0; k < y->c->nvars && part->kind == COH_PART_VARIABLE; k++)
			if ((parts >> k & 1) != 0)
				x.var[k] = 0;
		if (part->kind == COH_PART_MESSAGES)
			remove_messages(y->c, parts, &x);
		symmetry_canonical(y, &x, &one, NULL);
		hashes[i] = state_hash(&one);
	}
	qsort(hashes, n, sizeof *hashes, compare_hashes);
	for (uint32_t i = 0; i < n; i++)
		count += i == 0 || hashes[i] != hashes[i - 1];
	return count;
}

/* Finds the part without which the fewest of n states are left. `hashes` has room for n. */
static struct coh_part find_largest(const struct symmetry *y, const struct state *states,
				    uint32_t n, uint64_t *hashes)
{
	const struct coh *c = y->c;
	struct coh_part largest = { COH_PART_NONE, 0, false, 0 };
	uint32_t least = n;

	for (uint32_t i = 0; i < c->nvars + c->net.nnodes; i++) {
		struct coh_part part = { i < c->nvars ? COH_PART_VARIABLE : COH_PART_MESSAGES,
					 i < c->nvars ? i : i - c->nvars, false, 0 };
		uint32_t left = size_without(y, states, n, &part, hashes);

		if (left >= least)
			continue;
		least = left;
		part.others = (size_parts(y, &part) & (size_parts(y, &part) - 1)) != 0;
		part.tenths = (uint32_t)((uint64_t)n * 10 / left);
		largest = part;
	}
	return largest;
}

bool size_measure(const struct symmetry *y, const struct state *states, uint32_t n,
		  struct coh_part *largest)
{
	uint32_t compared = n < COMPARED ? n : COMPARED;
	uint64_t *hashes = malloc((compared + 1) * sizeof *hashes);

	*largest = (struct coh_part){ COH_PART_NONE, 0, false, 0 };
	if (hashes != NULL)
		*largest = find_largest(y, states, compared, hashes);
	if (hashes != NULL && largest->kind == COH_PART_NONE)
		*largest = find_largest(y, states + (n - compared), compared, hashes);
	free(hashes);
	return hashes != NULL;
}

struct diag_range size_place(const struct coh *c, const struct coh_part *part,
			     struct diag_range otherwise)
{
	if (part->kind == COH_PART_VARIABLE)
		return c->vars[part->of].range;
	if (part->kind == COH_PART_MESSAGES &&
	    c->net.flight_range[part->of].end != c->net.flight_range[part->of].begin)
		return c->net.flight_range[part->of];
	return otherwise;
}

void size_report_all(const struct coh *c, struct diags *d, const struct coh_part *largest,
		     bool more, uint32_t n, uint64_t all, uint64_t most)
{
	const char *than = more ? "more than " : "";
	size_t record = diag_report(d, DIAG_ERROR, "gave-up",
				    size_place(c, largest, c->list.at[0].range),
				    "gave up: the rules allow %s%" PRIu32 " states up to renaming "
				    "of equal nodes, which are %s%" PRIu64 " in all; the tap tells "
				    "these nodes apart, and at most %" PRIu64 " can be told apart",
				    than, n, than, all, most);

	size_note(c, d, record, largest);
}

void size_note(const struct coh *c, struct diags *d, size_t record, const struct coh_part *part)
{
	const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };
	const struct coh_var *v = &c->vars[part->of];

	if (part->kind == COH_PART_VARIABLE)
		diag_note(d, record, nowhere,
			  "the variable '%s' of %s%s the states by %" PRIu32 ".%" PRIu32
			  ": fewer values, or tests that say when it changes, make fewer states",
			  v->name, c->net.names[v->node],
			  part->others ? ", with those of equal nodes, multiplies" : " multiplies",
			  part->tenths / 10, part->tenths % 10);
	else if (part->kind == COH_PART_MESSAGES)
		diag_note(d, record, nowhere,
			  "the messages that %s has under way%s multiply the states by %" PRIu32
			  ".%" PRIu32 ": a smaller 'flight %s' than %" PRIu32
			  " makes fewer states",
			  c->net.names[part->of],
			  part->others ? ", with those of equal nodes," : "", part->tenths / 10,
			  part->tenths % 10, c->net.names[part->of],
			  c->net.flight[part->of]);
	diag_note(d, record, nowhere, "--checker-states allows more states");
}
