/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rtl_bins.c: the histogram of random scenarios: by labels, or by some bits of headers of random
 * slots and opcodes. What must be in the bins comes from the batches that must come out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/device/nfacc_registers.h"
#include "testsuite/rtl/rtl_random.h"

enum { TABLE_BITS = 32 }; /* entries of a table, and words of a group of as many tables */

/* Writes which messages have the field: the words of tables with random entries. */
static bool write_tables(struct test *t)
{
	uint32_t each = ((1u << t->proto->header.op_bits) + TABLE_BITS - 1) / TABLE_BITS;
	uint32_t tables = t->proto->nslots * each;

	memset(t->bins.has, 0, sizeof t->bins.has);
	for (uint32_t g = 0; g < tables; g += TABLE_BITS)
		for (uint32_t k = 0; k < TABLE_BITS; k++) {
			uint32_t word = (uint32_t)(rnd_draw(t, 1ull << 32) |
						   rnd_draw(t, 1ull << 32));
			if (!rtl_engine_write(t->en, NFACC_REG_HISTOGRAM_TABLE, word))
				return rnd_fails(t, "writing the tables of the histogram");
			for (uint32_t i = 0; i < TABLE_BITS && g + i < tables; i++)
				t->bins.has[(g + i) / each][(g + i) % each * TABLE_BITS + 31 - k] =
					word >> i & 1;
		}
	return true;
}

/* Draws what the histogram is for, and writes it. */
static bool draw_bins(struct test *t, uint32_t most)
{
	uint32_t value;

	t->bins.label = rnd_draw(t, 3) == 0;
	t->bins.field = rnd_draw(t, 8) != 0;
	t->bins.lsb = (uint32_t)rnd_draw(t, t->proto->header.bits);
	t->bins.bits = (uint32_t)rnd_draw(t, most + 1);
	if (!write_tables(t))
		return false;
	value = (t->bins.label ? NFACC_HISTOGRAM_LABEL : 0) |
		(t->bins.field ? NFACC_HISTOGRAM_FIELD : 0) |
		t->bins.lsb << NFACC_HISTOGRAM_LSB_LSB | t->bins.bits << NFACC_HISTOGRAM_BITS_LSB;
	return rtl_engine_write(t->en, NFACC_REG_HISTOGRAM, value) ||
	       rnd_fails(t, "writing what the histogram is for");
}

bool rnd_begin_bins(struct test *t)
{
	uint32_t most = t->options.overlay.o.histogram;
	uint64_t random = t->random;
	bool ok = most == 0 || draw_bins(t, most);

	t->random = random; /* the rest of the scenario is that of an engine without a histogram */
	return ok;
}

/* Counts a batch that was accepted in the bins of its labels, or of its first message with the
 * field. */
static void count(const struct test *t, const struct expected *x, uint64_t *want)
{
	const struct nfart_batch *b = x->batch;

	for (uint32_t l = 0; l < t->options.overlay.o.labels && t->bins.label; l++)
		want[l] += x->labels >> l & 1;
	if (t->bins.label || !t->bins.field || x->labels == 0)
		return;
	for (uint32_t i = 0; i < t->proto->nslots; i++) {
		if ((b->mask >> i & 1) == 0 ||
		    !t->bins.has[i][proto_opcode(t->proto, b->header[i])])
			continue;
		want[b->header[i] >> t->bins.lsb & ((1u << t->bins.bits) - 1)]++;
		return;
	}
}

bool rnd_check_bins(struct test *t, const struct segment *s)
{
	uint64_t limit = s->image->stream.limit, want[1 << 12] = { 0 }, n;
	uint32_t most = t->options.overlay.o.histogram, bins = 1u << most;
	char why[100];

	/* Where records are lost, the limit comes later. */
	if (most == 0 || (limit != 0 && t->kind.lossy))
		return true;
	for (size_t i = 0; i < s->want.n && (limit == 0 || i < limit); i++)
		count(t, &s->want.at[i], want);
	if (bins < t->options.overlay.o.labels)
		bins = t->options.overlay.o.labels;
	for (uint32_t i = 0; i < bins; i++) {
		if (!rtl_engine_write(t->en, NFACC_REG_BIN, i) ||
		    !rnd_read64(t, NFACC_REG_BINNED_LO, &n))
			return rnd_fails(t, "reading a bin of the histogram");
		if (n != want[i]) {
			snprintf(why, sizeof why,
				 "bin %" PRIu32 " of %s has %" PRIu64 " batches, not %" PRIu64, i,
				 t->bins.label ? "labels" : "a field", n, want[i]);
			return rnd_fails(t, why);
		}
		t->tally.binned += n;
	}
	return true;
}
