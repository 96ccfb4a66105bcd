/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * engine EVENTS RANGES OUT A [K B]: gives the events of a run of nfavirt to nfacc_example_virtual,
 * which is all Verilog. RANGES has the writes to registers that nfavirt wrote. The engine has image
 * A (`nfacc --emit=mem`, 32 bits). From message K on, counted from 1, it has image B. Writes the
 * words of the engine's records to OUT. Exits with 1 if the front end does anything else than that
 * of nfavirt, or if messages are lost.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
#include "runtime/device/firmware.h"
#include "probes/virtual/tests/rtl/events.h"
}
#include "Vtop.h"

enum { MOST_CYCLES = 100000 };

static Vtop *top = new Vtop;
static FILE *out;
static uint64_t random_state = 1;
static unsigned long cycles, records;

[[noreturn]] static void fails(const char *what)
{
	fprintf(stderr, "engine: %s, cycle %lu\n", what, cycles);
	exit(1);
}

/* One cycle. The output stalls from time to time. */
static void clock_once()
{
	top->clk = 0;
	top->m_axis_tready = (random_state >> 60) != 0;
	top->eval();
	random_state = random_state * UINT64_C(6364136223846793005) + 1;
	if (!top->rst && top->m_axis_tvalid && top->m_axis_tready) {
		uint64_t word = top->m_axis_tdata;

		records += top->m_axis_tlast;
		if (fwrite(&word, sizeof word, 1, out) != 1)
			fails("can't write");
	}
	top->clk = 1;
	top->eval();
	cycles++;
}

/* ---- the engine's registers ---- */

uint32_t nfacc_rd32(const struct nfacc_dev *, uint32_t offset)
{
	top->s_axil_araddr = offset;
	top->s_axil_arvalid = 1;
	top->s_axil_rready = 1;
	for (int i = 0; i < 100; i++) {
		bool taken, answered;
		uint32_t value;

		top->eval();
		taken = top->s_axil_arready;
		answered = top->s_axil_rvalid;
		value = top->s_axil_rdata;
		clock_once();
		if (taken)
			top->s_axil_arvalid = 0;
		if (answered)
			return value;
	}
	fails("the registers don't answer");
}

void nfacc_wr32(const struct nfacc_dev *, uint32_t offset, uint32_t value)
{
	top->s_axil_awaddr = offset;
	top->s_axil_wdata = value;
	top->s_axil_wstrb = 15;
	top->s_axil_awvalid = top->s_axil_wvalid = 1;
	top->s_axil_bready = 1;
	for (int i = 0; i < MOST_CYCLES; i++) {
		bool aw, w, answered;

		top->eval();
		aw = top->s_axil_awready;
		w = top->s_axil_wready;
		answered = top->s_axil_bvalid;
		clock_once();
		if (aw)
			top->s_axil_awvalid = 0;
		if (w)
			top->s_axil_wvalid = 0;
		if (answered)
			return;
	}
	fails("the registers take no write");
}

static struct nfacc_dev device = { nullptr, NFACC_POLLS };

static void needs(enum nfacc_result r)
{
	if (r != NFACC_OK)
		fails(nfacc_result_text(r));
}

static void load(const char *name)
{
	std::vector<uint32_t> words;
	char line[1000];
	FILE *f = fopen(name, "r");

	if (f == nullptr)
		fails("there is no image");
	while (fgets(line, sizeof line, f) != nullptr)
		if (line[0] != '/' && line[0] != '\n')
			words.push_back((uint32_t)strtoul(line, nullptr, 16));
	fclose(f);
	needs(nfacc_load(&device, words.data(), words.size(), 32));
}

/* ---- the front end ---- */

/* Holds a request and its data until after the cycle in which `done` is 1. */
template <class Request, class Done> static void step(Request *request, const Done *done)
{
	bool ends = false;

	*request = 1;
	for (int i = 0; i < MOST_CYCLES && !ends; i++) {
		top->clk = 0;
		top->eval();
		ends = *done;
		clock_once();
	}
	*request = 0;
	if (!ends)
		fails("a step has no end");
}

/* Takes a request of the front end. Returns false if there is none. */
template <class Ready> static bool take(Ready *ready, const Ready *waits, const Ready *valid)
{
	bool got = false, none = false;

	*ready = 1;
	for (int i = 0; i < MOST_CYCLES && !got && !none; i++) {
		clock_once();
		got = *valid != 0;
		none = !*waits;
	}
	*ready = 0;
	return got;
}

static void line_of(VlWide<16> &pin, const struct event *e)
{
	for (int i = 0; i < 16; i++)
		pin[i] = (uint32_t)(e->line[i / 2] >> i % 2 * 32);
}

