/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * A model of Linux's drivers of trace units, sinks, cross-trigger interfaces and configurations, as
 * far as their files in sysfs and configfs go. It is made from Linux's documentation alone:
 *
 *   Documentation/trace/coresight/coresight-etm4x-reference.rst  the files of a trace unit
 *   Documentation/trace/coresight/coresight.rst                  sinks come first
 *   Documentation/trace/coresight/coresight-trbe.rst             a TRBE has perf as its interface
 *   Documentation/trace/coresight/coresight-config.rst           one configuration at a time, and
 *                                                                none is left while in use
 *   Documentation/ABI/testing/sysfs-bus-coresight-devices-cti    channels and triggers
 *
 * testsuite/etm-outputs.test preloads it into a shell that runs a script. A write to a file below
 * $MODEL goes to the model, which may refuse it. What a file shows when it is read is what the
 * model leaves in it. $MODEL_LOG gets the registers that a trace unit is started with, and what
 * stops. $MODEL_MODULE has the registers that a configuration writes, as lines "offset value".
 * $MODEL_REFUSE is a file and a value: this write fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CPUS = 4, SINKS = 4, COUNTERS = 2, STEPS = 3, SELECTORS = 16, COMPARATORS = 8 };
enum { CHANNELS = 4 };
enum type { NONE, SINGLE, RANGE };

struct unit {
	bool on;
	uint32_t cfg, victl, viiectl, event, instren, seq_reset, seq_state, extinsel;
	uint32_t seq_idx, seq[STEPS];
	uint32_t cntr_idx, reload[COUNTERS], value[COUNTERS], control[COUNTERS];
	uint32_t res_idx, res[SELECTORS];
	uint32_t addr_idx;
	uint64_t addr[COMPARATORS], access[COMPARATORS];
	enum type type[COMPARATORS];
};

static struct unit units[CPUS];
static struct { char name[64]; bool on; } sinks[SINKS];
static char active[64]; /* the configuration that is enabled */

static bool in_use(void)
{
	for (int i = 0; i < CPUS; i++)
		if (units[i].on)
			return true;
	return false;
}

/* ---- the registers of a unit that is started ---- */

static void start(unsigned cpu, const char *sink, FILE *log)
{
	const struct unit *u = &units[cpu];

	fprintf(log, "start etm%u into %s\n", cpu, sink);
	fprintf(log, "%03x %x\n%03x %x\n%03x %x\n", 0x10, u->cfg, 0x20, u->event, 0x24, u->instren);
	fprintf(log, "%03x %x\n%03x %x\n", 0x80, u->victl, 0x84, u->viiectl);
	for (int i = 0; i < STEPS; i++)
		fprintf(log, "%03x %x\n", 0x100 + 4 * i, u->seq[i]);
	fprintf(log, "%03x %x\n%03x %x\n", 0x118, u->seq_reset, 0x11c, u->seq_state);
	for (int i = 0; i < COUNTERS; i++)
		fprintf(log, "%03x %x\n%03x %x\n%03x %x\n", 0x140 + 4 * i, u->reload[i],
			0x150 + 4 * i, u->control[i], 0x160 + 4 * i, u->value[i]);
	for (int i = 2; i < SELECTORS; i++)
		fprintf(log, "%03x %x\n", 0x200 + 4 * i, u->res[i]);
	for (int i = 0; i < COMPARATORS; i++)
		fprintf(log, "%03x %llx\n%03x %llx\n", 0x400 + 8 * i,
			(unsigned long long)u->addr[i], 0x480 + 8 * i,
			(unsigned long long)u->access[i]);
	if (active[0] != 0 && getenv("MODEL_MODULE") != NULL) {
		FILE *f = fopen(getenv("MODEL_MODULE"), "r");
		char line[64];

		while (f != NULL && fgets(line, sizeof line, f) != NULL)
			fprintf(log, "module %s", line);
		if (f != NULL)
			fclose(f);
	}
}

