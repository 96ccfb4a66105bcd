/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Which options of nfarun go together. One rule follows the other; the file is a little over 500
 * lines so that all of them can be read in a row.
 */
#include "tools/nfarun/nfarun_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/run/shard.h"
#include "tools/nfarun/wrong_file.h"

/* Refuses options that can't be given together with --explain or --label. Returns 0 or an exit
 * code. */
static int check_explain(const struct nfarun_options *o)
{
	if (!o->run.use_explain && o->run.explain.chart != EXPLAIN_TEXT)
		return nfarun_wrong_use(o, "--emit goes with --explain", NULL);
	if (o->run.explain.chart != EXPLAIN_TEXT && o->run.explain.what == EXPLAIN_ALL)
		return nfarun_wrong_use(o, "--emit draws one batch: --explain first, or a time",
					NULL);
	if (!o->run.use_explain)
		return o->run.explain.label == NULL
			       ? 0
			       : nfarun_wrong_use(o, "--label goes with --explain", NULL);
	if (o->run.use_rtl || o->files.second != NULL)
		return nfarun_wrong_use(o,
					"--explain knows one image in the software engine: no "
					"--engine rtl, no --swap",
					NULL);
	if (o->run.jobs > 1 || o->shards.n != 0 || o->shards.merge || o->shards.ranks != 0)
		return nfarun_wrong_use(o, "--explain goes without --jobs and shards", NULL);
	if (o->ask.count || o->run.engine.lines || o->output.form != NFART_FORMAT_TEXT)
		return nfarun_wrong_use(
			o, "--explain writes text of its own: no --to, --lines, --count", NULL);
	return 0;
}

/* Checks the options about shards and ranks against the other options. Returns 0 or an exit
 * code. */
static int check_shards(const struct nfarun_options *o)
{
	const struct nfarun_shards *s = &o->shards;

	if (s->ranks == 0 && s->parts != 0)
		return nfarun_wrong_use(o, "--parts is for nfarun-mpi", NULL);
	if (s->ranks != 0 &&
	    (s->n != 0 || s->merge || o->output.out == NULL || o->files.trace == NULL))
		return nfarun_wrong_use(
			o,
			"nfarun-mpi needs a trace and -o FILE, and does --shard and "
			"--merge by itself",
			NULL);
	if (s->resume && s->n == 0 && s->ranks == 0)
		return nfarun_wrong_use(o, "--resume goes with --shard", NULL);
	if (s->n == 0 && !s->merge && s->ranks == 0)
		return 0;
	if (o->reader.begin != 0 || o->reader.end != 0)
		return nfarun_wrong_use(o, "shards are of a whole trace: no --between", NULL);
	if (s->n != 0 && s->merge)
		return nfarun_wrong_use(o, "--shard and --merge are two runs", NULL);
	if (o->files.second != NULL || o->run.use_rtl || o->run.jobs > 1)
		return nfarun_wrong_use(o, "shards go without --swap, --engine rtl and --jobs",
					NULL);
	if (s->n != 0 &&
	    (o->output.out == NULL || (o->ask.count && o->ask.question == ASK_NOTHING)))
		return nfarun_wrong_use(o, "--shard needs -o FILE; --count is for --merge", NULL);
	if (s->merge && (s->nfiles == 0 || s->nfiles > SHARD_MOST))
		return nfarun_wrong_use(o, "--merge needs a trace and the files of all shards",
					NULL);
	return 0;
}

/* Refuses options that say how an image runs, where no image runs, but for those about shards;
 * `what` says why. Returns 0 or an exit code. */
static int check_no_image(const struct nfarun_options *o, const char *what)
{
	const struct nfarun_run *r = &o->run;

	if (r->use_explain || r->explain.label != NULL || o->show.inspect ||
	    r->use_rtl || r->rtl.model != NULL || r->rtl.vcd != NULL || o->files.second != NULL ||
	    r->engine.lines || r->engine.has_substream || r->engine.reset_on_loss ||
	    r->tick != 0 || r->until != 0)
		return nfarun_wrong_use(o, what, NULL);
	return 0;
}

/* Does what check_no_image() does, of shards, too. */
static int check_no_run(const struct nfarun_options *o, const char *what)
{
	const struct nfarun_shards *s = &o->shards;

	if (s->n != 0 || s->merge || s->resume || s->ranks != 0)
		return nfarun_wrong_use(o, what, NULL);
	return check_no_image(o, what);
}

