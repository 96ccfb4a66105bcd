/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * virt_messages in Verilog, with random tables of ranges. It is compared with a search that looks
 * at each range. engine.test compares it with nfavirt.
 */
#include "probes/virtual/tests/rtl/rig.h"

#include <vector>

static Vmessages *messages = new Vmessages;

static void messages_reset();
static void messages_random(uint64_t *random);
static rig_part messages_part("messages", messages_reset, messages_random);

struct messages_range {
	uint64_t first, last; /* lines */
	unsigned slot, opcode, word;
	bool code, entry;
};

/* What was written to the registers, and the numbers of messages. */
struct messages_table {
	std::vector<messages_range> ranges; /* in use */
	bool enable;
	unsigned data;
	uint64_t made, discarded;
};

static void messages_reset()
{
	rig_reset(&messages_part, messages);
}

static void messages_write(unsigned at, uint64_t value)
{
	messages->write = 1;
	messages->write_addr = at;
	messages->write_data = value;
	rig_clock(&messages_part, messages);
	messages->write = 0;
}

static uint64_t messages_read(unsigned at)
{
	messages->read_addr = at;
	messages->eval();
	return messages->read_data;
}

/*
 * Makes a random table, which is mostly full or almost full, and writes it. Bits that belong to no
 * field get any values.
 */
static void messages_draw(messages_table *t, uint64_t *random)
{
	uint64_t r = rig_random(random), line = r >> 60 == 0 ? 0 : rig_bits(r, 0, 41);
	unsigned n = r >> 50 & 1 ? VIRT_RANGES - (r >> 51 & 1) : (r >> 52) % (VIRT_RANGES + 1);
	unsigned number = r >> 44 & 1 ? 0 : VIRT_RANGES / 2;

	messages_write(VIRT_MSG_CTRL_AT, VIRT_PUT(MSG_CTRL, RANGES, r));
	messages_part.same("ranges in use",
			   rig_bits(r, 0, 16) < VIRT_RANGES ? rig_bits(r, 0, 16) : VIRT_RANGES,
			   VIRT_GET(MSG_CTRL, RANGES, messages_read(VIRT_MSG_CTRL_AT)));
	t->ranges.assign(n, {});
	for (unsigned i = 0; i < n; i++) {
		messages_range *m = &t->ranges[i];

		r = rig_random(random);
		m->first = line + (r >> 1 & 3);
		m->last = m->first + (r >> 3 & 3);
		m->slot = r >> 8 & 7;
		m->opcode = r >> 16 & 255;
		m->code = r >> 24 & 1;
		m->entry = (r >> 25 & 3) == 0;
		m->word = r >> 32 & 63;
		line = m->last + 1;
	}
	/* The table may be written in two parts. */
	for (unsigned k = 0; k < VIRT_RANGES; k++) {
		unsigned i = (number + k) % VIRT_RANGES;
		messages_range m = i < n ? t->ranges[i] : messages_range{};

		r = rig_random(random);
		if (k == 0 || number + k == VIRT_RANGES)
			messages_write(VIRT_MSG_RANGE_AT, i);
		messages_part.same("the number", i, messages_read(VIRT_MSG_RANGE_AT));
		messages_write(VIRT_MSG_FIRST_AT, VIRT_PUT(MSG_FIRST, LINE, m.first) |
							  VIRT_PUT(MSG_FIRST, OPCODE, m.opcode) |
							  VIRT_PUT(MSG_FIRST, SLOT, m.slot) |
							  VIRT_PUT(MSG_FIRST, CODE, m.code) |
							  rig_bits(r, 0, 6) | r >> 63 << 63);
		messages_write(VIRT_MSG_LAST_AT, VIRT_PUT(MSG_LAST, LINE, m.last) |
							 VIRT_PUT(MSG_LAST, ENTRY, m.entry) |
							 VIRT_PUT(MSG_LAST, WORD, m.word) |
							 r >> 49 << 49);
	}
	r = rig_random(random);
	t->data = r & 7;
	t->enable = (r >> 8 & 7) != 0;
	messages_write(VIRT_MSG_CTRL_AT, VIRT_PUT(MSG_CTRL, ENABLE, t->enable) |
						 VIRT_PUT(MSG_CTRL, DATA, t->data) |
						 VIRT_PUT(MSG_CTRL, RANGES, n));
	messages_part.same("the control register",
			   VIRT_PUT(MSG_CTRL, ENABLE, t->enable) |
				   VIRT_PUT(MSG_CTRL, DATA, t->data) |
				   VIRT_PUT(MSG_CTRL, RANGES, n),
			   messages_read(VIRT_MSG_CTRL_AT));
}

