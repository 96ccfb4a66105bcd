/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/options_take.h"

#include <stdio.h>
#include <string.h>

#include "backends/etm/proof/etm_readings.h"
#include "compiler/command/command.h"
#include "compiler/options.h"
#include "grammar/describe/builtin.h"
#include "support/cli.h"

int options_no_memory(void)
{
	fputs("nfacc: error: out of memory\n", stderr);
	return NFART_SYSTEM;
}

/* ---- values ---- */

static struct option_value options_value(const char *name)
{
	return (struct option_value){ name, NULL };
}

struct option_value options_languages(size_t i)
{
	static const char *const names[] = { "re", "nfa", "yaml", "coh", NULL };

	return options_value(names[i]);
}

struct option_value options_forms_of_checkers(size_t i)
{
	static const char *const names[] = { "any", "only", "states", "follow", NULL };

	return options_value(names[i]);
}

struct option_value options_restarts_of_checkers(size_t i)
{
	static const char *const names[] = { "anew", "never", NULL };

	return options_value(names[i]);
}

struct option_value options_verify_levels(size_t i)
{
	static const char *const names[] = { "off", "bounded", "full", NULL };

	return options_value(names[i]);
}

struct option_value options_counts(size_t i)
{
	static const char *const names[] = { "off", "auto", NULL };

	return options_value(names[i]);
}

struct option_value options_models(size_t i)
{
	return options_value(map_model_names[i]);
}

struct option_value options_formats(size_t i)
{
	static const char *const names[] = { "text", "json", "sarif", NULL };

	return options_value(names[i]);
}

struct option_value options_protocols(size_t i)
{
	return options_value(builtin_protocols[i].name);
}

/* The words that --overlay takes besides names of files. */
struct option_value options_overlays(size_t i)
{
	return options_value(i == 0 ? "none" : builtin_overlays[i - 1].name);
}

/* What --target takes. */
struct option_value options_targets(size_t i)
{
	static const char *const names[] = {
		"etm4:a35", "etm4:a53", "etm4:a55", "etm4:a57", "etm4:a72", "etm4:a76", "etm4:a78",
		"ete:armv9", NULL
	};

	return options_value(names[i]);
}

struct option_value options_readings(size_t i)
{
	static char name[ETM_READING_NAME];

	if (i > ETM_READINGS)
		return options_value(NULL);
	etm_reading_name((unsigned)i - 1, name);
	return options_value(i == 0 ? "all" : name);
}

struct option_value options_layouts(size_t i)
{
	static const char *const names[] = { "auto", "fewest", "authors", "robust", NULL };

	return options_value(names[i]);
}

struct option_value options_warnings(size_t i)
{
	return (struct option_value){ front_warnings[i].name, front_warnings[i].text };
}

/* The warnings that are off unless an option asks for them. */
struct option_value options_warnings_off(size_t i)
{
	size_t k = 0;

	for (; front_warnings[k].name != NULL; k++)
		if (!front_warnings[k].on && i-- == 0)
			break;
	return options_warnings(k);
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
	return options_value(pass_name(k));
}

/* ---- handlers ---- */

int options_take_command(const struct option_given *g)
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

int options_take_emit(const struct option_given *g)
{
	struct options *o = g->options;
	int i = option_choice(output_value, g->value);

	if (i < 0)
		return OPTION_WRONG;
	o->emit.what = &outputs[i];
	return OPTION_GO_ON;
}

int options_take_stop_after(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.passes.stop_after = g->value;
	return option_choice(options_pass, g->value) >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

int options_take_no_pass(const struct option_given *g)
{
	struct options *o = g->options;

	for (size_t i = 0; pass_name(i) != NULL; i++)
		if (strcmp(pass_name(i), g->value) == 0)
			o->pipeline.passes.off |= 1u << i;
	return option_choice(options_pass, g->value) >= 0 ? OPTION_GO_ON : OPTION_WRONG;
}

/* Handles -O0, -O1, -O2 and -Os. The levels are those of ir/pass/passes.h. */
int options_take_level(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.passes.level = g->row->glued[0] == 's' ? PASS_LEVEL_S : g->row->glued[0] - '0';
	return OPTION_GO_ON;
}

int options_take_count(const struct option_given *g)
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

int options_take_overlay(const struct option_given *g)
{
	struct options *o = g->options;
	bool bad = false;

	o->hardware.overlay_file = NULL;
	if (!overlay_numbers(g->value, &o->pipeline.overlay, &bad))
		o->hardware.overlay_file = g->value;
	return bad ? OPTION_WRONG : OPTION_GO_ON;
}

/* Takes etm4:CORE or ete:CORE. Registers are for people by default. */
int options_take_target(const struct option_given *g)
{
	struct options *o = g->options;
	const char *colon = strchr(g->value, ':');

	o->hardware.target = g->value;
	if (strncmp(g->value, "etm4:", 5) != 0 && strncmp(g->value, "ete:", 4) != 0)
		return OPTION_WRONG;
	return colon[1] != 0 ? OPTION_GO_ON : OPTION_WRONG;
}

/* Takes the name of a reading, or all. */
int options_take_reading(const struct option_given *g)
{
	struct options *o = g->options;
	int reading = etm_reading_find(g->value, strlen(g->value));

	if (strcmp(g->value, "all") == 0)
		o->pipeline.proof.readings = (1u << ETM_READINGS) - 1;
	else if (reading >= 0)
		o->pipeline.proof.readings |= 1u << reading;
	return reading >= 0 || strcmp(g->value, "all") == 0 ? OPTION_GO_ON : OPTION_WRONG;
}

enum { MOST_OVERRUN = 65535 };

/* Takes how many lines come after the output rises. */
int options_take_bound(const struct option_given *g)
{
	struct options *o = g->options;
	uint64_t n;

	if (!cli_number(g->value, 0, &n, NULL) || n > MOST_OVERRUN)
		return OPTION_WRONG;
	o->bound.asked = true;
	o->bound.overrun = (uint32_t)n;
	return OPTION_GO_ON;
}

int options_take_dir(const struct option_given *g)
{
	struct options *o = g->options;

	return vec_push(&o->dirs, g->value) ? OPTION_GO_ON : options_no_memory();
}

int options_take_projection(const struct option_given *g)
{
	struct options *o = g->options;

	if (strcmp(g->value, "auto") == 0) {
		o->checker.project_auto = true;
		return OPTION_GO_ON;
	}
	return vec_push(&o->checker.projections, g->value) ? OPTION_GO_ON : options_no_memory();
}

int options_take_werror(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.warnings.werror = true;
	return OPTION_GO_ON;
}

int options_take_no_warning(const struct option_given *g)
{
	struct options *o = g->options;

	if (option_choice(options_warnings, g->value) < 0)
		return OPTION_WRONG;
	return vec_push(&o->say.disabled, g->value) ? OPTION_GO_ON : options_no_memory();
}

/* Turns on the warning of this name. */
static void turn_on(struct options *o, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < o->say.disabled.n; i++)
		if (strcmp(o->say.disabled.at[i], name) != 0)
			o->say.disabled.at[n++] = o->say.disabled.at[i];
	o->say.disabled.n = n;
}

