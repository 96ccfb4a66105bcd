/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The command line of nfacc: the table of options.
 */
#include "compiler/options.h"

#include <string.h>

#include "compiler/command/command.h"
#include "compiler/options_check.h"
#include "compiler/options_take.h"

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
	{ COMMAND, .name = "fit", .take = options_take_command,
	  .help = "find the cheapest overlay that each file fits: print the trade-offs, write its "
		  "description to -o" },
	{ COMMAND, .name = "estimate", .take = options_take_command,
	  .help = "print how large the automaton is, and what the overlay costs, also by the "
		  "thesis's equations" },
	{ COMMAND, .name = "equal", .take = options_take_command,
	  .help = "do two files accept the same? The answer of this and the next three is the exit "
		  "code, 0 or 7" },
	{ COMMAND, .name = "contains", .take = options_take_command,
	  .help = "does the second file accept all that the first one accepts?" },
	{ COMMAND, .name = "empty", .take = options_take_command,
	  .help = "is nothing ever accepted?" },
	{ COMMAND, .name = "universal", .take = options_take_command,
	  .help = "is every batch accepted?" },
	{ COMMAND, .name = "inspect", .kind = OPTION_FILE, .arg = "CFG.BIN",
	  .take = options_take_command,
	  .help = "turn an image back into filter text" },
	{ COMMAND, .name = "map-graph", .kind = OPTION_FILE, .arg = "FILE.G",
	  .take = options_take_command,
	  .help = "map a raw graph and no filter" },
	{ COMMAND, .name = "list", .take = options_take_command, .operand = options_protocols,
	  .help = "the shipped protocols and overlays, the passes and the warnings; with the name "
		  "of a protocol, its fields, slots, types and events" },
	OPTION_ROWS_ABOUT(COMMAND),

	{ OUTPUT, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE",
	  AT(emit.file),
	  .help = "the output; without it anything but an image goes to standard output" },
	{ OUTPUT, .name = "emit", .kind = OPTION_CHOICE, .arg = "WHAT", .value = output_value,
	  .usual = "image", .take = options_take_emit, .help = "what is written" },
	{ OUTPUT, .name = "at", .kind = OPTION_TEXT, .arg = "PREFIX", .take = options_take_at,
	  .repeats = true,
	  .help = "with --emit=bind or monitor: where the signals of the taps are, such as "
		  "soc.cpu.m_axi_; with several interfaces USE=PREFIX" },
	{ OUTPUT, .name = "signal", .kind = OPTION_TEXT, .arg = "NAME=EXPRESSION",
	  .take = options_take_signal, .repeats = true,
	  .help = "with --emit=bind or monitor: what is connected to a port of the taps" },
	{ OUTPUT, .name = "check", AT(check), .help = "compile and write nothing" },
	{ OUTPUT, .name = "stats", AT(emit.stats),
	  .help = "print states and transitions before and after every pass, and times" },
	{ OUTPUT, .letter = 'M', .glued = "D", .take = options_take_depends,
	  .help = "write the files that were read beside the output, as a rule for make" },
	{ OUTPUT, .name = "no-names", .take = options_take_no_names,
	  .help = "leave places in the source out of the image" },
	{ OUTPUT, .name = "source", AT(pipeline.sections.source),
	  .help = "put the source files into the image" },

	{ INPUT, .letter = 'x', .kind = OPTION_CHOICE, .arg = "LANGUAGE",
	  .value = options_languages,
	  AT(language), .usual = "by their endings", .help = "the language of the files" },
	{ INPUT, .letter = 'I', .kind = OPTION_DIR, .arg = "DIR", .take = options_take_dir,
	  .repeats = true,
	  .help = "look for NAME.proto there first" },
	{ INPUT, .letter = 'D', .kind = OPTION_TEXT, .arg = "NAME=NUMBER",
	  .take = options_take_param,
	  .repeats = true, .help = "set a parameter of the filters" },
	{ INPUT, .name = "protocol", .kind = OPTION_TEXT, .arg = "NAME", .value = options_protocols,
	  AT(pipeline.front.protocol),
	  .help = "the protocol; this and the next four are for the YAML form, which lacks these "
		  "statements" },
	{ INPUT, .name = "window", .kind = OPTION_TEXT, .arg = "B[,A]", .take = options_take_window,
	  .takes = "one or two numbers",
	  .help = "output logged batches too, up to B before an accepted one and A after it "
		  "(without A: B)" },
	{ INPUT, .name = "log", .kind = OPTION_TEXT, .arg = "EXPR", .takes = "one expression",
	  .take = options_take_log, .help = "after which streams a batch is logged" },
	{ INPUT, .name = "substream", .kind = OPTION_TEXT, .arg = "ADDR,N[,ADDR,N...]",
	  .takes = "ADDR,N[,ADDR,N...] with N >= 1",
	  .take = options_take_substream, .help = "the lines to observe" },
	{ INPUT, .name = "tick", .kind = OPTION_NUMBER, .arg = "N", .take = options_take_tick,
	  .takes = "a number from 1 to 4294967295",
	  .help = "how many cycles ticks are apart" },

	{ INPUT, .name = "form", .kind = OPTION_CHOICE, .arg = "FORM",
	  .value = options_forms_of_checkers,
	  .usual = "any", AT(checker.form),
	  .help = "of a .coh file: right if a batch has one message of a line (any), or several "
		  "(only; states, follow: the same for more rules, in software)" },
	{ INPUT, .name = "restart", .kind = OPTION_CHOICE, .arg = "WHEN",
	  .value = options_restarts_of_checkers,
	  .usual = "anew", AT(checker.restart),
	  .help = "of a .coh file: after an error of a line its checker begins anew, or never, and "
		  "accepts for ever" },
	{ INPUT, .name = "project", .kind = OPTION_TEXT, .arg = "GROUP[,GROUP...]|auto",
	  .takes = "names, separated by commas, or auto", .take = options_take_projection,
	  .repeats = true,
	  .help = "of a .coh file: a checker that sees these events alone; auto: what fits the "
		  "overlay and finds most" },
	{ INPUT, .name = "checker-states", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = 1 << 24, AT(checker.states), .usual = "1048576 and 65536",
	  .help = "of a .coh file: give up at more states of the rules, or of a checker" },

	{ TARGET, .name = "target", .kind = OPTION_TEXT, .arg = "WHAT", .value = options_targets,
	  .take = options_take_target, .takes = "etm4:CORE or ete:CORE",
	  .help = "the trace unit of a core: etm4:CORE or ete:CORE, the name of a shipped one or a "
		  "file; without it the target is an overlay" },
	{ TARGET, .name = "layout", .kind = OPTION_CHOICE, .arg = "WHICH", .value = options_layouts,
	  AT(pipeline.etm.layout), .usual = "auto",
	  .help = "which selectors of a trace unit are used: the fewest, the fewest that do not "
		  "rely on what no published text settles (robust), those if they fit (auto), or "
		  "those of the programs published with the paper on ETM² (authors)" },
	{ TARGET, .name = "cores", .kind = OPTION_NUMBER, .arg = "N", .least = 2,
	  .most = ETM_MOST_CORES, AT(pipeline.etm.cores),
	  .help = "program the trace units of N cores, and connect them: while one of these is "
		  "over its budget, all N cores are throttled" },
	{ TARGET, .name = "core-budget", .kind = OPTION_TEXT, .arg = "LIST",
	  .take = options_take_core_budget,
	  .takes = "budgets of cores, such as 0=28,2=14",
	  .help = "with --cores: the parameter budget of single cores, such as 0=28,2=14; the "
		  "others have that of the source" },
	{ TARGET, .name = "reading", .kind = OPTION_TEXT, .arg = "WHICH", .value = options_readings,
	  .take = options_take_reading,
	  .takes = "all, default, overlap, or priority, zero and delay joined by +",
	  .help = "says whether registers mean the source in a reading of what no published text "
		  "settles: all, default, overlap, or priority, zero and delay joined by +" },
	{ TARGET, .name = "bound", .kind = OPTION_NUMBER, .arg = "O", .take = options_take_bound,
	  .takes = "a number from 0 to 65535",
	  .help = "prove how many lines a regulator for a trace unit lets through at most, O of "
		  "which come after its output rises" },
	{ TARGET, .name = "rate", .kind = OPTION_TEXT, .arg = "RATE", .take = options_take_rate,
	  .takes = "a rate from 1B/s to 1TB/s, such as 350MB/s",
	  .help = "with --target: set the parameters budget and period of a regulator so that it "
		  "lets this rate through; the units are B/s, and that with k, M, G, T, Ki, Mi or "
		  "Gi before it" },
	{ TARGET, .name = "clock", .kind = OPTION_TEXT, .arg = "FREQUENCY",
	  .take = options_take_clock,
	  .takes = "a frequency from 1MHz to 100GHz, such as 1.2GHz",
	  .help = "with --rate or --bound: the clock of the core, so that bounds are in bytes and "
		  "seconds, too" },
	{ TARGET, .name = "period", .kind = OPTION_TEXT, .arg = "TIME", .take = options_take_period,
	  .takes = "a time up to 1s, such as 5us",
	  .usual = "as long as the counters of the core can count",
	  .help = "with --rate: the longest period" },
	{ TARGET, .name = "event-bytes", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = ETM_MOST_EVENT_BYTES, AT(rate.bytes), .usual = "64",
	  .help = "with --clock: how many bytes an event stands for" },
	{ TARGET, .name = "overlay", .kind = OPTION_FILE, .arg = "WHAT", .value = options_overlays,
	  .take = options_take_overlay, .takes = "C,L,R,N[,NCLS] in range", .usual = "default",
	  .help = "a file, C,L,R,N[,NCLS], the name of a shipped overlay, or none: an image for "
		  "the software engine alone" },

	{ MAPPING, .name = "map", .kind = OPTION_CHOICE, .arg = "MODEL", .value = options_models,
	  .usual = "auto", AT(pipeline.map.model), .help = "who maps" },
	{ MAPPING, .name = "map-steps", .kind = OPTION_NUMBER, .arg = "N", AT(pipeline.map.steps),
	  .help = "placements that the search tries at most" },
	{ MAPPING, .name = "map-time", .kind = OPTION_NUMBER, .arg = "SECONDS",
	  AT(pipeline.map.seconds),
	  .help = "a limit of time; what comes out then depends on the machine" },

	{ FITTING, .name = "fit-range", .kind = OPTION_TEXT, .arg = "C,L,R,N[,STES]",
	  .take = options_take_fit_range, .takes = "C,L,R,N[,STES] in range",
	  .help = "the largest overlay that is tried" },
	{ FITTING, .name = "fit-weights", .kind = OPTION_TEXT, .arg = "LUT,FF",
	  .take = options_take_fit_weights, .takes = "LUT,FF, at most 1000 and not both 0",
	  .usual = "1,1",
	  .help = "what a LUT and a FF cost" },
	{ FITTING, .name = "fit-probes", .kind = OPTION_NUMBER, .arg = "N", AT(search.probes),
	  .help = "how many overlays are tried at most" },

	{ PASSES, .letter = 'O', .glued = "0", .take = options_take_level,
	  .help = "the thesis's two passes alone" },
	{ PASSES, .letter = 'O', .glued = "1", .take = options_take_level,
	  .help = "all that are fast (default)" },
	{ PASSES, .letter = 'O', .glued = "2", .take = options_take_level, .help = "fewer states" },
	{ PASSES, .letter = 'O', .glued = "s", .take = options_take_level,
	  .help = "fewer states, within what an STE can be connected with" },
	{ PASSES, .name = "count", .kind = OPTION_TEXT, .arg = "off|auto|N",
	  .value = options_counts,
	  .take = options_take_count, .takes = "off, auto or a number of at least 2",
	  .help = "repetitions from N on (auto: 16) become counters where that is exact and the "
		  "overlay has them" },
	{ PASSES, .name = "stop-after", .kind = OPTION_CHOICE, .arg = "PASS", .value = options_pass,
	  .no_such = "no pass", .take = options_take_stop_after,
	  .help = "with --emit=nfa or dot: stop after this pass (see --list)" },
	{ PASSES, .name = "no-pass", .kind = OPTION_CHOICE, .arg = "PASS", .value = options_pass,
	  .no_such = "no pass", .take = options_take_no_pass, .repeats = true,
	  .help = "leave this pass out" },

	{ PROOF, .name = "verify", .kind = OPTION_CHOICE, .arg = "HOW",
	  .value = options_verify_levels,
	  .usual = "bounded", AT(pipeline.proof.level),
	  .help = "prove that the image means what the source says" },
	{ PROOF, .name = "proof-steps", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  AT(pipeline.proof.steps), .help = "a limit for proofs, and for --equal and the like" },

	{ DIAGNOSTICS, .letter = 'W', .glued = "error", .take = options_take_werror,
	  .help = "warnings are errors" },
	{ DIAGNOSTICS, .letter = 'W', .glued = "error=", .kind = OPTION_CHOICE, .arg = "NAME",
	  .value = options_warnings, .no_such = "no warning", .take = options_take_fatal,
	  .repeats = true,
	  .help = "turn on the warning of this name, as an error" },
	{ DIAGNOSTICS, .letter = 'W', .glued = "all", .take = options_take_all,
	  .help = "turn on all warnings" },
	{ DIAGNOSTICS, .letter = 'W', .glued = "no-", .kind = OPTION_CHOICE, .arg = "NAME",
	  .value = options_warnings, .no_such = "no warning", .take = options_take_no_warning,
	  .repeats = true,
	  .help = "turn off the warning of this name" },
	{ DIAGNOSTICS, .letter = 'W', .glued = "", .kind = OPTION_CHOICE, .arg = "NAME",
	  .value = options_warnings_off, .no_such = "no warning", .take = options_take_warning,
	  .repeats = true,
	  .help = "turn it on (see --list)" },
	{ DIAGNOSTICS, .name = "diagnostics", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = options_formats, .usual = "text", AT(say.form),
	  .help = "the form of errors and warnings, on standard error: json has an object a line" },
	TERMINAL_ROWS_COLOUR(DIAGNOSTICS, 0, struct options, say.colour),
};

