/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Says which messages change nothing, so that a caller need not make them.
 *
 * Note [quiet messages]
 * A message of a line is quiet if its letter leads the line's states to the same states, and these
 * neither accept nor log. Whether they do is computed by one step for each letter that the message
 * may have. What was computed is kept in a table of QUIET_ANSWERS places, as lines are in few
 * different sets of states. A filter that has too many of them, so that answers would mostly be
 * computed, gets none.
 *
 * A line that had no message yet is in the rest (engine.h, Note [the rest]), and its first message
 * takes it out. So nothing is quiet there.
 */
#include <string.h>

#include "runtime/engine/filter.h"

enum {
	MOST_VISITS = 256, /* of tests, to find the letters of a code */
	ASKED_EACH = 64    /* so often the table must be asked for each answer that is computed */
};

/* What is asked: a set of states, and the messages of a slot. */
struct question {
	const struct nfart_filter *f;
	uint64_t header, varies;
	uint32_t row;
	unsigned visits; /* how often a test may still be looked at */
};

/* Does a message of this letter leave the states of the row as they are? */
static bool letter_is_quiet(const struct question *q, uint32_t letter)
{
	struct dfa_cache *t = q->f->dfa;
	uint64_t key = t->keys.of_letter[letter];
	size_t bytes = q->f->en->words * 8;

	if ((key & KEY_HAS_LINE) == 0)
		return key != 0;
	memcpy(t->scratch, dfa_set(t, q->row), bytes);
	key_truth(&t->keys, key);
	engine_advance(q->f->en, t->scratch);
	return memcmp(t->scratch, dfa_set(t, q->row), bytes) == 0;
}

/* Are all letters quiet that follow a test, or the letter itself? */
static bool follows_quiet(struct question *q, uint32_t at)
{
	const struct image_test *t;
	uint64_t v;

	if ((at & (uint32_t)IMAGE_LETTER) != 0)
		return letter_is_quiet(q, at & ~(uint32_t)IMAGE_LETTER);
	if (q->visits == 0)
		return false;
	q->visits--;
	t = &q->f->en->im->alphabet.tests[at];
	if ((t->mask & q->varies) != 0)
		return follows_quiet(q, t->yes) && follows_quiet(q, t->no);
	v = q->header & t->mask;
	return follows_quiet(q, (t->at_most ? v <= t->value : v == t->value) ? t->yes : t->no);
}

static bool code_is_quiet(struct question *q, uint32_t code)
{
	const struct nfart_image *im = q->f->en->im;
	uint32_t guard = im->alphabet.guard == NULL ? IMAGE_NO_GUARD : im->alphabet.guard[code];

	if (!bits_get(im->proto->codes.valid, code) || q->f->en->map.key[code].broadcast)
		return false;
	q->visits = MOST_VISITS;
	return guard == IMAGE_NO_GUARD ? letter_is_quiet(q, code) : follows_quiet(q, guard);
}

/* Computes which opcodes of a slot are quiet. */
static uint64_t quiet_opcodes(struct question *q, uint32_t slot)
{
	const struct dfa_cache *t = q->f->dfa;
	uint32_t bits = t->keys.op.bits;
	uint64_t set = 0;

	if (t->states.flags[q->row / t->stride] != 0)
		return 0;
	for (uint32_t op = 0; op < 1u << bits; op++)
		set |= (uint64_t)code_is_quiet(q, slot << bits | op) << op;
	return set;
}

/* The row of the line that `header` names; 0: it has none, or is not observed. */
static uint32_t row_of(const struct nfart_filter *f, uint64_t header)
{
	uint64_t line;

	return copies_find(&f->en->map, proto_line(f->en->im->proto, header), &line)
		       ? f->at.line_row[line] : 0;
}

void filter_quiet_init(struct nfart_filter *f)
{
	const struct nfart_image *im = f->en->im;

	f->quiet.known = f->dfa != NULL && f->en->map.any && !im->substreams.by_field &&
			 im->alphabet.time == IMAGE_NO_TIME && im->proto->header.op_bits <= 6;
}

/* The place in the table for a row and a slot. */
static struct quiet_answer *answer_of(struct nfart_filter *f, uint32_t row, uint32_t slot)
{
	return &f->quiet.answer[((row ^ slot) * 0x9e3779b1u) >> (32 - QUIET_BITS)];
}

uint64_t nfart_filter_quiet(struct nfart_filter *f, uint32_t slot, uint64_t header,
			    uint64_t varies)
{
	const struct nfart_proto *p = f->en->im->proto;
	struct question q = { .f = f };
	struct quiet_answer *a;

	if (!f->quiet.known || f->at.stepping || (q.row = row_of(f, header)) == 0)
		return 0;
	/* All opcodes are asked for, and the line is in the row. */
	q.varies = varies | proto_addr_mask(p);
	q.header = header & ~(q.varies | proto_opcode_mask(p));
	a = answer_of(f, q.row, slot);
	f->quiet.asked++;
	if (a->row == q.row && a->slot == slot && a->emptied == f->dfa->emptied &&
	    a->header == q.header && a->varies == q.varies)
		return a->opcodes;
	if (f->quiet.computed >= QUIET_ANSWERS &&
	    f->quiet.computed >= f->quiet.asked / ASKED_EACH)
		return 0;
	f->quiet.computed++;
	*a = (struct quiet_answer){ .emptied = f->dfa->emptied,
				    .header = q.header,
				    .varies = q.varies,
				    .opcodes = quiet_opcodes(&q, slot),
				    .row = q.row,
				    .slot = slot };
	return a->opcodes;
}
