/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * threads: nfarun in several threads, or in shards that are merged, must do what it does in one
 * run, byte for byte: output, counters, lines, statistics, status and error.
 *
 *   threads [-n PAIRS] [-s SEED] [-v]
 *
 * NFACC_THREAD_PAIRS and NFACC_SEED set the same. A pair is a random filter, sometimes with a
 * second one that is swapped in, a random stream in one of the formats, and options. The stream is
 * in small chunks and often damaged, also at the borders of chunks. Sometimes it has a payload. The
 * pair runs in one thread, then in 2, 3, 5 and 8 on small pieces, then in 1 and 3 with the stream
 * from a pipe, then, where that is possible, in 1, 2, 3 and 5 shards. Files of shards are also
 * damaged, which must be noticed, and forged, which must do no harm. The trace is also changed in
 * place, and then the shards that were made from the changed part must count as not done.
 *
 * Two traces are fixed: a long dense one with empty rows, and a long compact one with chunks of the
 * usual size, of which it is also known what the filter accepts.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/crc.h"
#include "grammar/describe/builtin.h"
#include "runtime/run/shard.h"
#include "runtime/trace/writer.h"
#include "testsuite/property/chunks.h"
#include "testsuite/property/gen.h"
#include "testsuite/property/gen_draw.h"
#include "testsuite/property/trial.h"
#include "testsuite/setting.h"

enum { MOST_BATCHES = 1000, BLOCK = 250 };

struct pair {
	uint64_t seed;
	struct gen g; /* random numbers for all choices of the test */
	struct trial t;
	struct nfart_batch stream[MOST_BATCHES];
	uint64_t payload[NFART_SLOTS * NFART_PAYLOAD_WORDS]; /* that of the current batch */
	size_t n;
	bool damaged;
};

struct totals {
	char dir[32]; /* folder for the files of shards */
	uint64_t sharded, forged;
	uint64_t pairs, ranges, by_line, swapped, full, damaged, parallel, accepted;
	uint64_t timed; /* in threads, with a time slot */
};

/* ---- making a pair ---- */

static bool has_time(uint64_t seed)
{
	return seed % 13 < 5;
}

static struct nfart_image *make_image(const struct pair *p, uint64_t seed, bool time)
{
	struct gen_options o = { .proto = p->t.proto,
				 .counters = seed % 3 != 0,
				 .guards = seed % 5 == 0,
				 .sides = seed % 11 < 4,
				 .machines = seed % 7 == 2,
				 .time = time,
				 .positions = 60 };
	struct nfart_image *im;
	struct buf text = { 0 };

	gen_filter(seed, &o, &text);
	im = trial_compile(text.at, text.n);
	buf_free(&text);
	return im;
}

/* Writes the stream to p->t.trace, as a trace in small chunks. */
static void write_trace(struct pair *p, enum nfart_format format)
{
	struct nfart_writer_options o = { .format = format };
	struct nfart_error e;
	uint32_t words = p->seed % 4 == 1 && nfart_format_payload(format) ? 1 + p->seed % 8 : 0;
	char *at = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&at, &n);
	struct nfart_writer *w;

	o.payload_words = words;
	w = nfart_writer_new(f, p->t.proto, &o, &e);

	if (w != NULL) /* sometimes every record is a chunk of its own */
		w->chunk = gen_chance(&p->g, 40) ? 1 : 64 + gen_below(&p->g, 1000);
	for (size_t i = 0; i < p->n && w != NULL; i++) {
		struct nfart_batch b = p->stream[i];
		b.payload_words = (uint8_t)words;
		b.payload = p->payload;
		for (size_t k = 0; k < NFART_SLOTS * words; k++)
			p->payload[k] = gen_random(&p->g);
		nfart_writer_put(w, &b, NULL);
	}
	if (w != NULL && p->seed % 3 == 0 && p->n != 0) /* ticks may come after the last record */
		nfart_writer_until(w, p->stream[p->n - 1].time + p->seed % 500);
	nfart_writer_close(w, &e);
	fclose(f);
	buf_add(&p->t.trace, at, n);
	free(at);
}