/* Checks --follow. Returns 0 or an exit code. */
static int check_follow(const struct nfarun_options *o)
{
	if (!o->files.follow)
		return 0;
	if (o->files.ntraces > 1)
		return nfarun_wrong_use(o, "--follow goes with one trace, not also with",
					o->files.traces[1]);
	if (o->files.against != NULL)
		return nfarun_wrong_use(o, "--follow goes without --against", NULL);
	if (o->shards.n != 0 || o->shards.merge || o->shards.ranks != 0)
		return nfarun_wrong_use(o, "shards are of a whole trace: no --follow", NULL);
	if (o->show.inspect || o->show.types)
		return nfarun_wrong_use(o, "--follow goes with traces", NULL);
	return 0;
}

/* Checks --live. Returns 0 or an exit code. */
static int check_live(const struct nfarun_options *o)
{
	const struct nfarun_output *w = &o->output;

	if (!w->live)
		return 0;
	if (w->out == NULL)
		return nfarun_wrong_use(o, "--live goes with -o FILE", NULL);
	if (w->form == NFART_FORMAT_VCD || w->form == NFART_FORMAT_PERFETTO)
		return nfarun_wrong_use(o, "--live is for formats that can be read before their "
					   "end, not", nfart_format_name(w->form));
	if (nfart_compression_of_name(w->out) != NFART_COMPRESSION_NONE)
		return nfarun_wrong_use(o, "--live does not compress: a compressed file is not "
					   "seen before its end", NULL);
	if (o->shards.n != 0 || o->shards.merge || o->shards.ranks != 0 || o->show.inspect ||
	    o->show.types || o->files.against != NULL)
		return nfarun_wrong_use(o, "--live goes with what is written while a trace is read",
					NULL);
	return 0;
}

/* Takes the n operands at `names` as traces. */
static void take_traces(struct nfarun_options *o, char **names, int n)
{
	o->files.traces = (const char *const *)names;
	o->files.ntraces = n > 0 ? (uint32_t)n : 0;
	o->files.trace = n > 0 ? names[0] : NULL;
}

/* Is standard output a terminal that shows the output? */
static bool to_terminal(const struct nfarun_options *o)
{
	return (o->output.out == NULL || strcmp(o->output.out, "-") == 0) && isatty(STDOUT_FILENO);
}

/* Chooses the form and the colours of batches. */
static void choose_form(struct nfarun_options *o)
{
	if (!o->output.has_form && !o->ask.count && !o->run.use_explain && o->shards.n == 0 &&
	    !o->show.inspect && o->shards.ranks == 0 && to_terminal(o))
		o->output.form = NFART_FORMAT_PRETTY;
	o->output.colour = terminal_has_colours(o->output.when_colour,
						to_terminal(o) ? STDOUT_FILENO : -1);
}

/* Checks what goes with batches as output. Returns 0 or an exit code. */
static int check_written(const struct nfarun_options *o)
{
	const struct nfarun_output *w = &o->output;

	if (w->has_times && w->form != NFART_FORMAT_PRETTY)
		return nfarun_wrong_use(o, "--times goes with --pretty", NULL);
	if (w->unhash && w->form != NFART_FORMAT_PRETTY && w->form != NFART_FORMAT_JSON)
		return nfarun_wrong_use(o, "--unhash goes with --pretty and -t json", NULL);
	if (w->unhash && (o->ask.count || o->ask.question != ASK_NOTHING))
		return nfarun_wrong_use(o, "--unhash is for batches, not for counts and answers",
					NULL);
	if (w->fields && w->form != NFART_FORMAT_JSON)
		return nfarun_wrong_use(o, "--fields goes with -t json", NULL);
	if (w->fields && (o->ask.count || o->ask.question != ASK_NOTHING))
		return nfarun_wrong_use(o, "--fields is for batches, not for counts and answers",
					NULL);
	if (w->provenance && w->form != NFART_FORMAT_TEXT && w->form != NFART_FORMAT_PRETTY &&
	    w->form != NFART_FORMAT_JSON && w->form != NFART_FORMAT_CSV &&
	    w->form != NFART_FORMAT_VCD)
		return nfarun_wrong_use(
			o, "--provenance goes with text, pretty, json, csv and vcd, not",
			nfart_format_name(w->form));
	if (w->provenance && (o->ask.count || o->ask.question != ASK_NOTHING ||
			      o->run.use_explain || o->shards.n != 0))
		return nfarun_wrong_use(o, "--provenance is for batches", NULL);
	return 0;
}

