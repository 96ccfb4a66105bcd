/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/engine/fast/visits.h"

#include "runtime/engine/filter.h"

#define INLINE static inline __attribute__((always_inline))

struct line_shares line_shares(uint64_t nlines, uint32_t total)
{
	uint64_t most = nlines / total / 64;
	unsigned shift = most == 0 ? 0 : 63 - (unsigned)__builtin_clzll(most);

	return (struct line_shares){ .total = total,
				     .shift = shift < 10 ? shift : 10,
				     .magic = UINT64_MAX / total + 1 };
}

/* Has the image no tests, no batches for all copies, and one range of lines? */
static bool is_plain(const struct nfart_filter *f)
{
	return !f->dfa->keys.tested.any && !f->at.everyone.any &&
	       !f->en->im->substreams.by_field && f->en->map.nranges == 1;
}

/* Are there two shares, and both wanted? */
static bool both_of_two(const struct line_shares *to)
{
	return to->total == 2 && to->n == 2;
}

/* Appends n visits to both of two shares, which have room for them: those whose bit `bit` of
 * line_visit.at is set to t, and all others to s. A visit is written to both and kept in one: a
 * branch would be mispredicted half the time. */
INLINE void deal(const struct line_visit *v, size_t n, struct share_visits *s,
		 struct share_visits *t, unsigned bit)
{
	struct line_visit *x = s->visits.at + s->visits.n, *y = t->visits.at + t->visits.n;
	size_t second = 0;

	for (size_t i = 0; i < n; i++) {
		x[i - second] = v[i];
		y[second] = v[i];
		second += v[i].at >> bit & 1;
	}
	s->visits.n += n - second;
	t->visits.n += second;
}

/* Appends n visits, n > 0, to both of two shares. False: out of memory. */
static bool append_two(const struct line_visit *v, size_t n, const struct line_shares *to)
{
	struct share_visits *s = &to->share[0], *t = &to->share[1];

	if (!vec_reserve(&s->visits, n) || !vec_reserve(&t->visits, n))
		return false;
	deal(v, n, s, t, VISIT_BATCH + to->shift);
	return true;
}

/* Appends n visits to the shares that are wanted, each to its own, also without a branch. False:
 * out of memory. */
static bool append(const struct line_visit *v, size_t n, const struct line_shares *to)
{
	if (n != 0 && both_of_two(to))
		return append_two(v, n, to);
	for (size_t i = 0; i < n; i++) {
		uint32_t k = line_share_of(to, visit_line(&v[i])) - to->first;
		bool wanted = k < to->n;
		struct share_visits *s = &to->share[wanted ? k : 0];
		if (s->visits.n == s->visits.cap && !vec_reserve(&s->visits, 1))
			return false;
		s->visits.at[s->visits.n] = v[i];
		s->visits.n += wanted;
	}
	return true;
}

/* What the loop over messages needs, copied so that the compiler keeps it in registers. */
struct sorting {
	const struct key_table *t;
	struct share_visits all; /* has room for all visits */
	/* Only for plain images: where a line is in a header, and which lines are observed. */
	uint64_t first_line, nlines, mask;
	uint32_t lsb, batch;
};

/* Adds a key to the block's visit with this `at`, or appends such a visit if the block has none.
 * `room` says that s is known to have room for one more visit. False: out of memory. */
INLINE bool add_visit(struct share_visits *s, uint64_t key, uint64_t at, bool room)
{
	for (size_t i = s->visits.n;
	     i-- > 0 && ((s->visits.at[i].at ^ at) & (FILTER_BLOCK - 1)) == 0;)
		if (s->visits.at[i].at == at) {
			s->visits.at[i].key |= key;
			return true;
		}
	if (!room && s->visits.n == s->visits.cap && !vec_reserve(&s->visits, 1))
		return false;
	s->visits.at[s->visits.n++] = (struct line_visit){ key, at };
	return true;
}

