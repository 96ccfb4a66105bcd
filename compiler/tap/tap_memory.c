/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/tap/tap_memory.h"

const char *tap_memory_name(struct arena *a, const struct tap_interface *x, uint32_t side,
			    uint32_t signal)
{
	return tap_text(a, "made$%u$%s", side, x->signals[signal].name);
}

/* A queue while it is written. */
struct queue {
	struct tap_rails *r;
	const struct tap_queue *q;
	const char *name, *flag; /* of its signals */
	uint32_t bits, deep, keys;
};

/* ---- registers ---- */

static void print_register(struct tap_rails *r, const struct tap_register *x,
			   const struct tap_memory_parts *p)
{
	uint32_t bits = tap_width(r->x, x->signal);
	const char *name = r->value[x->signal];

	buf_addf(p->step, "\t\t\t%s <= %s;\n", name, tap_rails_wide(r, x->next.result, bits));
	buf_addf(p->clear, "\t\t\t%s <= %u'd0;\n", name, bits);
	buf_addf(p->initial, "\t\t%s = %u'd0;\n", name, bits);
}

/* Registers are declared first, because all expressions may have them. */
static void declare_register(struct tap_rails *r, const struct tap_register *x, struct buf *b)
{
	const char *name = r->value[x->signal];
	uint32_t bits = tap_width(r->x, x->signal);

	if (bits == 1)
		buf_addf(b, "\treg %s;\n", name);
	else
		buf_addf(b, "\treg [%u:0] %s;\n", bits - 1, name);
	buf_addf(r->unused, ", %s", name);
}

/* ---- queues ---- */

/* The entries, and what is asked of them. Texts come first, as they make wires of their own. */
static void declare_queue(const struct queue *x, struct buf *signals)
{
	struct tap_rails *r = x->r;
	const struct tap_queue *q = x->q;
	const char *put = tap_rails_value(r, q->put_when.result),
		   *take = tap_rails_value(r, q->take_when.result),
		   *in = tap_rails_wide(r, q->put.result, x->bits),
		   *put_key = x->keys != 0 ? tap_rails_wide(r, q->put_key.result, x->keys) : "",
		   *key = x->keys != 0 ? tap_rails_wide(r, q->take_key.result, x->keys) : "";

	buf_addf(signals, "\treg [%u:0] %s$used;\n\treg [%u:0] %s$values;\n\tinteger %s$i;\n",
		 x->deep - 1, x->name, x->deep * x->bits - 1, x->name, x->name);
	if (x->keys != 0)
		buf_addf(signals, "\treg [%u:0] %s$keys;\n", x->deep * x->keys - 1, x->name);
	buf_addf(r->body, "\twire %s$put = %s;\n\twire %s$take = %s;\n\twire [%u:0] %s$in = %s;\n",
		 x->name, put, x->name, take, x->bits - 1, x->name, in);
	if (x->keys != 0)
		buf_addf(r->body, "\twire [%u:0] %s$in_key = %s;\n\twire [%u:0] %s$key = %s;\n",
			 x->keys - 1, x->name, put_key, x->keys - 1, x->name, key);
}

/* Which entry its signals show. */
static void print_look(const struct queue *x)
{
	struct buf *b = x->r->body;
	const char *n = x->name;

	buf_addf(b, "\twire [%u:0] %s$fits = %s$used", x->deep - 1, n, n);
	for (uint32_t i = x->deep; x->keys != 0 && i-- > 0;)
		buf_addf(b, "%s%s$keys[%u:%u] == %s$key%s", i == x->deep - 1 ? " & {" : "", n,
			 (i + 1) * x->keys - 1, i * x->keys, n, i != 0 ? ",\n\t\t" : "}");
	buf_addf(b, ";\n\twire [%u:0] %s$first = %s$fits & (~%s$fits + %u'd1);\n", x->deep - 1, n, n,
		 n, x->deep);
	buf_addf(b, "\twire %s$hit = |%s$fits;\n\twire %s$same = ", n, n, n);
	if (x->keys != 0)
		buf_addf(b, "%s$in_key == %s$key;\n", n, n);
	else
		buf_addf(b, "1'b1;\n");
	buf_addf(b, "\twire %s$now = %s$put && !%s$hit && %s$same;\n", n, n, n, n);
	buf_addf(b, "\twire %s = %s$hit || %s$now;\n", x->flag, n, n);
	buf_addf(b, x->bits == 1 ? "\twire " : "\twire [%u:0] ", x->bits - 1);
	buf_addf(b, "%s = ({%u{%s$now}} & %s$in)", n, x->bits, n, n);
	for (uint32_t i = 0; i < x->deep; i++)
		buf_addf(b, "\n\t\t| ({%u{%s$first[%u]}} & %s$values[%u:%u])", x->bits, n, i, n,
			 (i + 1) * x->bits - 1, i * x->bits);
	buf_addf(b, ";\n");
	buf_addf(x->r->unused, ", %s, %s", n, x->flag);
}

