/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The formats are those of the DWARF standard (section 6.4) and of the Linux Standard Base
 * (.eh_frame and .eh_frame_hdr). Numbers of registers are those of the psABI: rbp is 6, rsp is 7,
 * and the return address is 16.
 */
#include "probes/memory/inside/unwind.h"

#include "probes/memory/inside/raw.h"

enum { DW_RBP = 6, DW_RSP = 7, DW_RETURN = 16 };
enum { HEADER_BYTES = 12, ROW_BYTES = 8, STATES = 8, WORD = 8 };
enum { EXTENDED = 0xfffffff0 }; /* a length from here on has another format */
/* Largest frame of a function without call frame information. */
#define FRAME_MAX ((uintptr_t)1 << 20)

/* Bytes that are read one after the other. Once they end, `bad` is set, and all that follows is 0. */
struct bytes {
	uintptr_t at, end;
	bool bad;
};

static uint64_t take(struct bytes *b, unsigned n)
{
	uint64_t value = 0;
	if (b->bad || b->end - b->at < n) {
		b->bad = true;
		return 0;
	}
	raw_copy(&value, (const void *)b->at, n);
	b->at += n;
	return value;
}

static void skip(struct bytes *b, uint64_t n)
{
	if (b->bad || b->end - b->at < n)
		b->bad = true;
	else
		b->at += n;
}

static uint64_t take_uleb(struct bytes *b)
{
	uint64_t value = 0, byte = 0x80;
	for (unsigned shift = 0; byte & 0x80; shift += 7) {
		byte = take(b, 1);
		value |= shift < 64 ? (byte & 0x7f) << shift : 0;
	}
	return value;
}

