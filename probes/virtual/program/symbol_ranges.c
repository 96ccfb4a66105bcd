/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/program/symbol_ranges.h"

#include <inttypes.h>

#include "probes/virtual/contract/virtual.h"

static const uint64_t line_bytes = UINT64_C(1) << VIRT_LINE_BITS;

/* Gets the lines whose first byte belongs to a name. Returns false if there are none. */
static bool lines_of(const struct symbol *name, uint64_t base, struct symbol_range *r)
{
	uint64_t end = UINT64_C(1) << VIRT_VA_BITS, last;

	if (base >= end || name->at >= end - base)
		return false;
	last = name->bytes - 1 < end - base - name->at ? base + name->at + (name->bytes - 1)
						       : end - 1;
	r->first = (base + name->at + line_bytes - 1) & ~(line_bytes - 1);
	r->last = last & ~(line_bytes - 1);
	return r->first <= r->last;
}

bool symbol_has_line(const struct symbol *name, uint64_t base)
{
	struct symbol_range r;

	return lines_of(name, base, &r);
}

bool symbol_ranges(const struct elf_symbols *x, struct symbol_slots slots, uint64_t base,
		   struct symbol_ranges *out)
{
	size_t places[2] = { 0, 0 };

	for (size_t i = 0; i < x->names.n; i++) {
		const struct symbol *name = &x->names.at[i];
		size_t place = ++places[name->code];
		struct symbol_range r = { .code = name->code, .name = i };

		if (place / SYMBOL_PER_SLOT >= SYMBOL_MOST_SLOTS || !lines_of(name, base, &r))
			continue;
		r.slot = (unsigned)(place / SYMBOL_PER_SLOT + (name->code ? 0 : slots.code));
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
			     VIRT_PUT(MSG_LAST, LINE, range->last >> VIRT_LINE_BITS),
			     "its last line\n");
	}
	put_register(f, VIRT_MSG_CTRL_AT,
		     VIRT_PUT(MSG_CTRL, ENABLE, 1) | VIRT_PUT(MSG_CTRL, DATA, slots.code) |
			     VIRT_PUT(MSG_CTRL, RANGES, r->ranges.n),
		     "messages\n");
}
