/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/overlay/emit/emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "backends/overlay/fit/fit_cost.h"

struct number {
	const char *name, *text;
	uint32_t (*value)(const struct overlay *o);
};

static const struct number derived[] = {
#define DERIVED(name, expression, text) { #name, text, overlay_##name },
#include "contract/contract.def"
};

static void name_of(const char *s, struct buf *b)
{
	buf_addf(b, "\tparameter ");
	for (; *s != 0; s++)
		buf_addf(b, "%c", toupper((unsigned char)*s));
}

static void name_and_value(const char *name, uint32_t value, struct buf *b)
{
	name_of(name, b);
	buf_addf(b, " = %" PRIu32 ", // ", value);
}

static void number(const char *name, uint32_t value, const char *text, struct buf *b)
{
	name_and_value(name, value, b);
	buf_addf(b, "%s\n", text);
}

/* Appends a parameter of `bits` bits as a hexadecimal number, then `end`. nibble(ctx, i) gives bits
 * 4 * i to 4 * i + 3 of the number. */
static void vector(const char *name, uint64_t bits, unsigned (*nibble)(const void *ctx, uint64_t i),
		   const void *ctx, const char *end, struct buf *b)
{
	buf_addf(b, "\tparameter [%" PRIu64 ":0] %s = %" PRIu64 "'h", bits - 1, name, bits);
	for (uint64_t i = (bits + 3) / 4; i-- > 0;)
		buf_addf(b, "%x", nibble(ctx, i));
	buf_addf(b, "%s\n", end);
}

/* A set of codes, as a parameter. */
struct code_set {
	const uint64_t *bits; /* [n] */
	uint32_t n;
};

static unsigned code_nibble(const void *ctx, uint64_t i)
{
	const struct code_set *s = ctx;
	unsigned v = 0;

	for (uint32_t k = 0; k < 4 && 4 * i + k < s->n; k++)
		v |= (unsigned)bits_get(s->bits, 4 * i + k) << k;
	return v;
}

static unsigned word_nibble(const void *ctx, uint64_t i)
{
	const uint32_t *words = ctx;

	return words[i / 8] >> 4 * (i % 8) & 15;
}

/* Appends the parameter ELEMENT_WORDS. It has a field of 32 bits for each element id, which says
 * how many words the payload of the element has. */
static void element_sizes(const struct overlay *o, struct buf *b)
{
	uint32_t words[ELEMENT_FIELDS] = { 0 };

	for (size_t i = 0; i < nelements; i++)
		if (!element_is_list(&elements[i]))
			words[elements[i].id] = (uint32_t)element_words(&elements[i], o);
	buf_addf(b, "\t// Field id of 32 bits: words of element id, of rows at most; "
		    "0: it is not there.\n");
	vector("ELEMENT_WORDS", 32 * ELEMENT_FIELDS, word_nibble, words, ",", b);
}

static void neighbours(const struct overlay *o, struct buf *b)
{
	uint32_t degree = contract_degree(o), cliques = overlay_ncliques(o);
	uint32_t *all = malloc((size_t)degree * cliques * sizeof *all);

	if (all == NULL) {
		b->failed = true;
		return;
	}
	for (uint32_t c = 0; c < cliques; c++)
		contract_neighbours(o, c, all + (size_t)c * degree);
	buf_addf(b, "\t// Field c * NNEIGHBOURS + k of 32 bits: the k-th neighbour of clique c "
		    "(T 3.3.2).\n");
	vector("NEIGHBOURS", (uint64_t)32 * degree * cliques, word_nibble, all, "", b);
	free(all);
}

static void cost(const struct overlay *o, struct buf *b)
{
	struct fit_weights one = { 1, 1 };
	struct fit_cost c = fit_cost(o, &one);

	buf_addf(b,
		 "// The NFA part takes about %" PRIu64 " LUT sites and %" PRIu64 " flip-flops.\n",
		 c.luts, c.ffs);
}

static unsigned join_nibble(const void *ctx, uint64_t i)
{
	const struct nfart_proto *p = ctx;
	const struct proto_join *j = &p->joins.at[i / 8];
	uint32_t place = j->bits | j->request_lsb << 8 | j->answer_lsb << 16;

	return place >> i % 8 * 4 & 15;
}

