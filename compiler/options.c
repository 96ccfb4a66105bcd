/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The command line of nfacc: the table of options, and handlers for options that do more than store
 * a value. The file is long because there are many options.
 */
#include "compiler/options.h"

#include <stdio.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "backends/etm/proof/etm_readings.h"
#include "compiler/command/command.h"
#include "compiler/targets.h"
#include "config.h"
#include "grammar/describe/builtin.h"
#include "support/cli.h"

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfacc", what, arg);
}

static int no_memory(void)
{
	fputs("nfacc: error: out of memory\n", stderr);
	return NFART_SYSTEM;
}

/* ---- values ---- */

static struct option_value named(const char *name)
{
	return (struct option_value){ name, NULL };
}

static struct option_value languages(size_t i)
{
	static const char *const names[] = { "re", "nfa", "yaml", "coh", NULL };

	return named(names[i]);
}

static struct option_value forms_of_checkers(size_t i)
{
	static const char *const names[] = { "any", "only", NULL };

	return named(names[i]);
}

static struct option_value colours(size_t i)
{
	static const char *const names[] = { "auto", "always", "never", NULL };

	return named(names[i]);
}

static struct option_value verify_levels(size_t i)
{
	static const char *const names[] = { "off", "bounded", "full", NULL };

	return named(names[i]);
}

static struct option_value counts(size_t i)
{
	static const char *const names[] = { "off", "auto", NULL };

	return named(names[i]);
}

static struct option_value models(size_t i)
{
	return named(map_model_names[i]);
}

static struct option_value formats(size_t i)
{
	static const char *const names[] = { "text", "json", "sarif", NULL };

	return named(names[i]);
}

static struct option_value protocols(size_t i)
{
	return named(builtin_protocols[i].name);
}

/* The words that --overlay takes besides names of files. */
static struct option_value overlays(size_t i)
{
	return named(i == 0 ? "none" : builtin_overlays[i - 1].name);
}

/* What --target takes. */
static struct option_value targets(size_t i)
{
	static const char *const names[] = {
		"etm4:a35", "etm4:a53", "etm4:a55", "etm4:a57", "etm4:a72", "etm4:a76", "etm4:a78",
		"ete:armv9", NULL
	};

	return named(names[i]);
}

static struct option_value readings(size_t i)
{
	static char name[ETM_READING_NAME];

	if (i > ETM_READINGS)
		return named(NULL);
	etm_reading_name((unsigned)i - 1, name);
	return named(i == 0 ? "all" : name);
}

static struct option_value layouts(size_t i)
{
	static const char *const names[] = { "fewest", "authors", "robust", NULL };

	return named(names[i]);
}

static struct option_value warnings(size_t i)
{
	return (struct option_value){ front_warnings[i].name, front_warnings[i].text };
}

/* The warnings that are off unless an option asks for them. */
static struct option_value warnings_off(size_t i)
{
	size_t k = 0;

	for (; front_warnings[k].name != NULL; k++)
		if (!front_warnings[k].on && i-- == 0)
			break;
	return warnings(k);
}

/* Does a pass before pass i have the same name? */
static bool is_repeated(size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(pass_name(k), pass_name(i)) == 0)
			return true;
	return false;
}

struct option_value options_pass(size_t i)
{
	size_t k = 0;

	for (; pass_name(k) != NULL; k++)
		if (!is_repeated(k) && i-- == 0)
			break;
	return named(pass_name(k));
}

/* ---- handlers ---- */

static int take_command(const struct option_given *g)
{
	struct options *o = g->options;
	const struct command *c = commands + 1;

	while (strcmp(c->name, g->row->name) != 0)
		c++;
	if (o->command != commands && o->command != c) {
		fprintf(stderr, "nfacc: one command at a time: --%s or --%s\nTry 'nfacc --help'.\n",
			o->command->name, c->name);
		return NFART_USAGE;
	}
	o->command = c;
	o->operand = g->value;
	return OPTION_GO_ON;
}

static int take_emit(const struct option_given *g)
{
	struct options *o = g->options;
	int i = option_choice(output_value, g->value);

	if (i < 0)
		return OPTION_WRONG;
	o->output = &outputs[i];
	return OPTION_GO_ON;
}

