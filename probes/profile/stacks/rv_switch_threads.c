/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes the threads of a profile, and begins them anew.
 */
#include "probes/profile/stacks/rv_flow.h"

enum { MOST_THREADS = 1 << 14 };

static uint32_t process_node(struct rv_profile *p, const struct rv_hart *h)
{
	uint32_t function = h->space->kind == RV_SPACE_USER      ? RV_PROCESS + h->space->process
			    : h->space->kind == RV_SPACE_MACHINE ? (uint32_t)RV_FIRMWARE
								 : (uint32_t)RV_KERNEL;

	return call_tree_child(&p->tree, 0, function);
}

/* Frees the thread that has been parked for the longest time. */
static void drop_oldest(struct rv_profile *p)
{
	size_t oldest = p->threads.n;

	for (size_t i = 0; i < p->threads.n; i++)
		if (p->threads.at[i]->parked != 0 &&
		    (oldest == p->threads.n ||
		     p->threads.at[i]->parked < p->threads.at[oldest]->parked))
			oldest = i;
	if (oldest == p->threads.n)
		return;
	rv_thread_free(p->threads.at[oldest]);
	p->threads.at[oldest] = p->threads.at[--p->threads.n];
}

struct rv_thread *rv_switch_new(struct rv_profile *p, const struct rv_hart *h)
{
	uint32_t node = process_node(p, h);
	struct rv_thread *x = rv_thread_new(node, p->tree.nodes.at[node].function);

	if (p->threads.n >= MOST_THREADS)
		drop_oldest(p);
	if (x == NULL || !vec_push(&p->threads, x)) {
		rv_thread_free(x);
		return NULL;
	}
	x->has_program = h->space->kind == RV_SPACE_USER;
	x->satp = h->space->satp;
	x->number = p->started++;
	return x;
}

void rv_switch_reset(struct rv_profile *p, struct rv_hart *h)
{
	uint32_t node = process_node(p, h);

	rv_thread_reset(h->thread, node, p->tree.nodes.at[node].function);
	h->thread->has_program = h->space->kind == RV_SPACE_USER;
	h->thread->satp = h->space->satp;
}
