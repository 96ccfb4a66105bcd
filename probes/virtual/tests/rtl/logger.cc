/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The Logger in Verilog, compared with the one in C. */
#include "probes/virtual/tests/rtl/rig.h"

static Vlogger *logger = new Vlogger;
static struct virt_logger *logger_own = new virt_logger; /* for random steps */

static void logger_reset();
static void logger_random(uint64_t *random);
static rig_part logger_part("logger", logger_reset, logger_random);

static void logger_reset()
{
	logger->put = logger->out_ready = 0;
	rig_reset(&logger_part, logger);
	logger_own->first = logger_own->n = 0;
}

/* Waits until the oldest record is at the output, and compares it. */
static void logger_same(const struct virt_logger *l)
{
	for (unsigned i = 0; i < 3; i++)
		rig_clock(&logger_part, logger);
	logger_part.same("a record", l->n > 0, logger->out_valid);
	logger_part.same("full", l->n == VIRT_RECORDS, logger->full);
	for (unsigned i = 0; i < 4 && l->n > 0; i++)
		logger_part.same("a word",
				 (uint32_t)(l->record[l->first].word[i / 2] >> i % 2 * 32),
				 logger->out_record[i]);
}

static void logger_random(uint64_t *random)
{
	struct virt_logger *l = logger_own;

	for (unsigned i = 0; i < 4 * VIRT_RECORDS; i++) {
		uint64_t r = rig_random(random);
		/* The log becomes full and then empty, in turns. */
		bool put = r % 8 < (i / VIRT_RECORDS % 2 == 0 ? 7 : 2);
		struct virt_snoop s = { (enum virt_snoop_kind)((r >> 8) % VIRT_SNOOP_KINDS),
					virt_pa(rig_random(random)), rig_random(random) };
		struct virt_annotated a = { true, (r >> 16 & 1) != 0, (r >> 17 & 1) != 0,
					    virt_align(virt_va(rig_random(random)),
						       VIRT_LINE_BITS) };
		struct virt_record record = virt_record_of(&s, &a);

		logger_part.steps++;
		logger->put = put;
		logger->out_ready = !put;
		logger->kind = s.kind;
		logger->pa = s.pa >> VIRT_LINE_BITS;
		logger->now = s.time & ((1 << VIRT_RECORD_TIME_WIDTH) - 1);
		logger->va = a.va >> VIRT_LINE_BITS;
		logger->shared = a.shared;
		logger->observed = a.observed;
		if (put)
			virt_logger_put(l, &record);
		else
			virt_logger_take(l, &record);
		rig_clock(&logger_part, logger);
		logger->put = logger->out_ready = 0;
		logger_same(l);
	}
}
