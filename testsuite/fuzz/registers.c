/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes register dumps. What was read is written as lines, and read again. The model of the
 * macrocell executes it in each reading.
 */
#include <inttypes.h>
#include <string.h>

#include "contract/etm/etm_dump.h"
#include "probes/etm/model/macrocell.h"
#include "support/buf.h"
#include "testsuite/fuzz/fuzz.h"

static void write_lines(const struct etm_dump *d, struct buf *b)
{
	for (const struct etm_reg *r = etm_reg_table; r->name != NULL; r++)
		for (uint32_t i = 0; i < r->count; i++) {
			if (etm_reg_get(&d->stated, r, i) == 0)
				continue;
			buf_addf(b, "%s", r->name);
			if (r->count > 1 && (i > 0 || strcmp(r->name, "TRCEXTINSELR") != 0))
				buf_addf(b, "%" PRIu32, i);
			buf_addf(b, " %" PRIu64 "\n", etm_reg_get(&d->regs, r, i));
		}
}

static void registers_execute(const struct etm_regs *regs)
{
	for (unsigned bits = 0; bits < 8; bits++) {
		struct etm_reading reading = { .priority = bits & 1, .zero = bits & 2,
					       .delay = bits & 4 };
		struct macrocell m;

		macrocell_init(&m, regs, reading);
		for (unsigned i = 0; i < 20; i++) {
			struct macrocell_inputs in = { .group = { (uint16_t)i,
								  (uint16_t)(i * 7) } };

			macrocell_step(&m, &in);
			fuzz_expect(macrocell_state(&m) < ETM_STATES && m.outputs < 16);
			for (unsigned c = 0; c < ETM_COUNTERS; c++)
				fuzz_expect(m.regs.cntv[c] <= 0xffff);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct etm_dump d, again;
	struct nfart_error e = { 0 };
	struct buf b = { 0 };

	if (etm_dump_read((const char *)data, n, "fuzz", &d, &e) != NFART_OK) {
		fuzz_expect(e.status == NFART_INPUT && e.line > 0 && e.column > 0);
		return 0;
	}
	write_lines(&d, &b);
	fuzz_expect(!b.failed);
	fuzz_expect(etm_dump_read(b.at, b.n, "again", &again, &e) == NFART_OK);
	fuzz_expect(memcmp(&d, &again, sizeof d) == 0);
	buf_free(&b);
	registers_execute(&d.regs);
	return 0;
}
