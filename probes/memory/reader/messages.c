/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/messages.h"

#include <stdlib.h>
#include <string.h>

/* The fields of a header; see Note [memory headers] in protocols/mem.proto. */
enum {
	BY_AT = 32,
	THREAD_AT = 61,
	THREAD_MOST = 7,
	KIND_AT = 56,
	BLOCK_AT = 32,
	BEYOND_AT = 31,
	HELD_AT = 30,
	BLOCK_MOST = (1 << 24) - 1,
	OFFSET_MOST = (1 << 30) - 1,
	WORD = 8,
	WORD_BEYOND_AT = 55,
	WORD_HELD_AT = 54,
	WORD_OFFSET_AT = 37,
	WORD_OFFSET_MOST = (1 << 17) - WORD,
	WORD_AT = 3
};
#define WORD_MOST (((uint64_t)1 << 34) - 1)

/* The bits of a header in which messages about the inside of a block differ: `thread`, `held` and
 * `offset`. */
#define VARIES (UINT64_MAX << THREAD_AT | (((uint64_t)1 << BEYOND_AT) - 1))

enum {
	MOST_HELD = 1024, /* messages that are collected before they are passed on */
	FEW_HELD = 64,    /* so many are passed on early, so that filters can be asked */
	LINES_HELD = 1 << 12,
	MOST_VAIN = 256,  /* after so many questions in vain there is a pause */
	VAIN_PAUSE = 1 << 14,
	ACCESS_KINDS = (1 << MEM_KINDS) - 1,
	THREADS = 1 << 16,
	GAP_STEP = 16,
	LOCK_BYTES = 40 /* size of a mutex, the largest lock; mem-word counts its words */
};

static const char *const slot_names[] = { "data", "bss", "heap", "mapped", "zeroed", "program" };
enum { SLOT_DATA, SLOT_BSS, SLOT_HEAP, SLOT_MAPPED, SLOT_ZEROED, SLOT_PROGRAM, SLOTS };

struct taker {
	messages_take *take;
	messages_quiet *quiet;
	void *ctx;
};

struct messages {
	struct memory *memory;
	bool words;              /* the protocol is mem-word */
	uint32_t slot[SLOTS];    /* number of each slot in the protocol */
	uint64_t next_line;      /* the number for the next new block, or for its first word */
	uint64_t time;           /* time of the last message */
	uint32_t *held;          /* for each thread, the number of locks it holds */
	struct taker taker[MESSAGES_TAKERS];
	unsigned ntakers;
	struct place elsewhere; /* of what lies in no place */
	/* Note [messages left out] */
	bool asks;                   /* all takers say what is quiet */
	uint32_t round;              /* grows when messages are passed on */
	uint32_t vain;               /* questions in vain since the last answer, or those left out */
	uint32_t lines[LINES_HELD];  /* by line: the last `round` with a message of such a line */
	size_t n; /* messages that are collected */
	uint64_t headers[MOST_HELD];
	uint8_t slots[MOST_HELD];
	struct message messages[MOST_HELD];
};

struct messages *messages_new(struct memory *m, const struct nfart_proto *p, struct nfart_error *e)
{
	struct messages *x = calloc(1, sizeof *x);
	bool words = strcmp(nfart_proto_name(p), "mem-word") == 0;
	bool fits = (words || strcmp(nfart_proto_name(p), "mem") == 0) &&
		    nfart_proto_nslots(p) == SLOTS;

