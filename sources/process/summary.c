/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "sources/process/summary.h"

#include <inttypes.h>

static void row(struct buf *b, const char *event, uint64_t n)
{
	buf_addf(b, "%-44s%14" PRIu64 "\n", event, n);
}

void summary_print(const struct memory *m, struct mem_channel *c, struct buf *b)
{
	const uint64_t *n = m->counts.event;
	const struct mem_site *sites = mem_sites(c);
	uint64_t nsites = 0, patched = 0;

	for (uint32_t i = MEM_SITE_FIRST; i < MEM_SITES_MAX && i < c->sites; i++) {
		nsites += sites[i].pc != 0;
		patched += sites[i].pc != 0 && sites[i].state == MEM_SITE_PATCHED;
	}
	buf_addf(b, "%-44s%14s\n", "Event", "Occurrences");
	row(b, "Number of watched memory regions", places_regions(m->places));
	row(b, "Number of performed stores", m->counts.stores);
	row(b, "Number of performed loads", m->counts.loads);
	row(b, "Number of performed block-copy", n[MEM_COPY]);
	row(b, "Number of performed block-store", n[MEM_STORE] + n[MEM_FILL]);
	row(b, "Number of performed block-fetch", n[MEM_FETCH]);
	row(b, "Number of allocations (malloc, calloc)", n[MEM_MALLOC] + n[MEM_CALLOC]);
	row(b, "Number of reallocations", n[MEM_REALLOC]);
	row(b, "Number of releases (free)", n[MEM_FREE]);
	row(b, "Number of mappings (mmap, mremap)", n[MEM_MMAP] + n[MEM_MREMAP]);
	row(b, "Number of unmappings (munmap)", n[MEM_MUNMAP]);
	row(b, "Number of threads", atomic_load(&c->threads));
	row(b, "Number of instructions that accessed memory", nsites);
	row(b, "Number of these that were patched", patched);
	row(b, "Number of faults", atomic_load(&c->faults));
}
