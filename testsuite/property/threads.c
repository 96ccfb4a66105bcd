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
 * in small chunks and often damaged, also at the borders of chunks. The pair runs in one thread,
 * then in 2, 3, 5 and 8 on small pieces, then, where that is possible, in 1, 2, 3 and 5 shards.
 * Files of shards are also damaged, which must be noticed, and forged, which must do no harm. The
 * trace is also changed in place, and then the shards that were made from the changed part must
 * count as not done.
 *
 * The file is long because runs in threads and in shards use the same pairs and the same
 * comparison. One trace is fixed: a long dense one with empty rows.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/pipeline.h"
#include "contract/crc.h"
#include "grammar/describe/builtin.h"
#include "runtime/run/shard.h"
#include "runtime/trace/border.h"
#include "runtime/trace/writer.h"
#include "testsuite/property/chunks.h"
#include "testsuite/property/gen.h"
#include "testsuite/property/gen_draw.h"
#include "testsuite/setting.h"

enum { MOST_BATCHES = 1000, BLOCK = 250 };

struct pair {
	uint64_t seed;
	struct gen g; /* random numbers for all choices of the test */
	const struct nfart_proto *proto;
	struct nfart_image *image, *second;
	struct nfart_batch stream[MOST_BATCHES];
	size_t n;
	struct buf trace;
	struct nfart_reader_options reader;
	struct nfart_engine_options engine;
	enum nfart_format to;
	uint64_t swap_at;
	bool count_lines, damaged;
	size_t piece;
};

struct outcome {
	char *out;
	size_t n;
	enum nfart_status status, closed;
	struct nfart_error error;
	struct run run;
	struct nfart_reader_stats stats;
	const char **labels;
	bool parallel;
};

struct totals {
	char dir[32]; /* folder for the files of shards */
	uint64_t sharded, forged;
	uint64_t pairs, ranges, by_line, swapped, full, damaged, parallel, accepted;
};

static volatile sig_atomic_t stop;

/* Runs the pair in `jobs` threads, or merges n shards if `names` has the names of their files. The
 * result is in *o. */
static void run(const struct pair *p, unsigned jobs, const char *const *names, uint32_t n,
		struct outcome *o)
{
	struct nfart_writer_options w = { .format = p->to, .with_labels = true };
	struct run *r = &o->run;
	struct nfart_error e;
	FILE *f = open_memstream(&o->out, &o->n);

	memset(r, 0, sizeof *r);
	r->image = p->image;
	r->second = p->second;
	r->swap_at = p->swap_at;
	r->engine = p->engine;
	r->count_lines = p->count_lines;
	r->stop = &stop;
	r->jobs = jobs;
	r->piece_bytes = p->piece;
	o->labels = run_labels(p->image, p->second, &r->nlabels);
	r->labels = o->labels;
	w.labels = o->labels;
	w.nlabels = r->nlabels;
	o->status = NFART_SYSTEM;
	r->reader = nfart_reader_memory(p->trace.at, p->trace.n, "trace", p->proto, &p->reader,
					&o->error);
	r->writer = nfart_writer_new(f, p->proto, &w, &e);
	if (r->reader == NULL)
		o->status = o->error.status;
	else if (r->writer != NULL)
		o->status = names != NULL ? shard_merge(r, names, n, &o->error) :
					    run_all(r, &o->error);
	o->closed = nfart_writer_close(r->writer, &e);
	fclose(f);
	if (r->reader != NULL && o->status != NFART_SYSTEM)
		o->stats = *run_stats(r);
	o->stats.bytes = 0;
	o->parallel = r->parallel != NULL;
}

static void outcome_free(struct outcome *o)
{
	run_free(&o->run);
	nfart_reader_free(o->run.reader);
	free(o->labels);
	free(o->out);
}

static bool same_lines(const struct run *a, const struct run *b)
{
	if (a->nlines != b->nlines)
		return false;
	for (size_t i = 0; i < a->nlines; i++)
		if (a->lines[i].label != b->lines[i].label || a->lines[i].n != b->lines[i].n ||
		    a->lines[i].address != b->lines[i].address)
			return false;
	return true;
}

