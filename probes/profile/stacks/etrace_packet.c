/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/etrace_packet.h"

#include <string.h>

#include "probes/profile/stacks/text_line.h"

enum { TYPE_BITS = 2, TYPE_INSTRUCTION = 2, TYPE_DATA = 3, OPTION_BITS = 5, MAP = 31 };

/* ---- parameters ---- */

struct parameter {
	const char *name;
	size_t at;             /* offset in struct etrace_encoder */
	unsigned least, most, usual;
};

#define PARAMETER(name, least, most, usual) \
	{ #name, offsetof(struct etrace_encoder, name), least, most, usual }

static const struct parameter parameters[] = {
	PARAMETER(iaddress_width, 8, 64, 64), PARAMETER(iaddress_lsb, 0, 2, 1),
	PARAMETER(privilege_width, 1, 3, 2),  PARAMETER(ecause_width, 1, 16, 4),
	PARAMETER(context_width, 0, 60, 0),   PARAMETER(time_width, 0, 64, 0),
	PARAMETER(return_stack_size, 0, 8, 0), PARAMETER(call_counter_size, 0, 8, 0),
	PARAMETER(source_width, 0, 16, 0),    PARAMETER(timestamp_width, 0, 64, 0),
	PARAMETER(extend_address, 0, 1, 0),   PARAMETER(bpred_size, 0, ETRACE_TABLE_SIZE, 0),
	PARAMETER(cache_size, 0, ETRACE_TABLE_SIZE, 0), PARAMETER(f0s_width, 0, 2, 0),
	PARAMETER(sijump, 0, 1, 0),
};

enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

static unsigned *parameter_of(struct etrace_encoder *e, const struct parameter *p)
{
	return (unsigned *)(void *)((char *)e + p->at);
}

/* Takes `name=number` from the list. */
static bool read_parameter(struct etrace_encoder *e, struct text *x)
{
	for (size_t i = 0; i < PARAMETERS; i++) {
		const struct parameter *p = &parameters[i];
		struct text rest = *x;
		uint64_t value;

		if (!text_word(&rest, p->name) || !text_word(&rest, "="))
			continue;
		if (!text_number(&rest, 10, 3, &value) || value < p->least || value > p->most)
			return false;
		*parameter_of(e, p) = (unsigned)value;
		*x = rest;
		return true;
	}
	return false;
}

/* Takes `mtvec=0xNUMBER` or `stvec=0xNUMBER` from the list. */
static bool read_register(struct etrace_encoder *e, struct text *x)
{
	struct text rest = *x;
	uint64_t *to = text_word(&rest, "mtvec=0x") ? &e->mtvec : &e->stvec;

	if ((to == &e->stvec && !text_word(&rest, "stvec=0x")) ||
	    !text_number(&rest, 16, 16, to))
		return false;
	*x = rest;
	return true;
}

bool etrace_encoder_read(struct etrace_encoder *e, const char *list)
{
	struct text x = { list, list + strlen(list) };

	for (size_t i = 0; i < PARAMETERS; i++)
		*parameter_of(e, &parameters[i]) = parameters[i].usual;
	e->mtvec = e->stvec = 0;
	while (x.at != x.end)
		if ((!read_parameter(e, &x) && !read_register(e, &x)) ||
		    (x.at != x.end && !text_word(&x, ",")))
			return false;
	return e->timestamp_width % 8 == 0 && (e->mtvec & 2) == 0 && (e->stvec & 2) == 0 &&
	       (e->bpred_size == 0 || e->cache_size == 0 || e->f0s_width != 0) &&
	       (e->return_stack_size == 0 || e->call_counter_size == 0);
}

bool etrace_encoder_fits(const struct etrace_encoder *e, bool ntrace)
{
	for (size_t i = 0; i < PARAMETERS; i++) {
		const struct parameter *p = &parameters[i];
		bool both = p->at == offsetof(struct etrace_encoder, source_width);
		bool theirs = p->at == offsetof(struct etrace_encoder, extend_address);

		if (!both && theirs != ntrace &&
		    *(const unsigned *)(const void *)((const char *)e + p->at) != p->usual)
			return false;
	}
	return !ntrace || (e->mtvec == 0 && e->stvec == 0);
}

/* ---- bits ---- */

/* The bits of a packet. Those after the end are equal to the last one. */
struct bits {
	const unsigned char *bytes;
	size_t at, end;
};

static unsigned bit_at(const struct bits *b, size_t at)
{
	size_t i = at < b->end ? at : b->end - 1;

	return b->bytes[i / 8] >> i % 8 & 1u;
}

static uint64_t take_bits(struct bits *b, unsigned n)
{
	uint64_t x = 0;

	for (unsigned i = 0; i < n; i++)
		x |= (uint64_t)bit_at(b, b->at++) << i;
	return x;
}

/* The same with a sign in the highest of the n bits. */
static uint64_t take_signed(struct bits *b, unsigned n)
{
	uint64_t sign = (uint64_t)1 << (n - 1);

	return (take_bits(b, n) ^ sign) - sign;
}

/* Takes a bit that is a flag if it differs from the bit before it. */
static bool take_flag(struct bits *b)
{
	unsigned before = bit_at(b, b->at - 1);

	return take_bits(b, 1) != before;
}

/* ---- packets ---- */

const char *etrace_frame_find(struct etrace_frame *f, const struct etrace_encoder *e,
			      const unsigned char *at, size_t n)
{
	unsigned length = at[0] & 31;
	unsigned time = (at[0] & 128) != 0 ? e->timestamp_width : 0;
	struct bits b = { at, 8, 0 };
	uint64_t type;

	*f = (struct etrace_frame){ .size = 1 };
	if (length == 0)
		return NULL;
	f->size = 1 + e->source_width / 8 + time / 8 + length;
	if (f->size > n)
		return NULL;
	b.end = 8 * f->size;
	f->source = (uint32_t)take_bits(&b, e->source_width);
	b.at += time;
	if (b.end - b.at < TYPE_BITS + 2)
		return "this packet is too short for its format";
	type = take_bits(&b, TYPE_BITS);
	if (type < TYPE_INSTRUCTION)
		return "this is no packet of E-Trace: its type is neither 2 nor 3";
	f->first = b.at;
	f->bits = b.end - b.at;
	f->instructions = type == TYPE_INSTRUCTION;
	return NULL;
}

static void read_depth(struct etrace_packet *p, const struct etrace_encoder *e, struct bits *b)
{
	p->irreport = take_flag(b);
	p->irdepth = take_bits(b, e->return_stack_size + (e->return_stack_size != 0) +
					  e->call_counter_size);
}

static void read_address(struct etrace_packet *p, const struct etrace_encoder *e, struct bits *b)
{
	p->has_address = true;
	p->address = take_signed(b, e->iaddress_width - e->iaddress_lsb) << e->iaddress_lsb;
	p->notify = take_flag(b);
	p->updiscon = take_flag(b);
	read_depth(p, e, b);
}

/* Reads the outcomes of as many branches. */
static void read_map(struct etrace_packet *p, unsigned branches, struct bits *b)
{
	unsigned size = 1;

	while (size < branches)
		size = 2 * size + 1;
	p->branches = branches;
	p->map = take_bits(b, size) & ((UINT64_C(1) << branches) - 1);
}

static void read_branches(struct etrace_packet *p, const struct etrace_encoder *e, struct bits *b)
{
	unsigned branches = (unsigned)take_bits(b, 5);

	read_map(p, branches == 0 ? MAP : branches, b);
	if (branches != 0)
		read_address(p, e, b);
}

static const char *read_prediction(struct etrace_packet *p, const struct etrace_encoder *e,
				   struct bits *b)
{
	uint64_t count = take_bits(b, 32);
	unsigned format = (unsigned)take_bits(b, 2);

	if (format == 1)
		return "a count of branches with the reserved branch_fmt 1";
	p->predicted = true;
	p->failed = format != 2;
	p->branches = count + MAP + (p->failed ? 1 : 0);
	if (format != 0)
		read_address(p, e, b);
	return NULL;
}

static void read_cached(struct etrace_packet *p, const struct etrace_encoder *e, struct bits *b)
{
	unsigned branches;

	p->has_address = p->cached = true;
	p->index = (uint32_t)take_bits(b, e->cache_size);
	branches = (unsigned)take_bits(b, 5);
	if (branches != 0)
		read_map(p, branches, b);
	read_depth(p, e, b);
}

static const char *read_extension(struct etrace_packet *p, const struct etrace_encoder *e,
				  unsigned options, struct bits *b)
{
	unsigned form = e->f0s_width != 0     ? (unsigned)take_bits(b, e->f0s_width)
			: e->bpred_size != 0 ? 0
					     : 1;
	unsigned option = form == 0 ? ETRACE_PREDICTION : ETRACE_JUMP_CACHE;

	if (e->bpred_size == 0 && e->cache_size == 0)
		return "a packet of format 0: give bpred_size or cache_size with --encoder";
	if (form > 1)
		return "a packet of format 0 with an unknown subformat";
	if ((options & option) == 0)
		return form == 0 ? "a count of branches, but the encoder does not predict them"
				 : "an index of the jump target cache, which is not enabled";
	if (form == 0)
		return read_prediction(p, e, b);
	read_cached(p, e, b);
	return NULL;
}

static void read_where(struct etrace_packet *p, const struct etrace_encoder *e, struct bits *b)
{
	p->privilege = (unsigned)take_bits(b, e->privilege_width);
	b->at += e->time_width;
	p->context = take_bits(b, e->context_width);
}

static void read_synchronisation(struct etrace_packet *p, const struct etrace_encoder *e,
				 unsigned options, struct bits *b)
{
	p->not_taken = take_bits(b, 1) != 0;
	read_where(p, e, b);
	if (p->kind == ETRACE_TRAP) {
		p->cause = (uint32_t)take_bits(b, e->ecause_width);
		p->interrupt = take_bits(b, 1) != 0;
		p->handler = take_bits(b, 1) != 0;
	}
	p->has_address = !p->handler || (options & ETRACE_IMPLICIT_EXCEPTION) == 0;
	if (p->has_address)
		p->address = take_signed(b, e->iaddress_width - e->iaddress_lsb)
			     << e->iaddress_lsb;
	if (p->kind == ETRACE_TRAP && !p->interrupt)
		b->at += e->iaddress_width;
}

static void read_support(struct etrace_packet *p, struct bits *b)
{
	b->at += 2; /* tracing is enabled, and the mode of the encoder */
	p->qualification = (enum etrace_qualification)take_bits(b, 2);
	p->options = (unsigned)take_bits(b, OPTION_BITS);
	b->at = b->end; /* what follows is about data */
}

const char *etrace_packet_read(struct etrace_packet *p, const struct etrace_encoder *e,
			       unsigned options, const struct etrace_frame *f,
			       const unsigned char *at)
{
	const char *wrong = NULL;
	struct bits b = { at, f->first, f->first + f->bits };
	unsigned format = (unsigned)take_bits(&b, 2);

	*p = (struct etrace_packet){ .kind = ETRACE_BRANCHES };
	if (format == 0)
		wrong = read_extension(p, e, options, &b);
	if (format == 1)
		read_branches(p, e, &b);
	if (format == 2)
		read_address(p, e, &b);
	if (format == 3) {
		p->kind = ETRACE_START + (unsigned)take_bits(&b, 2);
		if (p->kind == ETRACE_START || p->kind == ETRACE_TRAP)
			read_synchronisation(p, e, options, &b);
		else if (p->kind == ETRACE_CONTEXT)
			read_where(p, e, &b);
		else
			read_support(p, &b);
	}
	if (wrong != NULL)
		return wrong;
	return b.end > b.at + 7 ? "this packet is longer than its format" : NULL;
}
