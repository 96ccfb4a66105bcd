/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Words of an engine's output from a file: the character device of a DMA engine, a pipe, or what
 * one of them was copied to; and bytes of the memory of its ring. A worker reads, because a driver
 * may block.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/device/device_priv.h"
#include "support/bits.h"

enum { FILE_BYTES = 4096, FILE_WAIT_MS = 100 };

struct device_file {
	char *path;
	int flags, fd;
	struct device_worker *worker;
	bool reading;      /* the worker has been asked for bytes, and they are not taken yet */
	ssize_t got;       /* what read() returned */
	int error;         /* and its errno */
	size_t have;       /* bytes in `bytes` */
	size_t most;       /* bytes that may be in it: none are taken that nobody asked for */
	off_t at;          /* where device_file_at() reads */
	unsigned char bytes[FILE_BYTES];
};

static void file_open(void *state)
{
	struct device_file *f = state;

	f->fd = open(f->path, O_RDONLY | O_CLOEXEC | f->flags);
	f->error = errno;
}

/* A pipe without a writer makes open() wait, so the worker calls it. */
static bool file_opened(struct device *d, struct device_file *f, const char *path)
{
	if (f->worker == NULL || f->path == NULL)
		return device_fail(d, DEVICE_SYSTEM, "out of memory");
	device_worker_start(f->worker, file_open, f);
	if (!device_worker_wait(f->worker, d->o.timeout_ms))
		return device_fail(d, DEVICE_HANGS, "%s can't be opened within %u ms: nobody "
				   "writes to it", path, (unsigned)d->o.timeout_ms);
	return f->fd >= 0 ||
	       device_fail(d, DEVICE_SYSTEM, "can't open %s: %s", path, strerror(f->error));
}

struct device_file *device_file_open(struct device *d, const char *path, int flags)
{
	struct device_file *f = calloc(1, sizeof *f);

	if (f == NULL) {
		device_fail(d, DEVICE_SYSTEM, "out of memory");
		return NULL;
	}
	f->fd = -1;
	f->flags = flags;
	f->path = strdup(path);
	f->worker = device_worker_new();
	if (file_opened(d, f, path))
		return f;
	device_file_close(f);
	return NULL;
}

void device_file_close(struct device_file *f)
{
	if (f == NULL || !device_worker_free(f->worker))
		return;
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
	free(f);
}

bool device_file_lock(struct device *d, struct device_file *f)
{
	if (flock(f->fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (errno == EWOULDBLOCK)
		return device_fail(d, DEVICE_BUSY, "another process reads %s", f->path);
	return device_fail(d, DEVICE_SYSTEM, "can't lock %s: %s", f->path, strerror(errno));
}

static void file_read(void *state)
{
	struct device_file *f = state;

	f->got = read(f->fd, f->bytes + f->have, f->most - f->have);
	f->error = errno;
}

static long file_take(struct device_file *f, uint64_t *words, size_t n)
{
	size_t whole = f->have / 8 < n ? f->have / 8 : n;

	for (size_t i = 0; i < whole; i++)
		words[i] = get_le64(f->bytes + 8 * i);
	f->have -= 8 * whole;
	memmove(f->bytes, f->bytes + 8 * whole, f->have);
	return (long)whole;
}

long device_file_words(struct device *d, struct device_file *f, uint64_t *words, size_t n)
{
	if (n == 0)
		return 0;
	if (f->have >= 8 && !f->reading)
		return file_take(f, words, n);
	if (!f->reading) {
		f->most = 8 * n < sizeof f->bytes ? 8 * n : sizeof f->bytes;
		device_worker_start(f->worker, file_read, f);
	}
	f->reading = true;
	if (!device_worker_wait(f->worker, FILE_WAIT_MS))
		return 0;
	f->reading = false;
	if (f->got < 0 && (f->error == EINTR || f->error == EAGAIN || f->error == ETIMEDOUT))
		return 0;
	if (f->got < 0)
		device_fail(d, DEVICE_GONE, "can't read %s: %s", f->path, strerror(f->error));
	if (f->got == 0 && f->have != 0)
		device_fail(d, DEVICE_STALLED, "%s ends within a word", f->path);
	if (f->got <= 0)
		return -1;
	f->have += (size_t)f->got;
	return file_take(f, words, n);
}

uint64_t device_file_size(const struct device_file *f)
{
	struct stat st;

	if (fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return UINT64_MAX;
	return (uint64_t)st.st_size;
}

static void file_read_at(void *state)
{
	struct device_file *f = state;

	do
		f->got = pread(f->fd, f->bytes, f->most, f->at);
	while (f->got < 0 && errno == EINTR);
	f->error = errno;
}

bool device_file_at(struct device *d, struct device_file *f, uint64_t offset, void *p, size_t n)
{
	/* A read that took too long may still be under way. None is begun before it has ended. */
	if (!device_worker_wait(f->worker, d->o.timeout_ms))
		return device_fail(d, DEVICE_HANGS, "%s has still not answered an earlier read",
				   f->path);
	f->at = (off_t)offset;
	f->most = n;
	device_worker_start(f->worker, file_read_at, f);
	if (!device_worker_wait(f->worker, d->o.timeout_ms))
		return device_fail(d, DEVICE_HANGS, "%s did not answer a read within %u ms",
				   f->path, (unsigned)d->o.timeout_ms);
	if (f->got != (ssize_t)n)
		return device_fail(d, DEVICE_GONE, "can't read %s: %s", f->path, f->got < 0 ?
				   strerror(f->error) : "it has fewer bytes than the ring");
	memcpy(p, f->bytes, n);
	return true;
}