	if (x != NULL)
		x->held = calloc(THREADS, sizeof x->held[0]);
	if (x == NULL || x->held == NULL) {
		messages_free(x);
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	for (unsigned i = 0; i < SLOTS && fits; i++) {
		int slot = nfart_proto_slot(p, slot_names[i]);

		fits = slot >= 0;
		x->slot[i] = (uint32_t)slot;
	}
	if (!fits) {
		messages_free(x);
		nfart_fail(e, NFART_INPUT,
			   "the filter is for protocol %s; nfamem needs one for mem or mem-word",
			   nfart_proto_name(p));
		return NULL;
	}
	x->memory = m;
	x->elsewhere = (struct place){ .name = "[not watched]", .kind = PLACE_REGION,
				       .where = MEM_MAPPED };
	x->words = words;
	x->asks = true;
	x->round = 1;
	x->next_line = 1;
	return x;
}

void messages_free(struct messages *x)
{
	if (x != NULL)
		free(x->held);
	free(x);
}

void messages_add(struct messages *x, messages_take *take, messages_quiet *quiet, void *ctx)
{
	x->taker[x->ntakers++] = (struct taker){ take, quiet, ctx };
	x->asks = x->asks && quiet != NULL;
}

void messages_inherit(struct messages *x, uint32_t thread)
{
	uint32_t held = x->held[thread % THREADS];

	memset(x->held, 0, THREADS * sizeof x->held[0]);
	x->held[0] = held;
}

/* ---- messages ---- */

static bool flush_messages(struct messages *x, struct nfart_error *e)
{
	struct message_block b = { x->headers, x->slots, x->messages, x->n, x->time - x->n + 1 };

	x->n = 0;
	x->round++;
	for (unsigned i = 0; i < x->ntakers && b.n > 0; i++)
		if (!x->taker[i].take(x->taker[i].ctx, &b, e))
			return false;
	return true;
}

static bool put_message(struct messages *x, unsigned slot, uint64_t header, const struct message *m,
			struct nfart_error *e)
{
	x->time++;
	x->headers[x->n] = header;
	x->slots[x->n] = (uint8_t)x->slot[slot];
	if (m != &x->messages[x->n])
		x->messages[x->n] = *m;
	return ++x->n < MOST_HELD || flush_messages(x, e);
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t begin_header(const struct message *m)
{
	return least_of(m->thread, THREAD_MOST) << THREAD_AT | (uint64_t)m->kind << KIND_AT;
}

/* ---- blocks ---- */

/*
 * Whether messages are sent about a place. They are not if the place is only known to be in the
 * heap or in a mapping.
 */
static bool is_block(const struct place *p)
{
	return p != NULL && (p->kind != PLACE_REGION || p->where <= MEM_BSS);
}

static unsigned slot_of(const struct place *p)
{
	return p->where == MEM_DATA ? SLOT_DATA : p->where == MEM_BSS ? SLOT_BSS
		: p->where == MEM_MAPPED ? SLOT_MAPPED : p->kind == PLACE_CALLOC ? SLOT_ZEROED
		: SLOT_HEAP;
}

/*
 * Returns the number of a block, or of its first word. A block gets its number with its first
 * message.
 */
static uint64_t line_of(struct messages *x, struct place *p)
{
	uint64_t most, need, *line = &p->line[x->words];

	if (*line != 0)
		return *line;
	most = x->words ? WORD_MOST : BLOCK_MOST;
	need = x->words && p->bytes > 0 ? (p->bytes + WORD - 1) / WORD : 1;
	*line = x->next_line;
	x->next_line = need > most - x->next_line ? most : x->next_line + need;
	return *line;
}

/* ---- messages left out (Note [messages left out]) ---- */

static uint32_t *line_held(struct messages *x, uint64_t line)
{
	return &x->lines[line % LINES_HELD];
}

/* Whether it is time to ask. There are pauses, so that filters that change always cost little. */
static bool may_ask(struct messages *x)
{
	if (x->vain < MOST_VAIN)
		return true;
	if (++x->vain == VAIN_PAUSE)
		x->vain = MOST_VAIN / 2;
	return false;
}

/*
 * Sets *opcodes to those of the messages about the inside of a block that need not be made. If that
 * is not known, it is the empty set.
 */
static bool ask_quiet(struct messages *x, unsigned slot, uint64_t line, uint64_t *opcodes,
		      struct nfart_error *e)
{
	*opcodes = 0;
	if (!x->asks || !may_ask(x))
		return true;
	if (*line_held(x, line) == x->round) {
		if (x->n < FEW_HELD)
			return true;
		if (!flush_messages(x, e))
			return false;
	}
	*opcodes = UINT64_MAX;
	for (unsigned i = 0; i < x->ntakers && *opcodes != 0; i++)
		*opcodes &= x->taker[i].quiet(x->taker[i].ctx, x->slot[slot],
					      line << BLOCK_AT, VARIES);
	x->vain = *opcodes != 0 ? 0 : x->vain + 1;
	return true;
}

/* Whether the thread holds a lock. An atomic access counts as one under a lock. */
static uint64_t is_held(const struct messages *x, const struct message *m)
{
	return m->atomic || x->held[m->thread % THREADS] > 0;
}

static bool put_block(struct messages *x, struct place *p, uint64_t offset, bool beyond,
		      const struct message *m, struct nfart_error *e)
{
	uint64_t line = line_of(x, p), quiet = 0;

	if (!beyond && !ask_quiet(x, slot_of(p), line, &quiet, e))
		return false;
	p->calm = x->memory->calm;
	p->quiet = line < BLOCK_MOST ? quiet & ACCESS_KINDS : 0;
	if ((quiet >> m->kind & 1) != 0)
		return true;
	p->quiet = 0;
	*line_held(x, line) = x->round;
	return put_message(x, slot_of(p),
			   begin_header(m) | line << BLOCK_AT | (uint64_t)beyond << BEYOND_AT |
				   is_held(x, m) << HELD_AT | least_of(offset, OFFSET_MOST),
			   m, e);
}

static bool put_word(struct messages *x, struct place *p, uint64_t word, uint64_t byte, bool beyond,
		     const struct message *m, struct nfart_error *e)
{
	uint64_t header = begin_header(m) | (uint64_t)beyond << WORD_BEYOND_AT |
			  is_held(x, m) << WORD_HELD_AT |
			  least_of(word * WORD, WORD_OFFSET_MOST) << WORD_OFFSET_AT |
			  least_of(line_of(x, p) + word, WORD_MOST) << WORD_AT | byte;

	return put_message(x, slot_of(p), header, m, e);
}

/*
 * Adds a message for each word of the range [offset, offset + bytes) of a place. Bytes after the
 * end of the block count as its last word.
 */
static bool put_words(struct messages *x, struct place *p, uint64_t offset, uint64_t bytes,
		      const struct message *m, struct nfart_error *e)
{
	uint64_t last = p->bytes == 0 ? 0 : (p->bytes - 1) / WORD;
	uint64_t from = least_of(offset / WORD, last),
		 to = least_of((offset + bytes - 1) / WORD, last);
	bool beyond = bytes > p->bytes || offset > p->bytes - bytes;

	for (uint64_t word = from; word <= to; word++) {
		uint64_t byte = word == offset / WORD ? offset % WORD : 0;

		if (!put_word(x, p, word, byte, beyond && word == last, m, e))
			return false;
	}
	return true;
}

static bool put_part(struct messages *x, struct place *p, uint64_t offset, uint64_t bytes,
		     const struct message *m, struct nfart_error *e)
{
	if (x->words)
		return put_words(x, p, offset, bytes, m, e);
	return put_block(x, p, offset, bytes > p->bytes || offset > p->bytes - bytes, m, e);
}

/*
 * Returns the first address from `at` on that belongs to another place than p; `end` if there is
 * none below it.
 */
static uint64_t other_place(struct messages *x, const struct place *p, uint64_t at, uint64_t end)
{
	while (at < end && places_find(x->memory->places, at) == p)
		at = at / GAP_STEP * GAP_STEP + GAP_STEP;
	return least_of(at, end);
}

/*
 * Adds the messages of one access of m->bytes bytes at m->address. `first` is the place at its
 * start. The access may reach into other places.
 */
static bool put_access(struct messages *x, struct message *m, struct place *first,
		       struct nfart_error *e)
{
	uint64_t at = m->address, end = at + m->bytes, next;

