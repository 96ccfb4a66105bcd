/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/operators.h"

#include <elf.h>
#include <stddef.h>

#include "probes/memory/inside/hooks.h"
#include "probes/memory/inside/raw.h"

#define NAME(name, maker) #name,
static const char *const operators[] = { DELETES(NAME) NEWS(NAME, NAME, NAME, NAME) NULL };
static const char *const mallocs[] = { "malloc",	 "calloc",   "realloc", "reallocarray",
				       "aligned_alloc",	 "memalign", "valloc",	"pvalloc",
				       "posix_memalign", "free",     NULL };
/* How the names of libraries begin: the C++ libraries, and those that have no operators. */
static const char *const owners[] = { "libstdc++.so.", "libc++.so.", "libc++abi.so.", NULL };
static const char *const without[] = { "libc.so.",   "libm.so.",     "libgcc_s.so.",
				       "libdl.so.",  "librt.so.",    "libpthread.so.",
				       "libgomp.so.", "libatomic.so.", NULL };

/* Only ever set. */
static _Atomic bool defined, hidden;

/* Whether a name is one of a list, or begins like one. */
static bool is_one(const char *const *list, const char *name, bool begins)
{
	for (; *list; list++) {
		size_t n = 0;
		while ((*list)[n] && (*list)[n] == name[n])
			n++;
		if (!(*list)[n] && (begins || !name[n]))
			return true;
	}
	return false;
}

/* Whether a module defines an operator. The hash table is that of all symbols it defines. */
static bool defines(const struct tables *t)
{
	uint32_t first = 0, end = 0;
	if (t->gnu_hash) {
		/* Buckets, first symbol, words of the filter, shift; filter; buckets; chains. */
		const uint32_t *h = t->gnu_hash, *bucket = h + 4 + 2 * (size_t)h[2];
		const uint32_t *chain = bucket + h[0];
		uint32_t last = 0;
		for (uint32_t i = 0; i < h[0]; i++)
			last = bucket[i] > last ? bucket[i] : last;
		first = h[1];
		if (last < first)
			return false;
		while (!(chain[last - first] & 1))
			last++;
		end = last + 1;
	} else if (t->hash) {
		end = t->hash[1];
	}
	for (uint32_t i = first; i < end; i++)
		if (t->symbol[i].st_shndx != SHN_UNDEF &&
		    is_one(operators, t->strings + t->symbol[i].st_name, false))
			return true;
	return false;
}

/* Whether a module takes a function of a list from others. */
static bool imports(const struct tables *t, const char *const *list)
{
	for (unsigned k = 0; k < 2; k++)
		for (size_t i = 0; i < t->bytes[k] / sizeof(ElfW(Rela)); i++) {
			const uint64_t n = ELF64_R_SYM(t->rela[k][i].r_info);
			if (n && t->symbol[n].st_shndx == SHN_UNDEF &&
			    is_one(list, t->strings + t->symbol[n].st_name, false))
				return true;
		}
	return false;
}

void operators_module(uintptr_t base, const ElfW(Dyn) *dynamic, const char *path)
{
	const char *name = path;
	for (const char *p = path; *p; p++)
		if (*p == '/')
			name = p + 1;
	if (is_one(owners, name, true) || is_one(without, name, true))
		return;
	const struct tables t = hooks_tables(base, dynamic);
	if (!t.symbol || !t.strings || (!t.gnu_hash && !t.hash) || defines(&t))
		defined = true;
	else if (imports(&t, mallocs) && !imports(&t, operators))
		hidden = true;
}

void operators_unknown(void)
{
	defined = true;
}

bool operators_certain(bool malloced)
{
	return !defined && !(malloced && hidden);
}
