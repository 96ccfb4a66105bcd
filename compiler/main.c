/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfacc: files in, pipeline, files out. The only part of the compiler that prints or exits. It is long
 * because it is all of that: one small function for each thing that nfacc can be asked to do.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "backends/image/inspect.h"
#include "backends/overlay/emit/emit.h"
#include "backends/overlay/fit/fit_search.h"
#include "backends/overlay/map/map_graph.h"
#include "compiler/cmd_list.h"
#include "compiler/options.h"
#include "grammar/describe/builtin.h"
#include "grammar/describe/proto_text.h"
#include "support/cli.h"
#include "support/outfile.h"
#include "support/progress.h"

enum { MOST_FILE = 1 << 28 };

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "nfacc: error: %s%s%s\n", what, why != NULL ? ": " : "",
		why != NULL ? why : "");
	return NFART_SYSTEM;
}

static bool ends_with(const char *s, const char *ending)
{
	size_t n = strlen(s), m = strlen(ending);

	return n >= m && strcmp(s + n - m, ending) == 0;
}

static void print_diags(struct options *o, struct diags *d)
{
	diag_print(d, stderr, o->colour == 1 || (o->colour == 2 && isatty(STDERR_FILENO)));
}

/* ---- input ---- */

struct inputs {
	struct buf *text;
	struct pipeline_file *file;
	size_t n;
};

static void free_inputs(struct inputs *in)
{
	for (size_t i = 0; i < in->n && in->text != NULL; i++)
		buf_free(&in->text[i]);
	free(in->text);
	free(in->file);
}

/* An output that is one of the inputs is wrong use. */
static int check_output(const struct options *o, const char *input)
{
	struct nfart_error e;

	if (o->check || outfile_check(o->out, input, &e) == NFART_OK)
		return NFART_OK;
	nfart_error_print(stderr, &e);
	return (int)e.status;
}

/* The same for every file that the pipeline has read: protocols too. */
static int check_sources(const struct options *o, const struct diags *d)
{
	int code = NFART_OK;

	for (size_t i = 0; i < d->sources.n && code == NFART_OK; i++)
		code = check_output(o, d->sources.at[i].name);
	return code;
}

static int read_inputs(struct options *o, struct inputs *in)
{
	in->n = o->files.n;
	in->text = calloc(in->n + 1, sizeof *in->text);
	in->file = calloc(in->n + 1, sizeof *in->file);
	if (in->text == NULL || in->file == NULL)
		return fail("out of memory", NULL);
	for (size_t i = 0; i < in->n; i++) {
		const char *name = o->files.at[i];
		int error = check_output(o, name);
		if (error != NFART_OK)
			return error;
		error = buf_read_file(&in->text[i], name, MOST_FILE);
		if (error != 0)
			return fail(name, strerror(error));
		in->file[i].name = name;
		in->file[i].text = in->text[i].at != NULL ? in->text[i].at : "";
		in->file[i].n = in->text[i].n;
		in->file[i].yaml = o->language == LANGUAGE_YAML ||
				   (o->language == LANGUAGE_BY_NAME &&
				    (ends_with(name, ".yaml") || ends_with(name, ".yml")));
	}
	return NFART_OK;
}

/* --overlay NAME or FILE: a shipped one, unless the name looks like a path. */
static int read_overlay(struct options *o)
{
	const char *name = o->overlay_file, *text;
	struct diags d = { .werror = false };
	struct buf file = { 0 };
	int code = NFART_OK;

	if (name == NULL)
		return NFART_OK;
	text = strchr(name, '/') == NULL ? builtin_find(builtin_overlays, name, strlen(name)) : NULL;
	if (text == NULL) {
		int error = check_output(o, name);
		if (error != NFART_OK)
			return error;
		error = buf_read_file(&file, name, MOST_FILE);
		if (error != 0) {
			buf_free(&file);
			return fail(name,
				    error == ENOENT
					    ? "no such file, and no shipped overlay (see --list)"
					    : strerror(error));
		}
		text = file.at != NULL ? file.at : "";
	}
	if (!overlay_parse(&d, name, text, file.at != NULL ? file.n : strlen(text),
			   &o->pipeline.overlay))
		code = NFART_INPUT;
	print_diags(o, &d);
	diag_free(&d);
	buf_free(&file);
	return code;
}