	if (first != NULL && is_block(first))
		first = places_nearer(x->memory->places, first, at);
	for (struct place *p = first; at < end; at = next) {
		if (at != m->address)
			p = places_find(x->memory->places, at);
		if (p == NULL || (p->bytes == 0 && p->number == 0) || !is_block(p)) {
			next = p != NULL && at - p->at < p->bytes ? p->at + p->bytes
							       : at / GAP_STEP * GAP_STEP + GAP_STEP;
			continue;
		}
		next = at - p->at < p->bytes ? least_of(p->at + p->bytes, end) : end;
		if (next < end)
			next = other_place(x, p, next, end);
		else
			next = end;
		m->place = p;
		m->gone = p->gone;
		if (!put_part(x, p, at - p->at, next - at, m, e))
			return false;
	}
	return true;
}

static bool take_access(void *ctx, const struct memory_access *a, struct nfart_error *e)
{
	struct messages *x = ctx;
	/* The message is written to its final place at once, so it need not be copied. */
	struct message *m = &x->messages[x->n];
	struct place *p = a->place;
	uint64_t offset;

	if (p == NULL || (a->site != NULL && a->site->ahead))
		return true;
	/* The quiet of a place is that of protocol mem. */
	if (!x->words && place_is_quiet(p, x->memory->calm, a->address, a->bytes, a->kind))
		return true;
	*m = (struct message){ .address = a->address,
			       .bytes = a->bytes > 0 ? a->bytes : 1,
			       .pc = a->pc,
			       .place = p,
			       .thread = a->thread,
			       .stack = a->stack,
			       .kind = (uint8_t)a->kind,
			       .gone = p->gone,
			       .atomic = a->site != NULL && a->site->atomic };
	offset = a->address - p->at;
	if (!is_block(p) || offset >= p->bytes || m->bytes > p->bytes - offset) {
		struct message parts = *m;

		return put_access(x, &parts, p, e);
	}
	return x->words ? put_words(x, p, offset, m->bytes, m, e)
			: put_block(x, p, offset, false, m, e);
}

/* ---- events ---- */

/* Adds the messages of a function or system call that accesses a range. */
static bool put_range(struct messages *x, const struct memory_event *v, uint8_t kind,
		      uint64_t address, struct place *p, struct nfart_error *e)
{
	struct message m = { .address = address, .bytes = v->bytes, .pc = v->pc, .place = p,
			     .thread = v->thread, .stack = v->stack, .kind = kind };

	return v->bytes == 0 || p == NULL || address + v->bytes < address || put_access(x, &m, p, e);
}

/*
 * Adds the message of an event about a whole block. Protocol mem-word has no such messages. The bit
 * `beyond` of a FREE is its `mismatched`.
 */
static bool put_change(struct messages *x, const struct memory_event *v, uint8_t kind,
		       uint64_t address, struct place *p, bool gone, struct nfart_error *e)
{
	struct message m = { .address = address, .bytes = v->bytes, .pc = v->pc, .place = p,
			     .thread = v->thread, .stack = v->stack, .kind = kind, .gone = gone };

	const bool mismatched = kind == MEM_FREE && v->how >= MEM_FREED_MISMATCHED;

	if (mismatched)
		m.freed = (uint8_t)v->how;
	return x->words || !is_block(p) || put_block(x, p, address - p->at, mismatched, &m, e);
}

/*
 * Adds the messages of an event about a lock. In protocol mem-word there is one for each word of
 * the lock that lies in the block.
 */
static bool put_lock(struct messages *x, const struct memory_event *v, struct nfart_error *e)
{
	struct message m = { .address = v->address, .bytes = LOCK_BYTES, .pc = v->pc,
			     .place = v->place, .thread = v->thread, .stack = v->stack, .kind = (uint8_t)v->kind };
	uint64_t offset;

	if (!is_block(v->place))
		return true;
	m.gone = v->place->gone;
	offset = v->address - v->place->at;
	if (!x->words)
		return put_block(x, v->place, offset, false, &m, e);
	if (offset >= v->place->bytes)
		return true;
	return put_words(x, v->place, offset, least_of(LOCK_BYTES, v->place->bytes - offset), &m,
			 e);
}

/* Adds the message of an event about the program, such as a new thread. */
static bool put_program(struct messages *x, const struct memory_event *v, struct nfart_error *e)
{
	struct message m = { .pc = v->pc, .thread = v->thread, .stack = v->stack, .kind = (uint8_t)v->kind };
	uint64_t header = begin_header(&m);

	if (v->kind == MEM_JOIN)
		header |= least_of(v->address, THREAD_MOST) << BY_AT;
	/* It is for all lines. */
	x->memory->calm++;
	return put_message(x, SLOT_PROGRAM, header, &m, e) && flush_messages(x, e);
}

/*
 * Adds the messages of realloc and mremap. The old block is gone. The bytes that it held count as
 * stored in the new block.
 */
static bool put_move(struct messages *x, const struct memory_event *v, uint8_t end,
		     struct nfart_error *e)
{
	struct memory_event fill = *v;

