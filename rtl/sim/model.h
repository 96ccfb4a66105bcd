/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * model.h: the interface of a simulated engine. nfamodel builds the engine of one overlay from
 * rtl/engine/nfacc_engine.v with Verilator, as a shared object. runtime/device/rtl_engine.c loads
 * it. A model is a clock and pins: it does not know what they mean.
 */
#ifndef NFACC_SIM_MODEL_H
#define NFACC_SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NFACC_MODEL_VERSION = 3, NFACC_MODEL_SLOTS = 64 };

struct nfacc_model_info {
	uint32_t version; /* NFACC_MODEL_VERSION; read it before anything else */
	uint32_t slots, header_bits, op_lsb, op_bits, labels, lines, window, data, shadow, states;
	int32_t idle;     /* the protocol's idle opcode; -1: it has none */
	uint64_t fingerprint;
	bool traced;      /* the model can write its waveforms to a VCD file */
	uint32_t names;   /* lines that a record can name */
	uint32_t payload; /* bits that come beside each header */
};

struct nfacc_model_in {
	bool rst;
	bool s_valid;
	uint64_t s_present, s_time;
	const uint64_t *s_header; /* [slots]: the headers; may be NULL if s_present is 0 */
	/* [slots][info.payload/64]: what comes beside them, bits 63 to 0 first; NULL stands for
	 * zeros */
	const uint64_t *s_payload;
	bool awvalid, wvalid, bready, arvalid, rready;
	uint32_t awaddr, araddr, wstrb;
	uint64_t wdata;
	bool tready;
};

struct nfacc_model_out {
	bool awready, wready, bvalid, arready, rvalid;
	uint32_t bresp, rresp;
	uint64_t rdata;
	bool tvalid, tlast;
	uint64_t tdata;
	bool idle, done;
};

struct nfacc_model;

const struct nfacc_model_info *nfacc_model_info(void);

/* Returns a model as after power-up, not yet reset. It writes its waveforms to the file vcd, unless
 * vcd is NULL. Returns NULL if memory is short or if it can't write the file. */
struct nfacc_model *nfacc_model_new(const char *vcd);
void nfacc_model_free(struct nfacc_model *m);

/* Runs one clock cycle with the inputs *in. *out is what the output pins show before the rising
 * edge. */
void nfacc_model_clock(struct nfacc_model *m, const struct nfacc_model_in *in,
		       struct nfacc_model_out *out);

/* Returns the memory that an engine with a ring writes to, *size bytes from address 0 on; or NULL,
 * if the model has no ring. It lives as long as the model. A model of before there were rings lacks
 * this function. */
const unsigned char *nfacc_model_memory(const struct nfacc_model *m, uint64_t *size);

/* Writes one bit for each of info.states states: is the state active? Bit line*STEs + ste belongs
 * to the copy of STE number `ste` in this line, where STEs is the number of STEs. Each word has 32
 * bits. An engine with the states in memory shows none. */
void nfacc_model_states(const struct nfacc_model *m, uint32_t *words);

#ifdef __cplusplus
}
#endif

#endif
