/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_code.h"

#include <stdlib.h>
#include <string.h>

#include "probes/profile/stacks/demangle.h"
#include "support/bits.h"

enum { PAGE = 4096, MOST_MODULES = 4096 };

/* ---- functions by their names ---- */

static uint64_t hash_name(const char *name)
{
	uint64_t h = 0;

	for (; *name != 0; name++)
		h = hash_add(h, (unsigned char)*name);
	return h;
}

static uint64_t hash_of(const void *ctx, uint32_t id)
{
	const struct rv_code *c = ctx;

	return hash_name(c->functions.at[id].name);
}

HASH_INLINE bool has_name(const void *ctx, uint32_t id, const void *name)
{
	const struct rv_code *c = ctx;

	return strcmp(c->functions.at[id].name, name) == 0;
}

/*
 * Puts the names of functions that are new into the table, if they run where they are linked: in
 * the kernel. Of those with one name, the first counts. Returns false if there is no memory.
 */
static bool put_names(struct rv_code *c)
{
	for (; c->named < c->functions.n; c->named++) {
		const struct rv_function *f = &c->functions.at[c->named];
		size_t place;

		if (f->name == NULL || f->module == UINT32_MAX || !c->modules.at[f->module].fixed)
			continue;
		if (!hash_room(&c->names, hash_of, c))
			return false;
		place = hash_find(&c->names, hash_name(f->name), has_name, c, f->name);
		if (hash_id(&c->names, place) == HASH_NONE)
			hash_put(&c->names, place, (uint32_t)c->named);
	}
	return true;
}

/* Finds a function of the kernel by its name. */
static bool find_name(void *ctx, const char *name, uint64_t *address)
{
	const struct rv_code *c = ctx;
	uint32_t id;

	if (c->names.n == 0)
		return false;
	id = hash_id(&c->names, hash_find(&c->names, hash_name(name), has_name, c, name));
	if (id == HASH_NONE)
		return false;
	*address = c->functions.at[id].address;
	return true;
}

bool rv_code_init(struct rv_code *c)
{
	static const char *const names[RV_OWN_FUNCTIONS] = {
		[RV_ROOT] = "all", [RV_UNKNOWN] = "[unknown]", [RV_KERNEL] = "[kernel]",
		[RV_FIRMWARE] = "[firmware]", [RV_SIGNAL] = "[signal]",
		[RV_INTERRUPT] = "[interrupt]"
	};

	*c = (struct rv_code){ .kernel.find = find_name, .kernel.ctx = c };
	for (size_t i = 0; i < RV_OWN_FUNCTIONS; i++)
		if (!vec_push(&c->functions,
			      ((struct rv_function){ .name = names[i], .module = UINT32_MAX })))
			return false;
	return true;
}

static void free_module(struct rv_module *m)
{
	elf_text_close(&m->text);
	free(m->path);
	free(m->code);
}

void rv_code_free(struct rv_code *c)
{
	for (size_t i = 0; i < c->modules.n; i++)
		free_module(&c->modules.at[i]);
	vec_free(&c->modules);
	vec_free(&c->functions);
	hash_free(&c->names);
	buf_free(&c->shown);
	buf_free(&c->debug.notes);
	kernel_modules_free(&c->kernel);
}

/* ---- the functions of a module ---- */

/* Returns the index of an address in the table; span / 2 if the address is not in the table. */
static size_t index_of(const struct rv_module *m, uint64_t address)
{
	uint64_t at = address - m->low;

	return (size_t)((at < m->span ? at : m->span) / 2);
}

/* Writes the function into the entries [from, to). */
static void fill_function(struct rv_module *m, size_t from, size_t to, uint32_t function)
{
	for (size_t i = from; i < to; i++)
		if (m->code[i] != 0)
			m->code[i] = (uint64_t)function << 40 | (uint32_t)m->code[i];
}

static bool new_function(struct rv_code *c, const struct symbol *s, uint32_t *id)
{
	*id = (uint32_t)c->functions.n;
	return c->functions.n < RV_MOST_FUNCTIONS &&
	       vec_push(&c->functions, ((struct rv_function){
					       .name = s->name, .address = s->at,
					       .module = (uint32_t)c->modules.n }));
}

/* Marks the targets of calls: those of jal, and those of auipc followed by jalr. */
static void find_calls(const struct rv_module *m, uint64_t *called)
{
	size_t n = (size_t)m->span / 2;

	for (size_t i = 0; i < n; i += m->code[i] == 0 ? 1 : rv_length((uint32_t)m->code[i]) / 2) {
		uint32_t x = (uint32_t)m->code[i], y = i + 2 < n ? (uint32_t)m->code[i + 2] : 0;
		struct rv_flow f = rv_decode(x);
		int64_t to = -1;

		if (f.class == RV_CALL)
			to = (int64_t)i + f.distance / 2;
		else if ((x & 0x7f) == 0x17 && (y & 0x7f) == 0x67 &&
			 (x >> 7 & 31) == (y >> 15 & 31) && (y >> 7 & 31) == 1)
			to = (int64_t)i +
			     ((int32_t)(x & 0xfffff000) + ((int32_t)y >> 20)) / 2;
		if (to >= 0 && (uint64_t)to < n)
			bits_set(called, (size_t)to);
	}
}