/* Changes, moves and cuts off bytes after the file header. */
static void threads_damage(struct pair *p)
{
	struct buf *b = &p->t.trace;
	size_t head = 200;

	for (uint32_t n = 1 + gen_below(&p->g, 4); n > 0 && b->n > head + 200; n--) {
		size_t at = head + gen_below(&p->g, (uint32_t)(b->n - head - 100));
		size_t size = 1 + gen_below(&p->g, 90);
		switch (gen_below(&p->g, 4)) {
		case 0:
			b->at[at] ^= (char)(1u << gen_below(&p->g, 8));
			break;
		case 1:
			memmove(b->at + at, b->at + at + size, b->n - at - size);
			b->n -= size;
			break;
		case 2:
			memmove(b->at + at,
				b->at + head + gen_below(&p->g, (uint32_t)(b->n - head - size)),
				size);
			break;
		default:
			if (gen_chance(&p->g, 30))
				b->n = at;
		}
	}
}

/* Is there a gap in the trace that is too long to write all its ticks? Damage makes such gaps. */
static bool has_long_gap(const struct pair *p)
{
	enum { LONG = 20000 };
	struct nfart_error e;
	struct nfart_reader *r = nfart_reader_memory(p->t.trace.at, p->t.trace.n, "trace",
						     p->t.proto, &p->t.reader, &e);
	struct nfart_batch b;
	uint64_t last = UINT64_MAX;
	bool is_long = false;

	while (r != NULL && !is_long && nfart_reader_next(r, &b, &e) == 1) {
		is_long = last != UINT64_MAX && b.time > last && b.time - last > LONG;
		last = b.time;
	}
	is_long |= r != NULL && last != UINT64_MAX && nfart_reader_until(r) > last + LONG;
	nfart_reader_free(r);
	return is_long;
}

static void threads_make(struct pair *p, const struct nfart_proto *const *protos)
{
	static const enum nfart_format in[] = { NFART_FORMAT_COMPACT, NFART_FORMAT_COMPACT,
		NFART_FORMAT_DENSE, NFART_FORMAT_DENSE, NFART_FORMAT_RECORDS, NFART_FORMAT_TEXT };
	static const enum nfart_format out[] = { NFART_FORMAT_TEXT, NFART_FORMAT_COMPACT,
						 NFART_FORMAT_JSON };
	struct gen_options o = { .max_batches = MOST_BATCHES, .time = has_time(p->seed) };
	enum nfart_format format;
	bool few;

	p->t.proto = o.proto = protos[p->seed % 3];
	o.guards = p->seed % 5 == 0;
	gen_init(&p->g, p->seed * 31, &o);
	p->t.image = make_image(p, p->seed, has_time(p->seed));
	if (p->t.image != NULL && gen_chance(&p->g, 25)) {
		p->t.second = make_image(p, p->seed + 1000003, false);
		p->t.swap_at = 1 + gen_below(&p->g, gen_chance(&p->g, 20) ? 3 : 1200);
	}
	p->t.reader.strict = gen_chance(&p->g, 12);
	/* With few records, the only error in the trace is often at a border between two shards,
	 * where no single shard sees it. */
	few = p->t.reader.strict && gen_chance(&p->g, 60);
	if (few)
		o.max_batches = 12;
	p->n = gen_stream(p->seed, &o, p->stream, MOST_BATCHES);
	if (few || gen_chance(&p->g, 30))
		chunks_tie_times(&p->g, p->stream, p->n);
	format = in[gen_below(&p->g, 6)];
	if (format == NFART_FORMAT_DENSE && p->t.proto->header.idle == PROTO_NO_IDLE)
		format = NFART_FORMAT_COMPACT;
	write_trace(p, format);
	p->t.reader.format = format;
	p->damaged = gen_chance(&p->g, 40);
	if (p->damaged && gen_chance(&p->g, 50))
		chunks_damage(&p->g, &p->t.trace);
	else if (p->damaged)
		threads_damage(p);
	if (has_time(p->seed) && has_long_gap(p)) {
		nfart_image_free(p->t.image);
		p->t.image = make_image(p, p->seed, false);
	}
	p->t.engine.lines = gen_chance(&p->g, 60);
	p->t.engine.reset_on_loss = gen_chance(&p->g, 30);
	if (gen_chance(&p->g, 20)) {
		p->t.engine.has_substream = true;
		p->t.engine.base = gen_chance(&p->g, 50) ? 0 : (uint64_t)p->g.line << 7;
		p->t.engine.count =
			gen_chance(&p->g, 50) ? (uint64_t)1 << 33 : 1 + gen_below(&p->g, 5);
	}
	p->t.count_lines = p->t.engine.lines && gen_chance(&p->g, 50);
	p->t.to = out[gen_below(&p->g, 3)];
	p->t.piece = 1 + gen_below(&p->g, gen_chance(&p->g, 50) ? 8000 : 900);
}

