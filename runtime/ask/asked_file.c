/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes and reads the files of shards of questions (asked_file.h, Note [asked files]).
 */
#include "runtime/ask/asked_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "contract/proto/proto.h"
#include "runtime/trace/reader.h"

/* How many words a record of each kind has. */
static const uint32_t record_words[ASKED_KINDS] = { 3, 5, 7, 3, 4, 2, 2, 3, 5, 2,
						     ASKED_SIDE_WORDS, 2, 2, ASKED_END_WORDS };

/* ---- the key ---- */

static bool protocol_crc(const struct nfart_proto *p, uint64_t *crc)
{
	struct buf b = { 0 };

	proto_write(p, &b);
	proto_write_fields(p, &b);
	proto_write_pairs(p, &b);
	*crc = b.failed ? 0 : crc32c(0, b.at, b.n);
	buf_free(&b);
	return !b.failed;
}

static void to_file(uint64_t *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_le64((unsigned char *)&w[i], w[i]);
}

static void from_file(uint64_t *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w[i] = get_le64((const unsigned char *)&w[i]);
}

bool asked_key_fill(struct asked_key *k, const struct nfart_reader *r, uint64_t number,
		    uint64_t total, struct nfart_error *e)
{
	uint64_t *w = k->word;

	if (!shard_trace_crc(r, &w[ASKED_AT_TRACE_CRC])) {
		nfart_fail(e, NFART_USAGE,
			   "shards are of a compact or dense trace in a file, with its index");
		return false;
	}
	w[ASKED_AT_MAGIC] = get_le64((const unsigned char *)ASKED_MAGIC);
	w[ASKED_AT_VERSION] = ASKED_VERSION;
	w[ASKED_AT_NUMBER] = number;
	w[ASKED_AT_TOTAL] = total;
	w[ASKED_AT_TRACE_SIZE] = r->in.size;
	w[ASKED_AT_STRICT] = r->o.strict;
	if (protocol_crc(r->proto, &w[ASKED_AT_PROTOCOL]))
		return true;
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return false;
}

/* ---- writing ---- */

/* Writes n words and the CRC of these. The words are of no use afterwards. */
static bool write_words(FILE *f, uint64_t *words, size_t n)
{
	uint64_t crc;

	to_file(words, n);
	crc = crc32c(0, words, n * 8);
	to_file(&crc, 1);
	return fwrite(words, 8, n, f) == n && fwrite(&crc, 8, 1, f) == 1;
}

bool asked_begin(struct asked_writer *w, FILE *f, const struct asked_key *k)
{
	struct asked_key copy = *k;

	w->f = f;
	w->failed = !write_words(f, copy.word, ASKED_AT_CRC);
	return !w->failed;
}

/* Writes the block, and begins an empty one. */
static void flush_block(struct asked_writer *w)
{
	w->words[0] = w->kind | (uint64_t)w->n << 8;
	if (w->n != 0 && !w->failed)
		w->failed = !write_words(w->f, w->words,
					 1 + (size_t)w->n * record_words[w->kind]);
	w->n = 0;
}

bool asked_put(struct asked_writer *w, enum asked_kind kind, const uint64_t *record)
{
	size_t size = record_words[kind];

	if (w->kind != kind || w->n == ASKED_MOST)
		flush_block(w);
	w->kind = kind;
	memcpy(w->words + 1 + w->n * size, record, size * 8);
	w->n++;
	return !w->failed;
}

bool asked_put_entry(struct asked_writer *w, const struct pairs_entry *x)
{
	return asked_put(w, ASKED_ENTRY,
			 (const uint64_t[]){ (uint64_t)x->kind | x->rule << 8 |
						     (uint64_t)x->slot << 24 |
						     (uint64_t)x->mark << 32,
					     x->time, x->header });
}

struct pairs_entry asked_entry(const uint64_t *record)
{
	uint64_t head = record[0];

	return (struct pairs_entry){ (enum pairs_entry_kind)(head & 255), head >> 8 & 0xffff,
				     head >> 24 & 255, record[1], record[2],
				     (uint32_t)(head >> 32) };
}

bool asked_finish(struct asked_writer *w, const struct asked_end *end)
{
	uint64_t empty = end->empty;
	struct buf b = { 0 };
	bool ok;

	buf_le64(&b, empty);
	shard_add_border(&b, &end->entry);
	shard_add_border(&b, &end->exit);
	shard_add_stats(&b, &end->stats);
	for (int i = 0; i < ASKED_OUTCOMES; i++)
		buf_le64(&b, end->outcomes[i]);
	buf_le64(&b, end->first);
	buf_le64(&b, end->last);
	buf_le64(&b, end->chunks_crc);
	buf_le64(&b, end->output);
	ok = !b.failed;
	if (ok) {
		uint64_t record[ASKED_END_WORDS];
		memcpy(record, b.at, sizeof record);
		from_file(record, ASKED_END_WORDS);
		asked_put(w, ASKED_END, record);
		flush_block(w);
	}
	buf_free(&b);
	return ok && !w->failed;
}

/* ---- reading ---- */

static bool asked_fail(FILE *f, const char *name, struct nfart_error *e, const char *what)
{
	if (f != NULL && ferror(f))
		nfart_fail(e, NFART_SYSTEM, "can't read: %s", strerror(EIO));
	else
		nfart_fail(e, NFART_INPUT, "%s", what);
	snprintf(e->file, sizeof e->file, "%s", name);
	return false;
}

