/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Makes allocations fail while waveforms are read.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/wave/wave.h"
#include "support/buf.h"
#include "testsuite/unit/allocfail.h"

enum { MOST_FILE = 1 << 20, MOST_CHOSEN = 1000 };

/* Reads all changes of a waveform. */
static struct outcome read_wave(const void *what)
{
	const struct buf *file = what;
	struct outcome out = { NFART_OK, 0 };
	struct nfart_error e = { .status = NFART_OK };
	struct wave *w = wave_open_memory(file->at, file->n, "wave", &e);
	static uint32_t chosen[MOST_CHOSEN];
	static bool taken[MOST_CHOSEN];
	const struct wave_variable *v;
	struct wave_step s;
	size_t n, nchosen = 0;
	int got = -1;

	if (w == NULL)
		return (struct outcome){ e.status, 0 };
	v = wave_variables(w, &n);
	memset(taken, 0, sizeof taken);
	for (size_t i = 0; i < n; i++)
		if (v[i].kind == WAVE_LOGIC && v[i].value < MOST_CHOSEN && !taken[v[i].value]) {
			taken[v[i].value] = true;
			chosen[nchosen++] = v[i].value;
		}
	if (wave_choose(w, chosen, nchosen, true, &e))
		while ((got = wave_next(w, &s, &e)) > 0) {
			outcome_add(&out, &s.time, sizeof s.time);
			for (size_t i = 0; i < s.n; i++)
				outcome_add(&out, wave_bits(w)[s.changed[i]].value, 8);
		}
	if (got < 0)
		out.status = e.status;
	wave_close(w);
	return out;
}

void inject_waves(struct tap *t)
{
	static const char *const names[] = { "vcd/plain0", "vcd/odd0", "fst/f0", "fst/f1", "fst/f2",
					     "fst/f6" };
	const char *source = getenv("SRCDIR");

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct buf path = { 0 }, file = { 0 };
		buf_addf(&path, "%s/testsuite/fuzz/corpus/%s", source == NULL ? "." : source,
			 names[i]);
		if (path.failed || buf_read_file(&file, path.at, MOST_FILE) != 0)
			tap_case(t, false, "%s can't be read", names[i]);
		else
			inject(t, names[i], read_wave, &file);
		buf_free(&path);
		buf_free(&file);
	}
}