/* Sends a snoop and checks its message. */
static void messages_snoop(messages_table *t, uint64_t line, uint64_t *random)
{
	uint64_t r = rig_random(random), header;
	unsigned kind = r % VIRT_SNOOP_KINDS, cycles = 0, came = 0, bits = 0;
	bool code = kind == VIRT_READ_CLEAN;
	unsigned slot = code ? 0 : t->data, opcode = 0, word = r >> 16 & 63;
	bool silent = false;

	for (const messages_range &m : t->ranges)
		if (m.first <= line && line <= m.last && m.code == code) {
			slot = m.slot;
			opcode = m.opcode;
			if (r >> 10 & 1)
				word = m.word;
			silent = m.entry && (line != m.first || word != m.word);
		}
	while (1 << bits < VIRT_RANGES)
		bits++;
	messages->in_kind = kind;
	messages->in_va = line;
	messages->in_word = word;
	messages->in_observed = r >> 8 & 1;
	messages->in_time = r;
	header = VIRT_PUT(HEADER, LINE, line) | VIRT_PUT(HEADER, OBSERVED, r >> 8) |
		 VIRT_PUT(HEADER, KIND, kind) | VIRT_PUT(HEADER, OPCODE, opcode);
	messages->eval();
	messages_part.same("ready", 1, messages->in_ready);
	messages_part.steps++;
	messages->in_valid = 1;
	do {
		rig_clock(&messages_part, messages);
		cycles++;
		messages->in_valid = r >> 9 & 1; /* not taken before the module is ready */
		messages->in_va = ~line;
		messages->in_word = ~word;
		messages->in_time = ~r;
		if (messages->out_valid) {
			came++;
			messages_part.same("cycles", bits + 2, cycles);
			messages_part.same("the slot", UINT64_C(1) << slot, messages->out_present);
			messages_part.same("the header", header, messages->out_header);
			messages_part.same("the time", r, messages->out_time);
		}
	} while (!messages->in_ready && cycles < 40);
	messages->in_valid = 0;
	messages_part.same("messages", t->enable && slot < RIG_SLOTS && !silent, came);
	t->made += t->enable && slot < RIG_SLOTS && !silent;
	t->discarded += t->enable && slot >= RIG_SLOTS && !silent;
	rig_clock(&messages_part, messages);
	messages_part.same("a second message", 0, messages->out_valid);
}

static void messages_random(uint64_t *random)
{
	messages_table t = {};

	for (unsigned i = 0; i < 40; i++) {
		uint64_t mask = (UINT64_C(1) << (VIRT_VA_BITS - VIRT_LINE_BITS)) - 1, low, high;

		messages_draw(&t, random);
		low = t.ranges.empty() ? rig_random(random) & mask : t.ranges.front().first;
		high = t.ranges.empty() ? low : t.ranges.back().last;
		for (uint64_t line = low - 2; line != high + 3; line++)
			messages_snoop(&t, line & mask, random);
		messages_snoop(&t, rig_random(random) & mask, random);
		messages_part.same("messages made", t.made, messages_read(VIRT_MSG_MADE_AT));
		messages_part.same("discarded", t.discarded, messages_read(VIRT_MSG_DISCARDED_AT));
	}
}
