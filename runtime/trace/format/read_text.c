/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads batch text (nfacc-trace(5)). A line is a batch or a loss record, and is parsed in the
 * input's buffer. Items `tick` and `end` are from the output of a filter, and are skipped. If
 * messages have a payload, the first line says how many bits.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/format.h"
#include "runtime/trace/format/text.h"

/* One word of a line. */
struct token {
	const char *at, *end;
};

struct text {
	uint64_t line; /* the number of the last line taken */
	/* [slot]: the payload of the current line's messages; what is not given is 0 */
	uint64_t payload[NFART_SLOTS][NFART_PAYLOAD_WORDS];
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/* Takes the next token between *p and end. A token that begins with `[` goes up to the next `]`.
 * Any other token goes up to a blank or `[`. False: there is no token. */
static bool next_token(const char **p, const char *end, struct token *t)
{
	const char *s = *p, *close;

	while (s < end && is_blank(*s))
		s++;
	if (s == end)
		return false;
	t->at = s++;
	if (*t->at == '[') {
		close = memchr(s, ']', (size_t)(end - s));
		if (close != NULL)
			s = close + 1;
	} else {
		while (s < end && !is_blank(*s) && *s != '[')
			s++;
	}
	*p = t->end = s;
	return true;
}

/* Takes the decimal number at *p. *wide becomes true if the number has more than 64 bits, which is
 * no failure. False: there are no digits. */
static bool take_decimal(const char **p, const char *end, uint64_t *x, bool *wide)
{
	const char *s = *p;

	*wide = false;
	for (*x = 0; s < end && is_digit(*s); s++) {
		uint64_t digit = (uint64_t)(*s - '0');
		*wide |= *x > (UINT64_MAX - digit) / 10;
		*x = *x * 10 + digit;
	}
	if (s == *p)
		return false;
	*p = s;
	return true;
}

static int hex_digit(char c)
{
	return is_digit(c)            ? c - '0' :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 :
	       c >= 'A' && c <= 'F' ? c - 'A' + 10 :
				      -1;
}

/* Takes the hexadecimal number at *p, which begins with `0x`. *wide becomes true if the number has
 * more than 64 bits, which is no failure. False: there is no such number. */
static bool take_hex(const char **p, const char *end, uint64_t *x, bool *wide)
{
	const char *s = *p + 2;

	if (end - *p < 3 || (*p)[0] != '0' || (*p)[1] != 'x' || hex_digit(*s) < 0)
		return false;
	*wide = false;
	for (*x = 0; s < end && hex_digit(*s) >= 0; s++) {
		*wide |= *x >> 60 != 0;
		*x = *x << 4 | (uint64_t)hex_digit(*s);
	}
	*p = s;
	return true;
}

static void take_name(const char **p, const char *end, struct token *name)
{
	name->at = *p;
	while (*p < end && is_name_char(**p))
		(*p)++;
	name->end = *p;
}

/* Takes `@` and a channel at *p. If there is no `@`, *channel becomes PROTO_NO_CHANNEL. A channel
 * too large for any slot becomes INT_MAX, which no slot has. False: there is an `@` without a
 * number. */
static bool take_channel(const char **p, const char *end, int *channel)
{
	uint64_t x;
	bool wide;

	*channel = PROTO_NO_CHANNEL;
	if (*p == end || **p != '@')
		return true;
	(*p)++;
	if (!take_decimal(p, end, &x, &wide))
		return false;
	*channel = wide || x > INT16_MAX ? INT_MAX : (int)x;
	return true;
}

/* Skips `(…)` if *p is at a `(`, and otherwise nothing. False: there is no `)` after the `(`, or
 * another `(` comes before the `)`. */
static bool skip_parentheses(const char **p, const char *end)
{
	if (*p == end || **p != '(')
		return true;
	do
		(*p)++;
	while (*p < end && **p != '(' && **p != ')');
	return *p < end && *(*p)++ == ')';
}

static int bad_item(struct reader_line *l, struct token t)
{
	int n = t.end - t.at < 80 ? (int)(t.end - t.at) : 80;

	return reader_line_fail(l, t.at, "bad item '%.*s'", n, t.at);
}

static size_t length(struct token t)
{
	return (size_t)(t.end - t.at);
}

/* Parses the item t, which is like `cpu.MREQ_RLDD@6:0x80`. Its group was taken already, and p is
 * after the dot. Returns 0, or -1 after an error. */
static int typed_item(struct reader_line *l, struct token t, struct token group, const char *p,
		      uint32_t *slot, uint64_t *header)
{
	const struct nfart_proto *proto = l->r->proto;
	int g = proto_find_group(proto, group.at, length(group)), type, s, op, channel;
	bool has_address, wide = false;
	uint64_t address = 0;
	struct token name;

	take_name(&p, t.end, &name);
	if (length(name) == 0 || !take_channel(&p, t.end, &channel))
		return bad_item(l, t);
	has_address = p < t.end && *p == ':';
	p += has_address;
	if ((has_address && !take_hex(&p, t.end, &address, &wide)) || p != t.end)
		return bad_item(l, t);

	type = proto_find_type(proto, name.at, length(name));
	if (g < 0 || type < 0)
		return reader_line_fail(l, t.at, "unknown type '%.*s'",
					(int)(name.end - group.at), group.at);
	s = proto_find_slot(proto, (uint32_t)g, channel);
	op = s < 0 ? -1 : proto_type_opcode(proto, (uint32_t)type, (uint32_t)s);
	if (op < 0)
		return reader_line_fail(l, t.at, "%s is never in this slot of %s",
					proto->names.types[type], proto->names.groups[g]);
	*slot = (uint32_t)s;
	*header = (uint64_t)op << proto->header.op_lsb;
	if (!has_address)
		return 0;
	if (!bits_get(proto->codes.has_addr, proto_code(proto, *slot, *header)))
		return reader_line_fail(l, t.at, "%s has no address", proto->names.types[type]);
	*header |= address >> proto->header.line_shift << proto->header.addr_lsb &
		   proto_addr_mask(proto);
	if (wide || proto_line(proto, *header) << proto->header.line_shift != address)
		return reader_line_fail(l, t.at, "0x%llx is not the byte address of a line",
					(unsigned long long)address);
	return 0;
}

/* Parses the item t, which is like `cpu@6=0x80(…)`. Its group was taken already, and p is after the
 * group. Returns 0, or -1 after an error. */
static int raw_item(struct reader_line *l, struct token t, struct token group, const char *p,
		    uint32_t *slot, uint64_t *header)
{
	const struct nfart_proto *proto = l->r->proto;
	int g, s, channel;
	bool wide;

	if (length(group) == 0 || !take_channel(&p, t.end, &channel) || p == t.end || *p++ != '=' ||
	    !take_hex(&p, t.end, header, &wide) || !skip_parentheses(&p, t.end) || p != t.end)
		return bad_item(l, t);

	g = proto_find_group(proto, group.at, length(group));
	s = g < 0 ? -1 : proto_find_slot(proto, (uint32_t)g, channel);
	if (s < 0)
		return reader_line_fail(l, t.at, "no such slot in protocol %s", proto->name);
	*slot = (uint32_t)s;
	if (wide || (*header & ~proto_header_mask(proto)) != 0)
		return reader_line_fail(l, t.at, "this header needs more than %u bits",
					proto->header.bits);
	if (!trace_header_ok(proto, *header))
		return reader_line_fail(l, t.at, "a header with the idle opcode is no message");
	return 0;
}

/* Parses the payload of a message, the hexadecimal digits in `{…}` at the end of the item t, and cuts
 * it off. An item without it has zeros. Returns 0, or -1 after an error. */
static int take_payload(struct reader_line *l, struct token *t, uint64_t *out)
{
	const char *open = memchr(t->at, '{', length(*t)), *p = t->end - 1;
	unsigned bit = 0, bits = 64 * l->r->payload.words;

	memset(out, 0, NFART_PAYLOAD_WORDS * sizeof *out);
	if (open == NULL)
		return 0;
	if (bits == 0)
		return reader_line_fail(l, open, "a payload, but the trace does not begin with the "
						 "line '" TEXT_PAYLOAD "BITS'");
	if (*p != '}' || p - open < 2)
		return reader_line_fail(l, open, "expected {, hexadecimal digits and }");
	for (; --p > open; bit += 4) {
		int digit = hex_digit(*p);
		if (digit < 0)
			return reader_line_fail(l, p, "expected a hexadecimal digit or }");
		if (bit >= bits && digit != 0)
			return reader_line_fail(l, open, "this payload needs more than %u bits",
						bits);
		if (bit < bits)
			out[bit / 64] |= (uint64_t)digit << bit % 64;
	}
	t->end = open;
	return 0;
}

static int parse_item(struct reader_line *l, struct token t, struct nfart_batch *b)
{
	struct text *text = l->r->state;
	uint64_t payload[NFART_PAYLOAD_WORDS];
	const char *p = t.at;
	struct token group;
	uint64_t header = 0;
	uint32_t slot = 0;
	char name[80];
	int got;

	if (take_payload(l, &t, payload) < 0)
		return -1;
	take_name(&p, t.end, &group);
	if (p < t.end && *p == '.' && length(group) != 0)
		got = typed_item(l, t, group, p + 1, &slot, &header);
	else
		got = raw_item(l, t, group, p, &slot, &header);
	if (got < 0)
		return got;
	if (b->mask >> slot & 1) {
		proto_slot_name(l->r->proto, slot, name);
		return reader_line_fail(l, t.at, "second item in slot %s", name);
	}
	b->mask |= (uint64_t)1 << slot;
	b->header[slot] = header;
	memcpy(text->payload[slot], payload, sizeof payload);
	return 0;
}

/* Parses `!lost N` and makes *b a loss record. `mark` is the token `!lost`, and what follows it is
 * between p and end. Returns 1, or -1 after an error. */
static int parse_loss(struct reader_line *l, struct token mark, const char *p, const char *end,
		      struct nfart_batch *b)
{
	struct token count = mark, more;
	uint64_t lost;
	bool wide;

