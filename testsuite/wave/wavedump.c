/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * wavedump [-aelps] [-j BYTES] FILE [PATH...]: prints the changes of a waveform as wave.h delivers
 * them, for tests to compare. Without paths, all signals are chosen.
 *
 *   -a  scan a VCD by AVX2 at most
 *   -e  a step at each time stamp
 *   -j  read a VCD by two threads, in pieces of so many bytes
 *   -l  list the variables instead
 *   -p  read a VCD word by word, without scanning
 *   -s  print sums instead of changes
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/wave/vcd.h"

static const char *const kinds[] = { "logic", "real", "string", "event" };

static void list_variables(const struct wave *w)
{
	size_t n;
	const struct wave_variable *v = wave_variables(w, &n);

	for (size_t i = 0; i < n; i++)
		printf("%s %.*s [%d:%d]%s %s %" PRIu32 " %" PRIu32 "\n", kinds[v[i].kind],
		       (int)v[i].stem, v[i].path, v[i].msb, v[i].lsb, v[i].has_range ? "" : "?",
		       v[i].path + v[i].name, v[i].width, v[i].value);
}

/* Chooses the values of the named paths, or all. Returns how many. */
static size_t pick(const struct wave *w, char **paths, size_t npaths, uint32_t *chosen,
		   uint32_t *variable)
{
	size_t n, picked = 0;
	const struct wave_variable *v = wave_variables(w, &n);

	for (size_t i = 0; i < n; i++) {
		bool wanted = v[i].kind == WAVE_LOGIC, named = npaths == 0;
		for (size_t k = 0; k < npaths; k++)
			named |= strcmp(paths[k], v[i].path) == 0;
		for (size_t k = 0; k < picked; k++)
			wanted &= npaths == 0 || chosen[k] != v[i].value;
		if (wanted && named && variable[v[i].value] == UINT32_MAX) {
			variable[v[i].value] = (uint32_t)i;
			chosen[picked++] = v[i].value;
		}
	}
	return picked;
}

static char digit(const struct wave_bits *b, uint32_t bit)
{
	if ((b->known[bit / 64] >> bit % 64 & 1) == 0)
		return 'x';
	return (b->value[bit / 64] >> bit % 64 & 1) != 0 ? '1' : '0';
}

static int by_index(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void print_step(const struct wave *w, const struct wave_step *s, const uint32_t *chosen,
		       const uint32_t *variable, uint32_t *sorted)
{
	const struct wave_bits *bits = wave_bits(w);
	size_t n;
	const struct wave_variable *v = wave_variables(w, &n);

	printf("#%" PRIu64 "%s%s\n", s->time, s->lost ? " lost" : "", s->resumed ? " resumed" : "");
	memcpy(sorted, s->changed, s->n * sizeof *sorted);
	qsort(sorted, s->n, sizeof *sorted, by_index);
	for (size_t i = 0; i < s->n; i++) {
		const struct wave_bits *b = &bits[sorted[i]];
		printf("%s ", v[variable[chosen[sorted[i]]]].path);
		for (uint32_t bit = b->width; bit-- != 0;)
			putchar(digit(b, bit));
		putchar('\n');
	}
}

static uint64_t sum_step(const struct wave *w, const struct wave_step *s, uint64_t sum)
{
	const struct wave_bits *bits = wave_bits(w);
	uint64_t all = s->time + (s->lost ? 3 : 0) + (s->resumed ? 5 : 0);

	for (size_t i = 0; i < s->n; i++) {
		const struct wave_bits *b = &bits[s->changed[i]];
		for (size_t k = 0; k < ((size_t)b->width + 63) / 64; k++)
			all += (b->value[k] * 7 + b->known[k]) * (2 * (uint64_t)s->changed[i] + 1);
	}
	return (sum ^ all) * UINT64_C(0x9e3779b97f4a7c15);
}

static int fail(const struct nfart_error *e)
{
	nfart_error_print(stderr, e);
	return 1;
}

int main(int argc, char **argv)
{
	enum vcd_scan_way scan = VCD_SCAN_VBMI;
	bool every = false, list = false, sums = false, damaged;
	const struct nfart_error *notes;
	struct nfart_error e;
	struct wave_step s;
	struct wave *w;
	uint32_t *chosen, *variable, *sorted;
	uint64_t steps = 0, changes = 0, sum = 0;
	size_t n, most, piece = 0;
	int c, got;

	while ((c = getopt(argc, argv, "aej:lps")) != -1) {
		every |= c == 'e';
		piece = c == 'j' ? strtoul(optarg, NULL, 10) : piece;
		list |= c == 'l';
		scan = c == 'p' ? VCD_SCAN_NOT : c == 'a' ? VCD_SCAN_AVX2 : scan;
		sums |= c == 's';
	}
	if (optind == argc)
		return 2;
	w = wave_open(argv[optind], &e);
	if (w == NULL)
		return fail(&e);
	if (list) {
		list_variables(w);
		wave_close(w);
		return 0;
	}
	most = wave_n_values(w) + 1;
	chosen = calloc(most, sizeof *chosen);
	sorted = calloc(most, sizeof *sorted);
	variable = malloc(most * sizeof *variable);
	if (chosen == NULL || sorted == NULL || variable == NULL)
		return 5;
	memset(variable, 0xff, most * sizeof *variable);
	n = pick(w, argv + optind + 1, (size_t)(argc - optind - 1), chosen, variable);
	if (!wave_choose(w, chosen, n, every, &e))
		return fail(&e);
	if (wave_format(w) == WAVE_VCD)
		vcd_limit_scan(w, scan);
	if (piece != 0 && wave_format(w) == WAVE_VCD)
		vcd_read_ahead(w, 2, piece);
	while ((got = wave_next(w, &s, &e)) > 0) {
		steps++;
		changes += s.n;
		sum = sum_step(w, &s, sum);
		if (!sums)
			print_step(w, &s, chosen, variable, sorted);
	}
	if (got < 0)
		fail(&e);
	notes = wave_notes(w, &n, &damaged);
	for (size_t i = 0; i < n; i++)
		nfart_error_print(stderr, &notes[i]);
	if (sums)
		printf("%" PRIu64 " steps, %" PRIu64 " changes, sum %016" PRIx64 ", to %" PRIu64
		       "\n",
		       steps, changes, sum, wave_time(w));
	wave_close(w);
	free(chosen);
	free(sorted);
	free(variable);
	return got < 0 || damaged;
}