static int64_t take_sleb(struct bytes *b)
{
	uint64_t value = 0, byte = 0x80;
	unsigned shift = 0;
	while (byte & 0x80) {
		byte = take(b, 1);
		value |= shift < 64 ? (byte & 0x7f) << shift : 0;
		shift += 7;
	}
	if (shift < 64 && byte & 0x40)
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

/* A pointer in one of the encodings DW_EH_PE_*. */
static uintptr_t take_pointer(struct bytes *b, unsigned how)
{
	const uintptr_t from = how & 0x10 ? b->at : 0;
	switch (how & 0x0f) {
	case 0x00:
	case 0x04:
	case 0x0c:
		return from + take(b, 8);
	case 0x02:
		return from + take(b, 2);
	case 0x03:
		return from + take(b, 4);
	case 0x0a:
		return from + (uintptr_t)(int64_t)(int16_t)take(b, 2);
	case 0x0b:
		return from + (uintptr_t)(int64_t)(int32_t)take(b, 4);
	default:
		b->bad = true;
		return 0;
	}
}

/* What holds for all functions of a CIE. */
struct cie {
	struct bytes program;
	uint64_t code_unit;
	int64_t data_unit;
	unsigned encoding; /* of pointers in its FDEs */
	bool augmented;
};

/* Sets *b to the rest of the entry at `at`. Returns its second word. */
static uint64_t open_entry(const struct unwind_table *t, uintptr_t at, struct bytes *b)
{
	*b = (struct bytes){ at, t->high, at < t->low || at >= t->high };
	const uint64_t n = take(b, 4);
	if (n >= EXTENDED || b->bad || b->end - b->at < n)
		b->bad = true;
	else
		b->end = b->at + n;
	return take(b, 4);
}

static bool read_augmentation(struct bytes *b, uintptr_t text, struct cie *c)
{
	const struct bytes all = { text, b->end, false };
	struct bytes letters = all;
	unsigned letter = (unsigned)take(&letters, 1);
	c->augmented = letter == 'z';
	if (!c->augmented)
		return letter == 0;
	struct bytes data = *b;
	const uint64_t n = take_uleb(&data);
	*b = data;
	skip(b, n);
	while ((letter = (unsigned)take(&letters, 1)) != 0) {
		if (letter == 'R')
			c->encoding = (unsigned)take(&data, 1);
		else if (letter == 'L')
			take(&data, 1);
		else if (letter == 'P')
			take_pointer(&data, (unsigned)take(&data, 1));
		else if (letter == 'S')
			return false;
	}
	return !data.bad && !b->bad;
}

static bool read_cie(const struct unwind_table *t, uintptr_t at, struct cie *c)
{
	struct bytes b;
	const uint64_t id = open_entry(t, at, &b);
	const uint64_t version = take(&b, 1);
	const uintptr_t text = b.at;
	if (b.bad || id != 0 || (version != 1 && version != 3))
		return false;
	while (take(&b, 1) != 0)
		;
	*c = (struct cie){ .code_unit = take_uleb(&b) };
	c->data_unit = take_sleb(&b);
	const uint64_t result = version == 1 ? take(&b, 1) : take_uleb(&b);
	if (result != DW_RETURN || !read_augmentation(&b, text, c))
		return false;
	c->program = b;
	return !b.bad;
}

/* Executes call frame instructions. */
struct machine {
	const struct cie *cie;
	struct unwind_rule now, first; /* first: after the instructions of the CIE */
	struct unwind_rule kept[STATES];
	unsigned nkept;
	uintptr_t at;
};

static void set_cfa(struct machine *m, uint64_t from, int64_t away)
{
	m->now.cfa = from == DW_RSP ? UNWIND_RSP : from == DW_RBP ? UNWIND_RBP : UNWIND_NONE;
	m->now.cfa_away = (int32_t)away;
}

static void set_saved(struct machine *m, uint64_t which, enum unwind_saved how, int64_t away)
{
	if (which == DW_RBP) {
		m->now.rbp = (uint8_t)how;
		m->now.rbp_away = (int32_t)away;
	}
}

/*
 * An expression: "rbp + away", or, if `word`, the word at that address. Returns false for any other
 * one.
 */
static bool take_expression(struct bytes *b, bool word, int64_t *away)
{
	enum { DW_OP_DEREF = 0x06, DW_OP_BREG = 0x70 };
	const uint64_t n = take_uleb(b);
	struct bytes e = *b;
	skip(b, n);
	if (b->bad)
		return false;
	e.end = b->at;
	const bool good = take(&e, 1) == DW_OP_BREG + DW_RBP;
	*away = take_sleb(&e);
	return good && (!word || take(&e, 1) == DW_OP_DEREF) && !e.bad && e.at == e.end;
}

/* An instruction with its own byte. Returns false if it is not known. */
static bool execute_long(struct machine *m, struct bytes *b, unsigned code)
{
	uint64_t r;
	int64_t away;
	switch (code) {
	case 0x00: /* nop */
		return true;
	case 0x01: /* set_loc */
		m->at = take_pointer(b, m->cie->encoding);
		return true;
	case 0x02: /* advance_loc1, 2 and 4 */
	case 0x03:
	case 0x04:
		m->at += take(b, code == 4 ? 4 : code - 1) * m->cie->code_unit;
		return true;
	case 0x05: /* offset_extended */
		r = take_uleb(b);
		set_saved(m, r, UNWIND_AT_CFA, (int64_t)take_uleb(b) * m->cie->data_unit);
		return true;
	case 0x11: /* offset_extended_sf */
		r = take_uleb(b);
		set_saved(m, r, UNWIND_AT_CFA, take_sleb(b) * m->cie->data_unit);
		return true;
	case 0x06: /* restore_extended */
		set_saved(m, take_uleb(b), m->first.rbp, m->first.rbp_away);
		return true;
	case 0x07: /* undefined */
		r = take_uleb(b);
		set_saved(m, r, UNWIND_LOST, 0);
		if (r == DW_RETURN)
			m->now.cfa = UNWIND_END;
		return true;
	case 0x08: /* same_value */
		set_saved(m, take_uleb(b), UNWIND_SAME, 0);
		return true;
	case 0x0a: /* remember_state */
		if (m->nkept == STATES)
			return false;
		m->kept[m->nkept++] = m->now;
		return true;
	case 0x0b: /* restore_state */
		if (m->nkept == 0)
			return false;
		m->now = m->kept[--m->nkept];
		return true;
	case 0x0c: /* def_cfa */
		r = take_uleb(b);
		set_cfa(m, r, (int64_t)take_uleb(b));
		return true;
	case 0x12: /* def_cfa_sf */
		r = take_uleb(b);
		set_cfa(m, r, take_sleb(b) * m->cie->data_unit);
		return true;
	case 0x0d: /* def_cfa_register */
		set_cfa(m, take_uleb(b), m->now.cfa_away);
		return true;
	case 0x0e: /* def_cfa_offset */
		m->now.cfa_away = (int32_t)take_uleb(b);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		m->now.cfa_away = (int32_t)(take_sleb(b) * m->cie->data_unit);
		return true;
	case 0x0f: /* def_cfa_expression */
		m->now.cfa = take_expression(b, true, &away) ? UNWIND_WORD : UNWIND_NONE;
		m->now.cfa_away = (int32_t)away;
		return true;
	case 0x10: /* expression */
		r = take_uleb(b);
		if (take_expression(b, false, &away))
			set_saved(m, r, UNWIND_AT_RBP, away);
		else
			set_saved(m, r, UNWIND_LOST, 0);
		return true;
	case 0x2e: /* GNU_args_size */
		take_uleb(b);
		return true;
	default:
		return false;
	}
}

/* Executes instructions up to those for addresses beyond pc. Returns false if one is not known. */
static bool execute(struct machine *m, struct bytes b, uintptr_t pc)
{
	while (b.at < b.end && m->at <= pc) {
		const unsigned code = (unsigned)take(&b, 1), low = code & 0x3f;
		if (code >> 6 == 1)
			m->at += low * m->cie->code_unit;
		else if (code >> 6 == 2)
			set_saved(m, low, UNWIND_AT_CFA, (int64_t)take_uleb(&b) * m->cie->data_unit);
		else if (code >> 6 == 3)
			set_saved(m, low, m->first.rbp, m->first.rbp_away);
		else if (!execute_long(m, &b, code))
			return false;
	}
	return !b.bad;
}

/*
 * The rows of .eh_frame_hdr, and how many there are; 0: none are known. A row has two numbers,
 * relative to the header: where a function begins, and its FDE.
 */
static uint64_t find_rows(const struct unwind_table *t, uintptr_t *table)
{
	struct bytes b = { t->header, t->high, t->header < t->low || t->header >= t->high };
	const uint64_t format = take(&b, 4);
	skip(&b, 4);
	const uint64_t rows = take(&b, 4);
	*table = t->header + HEADER_BYTES;
	/* version 1; the pointer to .eh_frame: pcrel, 4 bytes; udata4; datarel, sdata4 */
	return b.bad || format != 0x3b031b01 || rows > (b.end - b.at) / ROW_BYTES ? 0 : rows;
}

/* The FDE that may contain pc: that of the last function that begins at or before it. */
static uintptr_t find_fde(const struct unwind_table *t, uintptr_t pc)
{
	uintptr_t table;
	const uint64_t rows = find_rows(t, &table);
	if (rows == 0)
		return 0;
	const int64_t wanted = (int64_t)(pc - t->header);
	uint64_t low = 0, high = rows;
	int32_t row[2];
	while (high - low > 1) {
		const uint64_t middle = low + (high - low) / 2;
		raw_copy(row, (const void *)(table + middle * ROW_BYTES), sizeof row);
		if (row[0] <= wanted)
			low = middle;
		else
			high = middle;
	}
	raw_copy(row, (const void *)(table + low * ROW_BYTES), sizeof row);
	return row[0] <= wanted ? t->header + (uintptr_t)(int64_t)row[1] : 0;
}

/* An FDE: its function, and its call frame instructions. */
struct fde {
	struct cie cie;
	struct bytes program;
	uintptr_t from, bytes;
};

static bool read_fde(const struct unwind_table *t, uintptr_t at, struct fde *f)
{
	struct bytes b;
	const uint64_t back = open_entry(t, at, &b);
	/* The pointer to the CIE counts back from itself. */
	if (back == 0 || b.bad || !read_cie(t, at + 4 - back, &f->cie))
		return false;
	f->from = take_pointer(&b, f->cie.encoding);
	f->bytes = take_pointer(&b, f->cie.encoding & 0x0f);
	if (f->cie.augmented)
		skip(&b, take_uleb(&b));
	f->program = b;
	return true;
}

void unwind_each(const struct unwind_table *t,
		 void (*each)(void *with, uintptr_t from, size_t bytes), void *with)
{
	uintptr_t table;
	const uint64_t rows = t->header ? find_rows(t, &table) : 0;
	for (uint64_t i = 0; i < rows; i++) {
		int32_t row[2];
		struct fde f;
		raw_copy(row, (const void *)(table + i * ROW_BYTES), sizeof row);
		if (read_fde(t, t->header + (uintptr_t)(int64_t)row[1], &f) && !f.program.bad)
			each(with, f.from, f.bytes);
	}
}

struct unwind_rule unwind_find(const struct unwind_table *t, uintptr_t pc)
{
	const struct unwind_rule none = { .cfa = UNWIND_NONE }, end = { .cfa = UNWIND_END };
	struct fde f;
	const uintptr_t at = t->header ? find_fde(t, pc) : 0;
	if (at == 0 || !read_fde(t, at, &f))
		return at ? end : none;
	if (f.program.bad || pc - f.from >= f.bytes)
		return none;
	struct machine m = { .cie = &f.cie, .at = f.from };
	if (!execute(&m, f.cie.program, pc))
		return end;
	m.first = m.now;
	m.at = f.from;
	if (!execute(&m, f.program, pc) || m.now.cfa == UNWIND_NONE)
		return end;
	return m.now;
}

/* A frame pointer leads to two words: the caller's frame pointer, and the return address. */
static bool step_by_pointer(struct unwind_frame *f, unwind_read *read, void *ctx)
{
	uint64_t bp, pc;
	if (f->bp < f->sp || f->bp - f->sp > FRAME_MAX || f->bp % WORD != 0 ||
	    !read(ctx, f->bp, &bp) || !read(ctx, f->bp + WORD, &pc))
		return false;
	*f = (struct unwind_frame){ pc, f->bp + (uintptr_t)(2 * WORD), bp };
	return true;
}

bool unwind_step(struct unwind_frame *f, const struct unwind_rule *r, unwind_read *read, void *ctx)
{
	uint64_t cfa = (r->cfa == UNWIND_RSP ? f->sp : f->bp) + (uint64_t)(int64_t)r->cfa_away;
	uint64_t bp = f->bp, pc;
	if (r->cfa == UNWIND_END)
		return false;
	if (r->cfa == UNWIND_NONE)
		return step_by_pointer(f, read, ctx);
	if ((r->cfa == UNWIND_WORD && !read(ctx, cfa, &cfa)) || cfa <= f->sp || cfa % WORD != 0 ||
	    !read(ctx, cfa - WORD, &pc))
		return false;
	if (r->rbp == UNWIND_AT_CFA && !read(ctx, cfa + (uint64_t)(int64_t)r->rbp_away, &bp))
		return false;
	if (r->rbp == UNWIND_AT_RBP && !read(ctx, f->bp + (uint64_t)(int64_t)r->rbp_away, &bp))
		return false;
	*f = (struct unwind_frame){ pc, cfa, r->rbp == UNWIND_LOST ? 0 : bp };
	return true;
}