/* ---- runs in shards ---- */

enum { MOST_SHARDS = 5 };

/* Changes the trace in place, and checks which shards still count as done. With substreams, no
 * shard may. Otherwise all shards must, except the one that was made from the changed part. */
static bool change_is_noticed(struct pair *p, char (*name)[64], uint32_t n)
{
	bool by_line = p->t.image->substreams.by_line || p->t.engine.has_substream, any;
	struct buf whole = { 0 };
	uint32_t left = 0;

	buf_add(&whole, p->t.trace.at, p->t.trace.n);
	any = chunks_change(&p->g, &p->t.trace) != 0;
	for (uint32_t i = 0; i < n; i++)
		left += !trial_shard_done(&p->t, i, n, name[i]);
	buf_free(&p->t.trace);
	p->t.trace = whole;
	return left == (!any ? 0 : by_line ? n : 1);
}

/* Changes the file of a shard. Without `checksums` one bit is changed, and the merge must fail.
 * With `checksums` some words are changed, and the checksums are set to match them. */
static bool forge(struct pair *p, const char *name, bool checksums)
{
	struct buf b = { 0 };
	unsigned char *at;
	FILE *f;

	if (buf_read_file(&b, name, (size_t)1 << 28) != 0 || b.n <= SHARD_HEADER * 8) {
		buf_free(&b);
		return false;
	}
	at = (unsigned char *)b.at;
	for (uint32_t k = checksums ? 1 + gen_below(&p->g, 3) : 1; k > 0; k--) {
		size_t i = gen_below(&p->g, (uint32_t)b.n / 8) * 8;
		if (gen_chance(&p->g, 50))
			at[i + gen_below(&p->g, 8)] ^= (unsigned char)(1u << gen_below(&p->g, 8));
		else if (checksums)
			put_le64(at + i, gen_below(&p->g, 70));
		else
			at[i] ^= 1;
	}
	for (size_t i = SHARD_HEADER * 8; checksums && i + 16 <= b.n;) {
		uint64_t n = get_le64(at + i);
		if (n > (b.n - i) / 8 - 2)
			break;
		put_le64(at + i + 8 * (n + 1), crc32c(0, at + i, 8 * (n + 1)));
		i += 8 * (n + 2);
	}
	f = fopen(name, "wb");
	fwrite(at, 1, b.n, f);
	fclose(f);
	buf_free(&b);
	return true;
}

/* Runs the pair in n shards, merges them, and compares the result with `one`. Returns what differs,
 * or NULL. */
static const char *shards(struct pair *p, const struct outcome *one, uint32_t n, struct totals *t)
{
	char name[MOST_SHARDS][64];
	const char *names[MOST_SHARDS], *turned[MOST_SHARDS], *what;
	bool made;

	for (uint32_t i = 0; i < n; i++) {
		snprintf(name[i], sizeof name[i], "%s/%u", t->dir, i);
		names[i] = name[i];
		turned[(i + 1) % n] = name[i]; /* the merge gets the files in another order */
	}
	what = trial_shards(&p->t, one, names, n, &made);
	if (!made)
		return what;
	if (!p->damaged && !change_is_noticed(p, name, n))
		return "a trace that is changed in place";
	for (int k = 0; k < 3 && what == NULL; k++) {
		struct outcome many = { .status = NFART_OK };
		if (k != 0 && !forge(p, name[gen_below(&p->g, n)], k == 2))
			break;
		trial_run(&p->t, &(struct trial_way){ .names = turned, .n = n }, &many);
		if (k == 0)
			what = outcome_compare(one, &many);
		else if (k == 1 && many.status != NFART_INPUT && many.status != NFART_USAGE &&
			 p->t.image->stream.limit == 0)
			what = "a damaged shard";
		t->sharded += k == 0;
		t->forged += k != 0;
		if (what != NULL)
			printf("# %u shards: status %d, %d: %s\n", n, one->status, many.status,
			       many.error.what);
		outcome_free(&many);
	}
	return what;
}

