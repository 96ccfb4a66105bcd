/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/etm/etm_text.h"

#include <errno.h>
#include <string.h>

#include "contract/builtin.h"
#include "contract/etm/pmu.h"
#include "support/desc.h"

enum { MOST_FILE = 1 << 20, MOST_LINE = 4095, MOST_EVENT = 4095 };

/* A statement `NAME NUMBER;` of a resource. All of them are required. */
struct resource {
	const char *name;
	size_t member; /* where in struct etm_core it is stored */
	uint32_t least, most;
};

static const struct resource resources[] = {
	{ "states", offsetof(struct etm_core, has.states), 2, ETM_STATES },
	{ "counters", offsetof(struct etm_core, has.counters), 0, ETM_COUNTERS },
	{ "bits", offsetof(struct etm_core, has.bits), 1, 16 },
	{ "selectors", offsetof(struct etm_core, has.selectors), 2, ETM_SELECTORS },
	{ "inputs", offsetof(struct etm_core, has.inputs), 0, ETM_EXTIN },
	{ "ranges", offsetof(struct etm_core, has.ranges), 0, 8 },
	{ "outputs", offsetof(struct etm_core, has.outputs), 1, ETM_OUTPUTS },
	{ "cti", offsetof(struct etm_core, cti), 0, 4 },
};

enum {
	NRESOURCES = sizeof resources / sizeof resources[0],
	SEEN_BUS = 1 << NRESOURCES,
	SEEN_INTERRUPT = SEEN_BUS << 1,
	SEEN_NEEDED = (SEEN_INTERRUPT << 1) - 1,
	SEEN_READING = SEEN_INTERRUPT << 1
};

static uint32_t *resource_at(struct etm_core *core, const struct resource *r)
{
	return (uint32_t *)(void *)((char *)core + r->member);
}

/* Reads a name into out, which has `size` bytes. An event or model has an underscore in its name,
 * because the part before it becomes the class of a type. */
static void read_name(struct desc *c, char *out, size_t size, const char *what)
{
	struct diag_range at = c->range;
	const char *s;
	size_t n = desc_word(c, &s, what);

	out[0] = 0;
	if (!c->failed && (n >= size || memchr(s, '-', n) != NULL))
		desc_error(c, at, "%s has letters, digits and '_', at most %zu", what, size - 1);
	if (!c->failed)
		snprintf(out, size, "%.*s", (int)n, s);
}

static int find_event(const struct etm_core *core, const char *name)
{
	for (uint32_t i = 0; i < core->nevents; i++)
		if (strcmp(core->event[i].name, name) == 0)
			return (int)i;
	return -1;
}

static bool overlap(const struct etm_core_event *a, const struct etm_core_event *b)
{
	return !a->unknown && !b->unknown && a->first < b->first + b->lines &&
	       b->first < a->first + a->lines;
}

/* Checks that a new event is unlike those before it. */
static void check_event(struct desc *c, const struct etm_core *core, struct diag_range at,
			const struct etm_core_event *e)
{
	uint32_t lines = e->lines;

	if (strchr(e->name, '_') == NULL || e->name[0] == '_')
		desc_error(c, at, "the name of an event has a '_' after its first part");
	for (uint32_t i = 0; i < core->nevents; i++) {
		lines += core->event[i].lines;
		if (strcmp(core->event[i].name, e->name) == 0)
			desc_error(c, at, "event '%s' is already defined", e->name);
		if (overlap(&core->event[i], e))
			desc_error(c, at, "'%s' has a line of '%s'", e->name, core->event[i].name);
	}
	if (lines > ETM_CORE_LINES)
		desc_error(c, at, "the events have more than %d lines together", ETM_CORE_LINES);
	if (core->nevents == ETM_CORE_EVENTS)
		desc_error(c, at, "more than %d events", ETM_CORE_EVENTS);
}

/* Reports that no event of the table has the name of an event, and which names are near. */
static void report_unknown(struct desc *c, const struct etm_core *core, struct diag_range at,
			   const char *name)
{
	const char *near[PMU_NEAR];
	size_t n = pmu_near(core->name, name, strlen(name), near);
	char list[PMU_NEAR * sizeof core->event[0].name] = "";
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
					 i == 0 ? "; near it are " : ", ", near[i]);
	desc_error(c, at, "no event of the table is called '%s', so its number has to be given%s",
		   name, list);
}

/* For ETE the number of an event may be left to the table, and must not be another one. */
static void read_number(struct desc *c, const struct etm_core *core, struct diag_range at,
			struct etm_core_event *e)
{
	const struct pmu_event *known = pmu_find(e->name, strlen(e->name));
	struct diag_range number = c->range;

