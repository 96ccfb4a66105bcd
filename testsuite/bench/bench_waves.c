/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_waves: how fast waveforms are read, in processor time and peak memory. Each reading is a
 * process of its own. They take turns, so that all see the same machine, and medians are printed.
 * The peers are a loop that looks for line ends by memchr(), and fst2vcd. Rows named nfarun are of
 * the whole tool, which is the one in the current folder.
 *
 *   bench_waves [MEGABYTES [RUNS]]
 */
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/wave/vcd.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"

enum { SIGNALS = 4000, FEW = 8, MOST_RUNS = 99, BUFFER = 1 << 18 };

static const char vcd_name[] = "bench-waves.vcd", quarter_name[] = "bench-waves-quarter.vcd",
		  lz4_name[] = "bench-waves-lz4.fst", zlib_name[] = "bench-waves-zlib.fst",
		  proto_name[] = "bench-waves.proto";

/* Eight signals through a tap, and a filter. It accepts a few of 1,000 samples. */
#define NFARUN "./nfarun -q -p ./bench-waves.proto -e 'true* HIT' "
#define INTO " >/dev/null"

/* ---- the waveform ---- */

static unsigned width_of(unsigned signal)
{
	static const unsigned char widths[8] = { 1, 1, 1, 1, 1, 8, 32, 64 };

	return widths[signal % 8];
}

