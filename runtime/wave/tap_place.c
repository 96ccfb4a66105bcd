/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds the signals of taps in a waveform (nfacc-protocol(5), Names of signals). All that is wrong
 * is collected, and told at once.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/wave/tap_place.h"
#include "runtime/wave/tap_run.h"

/* The search for the signals of one interface. */
struct place {
	struct tap_run *r;
	const struct tap_names *names;
	struct tap_side *side;
	const char *prefix;
	char *scope;      /* that of the first signal that was found; NULL: none was found yet */
	struct buf wrong; /* a line for each signal that is wrong */
	struct buf said;  /* a line for each that is only to be told */
	bool memory;
};

/* Returns the path that --signal gives, or NULL. */
static const char *outright(const struct tap_run *r, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = r->o->nsignals; i-- > 0;)
		if (strncmp(r->o->signals[i], name, n) == 0 && r->o->signals[i][n] == '=')
			return r->o->signals[i] + n + 1;
	return NULL;
}

/* Finds PREFIX followed by the name, or the path of --signal, and adds what is wrong to `why`.
 * Returns what tap_names_find() does. */
static size_t find_at(struct place *p, const char *name, struct tap_found *f, struct buf *why)
{
	const char *path = outright(p->r, name);
	struct buf full = { 0 };
	size_t found;

	buf_addf(&full, "%s%s", path != NULL ? "" : p->prefix, path != NULL ? path : name);
	found = full.failed ? SIZE_MAX : tap_names_find(p->names, full.at, f, why);
	buf_free(&full);
	p->memory = p->memory || found == SIZE_MAX;
	return found;
}

static void take(struct tap_source *s, struct tap_found *f)
{
	free(s->parts);
	s->used = true;
	s->parts = f->parts;
	s->nparts = f->nparts;
	s->width = f->width;
}

/* Is a name in the scope of the first signal? */
static bool in_scope(const struct place *p, const struct tap_name *m)
{
	return strlen(p->scope) == m->scope && memcmp(p->scope, m->path, m->scope) == 0;
}

/* Finds a signal of the taps. */
static void place_signal(struct place *p, uint32_t i)
{
	const struct tap_signal *s = &p->side->x->signals[i];
	struct tap_source *source = &p->side->sources[i];
	struct buf why = { 0 };
	struct tap_found f;
	size_t found = 0;

	if (source->used || s->maker != TAP_DESIGN)
		return;
	source->used = true;
	for (uint32_t k = 0; k < s->nnames && found != 1 && !p->memory; k++) {
		/* What is told is said of the first name that is wrong. --signal has the name
		 * that the taps use. */
		found = find_at(p, outright(p->r, s->name) != NULL ? s->name : s->names[k], &f,
				why.n == 0 ? &why : NULL);
	}
	if (found == 1 && s->has_usual && outright(p->r, s->name) == NULL && p->scope != NULL &&
	    !in_scope(p, f.name)) {
		free(f.parts);
		found = 0;
	}
	if (found == 1) {
		if (p->scope == NULL)
			p->scope = strndup(f.name->path, f.name->scope);
		p->memory = p->memory || p->scope == NULL;
		take(source, &f);
		if (s->bits == 1 && f.width > 1)
			buf_addf(&p->wrong, "%s%s has %u bits instead of one\n", p->prefix, s->name,
				 f.width);
	} else if (s->has_usual) {
		buf_addf(&p->said, "no signal %s%s, %llu taken\n",
			 outright(p->r, s->name) != NULL ? "" : p->prefix,
			 outright(p->r, s->name) != NULL ? outright(p->r, s->name) : s->names[0],
			 (unsigned long long)s->usual);
	} else {
		buf_addf(&p->wrong, "%s\n", why.n != 0 && !why.failed ? why.at : "out of memory");
	}
	buf_free(&why);
}

static void signals_of(struct place *p, const struct tap_expr *e)
{
	for (uint32_t i = 0; i < e->nsignals; i++)
		place_signal(p, e->signals[i]);
}

/* Finds a clock, or a signal of a reset, which has `bits` bits: with the prefix, or without it in
 * the scope of the first signal or around it. */
static bool common(struct place *p, const char *name, uint32_t bits, struct tap_source *source)
{
	struct tap_found f;
	size_t found = find_at(p, name, &f, NULL);

	if (found != 1 && !p->memory)
		found = tap_names_outwards(p->names, name, p->scope != NULL ? p->scope : "",
					   p->scope != NULL ? strlen(p->scope) : 0, &f);
	p->memory = p->memory || found == SIZE_MAX;
	if (found != 1)
		return false;
	if (bits == 1 && f.width > 1) {
		free(f.parts);
		return false;
	}
	take(source, &f);
	return true;
}

/* Appends the names, joined by " or ". */
static void add_names(struct buf *b, const char *const *names, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		buf_addf(b, "%s%s", i != 0 ? " or " : "", names[i]);
}

/* Returns the signal with this name, which is in use and in the waveform. NULL: there is none. */
static const struct tap_source *source_named(const struct tap_side *s, const char *name)
{
	for (uint32_t i = 0; i < s->x->nsignals; i++)
		if (strcmp(s->x->signals[i].name, name) == 0 && s->sources[i].nparts != 0)
			return &s->sources[i];
	return NULL;
}

