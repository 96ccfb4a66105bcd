/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What can only be said of all options together.
 */
#include "compiler/options_check.h"

#include <stdio.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "backends/etm/proof/etm_readings.h"
#include "compiler/command/command.h"
#include "compiler/targets.h"
#include "support/cli.h"

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfacc", what, arg);
}

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

	if (stop != NULL && o->emit.what->last != STAGE_NFA)
		return wrong_use("--stop-after goes with --emit=nfa or --emit=dot", NULL);
	if (stop != NULL && !runs(o, stop))
		return wrong_use("--stop-after: this pass does not run:", stop);
	if (o->emit.what->last > STAGE_NFA && (!runs(o, "epsilon") || !runs(o, "homogenise")))
		return wrong_use("an image needs the passes epsilon and homogenise", NULL);
	return OPTION_GO_ON;
}

static bool is_given(const bool *given, const char *name)
{
	for (size_t i = 0; i < nfacc_options.n; i++)
		if (given[i] && nfacc_options.rows[i].name != NULL &&
		    strcmp(nfacc_options.rows[i].name, name) == 0)
			return true;
	return false;
}

/* Refuses an option that command c can't be given together with. Returns an exit code. */
static int check_without(const struct command *c, const bool *given)
{
	for (size_t k = 0; c->without != NULL && c->without[k] != NULL; k++)
		if (is_given(given, c->without[k])) {
			fprintf(stderr, "nfacc: --%s goes without --%s\nTry 'nfacc --help'.\n",
				c->name, c->without[k]);
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
	o->emit.what = &outputs[option_choice(output_value, name)];
}

/* Does a -D set a parameter of this name? */
static bool sets(const struct options *o, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < o->params.n; i++)
		if (strncmp(o->params.at[i], name, n) == 0 && o->params.at[i][n] == '=')
			return true;
	return false;
}

/* Checks the options that have units. */
static int check_rate(const struct options *o, const bool *given)
{
	bool rate = is_given(given, "rate"), clock = is_given(given, "clock");

	if (rate && (o->hardware.target == NULL || o->command->run == cmd_inspect))
		return wrong_use("--rate goes with compiling for a --target", NULL);
	if (rate && !clock)
		return wrong_use("--rate needs --clock", NULL);
	if (clock && !rate && !o->bound.asked)
		return wrong_use("--clock goes with --rate or --bound", NULL);
	if (is_given(given, "period") && !rate)
		return wrong_use("--period goes with --rate", NULL);
	if (is_given(given, "event-bytes") && !clock)
		return wrong_use("--event-bytes goes with --clock", NULL);
	if (rate && (sets(o, "budget") || sets(o, "period")))
		return wrong_use("--rate sets budget and period, so -D can't set",
				 sets(o, "budget") ? "budget" : "period");
	return OPTION_GO_ON;
}