/* `plain`: the image has no tests, and one range of lines. */
INLINE void add_message(struct sorting *a, uint32_t slot, uint64_t header, bool plain)
{
	const struct key_table *t = a->t;
	uint64_t line = (header >> a->lsb & a->mask) - a->first_line, key;

	key = plain ? key_of_plain(t, slot, header) : key_of_message(t, slot, header);
	if ((key & KEY_HAS_LINE) == 0)
		return;
	if (plain ? line >= a->nlines :
		    !copies_of_message(&t->en->map, proto_code(t->en->im->proto, slot, header),
				       header, &line))
		return;
	add_visit(&a->all, key, line << VISIT_BATCH | a->batch, true);
}

/* Adds the messages of a record or row. m is the set of their slots. Their headers stand one after
 * the other at p. */
INLINE void add_record(struct sorting *a, uint64_t m, const unsigned char *p, bool plain)
{
	for (; m != 0; m &= m - 1, p += 8)
		add_message(a, (uint32_t)__builtin_ctzll(m), key_load(p), plain);
}

INLINE void sort_out(const struct nfart_filter *f, size_t n, struct sorting *to, bool plain)
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
				add_message(&a, s, f->in.batch.header[s], plain);
			}
		} else if (f->in.block.form == BLOCK_MESSAGES) {
			add_message(&a, f->in.block.slot[i], f->in.block.header[i], plain);
		} else if (f->in.block.form == BLOCK_RECORDS) {
			const unsigned char *at = f->in.block.at + f->in.block.offset[i];
			add_record(&a, key_load(at + 8), at + head, plain);
		} else {
			add_record(&a, slots, f->in.block.at + i * row_bytes(a.t) + 8, plain);
		}
	}
	*to = a;
}

/* Adds the visits of the records from i on, up to the first record of several messages. Returns its
 * number, or n. The key of a record of one message is that of the message. No branch depends on the
 * line: every visit is written, and the next one overwrites it if the line is not observed. If t is
 * not NULL, visits whose bit `bit` of line_visit.at is set go there, and all others to s. Both have
 * room for a visit of each record. */
INLINE size_t add_singles(const struct sorting *a, const struct filter_block *k, size_t i, size_t n,
			  struct share_visits *s, struct share_visits *t, unsigned bit)
{
	const unsigned char *masks = k->at + 8, *headers = k->at + 16 + (size_t)k->label_words * 8;
	struct line_visit *x = s->visits.at + s->visits.n,
			  *y = t != NULL ? t->visits.at + t->visits.n : NULL;
	uint64_t first = a->first_line, nlines = a->nlines, line_mask = a->mask;
	const uint32_t *offset = k->offset, lsb = a->lsb;
	const uint64_t *keys = k->key;

	for (; i < n; i++) {
		uint64_t m = key_load(masks + offset[i]), key = keys[i], at;
		uint64_t line = (key_load(headers + offset[i]) >> lsb & line_mask) - first;
		size_t keep = ((key & KEY_HAS_LINE) != 0) & (line < nlines), second = 0;
		if ((m & (m - 1)) != 0)
			break;
		at = line << VISIT_BATCH | i;
		if (t != NULL) {
			second = keep & at >> bit;
			*y = (struct line_visit){ key, at };
			y += second;
		}
		*x = (struct line_visit){ key, at };
		x += keep - second;
	}
	s->visits.n = (size_t)(x - s->visits.at);
	if (t != NULL)
		t->visits.n = (size_t)(y - t->visits.at);
	return i;
}

/* These are not inlined, since the compiler then keeps less of their loops in registers. */
static __attribute__((noinline)) size_t singles(const struct sorting *a,
						const struct filter_block *k, size_t i, size_t n,
						struct share_visits *s)
{
	return add_singles(a, k, i, n, s, NULL, 0);
}

static __attribute__((noinline)) size_t deal_singles(const struct sorting *a,
						     const struct filter_block *k, size_t i,
						     size_t n, struct share_visits *s,
						     struct share_visits *t, unsigned bit)
{
	return add_singles(a, k, i, n, s, t, bit);
}

/* Adds the visits of the records from i on, up to the first record of one message. Returns its
 * number, or n. */
