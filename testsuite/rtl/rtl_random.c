/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Random filters and streams on three engines: the reference matcher, the software engine with its
 * window, and the simulated engine in Verilog. A seed gives a scenario of one to three segments.
 * Each segment is a filter over a part of the stream. Between two segments comes a stop, a reset, a
 * new image or a swap, and batches that no filter may see. Gaps between batches are random, and so
 * are stalls of the output. On an overlay with time, filters have ticks and the end, and time may
 * jump, so that ticks are lost.
 *
 *   rtl_random [-n PAIRS] [-s SEED] [-l] [-d] [-p PROTOCOL] [-I DIR] [-P POSITIONS]
 *              OVERLAY MODEL.so
 *
 * -l: the model's output buffer is small, so records may be lost. Each loss must be recorded in its
 * place with its count. -d: shows one seed batch by batch, with the states of both sides, and
 * writes waveforms to seed-N.vcd if the model can. A scenario that fails is always shown so.
 */
#include "testsuite/rtl/rtl_random.h"
#include "testsuite/setting.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grammar/describe/proto_text.h"

enum { BLOCK = 100 };

uint64_t rnd_draw(struct test *t, uint64_t n)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	return (t->random * 0x2545f4914f6cdd1du >> 33) % n;
}

bool rnd_fails(struct test *t, const char *what)
{
	if (t->why[0] == 0)
		snprintf(t->why, sizeof t->why, "%s%s%s", what,
			 rtl_engine_why(t->en) != NULL ? ": " : "",
			 rtl_engine_why(t->en) != NULL ? rtl_engine_why(t->en) : "");
	return false;
}

bool rnd_read64(struct test *t, uint32_t offset, uint64_t *value)
{
	uint32_t low, high;

	if (!rtl_engine_read(t->en, offset, &low) || !rtl_engine_read(t->en, offset + 4, &high))
		return rnd_fails(t, "reading a register");
	*value = low | (uint64_t)high << 32;
	return true;
}

/* ---- opening the engine ---- */

static void random_sink(void *ctx, const struct nfart_batch *b, uint64_t labels)
{
	struct test *t = ctx;
	struct got g = { *b, labels, *rtl_engine_names(t->en) };

	rnd_check_payload(t, b);
	if (!vec_push(&t->out.got, g))
		abort();
}

static bool ready(void *ctx)
{
	struct test *t = ctx;

	if (!t->rate.burst)
		return t->rate.pause == 0 || rnd_draw(t, 16) >= t->rate.pause;
	if (t->rate.burst_until == 0)
		t->rate.burst_until = rnd_draw(t, 400) + 1;
	t->rate.burst_until--;
	return t->rate.burst_until < 100;
}

static bool open_engine(struct test *t)
{
	struct rtl_options o = { t->model, t->vcd, ready, random_sink, t };
	struct nfart_error e;

	rtl_engine_close(t->en);
	t->out.unseen = 0;
	t->en = rtl_engine_open(contract_fingerprint(&t->options.overlay.o, t->proto), &o, &e);
	if (t->en == NULL)
		nfart_error_print(stderr, &e);
	return t->en != NULL;
}

/* ---- running seeds ---- */

static void print_stream(const struct test *t)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_TEXT };
	struct nfart_error e;
	struct nfart_writer *w = nfart_writer_new(stdout, t->proto, &o, &e);

	for (size_t i = 0; i < t->in.n && w != NULL; i++)
		nfart_writer_put(w, &t->in.stream[i], NULL);
	nfart_writer_close(w, &e);
}

/* Runs the same scenario alone, on an engine after power-up, and shows it. */
static void random_show(struct test *t, uint64_t seed)
{
	char vcd[64];

	printf("# seed %" PRIu64 ": %s\n", seed, t->why);
	snprintf(vcd, sizeof vcd, "seed-%" PRIu64 ".vcd", seed);
	t->vcd = rtl_engine_info(t->en)->traced ? vcd : NULL;
	if (open_engine(t)) {
		bool ok = rnd_scenario(t, seed);
		printf("# alone: %s\n", ok ? "no difference" : t->why);
		for (size_t i = 0; i < t->in.nsegments; i++)
			printf("# segment %zu: batches %zu to %zu\n", i, t->in.segment[i].from,
			       t->in.segment[i].to);
		print_stream(t);
		for (size_t i = 0; i < t->out.got.n; i++)
			printf("# got time %" PRIu64 ", mask %" PRIx64 ", labels %" PRIx64
			       ", lost %" PRIu64 ", time code %u\n",
			       t->out.got.at[i].batch.time, t->out.got.at[i].batch.mask,
			       t->out.got.at[i].labels, t->out.got.at[i].batch.lost,
			       t->out.got.at[i].batch.when);
		if (t->vcd != NULL)
			printf("# waveforms: %s\n", vcd);
	}
	/* The scenario runs once more, batch by batch, to show the states after each batch. */
	t->vcd = NULL;
	t->kind.detail = true;
	if (open_engine(t)) {
		bool ok = rnd_scenario(t, seed);
		printf("# batch by batch: %s\n", ok ? "no difference" : t->why);
	}
	t->kind.detail = false;
}

