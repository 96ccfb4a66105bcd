/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/program/symbol_ranges.h"

#include <inttypes.h>

#include "probes/virtual/contract/virtual.h"
#include "probes/virtual/program/entries.h"

static const uint64_t line_bytes = UINT64_C(1) << VIRT_LINE_BITS;

/* Gets the lines whose first byte belongs to a name. Returns false if there are none. */
static bool lines_of(const struct symbol *name, uint64_t base, struct symbol_range *r)
{
	uint64_t end = UINT64_C(1) << VIRT_VA_BITS, at = base + name->at, last;

	if (at >= end)
		return false;
	last = name->bytes - 1 < end - at ? at + (name->bytes - 1) : end - 1;
	r->first = (at + line_bytes - 1) & ~(line_bytes - 1);
	r->last = last & ~(line_bytes - 1);
	return r->first <= r->last;
}

bool symbol_has_line(const struct symbol *name, uint64_t base)
{
	struct symbol_range r;

	return lines_of(name, base, &r);
}

/* Takes the last line from a range if another name has its entry there. False: no line is left. */
static bool yield_line(const struct elf_symbols *x, uint64_t base, struct symbol_range *r)
{
	ptrdiff_t entry = entries_find(x, r->last - base);

	if (entry < 0 || entry == (ptrdiff_t)r->name)
		return true;
	if (r->last == r->first)
		return false;
	r->last -= line_bytes;
	return true;
}

/* Makes the range of name i, without slot and opcode. Returns false if it has none. */
static bool range_of(const struct elf_symbols *x, size_t i, uint64_t base, struct symbol_range *r)
{
	const struct symbol *name = &x->names.at[i];
	uint64_t at = name->at + base;
	bool lines;

	*r = (struct symbol_range){ .code = name->code, .name = i };
	lines = lines_of(name, base, r) && yield_line(x, base, r);
	if (!entries_has(x, i) || at >> VIRT_VA_BITS != 0)
		return lines;
	r->entry = true;
	r->word = (unsigned)(at % line_bytes);
	r->first = at - r->word;
	if (!lines)
		r->last = r->first;
	return true;
}

bool symbol_ranges(const struct elf_symbols *x, struct symbol_slots slots, uint64_t base,
		   struct symbol_ranges *out)
{
	for (size_t i = 0; i < x->names.n; i++) {
		bool code = x->names.at[i].code;
		size_t place = x->places[i];
		struct symbol_range r;

		if (place / SYMBOL_PER_SLOT >= SYMBOL_MOST_SLOTS && !entries_has(x, i))
			continue;
		if (place / SYMBOL_PER_SLOT >= SYMBOL_MOST_SLOTS)
			place = 0;
		if (!range_of(x, i, base, &r))
			continue;
		r.slot = (unsigned)(place / SYMBOL_PER_SLOT + (code ? 0 : slots.code));
		r.opcode = (unsigned)(place % SYMBOL_PER_SLOT);
		if (!vec_push(&out->ranges, r))
			return false;
	}
	return true;
}

static void put_register(FILE *f, unsigned at, uint64_t value, const char *text)
{
	fprintf(f, "%03x_%016" PRIx64 " // %s", at, value, text);
}

void symbol_ranges_write(const struct elf_symbols *x, struct symbol_slots slots,
			 const struct symbol_ranges *r, FILE *f)
{
	fputs("// Writes to registers of virt_messages: address and data, for $readmemh.\n", f);
	put_register(f, VIRT_MSG_CTRL_AT, 0, "no messages\n");
	put_register(f, VIRT_MSG_RANGE_AT, 0, "from range 0 on\n");
	for (size_t i = 0; i < r->ranges.n; i++) {
		const struct symbol_range *range = &r->ranges.at[i];

		put_register(f, VIRT_MSG_FIRST_AT,
			     VIRT_PUT(MSG_FIRST, LINE, range->first >> VIRT_LINE_BITS) |
				     VIRT_PUT(MSG_FIRST, OPCODE, range->opcode) |
				     VIRT_PUT(MSG_FIRST, SLOT, range->slot) |
				     VIRT_PUT(MSG_FIRST, CODE, range->code),
			     range->code ? "fn " : "var ");
		/* A name may contain any bytes. */
		for (const char *c = x->names.at[range->name].name; *c != 0; c++)
			putc(*c > ' ' && *c <= '~' && *c != '\\' ? *c : '_', f);
		putc('\n', f);
		put_register(f, VIRT_MSG_LAST_AT,
			     VIRT_PUT(MSG_LAST, LINE, range->last >> VIRT_LINE_BITS) |
				     VIRT_PUT(MSG_LAST, ENTRY, range->entry) |
				     VIRT_PUT(MSG_LAST, WORD, range->word),
			     range->entry ? "its last line, and its entry\n" : "its last line\n");
	}
	put_register(f, VIRT_MSG_CTRL_AT,
		     VIRT_PUT(MSG_CTRL, ENABLE, 1) | VIRT_PUT(MSG_CTRL, DATA, slots.code) |
			     VIRT_PUT(MSG_CTRL, RANGES, r->ranges.n),
		     "messages\n");
}
