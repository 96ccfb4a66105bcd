/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/bus/replay.h"

#include <stdlib.h>

struct virt_replay *virt_replay_new(unsigned entries,
				    void (*sink)(void *ctx, const struct virt_snoop *s,
						 const struct virt_annotated *a),
				    void *ctx)
{
	struct virt_replay *r = calloc(1, sizeof *r);

	if (r == NULL)
		return NULL;
	virt_front_init(&r->front, entries);
	r->sink = sink;
	r->ctx = ctx;
	return r;
}

void virt_replay_free(struct virt_replay *r)
{
	free(r);
}

/*
 * An interconnect that is ready takes a request as soon as there is one. So where the front end has
 * no line to clean it was asked for one in vain, and then it ends the cleaning of its tables. Where
 * it has one, the interconnect was not ready until the recorded port made a request.
 */
static void settle(struct virt_replay *r)
{
	struct virt_front *f = &r->front;
	struct virt_stalker ahead;
	enum virt_next next;
	unsigned table;
	uint64_t pa, since;

	if (r->has_taken[VIRT_CHANNEL_CLEAN] || f->helper.ncleans > 0 || !f->stalker.unfinished)
		return;
	ahead = f->stalker;
	do
		next = virt_stalker_next(&ahead, &table, &pa, &since);
	while (next == VIRT_NEXT_END);
	if (next == VIRT_NEXT_NONE)
		virt_front_request(f, VIRT_CHANNEL_CLEAN, &r->taken[VIRT_CHANNEL_CLEAN]);
}

void virt_replay_write(struct virt_replay *r, unsigned offset, uint64_t value)
{
	virt_front_write(&r->front, offset, value);
	settle(r);
}

void virt_replay_snoop(struct virt_replay *r, const struct virt_snoop *s, const uint64_t *line)
{
	static const uint64_t nothing[VIRT_LINE_ENTRIES];
	struct virt_front *f = &r->front;
	uint64_t reads = f->regs.count[VIRT_COUNT_READS], walks = f->regs.count[VIRT_COUNT_WALKS];
	struct virt_annotated a = virt_front_snoop(f, s, line == NULL ? nothing : line);

	if (line == NULL && f->regs.count[VIRT_COUNT_WALKS] != walks)
		r->counts.unread++;
	if (f->regs.count[VIRT_COUNT_READS] != reads && r->sink != NULL)
		r->sink(r->ctx, s, &a);
	settle(r);
}

void virt_replay_dvm(struct virt_replay *r, const struct virt_dvm *m)
{
	virt_front_dvm(&r->front, m);
	settle(r);
}

/* Takes a request of the front end, if it has made none that the recorded port has not. */
static const struct virt_request *take(struct virt_replay *r, enum virt_channel channel)
{
	r->counts.requests++;
	if (!r->has_taken[channel])
		r->has_taken[channel] = virt_front_request(&r->front, channel, &r->taken[channel]);
	return r->has_taken[channel] && !r->under_way[channel] ? &r->taken[channel] : NULL;
}

static void compare(struct virt_replay *r, enum virt_channel channel, bool same)
{
	if (same)
		r->under_way[channel] = true;
	else
		r->counts.strange++;
}

void virt_replay_clean(struct virt_replay *r, uint64_t pa)
{
	const struct virt_request *x = take(r, VIRT_CHANNEL_CLEAN);

	compare(r, VIRT_CHANNEL_CLEAN,
		x != NULL && x->pa == virt_align(virt_pa(pa), VIRT_LINE_BITS));
	settle(r);
}

/* Whether two messages say the same. Not all kinds have an address, or a number. */
static bool is_same(const struct virt_dvm *a, const struct virt_dvm *b)
{
	bool va = a->kind == VIRT_TLBI_VA || a->kind == VIRT_TLBI_VA_LAST ||
		  a->kind == VIRT_ICACHE_VA;
	unsigned bits = a->kind == VIRT_ICACHE_VA ? VIRT_LINE_BITS : VIRT_PAGE_BITS;

	if (a->kind != b->kind)
		return false;
	if (va && virt_align(virt_va(a->va), bits) != virt_align(virt_va(b->va), bits))
		return false;
	return a->kind == VIRT_SYNC || a->kind == VIRT_TLBI_ALL || a->asid == b->asid;
}

void virt_replay_send(struct virt_replay *r, const struct virt_dvm *m)
{
	const struct virt_request *x = take(r, VIRT_CHANNEL_DVM);

	compare(r, VIRT_CHANNEL_DVM, x != NULL && (m == NULL || is_same(&x->message, m)));
}

void virt_replay_done(struct virt_replay *r, enum virt_channel channel, const uint64_t *line)
{
	if (!r->under_way[channel])
		return;
	r->under_way[channel] = r->has_taken[channel] = false;
	virt_front_done(&r->front, channel, line);
	settle(r);
}

void virt_replay_lost(struct virt_replay *r)
{
	const struct virt_dvm all = { .kind = VIRT_TLBI_ALL };

	virt_replay_dvm(r, &all);
}
