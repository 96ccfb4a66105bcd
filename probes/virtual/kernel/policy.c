/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/kernel/policy.h"

#define VALID (UINT64_C(1) << VIRT_PTE_VALID_BIT)

unsigned nfavirt_writes(const struct nfavirt_setup *s, struct nfavirt_write w[NFAVIRT_WRITES])
{
	unsigned n = 0;

	w[n++] = (struct nfavirt_write){ VIRT_PGD_AT, s->pgd };
	w[n++] = (struct nfavirt_write){ VIRT_ASID_AT, s->asid };
	w[n++] = (struct nfavirt_write){ VIRT_START_AT, s->start };
	w[n++] = (struct nfavirt_write){ VIRT_END_AT, s->end };
	for (unsigned i = 0; i < s->npoints; i++)
		w[n++] = (struct nfavirt_write){
			VIRT_POINT_AT + i * 8,
			VIRT_PUT(POINT, LINE, s->point[i] >> VIRT_POINT_LINE_LSB) |
				VIRT_PUT(POINT, CODE, (s->data >> i & 1) == 0) |
				VIRT_PUT(POINT, ENABLE, 1)
		};
	w[n++] = (struct nfavirt_write){ VIRT_CTRL_AT,
					 VIRT_PUT(CTRL, ENABLE, 1) |
						 VIRT_PUT(CTRL, PUBLISHED, s->published) |
						 VIRT_PUT(CTRL, LEVELS, s->levels) };
	return n;
}

uint64_t nfavirt_shared(uint64_t entry)
{
	return (entry & VALID) != 0 ? entry | NFAVIRT_SHARED : entry;
}

uint64_t nfavirt_alone(uint64_t entry)
{
	return (entry & VALID) != 0 ? entry & ~NFAVIRT_SHARED : entry;
}

/* ---- commands ---- */

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Returns what comes after a word, if `p` begins with it; NULL if it does not. */
static const char *take_word(const char *p, const char *word)
{
	while (*word != 0)
		if (*p++ != *word++)
			return 0;
	return *p == 0 || *p == ' ' || *p == '\t' || *p == '\n' ? p : 0;
}

static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

/* Returns what comes after a number; NULL if there is none, or one of more than 64 bits. */
static const char *take_number(const char *p, uint64_t *number)
{
	unsigned base = 10;
	const char *first;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		base = 16;
		p += 2;
	}
	*number = 0;
	for (first = p; digit_of(*p) < base; p++) {
		if (*number > (~UINT64_C(0) - digit_of(*p)) / base)
			return 0;
		*number = *number * base + digit_of(*p);
	}
	return p > first ? p : 0;
}

static const char *wrong_address(uint64_t address)
{
	return address >> VIRT_VA_BITS != 0 ? "an address has at most 48 bits" : 0;
}

const char *nfavirt_parse(const char *text, struct nfavirt_command *c)
{
	static const struct {
		const char *name;
		unsigned numbers;
	} verbs[] = { [NFAVIRT_TRACE] = { "trace", 3 },
		      [NFAVIRT_POINT] = { "point", 1 },
		      [NFAVIRT_WATCH] = { "watch", 1 },
		      [NFAVIRT_FORGET] = { "forget", 0 },
		      [NFAVIRT_STOP] = { "stop", 0 } };
	const char *p = skip_blanks(text), *after = 0;
	unsigned verb = 0;

	while (verb < sizeof verbs / sizeof verbs[0] &&
	       (after = take_word(p, verbs[verb].name)) == 0)
		verb++;
	if (after == 0)
		return "a command is trace, point, watch, forget or stop";
	*c = (struct nfavirt_command){ .verb = (enum nfavirt_verb)verb };
	for (unsigned i = 0; i < verbs[verb].numbers; i++) {
		p = skip_blanks(after);
		after = p == after ? 0 : take_number(p, &c->number[i]);
		if (after == 0)
			return verb == NFAVIRT_TRACE ? "trace needs PID START END"
						     : "this command needs ADDRESS";
	}
	p = skip_blanks(after);
	if (*p == '\n')
		p++;
	if (*p != 0)
		return "there is more than a command";
	if (verb != NFAVIRT_TRACE)
		return wrong_address(c->number[0]);
	if (c->number[0] == 0 || c->number[0] >> 31 != 0)
		return "PID is the number of a process";
	if (c->number[1] >= c->number[2])
		return "END must be above START";
	return wrong_address(c->number[2] - 1);
}

const char *nfavirt_add_point(struct nfavirt_setup *s, uint64_t address, bool code)
{
	if (s->npoints == VIRT_POINTS)
		return "there are at most 16 points";
	s->data &= ~(UINT32_C(1) << s->npoints);
	if (!code)
		s->data |= UINT32_C(1) << s->npoints;
	s->point[s->npoints++] = address;
	return 0;
}
