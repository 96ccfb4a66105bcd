/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "probes/memory/reader/lines.h"

/*
 * An instruction is listed if it has at least one fault in WORTH accesses, unless it has few
 * faults.
 */
enum { WORST = 10, WORTH = 1000, FEW = 10 };

static void summary_row(struct buf *b, const char *event, uint64_t n)
{
	buf_addf(b, "%-44s%14" PRIu64 "\n", event, n);
}

/* Lists the instructions with the most faults, those with the most faults first. */
static void worst(const struct memory *m, struct mem_channel *c, struct buf *b)
{
	struct mem_site list[WORST];
	unsigned n = 0;

	for (uint32_t i = MEM_SITE_FIRST; i < MEM_SITES_MAX && i < c->sites; i++) {
		struct mem_site s = mem_sites(c)[i];
		unsigned at = n;

		if (s.faults <= FEW || s.faults < m->counts.accesses / WORTH)
			continue;
		while (at > 0 && list[at - 1].faults < s.faults)
			at--;
		n += n < WORST;
		for (unsigned k = n - 1; k > at && k < n; k--)
			list[k] = list[k - 1];
		if (at < WORST)
			list[at] = s;
	}
	for (unsigned i = 0; i < n; i++) {
		char code[LINES_MOST_NAME], text[LINES_MOST_NAME + 32];

		lines_code_name(m->names, list[i].pc, false, code);
		snprintf(text, sizeof text, "  by %s%s", code,
			 list[i].state == MEM_SITE_STEPPED ? ", in single steps" : "");
		summary_row(b, text, list[i].faults);
	}
}

/* Names of the causes for which something is not seen, and whether memory should have been watched. */
static const struct summary_cause {
	const char *name, *note;
} causes[MEM_UNSEEN_KINDS] = {
	[MEM_UNSEEN_STEP] = { "single steps beside other threads",
			      "what other threads did during single steps" },
	[MEM_UNSEEN_FAULT] = { "pages opened for want of sites",
			       "pages that no more instructions could be noted for" },
	[MEM_UNSEEN_STACK] = { "stacks in the heap", NULL },
	[MEM_UNSEEN_KIND] = { "accesses by unknown kinds", "accesses by instructions on tiles" },
	[MEM_UNSEEN_THREAD] = { "threads without a ring", "threads beyond the 256th" },
	[MEM_UNSEEN_MODULE] = { "modules, the loader too", NULL },
	[MEM_UNSEEN_MAPPING] = { "mappings: shared, files, stacks", NULL },
	[MEM_UNSEEN_HOOK] = { "calls of too many modules",
			      "calls of functions, such as malloc, in too many modules" },
};

void summary_unseen(struct mem_channel *c, struct buf *b)
{
	const char *comma = "";

	for (unsigned i = 0; i < MEM_UNSEEN_KINDS; i++) {
		uint64_t n = atomic_load(&c->count.unseen[i]);

		if (n == 0 || causes[i].note == NULL)
			continue;
		buf_addf(b, "%s%s (%" PRIu64 ")", comma, causes[i].note, n);
		comma = ", ";
	}
}

static void unseen_rows(struct mem_channel *c, struct buf *b)
{
	for (unsigned i = 0; i < MEM_UNSEEN_KINDS; i++) {
		char text[64];

		snprintf(text, sizeof text, "Not seen: %s", causes[i].name);
		summary_row(b, text, atomic_load(&c->count.unseen[i]));
	}
}

void summary_print(const struct memory *m, struct mem_channel *c, struct buf *b)
{
	const uint64_t *n = m->counts.event;
	const struct mem_site *sites = mem_sites(c);
	uint64_t nsites = 0, patched = 0, last = 0;

	/*
	 * Many sites were made by looking ahead and were never executed; these are not counted. An
	 * instruction with two operands has two site numbers, one after the other, and counts once.
	 */
	for (uint32_t i = MEM_SITE_FIRST; i < MEM_SITES_MAX && i < c->sites; i++) {
		if ((m->sites[i].pc == 0 && sites[i].faults == 0) || sites[i].pc == last)
			continue;
		last = sites[i].pc;
		nsites++;
		patched += sites[i].state == MEM_SITE_PATCHED;
	}
	buf_addf(b, "%-44s%14s\n", "Event", "Occurrences");
	summary_row(b, "Number of watched memory regions", places_regions(m->places));
	summary_row(b, "Number of performed stores", m->counts.stores);
	summary_row(b, "Number of performed loads", m->counts.loads);
	summary_row(b, "Number of performed block-copy", n[MEM_COPY]);
	summary_row(b, "Number of performed block-store", n[MEM_STORE] + n[MEM_FILL]);
	summary_row(b, "Number of performed block-fetch", n[MEM_FETCH]);
	summary_row(b, "Number of allocations (malloc, calloc)", n[MEM_MALLOC] + n[MEM_CALLOC]);
	summary_row(b, "Number of reallocations", n[MEM_REALLOC]);
	summary_row(b, "Number of releases (free)", n[MEM_FREE]);
	summary_row(b, "Number of mappings (mmap, mremap)", n[MEM_MMAP] + n[MEM_MREMAP]);
	summary_row(b, "Number of unmappings (munmap)", n[MEM_MUNMAP]);
	summary_row(b, "Number of threads", atomic_load(&c->threads));
	summary_row(b, "Number of instructions that accessed memory", nsites);
	summary_row(b, "Number of these that were patched", patched);
	summary_row(b, "Number of faults", atomic_load(&c->count.faults));
	worst(m, c, b);
	summary_row(b, "Number of single steps", atomic_load(&c->count.steps));
	unseen_rows(c, b);
}
