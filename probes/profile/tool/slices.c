/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tool/slices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probes/profile/stacks/profile_view.h"
#include "support/bits.h"
#include "support/order.h"

enum { BLOCK = 1 << 16 };

enum nfart_status slices_init(struct slices *x, const struct rv_code *code, uint16_t hart,
			      uint64_t frequency, struct nfart_error *e)
{
	*x = (struct slices){ .code = code, .hart = hart, .frequency = frequency };
	x->packets.out = &x->out;
	x->packets.nnames = code->functions.n + 1;
	x->packets.named = calloc(bits_words(x->packets.nnames), sizeof *x->packets.named);
	if (x->packets.named == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	x->events = tmpfile();
	return x->events != NULL ? NFART_OK
				 : nfart_fail(e, NFART_SYSTEM, "can't make a temporary file: %s",
					      strerror(errno));
}

void slices_free(struct slices *x)
{
	if (x->events != NULL)
		fclose(x->events);
	free(x->packets.named);
	buf_free(&x->packets.event);
	buf_free(&x->packets.packet);
	buf_free(&x->out);
	vec_free(&x->tracks);
	vec_free(&x->newest);
	vec_free(&x->path);
}

/* ---- events ---- */

/* Writes the collected events to a file. Returns false on failure and sets x->error. */
static bool flush_slices(struct slices *x, FILE *f)
{
	if (x->error == 0 && x->out.n != 0 && fwrite(x->out.at, 1, x->out.n, f) != x->out.n)
		x->error = errno != 0 ? errno : EIO;
	x->out.n = 0;
	return x->error == 0;
}

/* Sets the time of the next events. */
static void set_time(struct slices *x, uint64_t cycle)
{
	unsigned __int128 ns = cycle;

	if (x->frequency != 0)
		ns = ns * 1000000000u / x->frequency;
	x->packets.time = ns > INT64_MAX ? INT64_MAX : (uint64_t)ns;
	if (x->any)
		return;
	x->any = true;
	x->from = x->packets.last = x->packets.time;
}

/* Numbers of names: first those of functions, then those of processes. */
static uint64_t name_of(const struct slices *x, uint32_t function)
{
	return function < RV_PROCESS ? (uint64_t)function + 1
				     : x->code->functions.n + 1 + (function - RV_PROCESS);
}

/* Appends the begin of a slice of the function, or the end of the innermost slice. */
static void put_slice(struct slices *x, enum perfetto_event type, uint32_t function)
{
	uint64_t name = type == EVENT_END ? 0 : name_of(x, function);

	perfetto_event(&x->packets, type, (uint64_t)x->track + 1, name);
	perfetto_end_event(&x->packets);
	if (type == EVENT_BEGIN && function < RV_PROCESS)
		bits_set(x->packets.named, name);
	if (x->out.n >= BLOCK)
		flush_slices(x, x->events);
}

/* Goes from the open stack to the stack with the node `to` on top. 0 means no stack. */
static void go(struct slices *x, const struct call_tree *tree, uint32_t to)
{
	const struct call_node *nodes = tree->nodes.at;

	x->path.n = 0;
	/* Children have higher numbers than their parents. */
	for (uint32_t from = x->top, at = to; from != at;) {
		if (from > at) {
			put_slice(x, EVENT_END, 0);
			from = nodes[from].parent;
		} else {
			x->failed |= !vec_push(&x->path, at);
			at = nodes[at].parent;
		}
	}
	while (x->path.n > 0)
		put_slice(x, EVENT_BEGIN, nodes[x->path.at[--x->path.n]].function);
	x->top = to;
}

/* ---- tracks ---- */

static uint32_t base_of(const struct call_tree *tree, uint32_t node)
{
	while (tree->nodes.at[node].parent != 0)
		node = tree->nodes.at[node].parent;
	return tree->nodes.at[node].function;
}

/* Sets x->track to the track of a thread. `base` is the base of its stack. */
static void choose_track(struct slices *x, uint32_t thread, uint32_t base)
{
	struct slice_track new = { base, thread, (uint32_t)x->tracks.n };

	while (x->newest.n <= thread)
		if (!vec_push(&x->newest, 0)) {
			x->failed = true;
			return;
		}
	if (x->newest.at[thread] != 0 && x->tracks.at[x->newest.at[thread] - 1].base == base) {
		x->track = x->newest.at[thread] - 1;
		return;
	}
	x->failed |= !vec_push(&x->tracks, new);
	x->track = new.number;
	x->newest.at[thread] = new.number + 1;
}

void slices_take(void *ctx, const struct rv_profile *p, const struct rv_hart *h,
		 const struct rv_move *change)
{
	struct slices *x = ctx;
	uint32_t base;

	if (change->token->hart != x->hart || x->failed)
		return;
	/* The cycles since the last token belong to the current token. */
	set_time(x, h->mark);
	x->top = x->top == 0 ? 0 : change->before;
	base = base_of(&p->tree, change->after);
	if (change->switched || change->anew || base != x->tracks.at[x->track].base) {
		go(x, &p->tree, 0);
		choose_track(x, change->thread, base);
	}
	if (!x->failed)
		go(x, &p->tree, change->after);
}

/* ---- the trace ---- */

static int by_base(const void *a, const void *b)
{
	const struct slice_track *x = a, *y = b;

	return order_2(x->base, y->base, x->number, y->number);
}

/*
 * Appends the tracks and the names of processes. A track of a process is below the process's own
 * track.
 */
static void put_tracks(struct slices *x, const struct rv_profile *p)
{
	struct buf name = { 0 };
	uint64_t parent = 0;

	if (x->tracks.n > 1)
		qsort(x->tracks.at, x->tracks.n, sizeof x->tracks.at[0], by_base);
	x->packets.tracks = x->tracks.n;
	for (uint32_t i = 0; i < x->tracks.n; i++) {
		const struct slice_track *t = &x->tracks.at[i];

		if (i == 0 || t->base != t[-1].base) {
			profile_name(p, t->base, &name);
			if (t->base >= RV_PROCESS) {
				perfetto_name(&x->packets, name_of(x, t->base), name.at);
				buf_addf(&name, " (process %u)", t->base - RV_PROCESS);
			}
			parent = perfetto_track(&x->packets, 0, name.at, i);
		}
		name.n = 0;
		buf_addf(&name, "thread %u", t->thread);
		perfetto_describe(&x->packets, (uint64_t)t->number + 1, parent, name.at, t->number);
	}
	x->failed |= name.failed;
	buf_free(&name);
}

/* Appends the names of all functions that have slices. */
static void put_names(struct slices *x, const uint64_t *used)
{
	struct buf name = { 0 };

	for (size_t i = bits_next(used, x->packets.nnames, 0); i < x->packets.nnames;
	     i = bits_next(used, x->packets.nnames, i + 1)) {
		name.n = 0;
		rv_code_name(x->code, (uint32_t)i - 1, &name);
		perfetto_name(&x->packets, i, name.at);
	}
	x->failed |= name.failed;
	buf_free(&name);
}

/* Copies the events to f, after what was written there. */
static void copy_events(struct slices *x, FILE *f)
{
	static char block[BLOCK];
	size_t n;

	rewind(x->events);
	while (x->error == 0 && (n = fread(block, 1, sizeof block, x->events)) > 0) {
		errno = 0;
		if (fwrite(block, 1, n, f) != n)
			x->error = errno != 0 ? errno : EIO;
	}
	if (ferror(x->events) != 0 && x->error == 0)
		x->error = EIO;
}

enum nfart_status slices_end(struct slices *x, const struct rv_profile *p, FILE *f,
			     struct nfart_error *e)
{
	const struct rv_hart *h = p->harts[x->hart];
	uint64_t *used = x->packets.named;

	if (h != NULL && x->top != 0) {
		x->top = rv_thread_top(h->thread)->node;
		set_time(x, h->last.cycle);
		go(x, &p->tree, 0);
	}
	flush_slices(x, x->events);
	x->packets.named = calloc(bits_words(p->spaces.processes.n + x->packets.nnames),
				  sizeof *used);
	x->failed |= x->packets.named == NULL;
	if (!x->failed && x->any) {
		x->packets.time = x->from;
		perfetto_begin(&x->packets);
		put_tracks(x, p);
		put_names(x, used);
		flush_slices(x, f);
		copy_events(x, f);
	}
	free(used);
	if (x->failed || x->out.failed)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	return x->error == 0 ? NFART_OK
			     : nfart_fail(e, NFART_SYSTEM, "can't write: %s", strerror(x->error));
}
