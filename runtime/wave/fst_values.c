/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads a block of values: the frame, the index, the time stamps, and the chains of the chosen
 * values. No other chain is loaded. The chosen values that change at a time stamp are in a list,
 * which a value enters when its change before that was taken.
 */
#include <stdlib.h>

#include "runtime/wave/fst.h"

enum { HEAD = 24, TRAILER = 24, MOST_VARINT = 10, MOST_TIMES = 1 << 26 };

/* Where the parts of a block are in the file. */
struct parts {
	const struct fst_block *b;
	uint64_t begin, end;             /* first and last time */
	uint64_t frame, frame_n, frame_unpacked;
	uint64_t chains;                 /* places of chains count from here */
	uint64_t nhandles;
	uint64_t index, index_n;
	uint64_t times, times_n, times_unpacked, ntimes;
	enum fst_pack pack;
};

/* Whose chain a handle has, and where that is. */
struct place {
	uint64_t at, n; /* n = 0: there is no change */
};

static bool bad(struct fst *f, const struct parts *x, struct nfart_error *e, const char *what)
{
	return fst_fail(f, e, x->b->at, what);
}

/* Reads numbers after the head: three before the frame, two after it. */
static bool find_front(struct fst *f, struct parts *x, struct nfart_error *e)
{
	unsigned char buffer[HEAD + 3 * MOST_VARINT];
	size_t n = x->b->n < sizeof buffer ? (size_t)x->b->n : sizeof buffer;
	const unsigned char *p = buffer + HEAD, *end = buffer + n;
	uint64_t frame_handles, block_end = x->b->at + x->b->n;

	if (x->b->n < HEAD + TRAILER + 8)
		return bad(f, x, e, "a block of values is too short");
	if (!fst_read(f, x->b->at, buffer, n, e))
		return false;
	x->begin = fst_number(buffer);
	x->end = fst_number(buffer + 8);
	if (!fst_varint(&p, end, &x->frame_unpacked) || !fst_varint(&p, end, &x->frame_n) ||
	    !fst_varint(&p, end, &frame_handles))
		return bad(f, x, e, "the sizes of a frame are damaged");
	x->frame = x->b->at + (uint64_t)(p - buffer);
	if (x->frame_n > block_end - x->frame)
		return bad(f, x, e, "a frame is longer than its block");
	n = block_end - (x->frame + x->frame_n) < sizeof buffer
		    ? (size_t)(block_end - (x->frame + x->frame_n)) : sizeof buffer;
	p = buffer;
	end = buffer + n;
	if (!fst_read(f, x->frame + x->frame_n, buffer, n, e))
		return false;
	if (!fst_varint(&p, end, &x->nhandles) || p == end)
		return bad(f, x, e, "the count of chains is damaged");
	if (x->nhandles > f->nhandles)
		return bad(f, x, e, "a block of values has more chains than the file has values");
	x->chains = x->frame + x->frame_n + (uint64_t)(p - buffer);
	x->pack = *p == '4' ? FST_PACK_LZ4 : *p == 'F' ? FST_PACK_FASTLZ : FST_PACK_ZLIB;
	if (*p != '4' && *p != 'F' && *p != 'Z' && *p != '!')
		return bad(f, x, e, "chains are packed in an unknown way (fst2vcd may read them)");
	return true;
}

/* Reads the sizes at the end. */
static bool find_back(struct fst *f, struct parts *x, struct nfart_error *e)
{
	unsigned char buffer[TRAILER];
	uint64_t at = x->b->at + x->b->n - TRAILER;

	if (!fst_read(f, at, buffer, TRAILER, e))
		return false;
	x->times_unpacked = fst_number(buffer);
	x->times_n = fst_number(buffer + 8);
	x->ntimes = fst_number(buffer + 16);
	if (at < x->chains || x->times_n > at - x->chains || at - x->chains - x->times_n < 8)
		return bad(f, x, e, "the time stamps of a block are longer than the block");
	x->times = at - x->times_n;
	if (!fst_read(f, x->times - 8, buffer, 8, e))
		return false;
	x->index_n = fst_number(buffer);
	if (x->index_n > x->times - 8 - x->chains)
		return bad(f, x, e, "the index of a block is longer than the block");
	x->index = x->times - 8 - x->index_n;
	if (x->ntimes > x->times_unpacked)
		return bad(f, x, e, "a block has more time stamps than bytes for them");
	if (x->ntimes > MOST_TIMES)
		return bad(f, x, e, "a block of more than 67108864 time stamps");
	return true;
}

/* ---- time stamps ---- */