/* Checks what belongs to single questions. Returns 0 or an exit code. */
static int check_question(const struct nfarun_options *o)
{
	const struct nfarun_ask *a = &o->ask;

	if (a->question != ASK_LATENCY && a->question != ASK_COUNT && a->by != BY_NOTHING)
		return nfarun_wrong_use(o, "--by goes with --count and --latency", NULL);
	if (a->question == ASK_COUNT && a->by != BY_TYPE && a->by != BY_GROUP && a->by != BY_LINE)
		return nfarun_wrong_use(
			o, "--count --by takes type, group or line without an image", NULL);
	if (a->slowest != 0 && a->question != ASK_LATENCY)
		return nfarun_wrong_use(o, "--slowest goes with --latency", NULL);
	if (a->histogram && a->question != ASK_LATENCY && a->question != ASK_IN_FLIGHT)
		return nfarun_wrong_use(o, "--histogram goes with --latency and --in-flight", NULL);
	if (o->output.clock != 0 && a->question != ASK_LATENCY)
		return nfarun_wrong_use(o, "--clock goes with --latency: other answers are in "
					   "cycles", NULL);
	if (a->histogram && a->slowest != 0 && o->output.form == NFART_FORMAT_CSV)
		return nfarun_wrong_use(o, "csv has one table: --histogram or --slowest", NULL);
	return 0;
}

/* Refuses a form that is not one of tables. Returns 0 or an exit code. */
static int check_table(const struct nfarun_options *o)
{
	if (o->output.form != NFART_FORMAT_TEXT && o->output.form != NFART_FORMAT_JSON &&
	    o->output.form != NFART_FORMAT_CSV)
		return nfarun_wrong_use(o, "answers are text, json or csv, not",
					nfart_format_name(o->output.form));
	return 0;
}

/* Checks --list-types, which reads no trace. Returns 0 or an exit code. */
static int check_list(const struct nfarun_options *o, int argc, char **argv, int first)
{
	const struct nfarun_ask *a = &o->ask;
	const struct nfarun_output *w = &o->output;

	if (a->question != ASK_NOTHING || a->count || a->by != BY_NOTHING || a->histogram ||
	    a->slowest != 0 || o->run.jobs > 1 || w->fields || w->provenance || w->unhash ||
	    w->has_times || o->run.filter != NULL)
		return nfarun_wrong_use(o, "--list-types stands alone, with -p, -I, -t and -o",
					NULL);
	if (check_no_run(o, "--list-types stands alone, with -p, -I, -t and -o") != 0)
		return NFART_USAGE;
	return argc > first ? nfarun_wrong_use(o, "too many arguments:", argv[first])
			    : check_table(o);
}

/* Checks --list-signals, and takes the waveform. Returns 0 or an exit code. */
static int check_signals(struct nfarun_options *o, int argc, char **argv, int first)
{
	const struct nfarun_ask *a = &o->ask;
	const struct nfarun_output *w = &o->output;

	if (a->question != ASK_NOTHING || a->count || a->by != BY_NOTHING || a->histogram ||
	    a->slowest != 0 || o->run.jobs > 1 || w->fields || w->provenance || w->unhash ||
	    w->has_times || w->has_form || o->run.filter != NULL || o->show.types)
		return nfarun_wrong_use(o, "--list-signals stands alone, with -p, -I, -D and -o",
					NULL);
	if (check_no_run(o, "--list-signals stands alone, with -p, -I, -D and -o") != 0)
		return NFART_USAGE;
	take_traces(o, argv + first, argc - first);
	return argc > first + 1 ? nfarun_wrong_use(o, "too many arguments:", argv[first + 1]) : 0;
}

static int check_split(const struct nfarun_options *o)
{
	if (o->output.split != 0 &&
	    (o->output.out == NULL || o->output.form != NFART_FORMAT_PERFETTO))
		return nfarun_wrong_use(o, "--split goes with --to perfetto and -o FILE", NULL);
	return 0;
}