/* ---- the test of one pair ---- */

static bool threads_pair(uint64_t seed, const struct nfart_proto *const *protos, bool verbose,
			 struct totals *t)
{
	static const struct trial_way ways[] = { { .jobs = 2 }, { .jobs = 3 }, { .jobs = 5 },
		{ .jobs = 8 }, { .jobs = 1, .pipe = true }, { .jobs = 3, .pipe = true } };
	struct pair *p = calloc(1, sizeof *p);
	struct outcome one = { .status = NFART_OK };
	const char *what = NULL;

	p->seed = seed;
	threads_make(p, protos);
	if (p->t.image == NULL) {
		what = "the filter does not compile";
	} else {
		trial_run(&p->t, &(struct trial_way){ .jobs = 1 }, &one);
		t->accepted += one.run.result.accepted_any;
		t->full += p->t.image->stream.limit != 0 &&
			   one.run.result.output >= p->t.image->stream.limit;
		t->swapped += one.run.result.swapped;
	}
	for (size_t i = 0; i < sizeof ways / sizeof ways[0] && what == NULL; i++) {
		struct outcome many = { .status = NFART_OK };
		trial_run(&p->t, &ways[i], &many);
		what = outcome_compare(&one, &many);
		if (what != NULL || verbose)
			printf("# seed %" PRIu64 ", %u threads%s, pieces of %zu bytes, %s of %zu "
			       "bytes%s: %s\n",
			       seed, ways[i].jobs, ways[i].pipe ? ", a pipe" : "", p->t.piece,
			       nfart_format_name(p->t.reader.format),
			       p->t.trace.n, p->damaged ? ", damaged" : "",
			       what != NULL ? what : "the same");
		if (what != NULL)
			printf("# status %d, %d; %.200s; %.200s; batches %" PRIu64 ", %" PRIu64
			       "; logged %" PRIu64 ", %" PRIu64 "\n",
			       one.status, many.status, one.error.what, many.error.what,
			       one.stats.batches, many.stats.batches, one.run.result.logged,
			       many.run.result.logged);
		t->parallel += many.parallel;
		t->timed += many.parallel && p->t.image->alphabet.time != IMAGE_NO_TIME;
		outcome_free(&many);
	}
	/* Shards of images with a time slot are empty. */
	for (uint32_t n = 1; n <= MOST_SHARDS && what == NULL && p->t.image != NULL &&
			     p->t.second == NULL && p->t.image->alphabet.time == IMAGE_NO_TIME;
	     n += n == 3 ? 2 : 1) {
		what = shards(p, &one, n, t);
		if (what != NULL)
			printf("# seed %" PRIu64 ", %u shards: %s\n", seed, n, what);
	}
	t->pairs++;
	t->damaged += p->damaged;
	t->by_line +=
		p->t.image != NULL && (p->t.image->substreams.by_line || p->t.engine.has_substream);
	t->ranges +=
		p->t.reader.format == NFART_FORMAT_COMPACT ||
		p->t.reader.format == NFART_FORMAT_DENSE;
	if (p->t.image != NULL)
		outcome_free(&one);
	nfart_image_free(p->t.image);
	nfart_image_free(p->t.second);
	buf_free(&p->t.trace);
	free(p);
	return what == NULL;
}

/* ---- the fixed trace with empty rows ---- */

/* The number of batches in the trace. It is so large that the filter comes to use its fastest way,
 * which it does only after many batches without a missing entry in its DFA cache. */
enum { LONG = 20000 };

/* Writes a long dense trace with messages of two types. */
static void write_long(struct pair *p)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_DENSE };
	int slot = nfart_proto_slot(p->t.proto, "cpu@6");
	struct nfart_error e;
	char *at = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&at, &n);
	struct nfart_writer *w = nfart_writer_new(f, p->t.proto, &o, &e);

	for (uint64_t i = 0; i < LONG && w != NULL && slot >= 0; i++) {
		struct nfart_batch b = { .time = i + 1, .mask = (uint64_t)1 << slot };
		nfart_proto_header(p->t.proto, (uint32_t)slot,
				   i % 4 == 0 ? "MREQ_RLDI" : "MREQ_RLDD",
				   0, &b.header[slot]);
		nfart_writer_put(w, &b, NULL);
	}
	nfart_writer_close(w, &e);
	fclose(f);
	buf_add(&p->t.trace, at, n);
	free(at);
}

