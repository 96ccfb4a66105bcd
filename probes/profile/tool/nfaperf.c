/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfaperf: makes call stacks with cycles from the instructions that a RISC-V machine commits. It
 * reads the code of the programs, then reads the tokens once (probes/profile/stacks/), and prints
 * what the user asks for.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probes/profile/tool/flame.h"
#include "probes/profile/tool/nfaperf_options.h"
#include "probes/profile/tool/pprof.h"
#include "probes/profile/tool/speedscope.h"
#include "probes/profile/tool/streamed.h"
#include "support/cli.h"
#include "support/interrupt.h"
#include "support/outfile.h"

enum { BLOCK = 1 << 17 }; /* tokens to take at once, besides those that are looked at ahead */

/* ---- reading ---- */

/* Reads the ELF files, and their debug files where they are needed; demangles names. */
static enum nfart_status read_files(const struct nfaperf_options *o, struct rv_code *code,
				    struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	code->debug.folders = o->folders;
	code->debug.n = o->nfolders;
	if (o->modules != NULL)
		status = kernel_modules_read(&code->kernel, o->modules, e);
	for (size_t i = 0; i < o->nelfs && status == NFART_OK; i++)
		status = rv_code_add(code, o->elfs[i], e);
	if (code->debug.notes.n != 0)
		fputs(code->debug.notes.at, stderr);
	if (status == NFART_OK && !o->keeps_symbols && !rv_code_demangle(code))
		status = nfart_fail(e, NFART_SYSTEM, "no memory or no process to demangle names; "
						     "--no-demangle does without");
	return status;
}

static enum nfart_status read_code(const struct nfaperf_options *o, struct rv_code *code,
				   struct nfart_error *e)
{
	static const char *const usual[] = { "__switch_to", "swtch", "cpu_switch_to" };
	enum nfart_status status = read_files(o, code, e);

	if (status != NFART_OK)
		return status;
	if (o->count.program != NULL && !rv_code_has(code, o->count.program))
		return nfart_fail(e, NFART_INPUT, "--program: none of the ELF files is called '%s'",
				  o->count.program);
	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
		rv_code_switches(code, usual[i]);
	for (size_t i = 0; i < o->nswitches; i++)
		if (rv_code_switches(code, o->switches[i]) == 0)
			return nfart_fail(e, NFART_INPUT,
					  "--switch: none of the ELF files has a function '%s'",
					  o->switches[i]);
	return NFART_OK;
}

/* Sets *e to the reason why a token was not taken. */
static enum nfart_status refuse_token(const struct rv_profile *p, const struct token_reader *r,
				      struct nfart_error *e)
{
	unsigned long long n = r->taken;

	if (rv_profile_failed(p))
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	switch (p->stop) {
	case RV_STOP_GUEST:
		return nfart_fail(e, NFART_INPUT,
				  "%s: token %llu is of a guest of a hypervisor; nfaperf "
				  "can't read such tokens",
				  r->path, n);
	case RV_STOP_PRIVILEGE:
		return nfart_fail(e, NFART_INPUT,
				  "%s: token %llu has a privilege that RISC-V does not have",
				  r->path, n);
	default:
		return nfart_fail(e, NFART_INPUT, "%s: token %llu is earlier than the one before it",
				  r->path, n);
	}
}

/* ---- writing ---- */

static const char *title(const struct nfaperf_options *o)
{
	if (o->layout.title != NULL)
		return o->layout.title;
	return o->source.path != NULL ? o->source.path : "Flame graph";
}

/* Prints a form that lists stacks. */
static void print_stacks(const struct nfaperf_options *o, const struct profile_view *v,
			 const struct profile_children *c, const struct rv_code *code,
			 struct buf *b)
{
	switch (o->to) {
	case NFAPERF_FLAME:
		print_flame(v, c, o->count.unit, o->layout.width, title(o), b);
		break;
	case NFAPERF_SPEEDSCOPE:
		print_speedscope(v, c, code, o->count.unit, title(o), b);
		break;
	case NFAPERF_PPROF:
		print_pprof(v, c, code, o->count.unit, b);
		break;
	default:
		print_folded(v, c, o->count.unit, b);
		break;
	}
}