/* ---- output ---- */

/* Writes b to the output file, or standard output where none was named. */
static int write_out(const struct options *o, const struct buf *b)
{
	struct outfile f = { 0 };
	struct nfart_error e;

	if (b->failed)
		return fail("out of memory", NULL);
	if (outfile_open(&f, o->out, &e) != NFART_OK) {
		nfart_error_print(stderr, &e);
		return (int)e.status;
	}
	if (b->n != 0 && fwrite(b->at, 1, b->n, f.f) != b->n) {
		int error = errno;
		outfile_abort(&f);
		return fail(o->out != NULL ? o->out : "standard output", strerror(error));
	}
	if (outfile_commit(&f, &e) != NFART_OK) {
		nfart_error_print(stderr, &e);
		return (int)e.status;
	}
	return NFART_OK;
}

static double ms(uint64_t nanoseconds)
{
	return (double)nanoseconds / 1e6;
}

/* What was proved of the image. */
static void print_proof(const struct pipeline *p, FILE *f)
{
	const struct verify_report *r = &p->verify;

	if (r->verdict == VERIFY_NOTHING)
		return;
	fprintf(f, "proof: ");
	if (r->verdict == VERIFY_PROVED)
		fprintf(f, "proved");
	else
		fprintf(f, "bounded %" PRIu64, r->depth);
	fprintf(f, ", %zu of %zu labels and log for all streams, %" PRIu64 " steps\n", r->proved, r->total,
		r->work);
}

static void print_stats(const struct pipeline *p)
{
	FILE *f = stderr;
	struct buf b = { 0 };

	fprintf(f,
		"construction at most (T eq. 33, 34): %" PRIu64 " states, %" PRIu64
		" transitions\n",
		p->bound_states, p->bound_edges);
	for (size_t i = 0; i < p->counts.records.n; i++)
		count_print(&p->spec, &p->counts.records.at[i], &p->diags, &b);
	if (b.n != 0)
		fwrite(b.at, 1, b.n, f);
	buf_free(&b);
	fprintf(f, "%-12s %10s %10s %10s %10s %10s\n", "pass", "states", "after", "edges", "after",
		"ms");
	for (size_t i = 0; i < p->passes.n; i++) {
		const struct pass_record *r = &p->passes.at[i];
		fprintf(f, "%-12s %10zu %10zu %10zu %10zu %10.3f\n", r->name, r->states[0],
			r->states[1], r->edges[0], r->edges[1], ms(r->nanoseconds));
		if (r->most != 0 && r->states[0] > r->most)
			fprintf(f, "%-12s not done: more than %zu states\n", "", r->most);
	}
	fprintf(f, "final: %zu states, %zu edges without loops, %zu with\n", p->nfa.states.n,
		nfa_count_edges(&p->nfa, false), nfa_count_edges(&p->nfa, true));
	for (size_t i = 0; i < p->job.splits.splits.n; i++) {
		const struct split *x = &p->job.splits.splits.at[i];
		size_t line = 0, column = 0;
		if (x->range.source < p->diags.sources.n)
			diag_locate(&p->diags.sources.at[x->range.source], x->range.begin, &line,
				    &column);
		fprintf(f,
			"split: a state of line %zu, column %zu into %" PRIu32
			" that share its %s\n",
			line, column, x->copies, x->successors ? "successors" : "predecessors");
	}
	if (p->job.report.n != 0)
		fwrite(p->job.report.at, 1, p->job.report.n, f);
	print_proof(p, f);
	fprintf(f, "ms: front end %.3f, automaton %.3f, mapping %.3f, image %.3f, proof %.3f\n",
		ms(p->nanoseconds[STAGE_AST]),
		ms(p->nanoseconds[STAGE_NFA]) - ms(p->nanoseconds[STAGE_AST]),
		p->nanoseconds[STAGE_MAP] != 0
			? ms(p->nanoseconds[STAGE_MAP] - p->nanoseconds[STAGE_NFA])
			: 0,
		p->nanoseconds[STAGE_IMAGE] != 0
			? ms(p->nanoseconds[STAGE_IMAGE] - p->nanoseconds[STAGE_MAP])
			: 0,
		ms(p->verify.nanoseconds));
}

