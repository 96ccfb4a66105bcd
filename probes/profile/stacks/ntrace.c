/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/ntrace.h"

#include <stdlib.h>

#include "probes/profile/stacks/ntrace_execute.h"

struct ntrace *ntrace_new(const struct etrace_encoder *encoder, const struct rv_code *code)
{
	struct ntrace *t = calloc(1, sizeof *t);

	if (t == NULL)
		return NULL;
	t->encoder = *encoder;
	t->code.all = code;
	return t;
}

void ntrace_free(struct ntrace *t)
{
	for (size_t i = 0; t != NULL && i < NTRACE_SOURCES; i++)
		free(t->sources[i]);
	free(t);
}

/* ---- tokens ---- */

static void put_token(struct ntrace *t, struct ntrace_source *s, uint32_t instruction)
{
	bool high = s->pc >> 63 != 0;
	uint8_t privilege = s->owned ? s->privilege
				     : (uint8_t)(high ? NFAPERF_SUPERVISOR : NFAPERF_USER);

	t->out[t->n++] = (struct nfaperf_token){
		.pc = s->pc, .cycle = s->instructions++,
		.satp = privilege == NFAPERF_USER ? s->context : high ? UINT64_C(8) << 60 : 0,
		.instruction = instruction, .privilege = privilege,
		.flags = s->flags | (s->gap && s->began ? NFAPERF_LOST : 0),
		.hart = (uint16_t)t->message.source
	};
	s->began = true;
	s->gap = false;
}

/* ---- the end of a message ---- */

static bool synchronises(const struct ntrace_message *m)
{
	return m->code == NTRACE_SYNC || m->code == NTRACE_DIRECT_SYNC ||
	       m->code == NTRACE_INDIRECT_SYNC || m->code == NTRACE_INDIRECT_HISTORY_SYNC;
}

/* Whether tokens are missing before a synchronisation, by its reason. */
static bool begins_anew(const struct ntrace_message *m)
{
	/* reset, end of debugging, tracing enabled, messages lost, power */
	enum { ANEW = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7 | 1 << 9 };

	return synchronises(m) && (1u << m->sync & ANEW) != 0;
}

/* Whether the program, which is followed, can be at the address of the message. */
static const char *check_target(const struct ntrace_source *s, const struct ntrace_message *m,
				uint64_t address)
{
	struct rv_flow f = rv_decode(s->last);
	bool counted = s->last != 0;

	if (m->type != 0 || begins_anew(m) || (counted && ntrace_is_indirect(s->last)) ||
	    s->pc == address)
		return NULL;
	if (m->code == NTRACE_DIRECT_SYNC && counted && f.conditional)
		return NULL; /* the branch was taken, or not */
	if (!synchronises(m))
		return (s->last & 0x1f) == 0x0b || (s->last & 0x5f) == 0x5b
			       ? NULL /* an instruction of the core's own */
			       : "the program has no indirect jump where this message has one";
	return "the program is not at the address of this message";
}

/* The ecall at pc has taken the trap of the message. */
static void put_ecall(struct ntrace *t, struct ntrace_source *s, const struct ntrace_message *m)
{
	uint32_t x = linked_code_at(&t->code, s->pc);

	if ((m->type == 1 || m->type == 2) && x != 0 && rv_decode(x).class == RV_TRAP)
		put_token(t, s, x);
}

/* Goes to the address of the message. */
static const char *arrive(struct ntrace *t, struct ntrace_source *s, const struct ntrace_message *m)
{
	bool sync = synchronises(m);
	uint64_t address = m->address;

	if (s->started && !s->lost) {
		const char *wrong = check_target(s, m, address);

		if (wrong != NULL)
			return wrong;
		put_ecall(t, s, m);
		if (m->type == 0 && s->last != 0 && rv_decode(s->last).class == RV_RETURN &&
		    s->depth != 0 && s->returns[s->depth - 1] == address)
			s->depth--;
	}
	s->gap |= !s->started || s->lost || begins_anew(m);
	s->unsure = !sync && (s->unsure || s->lost);
	if (sync || s->lost)
		s->depth = 0;
	s->started = true;
	s->lost = false;
	s->pc = address;
	return NULL;
}

/* The program was followed as far as the message has counted. */
static const char *end_message(struct ntrace *t, struct ntrace_source *s,
			       const struct ntrace_message *m)
{
	const char *wrong = NULL;

	if (m->code == NTRACE_FULL)
		return NULL;
	if (s->started && !s->lost && s->noutcomes != 0)
		return "this message has more outcomes than the program has branches";
	if (m->code == NTRACE_DIRECT && s->started && !s->lost && !s->taken)
		return "the program has no branch where this message has one";
	if (m->has_address)
		wrong = arrive(t, s, m);
	if (m->code == NTRACE_ENDS)
		s->started = false;
	s->noutcomes = 0;
	s->count = 0;
	s->last = s->load.to = 0;
	s->taken = false;
	return wrong;
}

/* ---- messages ---- */

/* Whether the message is followed no further than to here. */
static bool is_followed(const struct ntrace_source *s, const struct ntrace_message *m)
{
	if (!s->started || s->lost)
		return true;
	return m->code == NTRACE_FULL ? s->noutcomes == 0 : s->count == 0;
}