static bool load_times(struct fst *f, const struct parts *x, struct nfart_error *e)
{
	struct fst_values *v = &f->now.values;
	unsigned char *all = fst_load_part(f, x->times, x->times_n, x->times_unpacked, e);
	const unsigned char *p = all;
	uint64_t now = 0;
	bool ok = true;

	if (all == NULL)
		return false;
	v->ntimes = (size_t)x->ntimes;
	v->times = calloc(v->ntimes + 1, sizeof *v->times);
	v->first = calloc(v->ntimes + 1, sizeof *v->first);
	if (v->times == NULL || v->first == NULL)
		ok = wave_fail_memory(f->w, e);
	for (size_t i = 0; ok && i < v->ntimes; i++) {
		uint64_t delta;
		if (!fst_varint(&p, all + x->times_unpacked, &delta))
			ok = bad(f, x, e, "the time stamps of a block are cut");
		else if (delta > UINT64_MAX - now)
			ok = bad(f, x, e, "a time stamp above 2^64 - 1");
		else
			v->times[i] = now += delta;
	}
	free(all);
	return ok;
}

/* ---- index ---- */

/* The index while it is read: `places` of the handles up to `handle`, the last of them with a chain
 * at `last`. */
struct index {
	struct place *places;
	uint64_t nhandles, handle, last, at;
	bool any;
};

static bool put_chain(struct index *x, uint64_t distance)
{
	if (x->handle >= x->nhandles || distance == 0 || distance > INT64_MAX)
		return false;
	if (x->any)
		x->places[x->last].n = distance;
	x->any = true;
	x->at += distance;
	x->places[x->handle] = (struct place){ .at = x->at };
	x->last = x->handle++;
	return true;
}

static bool put_none(struct index *x, uint64_t n)
{
	if (n > x->nhandles - x->handle)
		return false;
	x->handle += n;
	return true;
}

/* The same chain as that of an earlier handle, counted from 1, which may be an alias, too. The
 * chain's length may not be known yet, so that the handle is kept: at = 0, n = the handle. */
static bool put_alias(struct index *x, uint64_t handle)
{
	struct place first;

	if (x->handle >= x->nhandles || handle == 0 || handle > x->handle)
		return false;
	first = x->places[handle - 1];
	x->places[x->handle++] = first.at == 0 && first.n != 0 ? first
							       : (struct place){ .n = handle };
	return true;
}

/* The index of kinds 1 and 5: an odd number is a distance, an even one how many have no chain, and
 * after 0 comes whose chain it is. */
static bool read_index(struct index *x, const unsigned char *p, const unsigned char *end)
{
	while (p < end) {
		uint64_t a;
		if (!fst_varint(&p, end, &a))
			return false;
		if (a == 0) {
			if (!fst_varint(&p, end, &a) || !put_alias(x, a))
				return false;
		} else if (!((a & 1) != 0 ? put_chain(x, a >> 1) : put_none(x, a >> 1))) {
			return false;
		}
	}
	return true;
}

/* The index of kind 8: an odd number is signed: above 1, a distance; below, whose chain it is; and
 * 1 is the same alias as the one before. */
static bool read_index2(struct index *x, const unsigned char *p, const unsigned char *end)
{
	uint64_t alias = 0;

	while (p < end) {
		uint64_t none;
		int64_t a;
		if ((*p & 1) == 0) {
			if (!fst_varint(&p, end, &none) || !put_none(x, none >> 1))
				return false;
			continue;
		}
		if (!fst_signed_varint(&p, end, &a))
			return false;
		a >>= 1;
		if (a > 0) {
			if (!put_chain(x, (uint64_t)a))
				return false;
			continue;
		}
		if (a < 0)
			alias = (uint64_t)-a;
		if (!put_alias(x, alias))
			return false;
	}
	return true;
}

/* Says where the chain of each handle is. The caller frees the result. NULL: *e says why. */
static struct place *load_index(struct fst *f, const struct parts *x, struct nfart_error *e)
{
	struct index i = { .nhandles = x->nhandles };
	unsigned char *all = fst_load(f, x->index, x->index_n, e);
	bool ok;

	if (all == NULL)
		return NULL;
	i.places = calloc((size_t)x->nhandles + 1, sizeof *i.places);
	if (i.places == NULL) {
		wave_fail_memory(f->w, e);
		free(all);
		return NULL;
	}
	ok = (x->b->kind == FST_VALUES_ALIAS2 ? read_index2 : read_index)(&i, all,
									   all + x->index_n);
	free(all);
	/* The index begins where the last chain ends. */
	if (ok && i.any) {
		uint64_t limit = x->index - x->chains;
		ok = i.at < limit;
		i.places[i.last].n = limit - i.at;
	}
	if (ok)
		return i.places;
	bad(f, x, e, "the index of a block is damaged");
	free(i.places);
	return NULL;
}

