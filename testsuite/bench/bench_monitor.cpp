// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The simulation of bench_monitor.py: the engine of nfacc_example_axi runs an image over a busy AXI4-Lite,
// while its registers are read and written over another one, which is the monitored bus.
//
//	bench_monitor IMAGE.mem CYCLES +nfacc.…
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "Vnfacc_example_axi.h"
#include "verilated.h"

namespace {

enum { CONTROL = 0x010, CONFIG = 0x020, IDLE_AFTER = 0x01c, BEGIN = 1, ARM = 2 };

uint32_t state = 2463534242u;

uint32_t draw()
{
	state ^= state << 13;
	state ^= state >> 17;
	return state ^= state << 5;
}

struct simulation {
	VerilatedContext context;
	Vnfacc_example_axi top{&context};
	unsigned left = 0; // cycles until the master of the registers asks for something

	void edge()
	{
		top.aclk = 0;
		top.eval();
		top.aclk = 1;
		top.eval();
	}

	// The observed bus: masters and slaves that wait for each other at random.
	void traffic()
	{
		uint32_t r = draw();
		if (!top.awvalid || top.awready)
			top.awvalid = r & 1, top.awaddr = r & ~3u;
		if (!top.wvalid || top.wready)
			top.wvalid = r >> 1 & 1, top.wdata = r;
		if (!top.bvalid || top.bready)
			top.bvalid = r >> 2 & 1;
		if (!top.arvalid || top.arready)
			top.arvalid = r >> 3 & 1, top.araddr = r >> 3 & ~3u;
		if (!top.rvalid || top.rready)
			top.rvalid = r >> 4 & 1, top.rdata = r;
		top.awready = r >> 5 & 1, top.wready = r >> 6 & 1, top.bready = r >> 7 & 1;
		top.arready = r >> 8 & 1, top.rready = r >> 9 & 1;
	}

	void write(uint32_t to, uint32_t value)
	{
		top.s_axil_awaddr = to;
		top.s_axil_wdata = value;
		top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_bready = 1;
		for (bool aw = true, w = true, b = true; aw || w || b;) {
			top.eval();
			bool took_aw = aw && top.s_axil_awready, took_w = w && top.s_axil_wready;
			bool took_b = b && top.s_axil_bvalid;
			edge();
			aw = aw && !took_aw, w = w && !took_w, b = b && !took_b;
			top.s_axil_awvalid = aw, top.s_axil_wvalid = w;
		}
	}

	// The master of the registers, cycle by cycle: now and then a read or a write.
	void registers()
	{
		if (top.s_axil_arvalid && top.s_axil_arready)
			top.s_axil_arvalid = 0;
		if (top.s_axil_awvalid && top.s_axil_awready)
			top.s_axil_awvalid = 0;
		if (top.s_axil_wvalid && top.s_axil_wready)
			top.s_axil_wvalid = 0;
		if (left-- != 0)
			return;
		left = 8 + draw() % 16;
		top.s_axil_bready = top.s_axil_rready = 1;
		if ((draw() & 1) == 0) {
			top.s_axil_araddr = (draw() % 24) * 4;
			top.s_axil_arvalid = 1;
		} else {
			top.s_axil_awaddr = IDLE_AFTER;
			top.s_axil_wdata = draw() & 0xffff;
			top.s_axil_awvalid = top.s_axil_wvalid = 1;
		}
	}
};

} // namespace

int main(int argc, char **argv)
{
	std::unique_ptr<simulation> s(new simulation);
	unsigned word;
	FILE *f = argc > 2 ? fopen(argv[1], "r") : nullptr;

	if (f == nullptr) {
		fprintf(stderr, "bench_monitor: can't read the image\n");
		return 2;
	}
	s->context.commandArgs(argc, argv);
	for (int i = 0; i < 4; i++)
		s->edge();
	s->top.aresetn = 1;
	s->top.m_axis_tready = 1;
	s->write(CONTROL, BEGIN);
	for (char line[256]; fgets(line, sizeof line, f) != nullptr;)
		if (sscanf(line, "%x", &word) == 1)
			s->write(CONFIG, word);
	fclose(f);
	for (int i = 0; i < 4000; i++)
		s->edge();
	s->write(CONTROL, ARM);
	for (long n = atol(argv[2]); n > 0 && !s->context.gotFinish(); n--) {
		s->top.eval();
		s->registers();
		s->traffic();
		s->edge();
	}
	s->top.final();
}