int options_check(struct options *o, const bool *given)
{
	bool compiles = o->command == commands, inspects = o->command->run == cmd_inspect;
	int code = check_without(o->command, given);

	if (code != OPTION_GO_ON)
		return code;
	if (o->hardware.target != NULL && compiles && o->emit.what == outputs)
		take_output(o, "table");
	if (o->hardware.target != NULL && is_given(given, "overlay"))
		return wrong_use("--target stands in place of --overlay", NULL);
	if (o->pipeline.etm.cores != 0 && (o->hardware.target == NULL || !compiles))
		return wrong_use("--cores goes with compiling for a --target", NULL);
	for (uint32_t i = 0; i < ETM_MOST_CORES; i++)
		if (o->pipeline.etm.budget[i] != 0 && i >= o->pipeline.etm.cores)
			return wrong_use("--core-budget goes with --cores, for one of these cores",
					 NULL);
	if (o->bound.asked && is_given(given, "core-budget"))
		return wrong_use("--bound is for one budget: it takes no --core-budget", NULL);
	if (o->hardware.target != NULL && !is_given(given, "verify"))
		o->pipeline.proof.level = VERIFY_FULL; /* registers are proved, or refused */
	if (o->hardware.target != NULL && !inspects && (!compiles || output_is_alone(o->emit.what)))
		return wrong_use("--target goes with compiling and --inspect", NULL);
	if (inspects && o->hardware.target == NULL && o->files.n != 0)
		return wrong_use("--inspect takes one image and no filter", NULL);
	if (o->pipeline.proof.readings != 0 && o->hardware.target == NULL)
		return wrong_use("--reading goes with --target", NULL);
	if (o->pipeline.proof.readings != 0 &&
	    o->emit.what == &outputs[option_choice(output_value, "table")])
		take_output(o, "readings");
	if (o->pipeline.proof.readings == 0 && !inspects)
		o->pipeline.proof.readings = (1u << ETM_READINGS) - 1;
	if (o->bound.asked && o->hardware.target == NULL)
		return wrong_use("--bound goes with --target", NULL);
	if (o->bound.asked && o->emit.what != &outputs[option_choice(output_value, "table")] &&
	    o->emit.what != &outputs[option_choice(output_value, "json")])
		return wrong_use("--bound goes with --emit=table or --emit=json", NULL);
	if ((code = check_rate(o, given)) != OPTION_GO_ON)
		return code;
	if ((o->taps.at.n != 0 || o->taps.signals.n != 0) &&
	    (!compiles || (o->emit.what != &outputs[option_choice(output_value, "bind")] &&
			   o->emit.what != &outputs[option_choice(output_value, "monitor")])))
		return wrong_use("--at and --signal go with --emit=bind or --emit=monitor", NULL);
	if (o->checker.project_auto && (!compiles || o->checker.projections.n != 0))
		return wrong_use("--project=auto stands alone, and compiles", NULL);
	if (compiles && output_is_alone(o->emit.what))
		o->command = &command_emit_overlay;
	if (o->files.n < o->command->least || o->files.n > o->command->most)
		return o->command->files != NULL ? wrong_use(o->command->files, NULL)
						 : no_filter(o->emit.what);
	if (o->emit.depends &&
	    (!compiles || o->check || o->emit.file == NULL || strcmp(o->emit.file, "-") == 0))
		return wrong_use("-MD goes with compiling into a file", NULL);
	if (o->emit.depends && strlen(o->emit.file) > 2 &&
	    strcmp(o->emit.file + strlen(o->emit.file) - 2, ".d") == 0)
		return wrong_use("-MD would write over", o->emit.file);
	if (o->say.form == DIAGNOSTICS_SARIF && !compiles)
		return wrong_use("--diagnostics=sarif goes with compiling alone", NULL);
	if (compiles && o->emit.what->kind == OUTPUT_IMAGE && o->emit.file == NULL && !o->check)
		return wrong_use("no output: -o FILE, or --check to write none", NULL);
	return compiles || o->command->run == cmd_fit || o->command->run == cmd_estimate
		       ? check_passes(o) : OPTION_GO_ON;
}

int options_check_target(const struct options *o)
{
	const struct overlay *v = &o->pipeline.overlay.o;
	const struct overlay any = { .none = false };
	enum output_kind kind = o->emit.what->kind;

	if (!o->command->overlay)
		return NFART_OK;
	if (o->hardware.target == NULL &&
	    (kind == OUTPUT_REGISTERS ||
	     (kind == OUTPUT_TARGET &&
	      target_find_output(target_row(&any, NULL)->target, o->emit.what->name) == NULL &&
	      target_find_output(&target_etm, o->emit.what->name) != NULL)))
		return wrong_use("this output is for a trace unit, and needs --target:",
				 o->emit.what->name);
	if (o->command->run == cmd_fit && v->none)
		return wrong_use("--fit: overlay none has no cost", NULL);
	if (o->command->run == cmd_estimate && o->files.n == 0 && v->none)
		return wrong_use("--estimate: overlay none has no cost", NULL);
	if (kind == OUTPUT_OVERLAY && v->none)
		return wrong_use("overlay none is no hardware", NULL);
	if (o->hardware.target != NULL && !etm_has_output(o->pipeline.etm.core, o->emit.what->name))
		return wrong_use("Linux's driver does not know the external inputs of an ETE:",
				 o->emit.what->name);
	if ((kind != OUTPUT_TARGET && kind != OUTPUT_SETUP) ||
	    target_find_output(target_row(v, o->pipeline.etm.core)->target, o->emit.what->name) !=
		    NULL)
		return NFART_OK;
	if (o->hardware.target != NULL)
		return wrong_use("a trace unit has no output", o->emit.what->name);
	return wrong_use(kind == OUTPUT_SETUP ? "overlay none is no hardware"
					      : "an image of overlay none is for no hardware",
			 NULL);
}
