/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Hands out the tasks of the piece queue and takes them back. Callers hold the lock of the queue
 * (parallel.h, Note [the queue]).
 */
#include "runtime/run/parallel.h"

static bool take_share(struct parallel *px, uint32_t first, struct task *t)
{
	for (uint32_t i = 0; i < px->n; i++) {
		uint32_t k = (first + i) % px->n;
		if (px->queue.busy[k] || px->queue.next[k] >= px->queue.accepted)
			continue;
		px->queue.busy[k] = true;
		*t = (struct task){ slot_at(px, px->queue.next[k]), true, k };
		return true;
	}
	return false;
}

static bool take_piece(struct parallel *px, struct task *t)
{
	for (uint64_t i = px->queue.head; i < px->queue.accepted; i++) {
		struct slot *s = slot_at(px, i);
		struct piece *p = &s->piece;
		bool second = px->r->second != NULL && p->before >= px->r->swap_at;
		if (s->state != SLOT_READY)
			continue;
		s->state = SLOT_RUNNING;
		/* The swap is in an earlier piece, which is not combined yet. So the start states
		 * of the second image are the guess. */
		if (second && !px->queue.recent.second) {
			p->guess.second = true;
			p->guess.engine.words.n = 0;
		} else if (!piece_state_copy(&p->guess, &px->queue.recent)) {
			p->failed = true;
		}
		*t = (struct task){ s, true, 0 };
		return true;
	}
	return false;
}

/* Sets the borders of the next piece of the trace, which goes into the slot at the tail. If the
 * index proposes no further border, this piece reaches to the end of the trace. */
static void cut_piece(struct parallel *px, struct slot *s)
{
	uint64_t offset;

	s->piece.source.entry = px->cutting.next;
	s->piece.source.until = UINT64_MAX;
	s->exact = px->cutting.exact;
	px->cutting.exact = false;
	while (s->piece.source.until == UINT64_MAX && trace_index_next(&px->cutting.index, &offset))
		if (offset >= px->cutting.next.offset + px->piece_bytes)
			s->piece.source.until = offset;
	if (s->piece.source.until == UINT64_MAX)
		px->cutting.done = true;
	else
		px->cutting.next = trace_border_guess(offset, px->cutting.index.n - 1);
}

static bool take_unfilled(struct parallel *px, struct task *t)
{
	struct slot *s = slot_at(px, px->queue.accepted);

	if (px->queue.accepted == px->queue.tail || s->state != SLOT_AGAIN) {
		if (!px->seekable || px->cutting.done ||
		    px->queue.tail - px->queue.head == px->queue.n)
			return false;
		s = slot_at(px, px->queue.tail++);
		cut_piece(px, s);
	}
	s->state = SLOT_FILLING;
	*t = (struct task){ s, false, 0 };
	return true;
}

bool queue_take(struct parallel *px, uint32_t number, struct task *t)
{
	t->slot = NULL;
	return (px->by_line ? take_share(px, number, t) : take_piece(px, t)) ||
	       take_unfilled(px, t);
}

void queue_accept(struct parallel *px, struct slot *s)
{
	s->piece.before = px->queue.batches;
	px->queue.batches += s->piece.stats.batches;
	s->state = SLOT_READY;
	s->shares_left = px->n;
	px->queue.accepted++;
}

/* Accepts filled pieces, in order, as long as their borders were guessed right. If the border of a
 * piece was guessed wrong, sets the true border and marks the piece to be filled again. */
static void accept_filled(struct parallel *px)
{
	struct piece_queue *q = &px->queue;

	while (q->accepted < q->tail && slot_at(px, q->accepted)->state == SLOT_FILLED) {
		struct slot *s = slot_at(px, q->accepted);
		struct piece *p = &s->piece;
		struct piece_source *from = &p->source;
		if (!s->exact && !trace_border_follows(&q->border, &from->entry, &from->exit)) {
			from->entry = q->border;
			s->exact = true;
			s->state = SLOT_AGAIN;
			return;
		}
		q->border = from->exit;
		queue_accept(px, s);
		if (p->status != NFART_OK)
			px->cutting.done = true;
		if (from->rest && q->accepted == q->tail && !px->r->result.interrupted) {
			px->cutting.next = q->border;
			px->cutting.exact = true;
			px->cutting.done = false;
		}
	}
}

void queue_finish(struct parallel *px, const struct task *t, bool ok)
{
	struct slot *s = t->slot;

	if (!t->run) {
		s->state = SLOT_FILLED;
		accept_filled(px);
		return;
	}
	s->piece.failed |= !ok;
	if (!px->by_line) {
		s->state = SLOT_DONE;
		return;
	}
	px->queue.busy[t->share] = false;
	px->queue.next[t->share]++;
	if (--s->shares_left == 0)
		s->state = SLOT_DONE;
}