/* The handle whose chain this one has: itself, or an earlier one. */
static uint64_t owner_of(const struct place *places, uint64_t handle)
{
	bool alias = places[handle].at == 0 && places[handle].n != 0;

	return alias ? places[handle].n - 1 : handle;
}

/* ---- chains ---- */

static bool keep(struct fst *f, unsigned char *p, struct nfart_error *e)
{
	struct fst_values *v = &f->now.values;

	if ((v->nunpacked & (v->nunpacked - 1)) == 0) {
		size_t cap = v->nunpacked == 0 ? 1 : 2 * v->nunpacked;
		unsigned char **wider = realloc(v->unpacked, cap * sizeof *wider);
		if (wider == NULL) {
			free(p);
			return wave_fail_memory(f->w, e);
		}
		v->unpacked = wider;
	}
	v->unpacked[v->nunpacked++] = p;
	return true;
}

/* Loads and unpacks a chain. */
static bool load_chain(struct fst *f, const struct parts *x, struct place at, struct fst_chain *c,
		       struct nfart_error *e)
{
	unsigned char head[MOST_VARINT], *all;
	const unsigned char *p = head;
	size_t nhead = at.n < sizeof head ? (size_t)at.n : sizeof head;
	uint64_t unpacked, packed, begin = x->chains + at.at;

	if (!fst_read(f, begin, head, nhead, e))
		return false;
	if (!fst_varint(&p, head + nhead, &unpacked))
		return fst_fail(f, e, begin, "the size of a chain is damaged");
	begin += (uint64_t)(p - head);
	packed = at.n - (uint64_t)(p - head);
	if ((unpacked != 0 ? unpacked : packed) > WAVE_MOST_BLOCK - f->now.values.bytes)
		return fst_fail(f, e, begin, "the chosen chains of a block have more than 1 GiB");
	/* A chain that would not get shorter is not packed, and says 0. */
	if (unpacked == 0) {
		unpacked = packed;
		all = fst_load(f, begin, packed, e);
	} else {
		all = fst_load_packed(f, begin, packed, unpacked, x->pack, e);
	}
	if (all == NULL || !keep(f, all, e))
		return false;
	f->now.values.bytes += (size_t)unpacked;
	*c = (struct fst_chain){ .p = all, .end = all + unpacked };
	return true;
}

/* Puts a chosen value in the list of the time stamp at which it changes next, `from` being that of
 * its last change. A change of one bit has 1 or 3 bits below the distance, others 1. */
static bool enter(struct fst *f, uint32_t i, const struct fst_shape *s, size_t from,
		  struct nfart_error *e)
{
	struct fst_values *v = &f->now.values;
	struct fst_chain *c = &v->chains[i];
	const unsigned char *p = c->p;
	uint64_t x, distance;

	if (c->p == c->end)
		return true;
	if (!fst_varint(&p, c->end, &x))
		return fst_fail(f, e, f->blocks.at[f->now.next - 1].at, "a chain is cut");
	distance = s->n != 1 ? x >> 1 : (x & 1) != 0 ? x >> 4 : x >> 2;
	if (distance >= v->ntimes - from)
		return fst_fail(f, e, f->blocks.at[f->now.next - 1].at,
				"a change after the last time stamp of its block");
	c->next = v->first[from + distance];
	v->first[from + distance] = i + 1;
	return true;
}

/* Loads the chains of all chosen values. */
static bool load_chains(struct fst *f, const struct parts *x, struct nfart_error *e)
{
	struct wave *w = f->w;
	struct place *places = load_index(f, x, e);
	/* For each handle, the chosen value plus 1 that has its chain. */
	uint32_t *loaded = places == NULL ? NULL : calloc((size_t)x->nhandles + 1, sizeof *loaded);
	bool ok = loaded != NULL;

	if (places != NULL && loaded == NULL)
		wave_fail_memory(w, e);
	for (uint64_t handle = 0; ok && handle < x->nhandles; handle++) {
		uint32_t chosen = handle < w->values.n ? w->values.at[handle].chosen
						       : WAVE_NOT_CHOSEN;
		uint64_t owner = owner_of(places, handle);
		if (chosen == WAVE_NOT_CHOSEN || places[owner].n == 0)
			continue;
		if (x->ntimes == 0) {
			ok = bad(f, x, e, "a block has changes, but no time stamps");
			continue;
		}
		if (loaded[owner] != 0)
			f->now.values.chains[chosen] = f->now.values.chains[loaded[owner] - 1];
		else
			ok = load_chain(f, x, places[owner], &f->now.values.chains[chosen], e);
		loaded[owner] = chosen + 1;
	}
	for (uint64_t handle = 0; ok && handle < w->values.n; handle++)
		if (w->values.at[handle].chosen != WAVE_NOT_CHOSEN)
			ok = enter(f, w->values.at[handle].chosen, &f->shapes[handle], 0, e);
	free(places);
	free(loaded);
	return ok;
}