static int take_stop_after(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.passes.stop_after = g->value;
	return option_choice(options_pass, g->value) >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_no_pass(const struct option_given *g)
{
	struct options *o = g->options;

	for (size_t i = 0; pass_name(i) != NULL; i++)
		if (strcmp(pass_name(i), g->value) == 0)
			o->pipeline.passes.off |= 1u << i;
	return option_choice(options_pass, g->value) >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

/* Handles -O0, -O1, -O2 and -Os. The levels are those of ir/pass/passes.h. */
static int take_level(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.passes.level = g->row->glued[0] == 's' ? PASS_LEVEL_S : g->row->glued[0] - '0';
	return OPTION_GO_ON;
}

static int take_count(const struct option_given *g)
{
	struct options *o = g->options;
	uint64_t n = COUNT_THRESHOLD;

	if (strcmp(g->value, "off") == 0)
		n = 0;
	else if (strcmp(g->value, "auto") != 0 &&
		 (!cli_number(g->value, 0, &n, NULL) || n < 2 || n > UINT32_MAX))
		return OPTION_WRONG;
	o->pipeline.count = (uint32_t)n;
	return OPTION_GO_ON;
}

static int take_overlay(const struct option_given *g)
{
	struct options *o = g->options;
	bool bad = false;

	o->overlay_file = NULL;
	if (!overlay_numbers(g->value, &o->pipeline.overlay, &bad))
		o->overlay_file = g->value;
	return bad ? OPTION_WRONG : OPTION_GO_ON;
}

/* Takes etm4:CORE or ete:CORE. Registers are for people by default. */
static int take_target(const struct option_given *g)
{
	struct options *o = g->options;
	const char *colon = strchr(g->value, ':');

	o->target = g->value;
	if (strncmp(g->value, "etm4:", 5) != 0 && strncmp(g->value, "ete:", 4) != 0)
		return OPTION_WRONG;
	return colon[1] != 0 ? OPTION_GO_ON : OPTION_WRONG;
}

/* Takes the name of a reading, or all. */
static int take_reading(const struct option_given *g)
{
	struct options *o = g->options;
	int reading = etm_reading_find(g->value, strlen(g->value));

	if (strcmp(g->value, "all") == 0)
		o->pipeline.readings = (1u << ETM_READINGS) - 1;
	else if (reading >= 0)
		o->pipeline.readings |= 1u << reading;
	return reading >= 0 || strcmp(g->value, "all") == 0 ? OPTION_GO_ON : OPTION_WRONG;
}

enum { MOST_OVERRUN = 65535 };

/* Takes how many lines come after the output rises. */
static int take_bound(const struct option_given *g)
{
	struct options *o = g->options;
	uint64_t n;

	if (!cli_number(g->value, 0, &n, NULL) || n > MOST_OVERRUN)
		return OPTION_WRONG;
	o->bound = true;
	o->overrun = (uint32_t)n;
	return OPTION_GO_ON;
}

static int take_dir(const struct option_given *g)
{
	struct options *o = g->options;

	return vec_push(&o->dirs, g->value) ? OPTION_GO_ON : no_memory();
}

static int take_projection(const struct option_given *g)
{
	struct options *o = g->options;

	if (strcmp(g->value, "auto") == 0) {
		o->project_auto = true;
		return OPTION_GO_ON;
	}
	return vec_push(&o->projections, g->value) ? OPTION_GO_ON : no_memory();
}

static int take_werror(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.werror = true;
	return OPTION_GO_ON;
}

static int take_no_warning(const struct option_given *g)
{
	struct options *o = g->options;

	if (option_choice(warnings, g->value) < 0)
		return OPTION_WRONG;
	return vec_push(&o->disabled, g->value) ? OPTION_GO_ON : no_memory();
}

/* Turns on the warning of this name. */
static void turn_on(struct options *o, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < o->disabled.n; i++)
		if (strcmp(o->disabled.at[i], name) != 0)
			o->disabled.at[n++] = o->disabled.at[i];
	o->disabled.n = n;
}

static int take_param(const struct option_given *g)
{
	struct options *o = g->options;

	return vec_push(&o->params, g->value) ? OPTION_GO_ON : no_memory();
}

static int take_warning(const struct option_given *g)
{
	if (option_choice(warnings, g->value) < 0)
		return OPTION_WRONG;
	turn_on(g->options, g->value);
	return OPTION_GO_ON;
}

static int take_fatal(const struct option_given *g)
{
	struct options *o = g->options;

	if (option_choice(warnings, g->value) < 0)
		return OPTION_WRONG;
	turn_on(o, g->value);
	return vec_push(&o->fatal, g->value) ? OPTION_GO_ON : no_memory();
}

static int take_all(const struct option_given *g)
{
	for (size_t i = 0; front_warnings[i].name != NULL; i++)
		turn_on(g->options, front_warnings[i].name);
	return OPTION_GO_ON;
}

static int take_depends(const struct option_given *g)
{
	((struct options *)g->options)->depends = true;
	return OPTION_GO_ON;
}

static int take_no_names(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.names = false;
	return OPTION_GO_ON;
}

static int take_log(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.front.log = g->value;
	return strchr(g->value, ';') == NULL ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_window(const struct option_given *g)
{
	struct front_options *f = &((struct options *)g->options)->pipeline.front;

	const char *rest;

	f->has_window = true;
	if (cli_number(g->value, 0, &f->window, NULL)) {
		f->window_after = f->window;
		return OPTION_GO_ON;
	}
	return cli_number(g->value, ',', &f->window, &rest) &&
	       cli_number(rest, 0, &f->window_after, NULL) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_tick(const struct option_given *g)
{
	struct front_options *f = &((struct options *)g->options)->pipeline.front;

	return cli_number(g->value, 0, &f->tick, NULL) && f->tick >= 1 && f->tick <= UINT32_MAX
		       ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_substream(const struct option_given *g)
{
	struct front_options *f = &((struct options *)g->options)->pipeline.front;

	const char *rest = g->value;
	uint64_t address, lines;
	bool last = false;

	f->substream = g->value;
	while (!last) {
		if (!cli_number(rest, ',', &address, &rest))
			return OPTION_WRONG;
		last = cli_number(rest, 0, &lines, NULL);
		if ((!last && !cli_number(rest, ',', &lines, &rest)) || lines == 0)
			return OPTION_WRONG;
	}
	return OPTION_GO_ON;
}

/* Reads numbers with commas between them, at least `fewest` and at most `most`. Number i goes to
 * *out[i] and must be from range[i][0] to range[i][1]. False: s has another form. */
static bool numbers(const char *s, uint32_t *const *out, const uint32_t (*range)[2], size_t fewest,
		    size_t most)
{
	for (size_t i = 0; i < most; i++) {
		size_t n = strcspn(s, ",");
		uint64_t v;
		if (!cli_number(s, s[n], &v, NULL) || v < range[i][0] || v > range[i][1])
			return false;
		*out[i] = (uint32_t)v;
		s += n;
		if (*s == 0)
			return i + 1 >= fewest;
		s++;
	}
	return false;
}

static int take_fit_range(const struct option_given *g)
{
	static const uint32_t sizes[][2] = { { OVERLAY_LEAST_clique, OVERLAY_MOST_clique },
					     { OVERLAY_LEAST_length, OVERLAY_MOST_length },
					     { OVERLAY_LEAST_rings, OVERLAY_MOST_rings },
					     { OVERLAY_LEAST_reach, OVERLAY_MOST_reach },
					     { 1, OVERLAY_MOST_STES } };
	struct fit_range *r = &((struct options *)g->options)->search.range;
	uint32_t *const out[] = { &r->clique, &r->length, &r->rings, &r->reach, &r->stes };

	return numbers(g->value, out, sizes, OVERLAY_NGRAPH, OVERLAY_NGRAPH + 1) ? OPTION_GO_ON
										 : OPTION_WRONG;
}

static int take_fit_weights(const struct option_given *g)
{
	static const uint32_t weights[][2] = { { 0, FIT_MOST_WEIGHT }, { 0, FIT_MOST_WEIGHT } };
	struct fit_weights *w = &((struct options *)g->options)->search.weights;
	uint32_t *const out[] = { &w->lut, &w->ff };

	return numbers(g->value, out, weights, 2, 2) && w->lut + w->ff != 0 ? OPTION_GO_ON
									    : OPTION_WRONG;
}

/* ---- the table ---- */

enum { COMMAND, OUTPUT, INPUT, TARGET, MAPPING, FITTING, PASSES, PROOF, DIAGNOSTICS };

static const char *const groups[] = { "Instead of compiling", "Output",     "Input",
				      "Target",	      "Mapping",    "With --fit",
				      "Passes",		      "Proof",	    "Diagnostics" };

enum {
	COMPILING = 1 << OUTPUT | 1 << INPUT | 1 << TARGET | 1 << MAPPING | 1 << PASSES |
		    1 << PROOF | 1 << DIAGNOSTICS,
	FITS = 1 << INPUT | 1 << TARGET | 1 << FITTING | 1 << PASSES | 1 << DIAGNOSTICS,
	ESTIMATES = 1 << INPUT | 1 << TARGET | 1 << PASSES | 1 << DIAGNOSTICS
};

static const struct option_form forms[] = {
	{ "[options] FILE... -o CFG.BIN", COMPILING },
	{ "--emit=WHAT [options] [-o OUTPUT] FILE...", 0 },
	{ "--check [options] FILE...", 0 },
	{ "--fit [options] [-o OVERLAY.OV] FILE...", FITS },
	{ "--estimate [options] [-o OUTPUT] [FILE...]", ESTIMATES },
	{ "--equal | --contains FILE FILE", 0 },
	{ "--empty | --universal FILE", 0 },
	{ "--inspect CFG.BIN [-o OUTPUT]", 0 },
	{ "--map-graph FILE.G [options]", 1 << MAPPING },
	{ "--list [PROTOCOL]", 0 },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct options, field)

static const struct option_row rows[] = {
	{ COMMAND, .name = "fit", .take = take_command,
	  .help = "find the cheapest overlay that each file fits: print the trade-offs, write its "
		  "description to -o" },
	{ COMMAND, .name = "estimate", .take = take_command,
	  .help = "print how large the automaton is, and what the overlay costs, also by the "
		  "thesis's equations" },
	{ COMMAND, .name = "equal", .take = take_command,
	  .help = "do two files accept the same? The answer of this and the next three is the exit "
		  "code, 0 or 7" },
	{ COMMAND, .name = "contains", .take = take_command,
	  .help = "does the second file accept all that the first one accepts?" },
	{ COMMAND, .name = "empty", .take = take_command, .help = "is nothing ever accepted?" },
	{ COMMAND, .name = "universal", .take = take_command, .help = "is every batch accepted?" },
	{ COMMAND, .name = "inspect", .kind = OPTION_FILE, .arg = "CFG.BIN", .take = take_command,
	  .help = "turn an image back into filter text" },
	{ COMMAND, .name = "map-graph", .kind = OPTION_FILE, .arg = "FILE.G", .take = take_command,
	  .help = "map a raw graph and no filter" },
	{ COMMAND, .name = "list", .take = take_command, .operand = protocols,
	  .help = "the shipped protocols and overlays, the passes and the warnings; with the name "
		  "of a protocol, its fields, slots, types and events" },
	{ COMMAND, .letter = 'h', .name = "help", .take = option_help, .help = "this text" },
	{ COMMAND, .name = "version", .take = option_version, .help = "the version" },

	{ OUTPUT, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE", AT(out),
	  .help = "the output; without it anything but an image goes to standard output" },
	{ OUTPUT, .name = "emit", .kind = OPTION_CHOICE, .arg = "WHAT", .value = output_value,
	  .usual = "image", .take = take_emit, .help = "what is written" },
	{ OUTPUT, .name = "check", AT(check), .help = "compile and write nothing" },
	{ OUTPUT, .name = "stats", AT(stats),
	  .help = "print states and transitions before and after every pass, and times" },
	{ OUTPUT, .letter = 'M', .glued = "D", .take = take_depends,
	  .help = "write the files that were read beside the output, as a rule for make" },
	{ OUTPUT, .name = "no-names", .take = take_no_names,
	  .help = "leave places in the source out of the image" },
	{ OUTPUT, .name = "source", AT(pipeline.source),
	  .help = "put the source files into the image" },

	{ INPUT, .letter = 'x', .kind = OPTION_CHOICE, .arg = "LANGUAGE", .value = languages,
	  AT(language), .usual = "by their endings", .help = "the language of the files" },
	{ INPUT, .letter = 'I', .kind = OPTION_DIR, .arg = "DIR", .take = take_dir, .repeats = true,
	  .help = "look for NAME.proto there first" },
	{ INPUT, .letter = 'D', .kind = OPTION_TEXT, .arg = "NAME=NUMBER", .take = take_param,
	  .repeats = true, .help = "set a parameter of the filters" },
	{ INPUT, .name = "protocol", .kind = OPTION_TEXT, .arg = "NAME", .value = protocols,
	  AT(pipeline.front.protocol),
	  .help = "the protocol; this and the next four are for the YAML form, which lacks these "
		  "statements" },
	{ INPUT, .name = "window", .kind = OPTION_TEXT, .arg = "B[,A]", .take = take_window,
	  .takes = "one or two numbers",
	  .help = "output logged batches too, up to B before an accepted one and A after it "
		  "(without A: B)" },
	{ INPUT, .name = "log", .kind = OPTION_TEXT, .arg = "EXPR", .takes = "one expression",
	  .take = take_log, .help = "after which streams a batch is logged" },
	{ INPUT, .name = "substream", .kind = OPTION_TEXT, .arg = "ADDR,N[,ADDR,N...]",
	  .takes = "ADDR,N[,ADDR,N...] with N >= 1",
	  .take = take_substream, .help = "the lines to observe" },
	{ INPUT, .name = "tick", .kind = OPTION_NUMBER, .arg = "N", .take = take_tick,
	  .takes = "a number from 1 to 4294967295",
	  .help = "how many cycles ticks are apart" },

	{ INPUT, .name = "form", .kind = OPTION_CHOICE, .arg = "FORM", .value = forms_of_checkers,
	  .usual = "any", AT(form),
	  .help = "of a .coh file: right if a batch has one message of a line (any), or several "
		  "(only)" },
	{ INPUT, .name = "project", .kind = OPTION_TEXT, .arg = "GROUP[,GROUP...]|auto",
	  .takes = "names, separated by commas, or auto", .take = take_projection, .repeats = true,
	  .help = "of a .coh file: a checker that sees these events alone; auto: what fits the "
		  "overlay and finds most" },

	{ TARGET, .name = "target", .kind = OPTION_TEXT, .arg = "WHAT", .value = targets,
	  .take = take_target, .takes = "etm4:CORE or ete:CORE",
	  .help = "the trace unit of a core: etm4:CORE or ete:CORE, the name of a shipped one or a "
		  "file; without it the target is an overlay" },
	{ TARGET, .name = "layout", .kind = OPTION_CHOICE, .arg = "WHICH", .value = layouts,
	  AT(pipeline.etm.layout), .usual = "fewest",
	  .help = "which selectors of a trace unit are used: the fewest, the fewest that do not "
		  "rely on the sequencer's priority (robust), or those of the programs published "
		  "with the paper on ETM² (authors)" },
	{ TARGET, .name = "reading", .kind = OPTION_TEXT, .arg = "WHICH", .value = readings,
	  .take = take_reading, .takes = "all, default, or priority, zero and delay joined by +",
	  .help = "says whether registers mean the source in a reading of what no published text "
		  "settles: all, default, or priority, zero and delay joined by +" },
	{ TARGET, .name = "bound", .kind = OPTION_NUMBER, .arg = "O", .take = take_bound,
	  .takes = "a number from 0 to 65535",
	  .help = "prove how many lines a regulator for a trace unit lets through at most, O of "
		  "which come after its output rises" },
	{ TARGET, .name = "overlay", .kind = OPTION_FILE, .arg = "WHAT", .value = overlays,
	  .take = take_overlay, .takes = "C,L,R,N[,NCLS] in range", .usual = "default",
	  .help = "a file, C,L,R,N[,NCLS], the name of a shipped overlay, or none: an image for "
		  "the software engine alone" },

	{ MAPPING, .name = "map", .kind = OPTION_CHOICE, .arg = "MODEL", .value = models,
	  .usual = "auto", AT(pipeline.map.model), .help = "who maps" },
	{ MAPPING, .name = "map-steps", .kind = OPTION_NUMBER, .arg = "N", AT(pipeline.map.steps),
	  .help = "placements that the search tries at most" },
	{ MAPPING, .name = "map-rows", .kind = OPTION_NUMBER, .arg = "N", AT(pipeline.map.rows),
	  .help = "rows of an integer program at most" },
	{ MAPPING, .name = "map-nodes", .kind = OPTION_NUMBER, .arg = "N", AT(pipeline.map.nodes),
	  .help = "nodes of its branch and bound at most" },
	{ MAPPING, .name = "map-time", .kind = OPTION_NUMBER, .arg = "SECONDS",
	  AT(pipeline.map.seconds),
	  .help = "a limit of time; what comes out then depends on the machine" },

	{ FITTING, .name = "fit-range", .kind = OPTION_TEXT, .arg = "C,L,R,N[,STES]",
	  .take = take_fit_range, .takes = "C,L,R,N[,STES] in range",
	  .help = "the largest overlay that is tried" },
	{ FITTING, .name = "fit-weights", .kind = OPTION_TEXT, .arg = "LUT,FF",
	  .take = take_fit_weights, .takes = "LUT,FF, at most 1000 and not both 0", .usual = "1,1",
	  .help = "what a LUT and a FF cost" },
	{ FITTING, .name = "fit-probes", .kind = OPTION_NUMBER, .arg = "N", AT(search.probes),
	  .help = "how many overlays are tried at most" },

	{ PASSES, .letter = 'O', .glued = "0", .take = take_level,
	  .help = "the thesis's two passes alone" },
	{ PASSES, .letter = 'O', .glued = "1", .take = take_level,
	  .help = "all that are fast (default)" },
	{ PASSES, .letter = 'O', .glued = "2", .take = take_level, .help = "fewer states" },
	{ PASSES, .letter = 'O', .glued = "s", .take = take_level,
	  .help = "fewer states, within what an STE can be connected with" },
	{ PASSES, .name = "count", .kind = OPTION_TEXT, .arg = "off|auto|N", .value = counts,
	  .take = take_count, .takes = "off, auto or a number of at least 2",
	  .help = "repetitions from N on (auto: 16) become counters where that is exact and the "
		  "overlay has them" },
	{ PASSES, .name = "stop-after", .kind = OPTION_CHOICE, .arg = "PASS", .value = options_pass,
	  .no_such = "no pass", .take = take_stop_after,
	  .help = "with --emit=nfa or dot: stop after this pass (see --list)" },
	{ PASSES, .name = "no-pass", .kind = OPTION_CHOICE, .arg = "PASS", .value = options_pass,
	  .no_such = "no pass", .take = take_no_pass, .repeats = true,
	  .help = "leave this pass out" },

	{ PROOF, .name = "verify", .kind = OPTION_CHOICE, .arg = "HOW", .value = verify_levels,
	  .usual = "bounded", AT(pipeline.verify),
	  .help = "prove that the image means what the source says" },
	{ PROOF, .name = "proof-steps", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  AT(pipeline.proof_steps), .help = "a limit for proofs, and for --equal and the like" },

	{ DIAGNOSTICS, .letter = 'W', .glued = "error", .take = take_werror,
	  .help = "warnings are errors" },
	{ DIAGNOSTICS, .letter = 'W', .glued = "error=", .kind = OPTION_CHOICE, .arg = "NAME",
	  .value = warnings, .no_such = "no warning", .take = take_fatal, .repeats = true,
	  .help = "turn on the warning of this name, as an error" },
	{ DIAGNOSTICS, .letter = 'W', .glued = "all", .take = take_all,
	  .help = "turn on all warnings" },
	{ DIAGNOSTICS, .letter = 'W', .glued = "no-", .kind = OPTION_CHOICE, .arg = "NAME",
	  .value = warnings, .no_such = "no warning", .take = take_no_warning, .repeats = true,
	  .help = "turn off the warning of this name" },
	{ DIAGNOSTICS, .letter = 'W', .glued = "", .kind = OPTION_CHOICE, .arg = "NAME",
	  .value = warnings_off, .no_such = "no warning", .take = take_warning, .repeats = true,
	  .help = "turn it on (see --list)" },
	{ DIAGNOSTICS, .name = "diagnostics", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = formats, .usual = "text", AT(diagnostics),
	  .help = "the form of errors and warnings, on standard error: json has an object a line" },
	{ DIAGNOSTICS, .name = "color", .kind = OPTION_CHOICE, .arg = "WHEN", .value = colours,
	  .usual = "auto", AT(colour), .help = "colour messages" },
	{ DIAGNOSTICS, .name = "colour", .kind = OPTION_CHOICE, .arg = "WHEN", .value = colours,
	  AT(colour), .hidden = true },
};

enum { NROWS = sizeof rows / sizeof rows[0] };

const struct option_table nfacc_options = {
	.tool = "nfacc",
	.version = "nfacc " PACKAGE_VERSION,
	.forms = forms,
	.about = "Compiles filters over hardware event streams. Several files are one unit; '-' is "
		 "standard input.",
	.groups = groups,
	.rows = rows,
	.n = NROWS,
};

/* ---- what can only be said of all options together ---- */

static bool runs(const struct options *o, const char *name)
{
	for (size_t i = 0; pass_name(i) != NULL; i++)
		if (strcmp(pass_name(i), name) == 0 && pass_at_level(i, o->pipeline.passes.level) &&
		    (o->pipeline.passes.off >> i & 1) == 0)
			return true;
	return false;
}

static int check_passes(const struct options *o)
{
	const char *stop = o->pipeline.passes.stop_after;

	if (stop != NULL && o->output->last != STAGE_NFA)
		return wrong_use("--stop-after goes with --emit=nfa or --emit=dot", NULL);
	if (stop != NULL && !runs(o, stop))
		return wrong_use("--stop-after: this pass does not run:", stop);
	if (o->output->last > STAGE_NFA && (!runs(o, "epsilon") || !runs(o, "homogenise")))
		return wrong_use("an image needs the passes epsilon and homogenise", NULL);
	return OPTION_GO_ON;
}

/* Refuses an option that command c can't be given together with. Returns an exit code. */
static int check_without(const struct command *c, const bool *given)
{
	for (size_t k = 0; c->without != NULL && c->without[k] != NULL; k++)
		for (size_t i = 0; i < NROWS; i++)
			if (given[i] && rows[i].name != NULL &&
			    strcmp(rows[i].name, c->without[k]) == 0) {
				fprintf(stderr,
					"nfacc: --%s goes without --%s\nTry 'nfacc --help'.\n",
					c->name, rows[i].name);
				return NFART_USAGE;
			}
	return OPTION_GO_ON;
}

static int no_filter(const struct output *output)
{
	fprintf(stderr, "nfacc: --emit=%s takes no filter\nTry 'nfacc --help'.\n", output->name);
	return NFART_USAGE;
}

static void take_output(struct options *o, const char *name)
{
	o->output = &outputs[option_choice(output_value, name)];
}

static int check_together(struct options *o, const bool *given)
{
	bool compiles = o->command == commands, inspects = o->command->run == cmd_inspect;
	int code = check_without(o->command, given);

	if (code != OPTION_GO_ON)
		return code;
	if (o->target != NULL && compiles && o->output == outputs)
		take_output(o, "table");
	if (o->target != NULL && !inspects && (!compiles || output_is_alone(o->output)))
		return wrong_use("--target goes with compiling and --inspect", NULL);
	if (inspects && o->target == NULL && o->files.n != 0)
		return wrong_use("--inspect takes one image and no filter", NULL);
	if (o->pipeline.readings != 0 && o->target == NULL)
		return wrong_use("--reading goes with --target", NULL);
	if (o->pipeline.readings != 0 && o->output == &outputs[option_choice(output_value, "table")])
		take_output(o, "readings");
	if (o->pipeline.readings == 0 && !inspects)
		o->pipeline.readings = (1u << ETM_READINGS) - 1;
	if (o->bound && o->target == NULL)
		return wrong_use("--bound goes with --target", NULL);
	if (o->bound && o->output != &outputs[option_choice(output_value, "table")] &&
	    o->output != &outputs[option_choice(output_value, "json")])
		return wrong_use("--bound goes with --emit=table or --emit=json", NULL);
	if (o->project_auto && (!compiles || o->projections.n != 0))
		return wrong_use("--project=auto stands alone, and compiles", NULL);
	if (compiles && output_is_alone(o->output))
		o->command = &command_emit_overlay;
	if (o->files.n < o->command->least || o->files.n > o->command->most)
		return o->command->files != NULL ? wrong_use(o->command->files, NULL)
						 : no_filter(o->output);
	if (o->depends && (!compiles || o->check || o->out == NULL || strcmp(o->out, "-") == 0))
		return wrong_use("-MD goes with compiling into a file", NULL);
	if (o->depends && strlen(o->out) > 2 && strcmp(o->out + strlen(o->out) - 2, ".d") == 0)
		return wrong_use("-MD would write over", o->out);
	if (o->diagnostics == DIAGNOSTICS_SARIF && !compiles)
		return wrong_use("--diagnostics=sarif goes with compiling alone", NULL);
	if (compiles && o->output->kind == OUTPUT_IMAGE && o->out == NULL && !o->check)
		return wrong_use("no output: -o FILE, or --check to write none", NULL);
	return compiles || o->command->run == cmd_fit || o->command->run == cmd_estimate
		       ? check_passes(o) : OPTION_GO_ON;
}

int options_check_target(const struct options *o)
{
	const struct overlay *v = &o->pipeline.overlay.o;
	const struct overlay any = { .none = false };
	enum output_kind kind = o->output->kind;

	if (!o->command->overlay)
		return NFART_OK;
	if (o->target == NULL &&
	    (kind == OUTPUT_REGISTERS ||
	     (kind == OUTPUT_TARGET &&
	      target_find_output(target_of(&any, NULL), o->output->name) == NULL &&
	      target_find_output(&target_etm, o->output->name) != NULL)))
		return wrong_use("this output is for a trace unit, and needs --target:",
				 o->output->name);
	if (o->command->run == cmd_fit && v->none)
		return wrong_use("--fit: overlay none has no cost", NULL);
	if (o->command->run == cmd_estimate && o->files.n == 0 && v->none)
		return wrong_use("--estimate: overlay none has no cost", NULL);
	if (kind == OUTPUT_OVERLAY && v->none)
		return wrong_use("overlay none is no hardware", NULL);
	if (o->target != NULL && !etm_has_output(o->pipeline.core, o->output->name))
		return wrong_use("Linux's driver does not know the external inputs of an ETE:",
				 o->output->name);
	if ((kind != OUTPUT_TARGET && kind != OUTPUT_SETUP) ||
	    target_find_output(target_of(v, o->pipeline.core), o->output->name) != NULL)
		return NFART_OK;
	if (o->target != NULL)
		return wrong_use("a trace unit has no output", o->output->name);
	return wrong_use(kind == OUTPUT_SETUP ? "overlay none is no hardware"
					      : "an image of overlay none is for no hardware",
			 NULL);
}

int options_parse(struct options *o, int argc, char **argv)
{
	bool given[NROWS] = { false };
	int first, code;

	memset(o, 0, sizeof *o);
	o->command = commands;
	o->output = outputs;
	o->language = LANGUAGE_BY_NAME;
	pipeline_options_init(&o->pipeline);
	fit_options_init(&o->search);
	for (size_t i = 0; front_warnings[i].name != NULL; i++)
		if (!front_warnings[i].on && !vec_push(&o->disabled, front_warnings[i].name))
			return no_memory();
	code = option_parse(&nfacc_options, argc, argv, o, given, &first);
	for (int i = first; code == OPTION_GO_ON && i < argc; i++)
		if (!vec_push(&o->files, argv[i]))
			code = no_memory();
	o->pipeline.coherence.only = o->form == CHECKER_ONLY;
	o->pipeline.coherence.projections = o->projections.at;
	o->pipeline.coherence.nprojections = o->projections.n;
	o->pipeline.dirs = o->dirs.at;
	o->pipeline.ndirs = o->dirs.n;
	o->pipeline.disabled = o->disabled.at;
	o->pipeline.ndisabled = o->disabled.n;
	o->pipeline.front.params = o->params.at;
	o->pipeline.front.nparams = o->params.n;
	o->pipeline.fatal = o->fatal.at;
	o->pipeline.nfatal = o->fatal.n;
	return code == OPTION_GO_ON ? check_together(o, given) : code;
}

void options_free(struct options *o)
{
	vec_free(&o->disabled);
	vec_free(&o->fatal);
	vec_free(&o->dirs);
	vec_free(&o->projections);
	vec_free(&o->params);
	vec_free(&o->files);
}
