// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The C interface (model.h) to a Verilator model of nfacc_engine. nfamodel makes overlay_info.h
// from the parameters with which the engine was elaborated.
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "Vnfacc_engine.h"
#include "Vnfacc_engine___024root.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif
#include "model.h"
#include "overlay_info.h"

namespace {

template <class T> void put(T &pin, const uint32_t *words)
{
	uint64_t v = words[0];
	if (sizeof pin == 8)
		v |= (uint64_t)words[1] << 32;
	pin = (T)v;
}

template <std::size_t N> void put(VlWide<N> &pin, const uint32_t *words)
{
	for (std::size_t i = 0; i < N; i++)
		pin[i] = words[i];
}

template <class T> void get(const T &pin, uint32_t *words)
{
	words[0] = (uint32_t)pin;
	if (sizeof pin == 8)
		words[1] = (uint32_t)((uint64_t)pin >> 32);
}

template <std::size_t N> void get(const VlWide<N> &pin, uint32_t *words)
{
	for (std::size_t i = 0; i < N; i++)
		words[i] = pin[i];
}

#ifdef NFACC_RING
// The memory behind the ring's AXI4 master, at address 0. It takes a beat in each cycle and answers a
// burst some cycles after its last beat, with DECERR if it is beyond the memory.
enum { MEMORY_BYTES = 1 << 24, ANSWER_CYCLES = 30 };

struct ring_memory {
	std::vector<unsigned char> bytes = std::vector<unsigned char>(MEMORY_BYTES);
	std::deque<uint64_t> addresses;  // of bursts whose beats come
	std::deque<std::pair<uint64_t, unsigned>> answers; // when, and which
	uint64_t cycle = 0, beat = 0;    // beats of the current burst that came
	bool bad = false;                // one of them is beyond the memory

	void drive(Vnfacc_engine &e) const
	{
		e.m_axi_awready = 1;
		e.m_axi_wready = !addresses.empty();
		e.m_axi_bvalid = !answers.empty() && answers.front().first <= cycle;
		e.m_axi_bresp = answers.empty() ? 0 : answers.front().second;
	}
	void take(Vnfacc_engine &e)
	{
		if (e.m_axi_bvalid && e.m_axi_bready)
			answers.pop_front();
		if (e.m_axi_wvalid && e.m_axi_wready) {
			uint64_t at = addresses.front() + 64 * beat++;
			if (at > MEMORY_BYTES - 64)
				bad = true;
			for (unsigned i = 0; i < 64 && !bad; i++)
				bytes[at + i] = (unsigned char)(e.m_axi_wdata[i / 4] >> i % 4 * 8);
			if (e.m_axi_wlast) {
				answers.emplace_back(cycle + ANSWER_CYCLES, bad ? 3 : 0);
				addresses.pop_front();
				beat = 0;
				bad = false;
			}
		}
		if (e.m_axi_awvalid && e.m_axi_awready)
			addresses.push_back(e.m_axi_awaddr);
		cycle++;
	}
};
#endif

enum {
	HEADER_WORDS = (NFACC_SLOTS * NFACC_HEADER_BITS + 31) / 32 + 2,
	PAYLOAD_WORDS = NFACC_SLOTS * NFACC_PAYLOAD / 32 + 2
};

const struct nfacc_model_info model_info = {
	NFACC_MODEL_VERSION,
	NFACC_SLOTS,
	NFACC_HEADER_BITS,
	NFACC_OP_LSB,
	NFACC_OP_BITS,
	NFACC_LABELS,
	NFACC_LINES,
	NFACC_WINDOW,
	NFACC_DATA,
	NFACC_SHADOW,
#ifdef NFACC_STATES
	NFACC_NSTE * NFACC_LINES,
#else
	0,
#endif
	NFACC_IDLE,
	NFACC_FINGERPRINT,
	VM_TRACE != 0,
	NFACC_NAMES,
	NFACC_PAYLOAD,
};

} // namespace

struct nfacc_model {
	VerilatedContext context;
	Vnfacc_engine engine{&context};
	uint64_t time = 0;
#ifdef NFACC_RING
	ring_memory memory;
#endif
#if VM_TRACE
	VerilatedVcdC vcd;
	bool tracing = false;
#endif
	uint32_t header[HEADER_WORDS];
	uint32_t payload[PAYLOAD_WORDS];

	void dump()
	{
#if VM_TRACE
		if (tracing)
			vcd.dump(time);
#endif
		time += 5;
	}
};