static int emit_image(const struct options *o, struct pipeline *p)
{
	struct buf text = { 0 };
	int code;

	if (o->emit == EMIT_MAP)
		explain_image(p->job.loaded, &text);
	if (o->emit == EMIT_MEM)
		emit_mem(p->job.loaded, &text);
	if (o->emit == EMIT_HEADER)
		emit_header(p->job.loaded, &text);
	code = write_out(o, o->emit == EMIT_IMAGE ? &p->job.image : &text);
	buf_free(&text);
	return code;
}

static int emit(const struct options *o, struct pipeline *p)
{
	struct buf b = { 0 };
	int code;

	if (o->check)
		return NFART_OK;
	if (p->options.last == STAGE_IMAGE)
		return emit_image(o, p);
	if (o->emit == EMIT_AST)
		ast_print(&p->front.ast, &b);
	else if (o->emit == EMIT_NFA)
		nfa_print(&p->nfa, &b);
	else
		nfa_dot(&p->nfa, &b);
	code = write_out(o, &b);
	buf_free(&b);
	return code;
}

/* ---- what nfacc can be asked to do ---- */

/* The pipeline with a progress line, which is gone before diagnostics are printed. */
static enum nfart_status run_pipeline(struct options *o, struct pipeline *p,
				      const struct pipeline_file *files, size_t n)
{
	struct progress_line *line = progress_line_new("nfacc");
	enum nfart_status status;

	o->pipeline.progress = progress_line_callback(line);
	status = pipeline_run(p, &o->pipeline, files, n);
	progress_line_free(line);
	return status;
}

static int compile(struct options *o)
{
	struct inputs in = { 0 };
	struct pipeline *p = calloc(1, sizeof *p);
	int code = p == NULL ? fail("out of memory", NULL) : read_inputs(o, &in);

	if (code == NFART_OK) {
		code = (int)run_pipeline(o, p, in.file, in.n);
		print_diags(o, &p->diags);
		if (code == NFART_SYSTEM && p->diags.errors == 0)
			fail("out of memory", NULL);
		if (code == NFART_OK && p->diags.errors != 0)
			code = NFART_INPUT;
		if (code == NFART_OK)
			code = check_sources(o, &p->diags);
		if (code == NFART_OK && o->stats)
			print_stats(p);
		if (code == NFART_OK)
			code = emit(o, p);
		pipeline_free(p);
	}
	free_inputs(&in);
	free(p);
	return code;
}

/* Writes the cheapest overlay of r with everything else from the one given. */
static int write_fitting(struct options *o, const struct fit_result *r)
{
	struct overlay_desc v = o->pipeline.overlay;
	FILE *f = o->out != NULL && strcmp(o->out, "-") == 0 ? stderr : stdout;
	struct buf b = { 0 };
	int code = NFART_OK;

	fit_print(r, &b);
	if (fwrite(b.at, 1, b.n, f) != b.n || fflush(f) != 0)
		code = fail("standard output", strerror(errno));
	b.n = 0;
	if (code == NFART_OK && r->front.n == 0) {
		code = r->complete && r->unknown == 0 ? NFART_NOFIT : NFART_GAVEUP;
		fprintf(stderr, "nfacc: error: no overlay in the range fits%s\n",
			code == NFART_GAVEUP ? ", as far as was searched" : "");
	} else if (code == NFART_OK && o->out != NULL) {
		strcpy(v.name, "fitted");
		v.o = r->front.at[0].o;
		overlay_print(&v, &b);
		code = write_out(o, &b);
	}
	buf_free(&b);
	return code;
}

/* Each file by itself up to its NFA. */
static int compile_units(struct options *o, const struct inputs *in, struct pipeline *p,
			 struct fit_unit *u)
{
	int code = NFART_OK;

	o->pipeline.last = STAGE_NFA;
	for (size_t i = 0; i < in->n && code == NFART_OK; i++) {
		code = (int)run_pipeline(o, &p[i], &in->file[i], 1);
		print_diags(o, &p[i].diags);
		if (code == NFART_OK && p[i].diags.errors != 0)
			code = NFART_INPUT;
		if (code == NFART_SYSTEM || (code == NFART_OK && !fit_unit_init(&u[i], &p[i].spec, &p[i].nfa)))
			code = fail("out of memory", NULL);
		if (code == NFART_OK)
			code = check_sources(o, &p[i].diags);
	}
	return code;
}