/* Checks that a row without messages is no batch, even if the batch before it was accepted and the
 * filter has few states (runtime/engine/fast/dfa_shuffle.c). */
static const char *empty_rows(const struct nfart_proto *eci)
{
	static const char text[] = "protocol eci; filter f = true* Any(cpu.MREQ_RLDD);";
	struct pair *p = calloc(1, sizeof *p);
	const char *what = "no image";
	struct outcome one, two;

	if (p == NULL)
		return "out of memory";
	p->t.proto = eci;
	p->t.reader.format = NFART_FORMAT_DENSE;
	p->t.to = NFART_FORMAT_TEXT;
	p->t.piece = 1 << 18;
	p->t.image = trial_compile(text, sizeof text - 1);
	if (p->t.image != NULL) {
		write_long(p);
		chunks_empty_rows(eci, &p->t.trace);
		trial_run(&p->t, &(struct trial_way){ .jobs = 1 }, &one);
		trial_run(&p->t, &(struct trial_way){ .jobs = 2 }, &two);
		what = outcome_compare(&one, &two);
		if (what == NULL && (one.run.result.accepted_any == 0 || !two.parallel))
			what = "nothing was compared";
		outcome_free(&one);
		outcome_free(&two);
	}
	nfart_image_free(p->t.image);
	buf_free(&p->t.trace);
	free(p);
	return what;
}

/* ---- the long trace of several lines ---- */

enum { LINES = 64, LINE_BYTES = 128 };

/* Writes a long compact trace: runs of batches of one message, and of two, on random lines. With
 * `labels` its records have room for labels. Returns how many batches have, on some line, MREQ_RLDI
 * after a batch with MREQ_RLDD. */
static uint64_t write_lines(struct pair *p, int first, int second, bool labels)
{
	static const char *const label[] = { "f" };
	struct nfart_writer_options o = { .format = NFART_FORMAT_COMPACT,
					  .labels = labels ? label : NULL,
					  .nlabels = labels };
	bool before[LINES] = { false };
	struct nfart_error e;
	char *at = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&at, &n);
	struct nfart_writer *w = nfart_writer_new(f, p->t.proto, &o, &e);
	uint64_t accepted = 0;
	bool both = false;

	for (uint64_t i = 0; i < LONG && w != NULL; i++) {
		struct nfart_batch b = { .time = i + 1 };
		bool now[LINES][2] = { { false } }, hit = false;
		both ^= gen_chance(&p->g, 3);
		for (int k = 0; k < 1 + both; k++) {
			uint32_t line = gen_below(&p->g, gen_chance(&p->g, 30) ? 2 : LINES + 6);
			int slot = k == 0 ? first : second;
			bool other = gen_chance(&p->g, 30);
			b.mask |= (uint64_t)1 << slot;
			nfart_proto_header(p->t.proto, (uint32_t)slot,
					   other ? "MREQ_RLDI" : "MREQ_RLDD",
					   (uint64_t)line * LINE_BYTES, &b.header[slot]);
			if (line >= LINES) /* is not observed */
				continue;
			hit |= other && before[line];
			now[line][0] = true;
			now[line][1] |= !other;
		}
		for (int k = 0; k < LINES; k++)
			before[k] = now[k][0] ? now[k][1] : before[k];
		accepted += hit;
		nfart_writer_put(w, &b, NULL);
	}
	nfart_writer_close(w, &e);
	fclose(f);
	buf_add(&p->t.trace, at, n);
	free(at);
	return accepted;
}

