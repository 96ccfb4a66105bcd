/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/tool/run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "probes/virtual/model/logger.h"
#include "probes/virtual/program/entries.h"
#include "probes/virtual/program/symbol_protocol.h"
#include "probes/virtual/program/symbol_ranges.h"
#include "support/bits.h"

static void run_lackey(struct sys *s, const struct run *x)
{
	for (size_t i = 0; i < x->trace.accesses.n && !s->failed; i++) {
		const struct lackey_access *a = &x->trace.accesses.at[i];
		unsigned core;

		if (i == x->o->after)
			sys_trace(s);
		core = x->o->move == 0 ? 0 : (unsigned)(i / x->o->move % s->o.machine.cores);

		sys_access(s, core, (enum sys_access_kind)a->kind, a->va, a->bytes);
	}
}

struct sys *run_system(const struct run *x, const struct sys_options *o,
		       void (*sink)(void *ctx, const struct sys_snoop *s), void *ctx,
		       struct nfart_error *e)
{
	struct sys *s = sys_new(o);
	uint64_t before = x->o->after < x->o->accesses ? x->o->after : x->o->accesses;

	if (s == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	s->listener.sink = sink;
	s->listener.ctx = ctx;
	if (x->o->trace != NULL) {
		run_lackey(s, x);
	} else {
		sys_run(s, before);
		sys_trace(s);
		sys_run(s, x->o->accesses - before);
	}
	sys_finish(s);
	if (s->failed) {
		nfart_fail(e, NFART_GAVEUP,
			   "the program needs more memory than the model has, %u MiB",
			   o->machine.frames >> 8);
		sys_free(s);
		return NULL;
	}
	return s;
}

/* ---- counts ---- */

static void print_count(FILE *f, const char *name, uint64_t n)
{
	fprintf(f, "%-32s%12" PRIu64 "\n", name, n);
}

static void print_front(FILE *f, const struct virt_front *front)
{
	const uint64_t *c = front->regs.count;

	print_count(f, "lines cleaned and invalidated", c[VIRT_COUNT_CLEANS]);
	print_count(f, "TLB invalidations", c[VIRT_COUNT_TLBIS]);
	print_count(f, "instruction cache invalidations", c[VIRT_COUNT_ICACHES]);
	print_count(f, "invalidations that had no room", c[VIRT_COUNT_UNSENT]);
	print_count(f, "TLB invalidations heard", c[VIRT_COUNT_HEARD]);
	print_count(f, "evictions", c[VIRT_COUNT_EVICTIONS]);
	print_count(f, "set-ups", c[VIRT_COUNT_RESTARTS]);
}

static void print_reads(FILE *f, const struct virt_front *front)
{
	print_count(f, "reads of table lines", front->regs.count[VIRT_COUNT_WALKS]);
	print_count(f, "reads of other lines", front->regs.count[VIRT_COUNT_READS]);
}

static void print_truth(FILE *f, const struct sys *s)
{
	const struct sys_truth *t = &s->known.truth;
	const uint64_t *c = s->front->regs.count;

	print_count(f, "accesses", s->counts.accesses);
	print_count(f, "snoops", s->counts.snoops);
	print_reads(f, s->front);
	print_count(f, "annotated right", t->right);
	print_count(f, "annotated wrong", t->wrong);
	print_count(f, "annotated, of another process", t->foreign);
	print_count(f, "missed", t->missed);
	print_count(f, "counted as perhaps missed", c[VIRT_COUNT_PERHAPS]);
	print_count(f, "withheld, of shared frames", t->shared);
	if (s->o.tracing.npoints > 0) {
		print_count(f, "accesses to points", t->point_accesses);
		print_count(f, "prefetches of points", t->point_prefetches);
		print_count(f, "hits of points", t->point_hits);
	}
	print_front(f, s->front);
}

/* What is known of a front end on a recorded bus, which has no truth. */
static void print_bus(FILE *f, const struct virt_front *front)
{
	const uint64_t *c = front->regs.count;

	print_reads(f, front);
	print_count(f, "annotated", c[VIRT_COUNT_ANNOTATED]);
	print_count(f, "counted as perhaps missed", c[VIRT_COUNT_PERHAPS]);
	print_count(f, "withheld, of shared frames", c[VIRT_COUNT_SHARED]);
	print_count(f, "hits of points", c[VIRT_COUNT_OBSERVED]);
	print_front(f, front);
}

static void warn(const struct run *x, const struct virt_front *front)
{
	uint64_t status = virt_front_read(front, VIRT_STATUS_AT);

	if (VIRT_GET(STATUS, STORM, status) != 0)
		fprintf(stderr,
			"nfavirt: warning: the reverse TLB of %u entries is too small (--entries). "
			"%" PRIu64 " times, %d snoops led to %d evictions or more\n",
			x->o->sys.tracing.rtlb_entries, front->regs.count[VIRT_COUNT_STORMS],
			VIRT_STORM_SNOOPS, VIRT_STORM_EVICTIONS);
	if (VIRT_GET(STATUS, BLIND, status) != 0)
		fprintf(stderr,
			"nfavirt: warning: the range has more than %d table pages. Some reads are "
			"missed; --emit=counts says how many\n",
			VIRT_TABLES);
}

/* Runs the front end on a recorded bus. Prints counts if they are wanted. */
static enum nfart_status follow_bus(const struct run *x,
				    void (*sink)(void *ctx, const struct sys_snoop *s), void *ctx,
				    bool counts, struct nfart_error *e)
{
	struct virt_front *front = calloc(1, sizeof *front);
	enum nfart_status status = front == NULL ? nfart_fail(e, NFART_SYSTEM, "out of memory")
						 : run_bus(x, sink, ctx, front, e);

	if (status == NFART_OK) {
		if (counts)
			print_bus(x->f, front);
		warn(x, front);
	}
	free(front);
	return status;
}

enum nfart_status run_counts(struct run *x, struct nfart_error *e)
{
	struct sys *s;

