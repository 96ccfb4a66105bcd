/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes and reads the files of shards (shard.h, Note [shards]).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "runtime/run/shard.h"

/* The bits of a border's word of flags. */
enum {
	CLOSED = 1,
	SCANNING = 2,
	VAGUE = 4,
	ANY = 8,
	AFTER_LOSS = 16,
	ANY_BATCH = 32,
	FIRST_LOSS = 64
};

/* Numbers of words: of a border, of the statistics, and of everything in the section of a piece
 * before its four parts. */
enum {
	BORDER = SHARD_BORDER,
	STATS = SHARD_STATS,
	FIXED = 1 + 2 * BORDER + 1 + STATS + 1 + 4 + 1
};

/* ---- writing ---- */

void shard_add_border(struct buf *b, const struct trace_border *x)
{
	const struct trace_clock *c = &x->clock;

	buf_le64(b, x->offset);
	buf_le64(b, x->sequence);
	buf_le64(b, (uint64_t)(x->closed * CLOSED | x->scanning * SCANNING | x->vague * VAGUE |
			       c->any * ANY | c->after_loss * AFTER_LOSS |
			       c->any_batch * ANY_BATCH | c->first_loss * FIRST_LOSS));
	buf_le64(b, c->last);
	buf_le64(b, c->last_batch);
	buf_le64(b, c->first);
	buf_le64(b, c->first_batch);
}

static void add_words(struct buf *b, const uint64_t *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_le64(b, w[i]);
}

void shard_add_stats(struct buf *b, const struct nfart_reader_stats *s)
{
	add_words(b,
		  (const uint64_t[STATS]){ s->batches, s->messages, s->losses, s->lost,
					   s->lost_unknown, s->damaged, s->bad_chunks, s->bytes },
		  STATS);
}

static size_t entry_words(const uint64_t *w, size_t lw)
{
	return PIECE_ENTRY + lw + 2 * (size_t)(w[ENTRY_WHAT] >> 8);
}

/* Completes the section in b: puts the size into the first word, which was left free for it, and
 * appends the CRC. Writes the section to f and frees b. False: out of memory, or f failed. */
static bool write_section(FILE *f, struct buf *b)
{
	bool ok = !b->failed;

	if (ok) {
		put_le64((unsigned char *)b->at, b->n / 8 - 1);
		buf_le64(b, crc32c(0, b->at, b->n));
		ok = !b->failed && fwrite(b->at, 1, b->n, f) == b->n;
	}
	buf_free(b);
	return ok;
}

bool shard_write_key(FILE *f, const struct shard_key *k)
{
	struct buf b = { 0 };
	bool ok;

	add_words(&b, k->word, SHARD_HEADER);
	ok = !b.failed && fwrite(b.at, 1, b.n, f) == b.n;
	buf_free(&b);
	return ok;
}

/* Adds the ref of a record, and then the record. */
static void add_record(struct buf *b, const struct piece *p, struct piece_ref ref)
{
	struct nfart_batch x;
	size_t payload;

	buf_le64(b, ref.n);
	piece_record(p, ref, &x);
	buf_le64(b, x.time);
	buf_le64(b, x.mask);
	payload = x.mask == 0 ? 0 : x.payload_words;
	buf_le64(b, (uint64_t)x.damaged * PIECE_DAMAGED | payload << PIECE_PAYLOAD_AT);
	for (uint64_t m = x.mask; m != 0; m &= m - 1)
		buf_le64(b, x.header[__builtin_ctzll(m)]);
	if (payload != 0)
		add_words(b, x.payload, bits_count(x.mask) * payload);
	if (x.mask == 0)
		buf_le64(b, x.lost);
}

bool shard_write_piece(FILE *f, const struct nfart_image *im, const struct piece *p,
		       uint32_t share)
{
	const struct piece_found *found = &p->found[share];
	const struct nfart_reader_stats *s = &p->stats;
	size_t lw = bits_words(im->labels.n);
	struct buf b = { 0 }, r = { 0 };

	for (size_t i = 0; i < found->words.n; i += entry_words(found->words.at + i, lw))
		add_record(&r, p, (struct piece_ref){ found->words.at[i + ENTRY_REF] });
	buf_le64(&b, 0);
	buf_le64(&b, SHARD_PIECE);
	shard_add_border(&b, &p->source.entry);
	shard_add_border(&b, &p->source.exit);
	buf_le64(&b, p->source.until);
	shard_add_stats(&b, s);
	buf_le64(&b, piece_end(p).n);
	buf_le64(&b, p->guess.engine.words.n);
	buf_le64(&b, p->last.engine.words.n);
	buf_le64(&b, found->words.n);
	buf_le64(&b, r.n / 8);
	buf_le64(&b, found->logged);
	add_words(&b, p->guess.engine.words.at, p->guess.engine.words.n);
	add_words(&b, p->last.engine.words.at, p->last.engine.words.n);
	add_words(&b, found->words.at, found->words.n);
	buf_add(&b, r.at, r.n);
	b.failed |= r.failed;
	buf_free(&r);
	return write_section(f, &b);
}