/* Runs a filter with a copy a line over the long trace, in one thread and in several. */
static const char *long_lines(const struct nfart_proto *eci, uint64_t seed, bool labels)
{
	static const char text[] =
		"protocol eci; substream cl from 0 count 64;"
		"filter f = true* Any(cpu.MREQ_RLDD) Any(cpu.MREQ_RLDI);";
	int first = nfart_proto_slot(eci, "cpu@6"), second = nfart_proto_slot(eci, "cpu@7");
	struct pair *p = calloc(1, sizeof *p);
	const char *what = "no image, or no slots";
	struct outcome one, many;
	uint64_t accepted;

	if (p == NULL)
		return "out of memory";
	gen_init(&p->g, seed, &(struct gen_options){ .proto = eci });
	p->t.proto = eci;
	p->t.reader.format = NFART_FORMAT_COMPACT;
	p->t.to = NFART_FORMAT_TEXT;
	p->t.engine.lines = true;
	p->t.piece = 1 << 17;
	p->t.image = trial_compile(text, sizeof text - 1);
	if (p->t.image != NULL && first >= 0 && second > first) {
		accepted = write_lines(p, first, second, labels);
		trial_run(&p->t, &(struct trial_way){ .jobs = 1 }, &one);
		what = accepted != one.run.result.accepted_any ? "what one thread accepts" : NULL;
		for (unsigned jobs = 2; jobs <= 3 && what == NULL; jobs++) {
			trial_run(&p->t, &(struct trial_way){ .jobs = jobs }, &many);
			what = outcome_compare(&one, &many);
			if (what == NULL && (accepted < LONG / 20 || !many.parallel))
				what = "nothing was compared";
			outcome_free(&many);
		}
		outcome_free(&one);
	}
	nfart_image_free(p->t.image);
	buf_free(&p->t.trace);
	free(p);
	return what;
}

/* Prints the result of a test: NULL, or what is wrong. */
static bool tell(const char *what, const char *name, uint64_t test)
{
	printf("%s %" PRIu64 " - %s\n", what == NULL ? "ok" : "not ok", test, name);
	if (what != NULL)
		printf("# %s: %s\n", name, what);
	return what == NULL;
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_THREAD_PAIRS", 500), seed = setting("NFACC_SEED", 1), bad = 0,
		 test = 0;
	bool fixed;
	struct nfart_proto *own[] = { proto_builtin("eci"), proto_builtin("eci-coherence"),
				      proto_builtin("bytes") };
	const struct nfart_proto *protos[] = { own[0], own[1], own[2] };
	struct totals t = { .dir = "/tmp/nfacc-shards.XXXXXX" };
	bool verbose = false;

	if (!setting_arguments(argc, argv, &n, &seed, &verbose))
		return NFART_USAGE;
	if (mkdtemp(t.dir) == NULL)
		return NFART_SYSTEM;
	fixed = tell(empty_rows(protos[0]), "empty rows", ++test);
	fixed &= tell(long_lines(protos[0], seed, false), "a long trace of several lines", ++test);
	fixed &= tell(long_lines(protos[0], seed, true), "such a trace with labels", ++test);
	for (uint64_t i = 0; i < n && bad <= 20; i++) {
		bad += !threads_pair(seed + i, protos, verbose, &t);
		if (i % BLOCK == BLOCK - 1 || i + 1 == n || bad > 20)
			printf("%s %" PRIu64 " - pairs up to seed %" PRIu64 "\n",
			       bad == 0 ? "ok" : "not ok", ++test, seed + i);
	}
	printf("# %" PRIu64 " pairs from seed %" PRIu64 ": %" PRIu64 " in chunks, %" PRIu64
	       " damaged, %" PRIu64 " by line, %" PRIu64 " swapped, %" PRIu64
	       " up to a limit; %" PRIu64 " batches accepted; %" PRIu64
	       " runs in threads, %" PRIu64 " with ticks, %" PRIu64 " in shards, %" PRIu64 " in changed ones; %" PRIu64
	       " differ\n",
	       t.pairs, seed, t.ranges, t.damaged, t.by_line, t.swapped, t.full, t.accepted,
	       t.parallel, t.timed, t.sharded, t.forged, bad);
	/* Most filters here can accept a tick alone, and are not run in threads; labelled.c has
	 * those in pieces, too. */
	if (n >= 5 * BLOCK)
		fixed &= tell(t.timed != 0 ? NULL : "too few", "runs with ticks", ++test);
	printf("1..%" PRIu64 "\n", test);
	for (int i = 0; i < MOST_SHARDS; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s/%d", t.dir, i);
		unlink(name);
	}
	rmdir(t.dir);
	for (int i = 0; i < 3; i++)
		proto_free(own[i]);
	return bad != 0 || !fixed;
}
