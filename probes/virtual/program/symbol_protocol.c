/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/program/symbol_protocol.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "contract/proto/reserved.h"
#include "probes/virtual/contract/virtual.h"
#include "probes/virtual/program/entries.h"
#include "support/bits.h"

enum { NAME_BYTES = 48 };

/* Returns the number of names of code, or of data. */
static size_t names_of(const struct elf_symbols *x, bool code)
{
	size_t n = 0;

	for (size_t i = 0; i < x->names.n; i++)
		n += x->names.at[i].code == code;
	return n;
}

/*
 * Returns how many slots n names need. The first opcode of the first slot is for all reads without
 * a name.
 */
static size_t slots_for(size_t n)
{
	size_t slots = (n + 1 + SYMBOL_PER_SLOT - 1) / SYMBOL_PER_SLOT;

	return slots > SYMBOL_MOST_SLOTS ? SYMBOL_MOST_SLOTS : slots;
}

struct symbol_slots symbol_slots(const struct elf_symbols *x, struct symbol_slots least)
{
	struct symbol_slots need = { slots_for(names_of(x, true)), slots_for(names_of(x, false)) };

	if (need.code < least.code)
		need.code = least.code;
	if (need.data < least.data)
		need.data = least.data;
	return need;
}

/*
 * A name as it is in the description, and the index of its symbol among symbols of the same kind.
 */
struct row {
	char name[NAME_BYTES + 24];
	size_t place;
	bool observed;
};

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

static void spell_symbol(char *out, const char *name)
{
	size_t n = 0;

	if (isdigit((unsigned char)name[0]))
		out[n++] = '_';
	for (; *name != 0 && n < NAME_BYTES; n++, name++)
		out[n] = isalnum((unsigned char)*name) ? *name : '_';
	if (grammar_find_reserved(out, n) >= 0)
		out[n++] = '_';
	out[n] = 0;
}

/* Whether a name ends with two underscores and a number, like the names that get a number. */
static bool is_numbered(const char *name)
{
	size_t n = strlen(name), digits = 0;

	while (digits < n && isdigit((unsigned char)name[n - 1 - digits]))
		digits++;
	return digits > 0 && n >= digits + 2 && name[n - 1 - digits] == '_' &&
	       name[n - 2 - digits] == '_';
}

/*
 * Adds types for the opcodes of a slot from `first` on, which have no name. Without these types,
 * hardware would depend on the number of names, because it knows which opcodes have addresses.
 */
static void add_unused(const char *group, size_t slot, size_t first, struct buf *b)
{
	buf_addf(b, "types unused from %s on %zu {", group, slot);
	for (size_t opcode = first; opcode < SYMBOL_PER_SLOT; opcode++)
		buf_addf(b, "%s%s%zu_%zu %zu address;", (opcode - first) % 4 == 0 ? "\n\t" : " ",
			 group, slot, opcode, opcode);
	buf_addf(b, "\n}\n");
}