static bool read_overlay(struct test *t, const char *name)
{
	struct diags d = { .werror = false };
	struct buf b = { 0 };
	bool ok = buf_read_file(&b, name, 1 << 20) == 0 &&
		  overlay_parse(&d, name, b.at, b.n, &t->options.overlay);

	diag_print(&d, stderr, false);
	diag_free(&d);
	buf_free(&b);
	return ok;
}

static bool find_protocol(struct test *t, const char *name)
{
	struct diags d = { .werror = false };

	if (t->options.overlay.protocol[0] != 0)
		name = t->options.overlay.protocol;
	proto_find(&d, t->options.dirs, t->options.ndirs, name, strlen(name), &t->proto);
	diag_print(&d, stderr, false);
	diag_free(&d);
	if (t->proto == NULL)
		return false;
	t->gen.proto = t->proto;
	t->gen.counters = t->options.overlay.o.counters != 0;
	overlay_tap(&t->options.overlay.o, t->proto);
	t->gen.guards = overlay_ntest(&t->options.overlay.o) != 0;
	t->gen.payload = t->options.overlay.o.payload_tests != 0;
	t->gen.keys = t->options.overlay.o.keys == OVERLAY_KEYS_YES;
	t->gen.sides = t->options.overlay.o.window_after == OVERLAY_AFTER_OWN;
	t->kind.shadow = t->options.overlay.o.shadow != 0;
	t->kind.timed = t->options.overlay.o.time == OVERLAY_TIME_YES;
	t->kind.memory = t->options.overlay.o.state == OVERLAY_STATE_MEMORY;
	t->gen.time = t->kind.timed;
	return true;
}

int main(int argc, char **argv)
{
	struct test *t = calloc(1, sizeof *t);
	const char *protocol = "eci-coherence", *dir = ".";
	uint64_t n = 100, seed = 1, bad = 0, test = 0;
	bool detail = false;
	int c;

	if (t == NULL)
		return NFART_SYSTEM;
	pipeline_options_init(&t->options);
	t->gen.max_batches = MOST_BATCHES;
	t->gen.positions = 10;
	while ((c = getopt(argc, argv, "n:s:ldp:I:P:")) != -1) {
		switch (c) {
		case 'n': n = positive("-n", optarg); break;
		case 's': seed = positive("-s", optarg); break;
		case 'l': t->kind.lossy = true; break;
		case 'd': detail = true; break;
		case 'p': protocol = optarg; break;
		case 'I': dir = optarg; break;
		case 'P': t->gen.positions = positive("-P", optarg); break;
		default: return NFART_USAGE;
		}
	}
	t->options.dirs = &dir;
	t->options.ndirs = 1;
	if (argc - optind != 2 || !read_overlay(t, argv[optind]) || !find_protocol(t, protocol))
		return NFART_USAGE;
	t->model = argv[optind + 1];
	if (!open_engine(t))
		return NFART_SYSTEM;
	for (uint64_t i = 0; t->tally.pairs < n && bad < 5; i++) {
		bool ok = rnd_scenario(t, seed + i);
		bad += !ok;
		if (!ok || detail) {
			random_show(t, seed + i);
			if (!open_engine(t))
				return NFART_SYSTEM;
		}
		if (i % BLOCK == BLOCK - 1 || t->tally.pairs >= n)
			printf("%sok %" PRIu64 " - %s up to seed %" PRIu64 "\n",
			       bad == 0 ? "" : "not ", ++test, t->options.overlay.name, seed + i);
		if (detail)
			break;
	}
	printf("# %s: %" PRIu64 " pairs, %" PRIu64 " with counters, in %" PRIu64
	       " scenarios from seed %" PRIu64 ", %" PRIu64 " filters did not fit; %" PRIu64
	       " batches, %" PRIu64 " records, %" PRIu64 " losses, %" PRIu64 " swaps, %" PRIu64
	       " resets, %" PRIu64 " restarts, %" PRIu64 " corrupt images, %" PRIu64
	       " ticks, %" PRIu64 " jumps over ticks, %" PRIu64 " lines named, %" PRIu64
	       " batches with more lines, %" PRIu64 " in counts of labels, %" PRIu64
	       " in bins, %" PRIu64
	       " answers late or wrong, %" PRIu64 " swaps by labels, %" PRIu64
	       " records with payload; %" PRIu64 " differ\n",
	       t->options.overlay.name, t->tally.pairs, t->tally.counting, t->tally.scenarios, seed,
	       t->tally.nofit, t->tally.batches, t->tally.records, t->tally.losses, t->tally.swaps,
	       t->tally.resets, t->tally.restarts, t->tally.corrupt, t->tally.ticks, t->tally.jumps,
	       t->tally.named, t->tally.more, t->tally.label_counts, t->tally.binned,
	       t->tally.unjoined, t->tally.label_swaps, t->tally.payloads, bad);
	printf("1..%" PRIu64 "\n", test);
	rtl_engine_close(t->en);
	proto_free(t->proto);
	vec_free(&t->out.got);
	free(t->states.active);
	free(t->states.count);
	free(t);
	return bad != 0;
}