/*
 * Returns the end of a function of unknown size that begins at halfword `from`. It ends at the next
 * symbol or at the target of a call. s[i] is its symbol.
 */
static size_t end_of(const struct rv_module *m, const struct symbol *s, size_t i, size_t n,
		     const uint64_t *called)
{
	size_t from = index_of(m, s[i].at), to = (size_t)m->span / 2;

	if (i + 1 < n)
		to = index_of(m, s[i + 1].at);
	return bits_next(called, to > from ? to : from, from + 1);
}

/*
 * Names the functions of a module. A function of known size extends to its end. All other functions
 * fill the rest, each from its start. Labels and starts inside a function of known size are
 * dropped.
 */
static bool name_functions(struct rv_code *c, struct rv_module *m, const uint64_t *called)
{
	const struct symbol *s = m->text.symbols.at;
	size_t n = m->text.symbols.n;
	uint64_t until = 0;

	for (size_t i = 0; i < n; i++) {
		size_t from = index_of(m, s[i].at), to;
		uint32_t id;

		if (from == m->span / 2 || m->code[from] == 0 || s[i].at % 2 != 0 ||
		    (s[i].rank < SYMBOL_LOCAL && s[i].at < until))
			continue;
		if (s[i].bytes != 0 && s[i].bytes < m->span)
			to = index_of(m, s[i].at + s[i].bytes);
		else
			to = end_of(m, s, i, n, called);
		if (s[i].rank >= SYMBOL_LOCAL && s[i].bytes != 0)
			until = s[i].at + s[i].bytes;
		if (!new_function(c, &s[i], &id))
			return false;
		fill_function(m, from, to > from ? to : from, id);
	}
	return true;
}

/*
 * Makes functions for code that has no names. One begins at the start of each gap, and at each
 * target of a call.
 */
static bool name_holes(struct rv_code *c, struct rv_module *m, const uint64_t *called)
{
	uint32_t id = 0;

	for (size_t i = 0; i < m->span / 2; i++) {
		struct symbol s = { .at = m->low + 2 * i };

		if (m->code[i] == 0 || m->code[i] >> 40 != 0) {
			id = 0;
			continue;
		}
		if ((id == 0 || bits_get(called, i)) && !new_function(c, &s, &id))
			return false;
		m->code[i] |= (uint64_t)id << 40;
	}
	return true;
}

static bool find_functions(struct rv_code *c, struct rv_module *m)
{
	uint64_t *called = calloc(bits_words((size_t)m->span / 2) + 1, sizeof *called);
	bool ok = called != NULL;

	if (ok)
		find_calls(m, called);
	ok = ok && name_functions(c, m, called) && name_holes(c, m, called);
	free(called);
	return ok;
}

/* ---- the table ---- */

uint64_t rv_code_entry(const struct rv_code *c, const struct rv_module *m, size_t at,
		       uint32_t function, uint32_t instruction)
{
	struct rv_flow f = rv_decode(instruction);

	(void)c;
	if (f.class == RV_JUMP) {
		int64_t to = (int64_t)at + f.distance / 2;
		if (to >= 0 && (uint64_t)to < m->span / 2 &&
		    rv_entry_function(m->code[to]) == function)
			f.class = RV_PLAIN;
	}
	return (uint64_t)function << 40 | (uint64_t)f.class << 32 | instruction;
}

static void read_part(struct rv_module *m, const struct elf_part *p)
{
	size_t at = index_of(m, p->address);

	for (size_t i = 0; i + 1 < p->n; i += 2) {
		uint32_t x = (uint32_t)p->bytes[i] | (uint32_t)p->bytes[i + 1] << 8;
		if (rv_length(x) == 4 && i + 3 < p->n)
			x |= (uint32_t)p->bytes[i + 2] << 16 | (uint32_t)p->bytes[i + 3] << 24;
		m->code[at + i / 2] = x;
	}
}

static enum nfart_status make_table(struct rv_code *c, struct rv_module *m, struct nfart_error *e)
{
	const struct elf_part *last = &m->text.parts.at[m->text.parts.n - 1];
	size_t first = c->functions.n;

