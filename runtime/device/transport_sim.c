/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A simulated engine in this process. Its clock runs while something is asked of it. Its output
 * waits in a queue; when the queue is full, the output is not ready, as behind a slow DMA engine.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/image/record.h"
#include "runtime/device/device_priv.h"
#include "runtime/device/nfacc_registers.h"
#include "runtime/device/rtl_engine.h"
#include "support/bits.h"
#include "support/vec.h"

enum { MOST_QUEUE = 1 << 22, QUIET_CYCLES = 64 };

struct sim {
	struct rtl_engine *engine;
	VEC(uint64_t) queue; /* words of the output */
	size_t next;         /* index in `queue` of the next word to deliver */
	size_t begun;        /* index in `queue` of the record that this word belongs to */
	bool no_memory;
};

static bool sim_ready(void *ctx)
{
	struct sim *s = ctx;

	return s->queue.n < MOST_QUEUE;
}

static void sim_word(struct sim *s, uint64_t word)
{
	if (!vec_push(&s->queue, word))
		s->no_memory = true;
}

static void sim_names(struct sim *s)
{
	const struct record_names *n = rtl_engine_names(s->engine);

	if (rtl_engine_info(s->engine)->names == 0)
		return;
	sim_word(s, n->n | (n->more ? RECORD_MORE : 0));
	for (uint32_t i = 0; i < n->n; i++) {
		sim_word(s, n->name[i].number);
		sim_word(s, n->name[i].labels);
	}
}

static void sim_record(void *ctx, const struct nfart_batch *b, uint64_t labels)
{
	struct sim *s = ctx;

	sim_word(s, b->time);
	sim_word(s, b->mask);
	sim_word(s, labels);
	sim_names(s);
	if (b->mask == 0)
		sim_word(s, b->when == 0 ? b->lost : TRACE_MARK(b->when));
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		sim_word(s, b->header[__builtin_ctzll(m)]);
	for (size_t i = 0; i < bits_count(b->mask) * (size_t)b->payload_words; i++)
		sim_word(s, b->payload[i]);
}

static bool sim_open(struct device *d, const char *where)
{
	struct sim *s = calloc(1, sizeof *s);
	struct rtl_options o = { .model = where, .ready = sim_ready, .sink = sim_record,
				 .ctx = s };
	struct nfart_error e;

	if (s == NULL)
		return device_fail(d, DEVICE_SYSTEM, "out of memory");
	d->state = s;
	s->engine = rtl_engine_open(RTL_ANY, &o, &e);
	return s->engine != NULL || device_fail(d, DEVICE_SYSTEM, "%s", e.what);
}

static void sim_close(struct device *d)
{
	struct sim *s = d->state;

	if (s == NULL)
		return;
	rtl_engine_close(s->engine);
	vec_free(&s->queue);
	free(s);
}

static bool sim_ok(struct device *d, bool ok)
{
	struct sim *s = d->state;

	if (s->no_memory)
		return device_fail(d, DEVICE_SYSTEM, "out of memory");
	if (ok)
		return true;
	device_fail(d, DEVICE_GONE, "%s", rtl_engine_why(s->engine));
	rtl_engine_forget(s->engine);
	return false;
}

static bool sim_read(struct device *d, uint32_t offset, uint32_t *value)
{
	struct sim *s = d->state;

	return sim_ok(d, rtl_engine_read(s->engine, offset, value));
}

/* Returns where the record at `at` in the queue ends. */
static size_t sim_record_end(const struct sim *s, size_t at)
{
	uint64_t mask = s->queue.at[at + 1];

	return at + record_head_words(s->queue.at + at, rtl_engine_info(s->engine)->names) +
	       record_body_words(mask, rtl_engine_info(s->engine)->payload);
}

/* Forgets the output that nobody took. A record of which some words were taken is completed. */
static void sim_forget(struct sim *s)
{
	s->queue.n = s->next == s->begun ? s->next : sim_record_end(s, s->begun);
}

static bool sim_write(struct device *d, uint32_t offset, uint32_t value)
{
	struct sim *s = d->state;
	uint32_t status;

	if (!sim_ok(d, rtl_engine_write(s->engine, offset, value)))
		return false;
	if (offset != NFACC_REG_CONTROL)
		return true;
	/* A reset forgets what is buffered, and a new stream begins with its own records. */
	if (!sim_ok(d, rtl_engine_read(s->engine, NFACC_REG_STATUS, &status)))
		return false;
	if ((value == NFACC_CONTROL_RESET || value == NFACC_CONTROL_ARM) &&
	    (status & NFACC_STATUS_REFUSED) == 0)
		sim_forget(s);
	return true;
}

static long sim_stream(struct device *d, uint64_t *words, size_t n)
{
	struct sim *s = d->state;
	size_t have;

	if (s->next == s->queue.n)
		rtl_engine_idle(s->engine, QUIET_CYCLES);
	if (!sim_ok(d, rtl_engine_why(s->engine) == NULL))
		return -1;
	have = s->queue.n - s->next;
	have = have < n ? have : n;
	if (have != 0)
		memcpy(words, s->queue.at + s->next, have * sizeof *words);
	s->next += have;
	while (s->begun < s->next && sim_record_end(s, s->begun) <= s->next)
		s->begun = sim_record_end(s, s->begun);
	if (s->next == s->queue.n)
		s->next = s->begun = s->queue.n = 0;
	return (long)have;
}

static bool sim_room(struct device *d, struct device_room *room)
{
	const struct sim *s = d->state;

	rtl_engine_memory(s->engine, &room->size);
	return true;
}

static bool sim_memory(struct device *d, uint64_t address, void *p, size_t n)
{
	const struct sim *s = d->state;
	uint64_t size;
	const unsigned char *from = rtl_engine_memory(s->engine, &size);

	if (from == NULL || address > size || n > size - address)
		return device_fail(d, DEVICE_REFUSED, "the simulated engine has no such memory");
	memcpy(p, from + address, n);
	return true;
}

static bool sim_inject(struct device *d, const struct nfart_batch *b, uint32_t cycles)
{
	struct sim *s = d->state;
	uint32_t slots = rtl_engine_info(s->engine)->slots;

	if (b == NULL)
		rtl_engine_idle(s->engine, cycles);
	else if (b->mask == 0 || (slots < 64 && b->mask >> slots != 0))
		return device_fail(d, DEVICE_OTHER, "the batch has slots that the engine lacks");
	else
		rtl_engine_batch(s->engine, b);
	return sim_ok(d, rtl_engine_why(s->engine) == NULL);
}

const struct device_transport transport_sim = {
	.name = "sim",
	.form = "sim:MODEL",
	.about = "a simulated engine in this process: a file that nfamodel built",
	.open = sim_open,
	.close = sim_close,
	.read = sim_read,
	.write = sim_write,
	.stream = sim_stream,
	.room = sim_room,
	.memory = sim_memory,
	.inject = sim_inject,
};