static int fit_files(struct options *o)
{
	struct inputs in = { 0 };
	struct fit_result r = { .complete = true };
	const struct overlay_param *too_few;
	uint64_t need;
	struct pipeline *p = calloc(o->files.n + 1, sizeof *p);
	struct fit_unit *u = calloc(o->files.n + 1, sizeof *u);
	int code = p == NULL || u == NULL ? fail("out of memory", NULL) : read_inputs(o, &in);

	if (code == NFART_OK)
		code = compile_units(o, &in, p, u);
	if (code == NFART_OK && (too_few = fit_impossible(u, in.n, &need)) != NULL) {
		fprintf(stderr, "nfacc: error: %s %" PRIu64 ", but an overlay has at most %" PRIu32 "\n",
			too_few->name, need, too_few->highest);
		code = NFART_NOFIT;
	}
	if (code == NFART_OK) {
		struct progress_line *line = progress_line_new("nfacc");
		o->search.map.seconds = o->pipeline.map.seconds;
		o->search.progress = progress_line_callback(line);
		code = (int)fit_search(u, in.n, &o->pipeline.overlay.o, &o->search, &r);
		progress_line_free(line);
		code = code == NFART_OK ? write_fitting(o, &r) : fail("out of memory", NULL);
	}
	fit_result_free(&r);
	for (size_t i = 0; p != NULL && i < o->files.n; i++)
		pipeline_free(&p[i]);
	free_inputs(&in);
	free(p);
	free(u);
	return code;
}

/* --equal and the like. The answer is the exit code; a witness goes to standard output. */
static int ask(struct options *o)
{
	struct inputs in = { 0 };
	struct buf b = { 0 };
	struct question_input q = { .question = o->question, .steps = o->pipeline.proof_steps };
	struct pipeline *p = calloc(2, sizeof *p);
	int code = p == NULL ? fail("out of memory", NULL) : read_inputs(o, &in);

	o->pipeline.overlay.o.none = true;
	for (size_t i = 0; i < in.n && code == NFART_OK; i++) {
		code = (int)run_pipeline(o, &p[i], &in.file[i], 1);
		print_diags(o, &p[i].diags);
		if (code == NFART_OK && p[i].diags.errors != 0)
			code = NFART_INPUT;
		q.spec[i] = &p[i].spec;
		q.name[i] = in.file[i].name;
	}
	if (code == NFART_OK) {
		struct progress_line *line = progress_line_new("nfacc");
		q.progress = progress_line_callback(line);
		code = (int)question_answer(&q, &b);
		progress_line_free(line);
		if (code == NFART_NO && write_out(o, &b) != NFART_OK)
			code = NFART_SYSTEM;
		else if (code != NFART_NO && code != NFART_OK && b.n != 0 && !b.failed)
			fprintf(stderr, "nfacc: error: %s", b.at);
	}
	if (code == NFART_SYSTEM && b.failed)
		fail("out of memory", NULL);
	for (size_t i = 0; p != NULL && i < in.n; i++)
		pipeline_free(&p[i]);
	buf_free(&b);
	free_inputs(&in);
	free(p);
	return code;
}

static int inspect(const struct options *o)
{
	struct nfart_error e;
	struct nfart_image *im;
	struct buf b = { 0 };
	struct spec s;
	struct nfa a;
	int code = check_output(o, o->inspect);

	if (code != NFART_OK)
		return code;
	im = image_open(o->inspect, &e);
	if (im == NULL) {
		nfart_error_print(stderr, &e);
		return (int)e.status;
	}
	if (inspect_nfa(im, &s, &a)) {
		nfa_print(&a, &b);
		code = write_out(o, &b);
	} else {
		code = fail("out of memory", NULL);
	}
	buf_free(&b);
	nfa_free(&a);
	spec_free(&s);
	image_free(im);
	return code;
}

static int map_raw(struct options *o)
{
	struct buf text = { 0 }, out = { 0 };
	struct diags d = { .werror = false };
	int error, code = check_output(o, o->map_graph);

	if (code != NFART_OK)
		return code;
	error = buf_read_file(&text, o->map_graph, MOST_FILE);
	if (error == 0) {
		struct progress_line *line = progress_line_new("nfacc");
		o->pipeline.map.progress = progress_line_callback(line);
		code = (int)map_graph(o->map_graph, text.at != NULL ? text.at : "", text.n,
				      &o->pipeline.map, &d, &out);
		progress_line_free(line);
		print_diags(o, &d);
		if (code == NFART_SYSTEM)
			fail("out of memory", NULL);
		if (out.n != 0 && write_out(o, &out) != NFART_OK)
			code = NFART_SYSTEM;
	} else {
		code = fail(o->map_graph, strerror(error));
	}
	diag_free(&d);
	buf_free(&out);
	buf_free(&text);
	return code;
}

