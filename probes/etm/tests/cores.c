/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs several cores whose registers and channels come out of the headers that nfacc makes with
 * --cores, on the models of macrocells, cross-trigger interfaces and memory: while one core is over
 * its budget, all are throttled, and at no other time. Then the handler that nfacc makes runs on
 * one core of them. cores.inc has headers and handlers. NFACC_SEED and NFACC_GANGS: the first of the
 * random loads, and how many.
 */
#include <inttypes.h>
#include <string.h>

#include "probes/etm/model/gang.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

enum { NCORES = 4, LATENCY = 30, POLL = 20, LEAVE = 40, GAP = 8, DEPTH = 3, CYCLES = 60000 };
/* From an output that comes on to the last core that stops, and from one that falls to the last
 * core that goes on: the way through the matrix, the interrupt, reads and the way out of the
 * handler. */
enum { SLACK = LATENCY + POLL + LEAVE + 8 };

static struct gang gang;
static uint64_t seed;

static uint32_t draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* ---- the emitted handler ---- */

static struct {
	uint32_t access; /* cycles that an access to a register takes */
	uint32_t polls;
	uint32_t over;   /* cycles for which a core has been over its budget */
} handled;
static char etm_base[NCORES], cti_base;

/* Core 0 does not go on by itself: its handler runs. The others are the model's. */
static void handled_cycle(void)
{
	gang.core[0].mode = CORE_HANDLER;
	gang.core[0].left = UINT32_MAX;
	gang_step(&gang);
	handled.over = gang_over(&gang) != 0 ? handled.over + 1 : 0;
}

static uint32_t read_register(const void *base, uint32_t offset)
{
	for (uint32_t i = 0; i < handled.access; i++)
		handled_cycle();
	handled.polls++;
	if (base == &cti_base)
		return cti_read(&gang.core[0].cti, offset);
	for (unsigned i = 0; i < NCORES; i++)
		if (base == &etm_base[i] && offset == 0x11c)
			return macrocell_state(&gang.core[i].etm);
	return UINT32_MAX;
}

static void write_register(const void *base, uint32_t offset, uint32_t value)
{
	for (uint32_t i = 0; i < handled.access; i++)
		handled_cycle();
	if (base == &cti_base)
		cti_write(&gang.core[0].cti, offset, value);
}

#define NFACC_READ32(base, offset) read_register(base, offset)
#define NFACC_WRITE32(base, offset, value) write_register(base, offset, value)
#define NFACC_ETM_POLLS 5000
#define ETM_PATIENCE 2
#include "probes/etm/tests/cores.inc"

/* ---- cores ---- */

/* What a header writes into the registers of core i. */
static bool load(const struct program *p, unsigned i, struct etm_regs *regs, struct cti_map *map)
{
	static uint32_t etm[1024], cti[1024];

	memset(etm, 0, sizeof etm);
	memset(cti, 0, sizeof cti);
	memset(regs, 0, sizeof *regs);
	etm[0x1f0 / 4] = 7u << 16 | 4;
	etm[0x1f4 / 4] = 2u << 28 | 4u << 25 | 4u << 9 | 30;
	etm[0x00c / 4] = 1; /* idle: it is programmed, and then does not start */
	if (p->connect(i, cti) != 0 || p->load(i, etm) != -2)
		return false;
	for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++)
		for (uint32_t k = 0; k < r->count; k++) {
			uint32_t at = (r->offset + k * r->stride) / 4;

			etm_reg_set(regs, r, k, r->size == 4 ? etm[at]
					      : etm[at] | (uint64_t)etm[at + 1] << 32);
		}
	for (uint32_t offset = 0; offset < 0x1000; offset += 4) {
		uint32_t *value = cti_map_at(map, offset, NULL);

		if (value != NULL)
			*value = cti[offset / 4];
	}
	return true;
}

/* Programs all cores. One of them needs much memory. */
static bool program(const struct program *p, bool edge, bool gates)
{
	static const struct core_times times = { .latency = LATENCY, .poll = POLL, .leave = LEAVE };

	const unsigned much = draw(NCORES);

	memset(&gang, 0, sizeof gang);
	gang.n = NCORES;
	for (unsigned i = 0; i < NCORES; i++) {
		const struct load l = { ACCESS_READ, i == much ? 0 : 50 + draw(300), 1 + draw(4) };
		struct memory memory;
		struct etm_regs regs;
		struct cti_map map;

		memory_init(&memory, &l, GAP, DEPTH);
		if (!load(p, i, &regs, &map))
			return false;
		if (regs.traceid[0] != i + 1)
			return false;
		/* periods begin at different times */
		regs.cntv[0] = draw(regs.cntrldv[0]) + 1;
		regulated_init(&gang.core[i], &regs, (struct etm_reading){ 0 }, &memory, &times,
			       edge);
		map.gate = gates ? map.gate : 0;
		gang_connect(&gang, i, &map);
	}
	return true;
}

