/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The command --fit: finds the cheapest overlays that each of the files fits.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "backends/overlay/fit/fit.h"
#include "backends/overlay/fit/fit_search.h"
#include "compiler/command/command.h"
#include "compiler/command/files.h"
#include "support/progress.h"

/* Prints the table of overlays to standard output, or to standard error if the description goes to
 * standard output. */
static int print_table(const struct options *o, const struct fit_result *r)
{
	FILE *f = o->emit.file != NULL && strcmp(o->emit.file, "-") == 0 ? stderr : stdout;
	struct buf b = { 0 };
	int code = NFART_OK;

	fit_print(r, &b);
	if (b.failed)
		code = files_fail("out of memory", NULL);
	else if (fwrite(b.at, 1, b.n, f) != b.n || fflush(f) != 0)
		code = files_fail("standard output", strerror(errno));
	buf_free(&b);
	return code;
}

/* Writes the description of the cheapest overlay. Parameters that the search doesn't vary are those
 * of --overlay. */
static int write_cheapest(const struct options *o, const struct fit_result *r)
{
	struct overlay_desc v = o->pipeline.overlay;
	struct buf b = { 0 };
	int code;

	strcpy(v.name, "fitted");
	v.o = r->front.at[0].o;
	overlay_print(&v, &b);
	code = files_write(o, &b);
	buf_free(&b);
	return code;
}

/* Finds the tests that u needs of an overlay. Reports an error if no overlay has them. */
static int find_tests(struct pipeline *p, struct fit_unit *u)
{
	struct recode_need need;
	enum nfart_status status = fit_unit_tests(u, &need);
	char slot[80];
	int tests;

	if (status == NFART_SYSTEM)
		return files_fail("out of memory", NULL);
	if (status == NFART_OK)
		return NFART_OK;
	proto_slot_name(p->spec.proto, need.slot, slot);
	tests = OVERLAY_MOST_RECODE - (int)u->proto.op_bits;
	if (need.rows == 0)
		diag_report(
			&p->diags, DIAG_ERROR, "no-fit", p->spec.guards.range,
			"slot %s needs %zu tests of a value, %zu of a range and %zu of payload; "
			"with opcodes of %" PRIu32 " bits a slot has at most %d tests, %d of them "
			"of payload",
			slot, need.equal, need.range, need.payload, u->proto.op_bits, tests,
			tests < OVERLAY_MOST_payload_tests ? tests : OVERLAY_MOST_payload_tests);
	else
		diag_report(&p->diags, DIAG_ERROR, "no-fit", p->spec.guards.range,
			    "slot %s needs %" PRIu32 " letters, but in an overlay a slot has at "
			    "most %d",
			    slot, need.rows, 1 << OVERLAY_MOST_letter_bits);
	return NFART_NOFIT;
}

/* Compiles each file as a unit of its own, up to its NFA, and fills u[i] for file i. */
static int compile_units(struct options *o, const struct inputs *in, struct pipeline *p,
			 struct fit_unit *u)
{
	int code = NFART_OK;

	o->pipeline.last = STAGE_NFA;
	for (size_t i = 0; i < in->n && code == NFART_OK; i++) {
		code = files_compile(o, &p[i], &in->file[i], 1);
		if (code == NFART_OK && !fit_unit_init(&u[i], &p[i].spec, &p[i].nfa))
			code = files_fail("out of memory", NULL);
		if (code != NFART_OK)
			break;
		if (fit_parts(&p[i].spec, &p[i].diags, "an overlay", NULL) != SIZE_MAX)
			code = NFART_NOFIT;
		else
			code = find_tests(&p[i], &u[i]);
		if (code == NFART_NOFIT)
			files_print_diags(o, &p[i].diags);
	}
	return code;
}

static int fit_search_print(struct options *o, const struct fit_unit *u, size_t n)
{
	struct fit_result r = { .complete = true };
	struct progress_line *line = progress_line_new("nfacc");
	int code;

	o->search.map.seconds = o->pipeline.map.seconds;
	o->search.progress = progress_line_callback(line);
	code = (int)fit_search(u, n, &o->pipeline.overlay.o, &o->search, &r);
	progress_line_free(line);
	code = code == NFART_OK ? print_table(o, &r) : files_fail("out of memory", NULL);
	if (code == NFART_OK && r.front.n == 0) {
		code = r.complete && r.unknown == 0 ? NFART_NOFIT : NFART_GAVEUP;
		fprintf(stderr, "nfacc: error: no overlay in the range fits%s%s%s\n",
			code == NFART_GAVEUP ? ", as far as was searched" : "",
			r.conflict != NULL ? ": " : "", r.conflict != NULL ? r.conflict : "");
	} else if (code == NFART_OK && o->emit.file != NULL) {
		code = write_cheapest(o, &r);
	}
	fit_result_free(&r);
	return code;
}

int cmd_fit(struct options *o)
{
	struct inputs in = { 0 };
	const struct overlay_param *too_few;
	uint64_t need;
	struct pipeline *p = calloc(o->files.n + 1, sizeof *p);
	struct fit_unit *u = calloc(o->files.n + 1, sizeof *u);
	int code = p == NULL || u == NULL ? files_fail("out of memory", NULL) : inputs_read(o, &in);

	if (code == NFART_OK)
		code = compile_units(o, &in, p, u);
	if (code == NFART_OK && (too_few = fit_impossible(u, in.n, &need)) != NULL) {
		fprintf(stderr,
			"nfacc: error: %s %" PRIu64 ", but an overlay has at most %" PRIu32 "\n",
			too_few->name, need, too_few->highest);
		code = NFART_NOFIT;
	}
	if (code == NFART_OK)
		code = fit_search_print(o, u, in.n);
	for (size_t i = 0; p != NULL && i < o->files.n; i++)
		pipeline_free(&p[i]);
	inputs_free(&in);
	free(p);
	free(u);
	return code;
}
