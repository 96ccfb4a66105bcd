/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/modules.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/ucontext.h>

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/hooks.h"
#include "probes/memory/inside/operators.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/sites.h"

enum { MODULES_MAX = 512, PATH_WORDS = 64, HEADERS_MAX = 32, RET = 0xc3, INT3 = 0xcc };

struct module {
	uintptr_t bias, low, high;
	bool own;                 /* a module of this library: never watched */
	bool watched;
	bool libc;
	struct unwind_table unwind;
	uintptr_t code, code_end; /* from the first executable segment to the end of the last */
	uintptr_t data, data_end; /* writable data, without what relocation makes read-only */
	uintptr_t bss;            /* end of the part that is read from the file */
};

/* After the start, the table changes only with sites_lock and modules_lock held. */
struct lock modules_lock;
static struct module modules[MODULES_MAX];
static unsigned module_count;

/*
 * The lock of the loader puts the loads and unloads of different threads in order. That lock is not
 * watched. So a stamp is written before each change and one after it.
 */

/* Address of the function that the loader calls when modules change; 0 if it does not call one. */
static uintptr_t notice;
static uint8_t notice_byte; /* what its first byte was */

/* Whether a module is the loader. */
static bool is_loader(const struct dl_phdr_info *info)
{
	return info->dlpi_addr == getauxval(AT_BASE);
}

/* The module that contains an address, or NULL. */
static struct module *find_module(uintptr_t at)
{
	for (unsigned i = 0; i < module_count; i++)
		if (at >= modules[i].low && at < modules[i].high)
			return &modules[i];
	return NULL;
}

/* Finds the call frame information of a module. */
static struct unwind_table find_unwind(const struct dl_phdr_info *info)
{
	struct unwind_table t = { 0 };
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			t.header = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
	for (int i = 0; i < info->dlpi_phnum && t.header; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const uintptr_t from = info->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD && !(p->p_flags & PF_W) && t.header - from < p->p_filesz) {
			t.low = from;
			t.high = from + p->p_filesz;
		}
	}
	return t;
}

/* Whether a path is that of the C library. */
static bool is_libc(const char *path)
{
	static const char libc[] = "libc.so.";
	const char *base = path;
	for (const char *p = path; *p; p++)
		if (*p == '/')
			base = p + 1;
	return raw_length(base) >= sizeof libc - 1 && raw_same(base, libc, sizeof libc - 1);
}

/* Fills the next entry of the table. Returns NULL if the table is full. */
static struct module *enter_module(const struct dl_phdr_info *info)
{
	if (module_count == MODULES_MAX) {
		inside_reason("it has loaded more than 512 files. The data of the later ones is "
			      "not watched");
		operators_unknown();
		return NULL;
	}
	struct module *m = &modules[module_count++];
	*m = (struct module){ .bias = info->dlpi_addr, .low = UINTPTR_MAX, .code = UINTPTR_MAX };
	m->unwind = find_unwind(info);
	uintptr_t relro = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + p->p_vaddr, end = from + p->p_memsz;
		if (p->p_type == PT_GNU_RELRO)
			relro = end & ~(uintptr_t)(INSIDE_PAGE - 1);
		if (p->p_type != PT_LOAD)
			continue;
		m->low = from < m->low ? from : m->low;
		m->high = end > m->high ? end : m->high;
		if (p->p_flags & PF_X) {
			m->code = from < m->code ? from : m->code;
			m->code_end = end > m->code_end ? end : m->code_end;
		}
		if (p->p_flags & PF_W) {
			m->data = from & ~(uintptr_t)(INSIDE_PAGE - 1);
			m->data_end = (end + INSIDE_PAGE - 1) & ~(uintptr_t)(INSIDE_PAGE - 1);
			m->bss = from + p->p_filesz;
		}
	}
	if (relro > m->data && relro <= m->data_end)
		m->data = relro;
	m->own = (uintptr_t)&inside >= m->low && (uintptr_t)&inside < m->high;
	m->watched = !m->own && !is_loader(info) && m->data < m->data_end;
	if (is_loader(info))
		inside_unseen(MEM_UNSEEN_MODULE);
	return m;
}

/* Notes which operators of C++ a module has. */
static void note_operators(const struct dl_phdr_info *info, const char *path)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			operators_module(info->dlpi_addr,
					 (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
					 path);
}

static struct module *note_module(const struct dl_phdr_info *info, const char *path)
{
	lock_take(&modules_lock);
	struct module *m = enter_module(info);
	if (m)
		m->libc = is_libc(path);
	lock_give(&modules_lock);
	return m;
}

struct unwind_rule modules_unwind(uintptr_t pc)
{
	struct unwind_rule rule = { .cfa = UNWIND_NONE };
	lock_take(&modules_lock);
	const struct module *m = find_module(pc);
	if (m && m->unwind.low)
		rule = unwind_find(&m->unwind, pc);
	lock_give(&modules_lock);
	return rule;
}

/* What is done with the functions of a module. */
struct visit {
	const struct module *module;
	void (*each)(void *with, uintptr_t from, size_t bytes);
	void *with;
};