const struct nfacc_model_info *nfacc_model_info(void)
{
	return &model_info;
}

nfacc_model *nfacc_model_new(const char *vcd)
{
	std::unique_ptr<nfacc_model> m(new (std::nothrow) nfacc_model);

	if (m && vcd != NULL) {
#if VM_TRACE
		m->context.traceEverOn(true);
		m->engine.trace(&m->vcd, 99);
		m->vcd.open(vcd);
		m->tracing = m->vcd.isOpen();
		if (!m->tracing)
			return NULL;
#else
		return NULL;
#endif
	}
	return m.release();
}

void nfacc_model_free(nfacc_model *m)
{
	if (m == NULL)
		return;
	m->engine.final();
#if VM_TRACE
	if (m->tracing)
		m->vcd.close();
#endif
	delete m;
}

static void set_headers(nfacc_model *m, const nfacc_model_in *in)
{
	std::memset(m->header, 0, sizeof m->header);
	for (unsigned s = 0; s < NFACC_SLOTS; s++) {
		if ((in->s_present >> s & 1) == 0)
			continue;
		unsigned at = s * NFACC_HEADER_BITS, shift = at % 32;
		uint64_t h = in->s_header[s];
		m->header[at / 32] |= (uint32_t)(h << shift);
		m->header[at / 32 + 1] |= (uint32_t)(h >> (32 - shift));
		if (shift != 0)
			m->header[at / 32 + 2] |= (uint32_t)(h >> 32 >> (32 - shift));
	}
	put(m->engine.s_header, m->header);
}

// Slots without a message have ones. A batch without payload has zeros.
static void set_payload(nfacc_model *m, const nfacc_model_in *in)
{
	enum { WORDS = NFACC_PAYLOAD / 64 };

	if (WORDS == 0)
		return;
	for (unsigned i = 0; i < NFACC_SLOTS * WORDS; i++) {
		bool has = (in->s_present >> i / (WORDS + !WORDS) & 1) != 0;
		uint64_t w = !has ? UINT64_MAX : in->s_payload == NULL ? 0 : in->s_payload[i];
		m->payload[2 * i] = (uint32_t)w;
		m->payload[2 * i + 1] = (uint32_t)(w >> 32);
	}
	put(m->engine.s_payload, m->payload);
}

void nfacc_model_clock(nfacc_model *m, const nfacc_model_in *in, nfacc_model_out *out)
{
	Vnfacc_engine &e = m->engine;

	e.rst = in->rst;
	e.s_valid = in->s_valid;
	e.s_present = in->s_present;
	e.s_time = in->s_time;
	if (in->s_valid) {
		set_headers(m, in);
		set_payload(m, in);
	}
	e.s_axil_awvalid = in->awvalid;
	e.s_axil_awaddr = in->awaddr;
	e.s_axil_wvalid = in->wvalid;
	e.s_axil_wdata = in->wdata;
	e.s_axil_wstrb = in->wstrb;
	e.s_axil_bready = in->bready;
	e.s_axil_arvalid = in->arvalid;
	e.s_axil_araddr = in->araddr;
	e.s_axil_rready = in->rready;
	e.m_axis_tready = in->tready;
#ifdef NFACC_RING
	m->memory.drive(e);
#endif
	e.clk = 0;
	e.eval();
	m->dump();
	out->awready = e.s_axil_awready;
	out->wready = e.s_axil_wready;
	out->bvalid = e.s_axil_bvalid;
	out->bresp = e.s_axil_bresp;
	out->arready = e.s_axil_arready;
	out->rvalid = e.s_axil_rvalid;
	out->rresp = e.s_axil_rresp;
	out->rdata = e.s_axil_rdata;
	out->tvalid = e.m_axis_tvalid;
	out->tlast = e.m_axis_tlast;
	out->tdata = e.m_axis_tdata;
	out->idle = e.idle;
	out->done = e.done;
#ifdef NFACC_RING
	m->memory.take(e);
#endif
	e.clk = 1;
	e.eval();
	m->dump();
}

const unsigned char *nfacc_model_memory(const nfacc_model *m, uint64_t *size)
{
#ifdef NFACC_RING
	*size = m->memory.bytes.size();
	return m->memory.bytes.data();
#else
	(void)m;
	*size = 0;
	return NULL;
#endif
}

void nfacc_model_states(const nfacc_model *m, uint32_t *words)
{
#ifdef NFACC_STATES
	get(m->engine.rootp->NFACC_STATES, words);
#else
	(void)m;
	(void)words;
#endif
}
