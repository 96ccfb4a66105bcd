/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Random accesses and events of an invented program become messages of protocol mem and mem-word.
 * They are compared with an oracle, which goes through accesses byte by byte. The test finds the
 * fields of a header by their names.
 */
#include <stdlib.h>
#include <string.h>

#include "include/nfart.h"
#include "probes/memory/reader/messages.h"
#include "probes/memory/tests/random.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { BYTES = 16384, BLOCKS = 200, STEPS = 3000, MOST = 1 << 20, THREADS = 9, SLOTS = 6 };

static const uint64_t base = 0x600000000000;
struct wanted {
	uint64_t address, kind, thread, line, offset, byte;
	bool beyond, held, gone, zeroed, program;
};

struct play {
	const struct nfart_proto *p;
	struct memory memory;
	struct memory_output output;
	bool words;
	struct place *block[BLOCKS];
	uint64_t first_line[BLOCKS]; /* 0: none yet */
	uint64_t nblocks, next_line, held[THREADS];
	struct wanted *wanted;
	uint64_t n, got;
	const char *wrong;
};

static uint64_t field(const struct play *t, uint32_t slot, uint64_t header, const char *name)
{
	uint64_t value = UINT64_MAX;

	for (uint32_t i = 0; i < nfart_proto_nfields(t->p); i++)
		if (strcmp(nfart_proto_field_name(t->p, i), name) == 0 &&
		    nfart_proto_field(t->p, i, slot, header, &value))
			return value;
	return UINT64_MAX;
}

static void check_message(struct play *t, unsigned in, uint64_t h, const struct message *m)
{
	const struct wanted *w = &t->wanted[t->got];
	uint64_t kind = h >> 56 & 31;
	uint64_t line = t->words ? h << 27 >> 30 : h << 8 >> 40;
	const char *slot = w->program ? "program" : w->zeroed ? "zeroed" : "heap";

	if (t->got == t->n) {
		t->wrong = "there are more messages";
		return;
	}
	t->got++;
	if ((int)in != nfart_proto_slot(t->p, slot))
		t->wrong = "another slot";
	if (kind != w->kind || m->kind != w->kind || m->thread != w->thread ||
	    h >> 61 != (w->thread < 7 ? w->thread : 7))
		t->wrong = "another kind, or another thread";
	if (w->program)
		return;
	if (m->gone != w->gone || m->address != w->address)
		t->wrong = "it is about another block";
	if (line != w->line)
		t->wrong = "another line";
	if (field(t, in, h, "offset") != w->offset || field(t, in, h, "beyond") != w->beyond ||
	    field(t, in, h, "held") != w->held || (t->words && field(t, in, h, "byte") != w->byte))
		t->wrong = "another field";
}

static bool take_block(void *ctx, const struct message_block *b, struct nfart_error *e)
{
	struct play *t = ctx;

	(void)e;
	if (b->first != t->got + 1)
		t->wrong = "the first message has another time";
	for (size_t i = 0; i < b->n && t->wrong == NULL; i++)
		check_message(t, b->slot[i], b->header[i], &b->message[i]);
	return true;
}

/* ---- the oracle ---- */

static uint64_t number_of(const struct play *t, const struct place *p)
{
	for (uint64_t i = 0; i < t->nblocks; i++)
		if (t->block[i] == p)
			return i;
	return BLOCKS;
}

/*
 * Expects a message for byte `offset` of a block. `beyond`: a byte of this part of the access is
 * beyond the block.
 */
static void expect_message(struct play *t, const struct memory_event *v, uint64_t kind,
			   struct place *p, uint64_t offset, bool beyond)
{
	uint64_t i = number_of(t, p), words = (p->bytes + 7) / 8;
	uint64_t word = offset / 8 < words ? offset / 8 : words - 1;
	struct wanted w = { v->address, kind,
			    v->thread,  0,
			    offset,     offset % 8,
			    beyond,     t->held[v->thread] > 0,
			    p->gone,    p->kind == PLACE_CALLOC,
			    false };

	if (t->first_line[i] == 0) {
		t->first_line[i] = t->next_line;
		t->next_line += t->words ? words : 1;
	}
	w.line = t->first_line[i] + (t->words ? word : 0);
	if (t->words) {
		w.offset = word * 8;
		w.byte = word == offset / 8 ? offset % 8 : 0;
	}
	t->wanted[t->n++] = w;
}

/*
 * Expects a message for each block that has a byte of an access, or for each word. The first byte
 * must be in a block.
 */
static void expect_access(struct play *t, const struct memory_event *v, uint64_t kind)
{
	struct place *last = NULL;
	uint64_t last_word = 0;

	for (uint64_t at = v->address; at < v->address + v->bytes; at++) {
		struct place *p = places_find(t->memory.places, at);
		uint64_t word;

		if (p == NULL || number_of(t, p) == BLOCKS) {
			last = NULL;
			continue;
		}
		word = t->words ? (at - p->at < p->bytes ? at - p->at : p->bytes - 1) / 8 : 0;
		if (p != last || word != last_word)
			expect_message(t, v, kind, p, at - p->at, false);
		t->wanted[t->n - 1].beyond |= at - p->at >= p->bytes;
		last = p;
		last_word = word;
	}
}

/* ---- a play ---- */