/* Leaves out functions that are not in the code of their module. */
static void visit_function(void *with, uintptr_t from, size_t bytes)
{
	const struct visit *v = with;
	if (from >= v->module->code && from < v->module->code_end &&
	    bytes <= v->module->code_end - from)
		v->each(v->with, from, bytes);
}

void modules_functions(uintptr_t low, void (*each)(void *with, uintptr_t from, size_t bytes),
		       void *with)
{
	struct visit v = { find_module(low), each, with };
	if (v.module && v.module->low == low && v.module->unwind.low)
		unwind_each(&v.module->unwind, visit_function, &v);
}

uintptr_t modules_high(uintptr_t low)
{
	const struct module *m = find_module(low);
	return m && m->low == low ? m->high : 0;
}

bool modules_is_libc(uintptr_t pc)
{
	lock_take(&modules_lock);
	const struct module *m = find_module(pc);
	const bool libc = m && m->libc;
	lock_give(&modules_lock);
	return libc;
}

static void record_module(const struct module *m, const char *name)
{
	uint64_t words[3 + PATH_WORDS] = { m->bias, m->low, m->high };
	char *path = (char *)(words + 3);
	size_t n = raw_length(name), most = PATH_WORDS * 8 - 1;
	if (n)
		raw_copy(path, name, n < most ? n : most);
	else
		RAW3(SYS_readlink, "/proc/self/exe", path, most);
	n = raw_length(path);
	inside_enter();
	ring_event(MEM_MODULE, words, (uint32_t)(3 + (n + 8) / 8));
	inside_leave();
}

/* Callback of dl_iterate_phdr: adds one module. Called before anything is watched. */
static int start_module(struct dl_phdr_info *info, size_t size, void *with)
{
	(void)size;
	(void)with;
	const struct module *m = note_module(info, info->dlpi_name);
	if (!m)
		return 1;
	if (!m->own)
		record_module(m, info->dlpi_name);
	if (!m->own && !is_loader(info))
		note_operators(info, info->dlpi_name);
	inside.low |= m->watched && m->low < UINT64_C(1) << 40;
	return 0;
}

/*
 * Watches the data of a module in two regions: initialised data up to the page where bss begins,
 * and bss.
 */
static void watch_module(const struct module *m)
{
	uintptr_t border = (m->bss + INSIDE_PAGE - 1) & ~(uintptr_t)(INSIDE_PAGE - 1);
	if (border < m->data)
		border = m->data;
	if (border > m->data_end)
		border = m->data_end;
	bool good = true;
	if (border > m->data)
		good = mirror_adopt(m->data, border - m->data, MEM_DATA);
	if (m->data_end > border)
		good &= mirror_adopt(border, m->data_end - border, MEM_BSS);
	if (good)
		return;
	inside_unseen(MEM_UNSEEN_MODULE);
	inside_reason("the data of a program or library can't be mapped a second time, and is "
		      "not watched");
}

/* Watches only those ranges of data that --watch names. */
static void watch_ranges(const struct mem_channel *c)
{
	for (uint32_t i = 0; i < c->watch.ranges; i++) {
		const struct module *m = find_module(c->watch.range[i].from);
		uintptr_t from = c->watch.range[i].from & ~(uintptr_t)(INSIDE_PAGE - 1);
		uintptr_t end = c->watch.range[i].from + c->watch.range[i].bytes + INSIDE_PAGE - 1;
		if (m && m->watched)
			mirror_adopt(from, (end & ~(uintptr_t)(INSIDE_PAGE - 1)) - from, MEM_DATA);
	}
}

/* Whether all data is watched. If not, --watch names what is watched. */
static bool watches_all(void)
{
	const struct mem_channel *c = inside.channel;
	return !c->watch.ranges && !c->watch.callers;
}

/*
 * Adds a module from a list of the loader, if it is new. `hidden`: it is in a link namespace of
 * this library.
 */
static void take_module(const struct link_map *map, bool hidden)
{
	ElfW(Ehdr) e;
	ElfW(Phdr) headers[HEADERS_MAX];
	if (find_module((uintptr_t)map->l_ld))
		return;
	if (!calls_read(&e, map->l_addr, sizeof e) ||
	    !raw_same((const char *)e.e_ident, ELFMAG, SELFMAG) || e.e_phnum > HEADERS_MAX ||
	    !calls_read(headers, map->l_addr + e.e_phoff, e.e_phnum * sizeof *headers)) {
		if (!hidden)
			operators_unknown();
		return;
	}
	const struct dl_phdr_info info = { .dlpi_addr = map->l_addr,
					   .dlpi_phdr = headers,
					   .dlpi_phnum = e.e_phnum };
	struct module *m = note_module(&info, mirror_alias(map->l_name));
	if (!m)
		return;
	m->watched &= !hidden;
	if (hidden && !m->own)
		inside_unseen(MEM_UNSEEN_MODULE);
	if (hidden)
		return;
	record_module(m, mirror_alias(map->l_name));
	note_operators(&info, mirror_alias(map->l_name));
	if (m->watched && watches_all() && inside_watching())
		watch_module(m);
}

/*
 * Goes through the lists of modules of all link namespaces, except for lists that are just
 * changing.
 */