/* The code of a signal, as simulators count: one, two, then more printable characters. */
static void code_of(unsigned signal, char code[8])
{
	size_t n = 0;

	for (unsigned x = signal + 1; x != 0; x = (x - 1) / 94)
		code[n++] = (char)('!' + (x - 1) % 94);
	code[n] = 0;
}

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void write_change(FILE *f, unsigned signal, uint64_t value)
{
	char code[8], digits[65];
	unsigned n = width_of(signal);

	code_of(signal, code);
	if (n == 1) {
		fprintf(f, "%d%s\n", (int)(value & 1), code);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		digits[i] = (char)('0' + (value >> (n - 1 - i) & 1));
	digits[n] = 0;
	fprintf(f, "b%s %s\n", digits, code);
}

/* Writes a waveform of at least so many bytes. At each time stamp the clock changes, and one in 16
 * of the other signals. */
static void write_waveform(const char *name, uint64_t bytes)
{
	FILE *f = fopen(name, "w");
	uint64_t state = 88172645463325252u, time = 0;

	if (f == NULL)
		die(name);
	fputs("$timescale 1ns $end\n$scope module top $end\n", f);
	for (unsigned i = 0; i < SIGNALS; i++) {
		char code[8];
		code_of(i, code);
		fprintf(f, "$var wire %u %s s%u $end\n", width_of(i), code, i);
	}
	fputs("$upscope $end\n$enddefinitions $end\n", f);
	while ((uint64_t)ftello(f) < bytes) {
		fprintf(f, "#%llu\n", (unsigned long long)time * 5);
		write_change(f, 0, time++);
		for (unsigned i = 1; i < SIGNALS; i++)
			if (draw(&state) % 16 == 0)
				write_change(f, i, draw(&state));
	}
	if (fclose(f) != 0)
		die(name);
}

static void write_proto(void)
{
	FILE *f = fopen(proto_name, "w");

	if (f == NULL)
		die(proto_name);
	fputs("protocol bench-waves;\nopcode auto;\nidle auto;\ngroups m;\nchannels 0;\n"
	      "types on 0 { HIT; MISS; }\nclock s0;\n"
	      "signal s500, s1000, s1500, s2000, s2500, s3000, s3500;\n"
	      "tap m@0 {\n"
	      "  HIT when s500 && s1000 && s1500 && s2000 && s2500 && s3000 && s3500;\n"
	      "  MISS when 1;\n}\n", f);
	if (fclose(f) != 0)
		die(proto_name);
}

/* ---- readings ---- */

static void read_lines(const char *name)
{
	static char buffer[BUFFER];
	int fd = open(name, O_RDONLY);
	uint64_t lines = 0;
	ssize_t n;

	if (fd < 0)
		die(name);
	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		for (const char *p = buffer, *end = buffer + n;
		     p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
			lines++;
	close(fd);
	if (lines == 0)
		die("no lines");
}

static void read_wave(const char *name, size_t n, enum vcd_scan_way most, unsigned jobs)
{
	struct nfart_error e;
	struct wave *w = wave_open(name, &e);
	struct wave_step s;
	uint32_t chosen[SIGNALS];
	uint64_t changes = 0;
	int got;

	for (size_t i = 0; i < n; i++)
		chosen[i] = (uint32_t)(i * (SIGNALS / n));
	if (w == NULL || !wave_choose(w, chosen, n, false, &e))
		die(e.what);
	if (wave_format(w) == WAVE_VCD)
		vcd_limit_scan(w, most);
	wave_read_ahead(w, jobs);
	while ((got = wave_next(w, &s, &e)) > 0)
		changes += s.n;
	wave_close(w);
	if (got < 0 || changes == 0)
		die("the waveform can't be read");
}

static void run_command(const char *command)
{
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

struct row {
	const char *what, *name;
	enum { LINES, WAVE, AVX2, PLAIN, TWO, COMMAND } how;
	size_t n;            /* how many signals are read */
	const char *command; /* for the shell */
	double time[MOST_RUNS], wall[MOST_RUNS]; /* seconds */
	double megabytes;    /* peak memory */
	bool failed;
};

static void read_row(const struct row *r)
{
	if (r->how == LINES)
		read_lines(r->name);
	else if (r->how == COMMAND)
		run_command(r->command);
	else
		read_wave(r->name, r->n,
			  r->how == PLAIN  ? VCD_SCAN_NOT
			  : r->how == AVX2 ? VCD_SCAN_AVX2
					   : VCD_SCAN_VBMI,
			  r->how == TWO ? 2 : 1);
}

static void measure(struct row *r, int run)
{
	struct rusage used;
	int status = 0;
	uint64_t begin = clock_nanoseconds();
	pid_t child = fork();

	if (child == 0) {
		read_row(r);
		_exit(0);
	}
	if (child < 0 || wait4(child, &status, 0, &used) != child)
		die("can't run a reading");
	r->failed |= status != 0;
	r->wall[run] = 1e-9 * (double)(clock_nanoseconds() - begin);
	r->time[run] = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
		       1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
	r->megabytes = (double)used.ru_maxrss / 1024;
}

static double size_of(const char *name)
{
	struct stat s;

	return stat(name, &s) == 0 ? (double)s.st_size : 0;
}

/* Makes the FST. False: there is no vcd2fst. */
static bool write_fst(const char *option, const char *name)
{
	char command[256];

	snprintf(command, sizeof command, "vcd2fst %s %s %s >/dev/null 2>&1", option, vcd_name,
		 name);
	return system(command) == 0;
}

int main(int argc, char **argv)
{
	static struct row rows[] = {
		{ .what = "VCD, memchr a line", .name = vcd_name, .how = LINES },
		{ .what = "VCD, 8 of 4,000", .name = vcd_name, .how = WAVE, .n = FEW },
		{ .what = "VCD, 8, at most AVX2", .name = vcd_name, .how = AVX2, .n = FEW },
		{ .what = "VCD, 8, two threads", .name = vcd_name, .how = TWO, .n = FEW },
		{ .what = "VCD, a quarter of it, 8", .name = quarter_name, .how = WAVE, .n = FEW },
		{ .what = "VCD, 8, word by word", .name = vcd_name, .how = PLAIN, .n = FEW },
		{ .what = "VCD, all 4,000", .name = vcd_name, .how = WAVE, .n = SIGNALS },
		{ .what = "VCD, all, two threads", .name = vcd_name, .how = TWO, .n = SIGNALS },
		{ .what = "VCD, nfarun", .name = vcd_name, .how = COMMAND,
		  .command = NFARUN "bench-waves.vcd" INTO },
		{ .what = "VCD, nfarun -j 2", .name = vcd_name, .how = COMMAND,
		  .command = NFARUN "-j 2 bench-waves.vcd" INTO },
		{ .what = "FST (lz4), 8 of 4,000", .name = lz4_name, .how = WAVE, .n = FEW },
		{ .what = "FST (lz4), all 4,000", .name = lz4_name, .how = WAVE, .n = SIGNALS },
		{ .what = "FST (lz4), nfarun", .name = lz4_name, .how = COMMAND,
		  .command = NFARUN "bench-waves-lz4.fst" INTO },
		{ .what = "FST (lz4), fst2vcd|nfarun", .name = lz4_name, .how = COMMAND,
		  .command = "fst2vcd -f bench-waves-lz4.fst | " NFARUN INTO },
		{ .what = "FST (lz4), fst2vcd", .name = lz4_name, .how = COMMAND,
		  .command = "fst2vcd -f bench-waves-lz4.fst" INTO },
		{ .what = "FST (zlib), 8 of 4,000", .name = zlib_name, .how = WAVE, .n = FEW },
		{ .what = "FST (zlib), fst2vcd", .name = zlib_name, .how = COMMAND,
		  .command = "fst2vcd -f bench-waves-zlib.fst" INTO },
	};
	enum { ROWS = sizeof rows / sizeof rows[0], FIRST_FST = 10 };
	uint64_t bytes = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1000) * 1000000;
	int runs = argc > 2 ? atoi(argv[2]) : 5;
	size_t n = ROWS;

	if (bytes == 0 || runs < 1 || runs > MOST_RUNS) {
		fputs("usage: bench_waves [MEGABYTES [RUNS]]\n", stderr);
		return NFART_USAGE;
	}
	write_waveform(vcd_name, bytes);
	write_waveform(quarter_name, bytes / 4);
	write_proto();
	if (!write_fst("-4", lz4_name) || !write_fst("-Z", zlib_name)) {
		puts("no vcd2fst: FST is left out");
		n = FIRST_FST;
	}
	for (int i = 0; i < runs; i++)
		for (size_t k = 0; k < n; k++)
			measure(&rows[k], i);
	printf("%-26s %8s %8s %8s %9s %10s\n", "", "size MB", "CPU s", "wall s", "VCD MB/s",
	       "memory MB");
	for (size_t k = 0; k < n; k++) {
		struct row *r = &rows[k];
		double t = median(r->time, (size_t)runs), wall = median(r->wall, (size_t)runs);
		/* The speed is in bytes of the VCD for an FST, too, and by the CPU's time; with two
		 * threads, by the wall's. */
		double of = size_of(r->name == quarter_name ? quarter_name : vcd_name);
		bool two = r->how == TWO || (r->command != NULL && strstr(r->command, "-j 2"));
		double by = two ? wall : t;
		printf("%-26s %8.1f %8.3f %8.3f %9.0f %10.1f%s\n", r->what,
		       size_of(r->name) / 1e6, t, wall, of / 1e6 / (by > 0 ? by : 1e-9),
		       r->megabytes, r->failed ? " failed" : "");
	}
	unlink(proto_name);
	unlink(vcd_name);
	unlink(quarter_name);
	unlink(lz4_name);
	unlink(zlib_name);
	return 0;
}