/* Checks a conversion, and takes its operands. Returns 0 or an exit code. */
static int check_convert(struct nfarun_options *o, int argc, char **argv, int first)
{
	o->convert = true;
	choose_form(o);
	take_traces(o, argv + first, argc - first);
	if (o->ask.histogram || o->ask.slowest != 0 || o->ask.by != BY_NOTHING)
		return nfarun_wrong_use(
			o,
			"-p without -e or an image converts: only options for reading and "
			"writing go with it",
			NULL);
	if (check_no_run(o, "-p without -e or an image converts: only options for reading and "
			    "writing go with it") != 0 || check_split(o) != 0)
		return NFART_USAGE;
	if (o->files.merge_traces && (o->files.ntraces < 2 || o->files.follow))
		return nfarun_wrong_use(o, "--merge-traces takes two traces or more, which end",
					NULL);
	return check_written(o);
}

/* Checks a comparison of two traces. Returns 0 or an exit code. */
static int check_against(const struct nfarun_options *o)
{
	const struct nfarun_ask *a = &o->ask;

	if (o->files.against == NULL)
		return 0;
	if (a->question == ASK_IN_FLIGHT)
		return nfarun_wrong_use(
			o, "--against goes with --latency, --open, --rate and --count", NULL);
	if (a->by == BY_LINE || a->by == BY_LABEL)
		return nfarun_wrong_use(o, "--against goes by pair, type or group", NULL);
	if (a->histogram || a->slowest != 0)
		return nfarun_wrong_use(o, "--against goes without --histogram and --slowest",
					NULL);
	if (o->files.ntraces > 1)
		return nfarun_wrong_use(o, "--against compares with one trace, not also with",
					o->files.traces[1]);
	if (strcmp(o->files.against, "-") == 0 &&
	    (o->files.trace == NULL || strcmp(o->files.trace, "-") == 0))
		return nfarun_wrong_use(o, "two traces can't both be standard input", NULL);
	return 0;
}

/* Takes the operands of a question: the traces, and with --merge the files of shards after one. */
static void take_asked(struct nfarun_options *o, char **at, int n)
{
	bool merge = o->shards.merge && n > 1;

	take_traces(o, at, merge ? 1 : n);
	o->shards.files = (const char *const *)at + 1;
	o->shards.nfiles = merge ? (uint32_t)n - 1 : 0;
}

/* Checks the options about shards of a question. Returns 0 or an exit code. */
static int check_asked_shards(const struct nfarun_options *o)
{
	const struct nfarun_shards *s = &o->shards;

	if (check_shards(o) != 0)
		return NFART_USAGE;
	if (s->n == 0 && !s->merge && s->ranks == 0)
		return 0;
	if (o->files.ntraces > 1 || o->files.trace == NULL ||
	    (o->files.against != NULL && strcmp(o->files.against, "-") == 0))
		return nfarun_wrong_use(o, "shards are of one trace in a file", NULL);
	return 0;
}

/* Checks a question about a trace, and takes its operands: the traces, and before them the image
 * for latencies by label. Returns 0 or an exit code. */
static int check_ask(struct nfarun_options *o, int argc, char **argv, int first)
{
	static const char no_run[] = "questions about a trace run no image: only options for "
				     "reading and writing go with them";
	bool by_label = o->ask.question == ASK_LATENCY && o->ask.by == BY_LABEL;
	int code = o->run.filter != NULL && !by_label ? nfarun_wrong_use(o, no_run, NULL)
						      : check_no_image(o, no_run);

	if (code == 0)
		code = check_question(o);
	if (code == 0)
		code = check_written(o);
	if (code != 0)
		return code;
	if (o->ask.count && o->ask.question != ASK_COUNT)
		return nfarun_wrong_use(o, "one question at a time: not another one with --count",
					NULL);
	if (check_table(o) != 0)
		return NFART_USAGE;
	if (by_label && o->run.filter == NULL) {
		if (argc == first || o->protocol != NULL)
			return nfarun_wrong_use(o, "--latency --by label needs an image before the "
						   "trace, or a filter (-e)", NULL);
		o->files.image = argv[first++];
	}
	take_asked(o, argv + first, argc - first);
	code = check_against(o);
	return code != 0 ? code : check_asked_shards(o);
}

/* Decides where no verb says so whether --count is a question about a trace, or about the run of an
 * image. `operand` is the first one, or NULL. */
static void find_question(struct nfarun_options *o, const char *operand)
{
	struct nfarun_ask *a = &o->ask;

	if (a->count && a->question == ASK_NOTHING && o->run.filter == NULL &&
	    (a->by == BY_TYPE || a->by == BY_GROUP || o->protocol != NULL ||
	     (a->by == BY_LINE && wrong_file_is_trace(operand))))
		a->question = ASK_COUNT;
}

