/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rig [FIRST [SYSTEMS [ACCESSES]]]: runs SYSTEMS random systems, from seed FIRST on, with and
 * without races, some of them as published. After each system it does random steps of each part.
 * Prints a line of TAP for each part, without its number.
 */
#include "probes/virtual/tests/rtl/rig.h"

#include <cstdio>
#include <cstdlib>

static rig_part *parts;

rig_part::rig_part(const char *name, void (*reset)(), void (*random)(uint64_t *random))
    : name(name), reset(reset), random(random), next(parts)
{
	parts = this;
}

void rig_part::same(const char *what, uint64_t wanted, uint64_t got)
{
	if (wanted != got && failures++ < 10)
		printf("# %s, seed %llu, step %lu: %s: %#llx in C, %#llx in Verilog\n", name,
		       (unsigned long long)seed, steps, what, (unsigned long long)wanted,
		       (unsigned long long)got);
}

void rig_part::stuck(const char *what)
{
	printf("# %s, seed %llu, step %lu: %s has no end\n", name, (unsigned long long)seed, steps,
	       what);
	if (failures++ > 100)
		exit(1);
}

uint64_t rig_random(uint64_t *random)
{
	/* splitmix64 */
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void rig_reset_parts()
{
	for (rig_part *p = parts; p != nullptr; p = p->next)
		p->reset();
}

static void reset(uint64_t seed)
{
	for (rig_part *p = parts; p != nullptr; p = p->next)
		p->seed = seed;
	rig_reset_parts();
}

static void system(uint64_t seed, uint64_t accesses)
{
	struct sys_options o = sys_options_random(seed, seed % 2 != 0);
	struct sys *s;

	reset(seed);
	o.tracing.rtlb_entries = VIRT_ENTRIES;
	o.tracing.published = seed % 8 == 6;
	/* The systems are short, so rare events are made frequent. */
	o.tasks.alias = seed % 2 == 0 ? 100 : 0;
	o.tasks.rollover = 400;
	if (seed % 4 == 3)
		o.tracing.end = UINT64_C(1) << 30;
	if (o.tracing.published) /* walks are seen only if caches are small */
		o.machine.l2_lines = 64;
	o.tracing.npoints = 2;
	o.tracing.point[0] = 0x400000 + seed % 8 * 0x1000 + 0x40;
	o.tracing.point[1] = 0x10000000 + seed % 4 * 0x41000 + 0x80;
	s = sys_new(&o);
	if (s == nullptr)
		exit(99);
	sys_run(s, accesses / 8);
	sys_trace(s);
	sys_run(s, accesses - accesses / 8);
	sys_finish(s);
	sys_free(s);
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
	uint64_t n = argc > 2 ? strtoull(argv[2], nullptr, 0) : 8;
	uint64_t accesses = argc > 3 ? strtoull(argv[3], nullptr, 0) : 800;
	bool good = true;

	for (uint64_t seed = first; seed < first + n; seed++) {
		uint64_t random = seed;

		system(seed, accesses);
		reset(seed);
		for (rig_part *p = parts; p != nullptr; p = p->next)
			if (p->random != nullptr)
				p->random(&random);
	}
	for (rig_part *p = parts; p != nullptr; p = p->next) {
		bool ok = p->failures == 0 && p->steps > 0;

		printf("# %s: %lu steps, %lu cycles, %lu differences\n", p->name, p->steps,
		       p->cycles, p->failures);
		printf("%sok - %s\n", ok ? "" : "not ", p->name);
		good &= ok;
	}
	return good ? 0 : 1;
}
