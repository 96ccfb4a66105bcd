/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/map/sat/activity.h"

enum {
	FIRST_BUMP = 1 << 10,
	AGEING = 5, /* each conflict raises the bump by 2^-AGEING of it */
	SHIFT = 40  /* by so many bits activities are scaled down before they overflow */
};

static const uint64_t most_activity = (uint64_t)1 << 60;

static bool is_before(const struct activity *a, uint32_t u, uint32_t v)
{
	return a->activity[u] != a->activity[v] ? a->activity[u] > a->activity[v] : u < v;
}

static void put_variable(struct activity *a, uint32_t at, uint32_t v)
{
	a->heap[at] = v;
	a->place[v] = at;
}

static void move_up(struct activity *a, uint32_t v)
{
	uint32_t at = a->place[v];

	while (at > 0 && is_before(a, v, a->heap[(at - 1) / 2])) {
		put_variable(a, at, a->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	put_variable(a, at, v);
}

bool activity_init(struct activity *a, uint32_t nvars, struct arena *arena)
{
	*a = (struct activity){.nvars = nvars, .bump = FIRST_BUMP};
	a->activity = arena_array(arena, nvars, sizeof *a->activity);
	a->heap = arena_array(arena, nvars, sizeof *a->heap);
	a->place = arena_array(arena, nvars, sizeof *a->place);
	if (a->activity == NULL || a->heap == NULL || a->place == NULL)
		return false;
	for (uint32_t v = 0; v < nvars; v++)
		a->place[v] = nvars;
	for (uint32_t v = 0; v < nvars; v++)
		activity_add(a, v);
	return true;
}

void activity_add(struct activity *a, uint32_t v)
{
	if (a->place[v] == a->nvars) {
		a->place[v] = a->nheap++;
		move_up(a, v);
	}
}

uint32_t activity_pop(struct activity *a)
{
	uint32_t top = a->heap[0], v = a->heap[--a->nheap], at = 0;

	a->place[top] = a->nvars;
	if (a->nheap == 0)
		return top;
	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child + 1 < a->nheap && is_before(a, a->heap[child + 1], a->heap[child]))
			child++;
		if (child >= a->nheap || !is_before(a, a->heap[child], v))
			break;
		put_variable(a, at, a->heap[child]);
		at = child;
	}
	put_variable(a, at, v);
	return top;
}

/* Scales activities down. Ties may arise, so the heap is put in order again: moving up its members
 * in turn makes a heap of the ones so far. */
static void scale_down(struct activity *a)
{
	for (uint32_t v = 0; v < a->nvars; v++)
		a->activity[v] >>= SHIFT;
	a->bump = (a->bump >> SHIFT) + 1;
	for (uint32_t i = 0; i < a->nheap; i++)
		move_up(a, a->heap[i]);
}

void activity_raise(struct activity *a, uint32_t v)
{
	a->activity[v] += a->bump;
	if (a->activity[v] > most_activity)
		scale_down(a);
	if (a->place[v] != a->nvars)
		move_up(a, v);
}

void activity_age(struct activity *a)
{
	a->bump += a->bump >> AGEING;
}
