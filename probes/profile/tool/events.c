/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tool/events.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "contract/proto/reserved.h"

enum {
	OPCODE_TRAP = 250,
	OPCODE_SWITCH = 251,
	OPCODE_AT = 56,
	HART_AT = 32,
	NAME = 48 /* longest name of a function in the protocol */
};

/* ---- the protocol ---- */

/*
 * Spells the name of a function as the protocol needs it. Replaces all characters except for
 * letters, digits and underscores. Changes reserved words.
 */
static void spell_function(char out[NAME + 2], const char *name)
{
	size_t n = 0;

	for (; name[n] != 0 && n < NAME; n++)
		out[n] = isalnum((unsigned char)name[n]) ? name[n] : '_';
	if (grammar_find_reserved(out, n) >= 0)
		out[n++] = '_';
	out[n] = 0;
}

void events_protocol(const struct events *x, struct buf *b)
{
	char name[NAME + 2];

	buf_addf(b, "// Functions that begin and end, traps, and switches of tasks.\n"
		 "protocol calls;\nheader 64;\nopcode %d..63;\nidle 255;\ngroups lane;\n"
		 "channels 0..%d;\n", OPCODE_AT, EVENTS_LANES - 1);
	for (int end = 0; end < 2; end++) {
		buf_addf(b, "types %s {\n", end ? "leave" : "enter");
		for (size_t i = 0; i < x->n; i++) {
			spell_function(name, x->names[i]);
			buf_addf(b, "\t%s %zu;\n", name, 2 * i + (size_t)end);
		}
		buf_addf(b, "}\n");
	}
	buf_addf(b, "types kernel {\n\ttrap %d;\n\tswitch %d;\n}\n", OPCODE_TRAP, OPCODE_SWITCH);
	buf_addf(b, "field thread 0..31;\nfield hart %d..47;\n", HART_AT);
	for (size_t i = 0; i < x->n; i++) {
		spell_function(name, x->names[i]);
		buf_addf(b, "pair %s: enter_%s -> leave_%s by thread;\n", name, name, name);
	}
}

/* Makes x->proto from the text that events_protocol() writes. */
static enum nfart_status make_protocol(struct events *x, struct nfart_error *e)
{
	struct buf text = { 0 };

	events_protocol(x, &text);
	if (text.failed)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	else
		x->proto = nfart_proto_parse(text.at, text.n, "calls.proto", e);
	buf_free(&text);
	return x->proto != NULL ? NFART_OK : e->status;
}

/* ---- the functions ---- */

static enum nfart_status choose_function(struct events *x, const struct rv_code *code,
					 const char *name, struct nfart_error *e)
{
	char own[NAME + 2], other[NAME + 2];
	bool found = false;

	spell_function(own, name);
	for (size_t i = 0; i < x->n; i++) {
		spell_function(other, x->names[i]);
		if (strcmp(own, other) == 0)
			return nfart_fail(e, NFART_USAGE,
					  "--functions: '%s' and '%s' would have the same name in "
					  "the protocol",
					  x->names[i], name);
	}
	if (x->n == EVENTS_MOST)
		return nfart_fail(e, NFART_USAGE, "--functions names more than %d functions",
				  EVENTS_MOST);
	x->names[x->n++] = name;
	for (size_t i = RV_OWN_FUNCTIONS; i < code->functions.n; i++)
		if (code->functions.at[i].name != NULL &&
		    strcmp(code->functions.at[i].name, name) == 0) {
			x->chosen[i] = (uint8_t)x->n;
			found = true;
		}
	return found ? NFART_OK
		     : nfart_fail(e, NFART_INPUT,
				  "--functions: none of the ELF files has a function "
				  "'%s'",
				  name);
}

enum nfart_status events_init(struct events *x, const struct rv_code *code, char *list,
			      uint16_t hart, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;
	char *rest = NULL;

	*x = (struct events){ .hart = hart };
	x->chosen = calloc(code->functions.n, 1);
	if (x->chosen == NULL || !vec_push(&x->nearest, 0))
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	for (char *s = strtok_r(list, ",", &rest); s != NULL && status == NFART_OK;
	     s = strtok_r(NULL, ",", &rest))
		status = choose_function(x, code, s, e);
	return status == NFART_OK ? make_protocol(x, e) : status;
}

