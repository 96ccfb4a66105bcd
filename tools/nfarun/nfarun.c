/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfarun: runs an image over a trace, in the software engine or in the simulated engine in Verilog.
 * nfarun_checks.c reads the options. run_traces.c runs over each trace, ask.c answers questions,
 * and convert.c converts.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/run/ranks.h"
#include "runtime/run/shard.h"
#include "support/cli.h"
#include "tools/nfarun/ask.h"
#include "tools/nfarun/convert.h"
#include "tools/nfarun/images.h"
#include "tools/nfarun/list_signals.h"
#include "tools/nfarun/list_types.h"
#include "tools/nfarun/nfarun_checks.h"
#include "tools/nfarun/nfarun_print.h"
#include "tools/nfarun/output.h"
#include "tools/nfarun/parts.h"
#include "tools/nfarun/process.h"
#include "tools/nfarun/protocol.h"
#include "tools/nfarun/run_traces.h"

static int inspect(const struct nfarun_options *o, const struct nfart_image *im)
{
	struct outfile out;
	struct nfart_error e;

	if (output_open(&out, o->output.out, &e) != NFART_OK)
		return process_report(&e);
	print_image(im, out.f);
	return outfile_commit(&out, &e) == NFART_OK ? NFART_OK : process_report(&e);
}

/* Finds the field of --by field in the protocol of the image. Returns 0 or an exit code. */
static int find_field(struct nfarun_options *o, const struct nfart_image *im)
{
	const char *why = o->ask.field == NULL ? NULL :
			  field_bins_open(&o->ask.bins, im->proto, o->ask.field, 64);

	return why == NULL ? 0 : cli_wrong_use("nfarun", why, o->ask.field);
}

/* Refuses an output file of the options that is also an input. Returns 0 or an exit code. */
static int check_outputs(const struct nfarun_options *o)
{
	struct nfart_error e;

	if (parts_check(o, o->output.out, &e) != NFART_OK ||
	    (o->run.rtl.vcd != NULL && parts_check(o, o->run.rtl.vcd, &e) != NFART_OK))
		return process_report(&e);
	return 0;
}

/* Does everything that the options ask of this process. Returns an exit code. */
static int run_command(struct nfarun_options *o)
{
	struct run r = { .stop = &process_stop };
	struct protocol taps = { NULL, NULL };
	struct nfart_image *a = NULL, *b = NULL;
	int code = check_outputs(o);

	if (o->files.follow)
		o->reader.follow = process_follow();
	if (code == 0 && o->ask.question != ASK_NOTHING) {
		process_catch_signals();
		return ask_run(o, &process_stop);
	}
	if (code == 0 && o->show.signals)
		return list_signals_run(o);
	if (code == 0 && o->show.types)
		return list_types_run(o);
	if (code == 0 && o->convert) {
		process_catch_signals();
		return convert_run(o);
	}
	if (code == 0)
		code = images_open(o, &a, &b);
	if (code == 0 && o->show.inspect) {
		code = inspect(o, a);
	} else if (code == 0) {
		r.image = a;
		r.second = b;
		r.swap_at = o->run.swap_on != NULL ? RUN_NEVER : o->run.swap_at;
		r.engine = o->run.engine;
		r.engine.tick = (uint32_t)o->run.tick;
		r.how.until = o->run.until;
		r.rtl = o->run.use_rtl ? &o->run.rtl : NULL;
		r.how.count_lines = o->ask.by_line;
		r.how.bins = o->ask.field != NULL ? &o->ask.bins : NULL;
		r.how.jobs = o->run.jobs;
		if (protocol_open_taps(&taps, a->proto, o->protocol, &o->dirs, &o->params))
			o->wave.options.taps = taps.p;
		code = find_field(o, a);
		if (code == 0)
			code = run_traces(o, &r);
		o->wave.options.taps = NULL;
		protocol_close(&taps);
	}
	nfart_image_free(a);
	nfart_image_free(b);
	return code;
}

static char *shard_name(const struct nfarun_options *o, uint32_t i, uint32_t n)
{
	size_t size = strlen(o->output.out) + 40;
	char *s = malloc(size);

	if (s != NULL)
		snprintf(s, size, "%s.part-%" PRIu32 "-of-%" PRIu32, o->output.out, i, n);
	return s;
}

/* Does the work of one rank of nfarun-mpi. It runs the rank's shards. After all ranks have run
 * theirs, rank 0 merges the shards. Returns an exit code, the same in all ranks. */
static int run_rank(struct nfarun_options *o)
{
	uint32_t n = o->shards.parts != 0 ? (uint32_t)o->shards.parts : o->shards.ranks;
	char **names = calloc(n, sizeof *names);
	int code = names == NULL ? NFART_SYSTEM : NFART_OK;

	for (uint32_t i = 0; i < n && code == NFART_OK; i++) {
		struct nfarun_options shard = *o;
		names[i] = shard_name(o, i, n);
		if (names[i] == NULL)
			code = NFART_SYSTEM;
		if (code != NFART_OK || i % o->shards.ranks != o->shards.rank)
			continue;
		shard.output.out = names[i];
		shard.shards.shard = i;
		shard.shards.n = n;
		shard.ask.by_line = shard.ask.by_label = shard.ask.count = false;
		code = run_command(&shard);
	}
	code = ranks_most(code);
	if (code == NFART_OK && o->shards.rank == 0) {
		o->shards.merge = true;
		o->shards.files = (const char *const *)names;
		o->shards.nfiles = n;
		code = run_command(o);
		for (uint32_t i = 0;
		     i < n && (code == NFART_OK || code == NFART_PARTIAL) && process_stop == 0; i++)
			unlink(names[i]);
	}
	for (uint32_t i = 0; names != NULL && i < n; i++)
		free(names[i]);
	free(names);
	return ranks_most(code);
}

/* Reads the options into *o. If there are several ranks, rank 0 reads them first and the others
 * only if it found no error, so that an error is reported once. Returns what nfarun_options_parse()
 * does. */
static int parse_options(int argc, char **argv, struct nfarun_options *o)
{
	int code = -1;

	if (o->shards.rank == 0)
		code = nfarun_options_parse(argc, argv, o);
	if (o->shards.rank == 0 && code == 0)
		code = check_outputs(o);
	code = ranks_most(code);
	return code == 0 && o->shards.rank != 0 ? nfarun_options_parse(argc, argv, o) : code;
}

int main(int argc, char **argv)
{
	struct nfarun_options o = { 0 };
	struct buf map = { 0 };
	int code;

	o.shards.ranks = ranks_open(&argc, &argv, &o.shards.rank);
	code = parse_options(argc, argv, &o);
	trace_wave_finish(&o.wave, &o.reader);
	o.wave.options.jobs = o.run.jobs;
	if (code == 0 && o.files.map != NULL) {
		int error = buf_read_file(&map, o.files.map, 1 << 20);
		if (error != 0) {
			fprintf(stderr, "nfarun: error: %s: %s\n", o.files.map, strerror(error));
			code = NFART_SYSTEM;
		}
		o.reader.map = map.at != NULL ? map.at : "";
		o.reader.map_name = o.files.map;
	}
	if (code == 0)
		code = o.shards.ranks != 0 ? run_rank(&o) : run_command(&o);
	buf_free(&map);
	ranks_close();
	return cli_finish("nfarun", code < 0 ? 0 : code);
}
