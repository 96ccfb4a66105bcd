/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * model.h: a simulated engine as a shared object, one for each overlay: what nfamodel builds of
 * rtl/nfacc_engine.v with Verilator and what runtime/device/rtl_engine.c loads. A model is a clock and pins:
 * nothing here knows what they mean.
 */
#ifndef NFACC_SIM_MODEL_H
#define NFACC_SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NFACC_MODEL_VERSION = 1, NFACC_MODEL_SLOTS = 64 };

struct nfacc_model_info {
	uint32_t version; /* NFACC_MODEL_VERSION, before anything else is read */
	uint32_t slots, header_bits, op_lsb, op_bits, labels, lines, window, data, shadow, states;
	int32_t idle;     /* opcode, or -1 */
	uint64_t fingerprint;
	bool traced;      /* can write a VCD */
};

struct nfacc_model_in {
	bool rst;
	bool s_valid;
	uint64_t s_present, s_time;
	const uint64_t *s_header; /* [slots]; may be NULL where s_present is 0 */
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

/* A model after power-up, not reset yet. vcd: a file for its waveforms, or NULL. NULL: no memory, or
 * it can't write one. */
struct nfacc_model *nfacc_model_new(const char *vcd);
void nfacc_model_free(struct nfacc_model *m);

/* One clock cycle: *out is what the output pins show with these inputs before the rising edge. */
void nfacc_model_clock(struct nfacc_model *m, const struct nfacc_model_in *in,
		       struct nfacc_model_out *out);

/* The active bits: STE by STE, line by line; info.states of them into words of 32. */
void nfacc_model_states(const struct nfacc_model *m, uint32_t *words);

#ifdef __cplusplus
}
#endif

#endif