static void allocate_block(struct play *t, struct memory_event *v, uint64_t at)
{
	bool zeroed = random_below(2) == 0;

	v->kind = zeroed ? MEM_CALLOC : MEM_MALLOC;
	v->address = at;
	v->bytes = 1 + random_below(120);
	v->place = places_allocate(t->memory.places, zeroed ? PLACE_CALLOC : PLACE_MALLOC, at,
				   v->bytes, 1);
	t->block[t->nblocks++] = v->place;
	if (!t->words)
		expect_message(t, v, v->kind, v->place, 0, false);
}

static bool step_play(struct play *t, struct nfart_error *e)
{
	static const enum mem_event ranges[] = { MEM_STORE, MEM_FETCH, MEM_FILL };
	struct memory_event v = { .thread = (uint32_t)random_below(THREADS) };
	struct place *p = t->block[random_below(t->nblocks)];
	static struct memory_site sites[2] = { { .atomic = false }, { .atomic = true } };
	struct memory_access a;

	v.place = p;
	v.address = p->at + random_below(p->bytes);
	v.bytes = 1 + random_below(random_below(4) == 0 ? 300 : 16);
	switch (random_below(8)) {
	case 0:
		v.kind = ranges[random_below(3)];
		expect_access(t, &v, v.kind);
		break;
	case 1:
		v.kind = MEM_FREE;
		v.address = p->at;
		v.how = random_below(MEM_FREED_MISMATCHED + MEM_MAKERS * MEM_MAKERS);
		if (!t->words)
			expect_message(t, &v, v.kind, p, 0, v.how >= MEM_FREED_MISMATCHED);
		if (!t->output.event(t->output.ctx, &v, e))
			return false;
		places_release(t->memory.places, p->at);
		return true;
	case 2:
		v.kind = random_below(2) == 0 ? MEM_LOCK : MEM_UNLOCK;
		t->held[v.thread] += v.kind == MEM_LOCK;
		if (t->words) {
			uint64_t left = p->at + p->bytes - v.address;

			v.bytes = left < 40 ? left : 40;
			expect_access(t, &v, v.kind);
		} else {
			expect_message(t, &v, v.kind, p, v.address - p->at, false);
		}
		t->held[v.thread] -= v.kind == MEM_UNLOCK && t->held[v.thread] > 0;
		break;
	case 3:
		v.kind = random_below(2) == 0 ? MEM_THREAD : MEM_EXIT;
		t->wanted[t->n++] =
			(struct wanted){ .kind = v.kind, .thread = v.thread, .program = true };
		/* Another thread may get the number. */
		if (v.kind == MEM_EXIT)
			t->held[v.thread] = 0;
		break;
	default:
		a = (struct memory_access){ .address = v.address,
					    .bytes = v.bytes,
					    .place = p,
					    .thread = v.thread,
					    .kind = (enum mem_kind)random_below(3) };
		if (random_below(2) == 0)
			a.site = &sites[random_below(2)];
		/* An atomic access counts as if the thread held a lock. */
		t->held[v.thread] += a.site == &sites[1];
		expect_access(t, &v, a.kind);
		t->held[v.thread] -= a.site == &sites[1];
		return t->output.access(t->output.ctx, &a, e);
	}
	return t->output.event(t->output.ctx, &v, e);
}

static bool play(const struct nfart_proto *p, bool words, uint64_t seed)
{
	struct play *t = calloc(1, sizeof *t);
	struct names *names = names_new();
	struct nfart_error e = { 0 };
	struct messages *x = messages_new(&t->memory, p, &e);
	uint64_t at = base;
	bool fine = x != NULL;

	random_state = seed * 2 + 1;
	*t = (struct play){
		.p = p, .words = words, .next_line = 1, .wanted = calloc(MOST, sizeof *t->wanted)
	};
	t->memory.places = places_new(names);
	places_region(t->memory.places, base, BYTES, MEM_HEAP);
	t->output = messages_output(x);
	messages_add(x, take_block, NULL, t);
	for (unsigned i = 0; i < BLOCKS / 2 && fine && at < base + BYTES - 256; i++) {
		struct memory_event v = { .thread = 0 };

		allocate_block(t, &v, at);
		fine = t->output.event(t->output.ctx, &v, &e);
		at += (v.bytes + 15) / 16 * 16 + 16 * (1 + random_below(2));
	}
	for (unsigned i = 0; i < STEPS && fine && t->wrong == NULL; i++)
		fine = step_play(t, &e);
	fine = fine && t->output.settle(t->output.ctx, &e);
	if (t->wrong == NULL && t->got != t->n)
		t->wrong = "messages are missing";
	if (!fine || t->wrong != NULL)
		printf("# seed %llu, message %llu: %s\n", (unsigned long long)seed,
		       (unsigned long long)t->got, t->wrong != NULL ? t->wrong : e.what);
	fine = fine && t->wrong == NULL && t->n > STEPS / 2;
	messages_free(x);
	places_free(t->memory.places);
	names_free(names);
	free(t->wanted);
	free(t);
	return fine;
}

int main(void)
{
	static const char *const names[] = { "mem", "mem-word" };
	struct tap t = { 0, 0 };
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_MESSAGES_SEEDS", 20);

	for (unsigned words = 0; words < 2; words++) {
		struct nfart_proto *p = nfart_proto_open(names[words], NULL);
		bool fine = p != NULL;

		for (uint64_t i = seed; i < seed + n && fine; i++)
			fine = play(p, words, i);
		tap_case(&t, fine, "messages of protocol %s, from seed %llu", names[words],
			 (unsigned long long)seed);
		nfart_proto_free(p);
	}
	return tap_end(&t);
}