static void scan(bool hidden)
{
	const struct r_debug_extended *d = (const void *)&_r_debug;
	while (d) {
		d = mirror_alias(d);
		const struct link_map *map = d->base.r_map;
		if (d->base.r_state != RT_CONSISTENT)
			map = NULL;
		for (; map; map = map->l_next) {
			map = mirror_alias(map);
			take_module(map, hidden);
		}
		d = d->base.r_version > 1 ? d->r_next : NULL;
	}
}

/*
 * A library that is loaded with RTLD_DEEPBIND would call malloc and free of libc, also for blocks of
 * this library's heap. So the flag is removed. dlopen depends on who calls it, so the call goes on
 * with a jump. The pointer is set before any other code of the program runs.
 */
void *modules_dlopen __attribute__((visibility("hidden")));
_Static_assert(RTLD_DEEPBIND == 8, "the code below removes this flag");
__asm__(".text\n"
	".globl dlopen\n"
	".type dlopen, @function\n"
	"dlopen:\n"
	"	and $~8, %esi\n"
	"	jmp *modules_dlopen(%rip)\n"
	".size dlopen, . - dlopen\n");

void modules_start(void)
{
	dl_iterate_phdr(start_module, NULL);
	scan(true);
}

/* Whether a function does nothing: its code is `ret`, or `endbr64` and `ret`. */
static bool is_empty(const uint8_t *function)
{
	static const char entry[] = "\xf3\x0f\x1e\xfa";
	if (raw_same((const char *)function, entry, sizeof entry - 1))
		function += sizeof entry - 1;
	return *function == RET;
}

/* Calls `each` for all modules of the program, but not for the loader and this library. */
static void each_of_program(void (*each)(const struct link_map *map))
{
	const struct link_map *map = ((const struct r_debug *)mirror_alias(&_r_debug))->r_map;
	for (; map; map = map->l_next) {
		map = mirror_alias(map);
		const struct module *m = find_module((uintptr_t)map->l_ld);
		if (m && !m->own && map->l_addr != getauxval(AT_BASE))
			each(map);
	}
}

void modules_hook(void)
{
	lock_take(&sites_lock);
	each_of_program(hooks_module);
	lock_give(&sites_lock);
}

/* The loader protects the tables of a module when it has filled them. */
void modules_relocated(uintptr_t at)
{
	const struct module *m = find_module(at);
	const struct link_map *map = ((const struct r_debug *)mirror_alias(&_r_debug))->r_map;
	if (!m || m->own || !inside_watching())
		return;
	lock_take(&sites_lock);
	for (; map; map = map->l_next) {
		map = mirror_alias(map);
		if (find_module((uintptr_t)map->l_ld) == m)
			hooks_module(map);
	}
	lock_give(&sites_lock);
}

void modules_late(void)
{
	scan(false);
}

void modules_end(void)
{
	pages_begin();
	if (notice)
		pages_write(notice, &notice_byte, 1);
	pages_end();
	notice = 0;
}

void modules_watch(void)
{
	static const uint8_t trap = INT3;
	if (inside.channel->watch.ranges)
		watch_ranges(inside.channel);
	for (unsigned i = 0; i < module_count && watches_all(); i++)
		if (modules[i].watched)
			watch_module(&modules[i]);
	const uintptr_t at = ((const struct r_debug *)mirror_alias(&_r_debug))->r_brk;
	pages_begin();
	if (at)
		notice_byte = *(const uint8_t *)at;
	if (at && is_empty((const uint8_t *)at) && pages_write(at, &trap, 1)) {
		notice = at;
	} else {
		operators_unknown();
		inside_reason("the dynamic loader does not say what it loads. The data of "
			      "libraries that are loaded later is not watched");
	}
	pages_end();
}

bool modules_trap(ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;
	if (!notice || (uintptr_t)registers[REG_RIP] != notice + 1)
		return false;
	if (inside_watching()) {
		inside_enter();
		ring_stamp();
		lock_take(&sites_lock);
		scan(false);
		lock_give(&sites_lock);
		ring_stamp();
		inside_leave();
	}
	registers[REG_RIP] = *(const greg_t *)mirror_alias((void *)registers[REG_RSP]);
	registers[REG_RSP] += (greg_t)sizeof(greg_t);
	return true;
}

void modules_unmap(uintptr_t at, size_t bytes)
{
	inside_enter();
	if (inside_watching())
		ring_stamp();
	lock_take(&sites_lock);
	for (unsigned i = 0; i < module_count;) {
		const struct module m = modules[i];
		if (m.low >= at + bytes || m.high <= at) {
			i++;
			continue;
		}
		sites_forget(m.low, m.high - m.low);
		hooks_forget(m.low, m.high - m.low);
		if (inside_watching())
			ring_event(MEM_UNMODULE, &m.low, 1);
		lock_take(&modules_lock);
		modules[i] = modules[--module_count];
		lock_give(&modules_lock);
	}
	lock_give(&sites_lock);
	mirror_drop(at, bytes, inside_watching());
	if (inside_watching())
		ring_stamp();
	inside_leave();
}