static int enable_source(unsigned cpu, unsigned long v)
{
	FILE *log = fopen(getenv("MODEL_LOG"), "a");
	int error = 0, s = 0;

	while (s < SINKS && !sinks[s].on)
		s++;
	if (log == NULL)
		return EIO;
	if (v != 0 && (s == SINKS || strncmp(sinks[s].name, "trbe", 4) == 0))
		error = EINVAL;
	else if (v != 0)
		start(cpu, sinks[s].name, log);
	else if (units[cpu].on)
		fprintf(log, "stop etm%u\n", cpu);
	if (error == 0)
		units[cpu].on = v != 0;
	fclose(log);
	return error;
}

/* ---- the files of a unit ---- */

/* Comparators 2 n and 2 n + 1 become a range, which is included in the trace, or excluded. */
static int addr_range(struct unit *u, const char *text)
{
	unsigned long long low, high;
	unsigned exclude = 0, i = u->addr_idx;

	if (sscanf(text, "%llx %llx %u", &low, &high, &exclude) < 2 || i % 2 != 0 || low > high)
		return EINVAL;
	if ((u->type[i] != NONE && u->type[i] != RANGE) || u->type[i] != u->type[i + 1])
		return EPERM;
	u->addr[i] = low;
	u->addr[i + 1] = high;
	u->type[i] = u->type[i + 1] = RANGE;
	u->viiectl |= 1u << (i / 2 + (exclude ? 16 : 0));
	return 0;
}

static int addr_single(struct unit *u, unsigned long long v)
{
	if (u->type[u->addr_idx] == RANGE)
		return EPERM;
	u->addr[u->addr_idx] = v;
	u->type[u->addr_idx] = SINGLE;
	return 0;
}

static int choose(uint32_t *index, unsigned long long v, unsigned first, unsigned end)
{
	if (v < first || v >= end)
		return EINVAL;
	*index = (uint32_t)v;
	return 0;
}

static int limited(uint32_t *value, unsigned long long v, unsigned long long most)
{
	if (v > most)
		return EINVAL;
	*value = (uint32_t)v;
	return 0;
}

static int unit_file(unsigned cpu, const char *name, const char *text)
{
	struct unit *u = &units[cpu];
	char *end;
	unsigned long decimal = strtoul(text, &end, 10);

#define IS(s) (strcmp(name, s) == 0)
	if (IS("enable_source"))
		return *end != '\n' ? EINVAL : enable_source(cpu, decimal);
	if (IS("addr_range"))
		return addr_range(u, text);
	unsigned long long v = strtoull(text, &end, 16);
	if (*end != '\n')
		return EINVAL;
	if (IS("reset")) {
		bool on = u->on;

		*u = (struct unit){ .on = on, .cfg = u->cfg, .victl = 0x201, .res_idx = 2 };
		return 0;
	}
	if (IS("mode")) {
		/* features of the trace, of which the start/stop logic is one */
		u->cfg = (uint32_t)v & 0x18e0;
		u->victl = (u->victl & ~0x200u) | (v >> 27 & 1 ? 0x200 : 0);
		return 0;
	}
	if (IS("seq_idx"))
		return choose(&u->seq_idx, v, 0, STEPS);
	if (IS("cntr_idx"))
		return choose(&u->cntr_idx, v, 0, COUNTERS);
	if (IS("res_idx"))
		return choose(&u->res_idx, v, 2, SELECTORS);
	if (IS("addr_idx"))
		return choose(&u->addr_idx, v, 0, COMPARATORS);
	if (IS("seq_event"))
		return limited(&u->seq[u->seq_idx], v, 0xffff);
	if (IS("seq_reset_event"))
		return limited(&u->seq_reset, v, 0xff);
	if (IS("seq_state"))
		return limited(&u->seq_state, v, 3);
	if (IS("cntrldvr"))
		return limited(&u->reload[u->cntr_idx], v, 0xffff);
	if (IS("cntr_val"))
		return limited(&u->value[u->cntr_idx], v, 0xffff);
	if (IS("cntr_ctrl"))
		return limited(&u->control[u->cntr_idx], v, 0x3ffff);
	if (IS("res_ctrl"))
		return limited(&u->res[u->res_idx],
			       v & (u->res_idx % 2 != 0 ? ~0x200000ull : ~0ull), 0x3fffff);
	if (IS("addr_single"))
		return addr_single(u, v);
	if (IS("addr_exlevel_s_ns")) {
		u->access[u->addr_idx] = v << 8;
		return v > 0x7f ? EINVAL : 0;
	}
	if (IS("event"))
		return limited(&u->event, v, 0xffffffff);
	if (IS("event_instren"))
		return limited(&u->instren, v, 0xf);
	if (IS("event_vinst")) {
		u->victl = (u->victl & ~0xffu) | ((uint32_t)v & 0xff);
		return v > 0xff ? EINVAL : 0;
	}
	return EACCES;
}

