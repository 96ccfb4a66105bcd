/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Compares the lines that records name with those that the software engine names. */
#include "runtime/run/named_lines.h"
#include "testsuite/rtl/rtl_random.h"

/* Is there a line in `list` with the label and address of `l`? With any_label the label is not
 * compared. */
static bool has_line(const struct nfart_line *list, size_t n, const struct nfart_line *l,
		     bool any_label)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].address == l->address && (any_label || list[i].label == l->label))
			return true;
	return false;
}

/* Is the batch one that all lines see? */
static bool is_for_all(const struct nfart_image *im, const struct nfart_batch *b)
{
	bool all = b->when != 0;

	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint32_t s = (uint32_t)__builtin_ctzll(m);
		all |= im->substreams.key[proto_code(im->proto, s, b->header[s])].broadcast;
	}
	return all;
}

bool rnd_check_names(struct test *t, const struct segment *s, const struct got *g,
		     const struct expected *x)
{
	const struct overlay *o = &t->options.overlay.o;
	const struct nfart_line *want = s->lines.at + x->line;
	struct nfart_engine_options none = { .lines = false };
	struct nfart_line named[NAMED_MOST_LINES];
	struct copies copies;
	struct nfart_error e;
	size_t n, lines = 0, shown = 0;
	uint64_t highest = 0;

	if (o->names == 0)
		return g->names.n == 0 && !g->names.more;
	if (!copies_init(&copies, s->image, &none, &e))
		return rnd_fails(t, e.what);
	n = named_lines(&copies, &g->names, s->image->labels.n, named);
	for (uint32_t i = 0; i < g->names.n; i++)
		highest = g->names.name[i].number > highest ? g->names.name[i].number : highest;
	for (size_t i = 0; i < x->nlines; i++) {
		bool is_named = has_line(named, n, &want[i], true);
		shown += has_line(named, n, &want[i], false);
		/* The names are those of the lowest lines. */
		if (!is_named && o->state == OVERLAY_STATE_COPIES &&
		    copies_number(&copies, want[i].address) < highest)
			return false;
		/* A named line is named with all of its labels. */
		if (is_named && !has_line(named, n, &want[i], false))
			return false;
		lines += !has_line(want, i, &want[i], true);
	}
	t->tally.named += g->names.n;
	t->tally.more += g->names.more;
	/* All that is named accepts, and no line twice. */
	if (shown != n || g->names.more != (lines > g->names.n))
		return false;
	/* With the states in memory, lines without a step of their own are not named. */
	return g->names.n == (lines < o->names ? lines : o->names) ||
	       (g->names.n < lines && o->state == OVERLAY_STATE_MEMORY &&
		is_for_all(s->image, x->batch));
}
