/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Traces whose messages have a payload: what is written must be read back, batch by batch, in all
 * formats that have it and through a window. Damage to a chunk loses its messages, and no others.
 */
#include <string.h>

#include "contract/crc.h"
#include "grammar/describe/builtin.h"
#include "runtime/trace/format.h"
#include "testsuite/setting.h"
#include "testsuite/unit/unit.h"

enum { ROUNDS = 60, BATCHES = 60, MOST_WORDS = NFART_SLOTS * NFART_PAYLOAD_WORDS };

/* Random batches and loss records, a batch last, with `words` words of payload a message. */
struct stream {
	struct nfart_proto *proto;
	uint32_t words;
	struct nfart_batch at[BATCHES];
	uint64_t payload[BATCHES][MOST_WORDS];
	uint64_t seed;
};

static void stream_make(struct stream *x)
{
	uint64_t time = 0;

	x->words = 1 + unit_below(&x->seed, NFART_PAYLOAD_WORDS);
	for (size_t i = 0; i < BATCHES; i++) {
		struct nfart_batch *b = &x->at[i];
		time += 1 + unit_below(&x->seed, 3);
		*b = (struct nfart_batch){ .time = time, .lost = 1 + unit_below(&x->seed, 9) };
		if (unit_below(&x->seed, 8) == 0 && i != BATCHES - 1)
			continue;
		b->lost = 0;
		b->mask = unit_random(&x->seed) & unit_random(&x->seed) & 0xfffffff;
		b->mask |= (uint64_t)1 << unit_below(&x->seed, 28);
		for (uint32_t s = 0; s < 28; s++)
			b->header[s] = unit_random(&x->seed) >> 8; /* the opcode is never idle */
		b->payload_words = (uint8_t)x->words;
		b->payload = x->payload[i];
		for (size_t k = 0; k < bits_count(b->mask) * x->words; k++)
			x->payload[i][k] = unit_random(&x->seed);
	}
}

/* Returns the stream as a trace with `words` words of payload, in chunks of `chunk` bytes. The
 * caller frees it. */
static char *stream_write(const struct stream *x, enum nfart_format format, uint32_t words,
			  size_t chunk, size_t *n)
{
	struct nfart_writer_options o = { .format = format, .payload_words = words };
	struct nfart_error e;
	struct nfart_writer *w;
	char *at = NULL;
	FILE *f = open_memstream(&at, n);

	w = nfart_writer_new(f, x->proto, &o, &e);
	unit_check(w != NULL);
	w->chunk = chunk;
	for (size_t i = 0; i < BATCHES; i++)
		unit_check(nfart_writer_put(w, &x->at[i], NULL));
	unit_check(nfart_writer_close(w, &e) == NFART_OK);
	fclose(f);
	return at;
}

/* Is *b what batch i of the stream is, as a trace with `words` words of payload tells it? */
static bool is_batch(const struct stream *x, size_t i, uint32_t words, const struct nfart_batch *b)
{
	const struct nfart_batch *w = &x->at[i];
	bool same = b->time == w->time && b->mask == w->mask && b->lost == w->lost;

	for (uint32_t s = 0; s < 28 && same; s++) {
		const uint64_t *p = nfart_batch_payload(b, s), *q = nfart_batch_payload(w, s);
		if ((w->mask >> s & 1) == 0)
			continue;
		same = b->header[s] == w->header[s] && b->payload_words == words;
		for (uint32_t k = 0; k < words && same; k++)
			same = p[k] == (k < x->words ? q[k] : 0);
	}
	return same;
}

/* What is read of a trace, in order. */
struct taken {
	const struct stream *x;
	uint32_t words;
	size_t n, wrong;
};

static bool take_payload(void *ctx, const struct nfart_batch *b)
{
	struct taken *t = ctx;

	t->wrong += t->n >= BATCHES || !is_batch(t->x, t->n, t->words, b);
	t->n++;
	return true;
}

static void read_back(const struct stream *x, const char *at, size_t n, enum nfart_format format,
		      uint32_t words)
{
	for (int each = 0; each < 2; each++) {
		struct nfart_error e;
		struct nfart_reader_options o = { .format = format };
		struct nfart_reader *r = nfart_reader_memory(at, n, "trace", x->proto, &o, &e);
		struct taken t = { .x = x, .words = words };
		struct nfart_batch b;
		if (r == NULL)
			unit_fail("%s", e.what);
		unit_eq(nfart_reader_payload(r), words);
		if (each)
			unit_eq(reader_each(r, take_payload, &t, &e), 0);
		else
			while (nfart_reader_next(r, &b, &e) == 1)
				take_payload(&t, &b);
		unit_eq(t.n, BATCHES);
		unit_eq(t.wrong, 0);
		unit_eq(nfart_reader_stats(r)->bad_chunks, 0);
		nfart_reader_free(r);
	}
}