int options_take_param(const struct option_given *g)
{
	struct options *o = g->options;

	return vec_push(&o->params, g->value) ? OPTION_GO_ON : options_no_memory();
}

int options_take_at(const struct option_given *g)
{
	struct options *o = g->options;

	return vec_push(&o->taps.at, g->value) ? OPTION_GO_ON : options_no_memory();
}

int options_take_signal(const struct option_given *g)
{
	struct options *o = g->options;

	return vec_push(&o->taps.signals, g->value) ? OPTION_GO_ON : options_no_memory();
}

int options_take_warning(const struct option_given *g)
{
	if (option_choice(options_warnings, g->value) < 0)
		return OPTION_WRONG;
	turn_on(g->options, g->value);
	return OPTION_GO_ON;
}

int options_take_fatal(const struct option_given *g)
{
	struct options *o = g->options;

	if (option_choice(options_warnings, g->value) < 0)
		return OPTION_WRONG;
	turn_on(o, g->value);
	return vec_push(&o->say.fatal, g->value) ? OPTION_GO_ON : options_no_memory();
}

int options_take_all(const struct option_given *g)
{
	for (size_t i = 0; front_warnings[i].name != NULL; i++)
		turn_on(g->options, front_warnings[i].name);
	return OPTION_GO_ON;
}

int options_take_depends(const struct option_given *g)
{
	((struct options *)g->options)->emit.depends = true;
	return OPTION_GO_ON;
}

int options_take_no_names(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.sections.names = false;
	return OPTION_GO_ON;
}

int options_take_log(const struct option_given *g)
{
	struct options *o = g->options;

	o->pipeline.front.log = g->value;
	return strchr(g->value, ';') == NULL ? OPTION_GO_ON : OPTION_WRONG;
}

int options_take_window(const struct option_given *g)
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

int options_take_tick(const struct option_given *g)
{
	struct front_options *f = &((struct options *)g->options)->pipeline.front;

	return cli_number(g->value, 0, &f->tick, NULL) && f->tick >= 1 && f->tick <= UINT32_MAX
		       ? OPTION_GO_ON : OPTION_WRONG;
}

int options_take_substream(const struct option_given *g)
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
static bool options_numbers(const char *s, uint32_t *const *out, const uint32_t (*range)[2],
			    size_t fewest, size_t most)
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

int options_take_fit_range(const struct option_given *g)
{
	static const uint32_t sizes[][2] = { { OVERLAY_LEAST_clique, OVERLAY_MOST_clique },
					     { OVERLAY_LEAST_length, OVERLAY_MOST_length },
					     { OVERLAY_LEAST_rings, OVERLAY_MOST_rings },
					     { OVERLAY_LEAST_reach, OVERLAY_MOST_reach },
					     { 1, OVERLAY_MOST_STES } };
	struct fit_range *r = &((struct options *)g->options)->search.range;
	uint32_t *const out[] = { &r->clique, &r->length, &r->rings, &r->reach, &r->stes };
	bool right = options_numbers(g->value, out, sizes, OVERLAY_NGRAPH, OVERLAY_NGRAPH + 1);

	return right ? OPTION_GO_ON : OPTION_WRONG;
}

int options_take_fit_weights(const struct option_given *g)
{
	static const uint32_t weights[][2] = { { 0, FIT_MOST_WEIGHT }, { 0, FIT_MOST_WEIGHT } };
	struct fit_weights *w = &((struct options *)g->options)->search.weights;
	uint32_t *const out[] = { &w->lut, &w->ff };

	return options_numbers(g->value, out, weights, 2, 2) && w->lut + w->ff != 0 ? OPTION_GO_ON
									    : OPTION_WRONG;
}