/* ---- changes ---- */

static const unsigned char states[] = "xzhuwl-?";

/* Takes the next change of a chosen value. False: the chain is cut. */
static bool take_change(struct wave *w, uint32_t i, const struct fst_shape *s, struct fst_chain *c)
{
	uint64_t x;
	size_t n;

	if (!fst_varint(&c->p, c->end, &x))
		return false;
	if (s->n == 1) {
		unsigned char digit = (x & 1) == 0 ? (unsigned char)('0' + (x >> 1 & 1))
						   : states[x >> 1 & 7];
		return wave_set_digits(w, i, &digit, 1);
	}
	n = (x & 1) != 0 ? s->n : (s->n + 7) / 8;
	if (n > (size_t)(c->end - c->p))
		return false;
	c->p += n;
	if ((x & 1) != 0)
		return wave_set_digits(w, i, c->p - n, n);
	wave_set_packed(w, i, c->p - n, s->n);
	return true;
}

bool fst_take_changes(struct fst *f, struct nfart_error *e)
{
	struct fst_values *v = &f->now.values;
	size_t now = v->time++;
	const struct fst_block *b = &f->blocks.at[f->now.next - 1];

	/* A value may change again at the same time stamp; it then enters the same list. */
	while (v->first[now] != 0) {
		uint32_t i = v->first[now] - 1;
		const struct fst_shape *s = &f->shapes[f->handle_of[i]];
		v->first[now] = v->chains[i].next;
		if (!take_change(f->w, i, s, &v->chains[i]))
			return fst_fail(f, e, b->at, "a chain is cut, or has no digits");
		if (!enter(f, i, s, now, e))
			return false;
	}
	return true;
}

/* ---- frame ---- */

/* Has one of these digits a known state? */
static bool any_known(const unsigned char *s, size_t n)
{
	size_t i = 0;

	while (i < n && (wave_digit[s[i]] & 2) == 0)
		i++;
	return i < n;
}

/* Sets the chosen values to those of the frame. If there is a time stamp at the same time, a frame
 * of unknown values only stands for nothing; fst2vcd leaves it out, too. */
static bool take_frame(struct fst *f, const struct parts *x, struct nfart_error *e)
{
	struct wave *w = f->w;
	unsigned char *all;
	uint64_t at = 0;
	bool ok = true, all_of_it = f->now.values.ntimes == 0 || f->now.values.times[0] != x->begin;

	if (x->frame_unpacked == 0)
		return true;
	all = fst_load_part(f, x->frame, x->frame_n, x->frame_unpacked, e);
	if (all == NULL)
		return false;
	for (size_t handle = 0; ok && handle < w->values.n; handle++) {
		uint32_t n = f->shapes[handle].n, chosen = w->values.at[handle].chosen;
		if (n > x->frame_unpacked - at)
			break; /* the frame has the first handles only */
		if (chosen != WAVE_NOT_CHOSEN && (all_of_it || any_known(all + at, n)) &&
		    !wave_set_digits(w, chosen, all + at, n))
			ok = bad(f, x, e, "a frame has bytes that are no digits");
		at += n;
	}
	free(all);
	return ok;
}

bool fst_open_values(struct fst *f, const struct fst_block *b, struct nfart_error *e)
{
	struct parts x = { .b = b };

	f->now.values = (struct fst_values){ .chains = calloc(f->w->now.nchosen + 1,
							      sizeof(struct fst_chain)) };
	if (f->now.values.chains == NULL)
		return wave_fail_memory(f->w, e);
	if (!find_front(f, &x, e) || !find_back(f, &x, e) || !load_times(f, &x, e) ||
	    !load_chains(f, &x, e))
		return false;
	f->now.begin = x.begin;
	f->now.end = x.end;
	/* Later frames repeat what the chains before them say. */
	f->now.frame = !f->now.begun;
	return f->now.begun || take_frame(f, &x, e);
}

void fst_close_values(struct fst *f)
{
	struct fst_values *v = &f->now.values;

	for (size_t i = 0; i < v->nunpacked; i++)
		free(v->unpacked[i]);
	free(v->unpacked);
	free(v->chains);
	free(v->times);
	free(v->first);
	*v = (struct fst_values){ 0 };
}