enum { NROWS = sizeof rows / sizeof rows[0] };

const struct option_table nfacc_options = {
	.tool = "nfacc",
	.forms = forms,
	.about = "Compiles filters over hardware event streams. Several files are one unit; '-' is "
		 "standard input.",
	.groups = groups,
	OPTION_ROWS_OF(rows),
};

int options_parse(struct options *o, int argc, char **argv)
{
	bool given[NROWS] = { false };
	int first, code;

	memset(o, 0, sizeof *o);
	o->command = commands;
	o->emit.what = outputs;
	o->language = LANGUAGE_BY_NAME;
	o->rate.bytes = ETM_EVENT_BYTES;
	pipeline_options_init(&o->pipeline);
	fit_options_init(&o->search);
	for (size_t i = 0; front_warnings[i].name != NULL; i++)
		if (!front_warnings[i].on && !vec_push(&o->say.disabled, front_warnings[i].name))
			return options_no_memory();
	code = option_parse(&nfacc_options, argc, argv, o, given, &first);
	for (int i = first; code == OPTION_GO_ON && i < argc; i++)
		if (!vec_push(&o->files, argv[i]))
			code = options_no_memory();
	o->pipeline.coherence.states = o->checker.states;
	o->pipeline.coherence.never = o->checker.restart == CHECKER_NEVER;
	o->pipeline.coherence.small = !o->pipeline.overlay.o.none;
	o->pipeline.coherence.orders = o->pipeline.overlay.o.none;
	o->pipeline.coherence.only = o->checker.form != CHECKER_ANY;
	o->pipeline.coherence.sets = o->checker.form == CHECKER_STATES;
	o->pipeline.coherence.follow = o->checker.form == CHECKER_FOLLOW;
	o->pipeline.coherence.projections = o->checker.projections.at;
	o->pipeline.coherence.nprojections = o->checker.projections.n;
	o->pipeline.dirs = o->dirs.at;
	o->pipeline.ndirs = o->dirs.n;
	o->pipeline.warnings.disabled = o->say.disabled.at;
	o->pipeline.warnings.ndisabled = o->say.disabled.n;
	o->pipeline.front.params = o->params.at;
	o->pipeline.front.nparams = o->params.n;
	o->pipeline.warnings.fatal = o->say.fatal.at;
	o->pipeline.warnings.nfatal = o->say.fatal.n;
	return code == OPTION_GO_ON ? options_check(o, given) : code;
}

void options_free(struct options *o)
{
	vec_free(&o->say.disabled);
	vec_free(&o->say.fatal);
	vec_free(&o->dirs);
	vec_free(&o->checker.projections);
	vec_free(&o->params);
	vec_free(&o->taps.at);
	vec_free(&o->taps.signals);
	vec_free(&o->files);
}
