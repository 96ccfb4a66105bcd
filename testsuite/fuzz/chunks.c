/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes runs over damaged traces in chunks. The bytes choose a filter, options and batches. Then
 * they damage the trace chunk by chunk, with repaired checksums (damage.h). The same damaged trace
 * must give the same output and the same statistics in one thread and in three, from memory and
 * from a pipe, with all instructions of the processor, and in shards that are merged.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "runtime/trace/writer.h"
#include "testsuite/fuzz/bytes.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/fuzz.h"
#include "testsuite/property/trial.h"

enum { MOST_BATCHES = 300, MOST_SHARDS = 3 };

static const char *const filters[] = {
	"filter f = true* Any(cpu.MREQ_RLDD);",
	"window 3; log = all; filter f = true* Any(R12, R13) None(RA2, RA3)* Any(R12, R13);",
	"substream cl from 0 count 4; window 2; log = true* Any(R12);"
	"filter f = true* Any(R12, R13) None(RA2)* Any(RA3); filter g = true* Any(RA2);",
	"limit 7; window 5; log = true* None(R12); filter f = true* Any(R12) true{3};",
	"counter c = true* Any(R12) reset true* Any(RA2) at 3 roll;"
	"filter f = @c | true* Any(RA3) Any(RA3);",
	"substream cl from 0x80 count 12; counter c = true* Any(R12) at 2 latch;"
	"filter f = @c true* Any(RA3);",
	"filter f = true* Any(R12) true{20} Any(R13); filter g = true* Any(RA2) true{17} Any(RA3);",
	"filter once = Any(R12) true{5,30} Any(RA3)*;",
};
enum { FILTERS = sizeof filters / sizeof filters[0] };

static struct nfart_image *filter_image(uint32_t i)
{
	static struct nfart_image *made[FILTERS];
	struct buf text = { 0 };

	i %= FILTERS;
	if (made[i] == NULL) {
		buf_addf(&text, "protocol eci; %s", filters[i]);
		made[i] = trial_compile(text.at, text.n);
		fuzz_expect(made[i] != NULL);
		buf_free(&text);
	}
	return made[i];
}

/* ---- the trace ---- */

/* Puts a message of one of eight types into the batch, for one of eight lines. */
static void add_message(const struct nfart_proto *p, struct nfart_batch *b, uint8_t what)
{
	static const struct {
		const char *slot, *type;
	} types[8] = {
		{ "cpu@6", "MREQ_RLDD" },  { "cpu@7", "MREQ_RLDD" },  { "cpu@6", "MREQ_RLDI" },
		{ "cpu@6", "MREQ_RLDX" },  { "fpga@10", "MRSP_PEMD" }, { "fpga@5", "MRSP_PSHA" },
		{ "cpu@4", "MRSP_VICD" },  { "fpga@4", "MRSP_PEMD" },
	};
	int slot = nfart_proto_slot(p, types[what % 8].slot);
	uint64_t header;

	fuzz_expect(slot >= 0 && nfart_proto_header(p, (uint32_t)slot, types[what % 8].type,
						    (uint64_t)(what / 8 % 8) << 7, &header));
	b->mask |= (uint64_t)1 << slot;
	b->header[slot] = header;
}

/* Makes the next record. Its time is that of the record before or later, and right. */
static void next_record(struct bytes *in, const struct nfart_proto *p, struct nfart_batch *b)
{
	uint8_t step = bytes_next(in);

	b->mask = 0;
	b->lost = step / 32;
	b->time += 1 + step % 4;
	if (step % 32 == 31)
		return; /* a loss record */
	add_message(p, b, bytes_next(in));
	if ((step & 4) != 0)
		add_message(p, b, bytes_next(in));
	if ((step & 8) != 0)
		add_message(p, b, bytes_next(in));
}