	if (!next_token(&p, end, &count) || next_token(&p, end, &more))
		return reader_line_fail(l, mark.at, "expected '!lost', a count or ?, no more");
	p = count.at;
	if (length(count) == 1 && *p == '?')
		return reader_loss(b, b->time, NFART_LOST_UNKNOWN);
	if (!take_decimal(&p, count.end, &lost, &wide) || p != count.end)
		return reader_line_fail(l, mark.at, "expected '!lost', a count or ?, no more");
	if (wide || lost == NFART_LOST_UNKNOWN)
		return reader_line_fail(l, count.at, "this count needs more than 64 bits");
	return reader_loss(b, b->time, lost);
}

static bool is_word(struct token t, const char *word)
{
	return length(t) == strlen(word) && memcmp(t.at, word, length(t)) == 0;
}

static bool is_loss(struct token t)
{
	return is_word(t, "!lost");
}

/* The batch of the end may have the time of the batch before it, if that is the latest time there
 * is. Is the line one of that batch alone? t is its first item; what follows is between p and
 * end. */
static bool is_second_end(const struct trace_clock *clock, uint64_t time, struct token t,
			  const char *p, const char *end)
{
	return clock->any && clock->last == UINT64_MAX && time == UINT64_MAX && is_word(t, "end") &&
	       !next_token(&p, end, &t);
}

static int parse_time(struct reader_line *l, struct token t, uint64_t *time)
{
	const char *p = t.at;
	bool wide;

	if (!take_decimal(&p, t.end, time, &wide) || p != t.end)
		return reader_line_fail(l, t.at, "expected a time");
	if (wide)
		return reader_line_fail(l, t.at, "this time needs more than 64 bits");
	return 0;
}

/* Parses a line. Returns 1 if the line has a batch or a loss record, which is then in *b; 0 if it
 * has neither; -1 after an error. */
static int parse_line(struct reader_line *l, struct nfart_batch *b)
{
	struct trace_clock *clock = &l->r->clock;
	const char *p = l->at, *end = memchr(l->at, '#', l->n);
	struct token time, t;
	bool more, loss;

	if (end == NULL)
		end = l->at + l->n;
	if (!next_token(&p, end, &time))
		return 0;
	if (parse_time(l, time, &b->time) < 0)
		return -1;
	more = next_token(&p, end, &t);
	if (more && *t.at == '[' && t.end[-1] == ']')
		more = next_token(&p, end, &t);
	loss = more && is_loss(t);
	if (more && is_second_end(clock, b->time, t, p, end))
		return 0;
	if (!trace_clock_step(clock, b->time, loss))
		return reader_line_fail(l, time.at, "time must rise: %llu after %llu",
			       (unsigned long long)b->time, (unsigned long long)clock->last);
	if (loss)
		return parse_loss(l, t, p, end, b);
	for (; more; more = next_token(&p, end, &t))
		if (!is_word(t, "tick") && !is_word(t, "end") && parse_item(l, t, b) < 0)
			return -1;
	return b->mask != 0;
}

static int text_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	struct text *text = r->state;
	struct reader_line l = { .r = r, .e = e };
	const char *nul;
	int got;

