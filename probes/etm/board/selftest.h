/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * selftest.h: measures on a board how its trace unit behaves at the points of struct etm_reading,
 * by small programs of which only one counter, the sequencer and constants take part: no event of
 * the core matters, and neither does how long the trace unit runs, since each program comes to an
 * end by itself.
 *
 * It is freestanding, and accesses registers by NFACC_READ32(base, offset) and
 * NFACC_WRITE32(base, offset, value), which can be defined before. It opens the locks of the
 * trace unit, stops it and overwrites its program, and leaves it stopped. Nothing else may use
 * the unit in this time, and its core must not sleep.
 */
#ifndef NFACC_PROBES_ETM_BOARD_SELFTEST_H
#define NFACC_PROBES_ETM_BOARD_SELFTEST_H

#include "contract/etm/etm.h"

#ifndef NFACC_READ32
#define NFACC_READ32(base, offset) \
	(*(const volatile uint32_t *)((const volatile char *)(base) + (offset)))
#endif
#ifndef NFACC_WRITE32
#define NFACC_WRITE32(base, offset, value) \
	(*(volatile uint32_t *)((volatile char *)(base) + (offset)) = (value))
#endif
/* How often a status is read before the trace unit is given up. */
#ifndef NFACC_ETM_PATIENCE
#define NFACC_ETM_PATIENCE 100000
#endif

/* Offsets of registers in bytes; of an array, that of the first. */
enum etm_selftest_offset {
#define ETM_REG(member, name, type, offset, stride, count, text) ETM_SELFTEST_##name = offset,
#include "contract/etm/etm.def"
};

enum etm_selftest_result {
	ETM_SELFTEST_OK,
	ETM_SELFTEST_LACKS,   /* fewer than 4 states, 1 counter or 2 pairs of selectors */
	ETM_SELFTEST_STUCK,   /* TRCSTATR does not say that the unit stops or starts */
	ETM_SELFTEST_LOCKED,  /* a register does not keep what is written */
	ETM_SELFTEST_OTHER    /* no reading explains what a program left behind */
};

/* What a program left behind. */
struct etm_selftest_seen {
	uint32_t state, value; /* TRCSEQSTR, TRCCNTVR0 */
};

struct etm_selftest {
	struct etm_reading reading;
	const char *point;             /* the last point that was measured */
	struct etm_selftest_seen seen; /* by its program */
};

/* A program for counter 0, which reloads itself, and the sequencer. */
struct etm_selftest_program {
	uint32_t state, value, reload;  /* at the beginning, and the reload value */
	uint32_t count, reload_event;   /* events of the counter */
	uint32_t forward[3], back[3];   /* events of the sequencer */
};

/* Events: the constants, and selectors of which each sees one resource. */
enum etm_selftest_event {
	ETM_SELFTEST_NEVER = 0, ETM_SELFTEST_ALWAYS = 1,
	ETM_SELFTEST_PULSE = 2,  /* counter 0 is at zero */
	ETM_SELFTEST_STATE0 = 3, ETM_SELFTEST_STATE3 = 4
};

/* Waits until the unit runs, or until it has stopped and its registers can be read. */
static inline int etm_selftest_wait(void *etm, bool stopped)
{
	for (uint32_t i = 0; i < NFACC_ETM_PATIENCE; i++) {
		uint32_t status = NFACC_READ32(etm, ETM_SELFTEST_TRCSTATR);
		bool idle = ETM_GET(TRCSTATR, IDLE, status) != 0;

		if (stopped ? idle && ETM_GET(TRCSTATR, PMSTABLE, status) != 0 : !idle)
			return ETM_SELFTEST_OK;
	}
	return ETM_SELFTEST_STUCK;
}

/* Lets a selector see one resource of counters and sequencer. */
static inline void etm_selftest_select(void *etm, uint32_t selector, uint32_t bit)
{
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCRSCTLR + 4 * selector,
		      ETM_PUT(TRCRSCTLR, GROUP, ETM_GROUP_CNTSEQ) |
			      ETM_PUT(TRCRSCTLR, SELECT, 1u << bit));
}

