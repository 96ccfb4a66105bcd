/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_write: how fast nfarun writes a trace in each format, beside text, when every batch is
 * output; and how large the output is. The speed is the processor time of a run that writes text,
 * divided by that of a run that writes the format. Runs take turns, so that all see the same
 * machine, and the medians are compared.
 *
 *   bench_write NFARUN NFAGEN
 */
#include <string.h>
#include <sys/stat.h>

#include "runtime/trace/format.h"
#include "testsuite/bench/measure.h"
#include "testsuite/bench/subject.h"

enum { RUNS = 7, MESSAGES = 500000, MOST_FORMATS = 32 };

static const char image_name[] = "bench.bin", trace_name[] = "bench.trace",
		  out_name[] = "bench.out";

/* Writes the trace in a format. Returns the processor time, and puts the size into *size. */
static double write_format(const char *nfarun, enum nfart_format f, double *size)
{
	const char *const words[] = { nfarun, "-q", "-t", nfart_format_name(f), "-o", out_name,
				      image_name, trace_name, NULL };
	double t = subject_run(words);
	struct stat s;

	if (stat(out_name, &s) != 0)
		die(out_name);
	*size = (double)s.st_size;
	return t;
}

int main(int argc, char **argv)
{
	static const char filter[] = "filter every = true+;";
	static double t[MOST_FORMATS][RUNS], size[MOST_FORMATS];
	struct nfart_image *im;
	double text;
	size_t n = 0;

	if (argc != 3) {
		fputs("usage: bench_write NFARUN NFAGEN\n", stderr);
		return NFART_USAGE;
	}
	im = subject_compile("every", filter, strlen(filter), 1);
	subject_write(image_name, im->file.bytes, im->file.n);
	nfart_image_free(im);
	subject_run((const char *const[]){ argv[2], "-q", "--messages", "500000", "-f", "compact",
					   "-o", trace_name, NULL });
	while (trace_format_nth(FORMAT_WRITE, n) != NFART_FORMAT_AUTO)
		n++;
	for (int i = 0; i < RUNS; i++)
		for (size_t k = 0; k < n; k++)
			t[k][i] =
				write_format(argv[1], trace_format_nth(FORMAT_WRITE, k), &size[k]);
	text = median(t[0], RUNS);
	printf("\nwriting a trace of %d messages, all of it labelled: the speed of nfarun, divided "
	       "by that\nof writing text\n\n%-10s %9s %16s\n",
	       MESSAGES, "format", "speed", "bytes a message");
	for (size_t k = 0; k < n; k++)
		printf("%-10s %9.2f %16.1f\n", nfart_format_name(trace_format_nth(FORMAT_WRITE, k)),
		       text / median(t[k], RUNS), size[k] / MESSAGES);
	remove(image_name);
	remove(trace_name);
	remove(out_name);
	return NFART_OK;
}