/* Checks --count and --by of a run. Returns 0 or an exit code. */
static int check_count(struct nfarun_options *o)
{
	struct nfarun_ask *a = &o->ask;
	enum nfart_format form = o->output.form;

	if (a->by != BY_NOTHING && !a->count)
		return nfarun_wrong_use(o, "--by goes with --count", NULL);
	if (a->by != BY_NOTHING && a->by != BY_LINE && a->by != BY_LABEL && a->by != BY_RULE &&
	    a->by != BY_FIELD)
		return nfarun_wrong_use(o, "--count --by takes line, label, rule or field with an "
					"image or -e", NULL);
	if (a->by == BY_FIELD && a->field == NULL)
		return nfarun_wrong_use(o, "--by field names the field: --by field=NAME, or "
					"field=NAME/BITS for its highest bits", NULL);
	if (a->by == BY_FIELD && (o->shards.n != 0 || o->shards.merge || o->shards.ranks != 0))
		return nfarun_wrong_use(o, "--by field goes without shards", NULL);
	if (a->by == BY_RULE && (o->run.use_rtl || o->files.second != NULL || o->run.jobs > 1 ||
				 o->shards.n != 0 || o->shards.merge || o->shards.ranks != 0))
		return nfarun_wrong_use(o, "--by rule follows one image alone: no --jobs, shards, "
					"--engine rtl, --swap", NULL);
	a->by_line = a->by == BY_LINE;
	a->by_label = a->by == BY_LABEL;
	a->by_rule = a->by == BY_RULE;
	if (a->count && form != NFART_FORMAT_TEXT && form != NFART_FORMAT_JSON &&
	    form != NFART_FORMAT_CSV)
		return nfarun_wrong_use(o, "--count writes text, json or csv, not",
					nfart_format_name(form));
	if (a->by_line)
		o->run.engine.lines = true;
	return 0;
}

/* Takes the operands of a run: the image, unless there is -e; the traces; and with --merge the
 * files of the shards. Returns 0 or an exit code. */
static int take_operands(struct nfarun_options *o, int argc, char **argv, int first)
{
	const struct nfarun_shards *s = &o->shards;

	if (o->run.filter != NULL)
		first--; /* there is no image */
	if (argc == first && o->ask.count && o->ask.by == BY_LINE)
		return nfarun_wrong_use(o,
					"no image, and no -e; the messages of a trace are "
					"counted by: nfarun ask --count --by line",
					NULL);
	if (argc == first)
		return nfarun_wrong_use(
			o, o->verb == VERB_INSPECT ? "no image" : "no image, and no -e", NULL);
	if (argc - first > 2 && !s->merge &&
	    (o->run.use_explain || s->n != 0 || o->show.inspect || s->ranks != 0 ||
	     o->run.rtl.vcd != NULL))
		return nfarun_wrong_use(o, "too many arguments:", argv[first + 2]);
	o->files.image = o->run.filter == NULL ? argv[first] : NULL;
	take_traces(o, argv + first + 1, s->merge && argc - first > 2 ? 1 : argc - first - 1);
	o->shards.files = (const char *const *)argv + first + 2;
	o->shards.nfiles = s->merge && argc - first > 2 ? (uint32_t)(argc - first - 2) : 0;
	return 0;
}

/* Checks a run, a merge, and the inspection of an image, and takes the operands. Returns 0 or an
 * exit code. */
static int check_run(struct nfarun_options *o, int argc, char **argv, int first)
{
	const struct nfarun_run *r = &o->run;

	if (o->ask.histogram || o->ask.slowest != 0)
		return nfarun_wrong_use(
			o, "--histogram and --slowest go with questions about a trace", NULL);
	if (r->filter != NULL && (o->files.second != NULL || o->show.inspect || r->use_rtl))
		return nfarun_wrong_use(o, "-e goes without --swap, --inspect and --engine rtl",
					NULL);
	choose_form(o);
	if (take_operands(o, argc, argv, first) != 0 || check_split(o) != 0 || check_count(o) != 0)
		return NFART_USAGE;
	if (!r->use_rtl && (r->rtl.model != NULL || r->rtl.vcd != NULL))
		return nfarun_wrong_use(o, "--model and --vcd go with --engine rtl", NULL);
	if (check_shards(o) != 0)
		return NFART_USAGE;
	if (r->use_rtl && r->jobs > 1)
		return nfarun_wrong_use(o, "--jobs goes with the software engine", NULL);
	if (r->use_rtl && o->ask.by_line)
		return nfarun_wrong_use(o,
					"the engine in Verilog does not name every line: no --by",
					NULL);
	if (check_written(o) != 0)
		return NFART_USAGE;
	return check_explain(o);
}

