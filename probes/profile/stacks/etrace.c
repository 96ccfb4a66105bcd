/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/etrace.h"

#include <stdlib.h>

#include "probes/profile/stacks/rv_decode.h"

struct etrace *etrace_new(const struct etrace_encoder *encoder, const struct rv_code *code)
{
	struct etrace *t = calloc(1, sizeof *t);

	if (t == NULL)
		return NULL;
	t->encoder = *encoder;
	t->code.all = code;
	return t;
}

void etrace_free(struct etrace *t)
{
	for (size_t i = 0; t != NULL && i < sizeof t->sources / sizeof t->sources[0]; i++) {
		if (t->sources[i] != NULL)
			free(t->sources[i]->tables);
		free(t->sources[i]);
	}
	free(t);
}

/* Returns a source, or NULL if there is no memory. */
static struct etrace_source *source_new(const struct etrace_encoder *e)
{
	struct etrace_source *s = calloc(1, sizeof *s);

	if (s != NULL && e->bpred_size + e->cache_size != 0) {
		s->tables = malloc(sizeof *s->tables);
		if (s->tables == NULL) {
			free(s);
			return NULL;
		}
		etrace_tables_clear(s->tables, e);
	}
	return s;
}

static bool is_branch(uint32_t instruction)
{
	return instruction != 0 && rv_decode(instruction).conditional;
}

/* ---- tokens ---- */

static void put_token(struct etrace *t, struct etrace_source *s, uint16_t hart, uint8_t flags)
{
	bool kernel = s->privilege != NFAPERF_USER;

	t->out[t->n++] = (struct nfaperf_token){
		.pc = s->pc, .cycle = s->instructions++,
		.satp = !kernel ? s->context : s->pc >> 63 != 0 ? UINT64_C(8) << 60 : 0,
		.instruction = s->instruction, .privilege = s->privilege, .flags = flags,
		.hart = hart
	};
	s->began = true;
}

/* ---- steps ---- */

static void push_return(const struct etrace *t, struct etrace_source *s, uint64_t link)
{
	const struct etrace_encoder *e = &t->encoder;
	unsigned most = e->return_stack_size != 0 ? 1u << e->return_stack_size
						  : (1u << e->call_counter_size) - 1;

	if ((s->options & ETRACE_IMPLICIT_RETURN) == 0)
		return;
	if (s->depth == most) {
		s->depth--;
		for (unsigned i = 0; i < s->depth; i++)
			s->returns[i] = s->returns[i + 1];
	}
	s->returns[s->depth++] = link;
}

/* ---- outcomes of branches ---- */

/* Drops the outcomes that were not used. */
static void drop_outcomes(struct etrace_source *s)
{
	s->branches = s->known = 0;
	s->failed = false;
	s->map = 0;
}

static void add_outcome(struct etrace_source *s, bool not_taken)
{
	s->map |= (uint64_t)not_taken << s->known++;
	s->branches++;
}

/* Adds those of a packet. There is one at most before them, which is in the map. */
static void add_outcomes(struct etrace_source *s, const struct etrace_packet *p)
{
	s->map |= p->map << s->known;
	s->known += p->predicted ? 0 : (unsigned)p->branches;
	s->branches += p->branches;
	s->failed = p->failed;
}

/* Whether the branch at pc is taken. Its outcome is the next one. */
static bool is_taken(const struct etrace *t, const struct etrace_source *s)
{
	if (s->known != 0)
		return (s->map & 1) == 0;
	return etrace_predict(s->tables, &t->encoder, s->pc) != (s->failed && s->branches == 1);
}

static bool use_outcome(struct etrace *t, struct etrace_source *s)
{
	bool taken = is_taken(t, s);

	if (s->known != 0)
		s->known--;
	s->map >>= 1;
	s->branches--;
	if ((s->options & ETRACE_PREDICTION) != 0)
		etrace_learn(s->tables, &t->encoder, s->pc, taken);
	return taken;
}

/* Puts the outcome of the branch at pc into the map, if it is the only one and was counted. */
static void note_last_outcome(struct etrace *t, struct etrace_source *s)
{
	if (s->branches == 1 && s->known == 0) {
		s->map = is_taken(t, s) ? 0 : 1;
		s->known = 1;
		s->failed = false;
	}
}

/* Returns how many outcomes of branches must be left at pc: one, if a branch is there. */
static uint64_t branches_here(const struct etrace_source *s)
{
	return is_branch(s->instruction) ? 1 : 0;
}