	if (v->other != NULL && !put_change(x, v, end, v->from, v->other, false, e))
		return false;
	if (v->place == NULL)
		return true;
	if (!put_change(x, v, (uint8_t)v->kind, v->address, v->place, false, e))
		return false;
	if (!x->words || v->other == NULL)
		return true;
	fill.bytes = least_of(v->bytes, v->other->bytes);
	return put_range(x, &fill, MEM_FILL, v->address, v->place, e);
}

/* free() of memory that is not watched, such as the stack, is one of a block without bytes. */
static bool put_foreign(struct messages *x, const struct memory_event *v, struct nfart_error *e)
{
	struct message m = { .address = v->address, .pc = v->pc, .place = &x->elsewhere,
			     .thread = v->thread, .stack = v->stack, .kind = MEM_FREE };

	/* Each is a block of its own, with a new number. */
	x->elsewhere.line[0] = 0;
	return x->words || put_block(x, &x->elsewhere, 0, false, &m, e);
}

static bool put_event(struct messages *x, const struct memory_event *v, struct nfart_error *e)
{
	switch (v->kind) {
	case MEM_COPY:
		return put_range(x, v, MEM_FETCH, v->from, v->other, e) &&
		       put_range(x, v, MEM_COPY, v->address, v->place, e);
	case MEM_STORE:
	case MEM_FETCH:
	case MEM_FILL:
		return put_range(x, v, (uint8_t)v->kind, v->address, v->place, e);
	case MEM_MALLOC:
	case MEM_CALLOC:
	case MEM_MMAP:
	case MEM_FREE:
	case MEM_MUNMAP:
		if (v->kind == MEM_FREE && v->place == NULL && v->how == MEM_FREED_FOREIGN)
			return put_foreign(x, v, e);
		return put_change(x, v, (uint8_t)v->kind, v->address, v->place,
				  v->place != NULL && v->place->gone, e);
	case MEM_LOCK:
	case MEM_UNLOCK:
	case MEM_INIT:
	case MEM_DESTROY:
		return put_lock(x, v, e);
	case MEM_REALLOC:
		return put_move(x, v, MEM_FREE, e);
	case MEM_MREMAP:
		return put_move(x, v, MEM_MUNMAP, e);
	case MEM_THREAD:
	case MEM_JOIN:
	case MEM_EXIT:
	case MEM_BEGIN:
	case MEM_END:
	case MEM_FORK:
	case MEM_EXEC:
		return put_program(x, v, e);
	default:
		return true;
	}
}

static bool take_event(void *ctx, const struct memory_event *v, struct nfart_error *e)
{
	struct messages *x = ctx;
	uint32_t *held = &x->held[v->thread % THREADS];
	bool fine;

	/*
	 * The message that takes a lock counts as under the lock, and so does the one that releases
	 * it.
	 */
	if (v->kind == MEM_LOCK)
		++*held;
	fine = put_event(x, v, e);
	if (v->kind == MEM_UNLOCK && *held > 0)
		--*held;
	if (v->kind == MEM_EXIT)
		*held = 0;
	return fine;
}

static bool settle_messages(void *ctx, struct nfart_error *e)
{
	return flush_messages(ctx, e);
}

struct memory_output messages_output(struct messages *x)
{
	return (struct memory_output){
		.access = take_access, .event = take_event, .settle = settle_messages, .ctx = x
	};
}