/* Writes a program into a unit that is stopped. All that could trace or stall is off. */
static inline void etm_selftest_write(void *etm, const struct etm_selftest_program *p)
{
	static const uint16_t off[] = {
		ETM_SELFTEST_TRCEVENTCTL0R, ETM_SELFTEST_TRCEVENTCTL1R, ETM_SELFTEST_TRCSTALLCTLR,
		ETM_SELFTEST_TRCTSCTLR, ETM_SELFTEST_TRCVIIECTLR, ETM_SELFTEST_TRCVISSCTLR,
		ETM_SELFTEST_TRCVIPCSSCTLR, ETM_SELFTEST_TRCSEQRSTEVR,
		ETM_SELFTEST_TRCRSCTLR + 4 * 5,
	};

	for (unsigned i = 0; i < sizeof off / sizeof *off; i++)
		NFACC_WRITE32(etm, off[i], 0);
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCCONFIGR, ETM_PUT(TRCCONFIGR, ONE, 1));
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCSYNCPR, ETM_PUT(TRCSYNCPR, PERIOD, 12));
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCTRACEIDR, ETM_PUT(TRCTRACEIDR, TRACEID, 1));
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCVICTLR, ETM_PUT(TRCVICTLR, SSSTATUS, 1));
	for (uint32_t i = 0; i < 3; i++)
		NFACC_WRITE32(etm, ETM_SELFTEST_TRCSEQEVR + 4 * i,
			      ETM_PUT(TRCSEQEVR, F, p->forward[i]) |
				      ETM_PUT(TRCSEQEVR, B, p->back[i]));
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCSEQSTR, ETM_PUT(TRCSEQSTR, STATE, p->state));
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCCNTRLDVR, ETM_PUT(TRCCNTRLDVR, VALUE, p->reload));
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCCNTCTLR,
		      ETM_PUT(TRCCNTCTLR, CNTEVENT, p->count) |
			      ETM_PUT(TRCCNTCTLR, RLDEVENT, p->reload_event) |
			      ETM_PUT(TRCCNTCTLR, RLDSELF, 1));
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCCNTVR, ETM_PUT(TRCCNTVR, VALUE, p->value));
	etm_selftest_select(etm, ETM_SELFTEST_PULSE, 0);
	etm_selftest_select(etm, ETM_SELFTEST_STATE0, 4);
	etm_selftest_select(etm, ETM_SELFTEST_STATE3, 7);
}

static inline struct etm_selftest_seen etm_selftest_look(void *etm)
{
	return (struct etm_selftest_seen){
		.state = ETM_GET(TRCSEQSTR, STATE, NFACC_READ32(etm, ETM_SELFTEST_TRCSEQSTR)),
		.value = ETM_GET(TRCCNTVR, VALUE, NFACC_READ32(etm, ETM_SELFTEST_TRCCNTVR)),
	};
}

/* Runs a program until it has come to its end. */
static inline int etm_selftest_run(void *etm, const struct etm_selftest_program *p,
				   struct etm_selftest_seen *seen)
{
	etm_selftest_write(etm, p);
	*seen = etm_selftest_look(etm);
	if (seen->state != p->state || seen->value != p->value)
		return ETM_SELFTEST_LOCKED;
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCPRGCTLR, 1);
	if (etm_selftest_wait(etm, false) != ETM_SELFTEST_OK)
		return ETM_SELFTEST_STUCK;
	for (uint32_t i = 0; i < 1000; i++) /* a dozen cycles are enough */
		(void)NFACC_READ32(etm, ETM_SELFTEST_TRCSTATR);
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCPRGCTLR, 0);
	if (etm_selftest_wait(etm, true) != ETM_SELFTEST_OK)
		return ETM_SELFTEST_STUCK;
	*seen = etm_selftest_look(etm);
	return ETM_SELFTEST_OK;
}

/* Measures one point: one of two endings of the program tells the answer, and no other may come. */
static inline int etm_selftest_point(void *etm, struct etm_selftest *t, const char *point,
				     const struct etm_selftest_program *p,
				     struct etm_selftest_seen no, struct etm_selftest_seen yes,
				     bool *answer)
{
	int result = etm_selftest_run(etm, p, &t->seen);
	bool is_no;

	t->point = point;
	if (result != ETM_SELFTEST_OK)
		return result;
	*answer = t->seen.state == yes.state && t->seen.value == yes.value;
	is_no = t->seen.state == no.state && t->seen.value == no.value;
	return *answer || is_no ? ETM_SELFTEST_OK : ETM_SELFTEST_OTHER;
}