/* Whether all outcomes of branches are used, besides the one of a branch at `target`. */
static bool outcomes_end(struct etrace *t, const struct etrace_source *s, uint64_t target)
{
	uint32_t instruction = linked_code_at(&t->code, target);

	return instruction == 0 ? s->branches <= 1
				: s->branches == (is_branch(instruction) ? 1u : 0u);
}

/*
 * Whether the target of a return is the top of the stack. A return that goes to `target` instead is
 * reported with its depth, in the packet p (NULL: none).
 */
static bool returns_implicitly(struct etrace *t, const struct etrace_source *s, uint64_t target,
			       const struct etrace_packet *p)
{
	if ((s->options & ETRACE_IMPLICIT_RETURN) == 0 || s->depth == 0)
		return false;
	return p == NULL || !p->irreport || p->irdepth != s->depth ||
	       !outcomes_end(t, s, target) || t->encoder.return_stack_size == 0 ||
	       s->returns[s->depth - 1] == target;
}

/* Whether the target of an indirect jump is loaded right before it, and so not reported. */
static bool is_loaded(const struct etrace *t, const struct etrace_source *s, enum rv_class class,
		      const struct linked_load *load, uint64_t *target)
{
	bool jump = class == RV_CALL_TO || class == RV_JUMP_TO || class == RV_RETURN ||
		    class == RV_SWAP;

	return t->encoder.sijump != 0 && jump && linked_load_jumps(load, s->instruction, target);
}

/*
 * Goes to the next instruction. `target` is where an indirect jump goes. Sets *stop if it was one.
 * Returns NULL, or what is wrong.
 */
static const char *step(struct etrace *t, struct etrace_source *s, uint64_t target,
			const struct etrace_packet *p, bool *stop)
{
	struct rv_flow f = rv_decode(s->instruction);
	uint64_t pc = s->pc, next = pc + rv_length(s->instruction), absolute;
	struct linked_load load = s->load;
	bool taken = true;

	*stop = false;
	if (f.conditional) {
		if (s->branches == 0)
			return "the program has more branches than outcomes before the address";
		taken = use_outcome(t, s);
	}
	linked_load_note(&s->load, pc, s->instruction);
	if (f.class == RV_JUMP || f.class == RV_CALL) {
		s->pc = taken ? pc + (uint64_t)(int64_t)f.distance : next;
	} else if (linked_code_jumps(s->instruction, &absolute)) {
		s->pc = absolute;
	} else if (is_loaded(t, s, f.class, &load, &absolute)) {
		s->pc = absolute;
	} else if (f.class == RV_RETURN && returns_implicitly(t, s, target, p)) {
		s->pc = s->returns[--s->depth];
	} else if (f.class == RV_PLAIN && !linked_code_returns(s->instruction)) {
		s->pc = next;
	} else {
		if (p != NULL && !p->has_address)
			return "the program jumps to an address that this packet does not have";
		s->pc = target;
		*stop = true;
		if ((s->options & ETRACE_JUMP_CACHE) != 0)
			etrace_keep_target(s->tables, &t->encoder, target);
	}
	if (f.class == RV_CALL || f.class == RV_CALL_TO)
		push_return(t, s, next);
	s->last_trap_return = f.class == RV_TRAP_RETURN || linked_code_returns(s->instruction);
	s->instruction = linked_code_at(&t->code, s->pc);
	return NULL;
}

/* Goes on to where an indirect jump comes to pc again. */
static const char *find_second(struct etrace *t, struct etrace_source *s, uint16_t hart)
{
	uint64_t target = s->pc;
	bool stop = false;

	s->inferred = false;
	while (!stop && !s->lost) {
		const char *wrong = step(t, s, target, NULL, &stop);

		if (wrong != NULL)
			return wrong;
		if (t->n == ETRACE_MOST - 1)
			return "the program does not come to the address of the packet before";
		put_token(t, s, hart, 0);
		s->lost = s->instruction == 0;
	}
	return NULL;
}

/* ---- packets ---- */

/* Whether the packet p has reported pc. `jumped`: an indirect jump goes there. */
static bool is_reported(struct etrace_source *s, const struct etrace_packet *p, bool jumped)
{
	if (!p->has_address)
		return s->branches == 1 && is_branch(s->instruction);
	if (jumped)
		return true;
	if (p->cached || s->pc != s->address || s->branches != branches_here(s))
		return false;
	if (p->kind == ETRACE_START)
		return p->privilege == s->privilege || s->last_trap_return;
	if (p->notify)
		return true;
	s->inferred = !p->updiscon && (!p->irreport || p->irdepth == s->depth);
	return s->inferred;
}

