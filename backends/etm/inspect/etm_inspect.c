/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Names what selectors are (etm_inspect.h). */
#include "backends/etm/inspect/etm_inspect.h"

#include <inttypes.h>

/* ---- inputs ---- */

/* Returns the event of the core that has line `line`, or NULL. */
static const struct etm_core_event *event_on(const struct etm_core *core, uint32_t line)
{
	for (uint32_t i = 0; i < core->nevents; i++) {
		const struct etm_core_event *e = &core->event[i];

		if (!e->unknown && line >= e->first && line - e->first < e->lines)
			return e;
	}
	return NULL;
}

static bool print_line(uint32_t number, const struct etm_core *core, struct buf *b)
{
	uint32_t trigger = core->ete ? number - ETM_ETE_CTI : number;
	bool cti = trigger < core->cti;
	uint32_t line = core->ete ? number : number - core->cti;
	const struct etm_core_event *e = cti ? NULL : event_on(core, line);

	if (e != NULL)
		buf_addf(b, ETM_GROUP_PMU ".%s@%" PRIu32, e->name, line);
	else if (cti)
		buf_addf(b, ETM_GROUP_CTI ".CTI_TRIGGER@%" PRIu32, trigger);
	else
		buf_addf(b, "input %" PRIu32, number);
	return e != NULL || cti;
}

/* Prints the fetches that comparator `range` sees, separated by commas. */
static bool print_range(const struct etm_regs *r, unsigned range, struct buf *b)
{
	uint64_t most = ((uint64_t)1 << ETM_FETCH_BITS) - 4, low = r->acv[2 * range] & most,
		 high = r->acv[2 * range + 1] & most, type = r->acat[2 * range];
	bool first = true;

	for (uint32_t level = 0; level < ETM_FETCH_LEVELS; level++) {
		if (type >> (level + 8) & 1)
			continue;
		buf_addf(b, "%sFETCH_EL%" PRIu32, first ? "" : ", ", level);
		if (low != 0 || high != most)
			buf_addf(b, "[addr in 0x%" PRIx64 "..0x%" PRIx64 "]", low, high | 3);
		first = false;
	}
	return !first && low <= high;
}

bool etm_print_input(const struct etm_regs *r, const struct etm_core *core, unsigned input,
		     struct buf *b)
{
	struct etm_machine m;

	etm_decode(&m, r, core->ete, (struct etm_reading){ 0 });
	if (input < ETM_INPUT_EXTIN + ETM_EXTIN)
		return print_line(m.extin.number[input - ETM_INPUT_EXTIN], core, b);
	if (input >= ETM_INPUT_RANGE && input < ETM_INPUT_CONTEXT)
		return print_range(r, input - ETM_INPUT_RANGE, b);
	buf_addf(b, "resource %u", input);
	return false;
}

/* ---- selectors ---- */

static void print_resource(const struct etm_regs *r, const struct etm_core *core, uint32_t group,
			   unsigned bit, struct buf *b)
{
	switch (group) {
	case ETM_GROUP_EXTIN:
		etm_print_input(r, core, ETM_INPUT_EXTIN + bit, b);
		break;
	case ETM_GROUP_CNTSEQ:
		buf_addf(b, bit < ETM_COUNTERS ? "counter %u at zero" : "state %u",
			 bit % ETM_COUNTERS);
		break;
	case ETM_GROUP_RANGE:
		etm_print_input(r, core, ETM_INPUT_RANGE + bit, b);
		break;
	case ETM_GROUP_PE:
		buf_addf(b, "comparator input %u of the core", bit);
		break;
	case ETM_GROUP_SINGLE:
		buf_addf(b, "single-shot comparator %u", bit);
		break;
	case ETM_GROUP_ADDRESS:
		buf_addf(b, "address comparator %u", bit);
		break;
	case ETM_GROUP_CONTEXT:
		buf_addf(b, "context ID comparator %u", bit);
		break;
	default:
		buf_addf(b, group == ETM_GROUP_VMID ? "virtual context ID comparator %u"
						    : "resource %u of a group that does not exist",
			 bit);
	}
}

static void print_selector(const struct etm_regs *r, const struct etm_core *core, unsigned n,
			   struct buf *b)
{
	uint32_t v = r->rsctl[n], select = ETM_GET(TRCRSCTLR, SELECT, v),
		 group = ETM_GET(TRCRSCTLR, GROUP, v);
	bool first = true;