	b->mask = b->lost = 0;
	b->damaged = false;
	do {
		l.number = ++text->line;
		got = reader_line_take(&l);
		if (got != 1)
			return got == 0 ? reader_end(r, b, e) : got;
		nul = memchr(l.at, 0, l.n);
		if (nul != NULL)
			return reader_line_fail(&l, nul, "a NUL byte is no text");
		got = parse_line(&l, b);
	} while (got == 0);
	if (got == 1)
		reader_give_payload(r, b->mask, text->payload);
	return got;
}

/* Are these n bytes all such that batch text can have them? Comments may be UTF-8, so all bytes
 * above 127 are accepted. */
bool detect_text(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] < ' ' && !is_blank((char)p[i]) && p[i] != '\n') || p[i] == 127)
			return false;
	return true;
}

/* Looks at the first line for the bits of payload. False: *e says why. */
static bool look_for_payload(struct nfart_reader *r, struct nfart_error *e)
{
	struct reader_line l = { .r = r, .e = e, .number = 1 };
	size_t head = sizeof TEXT_PAYLOAD - 1;
	const char *p, *end;
	uint64_t bits;
	bool wide;

	reader_peek(&r->in);
	if (r->in.error != 0) {
		reader_fail_input(r, e);
		return false;
	}
	if (r->in.n < head || memcmp(r->in.at, TEXT_PAYLOAD, head) != 0)
		return true;
	l.at = p = (const char *)r->in.at;
	end = memchr(p, '\n', r->in.n);
	l.n = (size_t)((end != NULL ? end : p + r->in.n) - p);
	end = l.at + l.n;
	p += head;
	if (!take_decimal(&p, end, &bits, &wide) || wide || bits % 64 != 0 || bits == 0 ||
	    bits > 64 * NFART_PAYLOAD_WORDS || (p < end && !is_blank(*p))) {
		reader_line_fail(&l, l.at + head, "expected bits of payload: 64, 128 … %d",
				 64 * NFART_PAYLOAD_WORDS);
		return false;
	}
	if (reader_payload(r, (uint32_t)bits / 64))
		return true;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return false;
}

bool read_text_open(struct nfart_reader *r, struct nfart_error *e)
{
	r->state = calloc(1, sizeof(struct text));
	r->next = text_next;
	if (r->state == NULL)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	return r->state != NULL && look_for_payload(r, e);
}
