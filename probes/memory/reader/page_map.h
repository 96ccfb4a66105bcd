/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * page_map.h: draws how often a program accessed each page of its memory (Cesati et al., figure 1).
 */
#ifndef NFACC_PROBES_MEMORY_READER_PAGE_MAP_H
#define NFACC_PROBES_MEMORY_READER_PAGE_MAP_H

#include <stdbool.h>

#include "probes/memory/reader/memory.h"
#include "support/buf.h"

struct page_map;

/* NULL: out of memory. Free with page_map_free(). The names of regions that it is given must outlive
 * it, as those of a struct memory do. */
struct page_map *page_map_new(void);
void page_map_free(struct page_map *p);

/* Forgets all accesses. */
void page_map_clear(struct page_map *p);

/* Counts an access on the page of its first byte, and what is done to a range on each page of it.
 * Cost: a look-up in a table if the last access was to another page. Memory: some 40 bytes for each
 * page that is accessed. */
struct memory_output page_map_output(struct page_map *p);

/* Appends the picture, as SVG: pages as circles in the order of their addresses, region by region;
 * the darker, the more accesses; white ones were not accessed. `title` is the heading. Where there
 * are very many pages, a circle stands for several. False: out of memory. Cost: sorts the pages. */
bool page_map_draw(const struct page_map *p, const char *title, struct buf *b);

#endif