/* The codes of all joins one after the other: the requests, or the answers. */
struct join_codes {
	const struct nfart_proto *p;
	bool answers;
};

static unsigned join_code_nibble(const void *ctx, uint64_t i)
{
	const struct join_codes *c = ctx;
	unsigned nibble = 0;

	for (uint64_t bit = 4 * i; bit < 4 * i + 4; bit++) {
		uint64_t join = bit / c->p->codes.n, code = bit % c->p->codes.n;
		const struct proto_join *j = &c->p->joins.at[join];
		if (join < c->p->joins.n && bits_get(c->answers ? j->answers : j->requests, code))
			nibble |= 1u << bit % 4;
	}
	return nibble;
}

static void joins(const struct overlay *o, const struct nfart_proto *p, struct buf *b)
{
	uint64_t bits = (uint64_t)p->joins.n * p->codes.n;
	struct join_codes requests = { p, false }, answers = { p, true };

	if (o->joins == OVERLAY_JOINS_NO || p->joins.n == 0) {
		buf_addf(b, "\tparameter NJOINS = 0, // no answer is joined to its request\n"
			    "\tparameter JOIN_PLACES = 0, JOIN_REQUESTS = 0, JOIN_ANSWERS = 0,\n");
		return;
	}
	number("NJOINS", p->joins.n, "joins of answers to their requests", b);
	buf_addf(b, "\t// Field j of 32 bits: bits of the number of join j, and from bits 8 and 16 "
		    "on its lowest bit in requests and answers.\n");
	vector("JOIN_PLACES", (uint64_t)32 * p->joins.n, join_nibble, p, ",", b);
	buf_addf(b, "\t// Bit (j * SLOTS + slot) * OPCODES + opcode: a request of join j.\n");
	vector("JOIN_REQUESTS", bits, join_code_nibble, &requests, ",", b);
	buf_addf(b, "\t// And an answer.\n");
	vector("JOIN_ANSWERS", bits, join_code_nibble, &answers, ",", b);
}

void emit_verilog(const struct overlay *o, const struct nfart_proto *p, const char *name,
		  struct buf *b)
{
	struct overlay t = *o;

	/* REUSE-IgnoreStart: the licence below is that of the output. */
	buf_addf(b,
		 "// SPDX-License-Identifier: BSD-2-Clause\n"
		 "// Made by nfacc --emit=verilog: parameters of nfacc_engine "
		 "for overlay %s, protocol %s.\n"
		 "/* verilator lint_off UNUSEDPARAM */\n",
		 name, p->name);
	/* REUSE-IgnoreEnd */
	for (size_t i = 0; i < noverlay_params; i++) {
		const struct overlay_param *q = &overlay_params[i];
		name_and_value(q->name, *overlay_field(&t, q), b);
		contract_param_text(q, b);
		buf_addf(b, "\n");
	}
	for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++)
		number(derived[i].name, derived[i].value(o), derived[i].text, b);
#define PROTOCOL(name, member, lowest, highest, text) number(#name, p->member, text, b);
#include "contract/contract.def"
	buf_addf(b,
		 "\tparameter integer IDLE = %" PRId32 ", // the opcode no message has; -1: none\n",
		 p->header.idle);
	buf_addf(b, "\tparameter [63:0] FINGERPRINT = 64'h%016" PRIx64 ",\n",
		 contract_fingerprint(o, p));
	element_sizes(o, b);
	buf_addf(b, "\t// Bit slot * OPCODES + opcode: the type has an address.\n");
	vector("HAS_ADDR", p->codes.n, code_nibble,
	       &(struct code_set){ p->codes.has_addr, p->codes.n }, ",", b);
	if (o->broadcast == OVERLAY_BROADCAST_YES) {
		buf_addf(b, "\t// Bit slot * OPCODES + opcode: the type is a broadcast one.\n");
		vector("IS_BROADCAST", p->codes.n, code_nibble,
		       &(struct code_set){ p->codes.broadcast, p->codes.n }, ",", b);
	} else {
		buf_addf(b, "\tparameter IS_BROADCAST = 0, // no message is for all substreams\n");
	}
	joins(o, p, b);
	neighbours(o, b);
	buf_addf(b, "/* verilator lint_on UNUSEDPARAM */\n");
	cost(o, b);
}
