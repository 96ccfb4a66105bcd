/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_core.h: what the trace unit of a core has: resources, the events that reach it and on which
 * lines. Descriptions of cores are in targets/; nfacc-target(5) describes their form, and
 * contract/etm/etm_text.h reads them. Of what registers mean (contract/etm/etm.h), a core says
 * the reading that is taken for it.
 */
#ifndef NFACC_CONTRACT_ETM_CORE_H
#define NFACC_CONTRACT_ETM_CORE_H

#include "contract/etm/etm.h"

enum {
	ETM_CORE_NAME = 32,   /* bytes of a name, with its final 0 */
	ETM_CORE_EVENTS = 48, /* the most events of a core */
	ETM_CORE_MODELS = 8,
	ETM_MOST_CORES = 64,  /* the most cores whose trace units are programmed together */
	ETM_CORE_LINES = 59   /* the most lines of all events together: slots of a protocol */
};

#define ETM_CORE_NO_NUMBER UINT32_MAX

/* The counters of one of several cores whose budget is not that of the others. */
struct etm_counts {
	bool own;                      /* false: it has those of the others */
	uint32_t reload[ETM_COUNTERS]; /* TRCCNTRLDVR */
	uint32_t value[ETM_COUNTERS];  /* TRCCNTVR */
};

/* Puts them into registers, or leaves these as they are. */
static inline void etm_counts_put(const struct etm_counts *c, struct etm_regs *r)
{
	for (uint32_t i = 0; c->own && i < ETM_COUNTERS; i++) {
		r->cntrldv[i] = c->reload[i];
		r->cntv[i] = c->value[i];
	}
}

/* An event of the core that reaches the trace unit. */
struct etm_core_event {
	char name[ETM_CORE_NAME + 16];
	/* Its lines on the bus are first … first + lines - 1. For ETE `first` is the number of the
	 * event, and lines is 1. */
	uint32_t first, lines;
	/* The number by which the core's performance monitors count it; ETM_CORE_NO_NUMBER: no
	 * table says it. */
	uint32_t number;
	bool unknown; /* how many lines it has is known, but not which; `first` has no meaning */
};

/* A sum of events that stands for the traffic of the core. */
struct etm_core_model {
	char name[ETM_CORE_NAME + 16];
	uint64_t events; /* a bit for each index into etm_core.event */
};

struct etm_core {
	char name[ETM_CORE_NAME];
	bool ete;
	/* How many there are: states of the sequencer, counters, bits of a counter, selectors (with
	 * the two constant ones), external inputs that can be chosen at once, range comparators,
	 * external outputs. */
	struct {
		uint32_t states, counters, bits, selectors, inputs, ranges, outputs;
	} has;
	uint32_t cti;         /* external inputs below this number come from the CTI */
	uint32_t bus;         /* lines of the event bus; line n is external input cti + n */
	bool bus_unknown;     /* no manual says how many lines the bus has */
	struct etm_reading reading; /* how the core behaves where trace units could differ */
	bool edge;            /* the interrupt of the CTI is edge-triggered; else it is a level */
	uint32_t nevents, nmodels;
	struct etm_core_event event[ETM_CORE_EVENTS];
	struct etm_core_model model[ETM_CORE_MODELS];
};

/* The groups of slots and the types of a core's protocol (nfacc-target(5)). */
#define ETM_PROTO_PREFIX "pmu_"
#define ETM_GROUP_PMU "pmu"
#define ETM_GROUP_CTI "cti"
#define ETM_GROUP_FETCH "fetch"
#define ETM_GROUP_UNKNOWN "unknown"

/* In a protocol of a core: the opcodes of slot fetch are exception levels; the opcode in all other
 * slots is 0. Addresses are bits 55:2 of the virtual address of an instruction. */
enum { ETM_FETCH_LEVELS = 4, ETM_FETCH_BITS = 56 };

/* A core with ETE has no external inputs but events: trigger n of the CTI is event ETM_ETE_CTI + n,
 * which is called CTI_TRIGOUT4 and so on. */
enum { ETM_ETE_CTI = 0x4018 };

#endif
