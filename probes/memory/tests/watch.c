/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * watch LIBRARY ENGINE OUT PROGRAM...: runs a program with nfamem's library preloaded, without
 * ASLR. It writes the contents of the rings as text, ring by ring as they come. It is for tests of
 * that library alone. OUT may be "-" for no output. The last line on stderr has the numbers. The
 * exit code is that of the program.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probes/memory/reader/channel.h"

static struct mem_channel *make_channel(int *fd, uint32_t engine)
{
	struct mem_channel c = {
		.magic = MEM_MAGIC,
		.version = MEM_VERSION,
		.size.sites_max = MEM_SITES_MAX,
		.size.threads_max = 64,
		.size.ring_words = 1 << 17,
		.engine = engine,
		.sites = MEM_SITE_FIRST,
		.loss.reader = (uint32_t)getpid(),
	};
	c.bytes = mem_channel_bytes(&c);
	*fd = memfd_create("channel", 0);
	if (*fd < 0 || ftruncate(*fd, (off_t)c.bytes))
		return NULL;
	void *p = mmap(NULL, c.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (p == MAP_FAILED)
		return NULL;
	memcpy(p, &c, sizeof c);
	return p;
}

static uint64_t accesses;

/* Prints an access. If its site has lanes, prints what the mask before it chose. */
static void print_word(struct mem_channel *c, uint64_t w, uint64_t mask, FILE *out)
{
	const struct mem_site *s = &mem_sites(c)[w >> MEM_ADDRESS_BITS];
	const bool lanes = s->lanes.kind != MEM_MASK_NONE;
	uint32_t lane = 0, at = 0, bytes = s->bytes;
	if (lanes)
		bytes = mem_run(s->lanes, s->bytes, mask, &lane, &at);
	while (bytes) {
		accesses++;
		if (out)
			fprintf(out, "%c %" PRIx64 " %d %" PRIx64 "\n", "LSB"[s->kind],
				(w & ((UINT64_C(1) << MEM_ADDRESS_BITS) - 1)) + at, (int)bytes,
				s->pc);
		bytes = lanes ? mem_run(s->lanes, s->bytes, mask, &lane, &at) : 0;
	}
}

/* Reads the words in a ring. Returns their number. */
static uint64_t drain(struct mem_channel *c, uint32_t number, FILE *out)
{
	struct mem_ring *r = mem_ring(c, number);
	const uint64_t *words = mem_words(r), mask = c->size.ring_words - 1;
	uint64_t read = atomic_load(&r->read), from = read;
	static uint64_t masks[64];
	uint64_t written = atomic_load_explicit(&r->written, memory_order_acquire);
	while (read < written) {
		uint64_t w = words[read++ & mask];
		uint32_t kind = (uint32_t)(w >> MEM_ADDRESS_BITS);
		if (kind >= MEM_SITE_FIRST) {
			print_word(c, w, masks[number], out);
			continue;
		}
		uint64_t n = w & 0xffffff;
		if (kind == MEM_LANES) {
			masks[number] = words[read & mask];
			read += n;
			continue;
		}
		accesses += kind == MEM_ACCESS;
		if (out)
			fprintf(out, "event %d", (int)kind);
		for (; n > 0; n--, read++)
			if (out)
				fprintf(out, " %" PRIx64, words[read & mask]);
		if (out)
			fprintf(out, "\n");
	}
	atomic_store_explicit(&r->read, read, memory_order_release);
	return read - from;
}

static void start_program(char **argv, int fd)
{
	char channel[32];
	snprintf(channel, sizeof channel, "%d", fd);
	setenv("NFAMEM_CHANNEL", channel, 1);
	setenv("LD_PRELOAD", argv[1], 1);
	personality(ADDR_NO_RANDOMIZE);
	execvp(argv[4], argv + 4);
	perror(argv[4]);
	_exit(127);
}

int main(int argc, char **argv)
{
	static const char *const engines[] = { "patch", "stub", "step" };
	uint32_t engine = 0;
	if (argc < 5)
		return 2;
	while (engine < MEM_ENGINES && strcmp(argv[2], engines[engine]))
		engine++;
	FILE *out = strcmp(argv[3], "-") ? fopen(argv[3], "w") : NULL;
	int fd, status = 0;
	struct mem_channel *c = make_channel(&fd, engine);
	if (!c || engine == MEM_ENGINES)
		return 2;
	pid_t child = fork();
	if (child == 0)
		start_program(argv, fd);
	for (bool ended = false, idle = false; !(ended && idle);) {
		idle = true;
		ended = ended || waitpid(child, &status, WNOHANG) == child;
		uint32_t threads = atomic_load(&c->threads);
		for (uint32_t i = 0; i < threads && i < c->size.threads_max; i++)
			idle &= drain(c, i, out) == 0;
		if (idle && !ended)
			usleep(200);
	}
	uint32_t sites = 0, patched = 0;
	for (uint32_t i = MEM_SITE_FIRST; i < c->sites; i++, sites++)
		patched += mem_sites(c)[i].state == MEM_SITE_PATCHED;
	fprintf(stderr, "accesses %" PRIu64 " faults %" PRIu64 " sites %u patched %u state %u %s\n",
		accesses, (uint64_t)c->count.faults, sites, patched, (unsigned)c->state, c->reason);
	if (out)
		fclose(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