static void write_trace(struct bytes *in, struct trial *t, bool dense)
{
	struct nfart_writer_options o = { .format = dense ? NFART_FORMAT_DENSE :
							    NFART_FORMAT_COMPACT };
	uint32_t n = bytes_next16(in) % MOST_BATCHES, chunk = bytes_next(in);
	struct nfart_batch b = { .time = 0 };
	struct nfart_error e;
	char *at = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&at, &size);
	struct nfart_writer *w = f != NULL ? nfart_writer_new(f, t->proto, &o, &e) : NULL;

	fuzz_expect(w != NULL);
	w->chunk = 1 + chunk * 8;
	for (uint32_t i = 0; i < n; i++) {
		next_record(in, t->proto, &b);
		fuzz_expect(nfart_writer_put(w, &b, NULL));
	}
	fuzz_expect(nfart_writer_close(w, &e) == NFART_OK);
	fclose(f);
	buf_add(&t->trace, at, size);
	free(at);
	t->reader.format = o.format;
}

static void chunks_make(struct bytes *in, struct trial *t)
{
	static const enum nfart_format forms[] = { NFART_FORMAT_TEXT, NFART_FORMAT_COMPACT,
						   NFART_FORMAT_JSON };
	uint8_t filter = bytes_next(in), how = bytes_next(in), piece = bytes_next(in);

	t->proto = fuzz_proto("eci");
	t->image = filter_image(filter);
	if ((how & 1) != 0) {
		t->second = filter_image(filter / FILTERS);
		t->swap_at = 1 + bytes_next(in);
	}
	t->reader.strict = (how & 2) != 0;
	t->engine.reset_on_loss = (how & 4) != 0;
	t->engine.lines = (how & 8) != 0;
	t->count_lines = t->engine.lines && (how & 16) != 0;
	t->engine.has_substream = (how & 32) != 0;
	t->engine.count = 5;
	t->to = forms[piece % 3];
	t->piece = 1 + (size_t)piece * 4;
	write_trace(in, t, (how & 64) != 0);
	fuzz_damage(in, &t->trace);
	fuzz_expect(!t->trace.failed);
}

/* ---- the runs ---- */

static void chunks_run(const struct trial *t, const struct trial_way *way,
		       const struct outcome *one)
{
	struct outcome o = { .status = NFART_OK };
	const char *what;

	trial_run(t, way, &o);
	what = outcome_compare(one, &o);
	if (what != NULL)
		fprintf(stderr,
			"expected the same in %u threads, %s, %s, %u shards: %s differ; %d %s, "
			"%d %s\n",
			way->jobs, way->pipe ? "pipe" : "memory", nfart_simd_name(way->simd),
			way->n, what, one->status, one->error.what, o.status, o.error.what);
	fuzz_expect(what == NULL);
	outcome_free(&o);
}

/* The names of files for shards, which are in memory. */
static const char *const *shard_names(void)
{
	static const char *names[MOST_SHARDS];
	static char name[MOST_SHARDS][32];

	for (uint32_t i = 0; i < MOST_SHARDS && names[i] == NULL; i++) {
		int fd = memfd_create("shard", MFD_CLOEXEC);
		fuzz_expect(fd >= 0);
		snprintf(name[i], sizeof name[i], "/proc/self/fd/%d", fd);
		names[i] = name[i];
	}
	return names;
}

static void run_shards(const struct trial *t, uint32_t n, const struct outcome *one)
{
	struct trial_way merge = { .names = shard_names(), .n = n };
	bool made;

	fuzz_expect(trial_shards(t, one, merge.names, n, &made) == NULL);
	if (made)
		chunks_run(t, &merge, one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct bytes in = { data, n };
	struct trial t = { .piece = 0 };
	struct outcome one = { .status = NFART_OK };

	chunks_make(&in, &t);
	trial_run(&t, &(struct trial_way){ .jobs = 1 }, &one);
	chunks_run(&t, &(struct trial_way){ .jobs = 3 }, &one);
	for (unsigned jobs = 1; jobs <= 3; jobs += 2)
		chunks_run(&t, &(struct trial_way){ .jobs = jobs, .pipe = true }, &one);
	for (enum nfart_simd s = NFART_SIMD_PORTABLE; s < nfart_simd_best(); s++)
		for (unsigned jobs = 1; jobs <= 3; jobs += 2)
			chunks_run(&t, &(struct trial_way){ .jobs = jobs, .simd = s }, &one);
	for (uint32_t i = 1; i <= MOST_SHARDS && t.second == NULL; i++)
		run_shards(&t, i, &one);
	outcome_free(&one);
	buf_free(&t.trace);
	return 0;
}