/* Checks what was given without a verb, and takes the operands. Returns 0 or an exit code. */
static int check_without_verb(struct nfarun_options *o, int argc, char **argv, int first)
{
	find_question(o, argc > first ? argv[first] : NULL);
	if (o->show.signals)
		return check_signals(o, argc, argv, first);
	if (o->show.types)
		return check_list(o, argc, argv, first);
	if (o->ask.question != ASK_NOTHING)
		return check_ask(o, argc, argv, first);
	if (o->protocol != NULL && o->run.filter == NULL)
		return check_convert(o, argc, argv, first);
	return check_run(o, argc, argv, first);
}

/* Checks what was given with a verb, and takes the operands. Returns 0 or an exit code. */
static int check_verb(struct nfarun_options *o, int argc, char **argv, int first)
{
	switch (o->verb) {
	case VERB_ASK:
		if (o->ask.count && o->ask.question == ASK_NOTHING) {
			o->ask.question = ASK_COUNT;
			o->ask.by = o->ask.by == BY_NOTHING ? BY_TYPE : o->ask.by;
		}
		if (o->ask.question == ASK_NOTHING)
			return nfarun_wrong_use(o,
						"no question: --latency, --open, --in-flight, "
						"--rate or --count",
						NULL);
		return check_ask(o, argc, argv, first);
	case VERB_CONVERT:
		return check_convert(o, argc, argv, first);
	case VERB_INSPECT:
		if (o->show.signals)
			return check_signals(o, argc, argv, first);
		o->show.types = o->show.types || o->protocol != NULL;
		if (o->show.types && !o->show.inspect)
			return check_list(o, argc, argv, first);
		o->show.inspect = true;
		return check_run(o, argc, argv, first);
	case VERB_MERGE:
		o->shards.merge = true;
		return check_run(o, argc, argv, first);
	default:
		if (o->protocol != NULL && o->run.filter == NULL)
			return nfarun_wrong_use(o,
						"-p goes with -e; what converts a trace is "
						"nfarun convert",
						NULL);
		return check_run(o, argc, argv, first);
	}
}

/* Notes where a verb was taken for a file, or a file for a verb. `code` is what the checks
 * returned. */
static void note_verb(const struct nfarun_options *o, int code, int argc, char **argv, int first)
{
	const char *verb = o->args.words[0];

	if (o->verb != VERB_NONE && code == NFART_USAGE && access(verb, F_OK) == 0)
		fprintf(stderr,
			"nfarun: note: '%s' is a verb here; the file of this name is ./%s\n", verb,
			verb);
	if (o->verb == VERB_NONE && argc > first &&
	    option_find_verb(&nfarun_options, argv[first]) != 0 && access(argv[first], F_OK) != 0)
		fprintf(stderr, "nfarun: note: a verb stands before all options: nfarun %s ...\n",
			argv[first]);
}

int nfarun_options_parse(int argc, char **argv, struct nfarun_options *o)
{
	struct option_table table = nfarun_options;
	int first, code;

	table.verb = argc > 1 ? option_find_verb(&table, argv[1]) : VERB_NONE;
	o->verb = table.verb;
	o->output.form = NFART_FORMAT_TEXT;
	o->ask.by = BY_NOTHING;
	o->run.rtl.gap = 2;
	o->args.argc = argc;
	o->args.argv = argv;
	o->args.words = argv + (table.verb != VERB_NONE);
	o->args.nwords = argc - (table.verb != VERB_NONE);
	code = option_parse(&table, o->args.nwords, o->args.words, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code != NFART_OK ? code : -1;
	code = (o->verb == VERB_NONE ? check_without_verb : check_verb)(o, o->args.nwords,
									o->args.words, first);
	if (code == 0)
		code = check_follow(o);
	if (code == 0)
		code = check_live(o);
	note_verb(o, code, o->args.nwords, o->args.words, first);
	return code;
}
