/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm-selftest ADDRESS: measures the trace unit of a core on a board (selftest.h) and writes the
 * line `reading` of its description (nfacc-target(5)). ADDRESS is where the unit's registers are
 * in memory; a device tree has it. It is for Linux, maps /dev/mem, and needs no library:
 *
 *	cc -I. probes/etm/board/selftest.c -o etm-selftest && ./etm-selftest 0x22040000
 *
 * The driver of trace units must not have the unit enabled. The core must not sleep: run
 * something on it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probes/etm/board/selftest.h"

enum { SIZE = 0x1000 };

int main(int argc, char **argv)
{
	static const char *const why[] = {
		[ETM_SELFTEST_LACKS] = "it has too little for the programs",
		[ETM_SELFTEST_STUCK] = "it does not stop or does not start",
		[ETM_SELFTEST_LOCKED] = "its registers do not keep what is written",
		[ETM_SELFTEST_OTHER] = "no reading explains what it did",
	};
	struct etm_selftest t;
	char line[ETM_SELFTEST_LINE];
	char *end = NULL;
	unsigned long long at = argc == 2 ? strtoull(argv[1], &end, 0) : 0;
	void *etm;
	int fd, result;

	if (argc != 2 || *argv[1] == '\0' || *end != '\0' || at % SIZE != 0) {
		fprintf(stderr, "etm-selftest ADDRESS: of the registers, a multiple of 0x1000\n");
		return 2;
	}
	fd = open("/dev/mem", O_RDWR | O_SYNC);
	etm = fd < 0 ? MAP_FAILED
		     : mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)at);
	if (etm == MAP_FAILED) {
		perror("etm-selftest: /dev/mem");
		return 5;
	}
	result = etm_selftest(etm, &t);
	if (result != ETM_SELFTEST_OK) {
		fprintf(stderr, "etm-selftest: %s: %s (state %u, counter %u)\n", t.point,
			why[result], (unsigned)t.seen.state, (unsigned)t.seen.value);
		return 1;
	}
	etm_selftest_line(t.reading, line);
	puts(line);
	if (t.reading.overlap && (t.reading.priority || t.reading.zero || t.reading.delay))
		fprintf(stderr, "etm-selftest: a description takes overlap alone: leave it out, "
			"and take programs of --layout=robust\n");
	return 0;
}
