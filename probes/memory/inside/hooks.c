/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/hooks.h"

#include <elf.h>
#include <sys/mman.h>

#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/next.h"
#include "probes/memory/inside/own.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/raw.h"

enum { STUB = 8, HOOKS_MAX = INSIDE_PAGE / STUB, ENTRIES_MAX = 1 << 14 };

/* An entry of a table of addresses that was replaced. */
struct entry {
	uint64_t *at;
	uint64_t before;
};

static struct {
	struct hook hook[HOOKS_MAX];
	void *before[HOOKS_MAX]; /* what each takes the place of */
	uint32_t n;
	struct entry *entry; /* ENTRIES_MAX */
	uint32_t entries;
	uintptr_t stubs; /* a page of jumps, then a page of the addresses that they go to */
} hooks;

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* The loader has made addresses of the values, but not in modules that it may not write to. */
static uintptr_t address_in(uintptr_t base, uintptr_t value)
{
	return value < base ? base + value : value;
}

struct tables hooks_tables(uintptr_t base, const ElfW(Dyn) *d)
{
	struct tables t = { 0 };
	for (; d->d_tag != DT_NULL; d++) {
		const uintptr_t at = address_in(base, d->d_un.d_ptr);
		if (d->d_tag == DT_SYMTAB)
			t.symbol = (const void *)at;
		else if (d->d_tag == DT_STRTAB)
			t.strings = (const void *)at;
		else if (d->d_tag == DT_RELA)
			t.rela[0] = (const void *)at;
		else if (d->d_tag == DT_RELASZ)
			t.bytes[0] = d->d_un.d_val;
		else if (d->d_tag == DT_JMPREL)
			t.rela[1] = (const void *)at;
		else if (d->d_tag == DT_PLTRELSZ)
			t.bytes[1] = d->d_un.d_val;
		else if (d->d_tag == DT_GNU_HASH)
			t.gnu_hash = (const void *)at;
		else if (d->d_tag == DT_HASH)
			t.hash = (const void *)at;
	}
	return t;
}

static bool same(const char *a, const char *b)
{
	const size_t n = raw_length(a);
	return raw_length(b) == n && raw_same(a, b, n);
}

static const struct hook *find_hook(const char *name)
{
	for (uint32_t i = 0; i < hooks.n; i++)
		if (hooks.hook[i].name[0] == name[0] && same(hooks.hook[i].name, name))
			return &hooks.hook[i];
	return NULL;
}

static void add_hook(const char *name, void *function, void **next)
{
	void *before = next_find(name);
	if (!before)
		return;
	if (hooks.n == HOOKS_MAX) {
		inside_unseen(MEM_UNSEEN_HOOK);
		return;
	}
	if (next)
		*next = before;
	hooks.before[hooks.n] = before;
	hooks.hook[hooks.n++] = (struct hook){ name, function, NULL };
}

/*
 * Whether a function of this library serves a process that was attached to. Its own heap does not:
 * blocks of it could not be freed later. dlopen() looks at its caller.
 */
static bool serves(const char *name)
{
	static const char *const not[] = { "dlopen", "_Z", "nfamem_" };
	for (size_t i = 0; i < sizeof not / sizeof *not; i++)
		if (raw_length(name) >= raw_length(not[i]) &&
		    raw_same(name, not[i], raw_length(not[i])))
			return false;
	return true;
}

/* The linker puts the symbols right before their names. */
static void add_own_functions(void)
{
	const uintptr_t base = (uintptr_t)__ehdr_start;
	const struct tables t = hooks_tables(base, _DYNAMIC);
	for (const ElfW(Sym) *s = t.symbol; (const char *)(s + 1) <= t.strings; s++) {
		const char *name = t.strings + s->st_name;
		if (s->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s->st_info) == STT_FUNC &&
		    serves(name) && !find_hook(name))
			add_hook(name, (void *)(base + s->st_value), NULL);
	}
}