/*
 * Measures all points of the trace unit whose registers are at `etm`, and writes the reading.
 * Returns an enum etm_selftest_result; `point` and `seen` say at what it ended. Time: some
 * thousand accesses.
 */
static inline int etm_selftest(void *etm, struct etm_selftest *t)
{
	/* The counter is at 1 and counts for the one cycle in which the sequencer is in state 0.
	 * It stops at 0, or has reloaded itself. */
	const struct etm_selftest_program zero = {
		.value = 1, .reload = 9, .count = ETM_SELFTEST_STATE0,
		.forward = { ETM_SELFTEST_ALWAYS },
	};
	/* The counter counts until the sequencer has seen its pulse: once more if that takes a
	 * cycle. */
	const struct etm_selftest_program delay = {
		.value = 5, .reload = 9, .count = ETM_SELFTEST_STATE0,
		.forward = { ETM_SELFTEST_PULSE },
	};
	/* In state 3 both events of the last step hold, and in state 2 neither does. */
	const struct etm_selftest_program priority = {
		.state = 3, .value = 5, .reload = 9,
		.forward = { 0, 0, ETM_SELFTEST_STATE3 }, .back = { 0, 0, ETM_SELFTEST_STATE3 },
	};
	/* The counter counts at its end, and its reload event holds. It is reloaded for as long
	 * as the sequencer stays in state 0, which is for ever if there is no pulse. */
	struct etm_selftest_program overlap = {
		.reload = 9, .count = ETM_SELFTEST_STATE0, .reload_event = ETM_SELFTEST_STATE0,
		.forward = { ETM_SELFTEST_PULSE },
	};
#define SEEN(state, value) ((struct etm_selftest_seen){ state, value })
	uint32_t idr4, idr5;
	int result;

	*t = (struct etm_selftest){ .point = "start" };
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCLAR, ETM_UNLOCK);
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCOSLAR, 0);
	idr4 = NFACC_READ32(etm, ETM_SELFTEST_TRCIDR + 4 * 4);
	idr5 = NFACC_READ32(etm, ETM_SELFTEST_TRCIDR + 4 * 5);
	if (ETM_GET(TRCIDR4, NUMRSPAIR, idr4) < 2 || ETM_GET(TRCIDR5, NUMCNTR, idr5) < 1 ||
	    ETM_GET(TRCIDR5, NUMSEQSTATE, idr5) < ETM_STATES)
		return ETM_SELFTEST_LACKS;
	NFACC_WRITE32(etm, ETM_SELFTEST_TRCPRGCTLR, 0);
	result = etm_selftest_wait(etm, true);
	if (result == ETM_SELFTEST_OK)
		result = etm_selftest_point(etm, t, "zero", &zero, SEEN(1, 0), SEEN(1, 9),
					    &t->reading.zero);
	if (result == ETM_SELFTEST_OK)
		result = etm_selftest_point(etm, t, "delay", &delay, SEEN(1, 9), SEEN(1, 8),
					    &t->reading.delay);
	if (result == ETM_SELFTEST_OK)
		result = etm_selftest_point(etm, t, "priority", &priority, SEEN(2, 5), SEEN(3, 5),
					    &t->reading.priority);
	overlap.value = t->reading.zero ? 1 : 0;
	if (result == ETM_SELFTEST_OK)
		result = etm_selftest_point(etm, t, "overlap", &overlap, SEEN(0, 9), SEEN(1, 9),
					    &t->reading.overlap);
#undef SEEN
	return result;
}

/* Writes the line of a description (nfacc-target(5)) that says the reading, without an end of
 * line. */
enum { ETM_SELFTEST_LINE = 48 };
static inline void etm_selftest_line(struct etm_reading r, char line[static ETM_SELFTEST_LINE])
{
	const struct {
		bool is;
		const char *name;
	} points[] = {
		{ r.priority, "priority" }, { r.zero, "zero" }, { r.delay, "delay" },
		{ r.overlap, "overlap" },
		{ !r.priority && !r.zero && !r.delay && !r.overlap, "default" },
	};
	const char *before = "reading ";

	for (unsigned i = 0; i < sizeof points / sizeof *points; i++) {
		if (!points[i].is)
			continue;
		for (; *before != '\0'; before++)
			*line++ = *before;
		for (const char *s = points[i].name; *s != '\0'; s++)
			*line++ = *s;
		before = ", ";
	}
	*line++ = ';';
	*line = '\0';
}

#endif