/* Adds the types of code or of data, in `slots` slots. Adds those that are observed to `seen`. */
static bool add_types(const struct elf_symbols *x, bool code, size_t slots,
		      const uint64_t *observed, struct buf *b, struct buf *seen)
{
	size_t n = names_of(x, code), named = slots_for(n), free_from;
	const char *group = code ? "code" : "data";
	struct row *rows = calloc(n + 1, sizeof *rows);

	if (rows == NULL)
		return false;
	for (size_t i = 0; i < x->names.n; i++)
		if (x->names.at[i].code == code) {
			struct row *row = &rows[x->places[i] - 1];

			spell_symbol(row->name, x->names.at[i].name);
			row->place = x->places[i];
			row->observed = observed != NULL && bits_get(observed, i);
		}
	/*
	 * Of equal names, all but the first get a number. A name that already ends with a number
	 * gets one, too. So no two names are equal in the end.
	 */
	qsort(rows, n, sizeof *rows, by_name);
	for (size_t i = n; i-- > 0;)
		if (is_numbered(rows[i].name) ||
		    (i > 0 && strcmp(rows[i].name, rows[i - 1].name) == 0))
			snprintf(rows[i].name + strlen(rows[i].name), 24, "__%zu", rows[i].place);
	qsort(rows, n, sizeof *rows, by_place);
	for (size_t slot = 0; slot < named; slot++) {
		size_t first = slot * SYMBOL_PER_SLOT, end = first + SYMBOL_PER_SLOT;

		if (slot == 0)
			buf_addf(b, "types other from %s on 0 {\n\t%s 0 address;\n}\n", group, group);
		if (n == 0)
			break;
		buf_addf(b, "types %s from %s on %zu {\n", code ? "fn" : "var", group, slot);
		for (size_t place = first == 0 ? 1 : first; place < end && place <= n; place++) {
			buf_addf(b, "\t%s %zu address;\n", rows[place - 1].name, place - first);
			if (rows[place - 1].observed)
				buf_addf(seen, "%s%s_%s", seen->n == 0 ? " except " : ", ",
					 code ? "fn" : "var", rows[place - 1].name);
		}
		buf_addf(b, "}\n");
	}
	free_from = n + 1 - (named - 1) * SYMBOL_PER_SLOT;
	if (free_from < SYMBOL_PER_SLOT)
		add_unused(group, named - 1, free_from, b);
	for (size_t slot = named; slot < slots; slot++)
		add_unused(group, slot, 0, b);
	free(rows);
	return true;
}

/* Two arguments: the lowest and the highest bit of a field of the header. */
#define BITS(field) \
	VIRT_HEADER_##field##_LSB, VIRT_HEADER_##field##_LSB + VIRT_HEADER_##field##_WIDTH - 1

bool symbol_protocol(const struct elf_symbols *x, struct symbol_slots slots, const char *name,
		     const uint64_t *observed, struct buf *b)
{
	struct buf seen = { 0 };
	bool ok;

	buf_addf(b, "// Snoops with virtual addresses, as messages: made by nfavirt from the symbols of a\n"
		    "// program. The types are its functions and objects.\n"
		    "protocol %s;\n"
		    "header 64;\n"
		    "opcode %d..%d;\n"
		    "address %d..%d line %d;\n"
		    "groups code 0..%zu, data 0..%zu;\n",
		 name, BITS(OPCODE), BITS(LINE), 1 << VIRT_LINE_BITS, slots.code - 1,
		 slots.data - 1);
	ok = add_types(x, true, slots.code, observed, b, &seen) &&
	     add_types(x, false, slots.data, observed, b, &seen);
	buf_addf(b, "field kind %d..%d;      // 0 read once, 1 shared, 2 clean, 3 unique\n"
		    "field observed %d;    // of an observation point\n"
		    "misses%s;\n",
		 BITS(KIND), VIRT_HEADER_OBSERVED_LSB, seen.n == 0 ? "" : seen.at);
	ok = ok && !b->failed && !seen.failed;
	buf_free(&seen);
	return ok;
}

bool symbol_message(const struct elf_symbols *x, struct symbol_slots slots,
		    const struct symbol_read *r, struct nfart_batch *out)
{
	uint64_t va = r->line - r->base;
	bool code = r->kind == VIRT_READ_CLEAN;
	ptrdiff_t entry = entries_find(x, va), owner = elf_symbols_find(x, va);
	size_t place = 0, slot;

	if (entry >= 0)
		owner = entry;
	if (owner >= 0 && x->names.at[owner].code == code) {
		if (entries_has(x, (size_t)owner) && x->names.at[owner].at - va != r->word)
			return false;
		place = x->places[owner];
	}
	slot = place / SYMBOL_PER_SLOT;
	if (slot >= SYMBOL_MOST_SLOTS)
		place = slot = 0;
	if (!code)
		slot += slots.code;
	out->mask = UINT64_C(1) << slot;
	out->header[slot] = VIRT_PUT(HEADER, OPCODE, place % SYMBOL_PER_SLOT) |
			    VIRT_PUT(HEADER, KIND, r->kind) |
			    VIRT_PUT(HEADER, OBSERVED, r->observed) |
			    VIRT_PUT(HEADER, LINE, r->line >> VIRT_LINE_BITS);
	return true;
}