	m->low = m->text.parts.at[0].address / PAGE * PAGE;
	m->span = (last->address + last->n - m->low) / 2 * 2;
	if (m->span > RV_MOST_SPAN)
		return nfart_fail(e, NFART_INPUT, "%s: the code spans more than 256 MiB", m->path);
	m->code = calloc(m->span / 2, sizeof *m->code);
	if (m->code == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	for (size_t i = 0; i < m->text.parts.n; i++)
		read_part(m, &m->text.parts.at[i]);
	if (!find_functions(c, m)) {
		c->functions.n = first;
		return nfart_fail(e, NFART_SYSTEM, "%s: too many functions", m->path);
	}
	for (size_t i = 0; i < m->span / 2; i++)
		if (m->code[i] != 0)
			m->code[i] = rv_code_entry(c, m, i, rv_entry_function(m->code[i]),
						   (uint32_t)m->code[i]);
	return NFART_OK;
}

/* Whether a module was made from a file with the same bytes. */
static bool has_file(const struct rv_code *c, const struct elf_file *x)
{
	for (size_t i = 0; i < c->modules.n; i++) {
		const struct elf_file *other = &c->modules.at[i].text.file;

		if (other->n == x->n && memcmp(other->at, x->at, x->n) == 0)
			return true;
	}
	return false;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

enum nfart_status rv_code_add(struct rv_code *c, const char *path, struct nfart_error *e)
{
	struct rv_module m = { 0 };
	enum nfart_status status;

	if (c->modules.n == MOST_MODULES)
		return nfart_fail(e, NFART_INPUT, "more than %d ELF files", MOST_MODULES);
	if (c->kernel.sections.n > 0 && !put_names(c))
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	status = elf_text_open(&m.text, path, &c->debug, &c->kernel, e);
	if (status != NFART_OK)
		return status;
	if (has_file(c, &m.text.file)) {
		elf_text_close(&m.text);
		return NFART_OK;
	}
	m.path = strdup(path);
	m.entry = m.text.file.entry;
	m.fixed = m.text.fixed;
	m.program = m.text.program;
	if (m.path == NULL || !vec_reserve(&c->modules, 1))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	else
		status = make_table(c, &m, e);
	if (status != NFART_OK) {
		free_module(&m);
		return status;
	}
	m.name = last_part(m.path);
	c->modules.at[c->modules.n++] = m;
	return NFART_OK;
}

bool rv_code_begins(const struct rv_code *c, const struct rv_module *m)
{
	if (m->program || strncmp(m->name, "ld-", 3) == 0 || strncmp(m->name, "ld.so", 5) == 0)
		return true;
	for (size_t i = 0; i < c->modules.n; i++) {
		const char *path = c->modules.at[i].text.interpreter;

		if (path != NULL && strcmp(last_part(path), m->name) == 0)
			return true;
	}
	return false;
}

bool rv_code_has(const struct rv_code *c, const char *name)
{
	for (size_t i = 0; i < c->modules.n; i++)
		if (strcmp(c->modules.at[i].name, name) == 0)
			return true;
	return false;
}

size_t rv_code_switches(struct rv_code *c, const char *name)
{
	size_t found = 0;

	for (size_t i = RV_OWN_FUNCTIONS; i < c->functions.n; i++)
		if (c->functions.at[i].name != NULL && strcmp(c->functions.at[i].name, name) == 0) {
			c->functions.at[i].switches = true;
			found++;
		}
	return found;
}

/* The symbols that are demangled, and the functions that have them. */
struct mangled {
	VEC(const char *) symbols;
	VEC(size_t) functions;
	size_t *at; /* where the names are in c->shown */
};

static bool find_mangled(const struct rv_code *c, struct mangled *m)
{
	for (size_t i = RV_OWN_FUNCTIONS; i < c->functions.n; i++) {
		const char *name = c->functions.at[i].name;

		if (name != NULL && is_mangled(name) &&
		    (!vec_push(&m->symbols, name) || !vec_push(&m->functions, i)))
			return false;
	}
	m->at = malloc((m->symbols.n + 1) * sizeof *m->at);
	return m->at != NULL;
}

bool rv_code_demangle(struct rv_code *c)
{
	struct mangled m = { 0 };
	bool ok = find_mangled(c, &m) &&
		  (m.symbols.n == 0 || demangle(m.symbols.at, m.symbols.n, &c->shown, m.at));

	for (size_t i = 0; i < m.symbols.n && ok; i++)
		if (m.at[i] != SIZE_MAX)
			c->functions.at[m.functions.at[i]].shown = c->shown.at + m.at[i];
	vec_free(&m.symbols);
	vec_free(&m.functions);
	free(m.at);
	return ok;
}

void rv_code_name(const struct rv_code *c, uint32_t function, struct buf *b)
{
	const struct rv_function *f = &c->functions.at[function];

	if (f->name != NULL)
		buf_addf(b, "%s", f->shown != NULL ? f->shown : f->name);
	else
		buf_addf(b, "%s+0x%llx", c->modules.at[f->module].name,
			 (unsigned long long)f->address);
}