static bool print_output(const struct nfaperf_options *o, const struct rv_profile *p, struct buf *b)
{
	struct profile_view v;
	struct profile_children c = { 0 };
	bool ok;

	if (o->to == NFAPERF_MAPS) {
		print_maps(p, b);
		return !b->failed;
	}
	ok = profile_view_make(&v, p, o->count.program);
	if (ok && o->to == NFAPERF_TOP)
		print_top(&v, o->count.unit, o->layout.rows, b);
	else if (ok && (ok = profile_children_make(&c, &v)))
		print_stacks(o, &v, &c, p->code, b);
	profile_children_free(&c);
	profile_view_free(&v);
	return ok && !b->failed;
}

/* Compresses what is written from here on. Readers of pprof expect that, whatever the name is. */
static enum nfart_status compress_output(struct outfile *out, struct nfart_error *e)
{
	FILE *f = nfart_compress_open(out->f, NFART_COMPRESSION_GZIP, e);

	if (f == NULL)
		return e->status;
	outfile_on_top(out, f);
	return NFART_OK;
}

/* Writes the output. A file is replaced as a whole each time. */
static enum nfart_status write_profile(const struct nfaperf_options *o, const struct rv_profile *p,
				       struct nfart_error *e)
{
	struct buf b = { 0 };
	struct outfile out = { 0 };
	enum nfart_status status = outfile_open(&out, o->out, e);

	if (status == NFART_OK && o->to == NFAPERF_PPROF)
		status = compress_output(&out, e);
	if (status == NFART_OK && !print_output(o, p, &b))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (status == NFART_OK) {
		if (b.n != 0)
			fwrite(b.at, 1, b.n, out.f);
		status = outfile_commit(&out, e);
	}
	outfile_abort(&out);
	buf_free(&b);
	return status;
}

static void say_summary(const struct nfaperf_options *o, const struct rv_profile *p)
{
	struct buf b = { 0 };

	print_summary(p, &b);
	if (!o->quiet && !b.failed)
		fputs(b.at, stderr);
	buf_free(&b);
}

/* ---- all tokens ---- */

/*
 * Reads all tokens, and writes the output every o->every seconds. Returns NFART_OK; NFART_PARTIAL
 * if it was interrupted or the file is cut; or another status with *e set.
 */
static enum nfart_status read_tokens(const struct nfaperf_options *o, struct rv_profile *p,
				     struct token_reader *r, struct nfart_error *e)
{
	const struct nfaperf_token *t;
	time_t next = time(NULL) + (time_t)o->every;
	size_t n;
	bool last = false;

	while (!last && !interrupt_came()) {
		enum nfart_status status =
			token_reader_need(r, BLOCK + RV_AHEAD, &t, &n, &last, e);
		size_t most = last ? n : n - RV_AHEAD, taken;

		if (status != NFART_OK)
			return interrupt_came() ? NFART_PARTIAL : status;
		taken = rv_profile_put(p, t, n, last);
		token_reader_take(r, taken);
		if (taken < most || rv_profile_failed(p))
			return refuse_token(p, r, e);
		if (o->every == 0 || time(NULL) < next || last)
			continue;
		rv_profile_settle(p);
		status = write_profile(o, p, e);
		if (status != NFART_OK)
			return status;
		next = time(NULL) + (time_t)o->every;
	}
	rv_profile_settle(p);
	return interrupt_came() || r->cut ? NFART_PARTIAL : NFART_OK;
}

/* Matches chains instead of making stacks. Returns the same as read_tokens(). */
static enum nfart_status match_chains(const struct nfaperf_options *o, const struct rv_code *code,
				      struct token_reader *r, struct nfart_error *e)
{
	const struct nfaperf_token *t;
	struct rv_chains c;
	struct buf b = { 0 };
	struct outfile out = { 0 };
	enum nfart_status status = NFART_OK;
	size_t n;
	bool last = false;