	if (desc_is(c, ";") && known == NULL) {
		report_unknown(c, core, at, e->name);
		return;
	}
	e->first = desc_is(c, ";") ? known->number
				   : (uint32_t)desc_number(c, "the number", 0, MOST_EVENT);
	e->number = e->first;
	if (!c->failed && known != NULL && known->number != e->first)
		desc_error(c, number, "%s is event 0x%02x", e->name, (unsigned)known->number);
}

/* Reads `event NAME FIRST[..LAST];` or `event NAME unknown LINES;` after its first word, or for ETE
 * `event NAME [NUMBER];`. */
static void read_event(struct desc *c, struct etm_core *core)
{
	struct etm_core_event e = { .lines = 1, .number = ETM_CORE_NO_NUMBER };
	struct diag_range at = c->range;
	const struct pmu_event *known;

	read_name(c, e.name, sizeof e.name, "an event");
	known = pmu_find(e.name, strlen(e.name));
	if (known != NULL)
		e.number = known->number;
	if (desc_accept(c, "unknown")) {
		e.unknown = true;
		e.lines = (uint32_t)desc_number(c, "the number of lines", 1, ETM_CORE_LINES);
	} else if (core->ete) {
		read_number(c, core, at, &e);
	} else {
		struct diag_range first = c->range;
		e.first = (uint32_t)desc_number(c, "the line", 0, MOST_LINE);
		if (desc_accept(c, "..")) {
			uint32_t last = (uint32_t)desc_number(c, "the line", 0, MOST_LINE);
			if (last < e.first || last - e.first >= ETM_CORE_LINES)
				desc_error(c, first,
					   "the lowest line comes first; at most %d lines",
					   ETM_CORE_LINES);
			else
				e.lines = last - e.first + 1;
		}
		if (!core->bus_unknown && e.first + e.lines > core->bus)
			desc_error(c, first, "the bus has lines 0 to %d", (int)core->bus - 1);
	}
	check_event(c, core, at, &e);
	if (!c->failed)
		core->event[core->nevents++] = e;
}

/* Reads `model NAME = EVENT, …;` after its first word. */
static void read_model(struct desc *c, struct etm_core *core)
{
	struct etm_core_model m = { .events = 0 };
	struct diag_range at = c->range;

	read_name(c, m.name, sizeof m.name, "a model");
	for (uint32_t i = 0; i < core->nmodels; i++)
		if (strcmp(core->model[i].name, m.name) == 0)
			desc_error(c, at, "model '%s' is already defined", m.name);
	if (find_event(core, m.name) >= 0)
		desc_error(c, at, "'%s' is an event", m.name);
	if (core->nmodels == ETM_CORE_MODELS)
		desc_error(c, at, "more than %d models", ETM_CORE_MODELS);
	desc_expect(c, "=");
	do {
		char name[sizeof m.name];
		int i;
		at = c->range;
		read_name(c, name, sizeof name, "an event");
		i = find_event(core, name);
		if (i < 0)
			desc_error(c, at, "no event '%s'", name);
		else if ((m.events >> i & 1) != 0)
			desc_error(c, at, "'%s' is already in the sum", name);
		else
			m.events |= (uint64_t)1 << i;
	} while (desc_accept(c, ","));
	if (!c->failed)
		core->model[core->nmodels++] = m;
}

static void once(struct desc *c, unsigned *seen, unsigned bit)
{
	if ((*seen & bit) != 0)
		desc_error(c, c->range, "this is already given");
	*seen |= bit;
}

/* Reads the statement of a resource. False: the cursor is at another statement. */
static bool read_resource(struct desc *c, struct etm_core *core, unsigned *seen)
{
	for (unsigned i = 0; i < NRESOURCES; i++) {
		const struct resource *r = &resources[i];

		if (!desc_is(c, r->name))
			continue;
		once(c, seen, 1u << i);
		desc_advance(c);
		*resource_at(core, r) = (uint32_t)desc_number(c, r->name, r->least, r->most);
		return true;
	}
	return false;
}

/* Reads `reading default;` or `reading POINT, …;` after its first word. */
static void read_reading(struct desc *c, struct etm_core *core)
{
	unsigned all = 0;

	if (desc_accept(c, "default"))
		return;
	do {
		struct diag_range at = c->range;
		const char *s;
		size_t n = desc_word(c, &s, "default, priority, zero, delay or overlap");
		int point = c->failed ? 0 : etm_reading_find(s, n);

		if (point <= 0)
			desc_error(c, at, "expected priority, zero, delay or overlap");
		else if ((all & (unsigned)point) != 0)
			desc_error(c, at, "this is already given");
		else if ((all | (unsigned)point) >= ETM_READINGS)
			desc_error(c, at, "overlap stands alone");
		else
			all |= (unsigned)point;
	} while (desc_accept(c, ","));
	core->reading = etm_reading_of(all);
}