/* Returns what differs between two runs, or NULL if nothing does. */
static const char *compare(const struct outcome *a, const struct outcome *b)
{
	if (a->status != b->status || a->closed != b->closed)
		return "status";
	if (a->n != b->n || memcmp(a->out, b->out, a->n) != 0)
		return "output";
	if (a->status != NFART_OK && a->status != NFART_PARTIAL &&
	    (strcmp(a->error.what, b->error.what) != 0 || a->error.line != b->error.line))
		return "error";
	if (a->status != NFART_OK && a->status != NFART_PARTIAL)
		return NULL;
	if (a->run.accepted_any != b->run.accepted_any || a->run.logged != b->run.logged ||
	    a->run.output != b->run.output || a->run.after_loss != b->run.after_loss ||
	    a->run.swapped != b->run.swapped || a->run.interrupted != b->run.interrupted)
		return "counters";
	if (a->run.accepted != NULL &&
	    memcmp(a->run.accepted, b->run.accepted, a->run.nlabels * 8) != 0)
		return "counts of labels";
	if (!same_lines(&a->run, &b->run))
		return "lines";
	if (a->stats.batches != b->stats.batches || a->stats.messages != b->stats.messages ||
	    a->stats.losses != b->stats.losses || a->stats.lost != b->stats.lost ||
	    a->stats.lost_unknown != b->stats.lost_unknown ||
	    a->stats.damaged != b->stats.damaged || a->stats.bad_chunks != b->stats.bad_chunks)
		return "statistics";
	return NULL;
}

/* ---- making a pair ---- */

static struct nfart_image *compile(const char *text, size_t n)
{
	struct pipeline_options options;
	struct nfart_image *im = NULL;
	struct nfart_error e;
	struct pipeline made;

	pipeline_options_init(&options);
	options.overlay.o.none = true;
	strcpy(options.overlay.name, "none");
	if (pipeline_run(&made, &options,
			 &(struct pipeline_file){ "filter.re", text, n, false }, 1) == NFART_OK)
		im = nfart_image_load(made.job.image.at, made.job.image.n, "image", &e);
	pipeline_free(&made);
	return im;
}

static struct nfart_image *make_image(const struct pair *p, uint64_t seed)
{
	struct gen_options o = { .proto = p->proto, .counters = seed % 3 != 0, .positions = 60 };
	struct nfart_image *im;
	struct buf text = { 0 };

	gen_filter(seed, &o, &text);
	im = compile(text.at, text.n);
	buf_free(&text);
	return im;
}

/* Writes the stream to p->trace, as a trace in small chunks. */
static void write_trace(struct pair *p, enum nfart_format format)
{
	struct nfart_writer_options o = { .format = format };
	struct nfart_error e;
	char *at = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&at, &n);
	struct nfart_writer *w = nfart_writer_new(f, p->proto, &o, &e);

	if (w != NULL) /* sometimes every record is a chunk of its own */
		w->chunk = gen_chance(&p->g, 40) ? 1 : 64 + gen_below(&p->g, 1000);
	for (size_t i = 0; i < p->n && w != NULL; i++)
		nfart_writer_put(w, &p->stream[i], NULL);
	nfart_writer_close(w, &e);
	fclose(f);
	buf_add(&p->trace, at, n);
	free(at);
}