/* What is written with as many words of payload, with fewer or with more is read back so. */
START_TEST(read_again)
{
	static struct stream x;

	x.proto = proto_builtin("eci");
	x.seed = setting("NFACC_SEED", 7);
	for (int i = 0; i < ROUNDS; i++) {
		stream_make(&x);
		for (enum nfart_format f = NFART_FORMAT_TEXT; f <= NFART_FORMAT_COMPACT; f++) {
			uint32_t words = 1 + unit_below(&x.seed, NFART_PAYLOAD_WORDS);
			size_t n;
			char *at;
			words = unit_below(&x.seed, 2) == 0 ? x.words : words;
			if (!nfart_format_payload(f))
				continue;
			at = stream_write(&x, f, words, 1 + unit_below(&x.seed, 5000), &n);
			read_back(&x, at, n, f, words);
			free(at);
		}
	}
	proto_free(x.proto);
}
END_TEST

/* A changed bit of a chunk loses the messages of this chunk, as many as its header says; all other
 * batches come with their payload. So does a chunk of the kind without payload in such a trace. */
START_TEST(damaged)
{
	static struct stream x;

	x.proto = proto_builtin("eci");
	x.seed = setting("NFACC_SEED", 7) ^ 0x5eed;
	for (int i = 0; i < ROUNDS; i++) {
		struct nfart_reader_options o = { .format = NFART_FORMAT_COMPACT };
		struct nfart_error e;
		struct nfart_reader *r;
		struct nfart_batch b;
		uint64_t first, last, messages;
		size_t n, found = 0, lost = 0;
		unsigned char *at, *h = NULL;
		stream_make(&x);
		at = (unsigned char *)stream_write(&x, o.format, x.words, 3000, &n);
		for (size_t c = get_le32(at + HEAD_SIZE), k = 1;
		     get_le32(at + c + CHUNK_TYPE) == CHUNK_PAYLOAD;
		     c += CHUNK_HEAD + get_le32(at + c + CHUNK_BYTES), k++)
			if (unit_below(&x.seed, (uint32_t)k) == 0)
				h = at + c;
		unit_check(h != NULL);
		first = get_le64(h + CHUNK_FIRST);
		last = get_le64(h + CHUNK_LAST);
		messages = get_le64(h + CHUNK_MESSAGES);
		if (i % 4 == 0) {
			put_le32(h + CHUNK_TYPE, CHUNK_RECORDS);
			put_le32(h + CHUNK_HEAD_CRC, crc32c(0, h, CHUNK_HEAD_CRC));
		} else {
			h[CHUNK_HEAD + unit_below(&x.seed, get_le32(h + CHUNK_BYTES))] ^= 4;
		}
		r = nfart_reader_memory(at, n, "trace", x.proto, &o, &e);
		unit_check(r != NULL);
		while (nfart_reader_next(r, &b, &e) == 1) {
			while (found < BATCHES && x.at[found].time >= first &&
			       x.at[found].time <= last)
				found++;
			if (b.mask == 0 && b.time == first && b.lost == messages && lost == 0)
				lost++;
			else
				unit_check(found < BATCHES && is_batch(&x, found++, x.words, &b));
		}
		unit_eq(lost, 1);
		unit_eq(nfart_reader_stats(r)->bad_chunks, 1);
		nfart_reader_free(r);
		free(at);
	}
	proto_free(x.proto);
}
END_TEST

static bool window_take(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	(void)r;
	return take_payload(ctx, b);
}

/* A window gives batches back with their payload. */
START_TEST(window)
{
	static struct stream x;

	x.proto = proto_builtin("eci");
	x.seed = setting("NFACC_SEED", 7) ^ 0x11d0;
	for (int i = 0; i < ROUNDS; i++) {
		struct taken t = { .x = &x };
		struct nfart_window *w;
		stream_make(&x);
		t.words = x.words;
		w = nfart_window_new(BATCHES, 0, window_take, &t);
		unit_check(w != NULL);
		for (size_t k = 0; k < BATCHES; k++) {
			struct nfart_result r = { .logged = true, .accepted = k == BATCHES - 1 };
			unit_check(nfart_window_put(w, &x.at[k], &r));
		}
		unit_check(nfart_window_end(w));
		unit_eq(t.n, BATCHES);
		unit_eq(t.wrong, 0);
		nfart_window_free(w);
	}
	proto_free(x.proto);
}
END_TEST

/* What can't have payload is refused. */
START_TEST(refused)
{
	static const enum nfart_format formats[] = { NFART_FORMAT_DENSE, NFART_FORMAT_CSV,
						     NFART_FORMAT_PERFETTO, NFART_FORMAT_VCD };
	struct nfart_proto *p = proto_builtin("eci");
	struct nfart_error e;

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct nfart_writer_options o = { .format = formats[i], .payload_words = 2 };
		char want[80];
		snprintf(want, sizeof want, "format '%s' can't have 128 bits of payload a message",
			 nfart_format_name(formats[i]));
		unit_check(nfart_writer_new(stdout, p, &o, &e) == NULL);
		ck_assert_str_eq(e.what, want);
	}
	unit_check(nfart_writer_new(stdout, p,
				    &(struct nfart_writer_options){ .format = NFART_FORMAT_COMPACT,
								    .payload_words = 9 },
				    &e) == NULL);
	unit_eq(e.status, NFART_USAGE);
	proto_free(p);
}
END_TEST

Suite *suite_payload(void)
{
	const TTest *const tests[] = { read_again, damaged, window, refused, NULL };

	return unit_suite("payload", tests);
}
