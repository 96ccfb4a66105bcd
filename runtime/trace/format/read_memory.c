/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads a dump of the ring in memory to which an engine wrote its records (nfacc-trace(5), "Ring
 * memory"). The dump is all of the ring, in beats of eight words, little-endian:
 *
 *	word 0      bits 0-2: words that count, 1 to 7       bits 3-5: the first one that begins a
 *	            bits 6-7: 0                              record, from 1; 0: none does
 *	            bits 8-31: number of the run             bits 32-63: number of the lap
 *	words 1-7   words of records
 *
 * Each run begins at beat 0 with lap 0. So the newest run is that of beat 0, the beats of its last lap
 * stand at the beginning of the ring, and those of the lap before it fill the rest. If there was no
 * such lap, the rest belongs to other runs, or was never written.
 */
#include <stdlib.h>

#include "runtime/trace/format.h"

enum { BEAT_BYTES = 64, BEAT_WORDS = 7, RECORD_WORDS = 3 + NFART_SLOTS };

struct memory_beat {
	uint32_t count, first; /* words that count; the first that begins a record, from 1, or 0 */
	uint32_t run, lap;
};

struct memory {
	uint64_t beats;        /* of the ring */
	uint64_t newest;       /* how many beats are of the last lap */
	uint64_t next;         /* the beat that comes next */
	uint64_t left;         /* beats still to be taken; the oldest one is the first of them */
	bool synchronised;     /* the beginning of a record was found */
	bool began;            /* a record has begun in the current beat */
	struct memory_beat beat; /* the current beat, number next - 1 */
	uint64_t word[1 + BEAT_WORDS];
	uint32_t at;           /* the word of it that comes next, from 1 */
	struct {
		uint64_t word[RECORD_WORDS];
		uint32_t n;
		uint64_t beat; /* where it begins */
		uint32_t at;
	} record;
};

static struct memory_beat memory_head(uint64_t word)
{
	return (struct memory_beat){ word & 7, word >> 3 & 7, word >> 8 & 0xffffff,
				     (uint32_t)(word >> 32) };
}

/* Takes the next beat of the file, and checks its header. An empty beat was never written. Returns 1;
 * 0 at the end of the file; -1: *e says why. */
static int memory_take(struct nfart_reader *r, struct memory *m, struct nfart_error *e)
{
	if (!input_need(&r->in, BEAT_BYTES)) {
		if (r->in.error != 0)
			return reader_fail_input(r, e);
		if (r->in.damage != NULL)
			return reader_fail(r, e, "%s", r->in.damage);
		return r->in.n == 0 ? 0 :
		       reader_fail(r, e, "the dump ends inside beat %llu: it has to be whole",
				   (unsigned long long)m->next);
	}
	for (int i = 0; i <= BEAT_WORDS; i++)
		m->word[i] = get_le64(r->in.at + 8 * i);
	m->beat = memory_head(m->word[0]);
	m->at = 1;
	m->next++;
	input_take(&r->in, BEAT_BYTES);
	return 1;
}

static bool memory_beat_ok(const struct memory *m)
{
	return m->beat.count != 0 && m->beat.first <= m->beat.count && (m->word[0] >> 6 & 3) == 0;
}

/* Checks the beat that was taken against the first one: the last lap of its run comes first, then the
 * one before it. False: *e says why. */
static bool memory_place(struct nfart_reader *r, struct memory *m, struct memory_beat head,
			 struct nfart_error *e)
{
	unsigned long long number = m->next - 1;
	bool ours = m->word[0] != 0 && m->beat.run == head.run, last = ours && m->beat.lap == head.lap;

	if (last && m->newest != number) {
		reader_fail(r, e, "beat %llu is of lap %lu, but beat %llu before it is not", number,
			    (unsigned long)head.lap, (unsigned long long)m->newest);
		return false;
	}
	if (!last && (head.lap == 0 ? ours : !ours || m->beat.lap != head.lap - 1)) {
		reader_fail(r, e, "beat %llu has run %lu and lap %lu, after lap %lu of run %lu",
			    number, (unsigned long)m->beat.run, (unsigned long)m->beat.lap,
			    (unsigned long)head.lap, (unsigned long)head.run);
		return false;
	}
	m->newest += last;
	if (ours && !memory_beat_ok(m)) {
		reader_fail(r, e, "beat %llu has no valid header: %016llx", number,
			    (unsigned long long)m->word[0]);
		return false;
	}
	return true;
}

/* Reads the whole dump, and finds the oldest beat. False: *e says why. */
static bool memory_survey(struct nfart_reader *r, struct memory *m, struct nfart_error *e)
{
	struct memory_beat head = { 0 };
	bool empty = false;
	int got;

	while ((got = memory_take(r, m, e)) == 1) {
		if (m->next == 1) {
			head = m->beat;
			empty = m->word[0] == 0;
		}
		if (empty && m->word[0] != 0) {
			reader_fail(r, e, "beat %llu was written, but beat 0 was not",
				    (unsigned long long)m->next - 1);
			return false;
		}
		if (!empty && !memory_place(r, m, head, e))
			return false;
	}
	m->beats = m->next;
	m->left = empty ? 0 : head.lap == 0 ? m->newest : m->beats;
	m->next = head.lap == 0 || m->newest == m->beats ? 0 : m->newest;
	return got == 0;
}

static bool memory_go(struct nfart_reader *r, struct memory *m, uint64_t beat, struct nfart_error *e)
{
	m->next = beat;
	if (input_seek(&r->in, beat * BEAT_BYTES))
		return true;
	reader_fail_input(r, e);
	return false;
}

/* Reports that records do not begin where the current beat's header says. Returns -1. */
static int memory_disagrees(struct nfart_reader *r, const struct memory *m, struct nfart_error *e)
{
	unsigned long long beat = m->next - 1;

	return reader_fail(r, e, "beat %llu (byte %llu): the first record that begins in it is at word "
			   "%lu, says its header, but that is not where the one before it ends", beat,
			   beat * BEAT_BYTES, (unsigned long)m->beat.first);
}

/* Goes on to the next beat, from the last one of the ring to the first. Returns as memory_take(), and
 * 0 after the newest beat. */
static int memory_step(struct nfart_reader *r, struct memory *m, struct nfart_error *e)
{
	int got;

	if (m->synchronised && m->beat.first != 0 && !m->began)
		return memory_disagrees(r, m, e);
	if (m->left == 0)
		return 0;
	if (m->next == m->beats && !memory_go(r, m, 0, e))
		return -1;
	got = memory_take(r, m, e);
	m->left--;
	if (got <= 0)
		return got == 0 ? reader_fail(r, e, "the dump changed while it was read") : got;
	if (!memory_beat_ok(m))
		return reader_fail(r, e, "the dump changed while it was read");
	m->began = false;
	if (!m->synchronised) {
		m->synchronised = m->beat.first != 0;
		m->at = m->synchronised ? m->beat.first : m->beat.count + 1;
	}
	return 1;
}

static uint32_t memory_record_words(const struct memory *m)
{
	uint64_t mask = m->record.n >= 2 ? m->record.word[1] : 0;

	return 3 + (mask == 0 ? 1 : (uint32_t)__builtin_popcountll(mask));
}

/* Makes a batch of the record, which is whole. Returns what nfart_reader_next() is to return, or
 * AGAIN after a batch without messages. */
enum { AGAIN = 2 };

static int memory_batch(struct nfart_reader *r, const struct memory *m, struct nfart_batch *b,
			struct nfart_error *e)
{
	const uint64_t *p = m->record.word;
	const char *what = NULL;
	unsigned mark;

	b->time = p[0];
	b->mask = p[1];
	b->lost = b->mask == 0 ? p[3] : 0;
	b->damaged = false;
	mark = b->mask == 0 ? trace_mark(b->lost) : 0;
	p += 3;
	for (uint64_t s = b->mask; s != 0; s &= s - 1) {
		if (!trace_header_ok(r->proto, *p))
			what = "has a header that can't be";
		b->header[__builtin_ctzll(s)] = *p++;
	}
	if (what == NULL && !(mark != 0 ? trace_clock_empty(&r->clock, b->time, (mark & NFART_END) != 0) :
					  trace_clock_step(&r->clock, b->time, b->mask == 0)))
		what = "has a time that does not rise";
	if (what != NULL)
		return reader_fail(r, e, "the record at word %lu of beat %llu (byte %llu) %s",
				   (unsigned long)m->record.at, (unsigned long long)m->record.beat,
				   (unsigned long long)(m->record.beat * BEAT_BYTES +
							8 * m->record.at),
				   what);
	return mark != 0 ? AGAIN : 1;
}

/* The newest beat has come, and ends inside a record. Returns what nfart_reader_next() is to return. */
static int memory_cut_off(struct nfart_reader *r, struct memory *m, struct nfart_batch *b,
			  struct nfart_error *e)
{
	if (m->record.n == 0)
		return 0;
	if (r->o.strict)
		return reader_fail(r, e, "the newest beat, %llu, ends inside a record",
				   (unsigned long long)m->next - 1);
	m->record.n = 0;
	r->stats.bad_chunks++;
	return reader_loss(b, r->clock.last, NFART_LOST_UNKNOWN);
}

static int memory_next(struct nfart_reader *r, struct nfart_batch *b, struct nfart_error *e)
{
	struct memory *m = r->state;
	int got = AGAIN;

	while (got == AGAIN) {
		if (m->at > m->beat.count) {
			got = memory_step(r, m, e);
			if (got <= 0)
				return got == 0 ? memory_cut_off(r, m, b, e) : got;
			got = AGAIN;
			continue;
		}
		if (m->record.n == 0) {
			m->record.beat = m->next - 1;
			m->record.at = m->at;
			if (!m->began && m->beat.first != m->at)
				return memory_disagrees(r, m, e);
			m->began = true;
		}
		m->record.word[m->record.n++] = m->word[m->at++];
		if (m->record.n == 2 && r->proto->nslots < 64 &&
		    m->record.word[1] >> r->proto->nslots != 0)
			return reader_fail(r, e, "the record at word %lu of beat %llu (byte %llu) has "
					   "slots the protocol lacks",
					   (unsigned long)m->record.at,
					   (unsigned long long)m->record.beat,
					   (unsigned long long)(m->record.beat * BEAT_BYTES +
								8 * m->record.at));
		if (m->record.n >= 4 && m->record.n == memory_record_words(m)) {
			got = memory_batch(r, m, b, e);
			m->record.n = 0;
		}
	}
	return got;
}

bool read_memory_open(struct nfart_reader *r, struct nfart_error *e)
{
	struct memory *m = r->state = calloc(1, sizeof *m);

	if (m == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	r->next = memory_next;
	if (!memory_survey(r, m, e))
		return false;
	m->beat.count = 0; /* there is no current beat yet */
	m->at = 1;
	return memory_go(r, m, m->next, e);
}