/* One array of the entries: what is above an entry that goes moves down, and what comes is put into
 * the first place that is free then. */
static void print_array(const struct queue *x, const char *array, const char *in, uint32_t bits,
			struct buf *b)
{
	const char *n = x->name;

	buf_addf(b, "\t\t\t\tif (%s$push && %s$free[%s$i])\n"
		 "\t\t\t\t\t%s$%s[%s$i * %u +: %u] <= %s$%s;\n", n, n, n, n, array, n, bits, bits, n,
		 in);
	buf_addf(b, "\t\t\t\telse if (%s$move[%s$i])\n"
		 "\t\t\t\t\t%s$%s[%s$i * %u +: %u] <= %s$%s$next[%s$i * %u +: %u];\n", n, n, n,
		 array, n, bits, bits, n, array, n, bits, bits);
}

static void print_queue(struct tap_rails *r, const struct tap_queue *q,
			const struct tap_memory_parts *p)
{
	struct queue x = { r, q, r->value[q->signal], r->value[q->signal + 1],
			   tap_width(r->x, q->signal), q->deep, q->key_bits };
	struct buf *b = r->body;
	const char *n = x.name;
	uint32_t d = x.deep;

	declare_queue(&x, p->signals);
	print_look(&x);
	buf_addf(b, "\twire %s$gone = %s$take && %s$hit;\n", n, n, n);
	buf_addf(b, "\twire %s$push = %s$put && !(%s$take && %s$now);\n", n, n, n, n);
	buf_addf(b, "\twire [%u:0] %s$move = %s$gone ? ~(%s$first - %u'd1)\n"
		 "\t\t: {%u{%s$push && (&%s$used)}};\n", d - 1, n, n, n, d, d, n, n);
	buf_addf(b, "\twire [%u:0] %s$left = (|%s$move) ? %s$used >> 1 : %s$used;\n", d - 1, n, n, n,
		 n);
	buf_addf(b, "\twire [%u:0] %s$free = ~%s$left & (%s$left + %u'd1);\n", d - 1, n, n, n, d);
	buf_addf(b, "\twire [%u:0] %s$values$next = %s$values >> %u;\n", d * x.bits - 1, n, n,
		 x.bits);
	if (x.keys != 0)
		buf_addf(b, "\twire [%u:0] %s$keys$next = %s$keys >> %u;\n", d * x.keys - 1, n, n,
			 x.keys);
	buf_addf(p->step, "\t\t\t%s$used <= %s$left | ({%u{%s$push}} & %s$free);\n", n, n, d, n, n);
	buf_addf(p->step, "\t\t\tfor (%s$i = 0; %s$i < %u; %s$i = %s$i + 1) begin\n", n, n, d, n, n);
	print_array(&x, "values", "in", x.bits, p->step);
	if (x.keys != 0)
		print_array(&x, "keys", "in_key", x.keys, p->step);
	buf_addf(p->step, "\t\t\tend\n");
	buf_addf(p->clear, "\t\t\t%s$used <= %u'd0;\n", n, d);
	buf_addf(p->initial, "\t\t%s$used = %u'd0;\n\t\t%s$values = {%u{1'b0}};\n", n, d, n,
		 d * x.bits);
	if (x.keys != 0)
		buf_addf(p->initial, "\t\t%s$keys = {%u{1'b0}};\n", n, d * x.keys);
}

void tap_memory_print(struct tap_rails *r, const struct tap_memory_parts *p)
{
	for (uint32_t i = 0; i < r->x->nregisters; i++)
		declare_register(r, &r->x->registers[i], p->signals);
	for (uint32_t i = 0; i < r->x->nqueues; i++)
		print_queue(r, &r->x->queues[i], p);
	for (uint32_t i = 0; i < r->x->nregisters; i++)
		print_register(r, &r->x->registers[i], p);
}
