/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Registers that are mapped into this process. A worker makes the accesses, because a load may
 * hang. Where nothing answers at the address, some buses end a load with SIGBUS; a handler then
 * puts memory of all ones there, which is what the other buses answer.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/device/device_priv.h"

struct device_map {
	int fd;
	char *pages;      /* what is mapped; the registers begin `shift` bytes behind it */
	size_t size, shift;
	uint64_t offset;  /* of the registers in the file */
	struct device_worker *worker;
	struct {          /* the access of the worker */
		volatile uint32_t *at;
		uint32_t value;
		bool write;
	} job;
};

/* A handler gets no context: this is the last map, for the handler alone. */
static struct {
	char *pages;
	size_t size;
} guarded;

static void map_bus_error(int signal, siginfo_t *info, void *context)
{
	char *at = info->si_addr;

	(void)context;
	if (guarded.pages != NULL && at >= guarded.pages && at < guarded.pages + guarded.size &&
	    mmap(guarded.pages, guarded.size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
		memset(guarded.pages, 0xff, guarded.size);
		return;
	}
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigaction(signal, &usual, NULL);
}

static void map_guard(struct device_map *m)
{
	struct sigaction act = { .sa_sigaction = map_bus_error, .sa_flags = SA_SIGINFO };

	guarded.pages = m->pages;
	guarded.size = m->size;
	sigemptyset(&act.sa_mask);
	sigaction(SIGBUS, &act, NULL);
}

static bool map_place_ok(struct device *d, uint64_t offset)
{
	return (offset % DEVICE_REGISTERS == 0 && offset <= INT64_MAX - DEVICE_REGISTERS) ||
	       device_fail(d, DEVICE_SYSTEM, "the registers of an engine begin at a multiple of "
			   "4096, and 0x%llx is none", (unsigned long long)offset);
}

bool device_map_file(struct device *d, const char *name, int fd, uint64_t offset)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct device_map *m = NULL;

	if (!map_place_ok(d, offset)) {
		close(fd);
		return false;
	}
	m = calloc(1, sizeof *m);
	if (m == NULL) {
		close(fd);
		return device_fail(d, DEVICE_SYSTEM, "out of memory");
	}
	d->state = m;
	m->fd = fd;
	m->offset = offset;
	m->shift = offset % page;
	m->size = m->shift + DEVICE_REGISTERS;
	m->pages = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			(off_t)(offset - m->shift));
	if (m->pages == MAP_FAILED) {
		m->pages = NULL;
		return device_fail(d, DEVICE_SYSTEM, "can't map %s: %s", name, strerror(errno));
	}
	m->worker = device_worker_new();
	if (m->worker == NULL)
		return device_fail(d, DEVICE_SYSTEM, "out of memory");
	map_guard(m);
	return true;
}

bool device_map_open(struct device *d, const char *name, uint64_t offset)
{
	int fd = open(name, O_RDWR | O_SYNC | O_CLOEXEC);

	if (fd < 0 && map_place_ok(d, offset))
		return device_fail(d, DEVICE_SYSTEM, "can't open %s: %s", name, strerror(errno));
	return fd >= 0 && device_map_file(d, name, fd, offset);
}

void device_map_close(struct device *d)
{
	struct device_map *m = d->state;

	if (m == NULL || !device_worker_free(m->worker))
		return;
	guarded.pages = NULL;
	if (m->pages != NULL)
		munmap(m->pages, m->size);
	close(m->fd);
	free(m);
}

bool device_map_lock(struct device *d, enum device_use use)
{
	struct device_map *m = d->state;

	return device_lock_file(d, m->fd, m->offset, use);
}

void device_map_unlock(struct device *d)
{
	struct device_map *m = d->state;

	device_unlock_file(d, m->fd, m->offset);
}

int device_map_fd(const struct device *d)
{
	const struct device_map *m = d->state;

	return m->fd;
}

static void map_access(void *state)
{
	struct device_map *m = state;

	if (m->job.write)
		*m->job.at = m->job.value;
	else
		m->job.value = *m->job.at;
}

/* An access that took too long may still be under way. None is begun before it has ended. */
static bool map_idle(struct device *d)
{
	struct device_map *m = d->state;

	return device_worker_wait(m->worker, d->o.timeout_ms) ||
	       device_fail(d, DEVICE_HANGS, "an earlier access is still not answered");
}

static bool map_job(struct device *d, uint32_t offset)
{
	struct device_map *m = d->state;

	m->job.at = (volatile uint32_t *)(void *)(m->pages + m->shift + offset);
	device_worker_start(m->worker, map_access, m);
	if (device_worker_wait(m->worker, d->o.timeout_ms))
		return true;
	return device_fail(d, DEVICE_HANGS, "an access to register 0x%03x was not answered within "
			   "%u ms", (unsigned)offset, (unsigned)d->o.timeout_ms);
}

bool device_map_read(struct device *d, uint32_t offset, uint32_t *value)
{
	struct device_map *m = d->state;

	if (!map_idle(d))
		return false;
	m->job.write = false;
	if (!map_job(d, offset))
		return false;
	*value = m->job.value;
	return true;
}

bool device_map_write(struct device *d, uint32_t offset, uint32_t value)
{
	struct device_map *m = d->state;

	if (!map_idle(d))
		return false;
	m->job.write = true;
	m->job.value = value;
	return map_job(d, offset);
}
