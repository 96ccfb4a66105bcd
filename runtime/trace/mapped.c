/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/mapped.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

void mapped_close(struct mapped *m)
{
	if (m->base != NULL) {
		m->guard->begin = m->guard->end = 0;
		munmap(m->base, MAPPED_WINDOW);
	}
	*m = (struct mapped){ .guard = NULL };
}

/* Reserves addresses for the mapping. They are aligned like the places in the file, so that large
 * pages of the page cache can be mapped as large pages. */
static bool reserve(struct mapped *m)
{
	unsigned char *p = mmap(NULL, MAPPED_WINDOW + MAPPED_ALIGN, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before = MAPPED_ALIGN - (uintptr_t)p % MAPPED_ALIGN;

	if (p == MAP_FAILED)
		return false;
	munmap(p, before);
	m->base = p + before;
	if (before != MAPPED_ALIGN)
		munmap(m->base + MAPPED_WINDOW, MAPPED_ALIGN - before);
	m->guard->begin = (uintptr_t)m->base;
	m->guard->end = (uintptr_t)m->base + MAPPED_WINDOW;
	return true;
}

const unsigned char *mapped_view(struct mapped *m, int fd, uint64_t place, size_t n, uint64_t left)
{
	const unsigned char *view;

	if (m->guard == NULL || n > MAPPED_WINDOW - MAPPED_ALIGN)
		return NULL;
	if (!m->filled || place < m->at || place - m->at > MAPPED_WINDOW - n) {
		if (m->base == NULL && !reserve(m)) {
			mapped_close(m);
			return NULL;
		}
		m->at = place - place % MAPPED_ALIGN;
		m->filled = mmap(m->base, MAPPED_WINDOW, PROT_READ,
				 MAP_SHARED | MAP_FIXED, fd, (off_t)m->at) != MAP_FAILED;
		if (!m->filled) {
			mapped_close(m);
			return NULL;
		}
	}
	view = m->base + (place - m->at);
	/* The kernel maps some pages around one that is read. Those of the next view are mapped
	 * now, since the processor fetches nothing ahead from a page that is not mapped. */
	if (left - n > MAPPED_AHEAD && place - m->at + n < MAPPED_WINDOW - MAPPED_AHEAD)
		(void)*(const volatile unsigned char *)(view + n + MAPPED_AHEAD);
	return view;
}

bool nfart_mapping_fill(const struct nfart_mapping *m, const void *address)
{
	uintptr_t at = (uintptr_t)address;
	int error = errno;
	bool ok;

	if (at < m->begin || at >= m->end)
		return false;
	at -= at % (uintptr_t)sysconf(_SC_PAGESIZE);
	ok = mmap((void *)at, m->end - at, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		  0) != MAP_FAILED;
	errno = error;
	return ok;
}