	if (!rv_chains_init(&c, code, o->depth, o->match == NFAPERF_MATCH_CACHE))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	while (status == NFART_OK && !last && !interrupt_came()) {
		status = token_reader_need(r, BLOCK, &t, &n, &last, e);
		if (status == NFART_OK) {
			rv_chains_put(&c, t, n);
			token_reader_take(r, n);
		}
	}
	if (status == NFART_OK)
		status = outfile_open(&out, o->out, e);
	if (status == NFART_OK) {
		print_chains(&c, &b);
		fwrite(b.at, 1, b.n, out.f);
		status = outfile_commit(&out, e);
	}
	outfile_abort(&out);
	buf_free(&b);
	rv_chains_free(&c);
	return status == NFART_OK && (interrupt_came() || r->cut) ? NFART_PARTIAL : status;
}

/* Makes stacks and writes them. Returns the same as read_tokens(). */
static enum nfart_status make_stacks(const struct nfaperf_options *o, struct rv_code *code,
				     struct token_reader *r, struct nfart_error *e)
{
	struct rv_profile p = { 0 };
	struct streamed streamed = { 0 };
	enum nfart_status status = NFART_OK, written;

	if (!rv_profile_init(&p, code, (r->head.flags & NFAPERF_USER_MODE) != 0)) {
		if (p.harts != NULL)
			rv_profile_free(&p);
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	p.folding.keeps_mappings = o->to == NFAPERF_MAPS;
	if (is_streamed(o->to))
		status = streamed_begin(&streamed, o, &p, r->head.frequency, e);
	if (status == NFART_OK)
		status = read_tokens(o, &p, r, e);
	if (status == NFART_OK || status == NFART_PARTIAL) {
		written = is_streamed(o->to) ? streamed_end(&streamed, &p, e)
					     : write_profile(o, &p, e);
		if (written != NFART_OK)
			status = written;
		say_summary(o, &p);
	}
	streamed_free(&streamed);
	rv_profile_free(&p);
	return status;
}

/* Reads the tokens and writes the output. The code was read before. */
static enum nfart_status profile_tokens(const struct nfaperf_options *o, struct rv_code *code,
					struct nfart_error *e)
{
	struct token_reader r;
	enum nfart_status status = token_reader_open(&r, &o->source, code, e);

	if (status == NFART_OK)
		status = o->match == NFAPERF_MATCH_MAPPINGS ? make_stacks(o, code, &r, e)
							    : match_chains(o, code, &r, e);
	if (status == NFART_PARTIAL)
		fprintf(stderr, "nfaperf: %s\n",
			interrupt_came()
				? "interrupted: complete up to here"
				: "the file of tokens is cut off; what was read is written");
	token_reader_close(&r);
	return status;
}

/*
 * Checks that no output would overwrite an input. Also checks that the output can be written,
 * before all tokens are read.
 */
static enum nfart_status check_outputs(const struct nfaperf_options *o, struct nfart_error *e)
{
	const char *outputs[] = { o->out, o->events.protocol };
	enum nfart_status status = NFART_OK;

	for (size_t k = 0; k < 2 && status == NFART_OK && (k == 0 || outputs[k] != NULL); k++) {
		status = outfile_check(outputs[k], o->source.path != NULL ? o->source.path : "-", e);
		for (size_t i = 0; i < o->nelfs && status == NFART_OK; i++)
			status = outfile_check(outputs[k], o->elfs[i], e);
		if (status == NFART_OK)
			status = outfile_probe(outputs[k], e);
	}
	return status;
}

int main(int argc, char **argv)
{
	static struct nfaperf_options o;
	struct rv_code code;
	struct nfart_error e = { 0 };
	int code_of_exit = nfaperf_options_parse(&o, argc, argv);
	enum nfart_status status;

	if (code_of_exit != OPTION_GO_ON)
		return cli_finish("nfaperf", code_of_exit);
	interrupt_catch();
	status = check_outputs(&o, &e);
	if (!rv_code_init(&code))
		status = nfart_fail(&e, NFART_SYSTEM, "out of memory");
	if (status == NFART_OK)
		status = read_code(&o, &code, &e);
	if (status == NFART_OK)
		status = profile_tokens(&o, &code, &e);
	if (status != NFART_OK && status != NFART_PARTIAL)
		cli_report("nfaperf", &e);
	rv_code_free(&code);
	return cli_finish("nfaperf", (int)status);
}