static void clock(struct place *p)
{
	const struct tap_interface *x = p->side->x;
	struct tap_source *clock = &p->side->clock;

	for (uint32_t i = 0; i < x->nclocks && clock->nparts == 0 && !p->memory; i++) {
		const struct tap_source *s = source_named(p->side, x->clocks[i]);
		if (s == NULL) {
			common(p, x->clocks[i], 1, clock);
			continue;
		}
		*clock = *s;
		clock->parts = calloc(s->nparts, sizeof *s->parts);
		if (clock->parts == NULL)
			p->memory = true;
		else
			memcpy(clock->parts, s->parts, s->nparts * sizeof *s->parts);
	}
	if (x->nclocks != 0 && clock->nparts == 0) {
		buf_addf(&p->wrong, "no clock ");
		add_names(&p->wrong, x->clocks, x->nclocks);
		buf_addf(&p->wrong, "\n");
	}
}

/* Are all signals of a reset there? */
static bool try_reset(struct place *p, const struct tap_expr *e)
{
	const struct tap_interface *x = p->side->x;
	bool all = true;

	for (uint32_t i = 0; i < e->nsignals; i++) {
		const struct tap_signal *s = &x->signals[e->signals[i]];
		struct tap_source *source = &p->side->sources[e->signals[i]];
		if (source->nparts == 0 && !common(p, s->name, s->bits, source))
			all = false;
	}
	return all;
}

static void reset(struct place *p)
{
	const struct tap_interface *x = p->side->x;

	for (uint32_t i = 0; i < x->nresets && p->side->reset == NULL && !p->memory; i++)
		if (try_reset(p, &x->resets[i]))
			p->side->reset = &x->resets[i];
	if (x->nresets == 0 || p->side->reset != NULL)
		return;
	buf_addf(&p->said, "no reset ");
	for (uint32_t i = 0; i < x->nresets; i++) {
		buf_addf(&p->said, "%s", i != 0 ? " or " : "");
		for (uint32_t k = 0; k < x->resets[i].nsignals; k++)
			buf_addf(&p->said, "%s%s", k != 0 ? " " : "",
				 x->signals[x->resets[i].signals[k]].name);
	}
	buf_addf(&p->said, "\n");
}

/* Finds everything of an interface at p->prefix. */
static void find_all(struct place *p)
{
	const struct tap_interface *x = p->side->x;
	const struct tap_expr *e;

	for (uint32_t t = 0; t < x->ntaps && !p->memory; t++)
		for (uint32_t i = 0; i < x->taps[t].nrows; i++) {
			const struct tap_row *row = &x->taps[t].rows[i];
			signals_of(p, &row->when);
			for (uint32_t k = 0; k < row->nfields; k++)
				signals_of(p, &row->fields[k].value);
		}
	for (uint32_t i = 0; (e = tap_memory_expr(x, i)) != NULL && !p->memory; i++)
		signals_of(p, e);
	clock(p);
	reset(p);
}

/* Forgets what was found, and begins at another prefix. */
static void start_again(struct place *p, const char *prefix)
{
	tap_side_forget(p->side);
	free(p->scope);
	p->scope = NULL;
	p->wrong.n = p->said.n = 0;
	p->prefix = prefix;
}

/* Says each line of a text. */
static void say_lines(const struct tap_run *r, const struct buf *b)
{
	for (size_t i = 0; i < b->n;) {
		const char *end = memchr(b->at + i, '\n', b->n - i);
		size_t n = end != NULL ? (size_t)(end - (b->at + i)) : b->n - i;
		tap_say(r, "%.*s", (int)n, b->at + i);
		i += n + 1;
	}
}

/* Where the signals of an interface are looked for. NULL: nobody said so. */
static const char *prefix_of(const struct tap_run *r, const struct tap_interface *x)
{
	size_t n = x->name != NULL ? strlen(x->name) : 0;

	for (size_t i = r->o->nat; i-- > 0;) {
		const char *at = r->o->at[i];
		if (x->name == NULL)
			return at;
		if (strncmp(at, x->name, n) == 0 && at[n] == '=')
			return at + n + 1;
	}
	return x->prefix[0] != 0 ? x->prefix : NULL;
}

/* Reports that the interface may be in several places. */
static enum nfart_status several_places(const struct tap_run *r, const struct tap_interface *x,
					const struct tap_places *places, struct nfart_error *e)
{
	const char *use = x->name != NULL ? x->name : "";

	for (size_t i = 0; i < places->n && i < TAP_MOST_PLACES; i++)
		tap_say(r, "possible: --at '%s%s%s'", use, *use != 0 ? "=" : "",
			places->prefixes[i]);
	return nfart_fail(e, NFART_USAGE, "the signals of the taps are in %zu places: choose one, "
			  "such as --at '%s%s%s'", places->n, use, *use != 0 ? "=" : "",
			  places->prefixes[0]);
}

