/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/fast/visits.h"

#include "runtime/engine/filter.h"

struct line_shares line_shares(uint64_t nlines, uint32_t total)
{
	uint64_t most = nlines / total / 64;
	unsigned shift = most == 0 ? 0 : 63 - (unsigned)__builtin_clzll(most);

	return (struct line_shares){ .total = total,
				     .shift = shift < 10 ? shift : 10,
				     .magic = UINT64_MAX / total + 1 };
}

/* What the loop over messages needs, copied so that the compiler keeps it in registers. */
struct sorting {
	const struct key_table *t;
	struct line_shares to;
	struct share_visits all; /* the only share if to.total is 1; has room for all visits */
	/* Only for images without tests that have one range of lines: where a line is in a header,
	 * and which lines are observed. */
	uint64_t first_line, nlines, mask;
	uint32_t lsb, batch;
	bool failed;
};

#define INLINE static inline __attribute__((always_inline))

/* Adds a key to the current block's visit with this `at`, or appends such a visit if the block has
 * none. `room` says that s is known to have room for one more visit. False: out of memory. */
INLINE bool add_visit(struct share_visits *s, uint64_t key, uint64_t at, bool room)
{
	for (size_t i = s->visits.n;
	     i-- > s->begin && ((s->visits.at[i].at ^ at) & (FILTER_BLOCK - 1)) == 0;)
		if (s->visits.at[i].at == at) {
			s->visits.at[i].key |= key;
			return true;
		}
	if (!room && s->visits.n == s->visits.cap && !vec_reserve(&s->visits, 1))
		return false;
	s->visits.at[s->visits.n++] = (struct line_visit){ key, at };
	return true;
}

/* How messages are looked up: `one`: there is one share; `plain`: the image has no tests, and one
 * range of lines. */
struct how {
	bool one, plain;
};

INLINE void add_message(struct sorting *a, uint32_t slot, uint64_t header, struct how how)
{
	const struct key_table *t = a->t;
	uint64_t line = (header >> a->lsb & a->mask) - a->first_line, at, key;
	uint32_t k;

	key = how.plain ? key_of_plain(t, slot, header) : key_of_message(t, slot, header);
	if ((key & KEY_HAS_LINE) == 0)
		return;
	if (how.plain ? line >= a->nlines :
			!copies_of_message(&t->en->map, proto_code(t->en->im->proto, slot, header),
					   header, &line))
		return;
	at = line << VISIT_BATCH | a->batch;
	if (how.one) {
		add_visit(&a->all, key, at, true);
		return;
	}
	k = line_share_of(&a->to, line) - a->to.first;
	a->failed |= k < a->to.n && !add_visit(&a->to.share[k], key, at, false);
}

/* Adds the messages of a record or row. m is the set of their slots. Their headers stand one after
 * the other at p. */
INLINE void add_record(struct sorting *a, uint64_t m, const unsigned char *p, struct how how)
{
	for (; m != 0; m &= m - 1, p += 8)
		add_message(a, (uint32_t)__builtin_ctzll(m), key_load(p), how);
}

INLINE void sort_out(const struct nfart_filter *f, size_t n, struct sorting *to, struct how how)
{
	size_t head = 16 + (size_t)f->in.block.label_words * 8;
	uint64_t slots = UINT64_MAX >> (64 - f->en->im->proto->nslots);
	struct sorting a = *to;

	for (size_t i = 0; i < n; i++) {
		if ((f->in.block.key[i] & KEY_HAS_LINE) == 0)
			continue;
		a.batch = (uint32_t)i;
		if (f->in.block.form == BLOCK_ONE) {
			for (uint64_t m = f->in.batch.mask; m != 0; m &= m - 1) {
				uint32_t s = (uint32_t)__builtin_ctzll(m);
				add_message(&a, s, f->in.batch.header[s], how);
			}
		} else if (f->in.block.form == BLOCK_MESSAGES) {
			add_message(&a, f->in.block.slot[i], f->in.block.header[i], how);
		} else if (f->in.block.form == BLOCK_RECORDS) {
			const unsigned char *at = f->in.block.at + f->in.block.offset[i];
			add_record(&a, key_load(at + 8), at + head, how);
		} else {
			add_record(&a, slots, f->in.block.at + i * row_bytes(a.t) + 8, how);
		}
	}
	*to = a;
}

/* Adds the visits of batch i, for an image that has batches for all copies. */
static bool add_common(struct nfart_filter *f, size_t i, struct share_visits *s)
{
	const struct key_table *t = &f->dfa->keys;
	const struct nfart_proto *p = f->en->im->proto;
	const struct nfart_batch *b = filter_batch(f, i);
	uint64_t slots = b->mask & UINT64_MAX >> (64 - p->nslots), number;
	uint64_t common = t->of_time[b->when & (NFART_TICK | NFART_END)];
	bool all = b->when != 0, ok = true;

	for (uint64_t m = slots; m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		if (!f->en->map.key[proto_code(p, slot, b->header[slot])].broadcast)
			continue;
		common |= key_of_message(t, slot, b->header[slot]);
		all = true;
	}
	for (uint64_t m = slots; ok && m != 0; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		uint32_t code = proto_code(p, slot, b->header[slot]);
		if (!f->en->map.key[code].broadcast &&
		    copies_of_message(&f->en->map, code, b->header[slot], &number))
			ok = add_visit(s, key_of_message(t, slot, b->header[slot]) | common,
				       number << VISIT_BATCH | i, false);
	}
	if (ok && all)
		ok = vec_push(&s->visits, ((struct line_visit){
						  common | 1, VISIT_EVERYONE << VISIT_BATCH | i }));
	return ok;
}