/* Changes, moves and cuts off bytes after the file header. */
static void damage(struct pair *p)
{
	struct buf *b = &p->trace;
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

static void make(struct pair *p, const struct nfart_proto *const *protos)
{
	static const enum nfart_format in[] = { NFART_FORMAT_COMPACT, NFART_FORMAT_COMPACT,
		NFART_FORMAT_DENSE, NFART_FORMAT_DENSE, NFART_FORMAT_RECORDS, NFART_FORMAT_TEXT };
	static const enum nfart_format out[] = { NFART_FORMAT_TEXT, NFART_FORMAT_COMPACT,
						 NFART_FORMAT_JSON };
	struct gen_options o = { .max_batches = MOST_BATCHES };
	enum nfart_format format;
	bool few;

	p->proto = o.proto = protos[p->seed % 3];
	gen_init(&p->g, p->seed * 31, &o);
	p->image = make_image(p, p->seed);
	if (p->image != NULL && gen_chance(&p->g, 25)) {
		p->second = make_image(p, p->seed + 1000003);
		p->swap_at = 1 + gen_below(&p->g, gen_chance(&p->g, 20) ? 3 : 1200);
	}
	p->reader.strict = gen_chance(&p->g, 12);
	/* With few records, the only error in the trace is often at a border between two shards,
	 * where no single shard sees it. */
	few = p->reader.strict && gen_chance(&p->g, 60);
	if (few)
		o.max_batches = 12;
	p->n = gen_stream(p->seed, &o, p->stream, MOST_BATCHES);
	if (few || gen_chance(&p->g, 30))
		chunks_tie_times(&p->g, p->stream, p->n);
	format = in[gen_below(&p->g, 6)];
	if (format == NFART_FORMAT_DENSE && p->proto->idle == PROTO_NO_IDLE)
		format = NFART_FORMAT_COMPACT;
	write_trace(p, format);
	p->reader.format = format;
	p->damaged = gen_chance(&p->g, 40);
	if (p->damaged && gen_chance(&p->g, 50))
		chunks_damage(&p->g, &p->trace);
	else if (p->damaged)
		damage(p);
	p->engine.lines = gen_chance(&p->g, 60);
	p->engine.reset_on_loss = gen_chance(&p->g, 30);
	if (gen_chance(&p->g, 20)) {
		p->engine.has_substream = true;
		p->engine.base = gen_chance(&p->g, 50) ? 0 : (uint64_t)p->g.line << 7;
		p->engine.count =
			gen_chance(&p->g, 50) ? (uint64_t)1 << 33 : 1 + gen_below(&p->g, 5);
	}
	p->count_lines = p->engine.lines && gen_chance(&p->g, 50);
	p->to = out[gen_below(&p->g, 3)];
	p->piece = 1 + gen_below(&p->g, gen_chance(&p->g, 50) ? 8000 : 900);
}

/* ---- runs in shards ---- */

enum { MOST_SHARDS = 5 };

/* Does shard i of n count as done? This looks at the shard's file and the trace, and does not run
 * the shard. */
static bool is_done(const struct pair *p, uint32_t i, uint32_t n, const char *name)
{
	struct run r = {
		.image = p->image, .engine = p->engine, .stop = &stop, .piece_bytes = p->piece
	};
	struct nfart_error e;
	bool done;

	r.reader = nfart_reader_memory(p->trace.at, p->trace.n, "trace", p->proto, &p->reader, &e);
	done = r.reader != NULL && shard_done(&r, name, i, n);
	nfart_reader_free(r.reader);
	return done;
}

static enum nfart_status make_shard(const struct pair *p, uint32_t i, uint32_t n, const char *name)
{
	struct run r = {
		.image = p->image, .engine = p->engine, .stop = &stop, .piece_bytes = p->piece
	};
	enum nfart_status status = NFART_SYSTEM;
	struct nfart_error e = { .status = NFART_SYSTEM };
	FILE *f = fopen(name, "wb");

	r.reader = nfart_reader_memory(p->trace.at, p->trace.n, "trace", p->proto, &p->reader, &e);
	if (f != NULL && r.reader != NULL)
		status = shard_run(&r, i, n, f, &e);
	else
		status = e.status;
	if (f != NULL)
		fclose(f);
	nfart_reader_free(r.reader);
	if (status == NFART_OK && !is_done(p, i, n, name))
		status = NFART_INTERNAL;
	return status;
}

/* Changes the trace in place, and checks which shards still count as done. With substreams, no
 * shard may. Otherwise all shards must, except the one that was made from the changed part. */
static bool change_is_noticed(struct pair *p, char (*name)[64], uint32_t n)
{
	bool by_line = p->image->by_line || p->engine.has_substream, any;
	struct buf whole = { 0 };
	uint32_t left = 0;

	buf_add(&whole, p->trace.at, p->trace.n);
	any = chunks_change(&p->g, &p->trace) != 0;
	for (uint32_t i = 0; i < n; i++)
		left += !is_done(p, i, n, name[i]);
	buf_free(&p->trace);
	p->trace = whole;
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
	const char *names[MOST_SHARDS], *what = NULL;
	enum nfart_status status = NFART_OK;

	for (uint32_t i = 0; i < n && status == NFART_OK; i++) {
		snprintf(name[i], sizeof name[i], "%s/%u", t->dir, i);
		names[(i + 1) % n] = name[i]; /* give the files to the merge in another order */
		status = make_shard(p, i, n, name[i]);
	}
	if (status == NFART_USAGE) /* the index of the trace is damaged */
		return NULL;
	/* A strict reader stopped at damage. The run in one thread must have stopped, too, unless
	 * its limit ended it before. */
	if (status == NFART_INPUT)
		return one->status == NFART_INPUT || p->image->limit != 0 ? NULL : "an error";
	if (status != NFART_OK)
		return "status of a shard";
	if (!p->damaged && !change_is_noticed(p, name, n))
		return "a trace that is changed in place";
	for (int k = 0; k < 3 && what == NULL; k++) {
		struct outcome many = { .status = NFART_OK };
		if (k != 0 && !forge(p, name[gen_below(&p->g, n)], k == 2))
			break;
		run(p, 1, names, n, &many);
		if (k == 0)
			what = compare(one, &many);
		else if (k == 1 && many.status != NFART_INPUT && many.status != NFART_USAGE &&
			 p->image->limit == 0)
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

static bool pair(uint64_t seed, const struct nfart_proto *const *protos, bool verbose,
		 struct totals *t)
{
	static const unsigned jobs[] = { 2, 3, 5, 8 };
	struct pair *p = calloc(1, sizeof *p);
	struct outcome one = { .status = NFART_OK };
	const char *what = NULL;

	p->seed = seed;
	make(p, protos);
	if (p->image == NULL) {
		what = "the filter does not compile";
	} else {
		run(p, 1, NULL, 0, &one);
		t->accepted += one.run.accepted_any;
		t->full += p->image->limit != 0 && one.run.output >= p->image->limit;
		t->swapped += one.run.swapped;
	}
	for (size_t i = 0; i < sizeof jobs / sizeof jobs[0] && what == NULL; i++) {
		struct outcome many = { .status = NFART_OK };
		run(p, jobs[i], NULL, 0, &many);
		what = compare(&one, &many);
		if (what != NULL || verbose)
			printf("# seed %" PRIu64 ", %u threads, pieces of %zu bytes, %s of %zu "
			       "bytes%s: %s\n",
			       seed, jobs[i], p->piece, nfart_format_name(p->reader.format),
			       p->trace.n, p->damaged ? ", damaged" : "",
			       what != NULL ? what : "the same");
		if (what != NULL)
			printf("# status %d, %d; %.200s; %.200s; batches %" PRIu64 ", %" PRIu64
			       "; logged %" PRIu64 ", %" PRIu64 "\n",
			       one.status, many.status, one.error.what, many.error.what,
			       one.stats.batches, many.stats.batches, one.run.logged,
			       many.run.logged);
		t->parallel += many.parallel;
		outcome_free(&many);
	}
	for (uint32_t n = 1; n <= MOST_SHARDS && what == NULL && p->image != NULL &&
			     p->second == NULL;
	     n += 1 + (n == 3)) {
		what = shards(p, &one, n, t);
		if (what != NULL)
			printf("# seed %" PRIu64 ", %u shards: %s\n", seed, n, what);
	}
	t->pairs++;
	t->damaged += p->damaged;
	t->by_line += p->image != NULL && (p->image->by_line || p->engine.has_substream);
	t->ranges +=
		p->reader.format == NFART_FORMAT_COMPACT || p->reader.format == NFART_FORMAT_DENSE;
	if (p->image != NULL)
		outcome_free(&one);
	nfart_image_free(p->image);
	nfart_image_free(p->second);
	buf_free(&p->trace);
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
	int slot = nfart_proto_slot(p->proto, "cpu@6");
	struct nfart_error e;
	char *at = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&at, &n);
	struct nfart_writer *w = nfart_writer_new(f, p->proto, &o, &e);

	for (uint64_t i = 0; i < LONG && w != NULL && slot >= 0; i++) {
		struct nfart_batch b = { .time = i + 1, .mask = (uint64_t)1 << slot };
		nfart_proto_header(p->proto, (uint32_t)slot, i % 4 == 0 ? "MREQ_RLDI" : "MREQ_RLDD",
				   0, &b.header[slot]);
		nfart_writer_put(w, &b, NULL);
	}
	nfart_writer_close(w, &e);
	fclose(f);
	buf_add(&p->trace, at, n);
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
	p->proto = eci;
	p->reader.format = NFART_FORMAT_DENSE;
	p->to = NFART_FORMAT_TEXT;
	p->piece = 1 << 18;
	p->image = compile(text, sizeof text - 1);
	if (p->image != NULL) {
		write_long(p);
		chunks_empty_rows(eci, &p->trace);
		run(p, 1, NULL, 0, &one);
		run(p, 2, NULL, 0, &two);
		what = compare(&one, &two);
		if (what == NULL && (one.run.accepted_any == 0 || !two.parallel))
			what = "nothing was compared";
		outcome_free(&one);
		outcome_free(&two);
	}
	nfart_image_free(p->image);
	buf_free(&p->trace);
	free(p);
	return what;
}

int main(int argc, char **argv)
{
	uint64_t n = setting("NFACC_THREAD_PAIRS", 1000), seed = setting("NFACC_SEED", 1), bad = 0,
		 test = 0;
	const char *what;
	struct nfart_proto *own[] = { proto_builtin("eci"), proto_builtin("eci-coherence"),
				      proto_builtin("bytes") };
	const struct nfart_proto *protos[] = { own[0], own[1], own[2] };
	struct totals t = { .dir = "/tmp/nfacc-shards.XXXXXX" };
	bool verbose = false;
	int c;

	while ((c = getopt(argc, argv, "n:s:v")) != -1) {
		if (c == 'n')
			n = strtoull(optarg, NULL, 10);
		else if (c == 's')
			seed = strtoull(optarg, NULL, 10);
		else if (c == 'v')
			verbose = true;
		else
			return NFART_USAGE;
	}
	if (mkdtemp(t.dir) == NULL)
		return NFART_SYSTEM;
	what = empty_rows(protos[0]);
	printf("%s %" PRIu64 " - empty rows\n", what == NULL ? "ok" : "not ok", ++test);
	if (what != NULL)
		printf("# empty rows: %s\n", what);
	for (uint64_t i = 0; i < n && bad <= 20; i++) {
		bad += !pair(seed + i, protos, verbose, &t);
		if (i % BLOCK == BLOCK - 1 || i + 1 == n || bad > 20)
			printf("%s %" PRIu64 " - pairs up to seed %" PRIu64 "\n",
			       bad == 0 ? "ok" : "not ok", ++test, seed + i);
	}
	printf("# %" PRIu64 " pairs from seed %" PRIu64 ": %" PRIu64 " in chunks, %" PRIu64
	       " damaged, %" PRIu64 " by line, %" PRIu64 " swapped, %" PRIu64
	       " up to a limit; %" PRIu64 " batches accepted; %" PRIu64
	       " runs in threads, %" PRIu64 " in shards, %" PRIu64 " in changed ones; %" PRIu64
	       " differ\n",
	       t.pairs, seed, t.ranges, t.damaged, t.by_line, t.swapped, t.full, t.accepted,
	       t.parallel, t.sharded, t.forged, bad);
	printf("1..%" PRIu64 "\n", test);
	for (int i = 0; i < MOST_SHARDS; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s/%d", t.dir, i);
		unlink(name);
	}
	rmdir(t.dir);
	for (int i = 0; i < 3; i++)
		proto_free(own[i]);
	return bad != 0 || what != NULL;
}