	if (x->o->bus != BUS_NONE)
		return follow_bus(x, NULL, NULL, true, e);
	s = run_system(x, &x->o->sys, NULL, NULL, e);
	if (s == NULL)
		return e->status;
	print_truth(x->f, s);
	warn(x, s->front);
	sys_free(s);
	return NFART_OK;
}

/* ---- snoops ---- */

/* Runs the system, or follows a bus, and calls `sink` for each snoop. */
static enum nfart_status each_snoop(const struct run *x,
				    void (*sink)(void *ctx, const struct sys_snoop *s), void *ctx,
				    struct nfart_error *e)
{
	struct sys *s;

	if (x->o->bus != BUS_NONE)
		return follow_bus(x, sink, ctx, false, e);
	s = run_system(x, &x->o->sys, sink, ctx, e);
	if (s == NULL)
		return e->status;
	warn(x, s->front);
	sys_free(s);
	return NFART_OK;
}

static const char *const snoop_kinds[] = { "once", "shared", "clean", "unique" };
static const char *const causes[] = { "access", "prefetch", "walk", "kernel" };

/* Returns whether the annotation of a snoop is right, as a word. */
static const char *verdict_of(const struct sys_snoop *s)
{
	bool own = s->cause.process == 0 && s->cause.kind <= SYS_PREFETCH;

	if (s->annotated.shared)
		return "shared";
	if (!s->annotated.hit)
		return own ? "missed" : "-";
	return !own ? "foreign" : s->annotated.va == virt_align(s->cause.va, 6) ? "right" : "wrong";
}

static const char *name_of(const struct run *x, uint64_t va)
{
	ptrdiff_t i = elf_symbols_find(&x->images.all, va - x->base);

	return i < 0 ? "-" : x->images.all.names.at[i].name;
}

static void print_addresses(const struct run *x, const struct sys_snoop *s)
{
	fprintf(x->f, "%" PRIu64 " %s 0x%" PRIx64, s->snoop.time, snoop_kinds[s->snoop.kind],
		s->snoop.pa);
	if (s->annotated.hit || s->annotated.shared)
		fprintf(x->f, " 0x%" PRIx64, s->annotated.va);
	else
		fputs(" -", x->f);
}

/* Without the cause, which the bus does not tell. */
static void print_bus_snoop(void *ctx, const struct sys_snoop *s)
{
	const struct run *x = ctx;

	print_addresses(x, s);
	fprintf(x->f, "%s %s\n", s->annotated.observed ? " observed" : "",
		s->annotated.hit ? name_of(x, s->annotated.va + s->snoop.word) : "-");
}

static void print_snoop(void *ctx, const struct sys_snoop *s)
{
	const struct run *x = ctx;
	bool range = s->cause.va >= x->o->sys.tracing.start && s->cause.va < x->o->sys.tracing.end;

	print_addresses(x, s);
	fprintf(x->f, " %s%s %s", s->annotated.observed ? "observed " : "", causes[s->cause.kind],
		range || s->annotated.hit ? verdict_of(s) : "-");
	/* Names the word that was asked for. A prefetch asks for the whole line. */
	fprintf(x->f, " %s\n", s->annotated.hit ? name_of(x, s->cause.va) : "-");
}

enum nfart_status run_snoops(struct run *x, struct nfart_error *e)
{
	return each_snoop(x, x->o->bus != BUS_NONE ? print_bus_snoop : print_snoop, x, e);
}

/* ---- records ---- */

static void put_record(void *ctx, const struct sys_snoop *s)
{
	const struct run *x = ctx;
	struct virt_record r = virt_record_of(&s->snoop, &s->annotated);

	if (!s->annotated.hit && !s->annotated.shared)
		return;
	for (unsigned i = 0; i < 2 * sizeof r.word[0]; i++)
		putc((int)(r.word[i / 8] >> i % 8 * 8 & 255), x->f);
}

enum nfart_status run_records(struct run *x, struct nfart_error *e)
{
	return each_snoop(x, put_record, x, e);
}

/* ---- messages ---- */

/*
 * Appends the description of the protocol. A call of a function surely has a message if its entry
 * is observed, or if it begins with a line that is an observation point.
 */
static bool describe(const struct run *x, struct buf *text)
{
	uint64_t *observed = calloc(bits_words(x->images.all.names.n) + 1, sizeof *observed);
	bool ok = observed != NULL;

	for (size_t i = 0; i < x->images.all.names.n && ok; i++)
		if (entries_has(&x->images.all, i))
			bits_set(observed, i);
	for (unsigned i = 0; i < x->o->sys.tracing.npoints && ok; i++) {
		uint64_t line = virt_align(x->o->sys.tracing.point[i], VIRT_LINE_BITS) - x->base;
		ptrdiff_t at = elf_symbols_find(&x->images.all, line);

		if (at >= 0 && x->images.all.names.at[at].at == line)
			bits_set(observed, (size_t)at);
	}
	ok = ok && symbol_protocol(&x->images.all, x->slots, x->o->name, observed, text);
	free(observed);
	return ok;
}

enum nfart_status run_protocol(struct run *x, struct nfart_error *e)
{
	struct buf text = { 0 };
	enum nfart_status status = NFART_OK;