/* The protocol of that name, which the caller frees. */
static int find_protocol(const struct options *o, const char *name, struct nfart_proto **out)
{
	struct diags d = { .werror = false };
	enum nfart_status status =
		proto_find(&d, o->pipeline.dirs, o->pipeline.ndirs, name, strlen(name), out);

	diag_print(&d, stderr, false);
	if (status == NFART_OK) {
		status = (enum nfart_status)check_sources(o, &d);
	} else if (status == NFART_NO) {
		fprintf(stderr, "nfacc: error: no protocol '%s'\n", name);
		status = NFART_INPUT;
	} else if (status == NFART_SYSTEM && d.errors == 0) {
		fail("out of memory", NULL);
	}
	diag_free(&d);
	return (int)status;
}

static int list(const struct options *o)
{
	struct nfart_proto *p = NULL;
	struct buf b = { 0 };
	int code = o->files.n == 0 ? NFART_OK : find_protocol(o, o->files.at[0], &p);

	if (code == NFART_OK && p != NULL)
		list_protocol(p, &b);
	else if (code == NFART_OK)
		list_shipped(&b);
	if (code == NFART_OK)
		code = write_out(o, &b);
	proto_free(p);
	buf_free(&b);
	return code;
}

/* The protocol that the overlay taps; where it leaves that open --protocol, else the default. */
static int find_tap(const struct options *o, struct nfart_proto **out)
{
	const struct overlay_desc *v = &o->pipeline.overlay;
	const char *asked = o->pipeline.front.protocol, *name = v->protocol;

	if (name[0] != 0 && asked != NULL && strcmp(asked, name) != 0) {
		fprintf(stderr, "nfacc: error: overlay '%s' taps protocol '%s', not '%s'\n", v->name,
			name, asked);
		return NFART_USAGE;
	}
	if (name[0] == 0)
		name = asked != NULL ? asked : "eci";
	return find_protocol(o, name, out);
}

/* What an overlay says by itself: its description, the engine's parameters or registers. */
static int emit_of_overlay(const struct options *o)
{
	const struct overlay_desc *v = &o->pipeline.overlay;
	struct nfart_proto *p = NULL;
	struct overlay t = v->o;
	struct buf b = { 0 };
	int code = o->emit == EMIT_OVERLAY ? NFART_OK : find_tap(o, &p);

	if (code == NFART_OK && o->emit != EMIT_OVERLAY) {
		const char *wrong;
		t.slots = p->nslots;
		t.op_bits = p->op_bits;
		wrong = overlay_check(&t);
		if (wrong != NULL) {
			fprintf(stderr, "nfacc: error: overlay '%s': %s\n", v->name, wrong);
			code = NFART_INPUT;
		}
	}
	if (code == NFART_OK) {
		if (o->emit == EMIT_OVERLAY)
			overlay_print(v, &b);
		else if (o->emit == EMIT_VERILOG)
			emit_verilog(&t, p, v->name, &b);
		else
			emit_regs(&t, p, v->name, &b);
		code = write_out(o, &b);
	}
	proto_free(p);
	buf_free(&b);
	return code;
}

int main(int argc, char **argv)
{
	struct options o;
	int code = options_parse(&o, argc, argv);

	if (code < 0 && o.list) {
		code = list(&o);
	} else if (code < 0 && o.inspect != NULL) {
		code = inspect(&o);
	} else if (code < 0 && o.map_graph != NULL) {
		code = map_raw(&o);
	} else if (code < 0) {
		code = read_overlay(&o);
		if (code == NFART_OK)
			code = o.emit >= EMIT_OVERLAY ? emit_of_overlay(&o) :
				o.question != QUESTION_NONE ? ask(&o) :
				o.fit ? fit_files(&o) : compile(&o);
	}
	options_free(&o);
	return cli_finish("nfacc", code);
}