/* Finds the signals of one interface. What is wrong is added to `wrong`. */
static enum nfart_status place_side(struct tap_run *r, const struct tap_names *names,
				    struct tap_side *s, struct buf *wrong, struct nfart_error *e)
{
	const char *given = prefix_of(r, s->x);
	struct place p = {
		.r = r, .names = names, .side = s, .prefix = given != NULL ? given : ""
	};
	struct tap_places places = { 0 };
	enum nfart_status status = NFART_OK;

	find_all(&p);
	if (!p.memory && p.wrong.n != 0 && given == NULL) {
		p.memory = !tap_places_find(&places, names, s->x);
		if (places.n > 1) {
			status = several_places(r, s->x, &places, e);
		} else if (places.n == 1) {
			start_again(&p, places.prefixes[0]);
			tap_say(r, "at %s", p.prefix);
			find_all(&p);
		}
	}
	if (p.memory || p.wrong.failed || p.said.failed)
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (status == NFART_OK && p.wrong.n == 0)
		say_lines(r, &p.said);
	buf_add(wrong, p.wrong.at != NULL ? p.wrong.at : "", p.wrong.n);
	tap_places_free(&places);
	buf_free(&p.wrong);
	buf_free(&p.said);
	free(p.scope);
	return status;
}

/* ---- options ---- */

/* Has any interface a signal, clock or reset with these n letters as its name? */
static bool has_signal(const struct tap_form *form, const char *s, size_t n)
{
	for (uint32_t i = 0; i < form->ninterfaces; i++) {
		const struct tap_interface *x = &form->interfaces[i];
		for (uint32_t k = 0; k < x->nsignals; k++)
			if (x->signals[k].maker == TAP_DESIGN &&
			    strlen(x->signals[k].name) == n &&
			    memcmp(x->signals[k].name, s, n) == 0)
				return true;
		for (uint32_t k = 0; k < x->nclocks; k++)
			if (strlen(x->clocks[k]) == n && memcmp(x->clocks[k], s, n) == 0)
				return true;
	}
	return false;
}

/* Checks that each --at and --signal is for something of the taps. */
static enum nfart_status check_options(const struct tap_run *r, struct nfart_error *e)
{
	const struct tap_form *form = r->form;

	for (size_t i = 0; i < r->o->nsignals; i++) {
		const char *s = r->o->signals[i];
		size_t n = strcspn(s, "=");
		if (s[n] == 0 || n == 0)
			return nfart_fail(e, NFART_USAGE, "--signal takes NAME=PATH, not '%.100s'",
					  s);
		if (!has_signal(form, s, n))
			return nfart_fail(e, NFART_USAGE,
					  "--signal: the taps have no signal '%.*s'",
					  n > 100 ? 100 : (int)n, s);
	}
	for (size_t i = 0; i < r->o->nat; i++) {
		const char *s = r->o->at[i];
		bool found = form->ninterfaces == 1 && form->interfaces[0].name == NULL;
		for (uint32_t k = 0; k < form->ninterfaces && !found; k++) {
			const char *name = form->interfaces[k].name;
			size_t n = strlen(name);
			found = strncmp(s, name, n) == 0 && s[n] == '=';
		}
		if (!found)
			return nfart_fail(e, NFART_USAGE, "--at '%.100s': the protocol has several "
					  "interfaces; write --at %s=PREFIX", s,
					  form->interfaces[0].name);
	}
	return NFART_OK;
}

/* ---- all interfaces ---- */

/* Fills in *e with all that is wrong. Where that is too long for one message, it is said before. */
static enum nfart_status report(const struct tap_run *r, struct buf *wrong, struct nfart_error *e)
{
	size_t lines = 0;

	if (wrong->failed)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	for (size_t i = 0; i < wrong->n; i++)
		lines += wrong->at[i] == '\n';
	if (wrong->n + 2 * lines >= sizeof e->what && r->o->say != NULL) {
		say_lines(r, wrong);
		return nfart_fail(e, NFART_INPUT, "%zu signals of the taps are not there: --at "
				  "says where they are, and --list-signals what there is", lines);
	}
	nfart_fail(e, NFART_INPUT, "%.*s", (int)strcspn(wrong->at, "\n"), wrong->at);
	if (e != NULL && lines > 1) {
		size_t n = 0;
		for (size_t i = 0; i + 1 < wrong->n && n + 3 < sizeof e->what; i++) {
			if (wrong->at[i] == '\n')
				e->what[n++] = ';';
			e->what[n++] = wrong->at[i] == '\n' ? ' ' : wrong->at[i];
		}
		e->what[n] = 0;
	}
	return NFART_INPUT;
}

enum nfart_status tap_place(struct tap_run *r, struct nfart_error *e)
{
	struct tap_names names;
	struct buf wrong = { 0 };
	enum nfart_status status = check_options(r, e);

	if (status != NFART_OK)
		return status;
	if (!tap_names_make(&names, r->wave))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	for (uint32_t i = 0; i < r->nsides && status == NFART_OK; i++)
		status = place_side(r, &names, &r->sides[i], &wrong, e);
	if (status == NFART_OK && wrong.n != 0)
		status = report(r, &wrong, e);
	tap_names_free(&names);
	buf_free(&wrong);
	return status;
}