	warn_lines(x);
	if (!describe(x, &text))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	else
		fwrite(text.at, 1, text.n, x->f);
	buf_free(&text);
	return status;
}

enum nfart_status run_ranges(struct run *x, struct nfart_error *e)
{
	struct symbol_ranges r = { 0 };
	enum nfart_status status = NFART_OK;

	if (!symbol_ranges(&x->images.all, x->slots, x->base, &r))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	else if (r.ranges.n > x->o->ranges)
		status = nfart_fail(e, NFART_GAVEUP,
				    "%s%s has names for %zu ranges of lines, but there is room for "
				    "%u; raise it with --ranges, or make a file with fewer names "
				    "with `objcopy -S -K NAME`",
				    x->o->image[0].path, x->o->nimages > 1 ? " and the others" : "",
				    r.ranges.n, x->o->ranges);
	else
		symbol_ranges_write(&x->images.all, x->slots, &r, x->f);
	if (status == NFART_OK)
		warn_lines(x);
	vec_free(&r.ranges);
	return status;
}

struct messages {
	const struct run *x;
	struct nfart_writer *writer;
	uint64_t last; /* time of the last snoop with an address */
	bool any;
};

static void put_message(void *ctx, const struct sys_snoop *s)
{
	struct messages *m = ctx;
	struct nfart_batch b = { .time = s->snoop.time };
	struct symbol_read r = { .line = s->annotated.va,
				 .base = m->x->base,
				 .word = s->snoop.word,
				 .kind = s->snoop.kind,
				 .observed = s->annotated.observed };

	if (!s->annotated.hit)
		return;
	/* Times rise from snoop to snoop, as in hardware, whether a snoop has a message or not. */
	if (m->any && b.time <= m->last)
		b.time = m->last + 1;
	m->last = b.time;
	m->any = true;
	/* If two functions share a line, the snoop counts for the first of them. */
	if (symbol_message(&m->x->images.all, m->x->slots, &r, &b))
		nfart_writer_put(m->writer, &b, NULL);
}

/* Makes the protocol from the symbols. On failure returns NULL and sets *e. */
static struct nfart_proto *make_protocol(const struct run *x, struct nfart_error *e)
{
	struct buf text = { 0 };
	struct nfart_proto *p = NULL;