static void take_state(struct etrace_source *s, const struct etrace_packet *p)
{
	s->privilege = (uint8_t)p->privilege;
	s->context = p->context;
}

/* Follows the program to where the packet says, or up to ETRACE_MOST instructions. */
static const char *follow(struct etrace *t, struct etrace_source *s, const struct etrace_packet *p,
			  uint16_t hart)
{
	uint64_t branches = s->branches;
	bool done = false, jumped;

	t->more = false;
	while (!done && !s->lost) {
		const char *wrong = step(t, s, s->address, p, &jumped);

		if (wrong != NULL)
			return wrong;
		if (jumped && s->instruction != 0 && s->branches > branches_here(s))
			return "the packet has more outcomes than the program has branches";
		if (jumped && s->branches < branches_here(s))
			return "the packet has no outcome for the branch at its address";
		if (t->n == ETRACE_MOST - 1 && s->branches == branches)
			return "the program does not come to the address of the packet";
		done = is_reported(s, p, jumped);
		if (done && p->kind == ETRACE_START)
			take_state(s, p);
		put_token(t, s, hart, 0);
		s->lost = s->instruction == 0;
		if (t->n == ETRACE_MOST && !done && !s->lost) {
			t->more = true;
			return NULL;
		}
	}
	if (s->failed && s->branches == 0 && !s->lost)
		return "the packet's last outcome is of a branch that is not at its address";
	note_last_outcome(t, s);
	return NULL;
}

/* Goes to the reported address without following the program. */
static void go_to(struct etrace *t, struct etrace_source *s, uint16_t hart, uint8_t flags)
{
	s->pc = s->address;
	s->load.to = 0;
	s->instruction = linked_code_at(&t->code, s->pc);
	s->lost = s->instruction == 0;
	put_token(t, s, hart, flags);
}

static uint64_t full_address(const struct etrace *t, uint64_t address)
{
	uint64_t sign = UINT64_C(1) << (t->encoder.iaddress_width - 1);

	return ((address & (2 * sign - 1)) ^ sign) - sign;
}

/* Sets s->address to the one of a synchronisation or trap. Returns NULL, or what is wrong. */
static const char *find_handler(struct etrace *t, struct etrace_source *s,
				const struct etrace_packet *p)
{
	uint64_t vector = p->privilege == NFAPERF_MACHINE ? t->encoder.mtvec : t->encoder.stvec;

	s->address = p->address;
	if (p->has_address)
		return NULL;
	if (vector == 0 || p->privilege == NFAPERF_USER)
		return p->privilege == NFAPERF_MACHINE
			       ? "the packet leaves out the address of a handler: give mtvec=0x... "
				 "with --encoder"
			       : "the packet leaves out the address of a handler: give stvec=0x... "
				 "with --encoder";
	s->address = (vector & ~UINT64_C(3)) +
		     ((vector & 1) != 0 && p->interrupt ? 4 * (uint64_t)p->cause : 0);
	return NULL;
}

/* A synchronisation, or a trap. */
static const char *synchronise(struct etrace *t, struct etrace_source *s,
			       const struct etrace_packet *p, uint16_t hart)
{
	bool direct = p->kind == ETRACE_TRAP || s->trapped || !s->started || s->lost;
	uint8_t flags = s->began && !s->started ? NFAPERF_LOST : 0;
	const char *wrong;

	s->inferred = s->adrift = false;
	if (p->privilege > NFAPERF_MACHINE || p->privilege == 2)
		return "the packet has a privilege that is not user, supervisor or machine";
	wrong = find_handler(t, s, p);
	s->trapped = p->kind == ETRACE_TRAP && !p->handler;
	if (wrong != NULL || s->trapped)
		return wrong;
	if (direct)
		drop_outcomes(s);
	if (is_branch(linked_code_at(&t->code, s->address)))
		add_outcome(s, p->not_taken);
	if (direct) {
		take_state(s, p);
		go_to(t, s, hart, flags);
	} else {
		wrong = follow(t, s, p, hart);
	}
	s->started = true;
	s->depth = 0;
	if (s->tables != NULL)
		etrace_tables_clear(s->tables, &t->encoder);
	return wrong;
}