	if (ETM_GET(TRCRSCTLR, INV, v))
		buf_addf(b, "not ");
	if (select == 0)
		buf_addf(b, "nothing");
	for (unsigned bit = 0; bit < 16; bit++)
		if (select >> bit & 1) {
			buf_addf(b, "%s", first ? "" : " or ");
			print_resource(r, core, group, bit, b);
			first = false;
		}
}

/* All event fields, with the names of their registers. */
struct field {
	char name[32];
	uint32_t event;
};

enum { MOST_FIELDS = 2 * ETM_COUNTERS + 2 * ETM_STATES + ETM_OUTPUTS };

static unsigned list_fields(const struct etm_regs *r, struct field f[MOST_FIELDS])
{
	unsigned n = 0;

	for (unsigned i = 0; i + 1 < ETM_STATES; i++) {
		snprintf(f[n].name, sizeof f->name, "TRCSEQEVR%u.F", i);
		f[n++].event = ETM_GET(TRCSEQEVR, F, r->seqev[i]);
		snprintf(f[n].name, sizeof f->name, "TRCSEQEVR%u.B", i);
		f[n++].event = ETM_GET(TRCSEQEVR, B, r->seqev[i]);
	}
	snprintf(f[n].name, sizeof f->name, "TRCSEQRSTEVR.RST");
	f[n++].event = ETM_GET(TRCSEQRSTEVR, RST, r->seqrstev[0]);
	for (unsigned i = 0; i < ETM_COUNTERS; i++) {
		snprintf(f[n].name, sizeof f->name, "TRCCNTCTLR%u.CNTEVENT", i);
		f[n++].event = ETM_GET(TRCCNTCTLR, CNTEVENT, r->cntctl[i]);
		snprintf(f[n].name, sizeof f->name, "TRCCNTCTLR%u.RLDEVENT", i);
		f[n++].event = ETM_GET(TRCCNTCTLR, RLDEVENT, r->cntctl[i]);
	}
	for (unsigned i = 0; i < ETM_OUTPUTS; i++) {
		snprintf(f[n].name, sizeof f->name, "TRCEVENTCTL0R.EVENT%u", i);
		f[n++].event = r->eventctl0[0] >> (8 * i) & 0xff;
	}
	snprintf(f[n].name, sizeof f->name, "TRCVICTLR.EVENT");
	f[n++].event = ETM_GET(TRCVICTLR, EVENT, r->victl[0]);
	return n;
}

/* Does an event use selector n, alone or in a pair? */
static bool uses(uint32_t event, unsigned n)
{
	unsigned i = event & ETM_EVENT_INDEX;

	return event & ETM_EVENT_PAIR ? (i & ETM_EVENT_INDEX / 2) == n / 2 : i == n;
}

static void print_users(const struct field *f, unsigned nfields, uint32_t event, struct buf *b)
{
	const char *between = "  for ";

	for (unsigned i = 0; i < nfields; i++)
		if (f[i].event == event) {
			buf_addf(b, "%s%s", between, f[i].name);
			between = ", ";
		}
}

void etm_print_selectors(const struct etm_regs *r, const struct etm_core *core, struct buf *b)
{
	struct field f[MOST_FIELDS];
	unsigned n = list_fields(r, f);

	for (unsigned s = 2; s < ETM_SELECTORS; s++) {
		bool used = false;

		for (unsigned i = 0; i < n; i++)
			used = used || uses(f[i].event, s);
		if (r->rsctl[s] == 0 && !used)
			continue;
		buf_addf(b, "// selector %u: ", s);
		print_selector(r, core, s, b);
		print_users(f, n, s, b);
		buf_addf(b, "%s\n", used ? "" : "  (unused)");
	}
	for (unsigned p = 1; p < ETM_SELECTORS / 2; p++) {
		bool inv = ETM_GET(TRCRSCTLR, PAIRINV, r->rsctl[2 * p]), used = false;

		for (unsigned i = 0; i < n; i++)
			used = used || f[i].event == (ETM_EVENT_PAIR | p);
		if (!used)
			continue;
		buf_addf(b, "// pair %u: %s%u and %u%s", p, inv ? "not (" : "", 2 * p, 2 * p + 1,
			 inv ? ")" : "");
		print_users(f, n, ETM_EVENT_PAIR | p, b);
		buf_addf(b, "\n");
	}
}
