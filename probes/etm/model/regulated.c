/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/etm/model/regulated.h"

enum { RANGE_USER = 1, RANGE_KERNEL = 2, CHANNEL = 1 };

uint32_t regulated_throttling(const struct etm_regs *regs, struct etm_reading reading)
{
	static const struct macrocell_inputs none;
	uint32_t states = 0;

	for (unsigned s = 0; s < ETM_STATES; s++) {
		struct etm_regs still = *regs;
		struct macrocell m;

		/* Nothing moves or counts, so the outputs depend only on the state. */
		still.seqst[0] = s;
		still.seqrstev[0] = 0;
		for (unsigned i = 0; i < ETM_STATES - 1; i++)
			still.seqev[i] = 0;
		for (unsigned i = 0; i < ETM_COUNTERS; i++) {
			still.cntctl[i] = 0;
			still.cntv[i] = 1;
		}
		macrocell_init(&m, &still, reading);
		macrocell_step(&m, &none);
		states |= (uint32_t)(m.outputs != 0) << s;
	}
	return states;
}

void regulated_init(struct regulated *x, const struct etm_regs *regs, struct etm_reading reading,
		    const struct memory *memory, const struct core_times *times, bool edge)
{
	*x = (struct regulated){ .memory = *memory, .times = *times, .edge = edge,
				 .throttling = regulated_throttling(regs, reading) };
	macrocell_init(&x->etm, regs, reading);
	cti_init(&x->cti, edge);
	cti_write(&x->cti, CTI_GATE, 0);
	for (uint32_t i = 0; i < ETM_OUTPUTS; i++)
		if ((regs->eventctl0[0] >> (8 * i) & 0xff) != 0)
			cti_write(&x->cti, CTI_INEN + 4 * (CTI_ETM_INPUT + i), CHANNEL);
	cti_write(&x->cti, CTI_OUTEN + 4 * CTI_IRQ_OUTPUT, CHANNEL);
	cti_write(&x->cti, CTI_CONTROL, 1);
}

/*
 * The interrupt controller. A level is pending while the line is active. An edge is pending until
 * it is taken.
 */
static void controller(struct regulated *x)
{
	bool line = cti_irq(&x->cti);

	x->pending = x->edge ? x->pending || (line && !x->line_before) : line;
	x->line_before = line;
}

static void acknowledge(struct regulated *x)
{
	cti_write(&x->cti, CTI_INTACK, 1u << CTI_IRQ_OUTPUT);
	x->mode = CORE_LEAVES;
	x->left = x->times.leave;
}

/* What the handler does in the cycle in which it reads the state of the sequencer. */
static void handle(struct regulated *x)
{
	bool on = regulated_is_over(x) || x->others;

	if (x->throttle == THROTTLE_RETURN || !on) {
		acknowledge(x);
		return;
	}
	x->left = x->times.poll;
}

/* The core runs for a cycle. */
static void go_on(struct regulated *x)
{
	if (x->left > 0)
		x->left--;
	switch (x->mode) {
	case CORE_PROGRAM:
		if (x->pending) {
			x->mode = CORE_TAKES_IRQ;
			x->left = x->times.latency;
		}
		break;
	case CORE_TAKES_IRQ:
		if (x->left == 0)
			x->mode = CORE_DRAINS;
		break;
	case CORE_DRAINS:
		if (x->memory.queued == 0 || !x->memory.drains) {
			x->mode = CORE_HANDLER;
			x->pending = false;
			x->interrupts++;
			x->left = 1;
		}
		break;
	case CORE_HANDLER:
		if (x->left == 0)
			handle(x);
		break;
	case CORE_LEAVES:
		if (x->left == 0)
			x->mode = CORE_PROGRAM;
		break;
	}
}

/*
 * The clock of the macrocell is the core's clock. It stops while the core waits for an interrupt.
 */
static bool clock_runs(const struct regulated *x)
{
	bool waits = x->mode == CORE_HANDLER && x->throttle == THROTTLE_WFI &&
		     regulated_is_over(x);

	return !waits || ETM_GET(TRCEVENTCTL1R, LPOVERRIDE, x->etm.regs.eventctl1[0]) != 0;
}

void regulated_step(struct regulated *x)
{
	bool program = x->mode == CORE_PROGRAM || x->mode == CORE_TAKES_IRQ;
	struct macrocell_inputs in = { .group = { 0 } };

	in.group[ETM_GROUP_EXTIN] = (uint16_t)memory_step(&x->memory, program);
	in.group[ETM_GROUP_RANGE] = program || x->mode == CORE_DRAINS ? RANGE_USER : RANGE_KERNEL;
	if (clock_runs(x))
		macrocell_step(&x->etm, &in);
	x->to = cti_step(&x->cti, x->etm.outputs, x->from);
	controller(x);
	x->throttled += !program;
	go_on(x);
}