struct seen {
	uint64_t wrong_runs, wrong_stops, over, throttled;
};

/* Counts the cycles in which a core runs though one is over its budget for long, or stands though
 * none has been for long. */
static struct seen run(void)
{
	struct seen s = { 0 };
	uint32_t over_since = 0, under_since = 0;

	for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
		gang_step(&gang);
		over_since = gang_over(&gang) != 0 ? over_since + 1 : 0;
		under_since = gang_over(&gang) == 0 ? under_since + 1 : 0;
		s.over += over_since != 0;
		for (unsigned i = 0; i < NCORES; i++) {
			bool runs = gang.core[i].mode == CORE_PROGRAM;

			s.throttled += !runs;
			s.wrong_runs += runs && over_since > SLACK;
			s.wrong_stops += !runs && under_since > SLACK;
		}
	}
	return s;
}

/* Core 0 takes its interrupts with the emitted handler. It may return only when no core is over its
 * budget, but for those that came to be so after their states were read. */
static bool handles(const struct program *p, uint64_t *taken)
{
	void *const etm[] = { &etm_base[0], &etm_base[1], &etm_base[2], &etm_base[3] };

	handled.access = draw(6) + 1;
	*taken = 0;
	for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
		gang.core[0].mode = CORE_PROGRAM;
		gang_step(&gang);
		if (!gang.core[0].pending)
			continue;
		for (unsigned i = 0; i < LATENCY; i++)
			handled_cycle();
		gang.core[0].pending = false;
		if (p->handler(etm, &cti_base) != 0 || handled.over > handled.access * NCORES)
			return false;
		++*taken;
	}
	return true;
}

/* A sequencer that hangs while it is over its budget: the handler gives up. */
static bool survives(const struct program *p)
{
	void *const etm[] = { &etm_base[0], &etm_base[1], &etm_base[2], &etm_base[3] };

	for (unsigned i = 0; i < CYCLES && !gang.core[0].pending; i++)
		gang_step(&gang);
	gang.core[2].etm.regs.seqev[0] = gang.core[2].etm.regs.seqev[1] = 0;
	gang.core[2].etm.regs.seqev[2] = gang.core[2].etm.regs.seqrstev[0] = 0;
	gang.core[2].etm.regs.seqst[0] = (uint32_t)__builtin_ctz(gang.core[2].throttling);
	handled.access = 1;
	handled.polls = 0;
	return p->handler(etm, &cti_base) == -1 &&
	       handled.polls <= NCORES * (NFACC_ETM_POLLS + 1) &&
	       cti_read(&gang.core[0].cti, CTI_OUTEN + 4 * CTI_IRQ_OUTPUT) == 0;
}

int main(void)
{
	uint64_t first = setting("NFACC_SEED", 1), rounds = setting("NFACC_GANGS", 3), taken;
	struct tap t = { 0 };

	printf("# NFACC_SEED=%" PRIu64 "\n", first);
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		for (unsigned edge = 0; edge < 2; edge++) {
			const struct program *p = &programs[i];
			struct seen all = { 0 }, alone = { 0 };
			uint64_t some = 0;
			bool ok = true, handler = true;

			for (uint64_t k = 0; k < rounds; k++) {
				struct seen s;

				seed = first + k;
				ok = program(p, edge, true) && ok;
				s = run();
				all.wrong_runs += s.wrong_runs;
				all.wrong_stops += s.wrong_stops;
				all.over += s.over;
				all.throttled += s.throttled;
				ok = program(p, edge, false) && ok;
				alone.wrong_runs += run().wrong_runs;
				ok = program(p, edge, true) && ok;
				handler = handles(p, &taken) && taken > 20 && handler;
				some += taken;
			}
			printf("# %s: over in %" PRIu64 " cycles, throttled %" PRIu64
			       " cycles of cores; wrong: %" PRIu64 " and %" PRIu64
			       "; %" PRIu64 " with closed gates; %" PRIu64 " interrupts\n",
			       p->name, all.over, all.throttled, all.wrong_runs, all.wrong_stops,
			       alone.wrong_runs, some);
			tap_case(&t, ok && all.over > 1000 && all.wrong_runs == 0 &&
				 all.wrong_stops == 0, "%s: one core over its budget throttles "
				 "all, with %s", p->name, edge ? "an edge" : "a level");
			tap_case(&t, alone.wrong_runs > 1000, "%s: with closed gates it does not",
				 p->name);
			tap_case(&t, handler, "%s: the handler waits for all cores", p->name);
			tap_case(&t, program(p, edge, true) && survives(p),
				 "%s: the handler ends if another core hangs", p->name);
		}
	return tap_end(&t);
}