void events_free(struct events *x)
{
	free(x->chosen);
	vec_free(&x->nearest);
	vec_free(&x->path);
	nfart_writer_close(x->writer, &(struct nfart_error){ 0 });
	nfart_proto_free(x->proto);
}

/* ---- batches ---- */

enum nfart_status events_begin(struct events *x, FILE *f, enum nfart_format format,
			       struct nfart_error *e)
{
	struct nfart_writer_options o = { .format = format };

	x->writer = nfart_writer_new(f, x->proto, &o, e);
	return x->writer == NULL ? e->status : NFART_OK;
}

/* Writes the current batch. The writer keeps an error until events_end(). */
static void flush_batch(struct events *x)
{
	if (x->lanes != 0)
		nfart_writer_put(x->writer, &x->batch, NULL);
	x->batch.mask = 0;
	x->lanes = 0;
}

enum nfart_status events_end(struct events *x, struct nfart_error *e)
{
	enum nfart_status status;

	flush_batch(x);
	status = nfart_writer_close(x->writer, e);
	x->writer = NULL;
	return x->failed ? nfart_fail(e, NFART_SYSTEM, "out of memory") : status;
}

static void put_event(struct events *x, uint64_t cycle, unsigned opcode,
		      const struct rv_move *change)
{
	if (x->lanes != 0 && cycle != x->batch.time)
		flush_batch(x);
	if (x->lanes == EVENTS_LANES) {
		x->lost++;
		return;
	}
	x->any = true;
	x->batch.time = cycle;
	x->batch.mask |= UINT64_C(1) << x->lanes;
	x->batch.header[x->lanes++] = (uint64_t)opcode << OPCODE_AT |
				      (uint64_t)x->hart << HART_AT | change->thread;
}

/* Records that tokens are missing before this cycle. */
static void put_loss(struct events *x, uint64_t cycle)
{
	struct nfart_batch loss = { .time = cycle, .lost = NFART_LOST_UNKNOWN };

	flush_batch(x);
	if (x->any)
		nfart_writer_put(x->writer, &loss, NULL);
}

/* ---- steps ---- */

/* Sets `nearest` for nodes that are new in the tree. */
static bool follow_tree(struct events *x, const struct rv_profile *p)
{
	if (x->folded != p->folding.folded)
		x->nearest.n = 1;
	x->folded = p->folding.folded;
	while (x->nearest.n < p->tree.nodes.n) {
		uint32_t i = (uint32_t)x->nearest.n;
		const struct call_node *node = &p->tree.nodes.at[i];
		bool own = node->function < p->code->functions.n && x->chosen[node->function] != 0;

		if (!vec_push(&x->nearest, own ? i : x->nearest.at[node->parent]))
			return false;
	}
	return true;
}

static unsigned number_of(const struct events *x, const struct rv_profile *p, uint32_t node)
{
	return x->chosen[p->tree.nodes.at[node].function] - 1u;
}

/* Goes from one stack of chosen functions to another: first the ends, then the begins. */
static void put_moves(struct events *x, const struct rv_profile *p, const struct rv_move *change,
		      uint64_t cycle)
{
	uint32_t from = x->nearest.at[change->before], to = x->nearest.at[change->after];

	x->path.n = 0;
	/* Children have higher numbers than their parents. */
	while (from != to) {
		if (from > to) {
			put_event(x, cycle, 2 * number_of(x, p, from) + 1, change);
			from = x->nearest.at[p->tree.nodes.at[from].parent];
		} else {
			x->failed |= !vec_push(&x->path, to);
			to = x->nearest.at[p->tree.nodes.at[to].parent];
		}
	}
	while (x->path.n > 0)
		put_event(x, cycle, 2 * number_of(x, p, x->path.at[--x->path.n]), change);
}

void events_take(void *ctx, const struct rv_profile *p, const struct rv_hart *h,
		 const struct rv_move *change)
{
	struct events *x = ctx;
	uint64_t cycle = change->token->cycle;

	(void)h;
	if (change->token->hart != x->hart || !follow_tree(x, p)) {
		x->failed |= change->token->hart == x->hart;
		return;
	}
	if (change->anew)
		put_loss(x, cycle);
	else if (change->switched)
		put_event(x, cycle, OPCODE_SWITCH, change);
	else
		put_moves(x, p, change, cycle);
	if (change->trapped)
		put_event(x, cycle, OPCODE_TRAP, change);
}
