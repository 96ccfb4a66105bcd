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

/*
 * Returns NULL if there is no memory. Free it with page_map_free(). It keeps pointers to the names
 * of regions, so these must outlive it.
 */
struct page_map *page_map_new(void);
void page_map_free(struct page_map *p);

/* Forgets all accesses. */
void page_map_clear(struct page_map *p);

/*
 * Returns an output. It counts an access on the page of its first byte, and a range on each of its
 * pages. Cost: a look-up in a hash table if the last access was to another page. Memory: about 40
 * bytes for each page that is accessed.
 */
struct memory_output page_map_output(struct page_map *p);

/*
 * Appends the picture as SVG. Pages are circles, sorted by address and grouped by region. A darker
 * circle has more accesses, and a white one has none. If there are very many pages, one circle
 * stands for several. `title` is the heading. Returns false if there is no memory. Cost: sorts the
 * pages.
 */
bool page_map_draw(const struct page_map *p, const char *title, struct buf *b);

#endif