/* Adds the visit of a message in a batch that is not for all copies. False: it is for all. */
INLINE bool add_own(struct sorting *a, uint64_t common, uint32_t slot, uint64_t header)
{
	const struct key_table *t = a->t;
	uint64_t key = key_of_message(t, slot, header), line;
	uint32_t code;

	if ((key & KEY_HAS_LINE) == 0)
		return true;
	code = proto_code(t->en->im->proto, slot, header);
	if (t->en->map.key[code].broadcast)
		return false;
	if (copies_of_message(&t->en->map, code, header, &line))
		add_visit(&a->all, key | common, line << VISIT_BATCH | a->batch, true);
	return true;
}

/* Adds the visits of batch a->batch, whose messages lie in the block as they stand in a trace.
 * False: it is for all copies, or not known to be for some only; nothing was added. */
INLINE bool add_some(struct sorting *a, const struct nfart_filter *f, uint64_t common)
{
	size_t before = a->all.visits.n, slots = f->en->im->proto->nslots;
	const unsigned char *p;
	uint64_t m;
	bool fine = true;

	if (f->in.block.form == BLOCK_ROWS) {
		p = f->in.block.at + a->batch * row_bytes(a->t) + 8;
		m = UINT64_MAX >> (64 - slots);
	} else if (f->in.block.form == BLOCK_RECORDS) {
		p = f->in.block.at + f->in.block.offset[a->batch];
		m = key_load(p + 8);
		p += 16 + (size_t)f->in.block.label_words * 8;
	} else {
		return false;
	}
	/* A record without messages is a mark, such as a tick. */
	if (m == 0)
		return false;
	for (; m != 0 && fine; m &= m - 1, p += 8)
		fine = add_own(a, common, (uint32_t)__builtin_ctzll(m), key_load(p));
	if (!fine)
		a->all.visits.n = before;
	return fine;
}

/* Adds the visit of batch a->batch, which is one message. False: it is for all copies; nothing was
 * added. */
INLINE bool add_single(struct sorting *a, const struct nfart_filter *f, uint64_t common)
{
	uint64_t key = f->in.block.key[a->batch], header = f->in.block.header[a->batch], line;
	uint32_t code = proto_code(a->t->en->im->proto, f->in.block.slot[a->batch], header);
	struct share_visits *s = &a->all;

	if (a->t->en->map.key[code].broadcast)
		return false;
	if ((key & KEY_HAS_LINE) != 0 && copies_of_message(&a->t->en->map, code, header, &line))
		s->visits.at[s->visits.n++] =
			(struct line_visit){ key | common, line << VISIT_BATCH | a->batch };
	return true;
}

bool visits_add_common(struct nfart_filter *f, size_t n, struct share_visits *s)
{
	struct sorting a = { .t = &f->dfa->keys };
	uint64_t common = a.t->of_time[0];
	size_t most = f->en->im->proto->nslots + 1;

	s->begin = s->visits.n;
	if (!vec_reserve(&s->visits, n * most))
		return false;
	a.all = *s;
	for (size_t i = 0; i < n; i++) {
		a.batch = (uint32_t)i;
		if (f->in.block.key[i] == 0 ||
		    (f->in.block.form == BLOCK_MESSAGES ? add_single(&a, f, common)
						     : add_some(&a, f, common)))
			continue;
		*s = a.all;
		if (!add_common(f, i, s))
			return false;
		a.all = *s;
	}
	*s = a.all;
	return true;
}

bool visits_add(struct nfart_filter *f, size_t n, const struct line_shares *to)
{
	const struct nfart_proto *p = f->en->im->proto;
	struct sorting a = { .t = &f->dfa->keys, .to = *to,
			     .first_line = copies_ranges(&f->en->map)->first,
			   .nlines = f->en->map.n,
			   .mask = ((uint64_t)1 << (p->header.addr_bits & 63)) - 1,
			   .lsb = p->header.addr_lsb };
	bool plain = !a.t->tested.any && !f->en->im->substreams.by_field && f->en->map.nranges == 1;

	for (uint32_t i = 0; i < to->n; i++)
		to->share[i].begin = to->share[i].visits.n;
	if (to->n == 0)
		return true;
	if (to->total != 1) {
		if (plain)
			sort_out(f, n, &a, (struct how){ false, true });
		else
			sort_out(f, n, &a, (struct how){ false, false });
		return !a.failed;
	}
	if (!vec_reserve(&to->share->visits, n * p->nslots))
		return false;
	a.all = *to->share;
	if (plain)
		sort_out(f, n, &a, (struct how){ true, true });
	else
		sort_out(f, n, &a, (struct how){ true, false });
	*to->share = a.all;
	return true;
}
