/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfaperf/events.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OPCODE_TRAP = 250, OPCODE_SWITCH = 251, OPCODE_AT = 56, HART_AT = 32 };

static enum nfart_status choose(struct events *x, const struct rv_code *code, const char *name,
				struct nfart_error *e)
{
	bool found = false;

	if (x->n == EVENTS_MOST)
		return nfart_fail(e, NFART_USAGE, "more than %d functions", EVENTS_MOST);
	x->names[x->n++] = name;
	for (size_t i = RV_OWN_FUNCTIONS; i < code->functions.n; i++)
		if (code->functions.at[i].name != NULL &&
		    strcmp(code->functions.at[i].name, name) == 0) {
			x->chosen[i] = (uint8_t)x->n;
			found = true;
		}
	return found ? NFART_OK : nfart_fail(e, NFART_INPUT, "no function '%s'", name);
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
		status = choose(x, code, s, e);
	return status;
}

void events_free(struct events *x)
{
	free(x->chosen);
	vec_free(&x->nearest);
	vec_free(&x->path);
	buf_free(&x->out);
}

static void put(struct events *x, uint64_t cycle, unsigned opcode, const struct rv_move *change)
{
	if (x->lanes != 0 && cycle != x->cycle)
		events_end(x);
	if (x->lanes == EVENTS_LANES) {
		x->lost++;
		return;
	}
	if (x->lanes == 0)
		buf_addf(&x->out, "%llu", (unsigned long long)cycle);
	x->cycle = cycle;
	buf_addf(&x->out, " lane@%zu=0x%llx", x->lanes++,
		 (unsigned long long)((uint64_t)opcode << OPCODE_AT |
				      (uint64_t)x->hart << HART_AT | change->thread));
}

void events_end(struct events *x)
{
	if (x->lanes != 0)
		buf_addf(&x->out, "\n");
	x->lanes = 0;
}

/* Fills in `nearest` for the nodes that are new. */
static bool follow_tree(struct events *x, const struct rv_profile *p)
{
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

/* Goes from one stack of chosen functions to another one: first ends, then begins. */
static void move(struct events *x, const struct rv_profile *p, const struct rv_move *change,
		 uint64_t cycle)
{
	uint32_t from = x->nearest.at[change->before], to = x->nearest.at[change->after];

	x->path.n = 0;
	/* Children have higher numbers than their parents. */
	while (from != to) {
		if (from > to) {
			put(x, cycle, 2 * number_of(x, p, from) + 1, change);
			from = x->nearest.at[p->tree.nodes.at[from].parent];
		} else {
			x->failed |= !vec_push(&x->path, to);
			to = x->nearest.at[p->tree.nodes.at[to].parent];
		}
	}
	while (x->path.n > 0)
		put(x, cycle, 2 * number_of(x, p, x->path.at[--x->path.n]), change);
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
	if (change->switched)
		put(x, cycle, OPCODE_SWITCH, change);
	else
		move(x, p, change, cycle);
	if (change->trapped)
		put(x, cycle, OPCODE_TRAP, change);
}

/* Appends a name in which all but letters, digits and underscores is replaced. */
static void spell(struct buf *b, const char *name)
{
	for (size_t i = 0; name[i] != 0 && i < 48; i++)
		buf_addf(b, "%c", isalnum((unsigned char)name[i]) ? name[i] : '_');
}

void events_protocol(const struct events *x, struct buf *b)
{
	buf_addf(b, "// Functions that begin and end, traps, and switches of tasks.\n"
		 "protocol calls;\nheader 64;\nopcode 56..63;\nidle 255;\ngroups lane;\n"
		 "channels 0..%d;\n", EVENTS_LANES - 1);
	for (int end = 0; end < 2; end++) {
		buf_addf(b, "types %s {\n", end ? "leave" : "enter");
		for (size_t i = 0; i < x->n; i++) {
			buf_addf(b, "\t");
			spell(b, x->names[i]);
			buf_addf(b, " %zu;\n", 2 * i + (size_t)end);
		}
		buf_addf(b, "}\n");
	}
	buf_addf(b, "types kernel {\n\ttrap %d;\n\tswitch %d;\n}\n", OPCODE_TRAP, OPCODE_SWITCH);
	buf_addf(b, "field thread 0..31;\nfield hart 32..47;\n");
	for (size_t i = 0; i < x->n; i++) {
		buf_addf(b, "pair ");
		spell(b, x->names[i]);
		buf_addf(b, ": enter_");
		spell(b, x->names[i]);
		buf_addf(b, " -> leave_");
		spell(b, x->names[i]);
		buf_addf(b, " by thread;\n");
	}
}
