/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Random symbols, small and large, with and without gaps, more of them than a slot holds or than a
 * protocol does: the range that holds a line must give the message that symbol_message() makes,
 * and a line without a range must be `other`. Some functions are observed, so that their calls
 * alone have messages. The ranges must rise and not overlap.
 */
#include "probes/virtual/contract/virtual.h"
#include "probes/virtual/program/entries.h"
#include "probes/virtual/program/symbol_protocol.h"
#include "probes/virtual/program/symbol_ranges.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { LINE_BYTES = 1 << VIRT_LINE_BITS };

static uint64_t state;

static uint64_t draw_random(uint64_t n)
{
	/* splitmix64 */
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % n;
}

/* Draws names. They are where they are linked; some are at the end of all addresses. */
static bool draw_names(struct elf_symbols *x, uint64_t base)
{
	static const unsigned most[] = { 3, 40, 600, 20000 };
	uint64_t n = 1 + draw_random(most[draw_random(4)]),
		 widest = draw_random(2) == 0 ? 100 : 1000;
	uint64_t va = draw_random(4) != 0
			      ? draw_random(1 << 20)
			      : (UINT64_C(1) << VIRT_VA_BITS) - base - draw_random(50000) - 1;

	for (uint64_t i = 0; i < n; i++) {
		struct symbol name = { va, 1 + draw_random(widest), "x", SYMBOL_GLOBAL,
				       draw_random(3) != 0, NULL };

		if (!vec_push(&x->names, name))
			return false;
		va += name.bytes + (draw_random(3) == 0 ? draw_random(200) : 0);
	}
	return true;
}

/* Draws up to 16 functions to observe, in different lines. */
static bool draw_entries(struct elf_symbols *x, uint64_t base)
{
	for (uint64_t n = draw_random(17); n > 0; n--) {
		size_t i = draw_random(x->names.n);
		uint64_t line = (x->names.at[i].at + base) / LINE_BYTES * LINE_BYTES;

		if (x->names.at[i].code && line >= base && entries_find(x, line - base) < 0 &&
		    !entries_add(x, i))
			return false;
	}
	return true;
}

/* Does a line have the message that its range says? *at is the first range that does not end before
 * the line. *made: counts those that have one. */
static bool line_is_right(const struct elf_symbols *x, struct symbol_slots slots,
			  const struct symbol_ranges *r, size_t *at, uint64_t base, uint64_t line,
			  bool code, uint64_t *made)
{
	struct nfart_batch b = { 0 };
	unsigned slot = code ? 0 : (unsigned)slots.code, opcode = 0;
	struct symbol_read read = { .line = line,
				    .base = base,
				    .word = (unsigned)draw_random(LINE_BYTES),
				    .kind = code ? VIRT_READ_CLEAN : VIRT_READ_ONCE };

	while (*at < r->ranges.n && r->ranges.at[*at].last < line)
		++*at;
	if (*at < r->ranges.n && r->ranges.at[*at].first <= line &&
	    r->ranges.at[*at].code == code) {
		const struct symbol_range *range = &r->ranges.at[*at];

		slot = range->slot;
		opcode = range->opcode;
		if (draw_random(2) == 0)
			read.word = range->word;
		if (range->entry && (range->first != line || range->word != read.word))
			return !symbol_message(x, slots, &read, &b);
		*made += range->entry;
	}
	return symbol_message(x, slots, &read, &b) && b.mask == UINT64_C(1) << slot &&
	       VIRT_GET(HEADER, OPCODE, b.header[slot]) == opcode &&
	       VIRT_GET(HEADER, LINE, b.header[slot]) == line >> VIRT_LINE_BITS;
}

static bool run_ranges(uint64_t seed, uint64_t *lines, uint64_t *made)
{
	struct elf_symbols x = { 0 };
	struct symbol_ranges r = { 0 };
	struct symbol_slots slots;
	uint64_t base = 0, end;
	bool ok;
	size_t at = 0;

	state = seed;
	if (draw_random(2) == 0)
		base = draw_random(2) == 0 ? 0x108000 : draw_random(1 << 30);
	ok = draw_names(&x, base) && elf_symbols_number(&x) && draw_entries(&x, base);
	slots = symbol_slots(&x, (struct symbol_slots){ draw_random(5), draw_random(5) });
	ok = ok && symbol_ranges(&x, slots, base, &r);
	for (size_t i = 0; ok && i < r.ranges.n; i++)
		ok = r.ranges.at[i].first <= r.ranges.at[i].last &&
		     (i == 0 || r.ranges.at[i - 1].last < r.ranges.at[i].first);
	end = x.names.at[x.names.n - 1].at + base + 2000;
	if (end >> VIRT_VA_BITS != 0)
		end = UINT64_C(1) << VIRT_VA_BITS;
	/* symbol_message() counts names one by one, so of many names not all lines are tried. */
	for (uint64_t line = base + x.names.at[0].at / LINE_BYTES * LINE_BYTES; ok && line < end;
	     line += LINE_BYTES * (x.names.n > 1000 ? 1 + draw_random(60) : 1)) {
		line = line / LINE_BYTES * LINE_BYTES;
		if (line < base)
			continue;
		for (int code = 0; code < 2 && ok; code++) {
			size_t here = at;

			ok = line_is_right(&x, slots, &r, &here, base, line, code != 0, made);
			at = code != 0 ? here : at;
			++*lines;
		}
	}
	if (!ok)
		printf("# seed %llu\n", (unsigned long long)seed);
	elf_symbols_close(&x);
	vec_free(&r.ranges);
	return ok;
}

int main(void)
{
	struct tap t = { 0 };
	uint64_t first = setting("NFACC_SEED", 1), n = setting("NFACC_RANGE_SEEDS", 100);
	uint64_t lines = 0, made = 0;
	bool ok = true;

	for (uint64_t seed = first; seed < first + n; seed++)
		ok &= run_ranges(seed, &lines, &made);
	printf("# %llu lines, %llu entries\n", (unsigned long long)lines, (unsigned long long)made);
	tap_case(&t, ok && lines > n && made > n, "ranges give the messages of symbols");
	return tap_end(&t);
}