/* ---- the other files ---- */

/* The flag of a sink can be read back. */
static int enable_sink(const char *name, const char *text, bool *keep)
{
	int s = 0;

	if (strcmp(text, "0\n") != 0 && strcmp(text, "1\n") != 0)
		return EINVAL;
	while (s < SINKS && sinks[s].name[0] != 0 && strcmp(sinks[s].name, name) != 0)
		s++;
	if (s == SINKS)
		return EINVAL;
	snprintf(sinks[s].name, sizeof sinks[s].name, "%s", name);
	sinks[s].on = text[0] == '1';
	*keep = true;
	return 0;
}

static int configuration(const char *name, const char *text)
{
	bool on = text[0] == '1';

	if (in_use() || (on && active[0] != 0 && strcmp(active, name) != 0))
		return EBUSY;
	snprintf(active, sizeof active, "%s", on ? name : "");
	return 0;
}

/* The lines of a channel: its number, maybe with that of a trigger. They are decimal. */
static int cti_file(const char *file, const char *text)
{
	unsigned channel, trigger;
	int n = sscanf(text, "%u %u", &channel, &trigger);
	bool attach = strstr(file, "_attach") != NULL;

	if (strncmp(file, "channels/", 9) != 0 || strstr(file, "reset") != NULL)
		return strcmp(text, "0\n") == 0 || strcmp(text, "1\n") == 0 ? 0 : EINVAL;
	return n != (attach ? 2 : 1) || channel >= CHANNELS || (attach && trigger > 7) ? EINVAL : 0;
}

/* A write of `text` to a file below $MODEL. Returns an error, or 0; *keep: the file shows it. */
static int model(const char *path, const char *text, bool *keep)
{
	char name[64], file[64];
	unsigned cpu;
	const char *refuse = getenv("MODEL_REFUSE");

	*keep = false;
	if (refuse != NULL && strncmp(refuse, path, strlen(path)) == 0 &&
	    strncmp(refuse + strlen(path), " ", 1) == 0 &&
	    strncmp(refuse + strlen(path) + 1, text, strcspn(text, "\n")) == 0)
		return EINVAL;
	if (sscanf(path, "etm%u/%63s", &cpu, file) == 2 && cpu < CPUS)
		return unit_file(cpu, file, text);
	if (sscanf(path, "cti_cpu%u/%63s", &cpu, file) == 2) {
		*keep = true;
		return cti_file(file, text);
	}
	if (sscanf(path, "config/cs-syscfg/configurations/%63[^/]/%63s", name, file) == 2)
		return configuration(name, text);
	if (sscanf(path, "%63[^/]/%63s", name, file) == 2 && strcmp(file, "enable_sink") == 0)
		return enable_sink(name, text, keep);
	return EACCES;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	static ssize_t (*next)(int, const void *, size_t);
	const char *root = getenv("MODEL");
	char link[64], path[512], text[256];
	ssize_t length;
	bool keep;
	int error;

	if (next == NULL)
		next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof path - 1);
	if (root == NULL || length <= 0 || n >= sizeof text)
		return next(fd, bytes, n);
	path[length] = 0;
	if (strncmp(path, root, strlen(root)) != 0 || path[strlen(root)] != '/')
		return next(fd, bytes, n);
	memcpy(text, bytes, n);
	text[n] = 0;
	error = model(path + strlen(root) + 1, text, &keep);
	if (error != 0) {
		errno = error;
		return -1;
	}
	return keep ? next(fd, bytes, n) : (ssize_t)n;
}