bool shard_write_end(FILE *f, uint64_t pieces, uint64_t chunks_crc)
{
	struct buf b = { 0 };

	buf_le64(&b, 0);
	buf_le64(&b, SHARD_END);
	buf_le64(&b, pieces);
	buf_le64(&b, chunks_crc);
	return write_section(f, &b);
}

/* ---- reading ---- */

static bool shard_file_fail(const struct shard_file *s, struct nfart_error *e, const char *what)
{
	if (s->f != NULL && ferror(s->f))
		nfart_fail(e, NFART_SYSTEM, "can't read: %s", strerror(EIO));
	else
		nfart_fail(e, NFART_INPUT, "%s", what);
	snprintf(e->file, sizeof e->file, "%s", s->name);
	return false;
}

/* Reads n words into s->words, from index `at` on. They keep the byte order of the file. */
static bool take_words(struct shard_file *s, size_t at, size_t n)
{
	return fread(s->words + at, 8, n, s->f) == n;
}

static void to_host(uint64_t *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w[i] = get_le64((const unsigned char *)&w[i]);
}

bool shard_open(struct shard_file *s, const char *name, struct nfart_error *e)
{
	memset(s, 0, sizeof *s);
	s->name = name;
	s->f = fopen(name, "rb");
	if (s->f == NULL) {
		nfart_fail(e, NFART_SYSTEM, "can't open: %s", strerror(errno));
		snprintf(e->file, sizeof e->file, "%s", name);
		return false;
	}
	if (fread(s->key.word, 8, SHARD_HEADER, s->f) != SHARD_HEADER ||
	    memcmp(s->key.word, SHARD_MAGIC, 8) != 0)
		return shard_file_fail(s, e, "no result of a shard");
	if (get_le64((const unsigned char *)&s->key.word[SHARD_AT_CRC]) !=
	    crc32c(0, s->key.word, SHARD_AT_CRC * 8))
		return shard_file_fail(s, e, "the header is damaged");
	to_host(s->key.word, SHARD_HEADER);
	if (s->key.word[SHARD_AT_VERSION] != SHARD_VERSION)
		return shard_file_fail(s, e, "this version of the format is not known");
	return true;
}

void shard_close(struct shard_file *s)
{
	if (s->f != NULL)
		fclose(s->f);
	free(s->words);
	memset(s, 0, sizeof *s);
}

/* Reads the n words of a section and its CRC. Memory grows with what could be read, so a wrong size
 * costs nothing. Afterwards s->words[0] is the size, s->words[n + 1] the CRC. */
static bool take_section(struct shard_file *s, size_t n, struct nfart_error *e)
{
	size_t have = 1;

	while (have < n + 2) {
		size_t more = n + 2 - have < have + 4096 ? n + 2 - have : have + 4096;
		if (s->cap < have + more) {
			uint64_t *w = realloc(s->words, (have + more) * 8);
			if (w == NULL) {
				nfart_fail(e, NFART_SYSTEM, "out of memory");
				return false;
			}
			s->words = w;
			s->cap = have + more;
		}
		if (!take_words(s, have, more))
			return shard_file_fail(s, e, "the file was cut off");
		have += more;
	}
	put_le64((unsigned char *)s->words, n);
	to_host(s->words + n + 1, 1);
	if (s->words[n + 1] != crc32c(0, s->words, (n + 1) * 8))
		return shard_file_fail(s, e, "a section is damaged");
	to_host(s->words + 1, n);
	s->n = n;
	return true;
}

int shard_next(struct shard_file *s, struct nfart_error *e)
{
	unsigned char size[8], more;
	uint64_t n;

	if (fread(size, 1, 8, s->f) != 8) {
		shard_file_fail(s, e, "the file was cut off");
		return -1;
	}
	n = get_le64(size);
	if (n < 2 || n > SHARD_MOST_WORDS) {
		shard_file_fail(s, e, "a section is damaged");
		return -1;
	}
	if (!take_section(s, (size_t)n, e))
		return -1;
	if (s->words[1] == SHARD_PIECE && n >= FIXED) {
		s->pieces++;
		return 1;
	}
	if (s->words[1] == SHARD_END && n == 3 && s->words[2] == s->pieces &&
	    fread(&more, 1, 1, s->f) == 0 && !ferror(s->f)) {
		s->chunks_crc = s->words[3];
		return 0;
	}
	shard_file_fail(s, e, "a section that can't be");
	return -1;
}

/* ---- a piece ---- */

const uint64_t *shard_take_border(const uint64_t *w, struct trace_border *x)
{
	*x = (struct trace_border){ w[0], (uint32_t)w[1], (w[2] & CLOSED) != 0,
				    (w[2] & SCANNING) != 0, (w[2] & VAGUE) != 0,
				    { (w[2] & ANY) != 0, (w[2] & AFTER_LOSS) != 0,
				      (w[2] & ANY_BATCH) != 0, (w[2] & FIRST_LOSS) != 0, w[3], w[4],
				      w[5], w[6] }, false };
	return w + BORDER;
}

