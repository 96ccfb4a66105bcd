/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/fuzz/fuzz.h"

#include "runtime/wave/vcd.h"

enum { MOST_WIDTH = 4096, MOST_CHOSEN = 300 };

/* Chooses every value, or every third one, as far as they are narrow. */
static size_t choose(const struct wave *w, size_t step, uint32_t *chosen)
{
	size_t n = 0;

	for (size_t i = 0; i < w->values.n && n < MOST_CHOSEN; i += step)
		if (w->values.at[i].logic && w->values.at[i].width <= MOST_WIDTH)
			chosen[n++] = (uint32_t)i;
	return n;
}

/* Checks what must hold for all variables. */
static void check_variables(const struct wave *w)
{
	size_t n;
	const struct wave_variable *v = wave_variables(w, &n);

	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(v[i].path);
		fuzz_expect(v[i].value < wave_n_values(w));
		fuzz_expect(v[i].name <= v[i].stem && v[i].stem <= length);
		fuzz_expect(v[i].kind != WAVE_LOGIC || v[i].width != 0);
		fuzz_expect(v[i].kind != WAVE_LOGIC || v[i].width <= wave_width(w, v[i].value));
	}
}

/* Checks the bits of a chosen value, and adds them to a hash. */
static uint64_t add_bits(const struct wave_bits *b, uint64_t sum)
{
	for (size_t k = 0; k < ((size_t)b->width + 63) / 64; k++) {
		fuzz_expect((b->value[k] & ~b->known[k]) == 0);
		sum = (sum ^ b->value[k]) * UINT64_C(0x9e3779b97f4a7c15) + b->known[k];
	}
	if (b->width % 64 != 0)
		fuzz_expect(b->known[b->width / 64] >> b->width % 64 == 0);
	return sum;
}

uint64_t fuzz_wave(const uint8_t *data, size_t n, const struct fuzz_wave_options *o)
{
	uint32_t chosen[MOST_CHOSEN];
	struct nfart_error e = { .status = NFART_OK };
	struct wave *w = wave_open_memory(data, n, "fuzz", &e);
	struct wave_step s;
	uint64_t sum = 0, last = 0;
	size_t nchosen, notes;
	bool any = false, damaged;
	int got;

	fuzz_expect(w != NULL || e.status != NFART_OK);
	if (w == NULL)
		return 0;
	check_variables(w);
	nchosen = choose(w, o->few ? 3 : 1, chosen);
	fuzz_expect(wave_choose(w, chosen, nchosen, o->every, &e));
	if (wave_format(w) == WAVE_VCD)
		vcd_limit_scan(w, o->plain  ? VCD_SCAN_NOT
				  : o->avx2 ? VCD_SCAN_AVX2
					    : VCD_SCAN_VBMI);
	while ((got = wave_next(w, &s, &e)) > 0) {
		uint64_t all = 0;
		fuzz_expect(!any || s.time > last);
		fuzz_expect(o->every || s.n != 0 || s.lost || s.resumed);
		any = true;
		last = s.time;
		for (size_t i = 0; i < s.n; i++) {
			fuzz_expect(s.changed[i] < nchosen);
			all += add_bits(&wave_bits(w)[s.changed[i]], chosen[s.changed[i]] + 1);
		}
		if (s.n != 0 || s.lost || s.resumed)
			sum = (sum ^ s.time ^ all ^ s.lost ^ (uint64_t)s.resumed << 1) *
			      UINT64_C(0xff51afd7ed558ccd);
	}
	fuzz_expect(got == 0 || e.status != NFART_OK);
	wave_notes(w, &notes, &damaged);
	wave_close(w);
	return sum ^ (uint64_t)(int64_t)got;
}
