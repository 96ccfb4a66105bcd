/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rig.h: runs the parts of the front end in C and in Verilog at the same time. parts.test links the
 * model of a computer with --wrap for each function of probes/virtual/model/ that has a __wrap_
 * function in one of the files here. So that function gets all calls of the computer. It calls the
 * function in C (__real_), makes the simulated module do the same step, and compares the results.
 * The same functions are used for random steps.
 */
#ifndef NFACC_PROBES_VIRTUAL_TESTS_RTL_RIG_H
#define NFACC_PROBES_VIRTUAL_TESTS_RTL_RIG_H

extern "C" {
#include "probes/virtual/system/system.h"
}

enum {
	RIG_MOST_CYCLES = 100000, /* most cycles of a step */
	RIG_SLOTS = 5             /* slots of the engine that gets the messages */
};

/* A part. Each part is a variable at file scope that adds itself to a list. */
struct rig_part {
	const char *name;
	void (*reset)();                  /* resets the module; the part in C is then zeroed */
	void (*random)(uint64_t *random); /* does random steps after a reset; nullptr: none */
	unsigned long steps = 0, cycles = 0, failures = 0;
	uint64_t seed = 0; /* seed of the current run */
	rig_part *next;

	rig_part(const char *name, void (*reset)(), void (*random)(uint64_t *random));

	/* Compares a value of the module with that of the part in C. */
	void same(const char *what, uint64_t wanted, uint64_t got);
	/* Reports that a step did not end. */
	void stuck(const char *what);
};

/* Resets the modules of all parts. */
void rig_reset_parts();

/* Returns the next random number. */
uint64_t rig_random(uint64_t *random);

/* Returns n bits of `value`, from bit `lsb` on. */
static inline uint64_t rig_bits(uint64_t value, unsigned lsb, unsigned n)
{
	return value >> lsb & ((UINT64_C(1) << n) - 1);
}

/* One cycle. */
template <class M> void rig_clock(rig_part *p, M *m)
{
	m->clk = 0;
	m->eval();
	m->clk = 1;
	m->eval();
	p->cycles++;
}

template <class M> void rig_reset(rig_part *p, M *m)
{
	m->rst = 1;
	rig_clock(p, m);
	rig_clock(p, m);
	m->rst = 0;
}

/* Holds a request of the module high until `done` is high. */
template <class M, class Request, class Done>
void rig_step(rig_part *p, M *m, Request *request, const Done *done, const char *what)
{
	p->steps++;
	*request = 1;
	for (unsigned i = 0; i < RIG_MOST_CYCLES; i++) {
		rig_clock(p, m);
		if (*done) {
			*request = 0;
			return;
		}
	}
	*request = 0;
	p->stuck(what);
}

#endif