static bool asked_short(struct nfart_error *e)
{
	nfart_fail(e, NFART_SYSTEM, "out of memory");
	return false;
}

/* Reads n words and their CRC, which must be right; `first` words of them are there already. */
static bool read_words(FILE *f, uint64_t *words, size_t first, size_t n)
{
	uint64_t crc;

	if (fread(words + first, 8, n - first, f) != n - first || fread(&crc, 8, 1, f) != 1)
		return false;
	from_file(&crc, 1);
	if (crc != crc32c(0, words, n * 8))
		return false;
	from_file(words, n);
	return true;
}

static bool same_question(const struct asked_key *a, const struct asked_key *b)
{
	for (int i = 0; i < ASKED_AT_CRC; i++)
		if (i != ASKED_AT_NUMBER && a->word[i] != b->word[i])
			return false;
	return true;
}

bool asked_open(FILE **f, const char *name, const struct asked_key *k, uint64_t *number,
		struct nfart_error *e)
{
	struct asked_key got;
	bool ok = false;

	*f = fopen(name, "rb");
	if (*f == NULL) {
		nfart_fail(e, NFART_SYSTEM, "can't open: %s", strerror(errno));
		snprintf(e->file, sizeof e->file, "%s", name);
		return false;
	}
	if (!read_words(*f, got.word, 0, ASKED_AT_CRC) ||
	    got.word[ASKED_AT_MAGIC] != k->word[ASKED_AT_MAGIC])
		asked_fail(*f, name, e, "no answer of a shard, or its header is damaged");
	else if (got.word[ASKED_AT_VERSION] != ASKED_VERSION)
		asked_fail(*f, name, e, "this version of the format is not known");
	else if (!same_question(&got, k) ||
		 got.word[ASKED_AT_NUMBER] >= k->word[ASKED_AT_TOTAL])
		asked_fail(*f, name, e,
			   "a shard of another question, trace, protocol, number of shards or "
			   "other options");
	else
		ok = true;
	*number = ok ? got.word[ASKED_AT_NUMBER] : 0;
	if (!ok) {
		fclose(*f);
		*f = NULL;
	}
	return ok;
}

static void take_end(const uint64_t *w, struct asked_end *end)
{
	end->empty = *w++ != 0;
	w = shard_take_border(w, &end->entry);
	w = shard_take_border(w, &end->exit);
	w = shard_take_stats(w, &end->stats);
	for (int i = 0; i < ASKED_OUTCOMES; i++)
		end->outcomes[i] = *w++;
	end->first = w[0];
	end->last = w[1];
	end->chunks_crc = w[2];
	end->output = w[3];
}

bool asked_rewind(struct asked_reader *r, struct nfart_error *e)
{
	r->kind = ASKED_ENTRY;
	r->n = r->next = 0;
	return fseek(r->f, ASKED_HEADER * 8, SEEK_SET) == 0 ||
	       asked_fail(r->f, r->name, e, "can't be read twice");
}

/* Reads the next block. False: *e says why. */
static bool read_block(struct asked_reader *r, struct nfart_error *e)
{
	static const char damaged[] = "the file was cut off, or is damaged";
	uint64_t head;
	size_t words;

	r->next = 0;
	if (fread(&head, 8, 1, r->f) != 1)
		return asked_fail(r->f, r->name, e, damaged);
	r->words.n = 0;
	if (!vec_push(&r->words, head))
		return asked_short(e);
	from_file(&head, 1);
	if ((head & 255) >= ASKED_KINDS || head >> 8 == 0 ||
	    head >> 8 > ((head & 255) == ASKED_END ? 1 : ASKED_MOST))
		return asked_fail(r->f, r->name, e, damaged);
	r->kind = (enum asked_kind)(head & 255);
	r->n = (size_t)(head >> 8);
	words = r->n * record_words[r->kind];
	if (!vec_reserve(&r->words, words))
		return asked_short(e);
	return read_words(r->f, r->words.at, 1, 1 + words) ||
	       asked_fail(r->f, r->name, e, damaged);
}

int asked_next(struct asked_reader *r, const uint64_t **record, struct asked_end *end,
	       struct nfart_error *e)
{
	unsigned char more;

	if (r->next == r->n && !read_block(r, e))
		return -1;
	*record = r->words.at + 1 + r->next++ * record_words[r->kind];
	if (r->kind != ASKED_END)
		return 1;
	if (fread(&more, 1, 1, r->f) != 0) {
		asked_fail(r->f, r->name, e, "bytes after the end");
		return -1;
	}
	take_end(*record, end);
	return 0;
}

bool asked_refuse(const struct asked_reader *r, struct nfart_error *e)
{
	return asked_fail(r->f, r->name, e, "a record that can't be");
}

bool asked_each(FILE *f, const char *name, asked_sink *take, void *ctx, struct asked_end *end,
		struct nfart_error *e)
{
	struct asked_reader r = { .f = f, .name = name };
	bool ok = asked_rewind(&r, e);
	const uint64_t *record;
	int got = 1;

	while (ok && (got = asked_next(&r, &record, end, e)) > 0)
		ok = take(ctx, r.kind, record) || asked_refuse(&r, e);
	vec_free(&r.words);
	return ok && got == 0;
}