/* jmp *4096(%rip) from the start of each stub: to the word at the same place in the next page. */
static bool make_stubs(void)
{
	const size_t page = INSIDE_PAGE;
	void *p = raw_mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!raw_good(p))
		return false;
	hooks.stubs = (uintptr_t)p;
	for (uint32_t i = 0; i < hooks.n; i++) {
		static const uint8_t jump[] = { 0xff, 0x25 };
		const uint32_t away = INSIDE_PAGE - 6;
		uint8_t *stub = (uint8_t *)p + i * STUB;
		raw_copy(stub, jump, sizeof jump);
		raw_copy(stub + sizeof jump, &away, sizeof away);
		*(void **)(stub + page) = hooks.hook[i].function;
	}
	return raw_mprotect(hooks.stubs, page, PROT_READ | PROT_EXEC) == 0 &&
	       raw_mprotect(hooks.stubs + page, page, PROT_READ) == 0;
}

bool hooks_start(void)
{
	for (const struct hook *h = outer_hooks; h->name; h++)
		add_hook(h->name, h->function, h->next);
	add_own_functions();
	hooks.entry = own_map(0, ENTRIES_MAX * sizeof *hooks.entry);
	return hooks.entry && make_stubs();
}

static void write_entry(uint64_t *at, uint64_t value)
{
	if (mirror_covers((uintptr_t)at))
		*(uint64_t *)mirror_alias(at) = value;
	else
		pages_write((uintptr_t)at, &value, sizeof value);
}

/* Whether an entry was replaced already. */
static bool is_stub(uint64_t value)
{
	return value - hooks.stubs < INSIDE_PAGE;
}

void hooks_module(const struct link_map *map)
{
	const uintptr_t base = map->l_addr;
	/* Without RELRO, the dynamic section is watched. */
	const struct tables t = hooks_tables(base, mirror_alias(map->l_ld));
	pages_begin();
	for (unsigned k = 0; k < 2; k++)
		for (size_t i = 0; i < t.bytes[k] / sizeof(ElfW(Rela)); i++) {
			const ElfW(Rela) *r = &t.rela[k][i];
			const uint64_t kind = ELF64_R_TYPE(r->r_info);
			if (kind != R_X86_64_JUMP_SLOT && kind != R_X86_64_GLOB_DAT)
				continue;
			const ElfW(Sym) *s = &t.symbol[ELF64_R_SYM(r->r_info)];
			const struct hook *h = find_hook(t.strings + s->st_name);
			uint64_t *at = (uint64_t *)(base + r->r_offset);
			const uint64_t before = *(const uint64_t *)mirror_alias(at);
			if (!h || !before || is_stub(before))
				continue;
			if (hooks.entries == ENTRIES_MAX) {
				inside_unseen(MEM_UNSEEN_HOOK);
				continue;
			}
			hooks.entry[hooks.entries++] = (struct entry){ at, before };
			write_entry(at, hooks.stubs + (uint64_t)(h - hooks.hook) * STUB);
		}
	pages_end();
}

void hooks_forget(uintptr_t at, size_t bytes)
{
	for (uint32_t i = 0; i < hooks.entries;)
		if ((uintptr_t)hooks.entry[i].at - at < bytes)
			hooks.entry[i] = hooks.entry[--hooks.entries];
		else
			i++;
}

void hooks_end(void)
{
	pages_begin();
	for (uint32_t i = 0; i < hooks.entries; i++)
		write_entry(hooks.entry[i].at, hooks.entry[i].before);
	pages_end();
	hooks.entries = 0;
	const uintptr_t addresses = hooks.stubs + INSIDE_PAGE;
	raw_mprotect(addresses, INSIDE_PAGE, PROT_READ | PROT_WRITE);
	for (uint32_t i = 0; i < hooks.n; i++)
		*(void **)(addresses + i * STUB) = hooks.before[i];
	raw_mprotect(addresses, INSIDE_PAGE, PROT_READ);
}