const uint64_t *shard_take_stats(const uint64_t *w, struct nfart_reader_stats *s)
{
	*s = (struct nfart_reader_stats){ w[0], w[1], w[2], w[3], w[4] != 0,
					  w[5], w[6], w[7], 0,    NULL };
	return w + STATS;
}

/* Copies `count` words from w into the vector v. False: out of memory. */
#define COPY(v, w, count) \
	((v)->n = 0, (count) == 0 || (vec_reserve((v), (count)) && \
				      (memcpy((v)->at, (w), (count) * 8), (v)->n = (count), true)))

/* Takes in the n words at w: records, each after its piece_ref. False: a record is malformed. */
static bool take_records(const struct nfart_proto *proto, struct piece *p, const uint64_t *w,
			 size_t n)
{
	uint64_t all = UINT64_MAX >> (64 - proto->nslots);
	uint64_t next = 0;

	while (n != 0) {
		size_t size, k = 1 + PIECE_RECORD;
		if (n < 2 + PIECE_RECORD || (w[2] & ~all) != 0 ||
		    piece_payload_words(w[3]) > NFART_PAYLOAD_WORDS)
			return false;
		size = piece_record_words(w + 1);
		if (n < 1 + size || w[0] < next || w[0] >= p->records.end.n)
			return false;
		for (uint64_t m = w[2]; m != 0; m &= m - 1)
			if (!trace_header_ok(proto, w[k++]))
				return false;
		p->records.where.at[w[0]] = p->records.words.n;
		memcpy(p->records.words.at + p->records.words.n, w + 1, size * 8);
		p->records.words.n += size;
		next = w[0] + 1;
		w += 1 + size;
		n -= 1 + size;
	}
	return true;
}

/* There are n words of entries at f, and nrecords words of records at w. Do the entries name
 * exactly these records, in their order? Do they name only labels that the image has? */
static bool check_entries(const struct nfart_image *im, const uint64_t *f, size_t n,
			  const uint64_t *w, size_t nrecords)
{
	size_t lw = bits_words(im->labels.n);

	while (n != 0) {
		uint64_t nlines;
		size_t size;
		if (n < PIECE_ENTRY + lw || nrecords == 0 || f[ENTRY_REF] != w[0] ||
		    (f[ENTRY_WHAT] & 255) > (w[2] != 0 ? ENTRY_ACCEPTED | ENTRY_LOGGED : 0))
			return false;
		nlines = f[ENTRY_WHAT] >> 8;
		if (nlines > (n - PIECE_ENTRY - lw) / 2)
			return false;
		for (size_t i = im->labels.n; i < lw * 64; i++)
			if (bits_get(f + PIECE_ENTRY, i))
				return false;
		for (size_t i = 0; i < nlines; i++)
			if (f[PIECE_ENTRY + lw + 2 * i] >= im->labels.n)
				return false;
		size = entry_words(f, lw);
		f += size;
		n -= size;
		size = 1 + piece_record_words(w + 1);
		w += size;
		nrecords -= size;
	}
	return nrecords == 0;
}

bool shard_take_piece(const struct shard_file *s, const struct nfart_image *im, struct piece *p,
		      uint32_t share, struct nfart_error *e)
{
	const uint64_t *w = s->words + 2;
	struct piece_found *found = &p->found[share];
	uint64_t end, size[4], logged, left = s->n - FIXED;
	bool ok;

	w = shard_take_border(w, &p->source.entry);
	w = shard_take_border(w, &p->source.exit);
	p->source.until = *w++;
	w = shard_take_stats(w, &p->stats);
	end = *w++;
	for (int i = 0; i < 4; i++) {
		size[i] = *w++;
		if (size[i] > left)
			return shard_file_fail(s, e, "a section that can't be");
		left -= size[i];
	}
	logged = *w++;
	if (left != 0 || end > SHARD_MOST_WORDS ||
	    (p->records.form == PIECE_SPARSE && p->records.end.n != end))
		return shard_file_fail(s, e, "a section that can't be");
	p->guess.second = p->last.second = false;
	p->nmarks = 0;
	ok = vec_reserve(&p->records.where, end) && vec_reserve(&p->records.words, size[3]) &&
	     COPY(&p->guess.engine.words, w, size[0]) &&
	     COPY(&p->last.engine.words, w + size[0], size[1]) &&
	     COPY(&found->words, w + size[0] + size[1], size[2]);
	if (!ok) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	p->records.form = PIECE_SPARSE;
	p->records.end.n = end;
	found->logged = logged;
	w += size[0] + size[1] + size[2];
	if (!take_records(im->proto, p, w, size[3]) ||
	    !check_entries(im, found->words.at, found->words.n, w, size[3]))
		return shard_file_fail(s, e, "a section that can't be");
	return true;
}