static void statement(struct desc *c, struct etm_core *core, unsigned *seen)
{
	bool all = (*seen & SEEN_NEEDED) == SEEN_NEEDED;

	if (desc_is(c, "bus")) {
		once(c, seen, SEEN_BUS);
		desc_advance(c);
		core->bus_unknown = desc_accept(c, "unknown");
		if (!core->bus_unknown)
			core->bus = (uint32_t)desc_number(c, "bus", 0, MOST_LINE + 1);
	} else if (desc_is(c, "interrupt")) {
		once(c, seen, SEEN_INTERRUPT);
		desc_advance(c);
		core->edge = desc_accept(c, "edge");
		if (!core->edge)
			desc_expect(c, "level");
	} else if (desc_is(c, "reading")) {
		once(c, seen, SEEN_READING);
		desc_advance(c);
		read_reading(c, core);
	} else if (desc_is(c, "event") || desc_is(c, "model")) {
		if (!all)
			desc_error(c, c->range, "before events come states, counters, bits, "
				   "selectors, inputs, ranges, outputs, cti, bus and interrupt");
		if (desc_accept(c, "event"))
			read_event(c, core);
		else if (desc_accept(c, "model"))
			read_model(c, core);
	} else if (!read_resource(c, core, seen)) {
		desc_error(c, c->range, "expected states, counters, bits, selectors, inputs, "
			   "ranges, outputs, cti, bus, interrupt, reading, event or model");
	}
	desc_expect(c, ";");
}

/* Parses a source of d. The description must be of the core `wanted` (n bytes); NULL: of
 * any core. */
static enum nfart_status parse(struct diags *d, uint32_t source, const char *wanted, size_t n,
			       struct etm_core *core)
{
	struct diag_range at;
	unsigned seen = 0;
	struct desc c;

	memset(core, 0, sizeof *core);
	desc_init(&c, d, source);
	core->ete = desc_accept(&c, "ete");
	if (!core->ete)
		desc_expect(&c, "etm");
	at = c.range;
	read_name(&c, core->name, sizeof core->name, "the name of the core");
	if (wanted != NULL && (strlen(core->name) != n || memcmp(core->name, wanted, n) != 0))
		desc_error(&c, at, "this describes core '%s', but its file is called '%.*s.etm'",
			   core->name, (int)n, wanted);
	desc_expect(&c, ";");
	while (!c.failed && c.kind != DESC_END)
		statement(&c, core, &seen);
	if ((seen & SEEN_NEEDED) != SEEN_NEEDED)
		desc_error(&c, c.range, "states, counters, bits, selectors, inputs, ranges, "
			   "outputs, cti, bus and interrupt are all needed");
	if (!c.failed && core->has.selectors % 2 != 0)
		desc_error(&c, c.range, "selectors come in pairs");
	if (!c.failed && core->nevents == 0)
		desc_error(&c, c.range, "the core has no events");
	return !c.failed ? NFART_OK : d->failed ? NFART_SYSTEM : NFART_INPUT;
}

/* Adds a text of m bytes to the sources of d, and parses it as parse() does. */
static enum nfart_status parse_text(struct diags *d, const char *file, const char *text, size_t m,
				    const char *wanted, size_t n, struct etm_core *core)
{
	uint32_t source = diag_add_source(d, file, text, m);

	return source == DIAG_NO_SOURCE ? NFART_SYSTEM : parse(d, source, wanted, n, core);
}

enum nfart_status etm_core_parse(struct diags *d, const char *file, const char *text, size_t n,
				 struct etm_core *core)
{
	return parse_text(d, file, text, n, NULL, 0, core);
}

enum nfart_status etm_core_find(struct diags *d, const char *const *dirs, size_t ndirs,
				const char *name, size_t n, struct etm_core *core)
{
	const char *text = builtin_find(builtin_targets, name, n);
	struct buf path = { 0 }, file = { 0 };
	enum nfart_status status = NFART_NO;
	int error = ENOENT;

	for (size_t i = 0; i < ndirs && error == ENOENT && memchr(name, '/', n) == NULL; i++) {
		path.n = 0;
		buf_addf(&path, "%s/%.*s.etm", dirs[i], (int)n, name);
		error = path.failed ? ENOMEM : buf_read_file(&file, path.at, MOST_FILE);
	}
	if (error == 0) {
		status = parse_text(d, path.at, file.at != NULL ? file.at : "", file.n, name, n,
				    core);
	} else if (error != ENOENT) {
		diag_report(d, DIAG_ERROR, "io", (struct diag_range){ DIAG_NO_SOURCE, 0, 0 },
			    "can't read %s: %s", path.failed ? "a description" : path.at,
			    strerror(error));
		status = NFART_SYSTEM;
	} else if (text != NULL) {
		path.n = 0;
		buf_addf(&path, "<%.*s.etm>", (int)n, name);
		status = path.failed ? NFART_SYSTEM
				     : parse_text(d, path.at, text, strlen(text), name, n, core);
	}
	buf_free(&path);
	buf_free(&file);
	return status;
}
