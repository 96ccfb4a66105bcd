/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/ntrace_message.h"

enum {
	DATA_BITS = 6, CODE_BITS = 6, END_FIELD = 1, END_MESSAGE = 3, PADDING = 0xff,
	/* Greatest widths of fields. */
	COUNT_BITS = 22, HISTORY_BITS = 32, REPEAT_BITS = 18
};

const char *ntrace_message_find(size_t *size, const unsigned char *at, size_t n)
{
	*size = 1;
	if (at[0] == PADDING)
		return NULL;
	if ((at[0] & 3) != 0)
		return "no message of N-Trace begins here";
	for (size_t i = 0; i < n; i++) {
		if ((at[i] & 3) == 2)
			return "a byte of this message has the end 10, which is reserved";
		*size = i + 1;
		if ((at[i] & 3) == END_MESSAGE)
			return NULL;
	}
	*size = n + 1;
	return n >= NTRACE_MOST_BYTES ? "this message is longer than all of N-Trace" : NULL;
}

/* ---- fields ---- */

/* The fields of a message, and the first thing that was wrong. */
struct fields {
	const unsigned char *bytes;
	size_t at, end;       /* in bits of data */
	const char *wrong;
};

static unsigned data_bit(const struct fields *f, size_t at)
{
	return f->bytes[at / DATA_BITS] >> (2 + at % DATA_BITS) & 1u;
}

static unsigned end_at(const struct fields *f, size_t at)
{
	return f->bytes[at / DATA_BITS] & 3u;
}

/* Takes a field of n bits. Another field follows it, so no byte of it may be the last one. */
static unsigned take_fixed(struct fields *f, unsigned n)
{
	unsigned x = 0;

	for (unsigned i = 0; i < n; i++, f->at++) {
		bool ends = f->at % DATA_BITS == DATA_BITS - 1;

		if (f->at >= f->end || (ends && end_at(f, f->at) != 0)) {
			f->wrong = "this message is too short for its kind";
			return 0;
		}
		x |= data_bit(f, f->at) << i;
	}
	return x;
}

/*
 * Takes a field up to the byte that ends it. Its value must fit `most` bits. If `extends`, the
 * highest bit that was sent also stands for those above it.
 */
static uint64_t take_variable(struct fields *f, unsigned most, bool extends)
{
	uint64_t x = 0;
	unsigned n = 0, bit = 0;

	if (f->at >= f->end) {
		f->wrong = "this message is too short for its kind";
		return 0;
	}
	do {
		bit = data_bit(f, f->at++);
		if (n < most)
			x |= (uint64_t)bit << n;
		else if (bit != 0 && !extends)
			f->wrong = "a number in this message has more bits than N-Trace allows";
		n++;
	} while (f->at % DATA_BITS != 0 || end_at(f, f->at - 1) == 0);
	if (extends && bit != 0 && n < 64)
		x |= ~UINT64_C(0) << n;
	return x;
}

/*
 * The fields of each kind of message, in their order. Fixed: s SYNC, b B-TYPE, r RCODE, t ETYPE, e
 * EVCODE, c CDF. Variable: i I-CNT, a address, h HIST, d RDATA, n B-CNT, x ECODE, p PROCESS.
 */
static const char *fields_of(unsigned code)
{
	switch (code) {
	case NTRACE_OWNERSHIP:
		return "p";
	case NTRACE_DIRECT:
		return "i";
	case NTRACE_INDIRECT:
		return "bia";
	case NTRACE_ERROR:
		return "tx";
	case NTRACE_SYNC:
	case NTRACE_DIRECT_SYNC:
		return "sia";
	case NTRACE_INDIRECT_SYNC:
		return "sbia";
	case NTRACE_FULL:
		return "rd";
	case NTRACE_INDIRECT_HISTORY:
		return "biah";
	case NTRACE_INDIRECT_HISTORY_SYNC:
		return "sbiah";
	case NTRACE_REPEAT:
		return "n";
	case NTRACE_ENDS:
		return "eci";
	default:
		return NULL;
	}
}

static void take_history(struct ntrace_message *m, struct fields *f)
{
	m->history = take_variable(f, HISTORY_BITS, false);
	m->has_history = true;
	if (m->history == 0)
		f->wrong = "the history in this message has no 1 above its outcomes";
}

static void take_resource(struct ntrace_message *m, struct fields *f)
{
	if (m->full == NTRACE_FULL_COUNT)
		m->count = take_variable(f, COUNT_BITS, false);
	if (m->full == NTRACE_FULL_HISTORY || m->full == NTRACE_FULL_REPEATED)
		take_history(m, f);
	if (m->full == NTRACE_FULL_REPEATED && f->wrong == NULL)
		m->repeats = take_variable(f, REPEAT_BITS, false);
}

static void take_field(struct ntrace_message *m, const struct etrace_encoder *e, struct fields *f,
		       char field)
{
	switch (field) {
	case 's':
		m->sync = take_fixed(f, 4);
		break;
	case 'b':
		m->type = take_fixed(f, 2);
		break;
	case 'r':
		m->full = take_fixed(f, 4);
		break;
	case 'i':
		m->count = take_variable(f, COUNT_BITS, false);
		break;
	case 'a':
		m->has_address = true;
		m->address = take_variable(f, 63, e->extend_address != 0) << 1;
		break;
	case 'h':
		take_history(m, f);
		break;
	case 'd':
		take_resource(m, f);
		break;
	case 'n':
		m->repeats = take_variable(f, REPEAT_BITS, false);
		break;
	case 'p':
		m->process = take_variable(f, 64, false);
		break;
	case 'c':
		m->has_history = take_fixed(f, 2) == 1;
		break;
	default:
		take_fixed(f, field == 'x' ? 0 : 4);
		break;
	}
}

const char *ntrace_message_read(struct ntrace_message *m, const struct etrace_encoder *e,
				const unsigned char *at, size_t size)
{
	struct fields f = { .bytes = at, .end = DATA_BITS * size };
	unsigned code = take_fixed(&f, CODE_BITS);
	const char *fields = fields_of(code);

	*m = (struct ntrace_message){ .code = (enum ntrace_code)code };
	m->source = take_fixed(&f, e->source_width);
	for (; fields != NULL && *fields != 0 && f.wrong == NULL; fields++)
		take_field(m, e, &f, *fields);
	if (code == NTRACE_ENDS && m->has_history && f.wrong == NULL)
		take_history(m, &f);
	return f.wrong;
}
