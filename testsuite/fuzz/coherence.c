/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes rules of coherence. They are read, and derived in all forms unless their system is large.
 * The text of each checker must parse.
 */
#include <string.h>

#include "compiler/coherence/beliefs.h"
#include "compiler/coherence/coherence.h"
#include "compiler/pipeline.h"
#include "testsuite/fuzz/fuzz.h"

/* Checkers of larger systems are not derived: a few bytes can ask for one that takes too long. */
enum { MOST_STATES = 1000, MOST_BELIEFS = 200 };

static const struct nfart_proto *coherence_find(void *ctx, const char *name, size_t n)
{
	(void)ctx;
	return n == 3 && memcmp(name, "eci", 3) == 0 ? fuzz_proto("eci") : NULL;
}

static const struct coh_options options = { coherence_find, NULL };

/* Can the checker be derived in a short time? */
static bool is_small(const struct coh *c)
{
	struct coh_system s = { .nstates = 0 };
	struct diags d = { .werror = false };
	struct beliefs b = { .n = 0 };
	struct system_options how = { MOST_STATES, COH_MOST_TRIES };
	enum nfart_status status = c->rules ? system_of_rules(c, &d, &how, &s)
				   : system_of_tables(c, &s) ? NFART_OK : NFART_SYSTEM;
	bool small = false;

	fuzz_expect((status == NFART_OK) == (d.errors == 0));
	if (status == NFART_OK) {
		status = beliefs_find(&s, c->nevents, UINT64_MAX, c->known, &beliefs_usual, &b);
		small = status == NFART_OK && b.n <= MOST_BELIEFS;
		beliefs_free(&b);
	}
	fuzz_print(&d);
	system_free(&s);
	diag_free(&d);
	return small;
}

/* Derives a checker, and parses its text. */
static void fuzz_derive(const uint8_t *data, size_t n, bool only, bool orders)
{
	struct pipeline_file file = { "fuzz.coh", (const char *)data, n, FORM_COHERENCE };
	struct pipeline_options o;
	enum nfart_status status;
	struct pipeline p;

	pipeline_options_init(&o);
	o.coherence.only = only;
	o.coherence.orders = o.overlay.o.none = orders;
	o.last = STAGE_SPEC;
	status = pipeline_run(&p, &o, &file, 1);
	fuzz_print(&p.diags);
	fuzz_expect(status == NFART_OK || status == NFART_INPUT);
	fuzz_expect((status == NFART_OK) == (p.diags.errors == 0));
	fuzz_expect(status != NFART_OK || p.spec.automata.n + p.spec.machines.n == 1);
	pipeline_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct diags d = { .werror = false };
	uint32_t source = diag_add_source(&d, "fuzz", (const char *)data, n);
	enum nfart_status status = NFART_SYSTEM;
	bool small = false;
	struct coh c;

	if (source != DIAG_NO_SOURCE) {
		status = coh_parse(&d, source, &options, &c);
		fuzz_expect((status == NFART_OK) == (d.errors == 0));
		small = status == NFART_OK && is_small(&c);
		coh_free(&c);
	}
	fuzz_print(&d);
	diag_free(&d);
	for (int form = 0; form < 3 && small; form++)
		fuzz_derive(data, n, form >= 1, form == 2);
	return 0;
}
