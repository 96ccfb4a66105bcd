/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The target of the firmware's tests that is the engine itself, simulated by Verilator: protocol
 * bytes, one slot. WIDTH is the overlay's DATA.
 */
#include "testsuite/rtl/firmware_target.h"

#include <memory>

#include "Vnfacc_engine.h"
#include "verilated.h"

enum { MOST_CYCLES = 100000 }; // of one access

struct target {
	std::unique_ptr<VerilatedContext> context{new VerilatedContext};
	std::unique_ptr<Vnfacc_engine> e{new Vnfacc_engine{context.get()}};
	uint64_t cycles = 0;

	// What the inputs make of the outputs, before the clock's edge.
	void settle()
	{
		e->clk = 0;
		e->eval();
	}
	void edge()
	{
		e->clk = 1;
		e->eval();
		cycles++;
	}
	void tick()
	{
		settle();
		edge();
	}
};

struct target *target_new(const struct nfart_image *)
{
	target *t = new target;

	t->e->m_axis_tready = t->e->s_axil_bready = t->e->s_axil_rready = 1;
	t->e->rst = 1;
	t->tick();
	t->tick();
	t->e->rst = 0;
	t->tick();
	return t;
}

void target_free(struct target *t)
{
	delete t;
}

bool target_read(struct target *t, uint32_t offset, uint32_t *value)
{
	Vnfacc_engine *e = t->e.get();

	e->s_axil_araddr = offset;
	e->s_axil_arvalid = 1;
	*value = 0;
	for (int i = 0; i < MOST_CYCLES; i++) {
		t->settle();
		bool sent = e->s_axil_arready, answered = e->s_axil_rvalid, ok = e->s_axil_rresp == 0;
		uint64_t data = e->s_axil_rdata;
		t->edge();
		if (sent)
			e->s_axil_arvalid = 0;
		if (answered) {
			*value = (uint32_t)(WIDTH == 64 && (offset & 4) != 0 ? data >> 32 : data);
			return ok;
		}
	}
	return false;
}

bool target_write(struct target *t, uint32_t offset, uint32_t value)
{
	Vnfacc_engine *e = t->e.get();
	bool high = WIDTH == 64 && (offset & 4) != 0;

	e->s_axil_awaddr = offset;
	e->s_axil_wdata = high ? (uint64_t)value << 32 : value;
	e->s_axil_wstrb = high ? 0xf0 : 0x0f;
	e->s_axil_awvalid = e->s_axil_wvalid = 1;
	for (int i = 0; i < MOST_CYCLES; i++) {
		t->settle();
		bool address = e->s_axil_awready, data = e->s_axil_wready;
		bool answered = e->s_axil_bvalid, ok = e->s_axil_bresp == 0;
		t->edge();
		if (address)
			e->s_axil_awvalid = 0;
		if (data)
			e->s_axil_wvalid = 0;
		if (answered)
			return ok;
	}
	return false;
}

void target_batch(struct target *t)
{
	t->e->s_valid = 1;
	t->e->s_present = 1;
	t->e->s_header = 'a';
	t->e->s_time = t->cycles;
	t->tick();
	t->e->s_valid = 0;
}

void target_block(struct target *t, bool blocked)
{
	t->e->m_axis_tready = !blocked;
}