static void write_register(uint64_t at, uint64_t value)
{
	top->reg_addr = at;
	top->reg_data = value;
	step(&top->reg_write, &top->reg_done);
}

static void write_ranges(const char *name)
{
	char line[1000];
	FILE *f = fopen(name, "r");

	if (f == nullptr)
		fails("there are no ranges");
	while (fgets(line, sizeof line, f) != nullptr) {
		char *end;
		uint64_t at = strtoull(line, &end, 16);

		if (*end == '_')
			write_register(at, strtoull(end + 1, nullptr, 16));
	}
	fclose(f);
}

static void same(const char *what, uint64_t wanted, uint64_t got)
{
	if (wanted == got)
		return;
	fprintf(stderr, "%#llx wanted, %#llx got: ", (unsigned long long)wanted,
		(unsigned long long)got);
	fails(what);
}

static void request(const struct event *e)
{
	if (e->what == EVENT_CLEAN) {
		same("a line to clean", e->answer,
		     take(&top->clean_ready, &top->clean_waits, &top->clean_valid));
		if (e->answer)
			same("the line", e->address >> VIRT_LINE_BITS, top->clean_pa);
	} else {
		same("a message to send", e->answer,
		     take(&top->send_ready, &top->send_waits, &top->send_valid));
		if (e->answer) {
			same("its kind", e->value, top->send_kind);
			same("its address", e->address >> VIRT_LINE_BITS, top->send_va);
			same("its address space", e->more, top->send_asid);
		}
	}
}

/* Reads the next event. Returns false if there is none. */
static bool next_event(FILE *f, struct event *e)
{
	return fread(e, event_head(), 1, f) == 1 &&
	       (!event_has_line(e) || fread(e->line, sizeof e->line, 1, f) == 1);
}

static void act(const struct event *e)
{
	switch (e->what) {
	case EVENT_INIT:
		break;
	case EVENT_WRITE:
		write_register(e->address, e->value);
		break;
	case EVENT_SNOOP:
		top->snoop_pa = e->address >> VIRT_LINE_BITS;
		top->snoop_word = e->address % VIRT_LINE_BYTES;
		top->snoop_kind = e->value;
		top->snoop_time = e->more;
		line_of(top->snoop_line, e);
		step(&top->snoop, &top->snoop_done);
		break;
	case EVENT_DVM:
		top->dvm_va = e->address >> VIRT_PAGE_BITS;
		top->dvm_kind = e->value;
		top->dvm_asid = e->more;
		step(&top->dvm, &top->dvm_done);
		break;
	case EVENT_CLEANED:
		line_of(top->cleaned_line, e);
		step(&top->cleaned, &top->cleaned_done);
		break;
	case EVENT_SENT:
		step(&top->sent, &top->sent_done);
		break;
	default:
		request(e);
		break;
	}
}

/* Waits enough cycles for all messages to reach the engine. */
static void rest()
{
	for (int i = 0; i < 64; i++)
		clock_once();
}

static uint64_t read_register(unsigned at)
{
	top->read_addr = at;
	top->eval();
	return top->read_data;
}

int main(int argc, char **argv)
{
	uint64_t swap_at = argc == 7 ? strtoull(argv[5], nullptr, 10) : 0, messages;
	struct nfacc_counts counts;
	struct event e;
	FILE *events;

	if (argc != 5 && argc != 7)
		return 99;
	events = fopen(argv[1], "rb");
	out = fopen(argv[3], "wb");
	if (events == nullptr || out == nullptr)
		return 99;
	top->rst = 1;
	top->log_ready = 1;
	rest();
	top->rst = 0;
	write_ranges(argv[2]);
	load(argv[4]);
	needs(nfacc_arm(&device));
	if (swap_at != 0)
		load(argv[6]);
	/* Not every snoop with an address has a message, so those that were made are counted. */
	while (next_event(events, &e)) {
		if (swap_at != 0 && e.what == EVENT_SNOOP) {
			rest();
			if (read_register(VIRT_MSG_MADE_AT) == swap_at - 1) {
				needs(nfacc_swap(&device));
				swap_at = 0;
			}
		}
		act(&e);
	}
	rest();
	messages = read_register(VIRT_MSG_MADE_AT);
	needs(nfacc_stop(&device));
	rest();
	same("messages discarded", 0, read_register(VIRT_MSG_DISCARDED_AT));
	nfacc_read_counts(&device, &counts);
	same("messages lost", 0, counts.dropped);
	same("messages unseen", 0, counts.unseen);
	printf("# %llu messages, %lu records, %lu cycles\n", (unsigned long long)messages, records,
	       cycles);
	return fclose(out) == 0 && messages > 0 ? 0 : 1;
}
