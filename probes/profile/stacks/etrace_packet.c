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
	PARAMETER(extend_address, 0, 1, 0),
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

bool etrace_encoder_read(struct etrace_encoder *e, const char *list)
{
	struct text x = { list, list + strlen(list) };

	for (size_t i = 0; i < PARAMETERS; i++)
		*parameter_of(e, &parameters[i]) = parameters[i].usual;
	while (x.at != x.end)
		if (!read_parameter(e, &x) || (x.at != x.end && !text_word(&x, ",")))
			return false;
	return e->timestamp_width % 8 == 0 &&
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
	return true;
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

static void read_address(struct etrace_packet *p, const struct etrace_encoder *e, struct bits *b)
{
	unsigned depth = e->return_stack_size + (e->return_stack_size != 0) + e->call_counter_size;

	p->has_address = true;
	p->address = take_signed(b, e->iaddress_width - e->iaddress_lsb) << e->iaddress_lsb;
	p->notify = take_flag(b);
	p->updiscon = take_flag(b);
	p->irreport = take_flag(b);
	p->irdepth = take_bits(b, depth);
}

static void read_branches(struct etrace_packet *p, const struct etrace_encoder *e, struct bits *b)
{
	unsigned branches = (unsigned)take_bits(b, 5), size = 1;

	while (size < branches)
		size = 2 * size + 1;
	p->branches = branches == 0 ? MAP : branches;
	p->map = take_bits(b, branches == 0 ? MAP : size) & ((UINT64_C(1) << p->branches) - 1);
	if (branches != 0)
		read_address(p, e, b);
}

static void read_where(struct etrace_packet *p, const struct etrace_encoder *e, struct bits *b)
{
	p->privilege = (unsigned)take_bits(b, e->privilege_width);
	b->at += e->time_width;
	p->context = take_bits(b, e->context_width);
}

static void read_synchronisation(struct etrace_packet *p, const struct etrace_encoder *e,
				 struct bits *b)
{
	bool interrupt = false;

	p->not_taken = take_bits(b, 1) != 0;
	read_where(p, e, b);
	if (p->kind == ETRACE_TRAP) {
		b->at += e->ecause_width;
		interrupt = take_bits(b, 1) != 0;
		p->handler = take_bits(b, 1) != 0;
	}
	p->has_address = true;
	p->address = take_signed(b, e->iaddress_width - e->iaddress_lsb) << e->iaddress_lsb;
	if (p->kind == ETRACE_TRAP && !interrupt)
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
			       const struct etrace_frame *f, const unsigned char *at)
{
	struct bits b = { at, f->first, f->first + f->bits };
	unsigned format = (unsigned)take_bits(&b, 2);

	*p = (struct etrace_packet){ .kind = ETRACE_BRANCHES };
	if (format == 0)
		return "a packet of format 0: branch prediction and jump target cache can't be "
		       "read";
	if (format == 1)
		read_branches(p, e, &b);
	if (format == 2)
		read_address(p, e, &b);
	if (format == 3) {
		p->kind = ETRACE_START + (unsigned)take_bits(&b, 2);
		if (p->kind == ETRACE_START || p->kind == ETRACE_TRAP)
			read_synchronisation(p, e, &b);
		else if (p->kind == ETRACE_CONTEXT)
			read_where(p, e, &b);
		else
			read_support(p, &b);
	}
	return b.end > b.at + 7 ? "this packet is longer than its format" : NULL;
}