	if (!describe(x, &text))
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	else
		p = nfart_proto_parse(text.at, text.n, x->o->name, e);
	buf_free(&text);
	return p;
}

enum nfart_status run_trace(struct run *x, struct nfart_error *e)
{
	struct nfart_writer_options options = { .format = NFART_FORMAT_COMPACT };
	struct messages m = { .x = x };
	struct nfart_proto *p = make_protocol(x, e);
	enum nfart_status status;

	if (p == NULL)
		return e->status;
	warn_lines(x);
	m.writer = nfart_writer_new(x->f, p, &options, e);
	status = m.writer == NULL ? e->status : each_snoop(x, put_message, &m, e);
	if (status == NFART_OK)
		status = nfart_writer_close(m.writer, e);
	else
		nfart_writer_close(m.writer, NULL);
	nfart_proto_free(p);
	return status;
}

/* ---- overhead ---- */

static void print_share(FILE *f, uint64_t n, uint64_t accesses)
{
	fprintf(f, " %10.3f", accesses == 0 ? 0.0 : 1000.0 * (double)n / (double)accesses);
}

/* Runs one configuration and prints its row. `plain`: the numbers of misses without tracing. */
static enum nfart_status print_row(struct run *x, const char *name, const struct sys_options *o,
				   uint64_t plain[2], struct nfart_error *e)
{
	struct sys *s = run_system(x, o, NULL, NULL, e);
	static const uint64_t none[VIRT_COUNTERS];
	const uint64_t *c;

	if (s == NULL)
		return e->status;
	c = s->front != NULL ? s->front->regs.count : none;
	if (!o->tracing.front) {
		plain[0] = s->counts.misses[0];
		plain[1] = s->counts.misses[1];
	}
	fprintf(x->f, "%-28.28s", name);
	print_share(x->f, c[VIRT_COUNT_CLEANS] + c[VIRT_COUNT_ICACHES], s->counts.accesses);
	print_share(x->f, c[VIRT_COUNT_TLBIS], s->counts.accesses);
	for (int i = 0; i < 2; i++)
		print_share(x->f,
			    s->counts.misses[i] > plain[i] ? s->counts.misses[i] - plain[i] : 0,
			    s->counts.accesses);
	fprintf(x->f, " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "\n", s->known.truth.right,
		s->known.truth.wrong + s->known.truth.foreign, s->known.truth.missed);
	sys_free(s);
	return NFART_OK;
}

enum nfart_status run_overhead(struct run *x, struct nfart_error *e)
{
	struct sys_options o = x->o->sys;
	unsigned npoints = o.tracing.npoints;
	uint64_t plain[2] = { 0, 0 };
	enum nfart_status status;

	fprintf(x->f, "for each 1,000 accesses        cleaned       TLBI   extra L1   extra L2 "
		      "    right     wrong    missed\n");
	o.tracing.npoints = 0;
	o.tracing.front = false;
	status = print_row(x, "no tracing", &o, plain, e);
	o.tracing.front = true;
	o.tracing.published = true;
	if (status == NFART_OK)
		status = print_row(x, "tracing, as published", &o, plain, e);
	o.tracing.published = false;
	if (status == NFART_OK)
		status = print_row(x, "tracing", &o, plain, e);
	for (unsigned i = 0; i < npoints && status == NFART_OK; i++) {
		char name[64];

		snprintf(name, sizeof name, "point %.50s", x->o->observe[i]);
		o.tracing.npoints = 1;
		o.tracing.point[0] = x->o->sys.tracing.point[i];
		status = print_row(x, name, &o, plain, e);
	}
	return status;
}