static size_t severals(struct sorting *to, const struct filter_block *k, size_t i, size_t n)
{
	size_t head = 16 + (size_t)k->label_words * 8;
	struct sorting a = *to;

	for (; i < n; i++) {
		const unsigned char *p = k->at + k->offset[i];
		uint64_t m = key_load(p + 8);
		if ((m & (m - 1)) == 0)
			break;
		a.batch = (uint32_t)i;
		add_record(&a, m, p + head, true);
	}
	*to = a;
	return i;
}

/* Does what sort_out() does, for the records of a plain image. */
static void sort_records(const struct nfart_filter *f, size_t n, struct sorting *a)
{
	const struct filter_block *k = &f->in.block;

	for (size_t i = 0; i < n; i = severals(a, k, i, n))
		i = singles(a, k, i, n, &a->all);
}

/* Returns at least as many as there are messages in the n records of the block. */
static size_t most_messages(const struct nfart_filter *f, size_t n)
{
	const struct filter_block *k = &f->in.block;

	return n == 0 ? 0 : (k->offset[n - 1] - k->offset[0]) / 8 + f->en->im->proto->nslots;
}

/* Does what sort_records() does, and deals the visits out to both of two shares. False: out of
 * memory. */
static bool deal_records(const struct nfart_filter *f, size_t n, struct sorting *a,
			 const struct line_shares *to)
{
	struct share_visits *s = &to->share[0], *t = &to->share[1];
	const struct filter_block *k = &f->in.block;
	unsigned bit = VISIT_BATCH + to->shift;
	size_t most = most_messages(f, n);

	/* One more, since a visit is written before it is known where it goes. */
	if (!vec_reserve(&s->visits, most + 1) || !vec_reserve(&t->visits, most + 1))
		return false;
	for (size_t i = 0; i < n;) {
		i = deal_singles(a, k, i, n, s, t, bit);
		a->all.visits.n = 0;
		i = severals(a, k, i, n);
		deal(a->all.visits.at, a->all.visits.n, s, t, bit);
	}
	return true;
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

/* Makes the visits of n batches, for an image that has batches for all copies. */
static bool visits_add_common(struct nfart_filter *f, size_t n, struct share_visits *s)
{
	struct sorting a = { .t = &f->dfa->keys };
	uint64_t common = a.t->of_time[0];
	size_t most = f->en->im->proto->nslots + 1;

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

/* Makes the visits of n batches, for all other images; or, for a plain one, deals them out to the
 * shares `two`, if that is not NULL. */
static bool visits_add(struct nfart_filter *f, size_t n, struct share_visits *s,
		       const struct line_shares *two)
{
	const struct nfart_proto *p = f->en->im->proto;
	struct sorting a = { .t = &f->dfa->keys,
			     .first_line = copies_ranges(&f->en->map)->first,
			     .nlines = f->en->map.n,
			     .mask = ((uint64_t)1 << (p->header.addr_bits & 63)) - 1,
			     .lsb = p->header.addr_lsb };
	bool plain = is_plain(f), ok = true;

	if (!vec_reserve(&s->visits, n * p->nslots))
		return false;
	a.all = *s;
	if (!plain)
		sort_out(f, n, &a, false);
	else if (f->in.block.form == BLOCK_RECORDS && two != NULL)
		ok = deal_records(f, n, &a, two);
	else if (f->in.block.form == BLOCK_RECORDS)
		sort_records(f, n, &a);
	else
		sort_out(f, n, &a, true);
	*s = a.all;
	return ok;
}

bool visits_make(struct nfart_filter *f, size_t n)
{
	struct share_visits *s = &f->said.share;

	s->visits.n = 0;
	return f->at.everyone.any ? visits_add_common(f, n, s) : visits_add(f, n, s, NULL);
}

bool visits_deal(struct nfart_filter *f, size_t n, const struct line_shares *to)
{
	const struct share_visits *all = &f->said.share;

	if (to->n == 0)
		return true;
	if (both_of_two(to) && f->in.block.form == BLOCK_RECORDS && is_plain(f)) {
		f->said.share.visits.n = 0;
		return visits_add(f, n, &f->said.share, to);
	}
	return visits_make(f, n) && append(all->visits.at, all->visits.n, to);
}