/* Takes the outcome of a branch at pc, the last one of the packet. Others were used elsewhere. */
static void keep_last_branch(struct etrace_source *s, const struct etrace_packet *p)
{
	drop_outcomes(s);
	if (is_branch(s->instruction) && p->branches != 0)
		add_outcome(s, (p->map >> (p->branches - 1) & 1) != 0);
}

/* Sets s->address to the one of the packet. Returns NULL, or what is wrong. */
static const char *find_address(struct etrace *t, struct etrace_source *s,
				const struct etrace_packet *p)
{
	bool full = (s->options & ETRACE_FULL_ADDRESS) != 0;

	if (!p->cached) {
		s->address = full_address(t, full ? p->address : s->address + p->address);
		s->adrift = s->adrift && !full;
	} else if (s->lost) {
		s->adrift = true;
	} else if (!etrace_find_target(s->tables, p->index, &s->address)) {
		return "the packet's entry of the jump target cache has no address";
	}
	return NULL;
}

/* A packet with outcomes of branches, or an address, or both. */
static const char *report(struct etrace *t, struct etrace_source *s, const struct etrace_packet *p,
			  uint16_t hart)
{
	const char *wrong = NULL;

	if (s->inferred && !s->lost)
		wrong = find_second(t, s, hart);
	if (wrong == NULL && p->has_address)
		wrong = find_address(t, s, p);
	if (wrong != NULL || (s->lost && (!p->has_address || s->adrift)))
		return wrong;
	if (s->lost) {
		go_to(t, s, hart, NFAPERF_LOST);
		keep_last_branch(s, p);
		s->lost |= (s->options & ETRACE_HISTORY) != 0;
		return NULL;
	}
	add_outcomes(s, p);
	return follow(t, s, p, hart);
}

static const char *support(struct etrace *t, struct etrace_source *s,
			   const struct etrace_packet *p, uint16_t hart)
{
	const struct etrace_encoder *e = &t->encoder;
	const char *wrong = NULL;

	if ((p->options & ETRACE_PREDICTION) != 0 && e->bpred_size == 0)
		return "the encoder predicts branches: give bpred_size with --encoder";
	if ((p->options & ETRACE_JUMP_CACHE) != 0 && e->cache_size == 0)
		return "the encoder has a jump target cache: give cache_size with --encoder";
	if ((p->options & ETRACE_IMPLICIT_RETURN) != 0 &&
	    e->return_stack_size + e->call_counter_size == 0)
		return "the encoder leaves out returns: give return_stack_size or "
		       "call_counter_size with --encoder";
	if (p->qualification == ETRACE_ENDED_NTR && s->inferred && s->started && !s->lost)
		wrong = find_second(t, s, hart);
	s->options = p->options;
	if (p->qualification != ETRACE_NO_CHANGE) {
		s->started = s->inferred = s->trapped = false;
		drop_outcomes(s);
	}
	return wrong;
}

static const char *follow_packet(struct etrace *t, struct etrace_source *s,
				 const struct etrace_packet *p, uint16_t hart)
{
	switch (p->kind) {
	case ETRACE_SUPPORT:
		return support(t, s, p, hart);
	case ETRACE_CONTEXT:
		if (p->privilege > NFAPERF_MACHINE || p->privilege == 2)
			return "the packet has a privilege that is not user, supervisor or machine";
		take_state(s, p);
		return NULL;
	case ETRACE_BRANCHES: /* before the first synchronisation they say nothing */
		return s->started && !s->trapped ? report(t, s, p, hart) : NULL;
	default:
		return synchronise(t, s, p, hart);
	}
}

const char *etrace_follow(struct etrace *t, const struct etrace_frame *f, const unsigned char *at,
			  struct nfaperf_token *out, size_t *n)
{
	struct etrace_source **s = &t->sources[f->source];
	struct etrace_packet p;
	const char *wrong;

	*n = 0;
	if (*s == NULL && (*s = source_new(&t->encoder)) == NULL)
		return "out of memory";
	wrong = etrace_packet_read(&p, &t->encoder, (*s)->options, f, at);
	if (wrong != NULL)
		return wrong;
	t->out = out;
	t->n = 0;
	wrong = t->more ? follow(t, *s, &p, (uint16_t)f->source)
			: follow_packet(t, *s, &p, (uint16_t)f->source);
	*n = t->n;
	return wrong;
}
