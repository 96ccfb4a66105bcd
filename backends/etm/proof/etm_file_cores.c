/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What files for several cores say (etm_files.h): a block of registers for each core, and how their
 * cross-trigger interfaces are connected. From what is connected it follows which output of which
 * core reaches which interrupt: each output that is used must reach the interrupt of each core, and
 * nothing else may reach anything.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/proof/etm_files.h"

void etm_file_core(struct etm_file *f, uint64_t core)
{
	if (core != f->blocks || core >= f->cores) {
		etm_file_wrong(f, "it has a block of core %" PRIu64 ", and that of core %" PRIu32
			       " is next, of %" PRIu32 " cores", core, f->blocks, f->cores);
		return;
	}
	f->blocks++;
	memset(&f->regs, 0, sizeof f->regs);
	memset(&f->stated, 0, sizeof f->stated);
}

void etm_file_core_ends(struct etm_file *f)
{
	const struct etm_regs *want = f->want;
	struct etm_regs own = *want;

	if (f->blocks == 0 || f->wrong.n != 0)
		return;
	own.traceid[0] += f->blocks - 1;
	if (f->counts != NULL)
		etm_counts_put(&f->counts[f->blocks - 1], &own);
	f->want = &own;
	etm_file_compare(f);
	f->want = want;
	if (f->wrong.n != 0)
		buf_addf(&f->wrong, ", of core %" PRIu32, f->blocks - 1);
}

void etm_file_channel(struct etm_file *f, uint64_t core, uint64_t offset, uint64_t value)
{
	uint32_t *have = core < f->cores ? cti_map_at(&f->map[core], (uint32_t)offset, NULL) : NULL;

	if (have == NULL || offset > UINT32_MAX || value > UINT32_MAX) {
		etm_file_wrong(f, "it writes 0x%" PRIx64 " to offset 0x%03" PRIx64 " of a "
			       "cross-trigger interface of core %" PRIu64, value, offset, core);
		return;
	}
	if (*cti_map_at(&f->stated_map[core], (uint32_t)offset, NULL) != 0)
		etm_file_wrong(f, "it writes to offset 0x%03" PRIx64 " of the cross-trigger "
			       "interface of core %" PRIu64 " twice", offset, core);
	*cti_map_at(&f->stated_map[core], (uint32_t)offset, NULL) = 1;
	*have = (uint32_t)value;
}

/* ---- what the channels connect ---- */

static bool is_used(const struct etm_file *f, unsigned output)
{
	return (f->want->eventctl0[0] >> (output * ETM_TRCEVENTCTL0R_EVENT0_WIDTH) &
		ETM_MASK(TRCEVENTCTL0R, EVENT0)) != 0;
}

/* A register that is not written is what it was before. */
static void check_stated(struct etm_file *f, uint32_t core)
{
	for (uint32_t offset = 0; offset <= CTI_GATE; offset += 4) {
		char name[CTI_NAME];
		const uint32_t *stated = cti_map_at(&f->stated_map[core], offset, name);

		if (stated != NULL && *stated == 0)
			etm_file_wrong(f, "it does not write %s of core %" PRIu32, name, core);
	}
}

/* Nothing else than the outputs that are used drives channels, nothing else than the interrupt is
 * driven, and no other channel is open. */
static void check_alone(struct etm_file *f, uint32_t core)
{
	const struct cti_map *m = &f->map[core];
	uint32_t driven = 0;

	for (unsigned i = 0; i < CTI_TRIGGERS; i++) {
		bool output = i >= CTI_ETM_INPUT && is_used(f, i - CTI_ETM_INPUT);

		if (output)
			driven |= m->in[i];
		if (!output && m->in[i] != 0)
			etm_file_wrong(f, "trigger input %u of core %" PRIu32 " drives channels 0x%"
				       PRIx32, i, core, m->in[i]);
		if (i != CTI_IRQ_OUTPUT && m->out[i] != 0)
			etm_file_wrong(f, "channels 0x%" PRIx32 " drive trigger output %u of core "
				       "%" PRIu32, m->out[i], i, core);
	}
	if (driven >> CTI_CHANNELS != 0 || ((m->gate | m->out[CTI_IRQ_OUTPUT]) & ~driven) != 0)
		etm_file_wrong(f, "of core %" PRIu32 " the channels 0x%" PRIx32 " are driven, 0x%"
			       PRIx32 " are open, and 0x%" PRIx32 " drive CTIIRQ", core, driven,
			       m->gate, m->out[CTI_IRQ_OUTPUT]);
	if (m->control != 1)
		etm_file_wrong(f, "the cross-trigger interface of core %" PRIu32 " is not enabled",
			       core);
}

/* Reaches an output of core `from` the interrupt of core `to`? */
static bool reaches(const struct etm_file *f, unsigned output, uint32_t from, uint32_t to)
{
	uint32_t channels = f->map[from].in[CTI_ETM_INPUT + output];

	if (from != to)
		channels &= f->map[from].gate & f->map[to].gate;
	return (channels & f->map[to].out[CTI_IRQ_OUTPUT]) != 0;
}

void etm_file_check_channels(struct etm_file *f)
{
	if (f->blocks != f->cores)
		etm_file_wrong(f, "it has registers of %" PRIu32 " cores, and not of %" PRIu32,
			       f->blocks, f->cores);
	for (uint32_t from = 0; from < f->cores; from++) {
		check_stated(f, from);
		check_alone(f, from);
		for (uint32_t to = 0; to < f->cores; to++)
			for (unsigned i = 0; i < ETM_OUTPUTS; i++)
				if (is_used(f, i) && !reaches(f, i, from, to))
					etm_file_wrong(f, "external output %u of core %" PRIu32
						       " does not reach CTIIRQ of core %" PRIu32,
						       i, from, to);
	}
}
