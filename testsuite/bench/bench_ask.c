/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_ask: how fast nfarun answers questions about a trace, beside `nfarun --count` with the
 * example inflight.re on the same trace. Each number is the processor time of that run, divided by
 * that of the question: above 0.5 a question takes less than twice as long. Runs take turns, so
 * that all see the same machine, and the medians are compared. In one column the rules for pairs
 * are in order.
 *
 *   bench_ask NFARUN NFAGEN EXAMPLES PROTOCOLS
 */
#include <stdio.h>
#include <string.h>

#include "support/buf.h"
#include "testsuite/bench/measure.h"
#include "testsuite/bench/subject.h"

enum { RUNS = 11, MOST_WORDS = 8 };

static const char image_name[] = "bench.bin", trace_name[] = "bench.trace",
		  protocol_name[] = "./bench.proto";

/* What is measured: the words after the name of the program, up to a NULL. The first is the plain
 * count. */
static const char *const questions[][MOST_WORDS] = {
	{ "--count", image_name },
	{ "--latency" },
	{ "--latency", "-p", protocol_name },
	{ "--latency", "--by", "type" },
	{ "--latency", "--by", "line" },
	{ "--open" },
	{ "--in-flight" },
	{ "--rate", "100000" },
	{ "--count", "--by", "type" },
	{ "--count", "--by", "line", "-p", "eci" },
};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static double bench_question(const char *nfarun, const char *const *question)
{
	const char *words[MOST_WORDS + 4] = { nfarun, "-q" };
	size_t n = 2;

	for (; *question != NULL; question++)
		words[n++] = *question;
	words[n++] = trace_name;
	return subject_run(words);
}

static void print_row(const char *nfarun, const char *nfagen, const char *format)
{
	const char *const make[] = { nfagen, "-q", "--messages", "3000000", "-f", format, "-o",
				     trace_name, NULL };
	double t[QUESTIONS][RUNS], plain;

	subject_run(make);
	for (int i = 0; i < RUNS; i++)
		for (size_t q = 0; q < QUESTIONS; q++)
			t[q][i] = bench_question(nfarun, questions[q]);
	plain = median(t[0], RUNS);
	printf("%-10s", format);
	for (size_t q = 1; q < QUESTIONS; q++)
		printf(" %9.2f", plain / median(t[q], RUNS));
	putchar('\n');
	fflush(stdout);
}

/* Writes protocol eci with all rules for pairs in order. False: it can't be read. */
static bool write_protocol(const char *protocols)
{
	struct buf path = { 0 }, text = { 0 }, out = { 0 };
	bool ok;

	buf_addf(&path, "%s/eci.proto", protocols);
	ok = !path.failed && buf_read_file(&text, path.at, 1 << 20) == 0;
	buf_add(&text, "", 1);
	for (const char *s = text.at; ok && !text.failed && *s != 0;) {
		size_t n = strcspn(s, "\n"), end = strcspn(s, ";\n");
		if (strncmp(s, "pair ", 5) == 0)
			buf_addf(&out, "%.*s in order;\n", (int)end, s);
		else
			buf_addf(&out, "%.*s\n", (int)n, s);
		s += n + (s[n] != 0);
	}
	ok = ok && !text.failed && !out.failed;
	if (ok)
		subject_write(protocol_name, out.at, out.n);
	buf_free(&path);
	buf_free(&text);
	buf_free(&out);
	return ok;
}

int main(int argc, char **argv)
{
	static const char *const formats[] = { "compact", "dense", "records", "text" };
	struct nfart_image *im;

	if (argc != 5) {
		fputs("usage: bench_ask NFARUN NFAGEN EXAMPLES PROTOCOLS\n", stderr);
		return NFART_USAGE;
	}
	if (!write_protocol(argv[4])) {
		fputs("bench_ask: error: can't read eci.proto\n", stderr);
		return NFART_INPUT;
	}
	im = subject_example(argv[3], "inflight.re");
	subject_write(image_name, im->file.bytes, im->file.n);
	nfart_image_free(im);
	puts("\nquestions about a trace of 3,000,000 messages: the speed of nfarun, divided "
	     "by that of\nnfarun --count with inflight.re\n");
	printf("%-10s %9s %9s %9s %9s %9s %9s %9s %9s %9s\n", "trace", "latency", "in order",
	       "by type", "by line",
	       "open", "in flight", "rate", "types", "lines");
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
		print_row(argv[1], argv[2], formats[i]);
	remove(image_name);
	remove(trace_name);
	remove(protocol_name);
	return NFART_OK;
}