/* Executes one instruction of the message. */
static const char *step(struct ntrace *t, struct ntrace_source *s, const struct ntrace_message *m)
{
	uint32_t x = linked_code_at(&t->code, s->pc);
	bool full = m->code == NTRACE_FULL;
	const char *wrong;

	if (x == 0) {
		put_token(t, s, 0);
		s->lost = true;
		return NULL;
	}
	if (s->straight == NTRACE_MOST && full)
		return "the program does not come to a branch";
	if (s->histories && s->noutcomes == 0 && rv_decode(x).conditional) {
		if (m->code != NTRACE_SYNC)
			return "the program has more branches than outcomes";
		s->lost = true; /* such a message has no history */
		return NULL;
	}
	put_token(t, s, x);
	s->count -= rv_length(x) / 2;
	wrong = ntrace_execute(s, x, !full && s->count == 0, m);
	if (wrong == NULL && !full && s->count < 0 && !s->lost)
		wrong = "this message ends within an instruction";
	return wrong;
}

/* Begins to follow the message, for the first time or again. */
static const char *begin_message(struct ntrace *t, struct ntrace_source *s)
{
	const struct ntrace_message *m = &t->message;
	unsigned n = 0;

	s->count += (int64_t)m->count;
	s->straight = 0;
	if (m->code != NTRACE_FULL && s->started && !s->lost && s->count < 0)
		return "this message counts fewer instructions than its branches need";
	if (!m->has_history)
		return NULL;
	s->histories = true;
	while (m->history >> n > 1)
		n++;
	s->outcomes = m->history;
	s->noutcomes = n;
	return NULL;
}

const char *ntrace_go_on(struct ntrace *t, struct nfaperf_token *out, size_t *n)
{
	struct ntrace_source *s = t->source;
	const char *wrong = NULL;

	t->out = out;
	t->n = 0;
	/* An ecall may come after the last instruction. */
	while (wrong == NULL && s != NULL && t->n < NTRACE_SOME - 1) {
		if (!is_followed(s, &t->message)) {
			wrong = step(t, s, &t->message);
			continue;
		}
		wrong = end_message(t, s, &t->message);
		if (wrong == NULL && t->times != 0) {
			t->times--;
			wrong = begin_message(t, s);
		} else {
			t->source = s = NULL;
		}
	}
	*n = t->n;
	return wrong;
}

static const char *take_ownership(struct ntrace_source *s, uint64_t process)
{
	unsigned privilege = process >> 2 & 3;

	if ((process & 3) == 1)
		return "an ownership of a form that is reserved";
	if (privilege == 2)
		return "the message has a privilege that is not user, supervisor or machine";
	s->owned = true;
	s->privilege = (uint8_t)privilege;
	s->flags = (process >> 4 & 1) != 0 ? NFAPERF_VIRTUAL : 0;
	if ((process & 3) == 2)
		s->context = process >> 5;
	return NULL;
}

/* Puts the whole address into a message with a part of one. */
static void complete_address(struct ntrace_source *s, struct ntrace_message *m)
{
	if (m->has_address && !synchronises(m))
		m->address ^= s->reference;
	if (m->has_address)
		s->reference = m->address;
}

/* Prepares the message to be followed. Returns NULL, or what is wrong. */
static const char *take_flow(struct ntrace *t, struct ntrace_source *s)
{
	struct ntrace_message *m = &t->message;

	t->times = 0;
	if (!s->started && !synchronises(m))
		return NULL; /* before the first synchronisation it says nothing */
	if (m->code == NTRACE_REPEAT) {
		if (s->repeated.code == 0 || m->repeats == 0)
			return "no branch comes before this message, which repeats it";
		t->times = m->repeats - 1;
		*m = s->repeated;
	} else {
		complete_address(s, m);
	}
	if (m->code == NTRACE_FULL && m->full == NTRACE_FULL_REPEATED) {
		if (m->repeats == 0)
			return "this message repeats a history, but not once";
		t->times = m->repeats - 1;
	}
	if (m->code == NTRACE_DIRECT || m->code == NTRACE_INDIRECT ||
	    m->code == NTRACE_INDIRECT_HISTORY)
		s->repeated = *m;
	else if (m->code != NTRACE_FULL)
		s->repeated = (struct ntrace_message){ 0 };
	t->source = s;
	return begin_message(t, s);
}

const char *ntrace_take(struct ntrace *t, const unsigned char *at, size_t size)
{
	struct ntrace_message *m = &t->message;
	const char *wrong = ntrace_message_read(m, &t->encoder, at, size);
	struct ntrace_source **s = &t->sources[m->source];

	if (wrong != NULL)
		return wrong;
	if (*s == NULL && (*s = calloc(1, sizeof **s)) == NULL)
		return "out of memory";
	switch (m->code) {
	case NTRACE_OWNERSHIP:
		return take_ownership(*s, m->process);
	case NTRACE_ERROR: /* messages are missing up to the next synchronisation */
		(*s)->started = false;
		(*s)->count = 0;
		(*s)->noutcomes = 0;
		return NULL;
	case NTRACE_DIRECT:
	case NTRACE_INDIRECT:
	case NTRACE_SYNC:
	case NTRACE_DIRECT_SYNC:
	case NTRACE_INDIRECT_SYNC:
	case NTRACE_FULL:
	case NTRACE_INDIRECT_HISTORY:
	case NTRACE_INDIRECT_HISTORY_SYNC:
	case NTRACE_REPEAT:
	case NTRACE_ENDS:
		return take_flow(t, *s);
	default:
		return NULL;
	}
}
